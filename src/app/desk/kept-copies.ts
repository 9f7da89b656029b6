/** Folders beside the private workspaces that hold what was fetched from addresses. */
import { errorMessage } from '../../base/errors.ts';
import { err, ok } from '../../base/result.ts';
import { walkTree } from '../../model/files/walk-tree.ts';
import { createHandleTree } from '../../platform/fs/handle-tree.ts';
import type { StoredFolders } from '../../platform/store/my-data.ts';

/** Skills of the configuration (D9). */
export const REMOTE_SKILLS = 'remote-skills';
/** Sources of imports, for seven days. */
export const IMPORT_CACHE = 'import-cache';

/** Nothing is there where the browser has no such place. */
export const keptCopies = (top: () => Promise<FileSystemDirectoryHandle>): StoredFolders => {
  const open = async (name: string): Promise<FileSystemDirectoryHandle | undefined> => {
    try {
      return await (await top()).getDirectoryHandle(name);
    } catch (thrown) {
      if (thrown instanceof DOMException || thrown instanceof TypeError) return undefined;
      throw thrown;
    }
  };
  return {
    list: async () => {
      const found: string[] = [];
      for (const name of [REMOTE_SKILLS, IMPORT_CACHE]) if (await open(name)) found.push(name);
      return found;
    },
    size: async (name) => {
      const handle = await open(name);
      if (!handle) return ok(0);
      const tree = createHandleTree(handle);
      let bytes = 0;
      for (const path of (await walkTree(tree, '')).files) bytes += (await tree.size(path)) ?? 0;
      return ok(bytes);
    },
    remove: async (name) => {
      try {
        return ok(await (await top()).removeEntry(name, { recursive: true }));
      } catch (thrown) {
        return err({ message: errorMessage(thrown) });
      }
    },
  };
};
