/** Where sessions work inside each folder that was opened (D8): kept over visits, and the folder itself where nobody chose. */
import { isTreePath, type FileTree } from '../../model/files/file-tree.ts';
import type { Settings } from '../../platform/store/settings.ts';

export interface KnownWorkingFolder {
  /** Inside the opened folder; empty for the folder itself. */
  readonly path: string;
  /** The one that was chosen, where it no longer exists: the opened folder serves in its place. */
  readonly lost?: string;
}

export interface WorkingFolders {
  readonly of: (folderId: string, tree: FileTree) => Promise<KnownWorkingFolder>;
  readonly choose: (folderId: string, path: string) => Promise<void>;
}

const keyOf = (folderId: string): string => `working-folder ${folderId}`;

export const createWorkingFolders = (settings: Pick<Settings, 'get' | 'set' | 'remove'>): WorkingFolders => ({
  of: async (folderId, tree) => {
    const kept = await settings.get(keyOf(folderId));
    if (typeof kept !== 'string' || kept === '' || !isTreePath(kept)) return { path: '' };
    return (await tree.list(kept)) ? { path: kept } : { path: '', lost: kept };
  },
  choose: (folderId, path) => (path === '' ? settings.remove(keyOf(folderId)) : settings.set(keyOf(folderId), path)),
});
