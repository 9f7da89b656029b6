/** Differences between two sets of files, and their strings. Text is a byte per character throughout. */
import { combinedHunks } from '../../../model/sandbox/combined-diff.ts';
import { quotePath, shortOid, shortStat, statText, type FileCounts } from '../../../model/sandbox/git-text.ts';
import { byteText, countLines, isBinary, unifiedHunks, type Fold } from '../../../model/sandbox/unified-diff.ts';
import type { Leaf, Leaves } from './repository.ts';

export interface Change {
  readonly status: 'A' | 'M' | 'D' | 'R' | 'T' | 'U';
  readonly path: string;
  /** Where it was, if it moved, and how much of it is the same, in percent. */
  readonly from?: string;
  readonly similarity?: number;
  readonly before: Leaf | undefined;
  readonly after: Leaf | undefined;
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path === b.path ? 0 : a.path < b.path ? -1 : 1;

const kindOf = (mode: number): number => mode & 0o170000;

/** Without looking for moves. */
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
    else if (now.oid !== old.oid || now.mode !== old.mode)
      changes.push({ status: kindOf(old.mode) === kindOf(now.mode) ? 'M' : 'T', path, before: old, after: now });
  }
  for (const [path, now] of after)
    if (isWanted(path) && !before.has(path)) changes.push({ status: 'A', path, before: undefined, after: now });
  return changes.toSorted(byPath);
};

export interface Contents {
  readonly before: (change: Change) => Promise<Uint8Array>;
  readonly after: (change: Change) => Promise<Uint8Array>;
}

/** The other way round. */
export const reversed = (changes: readonly Change[]): readonly Change[] =>
  changes
    .map((change): Change => {
      const { status, path, from, before, after } = change;
      const turned = { A: 'D', D: 'A', M: 'M', R: 'R', T: 'T', U: 'U' } as const;
      return {
        ...change,
        status: turned[status],
        before: after,
        after: before,
        ...(from !== undefined && { path: from, from: path }),
      };
    })
    .toSorted(byPath);

export type DiffForm =
  | 'patch'
  | 'stat'
  | 'shortstat'
  | 'numstat'
  | 'summary'
  | 'raw'
  | 'name-only'
  | 'name-status'
  | 'none';

export const FORMS: Readonly<Record<string, readonly DiffForm[]>> = {
  '--stat': ['stat'],
  '--shortstat': ['shortstat'],
  '--numstat': ['numstat'],
  '--summary': ['summary'],
  '--raw': ['raw'],
  '--name-only': ['name-only'],
  '--name-status': ['name-status'],
  '-s': ['none'],
  '--no-patch': ['none'],
  '-p': ['patch'],
  '-u': ['patch'],
  '--patch': ['patch'],
  '--patch-with-stat': ['patch', 'stat'],
  '--patch-with-raw': ['patch', 'raw'],
};

export interface ShowOptions {
  readonly forms: readonly DiffForm[];
  /** Lines around a change. */
  readonly context: number;
  /** In front of the paths: `a/` and `b/`. */
  readonly prefixes: readonly [from: string, to: string];
  readonly fold: Fold | undefined;
  /** Everything is text. */
  readonly isText: boolean;
  /** Digits of an object's name. */
  readonly digits: number;
  /** NUL instead of newlines, and nothing quoted. */
  readonly isNul: boolean;
  /** Columns of `--stat`. */
  readonly width: number | undefined;
  /** As the path is shown. */
  readonly shown: (path: string) => string;
  /** The folder's own objects have no name in raw lines. */
  readonly isFolder: boolean;
}

export const USUAL: ShowOptions = {
  forms: ['patch'],
  context: 3,
  prefixes: ['a/', 'b/'],
  fold: undefined,
  isText: false,
  digits: 7,
  isNul: false,
  width: undefined,
  shown: (path) => path,
  isFolder: false,
};

const octal = (mode: number): string => mode.toString(8).padStart(6, '0');
const NOTHING = '0'.repeat(40);

const headOf = (change: Change, { prefixes: [a, b], digits, shown }: ShowOptions): string => {
  const { status, path, before, after, similarity = 100 } = change;
  const [from, to] = [shown(change.from ?? path), shown(path)];
  const lines = [`diff --git ${quotePath(`${a}${from}`)} ${quotePath(`${b}${to}`)}`];
  if (status === 'A' && after) lines.push(`new file mode ${octal(after.mode)}`);
  if (status === 'D' && before) lines.push(`deleted file mode ${octal(before.mode)}`);
  const isModeChange = before && after && before.mode !== after.mode;
  if (isModeChange) lines.push(`old mode ${octal(before.mode)}`, `new mode ${octal(after.mode)}`);
  if (status === 'R')
    lines.push(`similarity index ${similarity}%`, `rename from ${quotePath(from)}`, `rename to ${quotePath(to)}`);
  const [old, now] = [before?.oid ?? NOTHING, after?.oid ?? NOTHING];
  if (old !== now)
    lines.push(
      `index ${old.slice(0, digits)}..${now.slice(0, digits)}${before && after && !isModeChange ? ` ${octal(after.mode)}` : ''}`,
    );
  return `${lines.join('\n')}\n`;
};

/** A path with a blank needs a mark after it, or the end of it could not be seen. */
const fileLine = (sign: string, path: string): string => {
  const quoted = quotePath(path);
  return `${sign} ${quoted}${quoted === path && path.includes(' ') ? '\t' : ''}\n`;
};

const patchOf = async (change: Change, contents: Contents, options: ShowOptions): Promise<string> => {
  const { status, path } = change;
  if (status === 'U') return `* Unmerged path ${quotePath(options.shown(path))}\n`;
  if (status === 'T') {
    const parts = [
      { ...change, status: 'D', after: undefined } as const,
      { ...change, status: 'A', before: undefined } as const,
    ];
    return (await Promise.all(parts.map((part) => patchOf(part, contents, options)))).join('');
  }
  const head = headOf(change, options);
  if (change.before?.oid === change.after?.oid) return head;
  const [before, after] = [
    change.before ? await contents.before(change) : new Uint8Array(),
    change.after ? await contents.after(change) : new Uint8Array(),
  ];
  const [a, b] = options.prefixes;
  const from = status === 'A' ? '/dev/null' : `${a}${options.shown(change.from ?? path)}`;
  const to = status === 'D' ? '/dev/null' : `${b}${options.shown(path)}`;
  if (!options.isText && (isBinary(before) || isBinary(after)))
    return `${head}Binary files ${quotePath(from)} and ${quotePath(to)} differ\n`;
  const hunks = unifiedHunks(byteText(before), byteText(after), options.context, options.fold);
  if (hunks !== '') return `${head}${fileLine('---', from)}${fileLine('+++', to)}${hunks}`;
  const isModified = status === 'M' && change.before?.mode === change.after?.mode;
  return options.fold && isModified ? '' : head;
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

/** Nothing for a file whose only differences do not count. */
const countsOf = async (change: Change, contents: Contents, options: ShowOptions): Promise<readonly FileCounts[]> => {
  const { shown, fold, isText } = options;
  if (change.status === 'U') return [];
  const path = change.from === undefined ? shown(change.path) : movedName(shown(change.from), shown(change.path));
  if (change.before?.oid === change.after?.oid) return [{ path, added: 0, removed: 0 }];
  const [before, after] = [
    change.before ? await contents.before(change) : new Uint8Array(),
    change.after ? await contents.after(change) : new Uint8Array(),
  ];
  if (!isText && (isBinary(before) || isBinary(after)))
    return [{ path, added: 0, removed: 0, binary: [before.length, after.length] }];
  const counts = countLines(byteText(before), byteText(after), fold);
  const isModified = change.status === 'M' && change.before?.mode === change.after?.mode;
  return fold && isModified && counts.added + counts.removed === 0 ? [] : [{ path, ...counts }];
};

/** What became of whole files: ` create mode 100644 a.txt`. */
export const summaryOf = ({ status, path, from, similarity = 100, before, after }: Change): string => {
  if (status === 'A') return ` create mode ${octal(after?.mode ?? 0)} ${quotePath(path)}\n`;
  if (status === 'D') return ` delete mode ${octal(before?.mode ?? 0)} ${quotePath(path)}\n`;
  const isModeChange = before && after && before.mode !== after.mode;
  const modes = isModeChange ? ` mode change ${octal(before.mode)} => ${octal(after.mode)}` : '';
  if (status === 'R')
    return ` rename ${movedName(from ?? '', path)} (${similarity}%)\n${modes === '' ? '' : `${modes}\n`}`;
  return modes === '' ? '' : `${modes} ${quotePath(path)}\n`;
};

const letterOf = ({ status, similarity = 100 }: Change): string =>
  status === 'R' ? `R${String(similarity).padStart(3, '0')}` : status;

/** In the order in which git writes them, whatever the order of the options. */
export const showChanges = async (
  changes: readonly Change[],
  contents: Contents,
  given: Partial<ShowOptions> = {},
): Promise<string> => {
  const options: ShowOptions = { ...USUAL, ...given };
  const { forms, isNul, shown, digits } = options;
  const has = (form: DiffForm): boolean => forms.includes(form);
  if (has('none')) return '';
  const end = isNul ? '\0' : '\n';
  const name = (path: string): string =>
    isNul ? byteText(new TextEncoder().encode(shown(path))) : quotePath(shown(path));
  const names = ({ path, from }: Change): string =>
    from === undefined ? name(path) : `${name(from)}${isNul ? '\0' : '\t'}${name(path)}`;
  const tab = isNul ? '\0' : '\t';
  const parts: string[] = [];
  if (has('raw'))
    for (const change of changes) {
      const { before, after } = change;
      const now = options.isFolder && before ? NOTHING : (after?.oid ?? NOTHING);
      parts.push(
        `:${octal(before?.mode ?? 0)} ${octal(after?.mode ?? 0)} ${(before?.oid ?? NOTHING).slice(0, digits)} ${now.slice(0, digits)} ${letterOf(change)}${tab}${names(change)}${end}`,
      );
    }
  if (has('name-only')) for (const { path } of changes) parts.push(`${name(path)}${end}`);
  if (has('name-status')) for (const change of changes) parts.push(`${letterOf(change)}${tab}${names(change)}${end}`);
  if (has('stat') || has('shortstat') || has('numstat')) {
    const counts: FileCounts[] = [];
    for (const change of changes) counts.push(...(await countsOf(change, contents, options)));
    if (has('numstat'))
      for (const { path, added, removed, binary } of counts)
        parts.push(
          `${binary ? '-\t-' : `${added}\t${removed}`}\t${isNul ? byteText(new TextEncoder().encode(path)) : quotePath(path)}${end}`,
        );
    if (has('stat')) parts.push(statText(counts, options.width));
    if (has('shortstat') && counts.length > 0) parts.push(shortStat(counts));
  }
  if (has('summary')) parts.push(...changes.map(summaryOf));
  if (has('patch')) {
    const before = parts.join('');
    const patches: string[] = [];
    for (const change of changes) patches.push(await patchOf(change, contents, options));
    if (before !== '' && patches.length > 0) parts.push('\n');
    parts.push(...patches);
  }
  return parts.join('');
};

/** A file that was made of several: a merge, or a conflict in the folder (whose content has no name yet). */
export interface Combined {
  readonly path: string;
  readonly parents: readonly Leaf[];
  readonly after: Leaf | undefined;
}

export const combinedPatch = async (
  { path, parents, after }: Combined,
  blob: (leaf: Leaf) => Promise<Uint8Array>,
  now: Uint8Array,
  isDense: boolean,
  context: number,
): Promise<string> => {
  const texts = await Promise.all(parents.map(blob));
  const named = quotePath(path);
  const mode = after?.mode ?? parents[0]?.mode ?? 0;
  const isModeChange = parents.some((one) => one.mode !== mode);
  const head = `diff --${isDense ? 'cc' : 'combined'} ${named}\nindex ${parents.map(({ oid }) => shortOid(oid)).join(',')}..${shortOid(after?.oid ?? NOTHING)}\n${isModeChange ? `mode ${parents.map((one) => octal(one.mode)).join(',')}..${octal(mode)}\n` : ''}`;
  if ([...texts, now].some(isBinary)) return `${head}Binary files differ\n`;
  const hunks = combinedHunks(texts.map(byteText), byteText(now), isDense, context);
  // What is in the folder is told of in any case.
  if (hunks === '' && !isModeChange && after) return '';
  return `${head}${fileLine('---', `a/${path}`)}${fileLine('+++', `b/${path}`)}${hunks}`;
};
