/** Sizes of images, from the head of their data: what an image costs depends on its pixels, not on its bytes. */
import { bytesOfBase64 } from '../../base/base64.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The beginnings of PNG, JPEG, GIF and WebP in base64. Some writers escape the slash. */
const IMAGE_DATA = /(?:"data"\s*:\s*"|;base64,)(?=iVBORw0KGgo|\\?\/9j\\?\/|R0lGOD|UklGR)/g;

/** In characters; a JPEG may hold a preview of itself before its size. */
const HEAD = 100_000;

const at16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
const at16Reversed = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
const at24Reversed = (bytes: Uint8Array, at: number): number => at16Reversed(bytes, at) | ((bytes[at + 2] ?? 0) << 16);

const sizeOf = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined;

/** Segments of a JPEG follow each other until the one with its size. */
const jpegSize = (bytes: Uint8Array): Size | undefined => {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + Math.max(2, at16(bytes, at + 2))) {
    const kind = bytes[at + 1] ?? 0;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return sizeOf(at16(bytes, at + 7), at16(bytes, at + 5));
  }
  return undefined;
};

const webpSize = (bytes: Uint8Array): Size | undefined => {
  switch (String.fromCharCode(...bytes.subarray(12, 16))) {
    case 'VP8X':
      return sizeOf(at24Reversed(bytes, 24) + 1, at24Reversed(bytes, 27) + 1);
    case 'VP8 ':
      return sizeOf(at16Reversed(bytes, 26) & 0x3fff, at16Reversed(bytes, 28) & 0x3fff);
    case 'VP8L': {
      const bits = (at24Reversed(bytes, 21) | ((bytes[24] ?? 0) << 24)) >>> 0;
      return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    default:
      return undefined;
  }
};

const imageSize = (bytes: Uint8Array): Size | undefined => {
  switch (bytes[0]) {
    case 0x89:
      return at16(bytes, 16) + at16(bytes, 20) === 0 ? sizeOf(at16(bytes, 18), at16(bytes, 22)) : undefined;
    case 0xff:
      return jpegSize(bytes);
    case 0x47:
      return sizeOf(at16Reversed(bytes, 6), at16Reversed(bytes, 8));
    default:
      return webpSize(bytes);
  }
};

/** Of the images whose data is in a block's JSON, as far as their heads can be read. */
export const imageSizes = (json: string): readonly Size[] =>
  [...json.matchAll(IMAGE_DATA)].flatMap(({ index, 0: { length } }) => {
    const start = index + length;
    const close = json.indexOf('"', start);
    const end = Math.min(close === -1 ? json.length : close, start + HEAD);
    return imageSize(bytesOfBase64(json.slice(start, end))) ?? [];
  });
