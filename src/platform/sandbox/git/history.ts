/** Commits in order, and how they lie to each other. */
import type { CommitInfo } from '../../../model/sandbox/git-text.ts';
import type { Repository } from './repository.ts';

/** Which parents of a commit are looked at; by default all. */
export type ParentsOf = (commit: CommitInfo) => readonly string[] | Promise<readonly string[]>;

/** From newest to oldest by the time of the commit, never a parent before its child. */
export async function* history(
  repository: Repository,
  starts: readonly string[],
  excluded: ReadonlySet<string>,
  parentsOf: ParentsOf = ({ parents }) => parents,
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
    for (const parent of await parentsOf(next)) await enter(parent);
  }
}

export const ancestors = async (repository: Repository, start: string): Promise<Set<string>> => {
  const all = new Set<string>();
  for await (const { oid } of history(repository, [start], new Set())) all.add(oid);
  return all;
};

/** The newest commit that both have. */
export const mergeBase = async (repository: Repository, one: string, another: string): Promise<string | undefined> => {
  const ours = await ancestors(repository, one);
  for await (const { oid } of history(repository, [another], new Set())) if (ours.has(oid)) return oid;
  return undefined;
};

/** Whole branches one after the other instead of by time; `byDate`: by time, and all children before their parent. */
export const inTopologicalOrder = (commits: readonly CommitInfo[], byDate: boolean): readonly CommitInfo[] => {
  const known = new Map(commits.map((commit) => [commit.oid, commit]));
  const children = new Map<string, number>();
  for (const { parents } of commits)
    for (const parent of parents) if (known.has(parent)) children.set(parent, (children.get(parent) ?? 0) + 1);
  const tips = commits.filter(({ oid }) => (children.get(oid) ?? 0) === 0);
  const open = byDate ? tips : tips.toReversed();
  const ordered: CommitInfo[] = [];
  const take = (): CommitInfo | undefined => {
    if (!byDate) return open.pop();
    let best = 0;
    for (const [at, { committer }] of open.entries())
      if (committer.timestamp > (open[best]?.committer.timestamp ?? 0)) best = at;
    return open.splice(best, 1)[0];
  };
  for (let next = take(); next; next = take()) {
    ordered.push(next);
    for (const parent of next.parents) {
      const commit = known.get(parent);
      if (!commit) continue;
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      if (left === 0) open.push(commit);
    }
  }
  return ordered;
};
