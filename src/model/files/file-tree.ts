/**
 * A folder with files, wherever it is: on disk, in the browser, in memory. Paths are relative to the tree's root, with `/`,
 * without a leading one; the root itself is the empty path. `platform/fs/SPEC.md` says what every adapter keeps.
 */
import { dirName } from '../../base/paths.ts';

export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** A link whose target is outside the tree. It is listed, so that it can be reported, and never read. */
  readonly escapes?: true;
  /** A link inside the tree: where it leads. */
  readonly target?: string;
}

export interface FileStat {
  /** Bytes. */
  readonly size: number;
  /** Differs once the file has been written again; milliseconds since 1970 where the host has a clock. Absent where it cannot tell. */
  readonly modifiedAt?: number;
}

export interface FileWithStat {
  readonly content: Uint8Array;
  readonly stat: FileStat;
}

/** A folder's entries, with what some of its files hold. */
export interface ListedFolder {
  readonly entries: readonly TreeEntry[];
  /** By name; without links, and without what is larger than the limit. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export interface FileTree {
  /** What the root folder is called. */
  readonly name: string;
  /** In any order; nothing if there is no such folder, or if a link on the way leaves the tree. */
  readonly list: (path: string) => Promise<readonly TreeEntry[] | undefined>;
  /** Bytes; nothing if there is no such file, or if a link on the way leaves the tree. */
  readonly size: (path: string) => Promise<number | undefined>;
  /** Nothing where `size` gives nothing. Absent where the host knows no more than the size: see `statOf`. */
  readonly stat?: (path: string) => Promise<FileStat | undefined>;
  /**
   * Nothing if there is no such file, if a link on the way leaves the tree, or if it has more than `limit` bytes (adapters
   * that learn the size only by reading may give them all the same). The bytes are the caller's own.
   */
  readonly read: (path: string, limit?: number) => Promise<Uint8Array | undefined>;
  /** What `read` gives, with the size and time of the same moment. Absent where the host cannot tell the time. */
  readonly readWithStat?: (path: string, limit?: number) => Promise<FileWithStat | undefined>;
  /** `list` and `read` of the files that are named, where one trip is cheaper than several. Absent where it is not. */
  readonly listAndRead?: (
    path: string,
    names: ReadonlySet<string>,
    limit?: number,
  ) => Promise<ListedFolder | undefined>;
  /** Whole files, all or nothing; folders in between are made. */
  readonly write: (path: string, content: Uint8Array) => Promise<void>;
  /** Of a file or a folder. Refuses to replace something that exists. */
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Of a file, or a folder with all in it. Rejects what does not exist, and the root. */
  readonly remove: (path: string) => Promise<void>;
  /** Calls back with the path of whatever changed (the empty path: anything may have); absent where the host cannot tell. */
  readonly watch?: (listener: (path: string) => void) => Disposable;
}

export const statOf = async (tree: FileTree, path: string): Promise<FileStat | undefined> => {
  if (tree.stat) return tree.stat(path);
  const size = await tree.size(path);
  return size === undefined ? undefined : { size };
};

/**
 * Whether a tree may be asked for this path: relative, with `/`, and no way out by its spelling. Every adapter rejects
 * anything else, so that a path from a skill or a model is refused in one place.
 */
export const isTreePath = (path: string): boolean =>
  path === '' || (!path.includes('\0') && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(path));

/** For adapters: throws on a path that is none of a tree's. */
export const assertTreePath = (path: string): void => {
  if (!isTreePath(path)) throw new Error(`${JSON.stringify(path)} is not a path inside the folder`);
};

/** Whether `path` is below `folder`. */
export const isBelow = (folder: string, path: string): boolean => folder === '' || path.startsWith(`${folder}/`);

/** The parent's path; nothing for the root. */
export const parentPath = (path: string): string | undefined => (path === '' ? undefined : dirName(path));
