/** Differences between two sets of files, and their texts. Text is a byte per character throughout. */
import { quotePath, shortOid, shortStat, statText, type FileCounts } from '../../../model/sandbox/git-text.ts';
import { byteText, countLines, isBinary, unifiedHunks } from '../../../model/sandbox/unified-diff.ts';
import type { Leaf, Leaves } from './repository.ts';

export interface Change {
  readonly status: 'A' | 'M' | 'D' | 'R';
  readonly path: string;
  /** Where it was, if it moved. */
  readonly from?: string;
  readonly before: Leaf | undefined;
  readonly after: Leaf | undefined;
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path === b.path ? 0 : a.path < b.path ? -1 : 1;

const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** Moved without a change: the same content is gone in one place and new in another. */
const findMoves = (changes: readonly Change[]): readonly Change[] => {
  const gone = new Map<string, Change[]>();
  for (const change of changes)
    if (change.status === 'D' && change.before && change.before.oid !== EMPTY_BLOB)
      gone.set(change.before.oid, [...(gone.get(change.before.oid) ?? []), change]);
  const used = new Set<Change>();
  const moved = changes.map((change): Change => {
    if (change.status !== 'A' || !change.after) return change;
    const sources = (gone.get(change.after.oid) ?? []).filter((source) => !used.has(source));
    const name = change.path.slice(change.path.lastIndexOf('/') + 1);
    const source = sources.find(({ path }) => path.slice(path.lastIndexOf('/') + 1) === name) ?? sources[0];
    if (!source) return change;
    used.add(source);
    return { status: 'R', path: change.path, from: source.path, before: source.before, after: change.after };
  });
  return moved.filter((change) => !used.has(change));
};

export const compareLeaves = (
  before: Leaves,
  after: Leaves,
  isWanted: (path: string) => boolean,
): readonly Change[] => {
  const changes: Change[] = [];
  for (const [path, old] of before) {
    if (!isWanted(path)) continue;
    const now = after.get(path);
    if (!now) changes.push({ status: 'D', path, before: old, after: undefined });
    else if (now.oid !== old.oid || now.mode !== old.mode) changes.push({ status: 'M', path, before: old, after: now });
  }
  for (const [path, now] of after)
    if (isWanted(path) && !before.has(path)) changes.push({ status: 'A', path, before: undefined, after: now });
  return findMoves(changes.toSorted(byPath)).toSorted(byPath);
};

export interface Contents {
  readonly before: (change: Change) => Promise<Uint8Array>;
  readonly after: (change: Change) => Promise<Uint8Array>;
}

const octal = (mode: number): string => mode.toString(8).padStart(6, '0');

const headOf = ({ status, path, from = path, before, after }: Change): string => {
  const lines = [`diff --git ${quotePath(`a/${from}`)} ${quotePath(`b/${path}`)}`];
  if (status === 'A' && after) lines.push(`new file mode ${octal(after.mode)}`);
  if (status === 'D' && before) lines.push(`deleted file mode ${octal(before.mode)}`);
  const isModeChange = before && after && before.mode !== after.mode;
  if (isModeChange) lines.push(`old mode ${octal(before.mode)}`, `new mode ${octal(after.mode)}`);
  if (status === 'R')
    lines.push('similarity index 100%', `rename from ${quotePath(from)}`, `rename to ${quotePath(path)}`);
  const [old, now] = [before?.oid ?? '0'.repeat(40), after?.oid ?? '0'.repeat(40)];
  if (old !== now)
    lines.push(
      `index ${shortOid(old)}..${shortOid(now)}${before && after && !isModeChange ? ` ${octal(after.mode)}` : ''}`,
    );
  return `${lines.join('\n')}\n`;
};

/** A path with a blank needs a mark behind it, or the end of it could not be seen. */
const fileLine = (sign: string, path: string): string => {
  const quoted = quotePath(path);
  return `${sign} ${quoted}${quoted === path && path.includes(' ') ? '\t' : ''}\n`;
};

const patchOf = async (change: Change, contents: Contents, context: number): Promise<string> => {
  const head = headOf(change);
  if (change.before?.oid === change.after?.oid) return head;
  const [before, after] = [await contents.before(change), await contents.after(change)];
  const from = change.status === 'A' ? '/dev/null' : `a/${change.from ?? change.path}`;
  const to = change.status === 'D' ? '/dev/null' : `b/${change.path}`;
  if (isBinary(before) || isBinary(after))
    return `${head}Binary files ${quotePath(from)} and ${quotePath(to)} differ\n`;
  const hunks = unifiedHunks(byteText(before), byteText(after), context);
  return hunks === '' ? head : `${head}${fileLine('---', from)}${fileLine('+++', to)}${hunks}`;
};

/** `harbour/{seats.py => places.py}`: what both have in common is written once. */
const movedName = (from: string, to: string): string => {
  let head = 0;
  for (let at = 0; at < from.length && at < to.length && from[at] === to[at]; at++) if (from[at] === '/') head = at + 1;
  let tail = 0;
  const most = Math.min(from.length, to.length) - head;
  for (let at = 1; at <= most && from.at(-at) === to.at(-at); at++) if (from.at(-at) === '/') tail = at;
  const middle = `${from.slice(head, from.length - tail)} => ${to.slice(head, to.length - tail)}`;
  return head + tail === 0 ? middle : `${from.slice(0, head)}{${middle}}${from.slice(from.length - tail)}`;
};

const countsOf = async (change: Change, contents: Contents): Promise<FileCounts> => {
  const path = change.from === undefined ? change.path : movedName(change.from, change.path);
  if (change.before?.oid === change.after?.oid) return { path, added: 0, removed: 0 };
  const [before, after] = [await contents.before(change), await contents.after(change)];
  if (isBinary(before) || isBinary(after)) return { path, added: 0, removed: 0, binary: [before.length, after.length] };
  return { path, ...countLines(byteText(before), byteText(after)) };
};

export type DiffForm = 'patch' | 'stat' | 'shortstat' | 'numstat' | 'name-only' | 'name-status' | 'none';

export const FORMS: Readonly<Record<string, DiffForm>> = {
  '--stat': 'stat',
  '--shortstat': 'shortstat',
  '--numstat': 'numstat',
  '--name-only': 'name-only',
  '--name-status': 'name-status',
  '-s': 'none',
  '--no-patch': 'none',
  '-p': 'patch',
  '-u': 'patch',
  '--patch': 'patch',
};

export const showChanges = async (
  changes: readonly Change[],
  contents: Contents,
  form: DiffForm,
  context = 3,
): Promise<string> => {
  const parts: string[] = [];
  switch (form) {
    case 'none':
      return '';
    case 'name-only':
      return changes.map(({ path }) => `${quotePath(path)}\n`).join('');
    case 'name-status':
      return changes
        .map(({ status, path, from }) =>
          from === undefined ? `${status}\t${quotePath(path)}\n` : `R100\t${quotePath(from)}\t${quotePath(path)}\n`,
        )
        .join('');
    case 'patch':
      for (const change of changes) parts.push(await patchOf(change, contents, context));
      return parts.join('');
    case 'stat':
    case 'shortstat':
    case 'numstat': {
      const counts: FileCounts[] = [];
      for (const change of changes) counts.push(await countsOf(change, contents));
      if (form === 'stat') return statText(counts);
      if (form === 'shortstat') return counts.length === 0 ? '' : shortStat(counts);
      return counts
        .map(({ path, added, removed, binary }) =>
          binary ? `-\t-\t${quotePath(path)}\n` : `${added}\t${removed}\t${quotePath(path)}\n`,
        )
        .join('');
    }
  }
};
