/** A tar archive as a stranger would make it: any names and kinds, nothing checked. */
import { gzipSync } from 'fflate';
import { writeTar } from '../../../model/files/tar-format.ts';

export interface StrangeEntry {
  readonly name: string;
  readonly text?: string;
  /** The letter of the format: `0` a file, `1` a hard link, `2` a link, `3` a device. */
  readonly type?: string;
}

const encoder = new TextEncoder();
const TYPE_AT = 156;
const SUM_AT = 148;
const BLOCK = 512;

/** Writes the letter and adds up the header again. */
const withType = (archive: Uint8Array, type: string): Uint8Array => {
  const block = archive.slice();
  block[TYPE_AT] = type.charCodeAt(0);
  block.fill(0x20, SUM_AT, SUM_AT + 8);
  const sum = block.subarray(0, BLOCK).reduce((all, byte) => all + byte, 0);
  block.set(encoder.encode(`${sum.toString(8).padStart(6, '0')}\0 `), SUM_AT);
  return block;
};

export const packTar = (entries: readonly StrangeEntry[]): Uint8Array => {
  const parts = entries.map(({ name, text = '', type = '0' }) => {
    const one = writeTar([{ name, kind: 'file', mode: 0o644, mtime: 0, content: encoder.encode(text) }]);
    const body = one.subarray(0, one.length - 2 * BLOCK);
    return type === '0' ? body : withType(body, type);
  });
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 2 * BLOCK));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

export const packTgz = (entries: readonly StrangeEntry[]): Uint8Array => gzipSync(packTar(entries), { mtime: 0 });
