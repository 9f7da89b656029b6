/** Files that were given to the page (chosen, or dropped): read when they are asked for, never changed. */
import { joinPath } from '../../base/paths.ts';
import { FileError } from '../../model/files/file-error.ts';
import { assertTreePath, isTreePath, type FileTree, type TreeEntry } from '../../model/files/file-tree.ts';

export interface UploadedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly open: () => Promise<Blob>;
  readonly size?: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number;
}

export const createUploadTree = (name: string, files: readonly UploadedFile[]): FileTree => {
  const byPath = new Map(files.filter(({ path }) => path !== '' && isTreePath(path)).map((file) => [file.path, file]));
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]]);
  for (const path of byPath.keys()) {
    let folder = '';
    const parts = path.split('/');
    parts.forEach((part, index) => {
      const isFile = index === parts.length - 1;
      folders.get(folder)?.set(part, { name: part, kind: isFile ? 'file' : 'folder' });
      folder = joinPath(folder, part);
      if (!isFile && !folders.has(folder)) folders.set(folder, new Map());
    });
  }
  const openAt = async (path: string): Promise<Blob | undefined> => {
    assertTreePath(path);
    try {
      return await byPath.get(path)?.open();
    } catch (thrown) {
      throw new FileError('missing', `${path} changed or was deleted after you opened it. Open the folder again.`, {
        cause: thrown,
      });
    }
  };
  const sizeOf = async (path: string): Promise<number | undefined> => {
    assertTreePath(path);
    return byPath.get(path)?.size ?? (await openAt(path))?.size;
  };
  const refuse = (): Promise<never> =>
    Promise.reject(
      new FileError(
        'read-only',
        `${name} is a read-only copy. Save it to a private workspace to change it, then export it.`,
      ),
    );
  return {
    name,
    list: async (path) => {
      assertTreePath(path);
      const found = folders.get(path);
      return found && [...found.values()];
    },
    size: sizeOf,
    stat: async (path) => {
      const size = await sizeOf(path);
      const modifiedAt = byPath.get(path)?.modifiedAt;
      return size === undefined ? undefined : { size, ...(modifiedAt !== undefined && { modifiedAt }) };
    },
    read: async (path, limit = Infinity) => {
      const blob = await openAt(path);
      if (!blob || blob.size > limit) return undefined;
      try {
        return new Uint8Array(await blob.arrayBuffer());
      } catch (thrown) {
        throw new FileError('missing', `${path} changed or was deleted after you opened it. Open the folder again.`, {
          cause: thrown,
        });
      }
    },
    write: refuse,
    rename: refuse,
    remove: refuse,
  };
};

/** What `<input webkitdirectory>` gives: every path starts with the folder's own name. */
export const treeFromFileList = (files: Iterable<File>): FileTree => {
  const all = [...files];
  const relative = (file: File): string => file.webkitRelativePath || file.name;
  const first = all[0] ? relative(all[0]) : '';
  const top = first.includes('/') ? first.slice(0, first.indexOf('/')) : '';
  return createUploadTree(
    top || 'upload',
    all.map((file) => ({
      path: top === '' ? relative(file) : relative(file).slice(top.length + 1),
      open: () => Promise.resolve(file),
      size: file.size,
      modifiedAt: file.lastModified,
    })),
  );
};
