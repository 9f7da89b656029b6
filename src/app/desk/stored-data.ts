/** The database and the private workspaces of this browser, for `My data`. */
import { walkTree } from '../../model/files/walk-tree.ts';
import type { PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { writeZip } from '../../platform/fs/zip.ts';
import { createMyData } from '../../platform/store/my-data.ts';
import { keptCopies } from './kept-copies.ts';
import type { Storage as Database } from '../../platform/store/storage.ts';
import type { StoredData } from './local-data.ts';

export interface StoredDataDeps {
  readonly database: Database;
  readonly privates: () => Promise<PrivateWorkspaces | undefined>;
}

export const createStoredData = ({ database, privates }: StoredDataDeps): StoredData => {
  const names = async (): Promise<readonly string[]> => (await (await privates())?.list()) ?? [];

  /** Every file of a private workspace with its path. */
  const eachFile = async function* eachFile(name: string) {
    const opened = await (await privates())?.open(name);
    if (!opened?.ok) return;
    const tree = opened.value;
    const { files } = await walkTree(tree, '');
    for (const path of files) yield { tree, path };
  };

  return {
    data: createMyData({
      storage: database,
      now: () => Date.now(),
      workspaces: {
        list: names,
        size: async (name) => {
          let bytes = 0;
          for await (const { tree, path } of eachFile(name)) bytes += (await tree.size(path)) ?? 0;
          return bytes;
        },
        remove: async (name) => (await privates())?.remove(name),
      },
      copies: keptCopies(() => navigator.storage.getDirectory()),
    }),
    pack: async (files) => {
      const encoder = new TextEncoder();
      const all = new Map([...files].map(([path, text]) => [path, encoder.encode(text)]));
      for (const name of await names()) {
        for await (const { tree, path } of eachFile(name)) {
          const bytes = await tree.read(path);
          if (bytes) all.set(`workspaces/${name}/${path}`, new Uint8Array(bytes));
        }
      }
      return writeZip(createMemoryTree(all, 'lathe-data'), '');
    },
  };
};
