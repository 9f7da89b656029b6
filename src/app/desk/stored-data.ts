/** The database and the private workspaces of this browser, for `My data`. */
import { err, ok, type Result } from '../../base/result.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { walkTree } from '../../model/files/walk-tree.ts';
import type { PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { writeZip } from '../../platform/fs/zip.ts';
import { createMyData, type StoredFolders, type StoredProblem } from '../../platform/store/my-data.ts';
import type { Storage as Database } from '../../platform/store/storage.ts';
import type { StoredData } from './local-data.ts';

export interface StoredDataDeps {
  readonly database: Database;
  readonly privates: () => Promise<PrivateWorkspaces | undefined>;
  readonly now: () => number;
  /** Of what was fetched from addresses. */
  readonly copies: StoredFolders;
}

interface Workspace {
  readonly tree: FileTree;
  /** Of every file. */
  readonly paths: readonly string[];
}

export const createStoredData = ({ database, privates, now, copies }: StoredDataDeps): StoredData => {
  const names = async (): Promise<readonly string[]> => (await (await privates())?.list()) ?? [];

  const open = async (name: string): Promise<Result<Workspace, StoredProblem>> => {
    const opened = await (await privates())?.open(name);
    if (!opened) return err({ message: 'this browser has no private storage' });
    if (!opened.ok) return opened;
    const { files } = await walkTree(opened.value, '');
    return ok({ tree: opened.value, paths: files });
  };

  return {
    data: createMyData({
      storage: database,
      now,
      workspaces: {
        list: names,
        size: async (name) => {
          const opened = await open(name);
          if (!opened.ok) return opened;
          let bytes = 0;
          for (const path of opened.value.paths) bytes += (await opened.value.tree.size(path)) ?? 0;
          return ok(bytes);
        },
        remove: async (name) => (await (await privates())?.remove(name)) ?? ok(undefined),
      },
      copies,
    }),
    pack: async (files) => {
      const encoder = new TextEncoder();
      const all = new Map([...files].map(([path, text]) => [path, encoder.encode(text)]));
      for (const name of await names()) {
        const opened = await open(name);
        if (!opened.ok)
          return err({ message: `Nothing was exported because Lathe can’t read ${name}. ${opened.error.message}` });
        const { tree, paths } = opened.value;
        for (const path of paths) {
          const bytes = await tree.read(path);
          if (bytes) all.set(`workspaces/${name}/${path}`, new Uint8Array(bytes));
        }
      }
      return writeZip(createMemoryTree(all, 'lathe-data'), '');
    },
  };
};
