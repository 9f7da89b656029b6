/** A folder while it is read as a whole: each folder is listed once and each file is read once, however many ask. SPEC.md RDO. */
import type { FileTree } from './file-tree.ts';
import type { KeptFile, KeptFolder, KeptLists } from './kept-folder.ts';

export interface ReadOnceOptions {
  /** What is known already is not asked for. */
  readonly known?: KeptFolder;
  /** What is below the tree on disk: everything is read there until `end`, so that it can be kept with its times. */
  readonly disk?: FileTree;
}

export interface ReadOnce {
  /** Writes go to the tree below; what was read stays as it was until `end`. */
  readonly tree: FileTree;
  /** What was read so far, with its times. Nothing where the tree cannot tell them, or where it is too much to keep. */
  readonly kept: () => Promise<KeptFolder | undefined>;
  /** From now on everything is asked of the tree below again. */
  readonly end: () => void;
}

/** Bytes; a larger folder is read again each time. */
const MOST_KEPT = 32_000_000;

/** What was read of files, beside when it was written. */
const createRecord = (tree: FileTree, disk: FileTree | undefined) => {
  const below = disk ?? tree;
  const files = new Map<string, KeptFile | undefined>();
  let bytes = 0;
  const put = (path: string, file: KeptFile | undefined): void => {
    bytes += file?.content?.length ?? 0;
    if (bytes > MOST_KEPT) files.clear();
    else files.set(path, file);
  };
  const { readWithStat, stat } = below;
  const isPossible = disk !== undefined && readWithStat !== undefined && stat !== undefined;
  return {
    files: () => (isPossible && bytes <= MOST_KEPT ? files : undefined),
    read: async (path: string, limit?: number): Promise<Uint8Array | undefined> => {
      if (!isPossible) return below.read(path, limit);
      const found = await readWithStat(path, limit);
      // With a limit, nothing may also mean that it is too large.
      if (found) put(path, { ...found.stat, content: found.content });
      else if (limit === undefined) put(path, undefined);
      return found?.content;
    },
    size: async (path: string): Promise<number | undefined> => {
      if (!isPossible) return below.size(path);
      const found = await stat(path);
      put(path, found);
      return found?.size;
    },
  };
};

export const createReadOnce = (below: FileTree, { known, disk }: ReadOnceOptions = {}): ReadOnce => {
  let isOver = false;
  const record = createRecord(below, disk);
  const kept = <Answer>(ask: (path: string) => Promise<Answer>) => {
    const answers = new Map<string, Promise<Answer>>();
    return {
      answers,
      of: (path: string): Promise<Answer> => {
        const answer = answers.get(path) ?? ask(path);
        answers.set(path, answer);
        return answer;
      },
    };
  };
  const lists = kept((path) =>
    known?.lists.has(path) ? Promise.resolve(known.lists.get(path)) : (disk ?? below).list(path),
  );
  const sizes = kept(record.size);
  const reads = kept((path) => record.read(path));
  /** What is known of a file from before: nothing, that none exists, or what it holds. */
  const knownFile = (path: string): { readonly file: KeptFile | undefined } | undefined =>
    known?.files.has(path) === true ? { file: known.files.get(path) } : undefined;

  const size = async (path: string): Promise<number | undefined> => {
    const before = knownFile(path);
    return before ? before.file?.size : ((await reads.answers.get(path))?.length ?? sizes.of(path));
  };
  const read = async (path: string, limit?: number): Promise<Uint8Array | undefined> => {
    const before = knownFile(path);
    if (before && (!before.file || (limit !== undefined && before.file.size > limit))) return undefined;
    if (before?.file?.content) return before.file.content.slice();
    // A part of what may be large is not kept: it may be asked for whole later.
    if (limit !== undefined && !reads.answers.has(path)) return record.read(path, limit);
    const content = await reads.of(path);
    return content && limit !== undefined && content.length > limit ? undefined : content;
  };
  // These would go past what is known.
  const { readWithStat: _one, listAndRead: _two, ...others } = below;
  return {
    tree: {
      ...others,
      list: (path) => (isOver ? below.list(path) : lists.of(path)),
      size: (path) => (isOver ? below.size(path) : size(path)),
      read: (path, limit) => (isOver ? below.read(path, limit) : read(path, limit)),
    },
    kept: async () => {
      const files = record.files();
      if (!files) return undefined;
      const seen: KeptLists = new Map(
        await Promise.all([...lists.answers].map(async ([path, answer]) => [path, await answer] as const)),
      );
      return { lists: seen, files: new Map([...(known?.files ?? []), ...files]) };
    },
    end: () => {
      isOver = true;
      for (const { answers } of [lists, sizes, reads]) answers.clear();
    },
  };
};
