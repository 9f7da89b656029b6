/** Bodies that a recorder kept as they came: gzip and deflate are unpacked, anything else that is no text is said to be packed. */
import { Gunzip, Unzlib } from 'fflate';

/** Bytes; a small body can unpack to a thousand times its size. */
const MOST = 8_000_000;
/** Packed bytes per step, so that little is unpacked beyond the bound. */
const STEP = 16 * 1024;

type Unpacker = new (take: (part: Uint8Array) => void) => { push: (part: Uint8Array, isLast: boolean) => void };

/** Nothing where it is damaged, cut, or larger than any answer. */
const unpackBounded = (packed: Uint8Array, Unpack: Unpacker): Uint8Array | undefined => {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Unpack((part) => {
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
  const whole = new Uint8Array(size);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
};

/** A gzip file ends with the size of what is in it. */
const gunzipBounded = (packed: Uint8Array): Uint8Array | undefined => {
  const whole = unpackBounded(packed, Gunzip);
  if (!whole || packed.length < 18) return undefined;
  const size = new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true);
  return size === whole.length ? whole : undefined;
};

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;
/** Its two bytes are a multiple of 31, which no text of a request or an answer begins with. */
const isZlib = ([first = 0, second = 0]: Uint8Array): boolean => first === 0x78 && (first * 256 + second) % 31 === 0;

/** A character has up to four bytes, and recorders cut long strings inside of one. */
const MOST_CUT = 3;

/** Undefined: packed in another way, damaged, or larger than any answer. */
export const textOfBytes = (bytes: Uint8Array): string | undefined => {
  const plain = isGzip(bytes) ? gunzipBounded(bytes) : isZlib(bytes) ? unpackBounded(bytes, Unzlib) : bytes;
  for (let cut = 0; plain && cut <= MOST_CUT; cut += 1)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(plain.subarray(0, plain.length - cut));
    } catch {
      // The end is tried again without its last byte.
    }
  return undefined;
};
