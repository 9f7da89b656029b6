/**
 * One string beside several that it was made of, as git shows a merge: a column for each parent, and only the places where
 * the result is not that of one parent (`dense`).
 */
import { diffLines } from '../files/line-diff.ts';
import { placeGroups } from './group-place.ts';
import { linesOf } from './unified-diff.ts';

interface Lost {
  readonly line: string;
  parents: number;
}

/** A line of the result; one more is at the end, for what was lost there. */
interface Row {
  readonly line: string;
  /** Parents that do not have it, as bits. */
  added: number;
  lost: Lost[];
  isShown: boolean;
  /** Context before a place: what was lost in front of it belongs elsewhere. */
  hidesLost: boolean;
  /** Per parent, from 1. */
  readonly numbers: number[];
}

const HEADING = 40;

/** The longest common order of both; equal lines become one. */
const joinLost = (base: readonly Lost[], more: readonly string[], bit: number): Lost[] => {
  const fresh = more.map((line) => ({ line, parents: bit }));
  if (base.length === 0) return fresh;
  const best: number[][] = Array.from({ length: base.length + 1 }, () =>
    Array.from({ length: more.length + 1 }, () => 0),
  );
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = 1; i <= base.length; i++)
    for (let j = 1; j <= more.length; j++)
      (best[i] as number[])[j] =
        base[i - 1]?.line === more[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i, j - 1), at(i - 1, j));
  const joined: Lost[] = [];
  let [i, j] = [base.length, more.length];
  while (i > 0 || j > 0) {
    const [old, young] = [base[i - 1], fresh[j - 1]];
    if (i > 0 && j > 0 && old?.line === young?.line) {
      joined.push({ line: old?.line ?? '', parents: (old?.parents ?? 0) | bit });
      i--;
      j--;
    } else if (young && (i === 0 || at(i, j - 1) >= at(i - 1, j))) {
      joined.push(young);
      j--;
    } else {
      joined.push(old as Lost);
      i--;
    }
  }
  return joined.toReversed();
};

/** `ends`: per parent, the number behind its last line. */
const rowsOf = (
  parents: readonly string[],
  result: string,
): { readonly rows: Row[]; readonly ends: readonly number[] } => {
  const young = linesOf(result);
  const rows = [...young, ''].map((line): Row => ({
    line,
    added: 0,
    lost: [],
    isShown: false,
    hidesLost: false,
    numbers: [],
  }));
  const ends: number[] = [];
  for (const [index, parent] of parents.entries()) {
    const bit = 1 << index;
    const old = linesOf(parent);
    const lostHere = new Map<number, string[]>();
    for (const { start, count, newStart, newCount } of diffLines(old, young, placeGroups(old, young))) {
      if (count > 0) lostHere.set(newStart, old.slice(start, start + count));
      for (let line = newStart; line < newStart + newCount; line++) (rows[line] as Row).added |= bit;
    }
    let number = 1;
    for (const [line, row] of rows.entries()) {
      row.numbers.push(number);
      const lost = lostHere.get(line);
      if (lost) row.lost = joinLost(row.lost, lost, bit);
      number += row.lost.filter((one) => (one.parents & bit) !== 0).length;
      if (line < young.length && (row.added & bit) === 0) number++;
    }
    ends.push(number);
  }
  return { rows, ends };
};

const next = (rows: readonly Row[], from: number, isShown: boolean): number => {
  let at = from;
  while (at < rows.length && rows[at]?.isShown !== isShown) at++;
  return at;
};

/** A last row that only holds lost lines is not a line of the hunk. */
const tailOf = (rows: readonly Row[], begin: number, end: number): number =>
  begin + 1 <= end && rows[end - 1]?.added === 0 ? end - 1 : end;

const markDense = (rows: readonly Row[], context: number, all: number): void => {
  for (let at = 0; at < rows.length;) {
    const begin = next(rows, at, true);
    if (begin >= rows.length) return;
    let end = begin + 1;
    for (; end < rows.length; end++) {
      if (rows[end]?.isShown === true) continue;
      let ahead = Math.min(tailOf(rows, begin, end) + context, rows.length);
      let goesOn = false;
      while (ahead > 0 && end <= --ahead)
        if (rows[ahead]?.isShown === true) {
          goesOn = true;
          break;
        }
      if (!goesOn) break;
      end = ahead;
    }
    const kinds = new Set<number>();
    for (const { added, lost } of rows.slice(begin, end)) {
      if (added !== 0) kinds.add(added);
      for (const { parents } of lost) kinds.add(parents);
    }
    const isPlain = kinds.size < 2 && ![...kinds].every((kind) => kind === all);
    if (isPlain) for (const row of rows.slice(begin, end)) row.isShown = false;
    at = end;
  }
};

const markContext = (rows: readonly Row[], context: number): void => {
  const show = (from: number, to: number): void => {
    for (let at = from; at < to; at++) (rows[at] as Row).isShown = true;
  };
  for (let at = next(rows, 0, true); at < rows.length;) {
    for (let before = Math.max(0, at - context); before < at; before++) {
      const row = rows[before] as Row;
      if (!row.isShown) row.hidesLost = true;
      row.isShown = true;
    }
    for (;;) {
      const end = next(rows, at, false);
      if (end >= rows.length) return;
      const following = next(rows, end, true);
      const tail = tailOf(rows, at, end);
      if (following < tail + context) {
        show(tail, following);
        at = following;
        if (at >= rows.length) return;
        continue;
      }
      show(tail, Math.min(tail + context, rows.length));
      at = following;
      break;
    }
  }
};

const endOf = (line: string): string => (line.endsWith('\n') ? line : `${line}\n`);

/** The hunks; nothing if there is nothing to show. */
export const combinedHunks = (parents: readonly string[], result: string, isDense: boolean, context = 3): string => {
  const { rows, ends } = rowsOf(parents, result);
  const all = (1 << parents.length) - 1;
  for (const row of rows) row.isShown = row.added !== 0 || row.lost.length > 0;
  if (isDense) markDense(rows, context, all);
  markContext(rows, context);
  const columns = (bits: number, sign: string): string =>
    parents.map((_parent, index) => ((bits & (1 << index)) === 0 ? ' ' : sign)).join('');
  const marks = '@'.repeat(parents.length + 1);
  const parts: string[] = [];
  const last = rows.length - 1;
  for (let begin = 0; ;) {
    let heading = '';
    for (; begin < rows.length && rows[begin]?.isShown !== true; begin++)
      if (/^[A-Za-z_$]/.test(rows[begin]?.line ?? '')) heading = rows[begin]?.line ?? '';
    if (begin > last) return parts.join('');
    const end = next(rows, begin, false);
    const count = end - begin - (end > last ? 1 : 0);
    const ranges = parents.map((_parent, index) => {
      const from = rows[begin]?.numbers[index] ?? 1;
      const to = (end > last ? ends[index] : rows[end]?.numbers[index]) ?? from;
      return `-${from},${to - from}`;
    });
    // As git does it, the last character of the heading is left out.
    const words = heading.slice(0, HEADING).trimEnd().slice(0, -1);
    parts.push(`${marks} ${ranges.join(' ')} +${begin + 1},${count} ${marks}${words === '' ? '' : ` ${words}`}\n`);
    for (; begin < end; begin++) {
      const row = rows[begin] as Row;
      if (!row.hidesLost) for (const { line, parents: bits } of row.lost) parts.push(columns(bits, '-') + endOf(line));
      if (begin < last) parts.push(columns(row.added, '+') + endOf(row.line));
    }
  }
};
