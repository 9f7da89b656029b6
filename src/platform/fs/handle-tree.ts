/**
 * A folder behind a handle of the browser: one that was picked from disk, or one of the browser's own (OPFS). Reading is
 * allowed from the start; the first change asks for permission through `ensureWritable`.
 */
import { silentLog, type Log } from '../../base/log.ts';
import { baseName, dirName, joinPath } from '../../base/paths.ts';
import { copyTree } from '../../model/files/copy-tree.ts';
import { FileError } from '../../model/files/file-error.ts';
import {
  assertTreePath,
  parentPath,
  type FileStat,
  type FileTree,
  type FileWithStat,
  type TreeEntry,
} from '../../model/files/file-tree.ts';
import { changeDenied, ifThere, isMissing, toFileError } from './handle-errors.ts';

export interface HandleTreeOptions {
  /** Whether the folder may be changed; asks the person if need be. By default it may. */
  readonly ensureWritable?: () => Promise<boolean>;
  /** By default the handle's. */
  readonly name?: string;
  readonly log?: Log;
  /** By default the browser's; `null` stands for a browser without one. */
  readonly Observer?: typeof FileSystemObserver | null;
}

/** Chromium writes beside the file and swaps when it is done. */
const isSwapFile = (name: string): boolean => name.endsWith('.crswap');
const MOST_CACHED = 50_000;

const statOf = ({ size, lastModified }: File): FileStat => ({ size, modifiedAt: lastModified });

/** Finding a handle takes a trip to another process, so handles that were seen are kept. They stand for a path, not for a file. */
class HandleCache {
  readonly #folders = new Map<string, FileSystemDirectoryHandle>();
  readonly #files = new Map<string, FileSystemFileHandle>();
  readonly #root: FileSystemDirectoryHandle;

  constructor(root: FileSystemDirectoryHandle) {
    this.#root = root;
  }

  keep(path: string, handle: FileSystemDirectoryHandle | FileSystemFileHandle): void {
    if (this.#folders.size + this.#files.size > MOST_CACHED) {
      this.#folders.clear();
      this.#files.clear();
    }
    if (handle.kind === 'directory') this.#folders.set(path, handle);
    else this.#files.set(path, handle);
  }

  forget(path: string): void {
    for (const known of [this.#folders, this.#files]) {
      for (const key of known.keys()) if (key === path || key.startsWith(`${path}/`)) known.delete(key);
    }
  }

  async folder(path: string, create = false): Promise<FileSystemDirectoryHandle> {
    if (path === '') return this.#root;
    const known = this.#folders.get(path);
    if (known && !create) return known;
    const parent = await this.folder(dirName(path), create);
    const found = await parent.getDirectoryHandle(baseName(path), { create });
    this.keep(path, found);
    return found;
  }

  async file(path: string): Promise<FileSystemFileHandle> {
    const known = this.#files.get(path);
    if (known) return known;
    const parent = await this.folder(dirName(path));
    const found = await parent.getFileHandle(baseName(path));
    this.keep(path, found);
    return found;
  }
}

export const createHandleTree = (root: FileSystemDirectoryHandle, options: HandleTreeOptions = {}): FileTree => {
  const { ensureWritable = () => Promise.resolve(true), name = root.name, log = silentLog } = options;
  const Observer =
    options.Observer === undefined
      ? typeof FileSystemObserver === 'undefined'
        ? null
        : FileSystemObserver
      : options.Observer;
  const cache = new HandleCache(root);

  const assertWritable = async (path: string): Promise<void> => {
    if (await ensureWritable()) return;
    throw new FileError('denied', changeDenied(path));
  };

  const fileAt = async (path: string): Promise<File | undefined> => {
    assertTreePath(path);
    if (path === '') return undefined;
    try {
      return await (await cache.file(path)).getFile();
    } catch (thrown) {
      if (!isMissing(thrown)) throw toFileError(thrown, path, 'read');
      cache.forget(path);
      return undefined;
    }
  };

  /** What is at a path, found again. */
  const find = async (path: string): Promise<FileSystemDirectoryHandle | FileSystemFileHandle | undefined> => {
    const parent = await ifThere(cache.folder(dirName(path)));
    if (!parent) return undefined;
    return (
      (await ifThere(parent.getFileHandle(baseName(path)))) ??
      (await ifThere(parent.getDirectoryHandle(baseName(path))))
    );
  };

  const list = async (path: string): Promise<readonly TreeEntry[] | undefined> => {
    assertTreePath(path);
    try {
      const folder = await cache.folder(path);
      const entries: TreeEntry[] = [];
      for await (const [entryName, handle] of folder.entries()) {
        if (isSwapFile(entryName)) continue;
        cache.keep(joinPath(path, entryName), handle);
        entries.push({ name: entryName, kind: handle.kind === 'file' ? 'file' : 'folder' });
      }
      return entries;
    } catch (thrown) {
      if (!isMissing(thrown)) throw toFileError(thrown, path, 'read');
      cache.forget(path);
      return undefined;
    }
  };

  const writeFile = async (path: string, content: Uint8Array): Promise<void> => {
    const own = Uint8Array.from(content);
    const parent = await cache.folder(dirName(path), true);
    const isNew = (await ifThere(parent.getFileHandle(baseName(path)))) === undefined;
    const file = await parent.getFileHandle(baseName(path), { create: true });
    try {
      // Nothing changes before `close`, which swaps the whole file.
      const stream = await file.createWritable({ keepExistingData: false });
      try {
        await stream.write(own);
        await stream.close();
      } catch (thrown) {
        await stream.abort().catch(() => undefined);
        throw thrown;
      }
    } catch (thrown) {
      // The empty file that had to be made first.
      if (isNew) await parent.removeEntry(baseName(path)).catch(() => undefined);
      throw thrown;
    }
    cache.keep(path, file);
  };

  /** Reading and removing what is already permitted, without asking again. */
  const inner = (): FileTree => ({ ...tree, write: writeFile });

  const copyThenRemove = async (from: string, to: string, kind: FileSystemHandleKind): Promise<void> => {
    const parent = await cache.folder(dirName(from));
    try {
      if (kind === 'file') {
        const content = await tree.read(from);
        if (!content) throw new FileError('missing', `there is no ${from}`);
        await writeFile(to, content);
      } else {
        await cache.folder(to, true);
        await copyTree(tree, inner(), { from, to });
      }
    } catch (thrown) {
      const half = await ifThere(cache.folder(dirName(to)));
      await half?.removeEntry(baseName(to), { recursive: true }).catch(() => undefined);
      cache.forget(to);
      throw thrown;
    }
    await parent.removeEntry(baseName(from), { recursive: true });
  };

  const move = async (
    source: FileSystemDirectoryHandle | FileSystemFileHandle,
    from: string,
    to: string,
  ): Promise<void> => {
    const parent = await cache.folder(dirName(to), true);
    if (source.move) {
      try {
        await source.move(parent, baseName(to));
        return;
      } catch (thrown) {
        // Chromium has the function for folders on disk and does not carry it out.
        log({ level: 'debug', code: 'fs.move', text: `moving ${from} by copying: ${String(thrown)}` });
        const isStill = (await find(from)) !== undefined && (await find(to)) === undefined;
        if (!isStill) throw thrown;
      }
    }
    await copyThenRemove(from, to, source.kind);
  };

  /** Refuses before a folder is made. */
  const assertFree = async (to: string): Promise<void> => {
    for (let at = parentPath(to); at !== undefined && at !== ''; at = parentPath(at)) {
      if ((await find(at))?.kind === 'file') throw new FileError('exists', `${at} is a file`);
    }
  };

  const rename = async (from: string, to: string): Promise<void> => {
    const source = from === '' ? root : await find(from);
    if (!source) throw new FileError('missing', `there is no ${from}`);
    if (from === to && from !== '') return;
    if (from === '' || to.startsWith(`${from}/`)) throw new Error(`${from || name} cannot be moved into itself`);
    if (to === '') throw new FileError('exists', `${name} exists already`);
    const target = await find(to);
    // Where case does not count, both names are one file, and giving it the other name takes a step in between.
    const isSame =
      target !== undefined && from.toLowerCase() === to.toLowerCase() && (await source.isSameEntry(target));
    if (target && !isSame) throw new FileError('exists', `${to} exists already`);
    await assertFree(to);
    await assertWritable(from);
    cache.forget(from);
    if (isSame) {
      const between = `${to}.renaming`;
      await move(source, from, between);
      const moved = await find(between);
      if (moved) await move(moved, between, to);
    } else await move(source, from, to);
    cache.forget(from);
    cache.forget(to);
  };

  const said = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw toFileError(thrown, path);
    }
  };

  const readWithStat = async (path: string, limit = Infinity): Promise<FileWithStat | undefined> => {
    const file = await fileAt(path);
    if (!file || file.size > limit) return undefined;
    try {
      return { content: new Uint8Array(await file.arrayBuffer()), stat: statOf(file) };
    } catch (thrown) {
      // Written or removed between the two steps: what is there now counts.
      const again = await fileAt(path);
      if (!again) return undefined;
      try {
        return { content: new Uint8Array(await again.arrayBuffer()), stat: statOf(again) };
      } catch {
        throw toFileError(thrown, path, 'read');
      }
    }
  };

  const tree: FileTree = {
    name,
    list,
    size: async (path) => (await fileAt(path))?.size,
    stat: async (path) => {
      const file = await fileAt(path);
      return file && statOf(file);
    },
    read: async (path, limit) => (await readWithStat(path, limit))?.content,
    readWithStat,
    write: async (path, content) => {
      assertTreePath(path);
      if (path === '') throw new Error(`${name} is a folder`);
      await said(path, async () => {
        if ((await find(path))?.kind === 'directory') throw new FileError('exists', `${path} is a folder`);
        await assertFree(path);
        await assertWritable(path);
        await writeFile(path, content);
      });
    },
    rename: async (from, to) => {
      assertTreePath(from);
      assertTreePath(to);
      await said(from, () => rename(from, to));
    },
    remove: async (path) => {
      assertTreePath(path);
      if (path === '') throw new Error(`${name} itself cannot be removed`);
      await said(path, async () => {
        const parent = await ifThere(cache.folder(dirName(path)));
        if (!parent || !(await find(path))) throw new FileError('missing', `there is no ${path}`);
        await assertWritable(path);
        await parent.removeEntry(baseName(path), { recursive: true });
        cache.forget(path);
      });
    },
    ...(Observer && {
      watch: (listener: (path: string) => void) => {
        const hear = (parts: readonly string[]): void => {
          const path = parts.join('/');
          if (isSwapFile(path)) return;
          cache.forget(path);
          listener(path);
        };
        const observer = new Observer((records) => {
          for (const { type, relativePathComponents, relativePathMovedFrom } of records) {
            // It lost track: anything may have changed.
            if (type === 'unknown' || type === 'errored') hear([]);
            else {
              if (relativePathMovedFrom) hear(relativePathMovedFrom);
              hear(relativePathComponents);
            }
          }
        });
        observer.observe(root, { recursive: true }).catch((thrown: unknown) => {
          log({ level: 'warning', code: 'fs.watch', text: `${name} cannot be watched for changes: ${String(thrown)}` });
        });
        return { [Symbol.dispose]: () => observer.disconnect() };
      },
    }),
  };
  return tree;
};
