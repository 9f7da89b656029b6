/** Archives: foreign ones are read with limits, ours are the same bytes for the same files. SPEC.md ZP. */
import { deflateSync, Deflate, Inflate, inflateSync } from 'fflate';
import { errorMessage } from '../../base/errors.ts';
import { baseName, joinPath } from '../../base/paths.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import { FileError } from '../../model/files/file-error.ts';
import { assertGoesOn, HEAVY_FOLDERS, walkTree } from '../../model/files/walk-tree.ts';
import type { LeftOut } from '../../model/files/write-rules.ts';
import {
  crc32,
  joinZip,
  readZipDirectory,
  ZIP_LIMITS,
  type PackedFile,
  type ZipEntry,
  type ZipLimits,
  type ZipProblem,
} from '../../model/files/zip-format.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { createMemoryTree, type MemoryTree } from './memory-tree.ts';
import { createPause } from './pause.ts';

export interface ZipOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly limits?: ZipLimits;
}

export interface ZipContents {
  readonly tree: MemoryTree;
  /** What systems add for themselves, and was skipped. */
  readonly skipped: readonly string[];
  /** What may not be written. */
  readonly leftOut: readonly LeftOut[];
}

/** Larger files are packed and unpacked in pieces, so that the page can draw in between. */
const IN_ONE_GO = 512 * 1024;
const PIECE = 64 * 1024;
type Pause = () => Promise<void>;

const damaged = (path: string): Result<never, ZipProblem> =>
  err({ code: 'damaged', message: `${JSON.stringify(path)} in the archive is damaged. Download it again.` });

/** Nothing if the bytes are not what the archive says: never more than it says is made. */
const unpack = async (entry: ZipEntry, pause: Pause): Promise<Uint8Array | undefined> => {
  const { packed, size, method } = entry;
  if (method === 'stored') return packed.length === size ? packed.slice() : undefined;
  const out = new Uint8Array(size);
  let at = 0;
  try {
    if (size <= IN_ONE_GO) {
      // One byte more than said, to notice that there is more.
      const made = inflateSync(packed, { out: new Uint8Array(size + 1) });
      return made.length === size ? made.slice() : undefined;
    }
    let isTooMuch = false;
    const stream = new Inflate((chunk) => {
      isTooMuch ||= at + chunk.length > size;
      if (!isTooMuch) out.set(chunk, at);
      at += chunk.length;
    });
    for (let start = 0; start < packed.length && !isTooMuch; start += PIECE) {
      stream.push(packed.subarray(start, start + PIECE), start + PIECE >= packed.length);
      await pause();
    }
    return !isTooMuch && at === size ? out : undefined;
  } catch (thrown) {
    if (thrown instanceof Error) return undefined;
    throw thrown;
  }
};

/** The files of an archive as a tree in memory. */
export const readZip = async (
  bytes: Uint8Array,
  name: string,
  { signal, onProgress, limits = ZIP_LIMITS }: ZipOptions = {},
): Promise<Result<ZipContents, ZipProblem>> => {
  const directory = readZipDirectory(bytes, limits);
  if (!directory.ok) return directory;
  const { files, skipped, leftOut } = directory.value;
  const pause = createPause();
  const contents = new Map<string, Uint8Array>();
  for (const entry of files) {
    if (signal?.aborted === true) return err({ code: 'cancelled', message: 'You canceled opening the archive.' });
    const content = await unpack(entry, pause);
    if (!content || crc32(content) !== entry.crc) return damaged(entry.path);
    contents.set(entry.path, content);
    onProgress?.({ done: contents.size, total: files.length });
    await pause();
  }
  return ok({ tree: createMemoryTree(contents, name), skipped, leftOut });
};

const deflate = async (content: Uint8Array, pause: Pause): Promise<Uint8Array> => {
  if (content.length <= IN_ONE_GO) return deflateSync(content, { level: 9 });
  const chunks: Uint8Array[] = [];
  const stream = new Deflate({ level: 6 }, (chunk) => void chunks.push(chunk));
  for (let start = 0; start < content.length; start += PIECE) {
    stream.push(content.subarray(start, start + PIECE), start + PIECE >= content.length);
    await pause();
  }
  const packed = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    packed.set(chunk, at);
    at += chunk.length;
  }
  return packed;
};

const isScript = (content: Uint8Array): boolean => content[0] === 0x23 && content[1] === 0x21;

/** An archive of a folder, which is in it by its own name; the root goes in without one. */
export const writeZip = async (
  tree: FileTree,
  folder: string,
  { signal, onProgress, limits = ZIP_LIMITS }: ZipOptions = {},
): Promise<Result<Uint8Array, ZipProblem>> => {
  const pause = createPause();
  try {
    const walked = await walkTree(tree, folder, {
      ...(signal && { signal }),
      pause,
      skip: HEAVY_FOLDERS,
      maxFiles: limits.maxFiles,
    });
    if (walked.isCut) {
      return err({
        code: 'too-large',
        message: `There are more than ${limits.maxFiles} files. Export a smaller folder.`,
      });
    }
    const packedFiles: PackedFile[] = [];
    let size = 0;
    for (const path of walked.files) {
      assertGoesOn(signal);
      const content = await tree.read(path);
      // Gone since it was listed.
      if (!content) continue;
      size += content.length;
      if (size > limits.maxBytes) {
        return err({
          code: 'too-large',
          message: `There is more than ${Math.floor(limits.maxBytes / 1024 / 1024)} MB. Export a smaller folder.`,
        });
      }
      const deflated = await deflate(content, pause);
      const isWorth = deflated.length < content.length;
      packedFiles.push({
        path: folder === '' ? path : joinPath(baseName(folder), path.slice(folder.length + 1)),
        method: isWorth ? 'deflated' : 'stored',
        packed: isWorth ? deflated : content,
        size: content.length,
        crc: crc32(content),
        isExecutable: isScript(content),
      });
      onProgress?.({ done: packedFiles.length, total: walked.files.length });
      await pause();
    }
    return ok(joinZip(packedFiles.toSorted((a, b) => compareCodePoints(a.path, b.path))));
  } catch (thrown) {
    if (thrown instanceof FileError) {
      const code = thrown.code === 'cancelled' ? 'cancelled' : 'damaged';
      return err({ code, message: code === 'cancelled' ? 'You canceled the export.' : errorMessage(thrown) });
    }
    throw thrown;
  }
};
