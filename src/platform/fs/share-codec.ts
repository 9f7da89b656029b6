/** What packs a shared link. */
import { deflateSync, Inflate } from 'fflate';
import type { ShareCodec } from '../../model/files/share-link.ts';

const PIECE = 4096;

export const shareCodec: ShareCodec = {
  deflate: (bytes) => deflateSync(bytes, { level: 9 }),
  inflate: (bytes, limit) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    let isWhole = false;
    const stream = new Inflate((chunk, final) => {
      chunks.push(chunk);
      length += chunk.length;
      isWhole = final;
    });
    try {
      // In small pieces: a link that unpacks to far too much is left after the first of them.
      for (let start = 0; start < bytes.length && length <= limit; start += PIECE) {
        stream.push(bytes.subarray(start, start + PIECE), start + PIECE >= bytes.length);
      }
    } catch (thrown) {
      if (thrown instanceof Error) return undefined;
      throw thrown;
    }
    if (!isWhole || length > limit) return undefined;
    const whole = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  },
};
