/** The branch of a remote that a branch follows, and how far both are apart. */
import { nounFor } from '../../../base/text.ts';
import { ancestors } from './history.ts';
import type { Repository } from './repository.ts';

export const upstreamOf = async (
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

export const distance = async (
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

const commits = (count: number): string => `${count} ${nounFor(count, 'commit')}`;

export const upstreamLines = async (repository: Repository, branch: string | undefined): Promise<readonly string[]> => {
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
