/** Folders that were opened before: they come back with one click, in which the browser asks for permission again. */
import { requestAccess, permissionOf, type AccessMode } from '../fs/permission.ts';
import type { HandleRow } from './schema.ts';
import type { Change, Storage } from './storage.ts';

export type FolderRole = HandleRow['role'];

export interface RememberedFolder {
  /** The same for the same folder, also after it was opened again: locks, drafts and origins go by it. */
  readonly id: string;
  readonly role: FolderRole;
  readonly name: string;
  readonly handle: FileSystemDirectoryHandle;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

export interface Handles {
  /** Newest first. */
  readonly list: (role?: FolderRole) => Promise<readonly RememberedFolder[]>;
  /** Only one folder at a time has the role `user`, and one per name the role `config`. */
  readonly remember: (handle: FileSystemDirectoryHandle, role: FolderRole, name?: string) => Promise<RememberedFolder>;
  readonly forget: (id: string) => Promise<void>;
  /** Whether it can be opened without asking. */
  readonly isOpen: (folder: RememberedFolder) => Promise<boolean>;
  /** Call it inside a click. */
  readonly regrant: (folder: RememberedFolder, mode?: AccessMode) => Promise<boolean>;
}

export interface HandlesDeps {
  readonly storage: Storage;
  readonly now: () => number;
  readonly newId: () => string;
}

const MOST_PROJECTS = 20;

/** A folder, and what was kept of it. */
const forgetting = (id: string): readonly Change[] => [
  { kind: 'delete', table: 'handles', key: [id] },
  { kind: 'delete', table: 'kept', key: [id] },
];

export const createHandles = ({ storage, now, newId }: HandlesDeps): Handles => {
  const list = async (role?: FolderRole): Promise<readonly RememberedFolder[]> =>
    (await storage.list('handles'))
      .filter((row) => role === undefined || row.role === role)
      .toSorted((a, b) => b.usedAt - a.usedAt);

  const find = async (
    known: readonly RememberedFolder[],
    handle: FileSystemDirectoryHandle,
  ): Promise<RememberedFolder | undefined> => {
    for (const folder of known) if (await folder.handle.isSameEntry(handle)) return folder;
    return undefined;
  };

  return {
    list,
    remember: async (handle, role, name = handle.name) => {
      const known = await list(role);
      const same = await find(known, handle);
      const folder: RememberedFolder = { id: same?.id ?? newId(), role, name, handle, usedAt: now() };
      const replaced = known.filter(
        (other, index) =>
          other.id !== folder.id &&
          (role === 'user' ||
            (role === 'config' && other.name === name) ||
            (role === 'project' && index >= MOST_PROJECTS - 1)),
      );
      await storage.write([
        ...replaced.flatMap(({ id }) => forgetting(id)),
        { kind: 'put', table: 'handles', row: folder },
      ]);
      return folder;
    },
    forget: (id) => storage.write(forgetting(id)),
    isOpen: async ({ handle }) => (await permissionOf(handle, 'read')) === 'granted',
    regrant: ({ handle }, mode = 'read') => requestAccess(handle, mode),
  };
};
