/** Archives of every kind that people hand over, by their content: zip, tar, and tar with gzip. SPEC.md ARC. */
import { joinPath } from '../../base/paths.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { archiveTitle } from '../../model/files/archive-names.ts';
import type { ReceivedSkill } from '../../model/files/share-link.ts';
import { isTar, readTarFiles } from '../../model/files/tar-archive.ts';
import { ZIP_LIMITS, type ZipProblem } from '../../model/files/zip-format.ts';
import { gunzipBounded, isGzip } from './gunzip.ts';
import { createMemoryTree } from './memory-tree.ts';
import { createPause } from './pause.ts';
import { readZip, type ZipContents, type ZipOptions } from './zip.ts';

/** Whether the bytes look like an archive of one of these kinds. */
export const isArchive = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x50 && bytes[1] === 0x4b) || isGzip(bytes) || isTar(bytes);

/** The files of an archive as a tree in memory. */
export const readArchive = async (
  bytes: Uint8Array,
  fileName: string,
  options: ZipOptions = {},
): Promise<Result<ZipContents, ZipProblem>> => {
  const { limits = ZIP_LIMITS } = options;
  const title = archiveTitle(fileName);
  const isPacked = isGzip(bytes);
  const plain = isPacked ? await gunzipBounded(bytes, limits, createPause()) : ok(bytes);
  if (!plain.ok) return plain;
  if (!isPacked && !isTar(bytes) && !/\.tar$/i.test(fileName)) return readZip(bytes, title, options);
  const read = readTarFiles(plain.value, limits);
  if (!read.ok) return read;
  const { files, skipped, leftOut } = read.value;
  return ok({ tree: createMemoryTree(files, title), skipped, leftOut });
};

/**
 * The one skill of a `.skill` file (or another archive like it): a folder with a SKILL.md, or a SKILL.md at the top, whose folder is
 * then called like the archive.
 */
export const readSkillArchive = async (
  bytes: Uint8Array,
  fileName: string,
  options: ZipOptions = {},
): Promise<Result<ReceivedSkill, ZipProblem>> => {
  const title = archiveTitle(fileName) || 'skill';
  const read = await readArchive(bytes, fileName, options);
  if (!read.ok) return read;
  const { leftOut } = read.value;
  const { files } = read.value.tree;
  if (files.has('SKILL.md')) return ok({ name: title, files, leftOut });
  const tops = new Set([...files.keys()].map((path) => path.slice(0, Math.max(0, path.indexOf('/')))));
  const [top = ''] = tops;
  if (tops.size !== 1 || !files.has(joinPath(top, 'SKILL.md'))) {
    return err({
      code: 'unsupported',
      message: 'A .skill file holds one folder with a SKILL.md in it. To open an archive with more, use Open zip.',
    });
  }
  return ok({
    name: top,
    leftOut,
    files: new Map([...files].map(([path, content]) => [path.slice(top.length + 1), content])),
  });
};
