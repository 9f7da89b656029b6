/** Goes through a folder without reading a file: many at a time, with progress, and stops when asked to. SPEC.md WT. */
import { joinPath } from '../../base/paths.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { FileTree } from './file-tree.ts';
import { FileError } from './file-error.ts';

export interface WalkProgress {
  readonly files: number;
  readonly folders: number;
}

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Called now and then, and once at the end. */
  readonly onProgress?: (progress: WalkProgress) => void;
  /** Lets the page draw; called between two batches. */
  readonly pause?: () => Promise<void>;
  /** By default a million. */
  readonly maxFiles?: number;
  /** Folders that are skipped, by name. */
  readonly skip?: ReadonlySet<string>;
}

export interface Walked {
  /** Sorted by code point. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Links that leave the folder: listed, never followed. */
  readonly escaping: readonly string[];
  /** Folders that `skip` names. */
  readonly skipped: readonly string[];
  /** There were more files than `maxFiles`. */
  readonly isCut: boolean;
}

export const HEAVY_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const AT_ONCE = 32;
const MOST_FILES = 1_000_000;
const noPause = (): Promise<void> => Promise.resolve();

export const assertGoesOn = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted === true) throw new FileError('cancelled', 'It was canceled.');
};

/** Everything below `top`. A link to a folder inside the tree is not followed: what it leads to is found by its own name. */
export const walkTree = async (tree: FileTree, top = '', options: WalkOptions = {}): Promise<Walked> => {
  const { signal, onProgress, pause = noPause, maxFiles = MOST_FILES, skip = new Set<string>() } = options;
  const files: string[] = [];
  const folders: string[] = [];
  const escaping: string[] = [];
  const skipped: string[] = [];
  const open = [top];
  let next = 0;
  let isCut = false;
  while (next < open.length && !isCut) {
    assertGoesOn(signal);
    const batch = open.slice(next, next + AT_ONCE);
    next += batch.length;
    const listings = await Promise.all(batch.map((folder) => tree.list(folder)));
    for (const [index, entries] of listings.entries()) {
      for (const entry of entries ?? []) {
        const path = joinPath(batch[index] ?? '', entry.name);
        if (entry.escapes === true) escaping.push(path);
        else if (entry.kind === 'file') files.push(path);
        else if (entry.target === undefined && skip.has(entry.name)) skipped.push(path);
        else if (entry.target === undefined) {
          folders.push(path);
          open.push(path);
        }
      }
    }
    isCut = files.length > maxFiles;
    onProgress?.({ files: Math.min(files.length, maxFiles), folders: folders.length });
    await pause();
  }
  assertGoesOn(signal);
  return {
    files: files.toSorted(compareCodePoints).slice(0, maxFiles),
    folders: folders.toSorted(compareCodePoints),
    escaping: escaping.toSorted(compareCodePoints),
    skipped: skipped.toSorted(compareCodePoints),
    isCut,
  };
};
