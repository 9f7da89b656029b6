/** A tar archive from outside: which files may be taken from it. Everything is judged before a byte is written. SPEC.md TA. */
import { ok, type Result } from '../../base/result.ts';
import { readTar } from './tar-format.ts';
import { admitFiles, pathFault, shownPath, type LeftOut } from './write-rules.ts';
import { archiveProblem, isClutter, ZIP_LIMITS, type ZipLimits, type ZipProblem } from './zip-format.ts';

export interface TarContents {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What systems add for themselves, and was skipped. */
  readonly skipped: readonly string[];
  /** What may not be written. */
  readonly leftOut: readonly LeftOut[];
}

const MB = 1024 * 1024;
const MAGIC_AT = 257;

/** Whether the bytes start like a tar archive; older ones have no such mark and go by their name. */
export const isTar = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(MAGIC_AT, MAGIC_AT + 5)) === 'ustar';

/** Programs write `./notes/SKILL.md` for `notes/SKILL.md`. */
const withoutDot = (name: string): string => name.replace(/^(?:\.\/)+/, '');

export const readTarFiles = (bytes: Uint8Array, limits: ZipLimits = ZIP_LIMITS): Result<TarContents, ZipProblem> => {
  if (bytes.length > limits.maxBytes + limits.maxFiles * 1024)
    return archiveProblem('too-large', `The archive is larger than ${Math.floor(limits.maxBytes / MB)} MB.`);
  const archive = readTar(bytes, limits.maxFiles);
  if (!archive.ok) return archiveProblem('damaged', `${archive.error}. Download the archive again.`);
  const { entries, left } = archive.value;
  const [link] = left;
  if (link !== undefined)
    return archiveProblem('unsafe', `${shownPath(link)} is a link or a device, which Lathe doesn’t unpack.`);
  const files = new Map<string, Uint8Array>();
  const skipped: string[] = [];
  let size = 0;
  for (const { name, kind, content } of entries) {
    const path = withoutDot(name.replaceAll('\\', '/')).replace(/\/$/, '');
    // The folder itself.
    if (kind === 'folder' && (path === '' || path === '.')) continue;
    const fault = pathFault(path);
    if (fault !== undefined) return archiveProblem('unsafe', `${fault} Lathe refuses the archive.`);
    if (kind === 'folder') continue;
    if (isClutter(path)) {
      skipped.push(path);
      continue;
    }
    size += content.length;
    if (content.length > limits.maxFileBytes || size > limits.maxBytes)
      return archiveProblem(
        'too-large',
        `${shownPath(path)} makes the archive larger than Lathe opens: ${Math.floor(limits.maxFileBytes / MB)} MB for a file, ${Math.floor(limits.maxBytes / MB)} MB in all.`,
      );
    if (files.has(path)) return archiveProblem('unsafe', `${shownPath(path)} is in the archive twice. Pack it again.`);
    files.set(path, content);
  }
  const admitted = admitFiles(files);
  if (!admitted.ok) return archiveProblem('unsafe', admitted.error);
  return ok({ files: admitted.value.files, skipped, leftOut: admitted.value.leftOut });
};
