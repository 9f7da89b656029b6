/** The file `.git/index`: what is staged. Versions 2, 3 and 4; extensions are skipped. */
import { err, ok, type Result } from '../../base/result.ts';

export interface IndexEntry {
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
  /** Bytes of the file when it was staged. */
  readonly size: number;
  /** 0, or 1 to 3 while a merge waits. */
  readonly stage: number;
  /** Only announced (`add -N`): there is nothing staged yet. */
  readonly isIntended: boolean;
}

const decoder = new TextDecoder();
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const readIndex = (bytes: Uint8Array): Result<readonly IndexEntry[], string> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x44495243) return err('index file corrupt');
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return err(`index version ${version} is not understood`);
  const count = view.getUint32(8);
  const entries: IndexEntry[] = [];
  let at = 12;
  let last = new Uint8Array();
  for (let index = 0; index < count; index++) {
    if (at + 62 > bytes.length) return err('index file smaller than expected');
    const start = at;
    const mode = view.getUint32(at + 24);
    const size = view.getUint32(at + 36);
    const oid = hex(bytes.subarray(at + 40, at + 60));
    const flags = view.getUint16(at + 60);
    at += 62;
    let isIntended = false;
    if (version >= 3 && (flags & 0x4000) !== 0) {
      isIntended = (view.getUint16(at) & 0x2000) !== 0;
      at += 2;
    }
    let name: Uint8Array;
    if (version === 4) {
      // Only the difference to the name before: how much of its end goes, then what comes instead.
      let dropped = 0;
      for (let isFirst = true; ; isFirst = false) {
        const byte = bytes[at++] ?? 0;
        dropped = isFirst ? byte & 0x7f : ((dropped + 1) << 7) | (byte & 0x7f);
        if ((byte & 0x80) === 0) break;
      }
      const end = bytes.indexOf(0, at);
      if (end === -1) return err('index file corrupt');
      name = new Uint8Array([...last.subarray(0, last.length - dropped), ...bytes.subarray(at, end)]);
      at = end + 1;
    } else {
      const end = bytes.indexOf(0, at);
      if (end === -1) return err('index file corrupt');
      name = bytes.slice(at, end);
      // At least one NUL, and a multiple of eight in all.
      at = start + Math.ceil((end - start + 1) / 8) * 8;
    }
    last = name as Uint8Array<ArrayBuffer>;
    entries.push({ path: decoder.decode(name), oid, mode, size, stage: (flags >> 12) & 3, isIntended });
  }
  return ok(entries);
};
