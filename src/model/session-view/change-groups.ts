/** Pending writes as a person decides on them: file by file, and a repository of git as one. */
import type { PendingChange } from '../tool/pending-tree.ts';

export interface RepositoryChange {
  /** The folder `.git` itself. */
  readonly folder: string;
  readonly paths: readonly string[];
}

export interface ChangeGroups {
  readonly files: readonly PendingChange[];
  readonly repositories: readonly RepositoryChange[];
}

const folderOf = (path: string): string | undefined => /^(?:.*?\/)?\.git(?=\/)/.exec(path)?.[0];

/** Commits, index and branches hold each other: a part of them would be a broken repository. */
export const groupChanges = (changes: readonly PendingChange[]): ChangeGroups => {
  const files: PendingChange[] = [];
  const repositories = new Map<string, string[]>();
  for (const change of changes) {
    const folder = folderOf(change.path);
    if (folder === undefined) files.push(change);
    else repositories.set(folder, [...(repositories.get(folder) ?? []), change.path]);
  }
  return { files, repositories: Array.from(repositories, ([folder, paths]) => ({ folder, paths })) };
};
