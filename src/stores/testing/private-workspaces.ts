/** Private workspaces in memory. */
import { err, ok } from '../../base/result.ts';
import { copyTree } from '../../model/files/copy-tree.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';

export const createMemoryPrivates = (): PrivateWorkspaces => {
  const trees = new Map<string, FileTree>();
  return {
    list: () => Promise.resolve([...trees.keys()]),
    open: (name) => {
      const tree = trees.get(name);
      return Promise.resolve(tree ? ok(tree) : err({ code: 'missing', message: `There is no ${name}.` }));
    },
    create: () => Promise.resolve(err({ code: 'failed', message: 'not here' })),
    rename: () => Promise.resolve(ok(undefined)),
    remove: (name) => {
      trees.delete(name);
      return Promise.resolve(ok(undefined));
    },
    copyIn: async (source, name, { signal, onLeftOut } = {}) => {
      const tree = createMemoryTree({}, name);
      const { leftOut } = await copyTree(source, tree, { isForeign: true });
      if (signal?.aborted) return err({ code: 'cancelled', message: 'The copy was canceled.' });
      onLeftOut?.(leftOut);
      trees.set(name, tree);
      return ok(tree);
    },
  };
};
