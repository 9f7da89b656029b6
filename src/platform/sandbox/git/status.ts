/** `git status`, for people and for programs. */
import { quoteInLine, quotePath } from '../../../model/sandbox/git-text.ts';
import { fromTop, pathFilter, readArguments } from './arguments.ts';
import { compareLeaves, type Change } from './changes.ts';
import { ancestors, asBytes, stagedLeaves, type GitContext, type GitOutput } from './read-commands.ts';
import type { Repository } from './repository.ts';

interface Seen {
  readonly staged: readonly Change[];
  readonly unstaged: readonly { readonly path: string; readonly status: 'M' | 'D' }[];
  readonly untracked: readonly string[];
  readonly hasCommits: boolean;
}

const look = async (
  repository: Repository,
  isWanted: (path: string) => boolean,
  untracked: 'no' | 'normal' | 'all',
): Promise<Seen> => {
  const head = await repository.head();
  if (head !== undefined) await repository.commit(head);
  const staged = compareLeaves(await repository.leaves(head), await stagedLeaves(repository), isWanted);
  const work = await repository.workFiles({ all: untracked === 'all', untracked: untracked !== 'no' });
  const unstaged = [...work.changed]
    .filter(([path]) => isWanted(path))
    .map(([path, leaf]) => ({ path, status: leaf ? ('M' as const) : ('D' as const) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    staged,
    unstaged,
    untracked: work.untracked.filter((path) => isWanted(path.replace(/\/$/, ''))),
    hasCommits: head !== undefined,
  };
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

const upstreamOf = async (
  repository: Repository,
  branch: string,
): Promise<{ readonly name: string; readonly oid: string | undefined } | undefined> => {
  const [remote, merge] = [
    await repository.config(`branch.${branch}.remote`),
    await repository.config(`branch.${branch}.merge`),
  ];
  if (remote === undefined || merge === undefined) return undefined;
  const short = merge.replace(/^refs\/heads\//, '');
  const name = remote === '.' ? short : `${remote}/${short}`;
  return { name, oid: await repository.ref(remote === '.' ? merge : `refs/remotes/${name}`) };
};

const distance = async (
  repository: Repository,
  head: string,
  upstream: string,
): Promise<{ readonly ahead: number; readonly behind: number }> => {
  if (head === upstream) return { ahead: 0, behind: 0 };
  const [ours, theirs] = [await ancestors(repository, head), await ancestors(repository, upstream)];
  return {
    ahead: [...ours].filter((oid) => !theirs.has(oid)).length,
    behind: [...theirs].filter((oid) => !ours.has(oid)).length,
  };
};

const commits = (count: number): string => `${count} commit${count === 1 ? '' : 's'}`;

const upstreamLines = async (repository: Repository, branch: string | undefined): Promise<readonly string[]> => {
  const head = await repository.head();
  const upstream = branch === undefined || head === undefined ? undefined : await upstreamOf(repository, branch);
  if (!upstream || head === undefined) return [];
  if (upstream.oid === undefined)
    return [
      `Your branch is based on '${upstream.name}', but the upstream is gone.`,
      '  (use "git branch --unset-upstream" to fixup)',
      '',
    ];
  const { ahead, behind } = await distance(repository, head, upstream.oid);
  if (ahead === 0 && behind === 0) return [`Your branch is up to date with '${upstream.name}'.`, ''];
  if (behind === 0)
    return [
      `Your branch is ahead of '${upstream.name}' by ${commits(ahead)}.`,
      '  (use "git push" to publish your local commits)',
      '',
    ];
  if (ahead === 0)
    return [
      `Your branch is behind '${upstream.name}' by ${commits(behind)}, and can be fast-forwarded.`,
      '  (use "git pull" to update your local branch)',
      '',
    ];
  return [
    `Your branch and '${upstream.name}' have diverged,`,
    `and have ${ahead} and ${behind} different commits each, respectively.`,
    '  (use "git pull" to merge the remote branch into yours)',
    '',
  ];
};

const LABELS = { A: 'new file:   ', M: 'modified:   ', D: 'deleted:    ', R: 'renamed:    ' } as const;

const longText = async (repository: Repository, seen: Seen, prefix: string, untracked: string): Promise<string> => {
  const { staged, unstaged, hasCommits } = seen;
  const branch = await repository.branch();
  const show = (path: string): string => quotePath(relativeTo(prefix, path));
  const head =
    branch === undefined ? `HEAD detached at ${((await repository.head()) ?? '').slice(0, 7)}` : `On branch ${branch}`;
  const lines = [head, ...(await upstreamLines(repository, branch))];
  if (!hasCommits) lines.push('', 'No commits yet', '');
  if (staged.length > 0)
    lines.push(
      'Changes to be committed:',
      hasCommits
        ? '  (use "git restore --staged <file>..." to unstage)'
        : '  (use "git rm --cached <file>..." to unstage)',
      ...staged.map(
        ({ status, path, from }) => `\t${LABELS[status]}${from === undefined ? '' : `${show(from)} -> `}${show(path)}`,
      ),
      '',
    );
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
  if (staged.length === 0) {
    if (unstaged.length > 0) lines.push('no changes added to commit (use "git add" and/or "git commit -a")');
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

const shortText = (seen: Seen, show: (path: string) => string): string => {
  const rows = new Map<string, { x: string; y: string; from?: string }>();
  for (const { status, path, from } of seen.staged)
    rows.set(path, { x: status, y: ' ', ...(from !== undefined && { from }) });
  for (const { status, path } of seen.unstaged) rows.set(path, { ...(rows.get(path) ?? { x: ' ' }), y: status });
  const tracked = [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { x, y, from }]) => `${x}${y} ${from === undefined ? '' : `${show(from)} -> `}${show(path)}\n`);
  return [...tracked, ...seen.untracked.map((path) => `?? ${show(path)}\n`)].join('');
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
    flags: ['-s', '-b', '--long'],
    optional: ['--porcelain', '-u', '--untracked-files', '--ignore-submodules'],
    same: { '--short': '-s', '--branch': '-b', '--untracked-files': '-u' },
  });
  const isWanted = pathFilter(repository, cwd, [...given.words, ...(given.paths ?? [])]);
  const asked = given.values.get('-u');
  const untracked = asked === 'no' ? 'no' : asked === 'all' || asked === '' ? 'all' : 'normal';
  const seen = await look(repository, isWanted, untracked);
  const prefix = fromTop(repository, cwd, '.');
  if (given.values.has('--porcelain') || given.flags.has('-s')) {
    const isPorcelain = given.values.has('--porcelain');
    const show = (path: string): string => quoteInLine(isPorcelain ? path : relativeTo(prefix, path));
    const top = given.flags.has('-b') ? await branchLine(repository, seen) : '';
    return { stdout: asBytes(top) + shortText(seen, show) };
  }
  return { stdout: asBytes(await longText(repository, seen, prefix, untracked)) };
};
