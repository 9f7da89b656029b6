import { baseName, joinPath } from '../../base/paths.ts';
import { assertTreePath, parentPath, type FileTree, type TreeEntry } from '../../model/files/file-tree.ts';

export interface MemoryTree extends FileTree {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

type Content = string | Uint8Array;

const encoder = new TextEncoder();
const copy = (content: Content): Uint8Array =>
  typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content);

/** A tree that lives in a map: no links, and folders exist as long as something is in them. */
export const createMemoryTree = (
  initial: Readonly<Record<string, Content>> | ReadonlyMap<string, Content>,
  name = 'memory',
): MemoryTree => {
  const files = new Map<string, Uint8Array>();
  /** There is no clock here: each write counts one further. */
  const revisions = new Map<string, number>();
  let revision = 0;
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]]);
  const listeners = new Set<(path: string) => void>();
  const changed = (path: string): void => listeners.forEach((listener) => listener(path));

  const addEntry = (path: string, kind: TreeEntry['kind']): void => {
    const parent = parentPath(path);
    if (parent === undefined) return;
    const siblings = folders.get(parent);
    if (siblings) siblings.set(baseName(path), { name: baseName(path), kind });
    else {
      folders.set(parent, new Map([[baseName(path), { name: baseName(path), kind }]]));
      addEntry(parent, 'folder');
    }
  };
  const removeEntry = (path: string): void => {
    const parent = parentPath(path);
    const siblings = parent === undefined ? undefined : folders.get(parent);
    if (parent === undefined || !siblings) return;
    siblings.delete(baseName(path));
    if (siblings.size > 0 || parent === '') return;
    folders.delete(parent);
    removeEntry(parent);
  };
  const put = (path: string, content: Uint8Array): void => {
    if (!files.has(path)) addEntry(path, 'file');
    files.set(path, content);
    revisions.set(path, ++revision);
  };
  const drop = (path: string): void => {
    files.delete(path);
    revisions.delete(path);
    removeEntry(path);
  };
  /** A file by itself, or everything in a folder. */
  const filesAt = (path: string): string[] =>
    files.has(path) ? [path] : [...files.keys()].filter((key) => key.startsWith(`${path}/`));
  /** As on disk: a file cannot be where a folder is, nor below a file. */
  const assertFree = (path: string): void => {
    assertTreePath(path);
    if (folders.has(path)) throw new Error(`${path} is a folder`);
    for (let at = parentPath(path); at !== undefined; at = parentPath(at)) {
      if (files.has(at)) throw new Error(`${at} is a file`);
    }
  };

  const entries = initial instanceof Map ? (initial as ReadonlyMap<string, Content>) : Object.entries(initial);
  for (const [path, content] of entries) {
    assertFree(path);
    put(path, copy(content));
  }

  return {
    name,
    files,
    list: async (path) => {
      assertTreePath(path);
      const found = folders.get(path);
      return found && [...found.values()];
    },
    size: async (path) => {
      assertTreePath(path);
      return files.get(path)?.length;
    },
    stat: async (path) => {
      assertTreePath(path);
      const size = files.get(path)?.length;
      return size === undefined ? undefined : { size, modifiedAt: revisions.get(path) ?? 0 };
    },
    read: async (path, limit = Infinity) => {
      assertTreePath(path);
      const content = files.get(path);
      return content && content.length <= limit ? copy(content) : undefined;
    },
    readWithStat: async (path, limit = Infinity) => {
      assertTreePath(path);
      const content = files.get(path);
      if (!content || content.length > limit) return undefined;
      return { content: copy(content), stat: { size: content.length, modifiedAt: revisions.get(path) ?? 0 } };
    },
    write: async (path, content) => {
      assertFree(path);
      put(path, copy(content));
      changed(path);
    },
    rename: async (from, to) => {
      assertTreePath(from);
      if (from === to && (files.has(from) || (folders.has(from) && from !== ''))) return;
      if (from === '' || to.startsWith(`${from}/`)) throw new Error(`${from || name} cannot be moved into itself`);
      assertFree(to);
      if (files.has(to)) throw new Error(`${to} exists already`);
      const moved = filesAt(from);
      if (moved.length === 0) throw new Error(`there is no ${from}`);
      for (const key of moved) {
        const content = files.get(key) ?? new Uint8Array();
        drop(key);
        put(joinPath(to, key.slice(from.length + 1)), content);
      }
      changed(from);
      changed(to);
    },
    remove: async (path) => {
      assertTreePath(path);
      if (path === '') throw new Error(`${name} itself cannot be removed`);
      const gone = filesAt(path);
      if (gone.length === 0) throw new Error(`there is no ${path}`);
      gone.forEach(drop);
      changed(path);
    },
    watch: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
};
