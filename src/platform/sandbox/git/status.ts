/** `git status`, for people and for programs. */
import { quoteInLine, quotePath } from '../../../model/sandbox/git-text.ts';
import { fromTop, pathFilter, readArguments } from './arguments.ts';
import { compareLeaves, showChanges, type Change } from './changes.ts';
import { asBytes, fromObjects, stagedLeaves, type GitContext, type GitOutput } from './context.ts';
import { findRenames } from './renames.ts';
import type { Conflict, Leaf, Repository } from './repository.ts';
import { distance, upstreamLines, upstreamOf } from './upstream.ts';

interface Seen {
  readonly staged: readonly Change[];
  readonly unstaged: readonly Unstaged[];
  readonly conflicts: ReadonlyMap<string, Conflict>;
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly hasCommits: boolean;
  readonly isMerging: boolean;
}

interface Unstaged {
  readonly path: string;
  readonly status: 'A' | 'M' | 'D';
  readonly leaf: Leaf | undefined;
}

const look = async (
  repository: Repository,
  isWanted: (path: string) => boolean,
  untracked: 'no' | 'normal' | 'all',
  wantsIgnored: boolean,
): Promise<Seen> => {
  const head = await repository.head();
  if (head !== undefined) await repository.commit(head);
  const open = await repository.conflicts();
  const isDecided = (path: string): boolean => isWanted(path) && !open.has(path);
  const changes = compareLeaves(await repository.leaves(head), await stagedLeaves(repository), isDecided);
  const staged = await findRenames(changes, fromObjects(repository));
  const all = untracked === 'all';
  const work = await repository.workFiles({ all, untracked: untracked !== 'no' });
  const intended = new Set((await repository.index()).filter((entry) => entry.isIntended).map(({ path }) => path));
  const unstaged = [...work.changed]
    .filter(([path]) => isWanted(path))
    .map(([path, leaf]): Unstaged => ({ path, leaf, status: !leaf ? 'D' : intended.has(path) ? 'A' : 'M' }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const ignored = wantsIgnored ? await repository.workFiles({ all, untracked: true, ignored: true }) : undefined;
  const isListed = (path: string): boolean => isWanted(path.replace(/\/$/, ''));
  return {
    staged,
    unstaged,
    conflicts: new Map([...open].filter(([path]) => isWanted(path))),
    untracked: work.untracked.filter(isListed),
    ignored: (ignored?.untracked ?? []).filter(isListed),
    hasCommits: head !== undefined,
    isMerging: (await repository.note('MERGE_HEAD')) !== undefined,
  };
};

/** What both sides did: ours, theirs. */
const conflictOf = ([base, ours, theirs]: Conflict): readonly [letters: string, words: string] => {
  if (!base) return ours && theirs ? ['AA', 'both added:'] : ours ? ['AU', 'added by us:'] : ['UA', 'added by them:'];
  if (ours && theirs) return ['UU', 'both modified:'];
  if (ours) return ['UD', 'deleted by them:'];
  return theirs ? ['DU', 'deleted by us:'] : ['DD', 'both deleted:'];
};

const CONFLICT_WIDTH = 17;

const conflictLines = (conflicts: ReadonlyMap<string, Conflict>, show: (path: string) => string): readonly string[] => {
  if (conflicts.size === 0) return [];
  const kinds = [...conflicts.values()].map((stages) => conflictOf(stages)[0]);
  const isDeleted = kinds.some((kind) => kind.includes('D'));
  const isOnlyGone = kinds.every((kind) => kind === 'DD');
  return [
    'Unmerged paths:',
    `  (use "git ${isOnlyGone ? 'rm' : isDeleted ? 'add/rm' : 'add'} <file>..." ${isDeleted && !isOnlyGone ? 'as appropriate ' : ''}to mark resolution)`,
    ...[...conflicts].map(([path, stages]) => `\t${conflictOf(stages)[1].padEnd(CONFLICT_WIDTH)}${show(path)}`),
    '',
  ];
};

/** A path as seen from a folder. */
const relativeTo = (prefix: string, path: string): string => {
  if (prefix === '') return path;
  const from = prefix.split('/');
  const to = path.split('/');
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/') || './';
};

const LABELS = {
  A: 'new file:   ',
  M: 'modified:   ',
  D: 'deleted:    ',
  R: 'renamed:    ',
  T: 'typechange: ',
  U: 'unmerged:   ',
} as const;

const mergeLines = ({ isMerging, conflicts }: Seen): readonly string[] => {
  if (conflicts.size > 0)
    return [
      'You have unmerged paths.',
      '  (fix conflicts and run "git commit")',
      ...(isMerging ? ['  (use "git merge --abort" to abort the merge)'] : []),
      '',
    ];
  if (!isMerging) return [];
  return ['All conflicts fixed but you are still merging.', '  (use "git commit" to conclude merge)', ''];
};

const longText = async (repository: Repository, seen: Seen, prefix: string, untracked: string): Promise<string> => {
  const { staged, unstaged, hasCommits } = seen;
  const branch = await repository.branch();
  const show = (path: string): string => quotePath(relativeTo(prefix, path));
  const head =
    branch === undefined ? `HEAD detached at ${((await repository.head()) ?? '').slice(0, 7)}` : `On branch ${branch}`;
  const lines = [head, ...(await upstreamLines(repository, branch)), ...mergeLines(seen)];
  if (!hasCommits) lines.push('', 'No commits yet', '');
  if (staged.length > 0)
    lines.push(
      'Changes to be committed:',
      ...(seen.isMerging
        ? []
        : hasCommits
          ? ['  (use "git restore --staged <file>..." to unstage)']
          : ['  (use "git rm --cached <file>..." to unstage)']),
      ...staged.map(
        ({ status, path, from }) => `\t${LABELS[status]}${from === undefined ? '' : `${show(from)} -> `}${show(path)}`,
      ),
      '',
    );
  lines.push(...conflictLines(seen.conflicts, show));
  if (unstaged.length > 0)
    lines.push(
      'Changes not staged for commit:',
      `  (use "git add${unstaged.some(({ status }) => status === 'D') ? '/rm' : ''} <file>..." to update what will be committed)`,
      '  (use "git restore <file>..." to discard changes in working directory)',
      ...unstaged.map(({ status, path }) => `\t${LABELS[status]}${show(path)}`),
      '',
    );
  if (seen.untracked.length > 0)
    lines.push(
      'Untracked files:',
      '  (use "git add <file>..." to include in what will be committed)',
      ...seen.untracked.map((path) => `\t${show(path)}`),
      '',
    );
  if (seen.ignored.length > 0)
    lines.push(
      'Ignored files:',
      '  (use "git add -f <file>..." to include in what will be committed)',
      ...seen.ignored.map((path) => `\t${show(path)}`),
      '',
    );
  if (staged.length === 0) {
    if (unstaged.length > 0 || seen.conflicts.size > 0)
      lines.push('no changes added to commit (use "git add" and/or "git commit -a")');
    else if (seen.untracked.length > 0)
      lines.push('nothing added to commit but untracked files present (use "git add" to track)');
    else if (!hasCommits) lines.push('nothing to commit (create/copy files and use "git add" to track)');
    else
      lines.push(
        untracked === 'no'
          ? 'nothing to commit (use -u to show untracked files)'
          : 'nothing to commit, working tree clean',
      );
  } else if (untracked === 'no') lines.push('Untracked files not listed (use -u option to show untracked files)');
  return `${lines.join('\n')}\n`;
};

const shortText = (seen: Seen, show: (path: string) => string, isNul: boolean): string => {
  const rows = new Map<string, { x: string; y: string; from?: string }>();
  for (const { status, path, from } of seen.staged)
    rows.set(path, { x: status, y: ' ', ...(from !== undefined && { from }) });
  for (const { status, path } of seen.unstaged) rows.set(path, { ...(rows.get(path) ?? { x: ' ' }), y: status });
  for (const [path, stages] of seen.conflicts) {
    const [letters] = conflictOf(stages);
    rows.set(path, { x: letters.slice(0, 1), y: letters.slice(1) });
  }
  const end = isNul ? '\0' : '\n';
  const names = (path: string, from: string | undefined): string => {
    if (from === undefined) return show(path);
    return isNul ? `${show(path)}\0${show(from)}` : `${show(from)} -> ${show(path)}`;
  };
  const tracked = [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { x, y, from }]) => `${x}${y} ${names(path, from)}${end}`);
  const others = seen.untracked.map((path) => `?? ${show(path)}${end}`);
  return [...tracked, ...others, ...seen.ignored.map((path) => `!! ${show(path)}${end}`)].join('');
};

const octal = (mode: number | undefined): string => (mode ?? 0).toString(8).padStart(6, '0');
const NOTHING = '0'.repeat(40);

/** `--porcelain=v2`: everything that is known of a file, in columns. */
const secondText = async (
  repository: Repository,
  seen: Seen,
  show: (path: string) => string,
  isNul: boolean,
): Promise<string> => {
  const end = isNul ? '\0' : '\n';
  const head = await repository.head();
  const [committed, staged] = [await repository.leaves(head), await stagedLeaves(repository)];
  const rows = new Map<string, { x: string; y: string; change?: Change; leaf: Leaf | undefined }>();
  for (const change of seen.staged)
    rows.set(change.path, { x: change.status, y: '.', change, leaf: staged.get(change.path) });
  for (const { path, status: y, leaf } of seen.unstaged) rows.set(path, { ...(rows.get(path) ?? { x: '.' }), y, leaf });
  const lines = [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { x, y, change, leaf }]) => {
      const [before, now] = [committed.get(change?.from ?? path), staged.get(path)];
      const columns = `${x}${y} N... ${octal(before?.mode)} ${octal(now?.mode)} ${octal(leaf?.mode)} ${before?.oid ?? NOTHING} ${now?.oid ?? NOTHING}`;
      return change?.from === undefined
        ? `1 ${columns} ${show(path)}${end}`
        : `2 ${columns} R${change.similarity ?? 100} ${show(path)}${isNul ? '\0' : '\t'}${show(change.from)}${end}`;
    });
  for (const [path, stages] of seen.conflicts) {
    const mode = (await repository.workBlob(path)) ? (stages[1] ?? stages[2])?.mode : 0;
    const [modes, oids] = [stages.map((one) => octal(one?.mode)), stages.map((one) => one?.oid ?? NOTHING)];
    lines.push(
      `u ${conflictOf(stages)[0]} N... ${modes.join(' ')} ${octal(mode)} ${oids.join(' ')} ${show(path)}${end}`,
    );
  }
  const others = seen.untracked.map((path) => `? ${show(path)}${end}`);
  return [...lines, ...others, ...seen.ignored.map((path) => `! ${show(path)}${end}`)].join('');
};

const secondHead = async (repository: Repository, end: string): Promise<string> => {
  const [head, branch] = [await repository.head(), await repository.branch()];
  const lines = [`# branch.oid ${head ?? '(initial)'}`, `# branch.head ${branch ?? '(detached)'}`];
  const upstream = branch === undefined ? undefined : await upstreamOf(repository, branch);
  if (upstream) {
    lines.push(`# branch.upstream ${upstream.name}`);
    if (upstream.oid !== undefined && head !== undefined) {
      const { ahead, behind } = await distance(repository, head, upstream.oid);
      lines.push(`# branch.ab +${ahead} -${behind}`);
    }
  }
  return lines.map((line) => `${line}${end}`).join('');
};

const branchLine = async (repository: Repository, seen: Seen): Promise<string> => {
  const branch = await repository.branch();
  if (branch === undefined) return '## HEAD (no branch)\n';
  if (!seen.hasCommits) return `## No commits yet on ${branch}\n`;
  const upstream = await upstreamOf(repository, branch);
  const head = await repository.head();
  if (!upstream || head === undefined) return `## ${branch}\n`;
  if (upstream.oid === undefined) return `## ${branch}...${upstream.name} [gone]\n`;
  const { ahead, behind } = await distance(repository, head, upstream.oid);
  const parts = [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])];
  return `## ${branch}...${upstream.name}${parts.length > 0 ? ` [${parts.join(', ')}]` : ''}\n`;
};

export const status = async ({ repository, cwd }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('status', args, {
    flags: ['-s', '-b', '--long', '-z', '-v', '--no-renames', '--show-stash', '--ahead-behind'],
    optional: ['--porcelain', '-u', '--ignored'],
    same: { '--short': '-s', '--branch': '-b', '--untracked-files': '-u', '--verbose': '-v' },
  });
  const { flags, values } = given;
  const isWanted = pathFilter(repository, cwd, [...given.words, ...(given.paths ?? [])]);
  const asked = values.get('-u');
  const untracked = asked === 'no' ? 'no' : asked === 'all' || asked === '' ? 'all' : 'normal';
  const seen = await look(repository, isWanted, untracked, values.has('--ignored') && values.get('--ignored') !== 'no');
  const prefix = fromTop(repository, cwd, '.');
  const porcelain = values.get('--porcelain');
  const isNul = flags.has('-z');
  if (porcelain !== undefined || flags.has('-s') || (isNul && !flags.has('--long'))) {
    const end = isNul ? '\0' : '\n';
    const isWhole = porcelain !== undefined || isNul;
    const place = (path: string): string => (isWhole ? path : relativeTo(prefix, path));
    if (porcelain === 'v2' || porcelain === '2') {
      const show = (path: string): string => (isNul ? asBytes(path) : quotePath(path));
      const top = flags.has('-b') ? await secondHead(repository, end) : '';
      return { stdout: asBytes(top) + (await secondText(repository, seen, show, isNul)) };
    }
    const show = (path: string): string => (isNul ? asBytes(place(path)) : quoteInLine(place(path)));
    const top = flags.has('-b') ? (await branchLine(repository, seen)).replace('\n', end) : '';
    return { stdout: asBytes(top) + shortText(seen, show, isNul) };
  }
  const text = asBytes(await longText(repository, seen, prefix, untracked));
  if (!flags.has('-v') || seen.staged.length === 0) return { stdout: text };
  // With `-v` what is staged follows the words, before their last line.
  return { stdout: text + (await showChanges(seen.staged, fromObjects(repository))) };
};
