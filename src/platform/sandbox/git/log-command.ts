/** `git log`. */
import { isSeparated, type CommitInfo } from '../../../model/sandbox/git-text.ts';
import { pathFilter, readArguments, splitWords } from './arguments.ts';
import { fromObjects, type GitContext, type GitOutput } from './context.ts';
import { patternOf, selectChanges } from './diff-options.ts';
import { ancestors, history, inTopologicalOrder, type ParentsOf } from './history.ts';
import { createShower, LOG_KNOWN, parentChanges } from './log-options.ts';
import { findRenames } from './renames.ts';
import { GitFailure } from './git-failure.ts';
import type { Repository } from './repository.ts';

const time = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined;
  const [, count, unit] = /^(\d+)[ .](second|minute|hour|day|week|month|year)s?(?:[ .]ago)?$/.exec(value) ?? [];
  const seconds = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800, month: 2_629_800, year: 31_557_600 };
  if (count !== undefined) return now - Number(count) * seconds[unit as keyof typeof seconds];
  if (value === 'yesterday') return now - 86_400;
  const parsed = Date.parse(value);
  if (Number.isNaN(parsed)) throw new GitFailure(`fatal: the sandbox does not understand the date '${value}'`);
  return parsed / 1000;
};

/** `a..b`, `a...b`, `^a`, `b`: where the walk starts, and what it leaves out. */
const readRevisions = async (
  repository: Repository,
  words: readonly string[],
): Promise<{ readonly starts: string[]; readonly excluded: Set<string> }> => {
  const starts: string[] = [];
  const excluded = new Set<string>();
  const leaveOut = async (oid: string): Promise<void> => {
    for (const one of await ancestors(repository, oid)) excluded.add(one);
  };
  for (const word of words) {
    const [, from = '', dots, to = ''] = /^(.*?)(\.\.\.?)(.*)$/.exec(word) ?? [];
    if (dots === '..') {
      await leaveOut(await repository.resolve(from || 'HEAD'));
      starts.push(await repository.resolve(to || 'HEAD'));
    } else if (dots === '...') {
      const [one, another] = [await repository.resolve(from || 'HEAD'), await repository.resolve(to || 'HEAD')];
      const [ours, theirs] = [await ancestors(repository, one), await ancestors(repository, another)];
      for (const oid of ours) if (theirs.has(oid)) excluded.add(oid);
      starts.push(one, another);
    } else if (word.startsWith('^')) await leaveOut(await repository.resolve(word.slice(1)));
    else starts.push(await repository.resolve(word));
  }
  return { starts, excluded };
};

/** A merge that has a side's files as they are continues with that side alone. */
const simplified =
  (repository: Repository, isWanted: (path: string) => boolean): ParentsOf =>
  async (commit) => {
    if (commit.parents.length < 2) return commit.parents;
    for (const parent of commit.parents)
      if ((await parentChanges(repository, commit, isWanted, parent)).length === 0) return [parent];
    return commit.parents;
  };

export const log = async ({ repository, cwd, now }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('log', args, LOG_KNOWN);
  const { flags, values } = given;
  const isRevision = async (word: string): Promise<boolean> =>
    word.startsWith('^') || (/\.\./.test(word) && !/^\.\.(?:$|\/)/.test(word)) || repository.isRevision(word);
  const { revisions, paths } = await splitWords(repository, cwd, given, isRevision);
  const { starts, excluded } = await readRevisions(repository, revisions);
  const isRefWanted = (ref: string): boolean =>
    flags.has('--all') ||
    (flags.has('--branches') && ref.startsWith('refs/heads/')) ||
    (flags.has('--tags') && ref.startsWith('refs/tags/'));
  for (const ref of await repository.refs()) if (isRefWanted(ref)) starts.push(await repository.resolve(ref));
  const hasRefs = flags.has('--all') || flags.has('--branches') || flags.has('--tags');
  if (starts.length === 0 && !(hasRefs && excluded.size > 0)) {
    const head = await repository.head();
    if (head === undefined)
      throw new GitFailure(
        `fatal: your current branch '${(await repository.branch()) ?? 'HEAD'}' does not have any commits yet`,
      );
    starts.push(head);
  }
  const isNamed = pathFilter(repository, cwd, paths);
  let followed = flags.has('--follow')
    ? [...(await repository.index())].find(({ path }) => isNamed(path))?.path
    : undefined;
  if (flags.has('--follow') && paths.length !== 1)
    throw new GitFailure('fatal: --follow requires exactly one pathspec');
  const isWanted = (path: string): boolean => (followed === undefined ? isNamed(path) : path === followed);
  const shower = await createShower(repository, given, 'none', isWanted, now);
  const limit = Number(values.get('-n') ?? -1);
  const most = limit < 0 ? Infinity : limit;
  let skip = Number(values.get('--skip') ?? 0);
  const letters = flags.has('-i') ? 'i' : '';
  const pattern = (text: string | undefined): RegExp | undefined => {
    if (text === undefined) return undefined;
    if (flags.has('-F')) return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), letters);
    return flags.has('-E') ? new RegExp(text, letters) : patternOf(text, letters);
  };
  const [author, committer, grep] = [
    pattern(values.get('--author')),
    pattern(values.get('--committer')),
    pattern(values.get('--grep')),
  ];
  const [since, until] = [time(values.get('--since'), now), time(values.get('--until'), now)];
  const contents = fromObjects(repository);
  const picks = values.has('-S') || values.has('-G') || values.has('--diff-filter');

  const isChosen = async (commit: CommitInfo): Promise<boolean> => {
    const { parents } = commit;
    if (flags.has('--no-merges') && parents.length > 1) return false;
    if (flags.has('--merges') && parents.length < 2) return false;
    if (author && !author.test(`${commit.author.name} <${commit.author.email}>`)) return false;
    if (committer && !committer.test(`${commit.committer.name} <${commit.committer.email}>`)) return false;
    if (grep && commit.message.split('\n').some((line) => grep.test(line)) === flags.has('--invert-grep')) return false;
    const { timestamp } = commit.committer;
    if ((since !== undefined && timestamp < since) || (until !== undefined && timestamp > until)) return false;
    if (paths.length > 0) {
      if (followed !== undefined && parents.length > 1) return false;
      for (const parent of parents.length > 1 ? parents : [parents[0]])
        if ((await parentChanges(repository, commit, isWanted, parent)).length === 0) return false;
    }
    if (!picks) return true;
    if (parents.length > 1) return false;
    return (await selectChanges(await parentChanges(repository, commit, isWanted), contents, given)).length > 0;
  };
  /** The name that a followed file had before this commit. */
  const follow = async (commit: CommitInfo): Promise<void> => {
    if (followed === undefined || commit.parents.length > 1) return;
    const changes = await parentChanges(repository, commit, () => true);
    if (!changes.some(({ path, status }) => path === followed && status === 'A')) return;
    followed = (await findRenames(changes, contents)).find(({ path }) => path === followed)?.from ?? followed;
  };

  const parentsOf: ParentsOf = flags.has('--no-walk')
    ? () => []
    : flags.has('--first-parent')
      ? ({ parents }) => parents.slice(0, 1)
      : paths.length > 0 && followed === undefined
        ? simplified(repository, isWanted)
        : ({ parents }) => parents;
  const isOrdered = flags.has('--topo-order') || flags.has('--date-order');
  const parts: string[] = [];
  const take = async (commit: CommitInfo): Promise<boolean> => {
    if (parts.length >= most) return false;
    if ((await isChosen(commit)) && skip-- <= 0) parts.push(await shower.show(commit));
    await follow(commit);
    return true;
  };
  const walk = history(repository, starts, excluded, parentsOf);
  if (isOrdered) {
    const all: CommitInfo[] = [];
    for await (const commit of walk) all.push(commit);
    for (const commit of inTopologicalOrder(all, flags.has('--date-order'))) if (!(await take(commit))) break;
  } else for await (const commit of walk) if (!(await take(commit))) break;
  if (flags.has('--reverse')) parts.reverse();
  if (shower.isBare) return { stdout: parts.join('') };
  // With `format:` a newline stands between two commits, and none after the last.
  const isOpen = shower.pretty.format.startsWith('format:') && shower.forms.includes('none');
  return { stdout: isOpen ? parts.join('').replace(/\n$/, '') : parts.join(isSeparated(shower.pretty) ? '\n' : '') };
};
