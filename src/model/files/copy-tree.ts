/** Copies files from one tree to another, with progress, and stops when asked to. SPEC.md WT. */
import { joinPath } from '../../base/paths.ts';
import { ok } from '../../base/result.ts';
import type { FileTree } from './file-tree.ts';
import { FileError } from './file-error.ts';
import { assertGoesOn, walkTree, type Walked } from './walk-tree.ts';
import { admitFiles, passedOver, type LeftOut } from './write-rules.ts';

export interface CopyProgress {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
}

export interface CopyOptions {
  /** Folder of the source; by default all of it. */
  readonly from?: string;
  /** Folder of the target; by default its root. */
  readonly to?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly pause?: () => Promise<void>;
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly skip?: ReadonlySet<string>;
  /** The source came from outside: only what may be written is copied. */
  readonly isForeign?: boolean;
}

export interface Copied {
  readonly files: number;
  readonly bytes: number;
  /** Links out of the source: left out. */
  readonly escaping: readonly string[];
  /** What may not be written, and folders that `skip` names. */
  readonly leftOut: readonly LeftOut[];
}

const AT_ONCE = 16;

/** What was copied before a failure or a cancel stays; anyone who made the target takes it away. */
export const copyTree = async (source: FileTree, target: FileTree, options: CopyOptions = {}): Promise<Copied> => {
  const { from = '', to = '', signal, onProgress, pause, maxFiles, maxBytes = Infinity } = options;
  const walked: Walked = await walkTree(source, from, {
    ...(signal && { signal }),
    ...(pause && { pause }),
    ...(maxFiles !== undefined && { maxFiles }),
    ...(options.skip && { skip: options.skip }),
  });
  if (walked.isCut) {
    throw new FileError('failed', `There are more than ${maxFiles} files. Choose a smaller folder.`);
  }
  const within = (path: string): string => (from === '' ? path : path.slice(from.length + 1));
  const wanted = new Map(walked.files.map((path) => [within(path), path]));
  const admitted = options.isForeign === true ? admitFiles(wanted) : ok({ files: wanted, leftOut: [] });
  if (!admitted.ok) throw new FileError('failed', admitted.error);
  const { files } = admitted.value;
  const leftOut = [...walked.skipped.map((path) => passedOver(within(path))), ...admitted.value.leftOut];
  const total = files.size;
  let [done, bytes] = [0, 0];
  const copyOne = async (inner: string, path: string): Promise<void> => {
    const content = await source.read(path);
    // Gone since it was listed.
    if (!content) return;
    bytes += content.length;
    if (bytes > maxBytes) {
      throw new FileError(
        'failed',
        `There is more than ${Math.floor(maxBytes / 1024 / 1024)} MB. Choose a smaller folder.`,
      );
    }
    await target.write(joinPath(to, inner), content);
    done++;
  };
  const open = files.entries();
  // Each takes the next file as soon as it is free: one slow file holds up no other.
  let hasFailed = false;
  const copySome = async (): Promise<void> => {
    for (const [inner, path] of open) {
      if (hasFailed) return;
      assertGoesOn(signal);
      await copyOne(inner, path);
      onProgress?.({ done, total, bytes });
      await pause?.();
    }
  };
  const copying = Array.from({ length: AT_ONCE }, async () => {
    try {
      await copySome();
    } catch (thrown) {
      hasFailed = true;
      throw thrown;
    }
  });
  // Ends when the last write has ended: anyone who takes the target away after a failure finds nothing that comes back.
  await Promise.allSettled(copying);
  await Promise.all(copying);
  assertGoesOn(signal);
  return { files: done, bytes, escaping: walked.escaping, leftOut };
};
