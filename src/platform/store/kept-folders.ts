/** What large folders were when they were read last, so that a second opening shows them immediately. Only a copy: whatever is odd is nothing. */
import type { KeptFile, KeptFolder } from '../../model/files/kept-folder.ts';
import type { TreeEntry } from '../../model/files/file-tree.ts';
import type { Storage } from './storage.ts';

export interface KeptFolders {
  readonly get: (folder: string) => Promise<KeptFolder | undefined>;
  readonly put: (folder: string, kept: KeptFolder) => Promise<void>;
}

/** Of the index. A row of another version is skipped, and written again by the next opening. */
const VERSION = 1;
/** The least recently opened go. */
const MOST_FOLDERS = 4;

/** Path, size, time, and how many bytes of the content are its own; only the path where there was no such file. */
type FileRow = readonly [path: string, size?: number, modifiedAt?: number, length?: number];

/** By hand: a schema takes ten times as long for 10,000 rows, in one task of the page. */
const isEntry = (value: unknown): value is TreeEntry => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, kind, escapes, target } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    (kind === 'file' || kind === 'folder') &&
    (escapes === undefined || escapes === true) &&
    (target === undefined || typeof target === 'string')
  );
};
const isListRow = (value: unknown): value is readonly [string, readonly TreeEntry[] | null] =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  (value[1] === null || (Array.isArray(value[1]) && value[1].every(isEntry)));
const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isFileRow = (value: unknown): value is FileRow =>
  Array.isArray(value) && typeof value[0] === 'string' && value.length !== 2 && value.slice(1).every(isCount);

const readIndex = (text: string) => {
  const index: unknown = JSON.parse(text);
  const { version, lists, files } = index as Record<string, unknown>;
  if (version !== VERSION || !Array.isArray(lists) || !Array.isArray(files)) throw new Error('another version');
  if (!lists.every(isListRow) || !files.every(isFileRow)) throw new Error('a row isn’t a folder');
  return { lists, files };
};

const pack = ({ lists, files }: KeptFolder): { readonly index: string; readonly content: Uint8Array<ArrayBuffer> } => {
  const content = new Uint8Array([...files.values()].reduce((sum, file) => sum + (file?.content?.length ?? 0), 0));
  let end = 0;
  const packed = [...files].map(([path, file]): FileRow => {
    if (!file) return [path];
    const { size, modifiedAt = 0 } = file;
    if (!file.content) return [path, size, modifiedAt];
    content.set(file.content, end);
    end += file.content.length;
    return [path, size, modifiedAt, file.content.length];
  });
  const listed = [...lists].map(([path, entries]): readonly [string, readonly TreeEntry[] | null] => [
    path,
    entries ?? null,
  ]);
  return { index: JSON.stringify({ version: VERSION, lists: listed, files: packed }), content };
};

/** Throws on what is none. */
const unpack = (index: string, content: Uint8Array): KeptFolder => {
  const { lists, files } = readIndex(index);
  let end = 0;
  const fileOf = ([, size, modifiedAt, length]: FileRow): KeptFile | undefined => {
    if (size === undefined || modifiedAt === undefined) return undefined;
    if (length === undefined) return { size, modifiedAt };
    const start = end;
    end += length;
    if (end > content.length) throw new Error('the content is shorter than its index says');
    return { size, modifiedAt, content: content.subarray(start, end) };
  };
  return {
    lists: new Map(lists.map(([path, entries]) => [path, entries ?? undefined])),
    files: new Map(files.map((file) => [file[0], fileOf(file)])),
  };
};

export const createKeptFolders = (storage: Storage, now: () => number): KeptFolders => ({
  get: async (folder) => {
    const row = await storage.get('kept', [folder]);
    if (!row) return undefined;
    try {
      return unpack(row.index, row.content);
    } catch {
      // Of another version, or damaged: the folder is read as if for the first time.
      return undefined;
    }
  },
  put: async (folder, kept) => {
    const known = (await storage.list('kept'))
      .filter((row) => row.folder !== folder)
      .toSorted((a, b) => b.savedAt - a.savedAt);
    await storage.write([
      ...known.slice(MOST_FOLDERS - 1).map((row) => ({ kind: 'delete', table: 'kept', key: [row.folder] }) as const),
      { kind: 'put', table: 'kept', row: { folder, savedAt: now(), ...pack(kept) } },
    ]);
  },
});
