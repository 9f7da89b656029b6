/** What a folder was when it was read, and what of it is still so. SPEC.md KF. */
import { mapBounded } from '../../base/bounded.ts';
import { statOf, type FileStat, type FileTree, type TreeEntry } from './file-tree.ts';

export interface KeptFile extends FileStat {
  /** Absent where only the size was asked for. */
  readonly content?: Uint8Array;
}

/** By path; nothing where there was no such folder. */
export type KeptLists = ReadonlyMap<string, readonly TreeEntry[] | undefined>;

export interface KeptFolder {
  readonly lists: KeptLists;
  /** By path; nothing where there was no such file. */
  readonly files: ReadonlyMap<string, KeptFile | undefined>;
}

export interface CheckedFolder {
  /** Nothing was added, removed, or written since. */
  readonly isSame: boolean;
  /** Folders as they are now, and the files that did not change. */
  readonly known: KeptFolder;
}

/** Folders and files are asked for this many at a time. */
const AT_ONCE = 32;

const signOf = (entries: readonly TreeEntry[] | undefined): string =>
  entries
    ? entries
        .map(({ name, kind, escapes = false, target = '' }) => `${kind}${String(escapes)}\0${name}\0${target}`)
        .toSorted()
        .join('\0\0')
    : 'none';

/** A time that is as new as the reading says nothing: the file may have been written again within the same tick of its clock. */
const TICK = 2000;

/** Without files that were written while they were read, or just before. `startedAt` is when reading began. */
export const trusted = ({ lists, files }: KeptFolder, startedAt: number): KeptFolder => ({
  lists,
  files: new Map([...files].filter(([, file]) => (file?.modifiedAt ?? 0) < startedAt - TICK)),
});

/** Lists every folder and asks every file for its size and time; reads nothing. */
export const checkKept = async (
  tree: FileTree,
  kept: KeptFolder,
  { signal, pause }: { readonly signal?: AbortSignal; readonly pause?: () => Promise<void> } = {},
): Promise<CheckedFolder> => {
  let isSame = true;
  const lists = await mapBounded([...kept.lists], AT_ONCE, async ([path, before]) => {
    signal?.throwIfAborted();
    const now = await tree.list(path);
    if (signOf(now) !== signOf(before)) isSame = false;
    await pause?.();
    return [path, now] as const;
  });
  const files = await mapBounded([...kept.files], AT_ONCE, async ([path, before]) => {
    signal?.throwIfAborted();
    const now = await statOf(tree, path);
    const isKnown =
      before === undefined
        ? now === undefined
        : now?.size === before.size && now.modifiedAt !== undefined && now.modifiedAt === before.modifiedAt;
    if (!isKnown) isSame = false;
    await pause?.();
    return isKnown ? ([path, before] as const) : undefined;
  });
  return { isSame, known: { lists: new Map(lists), files: new Map(files.filter((file) => file !== undefined)) } };
};
