/** A run as a row of moments that one can go back to: lines with their locals, asks, commands, traces, and the end. */
import type { Pause, Variable } from '../starlark/messages.ts';
import type { RunItem, RunView } from './run-view.ts';

/** What the locals held when the run came to a line. */
export interface LineRecord {
  /** In the time of the session, in milliseconds. */
  readonly at: number;
  readonly line: number;
  readonly frames: Pause['frames'];
}

export interface RunMoment {
  readonly id: string;
  readonly kind: 'line' | RunItem['kind'] | 'end';
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly line: number | undefined;
  readonly item?: RunItem;
  /** The locals of `run`; nothing where none were recorded up to here. */
  readonly values: readonly Variable[] | undefined;
}

const localsOf = ({ frames }: LineRecord): readonly Variable[] =>
  (frames[0]?.variables ?? []).filter(({ type }) => type !== 'unassigned');

/** The record up to which an item is later: the last at its own line, else the last before it in time. */
const lastBefore = (records: readonly LineRecord[], from: number, { at, line }: RunItem, startedAt: number): number => {
  let last = from - 1;
  let own = -1;
  for (let index = from; index < records.length; index++) {
    const record = records[index];
    if (!record || record.at - startedAt > at) break;
    last = index;
    if (record.line === line) own = index;
  }
  return own === -1 ? last : own;
};

/** In the order in which they happened. */
export const runMoments = (view: RunView, records: readonly LineRecord[]): readonly RunMoment[] => {
  const moments: RunMoment[] = [];
  let next = 0;
  let values: readonly Variable[] | undefined;
  const passUntil = (index: number): void => {
    for (; next <= index; next++) {
      const record = records[next];
      if (!record) continue;
      values = localsOf(record);
      const at = Math.max(0, record.at - view.startedAt);
      moments.push({ id: `line ${next}`, kind: 'line', at, line: record.line, values });
    }
  };
  for (const item of view.items) {
    passUntil(lastBefore(records, next, item, view.startedAt));
    moments.push({ id: item.id, kind: item.kind, at: item.at, line: item.line, item, values });
  }
  passUntil(records.length - 1);
  if (view.status !== undefined) {
    const last = moments.at(-1);
    const at = Math.max(view.durationMs ?? 0, last ? last.at + (last.item?.durationMs ?? 0) : 0);
    moments.push({ id: 'end', kind: 'end', at, line: last?.line, values });
  }
  return moments;
};

/** The moment that a step from `index` leads to: the next or previous one that is more than a line. */
export const stepTo = (moments: readonly RunMoment[], index: number, by: 1 | -1): number => {
  for (let at = index + by; at >= 0 && at < moments.length; at += by) if (moments[at]?.kind !== 'line') return at;
  return by === 1 ? moments.length - 1 : 0;
};

/** What comes after a line of the program. */
export interface InlineValue {
  readonly line: number;
  readonly text: string;
}

/** In characters: the code beside it stays what is read first. */
const LONGEST = 28;
const MOST_ON_A_LINE = 3;
/** Names that a line gives a value: `a = …`, `a, b = …`, `for a in …`, `a["x"] = …`, `a += …`. */
const TARGETS = /^\s*(?:for\s+([\w\s,()]+?)\s+in\b|([A-Za-z_][\w\s,.()]*?)(?:\[[^\]]*\])?\s*(?:[-+*/%|&]|\/\/)?=(?!=))/;

const namesIn = (line: string): readonly string[] => {
  const [, looped, assigned] = TARGETS.exec(line) ?? [];
  return (looped ?? assigned ?? '').match(/[A-Za-z_]\w*/g) ?? [];
};

const short = (repr: string): string => {
  const points = Array.from(repr);
  return points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : repr;
};

/** The values that names hold at a moment, each after the lines that give it one and that the run has come to. */
export const inlineValues = (text: string, moments: readonly RunMoment[], index: number): readonly InlineValue[] => {
  const values = moments[index]?.values;
  if (!values) return [];
  const known = new Map(values.map(({ name, repr }) => [name, repr]));
  const lines = text.split(/\r\n|[\r\n]/);
  // The line that is about to run has not given its names a value yet.
  const passed = new Set(moments.slice(0, index).flatMap(({ line }) => line ?? []));
  return [...passed]
    .toSorted((a, b) => a - b)
    .flatMap((line): InlineValue[] => {
      const shown = namesIn(lines[line - 1] ?? '')
        .filter((name) => known.has(name))
        .slice(0, MOST_ON_A_LINE)
        .map((name) => `${name} ${short(known.get(name) ?? '')}`);
      return shown.length === 0 ? [] : [{ line, text: shown.join('  ') }];
    });
};
