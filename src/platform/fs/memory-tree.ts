import type { FileTree, TreeEntry } from '../../model/library/file-tree.ts';

export interface MemoryTree extends FileTree {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const encoder = new TextEncoder();

/** A tree that lives in a map. Folders exist as long as something is in them. */
export const createMemoryTree = (
  initial: Readonly<Record<string, string | Uint8Array>> | ReadonlyMap<string, string | Uint8Array>,
  name = 'memory',
): MemoryTree => {
  const bytes = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? encoder.encode(content) : content);
  const entries = initial instanceof Map ? [...(initial as ReadonlyMap<string, string | Uint8Array>)] : Object.entries(initial);
  const files = new Map(entries.map(([path, content]) => [path, bytes(content)]));
  const listeners = new Set<(path: string) => void>();
  const changed = (path: string): void => listeners.forEach((listener) => listener(path));

  const list = (path: string): readonly TreeEntry[] | undefined => {
    const prefix = path === '' ? '' : `${path}/`;
    const found = new Map<string, TreeEntry>();
    for (const key of files.keys()) {
      if (!key.startsWith(prefix)) continue;
      const rest = key.slice(prefix.length);
      const slash = rest.indexOf('/');
      const entryName = slash === -1 ? rest : rest.slice(0, slash);
      found.set(entryName, { name: entryName, kind: slash === -1 ? 'file' : 'folder' });
    }
    return found.size === 0 && path !== '' ? undefined : [...found.values()];
  };

  return {
    name,
    files,
    list: (path) => Promise.resolve(list(path)),
    size: (path) => Promise.resolve(files.get(path)?.length),
    read: (path) => Promise.resolve(files.get(path)),
    write: (path, content) => {
      files.set(path, content);
      changed(path);
      return Promise.resolve();
    },
    rename: (from, to) => {
      const isTaken = files.has(to) || list(to) !== undefined;
      const moved = [...files.keys()].filter((key) => key === from || key.startsWith(`${from}/`));
      if (isTaken) return Promise.reject(new Error(`${to} exists already`));
      if (moved.length === 0) return Promise.reject(new Error(`there is no ${from}`));
      for (const key of moved) {
        files.set(to + key.slice(from.length), files.get(key) ?? new Uint8Array());
        files.delete(key);
      }
      changed(from);
      changed(to);
      return Promise.resolve();
    },
    watch: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
};
