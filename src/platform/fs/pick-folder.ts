/** The ways in which a person hands the page a folder: the picker, a drop, an upload. */
import { errorName, isAbort } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { isArchiveName } from '../../model/files/archive-names.ts';
import { createUploadTree, type UploadedFile } from './upload-tree.ts';

export interface PickProblem {
  readonly code: 'cancelled' | 'unsupported' | 'refused' | 'nothing';
  readonly message: string;
}

export type PickerWindow = Pick<Window, 'showDirectoryPicker'>;

export const canPickFolders = (host: PickerWindow): boolean => typeof host.showDirectoryPicker === 'function';

/** Call it inside a click. Asks for reading only: writing is asked for at the first save. */
export const pickFolder = async (
  host: PickerWindow,
  options: { readonly id: string },
): Promise<Result<FileSystemDirectoryHandle, PickProblem>> => {
  if (!host.showDirectoryPicker) {
    return err({
      code: 'unsupported',
      message: 'This browser can’t open folders in place. Use a Chromium browser for that, such as Chrome or Edge.',
    });
  }
  try {
    return ok(await host.showDirectoryPicker({ id: options.id, mode: 'read' }));
  } catch (thrown) {
    if (isAbort(thrown)) return err({ code: 'cancelled', message: 'No folder was chosen.' });
    if (errorName(thrown) === 'SecurityError' || errorName(thrown) === 'NotAllowedError') {
      return err({
        code: 'refused',
        message:
          'The browser didn’t show the folder picker. Select Open folder again. If Lathe is inside a frame, open it in its own tab.',
      });
    }
    throw thrown;
  }
};

export type Dropped =
  | { readonly kind: 'folder'; readonly handle: FileSystemDirectoryHandle }
  /** Read only. */
  | { readonly kind: 'tree'; readonly tree: FileTree }
  | { readonly kind: 'archive'; readonly file: File };

const asFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });

/** `readEntries` gives a part of the folder at each call, and nothing at the end. */
const readAll = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
};

const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

interface EntryFile extends UploadedFile {
  readonly open: () => Promise<File>;
}

/** All files below an entry of the older kind, without reading them. */
const filesBelow = async (top: FileSystemDirectoryEntry): Promise<EntryFile[]> => {
  const files: EntryFile[] = [];
  const open: [FileSystemDirectoryEntry, string][] = [[top, '']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [folder, prefix] = next;
    for (const entry of await readAll(folder)) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (isFolderEntry(entry)) open.push([entry, path]);
      else if (isFileEntry(entry)) files.push({ path, open: () => asFile(entry) });
    }
  }
  return files;
};

type DroppedItem = Pick<DataTransferItem, 'kind' | 'getAsFile' | 'webkitGetAsEntry' | 'getAsFileSystemHandle'>;

/** What was taken of a drop while its event lasted. */
interface Taken {
  readonly file: File | null;
  readonly handle: Promise<FileSystemHandle | null> | undefined;
  readonly entry: FileSystemEntry | null;
}

/**
 * The first folder, or else the first archive, of a drop. The items are valid only while the event is handled, so everything is
 * taken from them before the first `await`: call it directly in the handler.
 */
export const takeDropped = (items: Iterable<DroppedItem>): Promise<Result<Dropped, PickProblem>> => {
  const taken: Taken[] = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({
      file: item.getAsFile(),
      handle: item.getAsFileSystemHandle?.(),
      entry: item.getAsFileSystemHandle ? null : item.webkitGetAsEntry(),
    }));
  return resolveTaken(taken);
};

const resolveTaken = async (taken: readonly Taken[]): Promise<Result<Dropped, PickProblem>> => {
  // All of them are waited for: one that failed must not be lost as an unhandled rejection.
  const handles = await Promise.allSettled(taken.map(({ handle }) => handle ?? Promise.resolve(null)));
  const failed = handles.find((result) => result.status === 'rejected');
  for (const result of handles) {
    const handle = result.status === 'fulfilled' ? result.value : undefined;
    if (handle?.kind === 'directory') return ok({ kind: 'folder', handle: handle as FileSystemDirectoryHandle });
  }
  for (const { entry } of taken) {
    if (entry && isFolderEntry(entry)) {
      return ok({ kind: 'tree', tree: createUploadTree(entry.name, await filesBelow(entry)) });
    }
  }
  for (const { file } of taken) if (file && isArchiveName(file.name)) return ok({ kind: 'archive', file });
  if (failed) {
    return err({
      code: 'refused',
      message: `The browser didn’t share the dropped items: ${String(failed.reason)}. Use Open folder.`,
    });
  }
  return err({ code: 'nothing', message: 'Drop a folder, or a .zip, .skill, .tar, or .tar.gz file.' });
};

export interface DroppedFile {
  /** With the folders that it was dropped in. */
  readonly name: string;
  readonly file: File;
}

/** Every file of a drop, those below its folders too. As with `takeDropped`, the items are valid only while the event is handled. */
export const droppedFiles = (
  items: Iterable<Pick<DataTransferItem, 'kind' | 'getAsFile' | 'webkitGetAsEntry'>>,
): Promise<readonly DroppedFile[]> => {
  const taken = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry() }));
  return filesOf(taken);
};

const filesOf = async (taken: readonly Omit<Taken, 'handle'>[]): Promise<readonly DroppedFile[]> => {
  const files: DroppedFile[] = [];
  for (const { file, entry } of taken) {
    if (entry && isFolderEntry(entry))
      for (const { path, open } of await filesBelow(entry))
        files.push({ name: `${entry.name}/${path}`, file: await open() });
    else if (file) files.push({ name: file.name, file });
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
};
