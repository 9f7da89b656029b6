/** Bodies that a recorder kept as they came: gzip. */
import { Gunzip } from 'fflate';

/** Bytes; a small body can unpack to a thousand times its size. */
const MOST = 8_000_000;
/** Packed bytes per step, so that little is unpacked beyond the bound. */
const STEP = 16 * 1024;

/** Nothing where it is damaged, cut, or larger than any answer. */
export const gunzipBounded = (packed: Uint8Array): Uint8Array | undefined => {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Gunzip((part) => {
    size += part.length;
    if (size <= MOST) parts.push(part);
  });
  try {
    for (let at = 0; at < packed.length; at += STEP) {
      stream.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
      if (size > MOST) return undefined;
    }
  } catch {
    // Damaged: what could be read of it proves nothing.
    return undefined;
  }
  // A gzip file ends with the size of what is in it.
  if (packed.length < 18 || new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true) !== size)
    return undefined;
  const whole = new Uint8Array(size);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
};
