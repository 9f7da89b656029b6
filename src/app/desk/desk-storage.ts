/** Where the desk keeps things and reads folders; a browser that lets a page keep nothing gets what lasts as long as the page. */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { copyTree } from '../../model/files/copy-tree.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { createHandleTree } from '../../platform/fs/handle-tree.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { requestAccess } from '../../platform/fs/permission.ts';
import { createPrivateWorkspaces, type PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';
import { openDatabase } from '../../platform/store/database.ts';
import { withKeptCounts, type Beside, type CountedDatabase } from '../../platform/store/kept-counts.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import type { Copy } from '../../stores/folder-types.ts';

/** Asked for at each access: a browser that blocks it throws then. */
const beside: Beside = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
};

export const openStorage = async (log: Log): Promise<CountedDatabase> => {
  try {
    return await withKeptCounts(await openDatabase({ log }), beside);
  } catch (thrown) {
    const why = errorMessage(thrown);
    log({
      level: 'warning',
      code: 'store.memory',
      text: `This browser doesn’t let Lathe store data (${why}). Your work lasts until you close the page.`,
    });
    return createMemoryStorage(log);
  }
};

export const openPrivates = async (log: Log): Promise<PrivateWorkspaces | undefined> => {
  try {
    return await createPrivateWorkspaces(await navigator.storage.getDirectory());
  } catch (thrown) {
    const why = errorMessage(thrown);
    log({ level: 'warning', code: 'fs.no_private', text: `This browser has no private storage: ${why}` });
    return undefined;
  }
};

export const inMemory = async (source: FileTree): Promise<Copy> => {
  const tree = createMemoryTree({}, source.name);
  const { leftOut } = await copyTree(source, tree, { isForeign: true });
  return { tree, leftOut };
};

/** Asks for writing once, at the first save; a no is asked again at the next. */
export const treeOf = (handle: FileSystemDirectoryHandle, log: Log): FileTree =>
  createHandleTree(handle, { ensureWritable: () => requestAccess(handle, 'readwrite'), log });
