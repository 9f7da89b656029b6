/** `git status`, `diff`, `log`, `show`, and small questions about a repository. Text is a byte per character. */
import {
  isSeparated,
  prettyCommit,
  quotePath,
  shortOid,
  type CommitInfo,
  type PrettyOptions,
} from '../../../model/sandbox/git-text.ts';
import { byteText } from '../../../model/sandbox/unified-diff.ts';
import { fromTop, pathFilter, readArguments, splitWords, type GitArguments } from './arguments.ts';
import { compareLeaves, FORMS, showChanges, type Change, type Contents, type DiffForm } from './changes.ts';
import { GitFailure, type Leaf, type Leaves, type Repository } from './repository.ts';

export interface GitContext {
  readonly repository: Repository;
  readonly cwd: string;
  /** Seconds since 1970. */
  readonly now: number;
}

export interface GitOutput {
  readonly stdout: string;
  readonly exitCode?: number;
}

const encoder = new TextEncoder();
export const asBytes = (text: string): string => byteText(encoder.encode(text));

const stagedLeaves = async (repository: Repository): Promise<Map<string, Leaf>> =>
  new Map(
    (await repository.index()).filter(({ stage }) => stage === 0).map(({ path, oid, mode }) => [path, { oid, mode }]),
  );

const NOTHING = new Uint8Array();

const fromObjects = (repository: Repository): Contents => ({
  before: async ({ before }) => (before ? repository.blob(before.oid) : NOTHING),
  after: async ({ after }) => (after ? repository.blob(after.oid) : NOTHING),
});

const intoFolder = (repository: Repository): Contents => ({
  ...fromObjects(repository),
  after: async ({ after, path }) => (after ? ((await repository.workBlob(path)) ?? NOTHING) : NOTHING),
});

const formOf = ({ flags }: GitArguments, usual: DiffForm): DiffForm => {
  const chosen = [...flags].flatMap((flag) => FORMS[flag] ?? []);
  return chosen.at(-1) ?? usual;
};

const DIFF_FLAGS = [...Object.keys(FORMS), '--cached', '--staged', '--quiet', '--exit-code', '--merge-base'] as const;

export const diff = async ({ repository, cwd }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('diff', args, {
    flags: DIFF_FLAGS,
    values: ['-U', '--unified', '--diff-filter'],
    same: { '--staged': '--cached', '--unified': '-U' },
  });
  const isRange = (word: string): boolean => /^(.*?)\.\.\.?(.*)$/.test(word) && !word.startsWith('..');
  const { revisions, paths } = await splitWords(
    repository,
    cwd,
    given,
    async (word) => isRange(word) || repository.isRevision(word),
  );
  const isWanted = pathFilter(repository, cwd, paths);
  const leavesAt = async (revision: string): Promise<Leaves> => {
    const oid = await repository.resolve(revision);
    await repository.commit(oid);
    return repository.leaves(oid);
  };
  const ends = revisions.flatMap((word) => {
    const range = isRange(word) ? /^(.*?)\.\.\.?(.*)$/.exec(word) : undefined;
    return range ? [range[1] || 'HEAD', range[2] || 'HEAD'] : [word];
  });
  let changes: readonly Change[];
  let contents = fromObjects(repository);
  if (given.flags.has('--cached')) {
    const head = ends[0] === undefined ? await repository.head() : await repository.resolve(ends[0]);
    if (head !== undefined) await repository.commit(head);
    changes = compareLeaves(await repository.leaves(head), await stagedLeaves(repository), isWanted);
  } else if (ends.length >= 2) {
    changes = compareLeaves(await leavesAt(ends[0] ?? ''), await leavesAt(ends[1] ?? ''), isWanted);
  } else {
    contents = intoFolder(repository);
    const staged = await stagedLeaves(repository);
    const { changed } = await repository.workFiles({ all: false, untracked: false });
    const now = new Map(staged);
    for (const [path, leaf] of changed) {
      if (leaf) now.set(path, leaf);
      else now.delete(path);
    }
    const before = ends[0] === undefined ? staged : await leavesAt(ends[0]);
    changes = compareLeaves(before, now, isWanted);
  }
  const filter = given.values.get('--diff-filter');
  if (filter !== undefined) changes = changes.filter(({ status }) => filter.includes(status));
  const isQuiet = given.flags.has('--quiet');
  const context = Number(given.values.get('-U') ?? 3);
  const stdout = isQuiet ? '' : await showChanges(changes, contents, formOf(given, 'patch'), context);
  return { stdout, exitCode: (isQuiet || given.flags.has('--exit-code')) && changes.length > 0 ? 1 : 0 };
};

const LOG_VALUES = [
  '-n',
  '--max-count',
  '--skip',
  '--format',
  '--pretty',
  '--date',
  '--author',
  '--grep',
  '-U',
  '--since',
  '--until',
] as const;
const LOG_KNOWN = {
  flags: [
    ...Object.keys(FORMS),
    '--oneline',
    '--reverse',
    '--no-merges',
    '--merges',
    '--first-parent',
    '--abbrev-commit',
    '--all',
    '--follow',
  ],
  values: LOG_VALUES,
  same: { '--max-count': '-n', '--pretty': '--format' },
  digits: true,
} as const;

const prettyOf = ({ flags, values }: GitArguments, now: number): PrettyOptions => {
  const format = values.get('--format');
  const isOneLine = flags.has('--oneline');
  return {
    format:
      format !== undefined && format !== ''
        ? /%/.test(format) && !/^t?format:/.test(format)
          ? `tformat:${format}`
          : format
        : isOneLine
          ? 'oneline'
          : 'medium',
    abbreviate: isOneLine || flags.has('--abbrev-commit'),
    date: values.get('--date') ?? 'default',
    now,
  };
};

const parentChanges = async (
  repository: Repository,
  commit: CommitInfo,
  isWanted: (path: string) => boolean,
): Promise<readonly Change[]> => {
  const [parent] = commit.parents;
  if (parent !== undefined) await repository.commit(parent);
  return compareLeaves(await repository.leaves(parent), await repository.leaves(commit.oid), isWanted);
};

/** From newest to oldest by the time of the commit, never a parent before its child. */
async function* history(
  repository: Repository,
  starts: readonly string[],
  excluded: ReadonlySet<string>,
  firstParent: boolean,
): AsyncGenerator<CommitInfo> {
  const seen = new Set<string>(excluded);
  const waiting: CommitInfo[] = [];
  const enter = async (oid: string): Promise<void> => {
    if (seen.has(oid)) return;
    seen.add(oid);
    const commit = await repository.commit(oid);
    let at = waiting.findIndex(({ committer }) => committer.timestamp < commit.committer.timestamp);
    if (at === -1) at = waiting.length;
    waiting.splice(at, 0, commit);
  };
  for (const start of starts) await enter(start);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    yield next;
    for (const parent of firstParent ? next.parents.slice(0, 1) : next.parents) await enter(parent);
  }
}

const ancestors = async (repository: Repository, start: string): Promise<Set<string>> => {
  const all = new Set<string>();
  for await (const { oid } of history(repository, [start], new Set(), false)) all.add(oid);
  return all;
};

const time = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? undefined : parsed / 1000;
};

const patternOf = (text: string | undefined): RegExp | undefined => {
  if (text === undefined) return undefined;
  try {
    return new RegExp(text);
  } catch {
    throw new GitFailure(`fatal: command line, '${text}': not a pattern`);
  }
};

const showCommit = async (
  repository: Repository,
  commit: CommitInfo,
  given: GitArguments,
  usual: DiffForm,
  pretty: PrettyOptions,
  isWanted: (path: string) => boolean,
): Promise<string> => {
  const text = asBytes(prettyCommit(commit, pretty));
  const form = formOf(given, usual);
  const context = Number(given.values.get('-U') ?? 3);
  // What a merge changed is not shown here.
  const changes = form === 'none' || commit.parents.length > 1 ? [] : await parentChanges(repository, commit, isWanted);
  const shown = await showChanges(changes, fromObjects(repository), form, context);
  if (shown === '') return `${text}\n`;
  const isTight = pretty.format === 'oneline';
  return text === '' ? shown : `${text}\n${isTight ? '' : '\n'}${shown}`;
};

export const log = async ({ repository, cwd, now }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('log', args, LOG_KNOWN);
  const isRevision = async (word: string): Promise<boolean> =>
    word.startsWith('^') || /\.\./.test(word) || repository.isRevision(word);
  const { revisions, paths } = await splitWords(repository, cwd, given, isRevision);
  const starts: string[] = [];
  const excluded = new Set<string>();
  for (const word of revisions) {
    const [from, to] = /\.\./.test(word)
      ? word.split(/\.\.\.?/)
      : [word.startsWith('^') ? word.slice(1) : undefined, word.startsWith('^') ? undefined : word];
    if (from !== undefined)
      for (const oid of await ancestors(repository, await repository.resolve(from || 'HEAD'))) excluded.add(oid);
    if (to !== undefined) starts.push(await repository.resolve(to || 'HEAD'));
  }
  if (given.flags.has('--all'))
    for (const branch of await repository.branches()) starts.push(await repository.resolve(branch));
  if (starts.length === 0) {
    const head = await repository.head();
    if (head === undefined)
      throw new GitFailure(
        `fatal: your current branch '${(await repository.branch()) ?? 'HEAD'}' does not have any commits yet`,
      );
    starts.push(head);
  }
  const isWanted = pathFilter(repository, cwd, paths);
  const pretty = prettyOf(given, now);
  const most = Number(given.values.get('-n') ?? Infinity);
  let skip = Number(given.values.get('--skip') ?? 0);
  const author = patternOf(given.values.get('--author'));
  const grep = patternOf(given.values.get('--grep'));
  const [since, until] = [time(given.values.get('--since')), time(given.values.get('--until'))];
  const chosen: CommitInfo[] = [];
  for await (const commit of history(repository, starts, excluded, given.flags.has('--first-parent'))) {
    if (chosen.length >= most) break;
    const { parents, committer } = commit;
    if (given.flags.has('--no-merges') && parents.length > 1) continue;
    if (given.flags.has('--merges') && parents.length < 2) continue;
    if (author && !author.test(`${commit.author.name} <${commit.author.email}>`)) continue;
    if (grep && !grep.test(commit.message)) continue;
    if ((since !== undefined && committer.timestamp < since) || (until !== undefined && committer.timestamp > until))
      continue;
    if (paths.length > 0 && (parents.length > 1 || (await parentChanges(repository, commit, isWanted)).length === 0))
      continue;
    if (skip-- > 0) continue;
    chosen.push(commit);
  }
  if (given.flags.has('--reverse')) chosen.reverse();
  const parts: string[] = [];
  for (const commit of chosen) parts.push(await showCommit(repository, commit, given, 'none', pretty, isWanted));
  // With `format:` a newline stands between two commits, and none behind the last.
  const isOpen = pretty.format.startsWith('format:') && formOf(given, 'none') === 'none';
  return { stdout: isOpen ? parts.join('').replace(/\n$/, '') : parts.join(isSeparated(pretty) ? '\n' : '') };
};

const showTree = async (repository: Repository, name: string, oid: string, path: string): Promise<string> => {
  const names = new Set<string>();
  const prefix = path === '' ? '' : `${path}/`;
  for (const leaf of (await repository.leaves(oid)).keys()) {
    if (!leaf.startsWith(prefix)) continue;
    const [first = '', ...rest] = leaf.slice(prefix.length).split('/');
    names.add(rest.length > 0 ? `${first}/` : first);
  }
  return asBytes(`tree ${name}\n\n${[...names].join('\n')}\n`);
};

export const show = async ({ repository, cwd, now }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('show', args, LOG_KNOWN);
  const { revisions, paths } = await splitWords(
    repository,
    cwd,
    given,
    async (word) => word.includes(':') || repository.isRevision(word),
  );
  const pretty = prettyOf(given, now);
  const isWanted = pathFilter(repository, cwd, paths);
  const parts: string[] = [];
  if (revisions.length === 0 && (await repository.head()) === undefined)
    throw new GitFailure(
      `fatal: your current branch '${(await repository.branch()) ?? 'HEAD'}' does not have any commits yet`,
    );
  for (const word of revisions.length === 0 ? ['HEAD'] : revisions) {
    const [, revision, path] = /^([^:]*):(.*)$/s.exec(word) ?? [undefined, word, undefined];
    if (path === undefined) {
      const commit = await repository.commit(await repository.resolve(revision ?? word));
      parts.push(await showCommit(repository, commit, given, 'patch', pretty, isWanted));
      continue;
    }
    const oid = await repository.resolve(revision || 'HEAD');
    await repository.commit(oid);
    const top = path.startsWith('./') ? fromTop(repository, cwd, path) : path.replace(/\/$/, '');
    const leaves = revision === '' ? await stagedLeaves(repository) : await repository.leaves(oid);
    const leaf = leaves.get(top);
    if (leaf) parts.push(byteText(await repository.blob(leaf.oid)));
    else if (top === '' || [...leaves.keys()].some((one) => one.startsWith(`${top}/`)))
      parts.push(await showTree(repository, word, oid, top));
    else {
      const exists = (await repository.exists(top)) !== undefined;
      throw new GitFailure(
        `fatal: path '${path}' ${exists ? 'exists on disk, but not' : 'does not exist'} in '${revision === '' ? 'HEAD' : revision}'`,
      );
    }
  }
  return { stdout: parts.join('\n') };
};

export const revParse = async ({ repository, cwd }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('rev-parse', args, {
    flags: [
      '--show-toplevel',
      '--abbrev-ref',
      '--is-inside-work-tree',
      '--git-dir',
      '--show-prefix',
      '--verify',
      '-q',
      '--quiet',
    ],
    optional: ['--short'],
  });
  const lines: string[] = [];
  if (given.flags.has('--show-toplevel')) lines.push(repository.dir);
  if (given.flags.has('--is-inside-work-tree')) lines.push('true');
  if (given.flags.has('--git-dir')) lines.push(cwd === repository.dir ? '.git' : repository.gitdir);
  if (given.flags.has('--show-prefix')) lines.push(cwd === repository.dir ? '' : `${fromTop(repository, cwd, '.')}/`);
  for (const word of given.words) {
    if (given.flags.has('--abbrev-ref') && word === 'HEAD') lines.push((await repository.branch()) ?? 'HEAD');
    else {
      const oid = await repository.resolve(word);
      lines.push(given.flags.has('--abbrev-ref') ? word : given.values.has('--short') ? shortOid(oid) : oid);
    }
  }
  return { stdout: lines.map((line) => `${line}\n`).join('') };
};

export const branch = async ({ repository }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('branch', args, { flags: ['--show-current', '--list', '-a', '-l'] });
  const current = await repository.branch();
  if (given.flags.has('--show-current')) return { stdout: current === undefined ? '' : asBytes(`${current}\n`) };
  if (given.words.length > 0) throw new GitFailure('fatal: git branch only lists branches in the sandbox', 128);
  const names = (await repository.branches()).toSorted();
  const head = current === undefined ? [`* (HEAD detached at ${shortOid((await repository.head()) ?? '')})\n`] : [];
  return { stdout: asBytes([...head, ...names.map((name) => `${name === current ? '*' : ' '} ${name}\n`)].join('')) };
};

export const listFiles = async ({ repository, cwd }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('ls-files', args, {
    flags: ['-o', '--others', '--exclude-standard', '-c', '--cached'],
    same: { '--others': '-o', '--cached': '-c' },
  });
  const isWanted = pathFilter(repository, cwd, [...given.words, ...(given.paths ?? [])]);
  const prefix = fromTop(repository, cwd, '.');
  const files = given.flags.has('-o')
    ? (await repository.workFiles({ all: true, untracked: true })).untracked
    : (await repository.index()).map(({ path }) => path);
  const inside = files.filter((path) => isWanted(path) && (prefix === '' || path.startsWith(`${prefix}/`)));
  return {
    stdout: inside.map((path) => `${quotePath(prefix === '' ? path : path.slice(prefix.length + 1))}\n`).join(''),
  };
};

export { ancestors, stagedLeaves };
