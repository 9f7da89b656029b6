/** Where a path leads once its links are followed, told by listings alone, so that it works for every adapter. */
import { joinPath } from '../../base/paths.ts';
import type { TreeEntry } from '../files/file-tree.ts';

export type Located =
  | { readonly kind: 'file' | 'folder'; readonly real: string }
  /** The link that leaves the tree. */
  | { readonly kind: 'escapes'; readonly at: string };

/** Nothing if there is no such file or folder. `folder` is a path without links. */
export const locate = async (
  list: (folder: string) => Promise<readonly TreeEntry[] | undefined>,
  folder: string,
  path: string,
): Promise<Located | undefined> => {
  let here: Located = { kind: 'folder', real: folder };
  for (const name of path === '' ? [] : path.split('/')) {
    if (here.kind !== 'folder') return undefined;
    const entry: TreeEntry | undefined = (await list(here.real))?.find((candidate) => candidate.name === name);
    if (!entry) return undefined;
    const spelled = joinPath(here.real, name);
    if (entry.escapes) return { kind: 'escapes', at: spelled };
    here = { kind: entry.kind, real: entry.target ?? spelled };
  }
  return here;
};
