/** What a gzip file has, up to the limits of archives: a small one can unpack to a thousand times its size. SPEC.md ARC. */
import { Gunzip } from 'fflate';
import { ok, type Result } from '../../base/result.ts';
import { archiveProblem, type ZipLimits, type ZipProblem } from '../../model/files/zip-format.ts';

/** Input that is unpacked in one step: even as dense as can be, its content fits beside the rest. */
const SLICE = 16 * 1024;
const MB = 1024 * 1024;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const damaged = (): Result<never, ZipProblem> =>
  archiveProblem('damaged', 'The archive is cut off or damaged. Download it again.');

export const gunzipBounded = async (
  packed: Uint8Array,
  limits: ZipLimits,
  pause: () => Promise<void>,
): Promise<Result<Uint8Array, ZipProblem>> => {
  // An archive of empty files is larger than its files.
  const most = limits.maxBytes + limits.maxFiles * 1024;
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Gunzip((part) => {
    size += part.length;
    if (size <= most) parts.push(part);
  });
  try {
    for (let at = 0; at < packed.length; at += SLICE) {
      stream.push(packed.subarray(at, at + SLICE), at + SLICE >= packed.length);
      if (size > most)
        return archiveProblem('too-large', `The archive unpacks to more than ${Math.floor(limits.maxBytes / MB)} MB.`);
      // Zeros between the files of a tar archive shrink to nothing: four times what a zip may.
      if (size > limits.ratioFrom && size > packed.length * limits.maxRatio * 4)
        return archiveProblem(
          'too-large',
          'The archive unpacks to far more than it should, as if made to fill a disk.',
        );
      await pause();
    }
  } catch (thrown) {
    if (thrown instanceof Error) return damaged();
    throw thrown;
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return ok(whole);
};
