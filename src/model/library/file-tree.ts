/**
 * A folder with files, wherever it is: on disk, in the browser, in memory. Paths are relative to the tree's root, with `/`,
 * without a leading one; the root itself is the empty path.
 */

export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** A link whose target lies outside the tree. It is listed, so that it can be reported, and never read. */
  readonly escapes?: true;
  /** A link inside the tree: where it leads. */
  readonly target?: string;
}

export interface FileTree {
  /** What the root folder is called. */
  readonly name: string;
  /** In any order; nothing if there is no such folder. */
  readonly list: (path: string) => Promise<readonly TreeEntry[] | undefined>;
  /** Bytes; nothing if there is no such file. */
  readonly size: (path: string) => Promise<number | undefined>;
  /** Nothing if there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** Whole files, all or nothing; folders in between are made. */
  readonly write: (path: string, content: Uint8Array) => Promise<void>;
  /** Of a file or a folder. Refuses to replace something that exists. */
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Calls back with the path of whatever changed; absent where the host cannot tell. */
  readonly watch?: (listener: (path: string) => void) => Disposable;
}

export const joinPath = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/');

/** The parent's path; nothing for the root. */
export const parentPath = (path: string): string | undefined =>
  path === '' ? undefined : path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
