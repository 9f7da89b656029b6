/** Two excerpts as lines that stand beside each other: what is the same in both is on the same row. */
import type { Excerpt } from './body-difference.ts';

export interface LinePart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line of one side; nothing where the other side has one more. */
export type Line = readonly LinePart[] | undefined;

export interface AlignedRow {
  readonly before: Line;
  readonly after: Line;
  readonly isSame: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' };

/** A piece of JSON as people read it: a line break is one, and a quote is a quote. */
export const readable = (json: string): string =>
  json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (whole, code: string | undefined, sign: string | undefined) =>
    code === undefined ? (ESCAPES[sign ?? ''] ?? whole) : String.fromCharCode(Number.parseInt(code, 16)),
  );

const lines = (text: string): readonly string[] => text.split(/(?<=\n)/);

/** From the first line that differs to the last one. */
const changedLines = ({
  lead,
  middle,
  tail,
}: {
  lead: string;
  middle: string;
  tail: string;
}): readonly LinePart[][] => {
  const found: LinePart[][] = [[]];
  const add = (text: string, isChanged: boolean): void => {
    for (const line of lines(text)) {
      if (line !== '') found.at(-1)?.push({ text: line, isChanged });
      if (line.endsWith('\n')) found.push([]);
    }
  };
  add(lead, false);
  add(middle, true);
  add(tail, false);
  if (found.at(-1)?.length === 0) found.pop();
  return found;
};

const sameRow = (text: string): AlignedRow => {
  const line = [{ text, isChanged: false }];
  return { before: line, after: line, isSame: true };
};

/** Up to the last line break, and what is left. */
const cutAtLine = (text: string, at: number): readonly [string, string] => [text.slice(0, at), text.slice(at)];

type Texts = Readonly<Record<'lead' | 'middle' | 'tail', string>>;

/** Moves what one side has more back to the start of its line, where the same text allows it. */
const slid = (old: Texts, now: Texts): readonly [Texts, Texts] => {
  const more = old.middle === '' ? now : old;
  const fewer = more === now ? old : now;
  if (fewer.middle !== '' || more.middle === '') return [old, now];
  const start = more.lead.lastIndexOf('\n') + 1;
  const rest = more.lead.slice(start);
  if (rest === '' || !more.middle.endsWith(rest)) return [old, now];
  const move = ({ lead, middle, tail }: Texts): Texts => ({
    lead: lead.slice(0, start),
    middle: middle === '' ? '' : `${rest}${middle.slice(0, -rest.length)}`,
    tail: `${rest}${tail}`,
  });
  return [move(old), move(now)];
};

/** A request that ends before the difference has no side. */
export const alignedRows = (before: Excerpt | undefined, after: Excerpt | undefined): readonly AlignedRow[] => {
  const read = (side: Excerpt | undefined) =>
    side && { lead: readable(side.lead), middle: readable(side.middle), tail: readable(side.tail) };
  const [oldRead, nowRead] = [read(before), read(after)];
  const [old, now] = oldRead && nowRead ? slid(oldRead, nowRead) : [oldRead, nowRead];
  const lead = (old ?? now)?.lead ?? '';
  const [leadLines, leadRest] = cutAtLine(lead, lead.lastIndexOf('\n') + 1);
  // What follows is the same on both sides only where both have it.
  const isTailShared = old !== undefined && now !== undefined && old.tail === now.tail;
  const tail = isTailShared ? old.tail : '';
  // A tail that begins a line of its own is the same from its first sign.
  const isLineStart = [old, now].every((side) => (side?.middle === '' ? leadRest === '' : side?.middle.endsWith('\n')));
  const first = tail.indexOf('\n') + 1;
  const [tailRest, tailLines] = cutAtLine(tail, isLineStart ? 0 : first === 0 ? tail.length : first);
  const changed = (side: typeof old) =>
    side ? changedLines({ lead: leadRest, middle: side.middle, tail: isTailShared ? tailRest : side.tail }) : [];
  const [left, right] = [changed(old), changed(now)];
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, index): AlignedRow => ({
    before: left[index],
    after: right[index],
    isSame: false,
  }));
  return [
    ...lines(leadLines)
      .filter((line) => line !== '')
      .map(sameRow),
    ...rows.filter(({ before: one, after: other }) => (one?.length ?? 0) + (other?.length ?? 0) > 0),
    ...lines(tailLines)
      .filter((line) => line !== '')
      .map(sameRow),
  ];
};
