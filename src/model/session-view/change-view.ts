/** A pending write as a diff to look at before it is applied (D22). */
import { isUtf8 } from '../../base/utf8.ts';
import { diffLines } from '../files/line-diff.ts';
import type { PendingChange } from '../tool/pending-tree.ts';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  /** From 1; nothing on the side where the line is not. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

/** A stretch of lines around changes; between two of them nothing differs. */
export interface DiffHunk {
  /** As in a unified diff: `@@ -1,4 +1,5 @@`. */
  readonly head: string;
  readonly lines: readonly DiffLine[];
}

export interface ChangeView {
  readonly path: string;
  readonly kind: 'new' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
  /** Why there is no diff to see. */
  readonly note?: string;
  readonly hunks: readonly DiffHunk[];
}

const CONTEXT = 3;
/** Above this a diff is not a help to a person. */
const MOST_BYTES = 1_000_000;

const linesOf = (text: string): string[] => {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

const textOf = (bytes: Uint8Array | null | undefined): string | undefined => {
  if (!bytes) return '';
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : new TextDecoder().decode(bytes);
};

const range = (start: number, count: number): string => {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
};

export const hunksOf = (before: readonly string[], after: readonly string[]): readonly DiffHunk[] => {
  const changes = diffLines(before, after);
  const groups: (readonly (typeof changes)[number][])[] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    if (last && previous && change.start - (previous.start + previous.count) <= CONTEXT * 2)
      groups[groups.length - 1] = [...last, change];
    else groups.push([change]);
  }
  return groups.map((group) => {
    const first = group[0];
    const last = group.at(-1);
    if (!first || !last) return { head: '', lines: [] };
    const lead = Math.min(CONTEXT, first.start);
    const from = first.start - lead;
    const newFrom = first.newStart - lead;
    const to = Math.min(before.length, last.start + last.count + CONTEXT);
    const lines: DiffLine[] = [];
    let [at, newAt] = [from, newFrom];
    const same = (until: number): void => {
      for (; at < until; at++, newAt++)
        lines.push({ kind: 'same', before: at + 1, after: newAt + 1, text: before[at] ?? '' });
    };
    for (const { start, count, newCount } of group) {
      same(start);
      for (let index = 0; index < count; index++, at++)
        lines.push({ kind: 'removed', before: at + 1, after: undefined, text: before[at] ?? '' });
      for (let index = 0; index < newCount; index++, newAt++)
        lines.push({ kind: 'added', before: undefined, after: newAt + 1, text: after[newAt] ?? '' });
    }
    same(to);
    return { head: `@@ -${range(from, at - from)} +${range(newFrom, newAt - newFrom)} @@`, lines };
  });
};

export const changeView = ({ path, before, after }: PendingChange): ChangeView => {
  const kind = after === null ? 'deleted' : before === undefined ? 'new' : 'changed';
  const plain = { path, kind, added: 0, removed: 0, hunks: [] } as const;
  const size = (before?.length ?? 0) + (after?.length ?? 0);
  if (size > MOST_BYTES) return { ...plain, note: `${size} bytes: too long to be shown as a diff.` };
  const [old, next] = [textOf(before), textOf(after)];
  if (old === undefined || next === undefined) return { ...plain, note: 'This isn’t text.' };
  const hunks = hunksOf(linesOf(old), linesOf(next));
  const count = (wanted: DiffLine['kind']): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === wanted).length, 0);
  const ends = kind === 'changed' && hunks.length === 0 && old !== next;
  return {
    path,
    kind,
    added: count('added'),
    removed: count('removed'),
    hunks,
    ...(ends && { note: 'Only the end of the last line differs.' }),
  };
};
