/** Two strings as a unified diff, as git writes it: the same groups, the same context, the same headings of hunks. */
import { diffLines, type LineChange } from '../files/line-diff.ts';
import { placeGroups } from './group-place.ts';

/** Bytes as text in which a character is a byte: lines of any encoding stay what they are. */
export const byteText = (bytes: Uint8Array): string => {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join('');
};

/** As git decides it: a NUL among the first 8,000 bytes. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8000).includes(0);

/** Each with its end; the last may have none. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const HEADING_BYTES = 80;

/** The nearest line above that starts a section: a letter, `_` or `$` in the first column. */
const headingAbove = (lines: readonly string[], from: number, to: number): string | undefined => {
  for (let at = from; at > to; at--) {
    const line = lines[at] ?? '';
    if (/^[A-Za-z_$]/.test(line)) return line.slice(0, HEADING_BYTES).replace(/[\s]+$/, '');
  }
  return undefined;
};

interface Hunk {
  readonly changes: readonly LineChange[];
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

const hunksOf = (
  changes: readonly LineChange[],
  context: number,
  length: number,
  newLength: number,
): readonly Hunk[] => {
  const hunks: Hunk[] = [];
  for (let at = 0; at < changes.length;) {
    const group = [changes[at] as LineChange];
    for (at++; at < changes.length; at++) {
      const [last, next] = [group.at(-1) as LineChange, changes[at] as LineChange];
      if (next.start - (last.start + last.count) > 2 * context) break;
      group.push(next);
    }
    const [first, last] = [group[0] as LineChange, group.at(-1) as LineChange];
    hunks.push({
      changes: group,
      start: Math.max(0, first.start - context),
      newStart: Math.max(0, first.newStart - context),
      end: Math.min(length, last.start + last.count + context),
      newEnd: Math.min(newLength, last.newStart + last.newCount + context),
    });
  }
  return hunks;
};

const range = (start: number, end: number): string => {
  const count = end - start;
  const first = count === 0 ? start : start + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
};

const shown = (sign: string, line: string): string =>
  line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** A line as it is compared: without what does not count. */
export type Fold = (line: string) => string;

const changesOf = (before: readonly string[], after: readonly string[], fold?: Fold): readonly LineChange[] =>
  diffLines(fold ? before.map(fold) : before, fold ? after.map(fold) : after, placeGroups(before, after));

/** The lines that are gone, and those that came. */
export const changedLines = (before: string, after: string): readonly string[] => {
  const [old, young] = [linesOf(before), linesOf(after)];
  return changesOf(old, young).flatMap(({ start, count, newStart, newCount }) =>
    old.slice(start, start + count).concat(young.slice(newStart, newStart + newCount)),
  );
};

export const countLines = (before: string, after: string, fold?: Fold): LineCounts => {
  const changes = changesOf(linesOf(before), linesOf(after), fold);
  return {
    added: changes.reduce((all, { newCount }) => all + newCount, 0),
    removed: changes.reduce((all, { count }) => all + count, 0),
  };
};

/** The hunks; nothing if the strings are the same. */
export const unifiedHunks = (before: string, after: string, context = 3, fold?: Fold): string => {
  const [old, young] = [linesOf(before), linesOf(after)];
  const parts: string[] = [];
  let searched = -1;
  let heading = '';
  for (const hunk of hunksOf(changesOf(old, young, fold), context, old.length, young.length)) {
    // The heading of the hunk before continues until a nearer one is found.
    heading = headingAbove(old, hunk.start - 1, searched) ?? heading;
    searched = hunk.start - 1;
    const place = `@@ -${range(hunk.start, hunk.end)} +${range(hunk.newStart, hunk.newEnd)} @@`;
    parts.push(heading === '' ? `${place}\n` : `${place} ${heading}\n`);
    // Lines that are only compared as equal are shown as they are now.
    let at = hunk.newStart;
    for (const { start, count, newStart, newCount } of hunk.changes) {
      for (; at < newStart; at++) parts.push(shown(' ', young[at] ?? ''));
      for (let line = start; line < start + count; line++) parts.push(shown('-', old[line] ?? ''));
      for (; at < newStart + newCount; at++) parts.push(shown('+', young[at] ?? ''));
    }
    for (; at < hunk.newEnd; at++) parts.push(shown(' ', young[at] ?? ''));
  }
  return parts.join('');
};

const lineRange = (start: number, count: number): string => {
  if (count === 0) return String(start);
  return count === 1 ? String(start + 1) : `${start + 1},${start + count}`;
};

/** The old form of `diff`: `2c2`, `< two`, `---`, `> 2`. */
export const normalDiff = (before: string, after: string): string => {
  const [old, young] = [linesOf(before), linesOf(after)];
  // The program itself knows nothing of indentation.
  const parts = diffLines(old, young).map(({ start, count, newStart, newCount }) => {
    const letter = count === 0 ? 'a' : newCount === 0 ? 'd' : 'c';
    const gone = old.slice(start, start + count).map((line) => shown('< ', line));
    const come = young.slice(newStart, newStart + newCount).map((line) => shown('> ', line));
    const place = `${lineRange(start, count)}${letter}${lineRange(newStart, newCount)}\n`;
    return place + gone.join('') + (letter === 'c' ? '---\n' : '') + come.join('');
  });
  return parts.join('');
};
