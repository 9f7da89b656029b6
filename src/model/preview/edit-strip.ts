/** Tools and stable prompt as a strip, with the place of an edit on it. Cheap enough for every keystroke: by the estimate of D14. */
import { codePointLength } from '../../base/text.ts';
import { toolText } from '../prompt/segments.ts';
import type { SegmentKind } from '../prompt/types.ts';
import type { EditedLibrary } from './edited.ts';
import { planSession, type PlannedSession } from '../session/start.ts';

export interface StripPart {
  readonly kind: SegmentKind;
  /** Shares of the strip, 0 to 1. */
  readonly from: number;
  readonly to: number;
}

export interface EditStrip {
  /** In wire order, neighbors of one kind as one. */
  readonly parts: readonly StripPart[];
  /** The line of the skill in the index; nothing where it has none. */
  readonly line: { readonly from: number; readonly to: number } | undefined;
  /** The share of the strip at which the edited bytes first differ; nothing if a session would send the same ones. */
  readonly editedAt: number | undefined;
}

interface Piece {
  readonly kind: SegmentKind;
  readonly text: string;
}

const piecesOf = ({ tools, prompt }: PlannedSession): readonly Piece[] => [
  ...tools.map((tool): Piece => ({ kind: 'tool', text: toolText(tool) })),
  ...prompt.segments.map(({ kind, text }): Piece => ({ kind, text })),
];

/** How far two texts are the same, in UTF-16 units. */
const sameUpTo = (before: string, after: string): number => {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  return at;
};

/** Characters of `after` before the first difference; nothing if both are the same. */
const firstDifference = (before: readonly Piece[], after: readonly Piece[]): number | undefined => {
  let at = 0;
  for (const [index, piece] of after.entries()) {
    const old = before[index];
    if (old?.text !== piece.text)
      return at + codePointLength(piece.text.slice(0, sameUpTo(old?.text ?? '', piece.text)));
    at += codePointLength(piece.text);
  }
  return before.length > after.length ? at : undefined;
};

const lineOf = (pieces: readonly Piece[], name: string | undefined): { from: number; to: number } | undefined => {
  if (name === undefined) return undefined;
  let at = 0;
  for (const { kind, text } of pieces) {
    const lines = kind === 'skill-index' ? `\n${text}` : '';
    const start = Math.max(lines.indexOf(`\n- ${name}:`), lines.indexOf(`\n- ${name} [`));
    if (start >= 0) {
      const end = text.indexOf('\n', start);
      const from = at + codePointLength(text.slice(0, start));
      return { from, to: from + codePointLength(text.slice(start, end === -1 ? text.length : end)) };
    }
    at += codePointLength(text);
  }
  return undefined;
};

/** `saved` and `edited` are the library before and after; without `saved`, only what there is now. */
export const editStrip = (saved: EditedLibrary | undefined, edited: EditedLibrary): EditStrip => {
  const after = piecesOf(planSession(edited.plan));
  const total = Math.max(
    1,
    after.reduce((sum, { text }) => sum + codePointLength(text), 0),
  );
  const parts: { kind: SegmentKind; from: number; to: number }[] = [];
  let at = 0;
  for (const { kind, text } of after) {
    const to = at + codePointLength(text) / total;
    const last = parts.at(-1);
    if (last?.kind === kind) last.to = to;
    else parts.push({ kind, from: at, to });
    at = to;
  }
  const differs = saved && firstDifference(piecesOf(planSession(saved.plan)), after);
  const line = lineOf(after, edited.name);
  return {
    parts,
    line: line && { from: line.from / total, to: line.to / total },
    editedAt: differs === undefined ? undefined : Math.min(1, differs / total),
  };
};

/**
 * Up to where the strip is still read, as a share: a cache stops where the request may be cut, so the forecast's share is
 * moved to the nearest of those places that the edit has not broken.
 */
export const readUpTo = ({ parts, editedAt = 1 }: EditStrip, share: number): number => {
  const tools = parts[0]?.kind === 'tool' ? parts[0].to : 0;
  return [0, tools, editedAt]
    .filter((place) => place <= editedAt)
    .reduce((best, place) => (Math.abs(place - share) < Math.abs(best - share) ? place : best), 0);
};
