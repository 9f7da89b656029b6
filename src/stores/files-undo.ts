/** Creating, renaming and deleting files in a way that can be taken back, byte for byte. */
import { baseName, joinPath } from '../base/paths.ts';
import { err, ok, type Result } from '../base/result.ts';
import { FileError } from '../model/files/file-error.ts';
import { decodeText, encodeText } from '../model/files/text-file.ts';
import { walkTree } from '../model/files/walk-tree.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import type { FileProblem, TextDocument } from './files-documents.ts';

/** What an operation did: enough to take it back, and to do it again. */
export type FileOperation =
  | {
      readonly kind: 'create' | 'remove';
      /** The file or the folder. */
      readonly path: string;
      /** By path inside it; the empty path is the file itself. */
      readonly files: ReadonlyMap<string, Uint8Array>;
      /** What was open there, with text that was not saved. */
      readonly documents: readonly TextDocument[];
    }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly follow?: FollowName }
  | {
      readonly kind: 'change';
      readonly title: string;
      /** By path in the folder. */
      readonly files: ReadonlyMap<string, { readonly before: Uint8Array; readonly after: Uint8Array }>;
    };

/** A text inside a renamed folder that says the folder's name. It follows in both directions, so that taking back is complete. */
export interface FollowName {
  /** Inside the folder. */
  readonly file: string;
  readonly rewrite: (text: string, before: string, after: string) => string;
}

const MOST_FILES = 5000;
const MOST_BYTES = 64 * 1024 * 1024;

export const describeOperation = (operation: FileOperation): string => {
  switch (operation.kind) {
    case 'create':
      return `Create ${baseName(operation.path)}`;
    case 'remove':
      return `Delete ${baseName(operation.path)}`;
    case 'rename':
      return `Rename ${baseName(operation.from)} to ${baseName(operation.to)}`;
    case 'change':
      return operation.title;
  }
};

export const reverseOf = (operation: FileOperation): FileOperation => {
  switch (operation.kind) {
    case 'rename':
      return { ...operation, from: operation.to, to: operation.from };
    case 'change':
      return {
        ...operation,
        files: new Map(
          [...operation.files].map(([path, { before, after }]) => [path, { before: after, after: before }]),
        ),
      };
    case 'create':
      return { ...operation, kind: 'remove' };
    case 'remove':
      return { ...operation, kind: 'create' };
  }
};

const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a?.length === b.length && a.every((byte, at) => byte === b[at]);

/** All or nothing, and only over what was there when it was decided. */
const changeFiles = async (
  tree: FileTree,
  files: Extract<FileOperation, { kind: 'change' }>['files'],
): Promise<void> => {
  for (const [path, { before }] of files)
    if (!isSame(await tree.read(path), before))
      throw new FileError('busy', `${path} has changed since then. Nothing was written.`);
  const written: string[] = [];
  try {
    for (const [path, { after }] of files) {
      await tree.write(path, after);
      written.push(path);
    }
  } catch (thrown) {
    for (const path of written) await tree.write(path, files.get(path)?.before ?? new Uint8Array());
    throw thrown;
  }
};

/** The text inside the folder that was just renamed says its new name. */
const followName = async (
  tree: FileTree,
  { from, to, follow }: Extract<FileOperation, { kind: 'rename' }>,
): Promise<void> => {
  if (!follow) return;
  const path = joinPath(to, follow.file);
  const bytes = await tree.read(path);
  const text = bytes && decodeText(bytes);
  if (text === undefined) return;
  const changed = follow.rewrite(text, baseName(from), baseName(to));
  if (changed === text) return;
  try {
    await tree.write(path, encodeText(changed));
  } catch (thrown) {
    await tree.rename(to, from);
    throw thrown;
  }
};

const isThere = async (tree: FileTree, path: string): Promise<boolean> =>
  (await tree.size(path)) !== undefined || (await tree.list(path)) !== undefined;

/** The bytes of a file, or of everything in a folder. */
export const collectFiles = async (
  tree: FileTree,
  path: string,
): Promise<Result<ReadonlyMap<string, Uint8Array>, FileProblem>> => {
  const tooMuch = err<FileProblem>({
    code: 'failed',
    message: `${baseName(path)} is too large to delete with undo. Delete it in your file manager.`,
  });
  const own = await tree.read(path, MOST_BYTES);
  if (own) return ok(new Map([['', own]]));
  if ((await tree.size(path)) !== undefined) return tooMuch;
  const { files, isCut } = await walkTree(tree, path, { maxFiles: MOST_FILES });
  if (isCut) return tooMuch;
  const contents = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const file of files) {
    const content = await tree.read(file, MOST_BYTES);
    bytes += content?.length ?? Infinity;
    if (!content || bytes > MOST_BYTES) return tooMuch;
    contents.set(file.slice(path.length + 1), content);
  }
  return ok(contents);
};

/** Does it. Never replaces anything; where it fails half-way, what was made is taken away again. */
export const applyOperation = async (tree: FileTree, operation: FileOperation): Promise<void> => {
  switch (operation.kind) {
    case 'rename':
      await tree.rename(operation.from, operation.to);
      await followName(tree, operation);
      return;
    case 'change':
      await changeFiles(tree, operation.files);
      return;
    case 'remove':
      await tree.remove(operation.path);
      return;
    case 'create': {
      if (await isThere(tree, operation.path)) {
        throw new FileError('exists', `${operation.path} already exists. Choose another name.`);
      }
      const made: string[] = [];
      try {
        for (const [inside, content] of operation.files) {
          const path = joinPath(operation.path, inside);
          await tree.write(path, content);
          made.push(path);
        }
      } catch (thrown) {
        if (made.length > 0) await tree.remove(operation.path);
        throw thrown;
      }
    }
  }
};
