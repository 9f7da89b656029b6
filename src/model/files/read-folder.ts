/** Every file below a folder, by its path in it. Links that leave the folder are not followed. */
import type { FileTree } from './file-tree.ts';
import { walkTree } from './walk-tree.ts';

export const readFolder = async (tree: FileTree, folder: string): Promise<ReadonlyMap<string, Uint8Array>> => {
  const { files } = await walkTree(tree, folder);
  const contents = new Map<string, Uint8Array>();
  for (const path of files) {
    const content = await tree.read(path);
    if (content) contents.set(folder === '' ? path : path.slice(folder.length + 1), content);
  }
  return contents;
};
