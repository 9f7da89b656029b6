/**
 * How much of one content is found again in another, as git counts it: both are cut into lines (of 64 bytes at most), and
 * the bytes of equal pieces are added up. 60,000 is everything.
 */
import { isBinary } from './unified-diff.ts';

export const WHOLE = 60_000;

const MOST_BYTES = 64;
const BUCKETS = 107_927;

/** Bytes per kind of piece. A last line without an end does not count. */
export type Pieces = ReadonlyMap<number, number>;

export const piecesOf = (bytes: Uint8Array): Pieces => {
  const isText = !isBinary(bytes);
  const pieces = new Map<number, number>();
  let [first, second, length] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isText && byte === 13 && bytes[at + 1] === 10) continue;
    const before = first;
    first = (((first << 7) ^ (second >>> 25)) + byte) >>> 0;
    second = ((second << 7) ^ (before >>> 25)) >>> 0;
    if (++length < MOST_BYTES && byte !== 10) continue;
    const bucket = ((first + Math.imul(second, 0x61)) >>> 0) % BUCKETS;
    pieces.set(bucket, (pieces.get(bucket) ?? 0) + length);
    [first, second, length] = [0, 0, 0];
  }
  return pieces;
};

/** Whether two sizes alone rule out that so much is the same. */
export const isTooDifferent = (size: number, other: number, least: number): boolean => {
  const most = Math.max(size, other);
  return most * (WHOLE - least) < (most - Math.min(size, other)) * WHOLE;
};

export const similarityOf = (
  before: Pieces,
  after: Pieces,
  sizes: readonly [before: number, after: number],
): number => {
  if (sizes[1] === 0) return 0;
  let copied = 0;
  for (const [bucket, length] of before) copied += Math.min(length, after.get(bucket) ?? 0);
  return Math.floor((copied * WHOLE) / Math.max(...sizes));
};
