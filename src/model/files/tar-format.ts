/** The container of a tar archive (ustar), without compression. An archive is foreign: its names are judged by the caller. */
import { err, ok, type Result } from '../../base/result.ts';

export interface TarEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  readonly content: Uint8Array;
}

const BLOCK = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

/** A long name goes into two fields, cut at a slash. */
const splitName = (name: string): readonly [name: string, prefix: string] | undefined => {
  if (encoder.encode(name).length <= 100) return [name, ''];
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (encoder.encode(rest).length <= 100 && encoder.encode(prefix).length <= 155) return [rest, prefix];
  }
  return undefined;
};

const header = (
  entry: { readonly mode: number; readonly size: number; readonly mtime: number; readonly type: string },
  [name, prefix]: readonly [string, string],
): Uint8Array => {
  const block = new Uint8Array(BLOCK);
  const put = (text: string, at: number): void => block.set(encoder.encode(text), at);
  put(name, 0);
  put(octal(entry.mode, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(entry.size, 12), 124);
  put(octal(entry.mtime, 12), 136);
  put('        ', 148);
  put(entry.type, 156);
  put('ustar\0', 257);
  put('00', 263);
  put('user', 265);
  put('user', 297);
  put(prefix, 345);
  let sum = 0;
  for (const byte of block) sum += byte;
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
};

export const writeTar = (entries: readonly TarEntry[]): Uint8Array => {
  const parts: Uint8Array[] = [];
  const push = (block: Uint8Array): void => {
    parts.push(block);
    const rest = padded(block.length) - block.length;
    if (rest > 0) parts.push(new Uint8Array(rest));
  };
  for (const { name: given, kind, mode, mtime, content } of entries) {
    const name = kind === 'folder' && !given.endsWith('/') ? `${given}/` : given;
    const split = splitName(name);
    if (!split) {
      // GNU's way for any length: the name is the content of an entry in front.
      const bytes = encoder.encode(`${name}\0`);
      parts.push(header({ mode: 0, size: bytes.length, mtime: 0, type: 'L' }, ['././@LongLink', '']));
      push(bytes);
    }
    const size = kind === 'file' ? content.length : 0;
    const type = kind === 'file' ? '0' : '5';
    parts.push(header({ mode, size, mtime, type }, split ?? [name.slice(0, 60), '']));
    if (size > 0) push(content);
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const whole = new Uint8Array(padded(parts.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const textAt = (block: Uint8Array, at: number, length: number): string => {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return decoder.decode(end === -1 ? field : field.subarray(0, end));
};

const numberAt = (block: Uint8Array, at: number, length: number): number => {
  const text = textAt(block, at, length).trim();
  return text === '' ? 0 : /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
};

const isSound = (block: Uint8Array): boolean => {
  let sum = 8 * 32;
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte;
  return numberAt(block, 148, 8) === sum;
};

/** `path=` of an extended header (pax); each record is `LENGTH KEY=VALUE\n`. */
const paxPath = (text: string): string | undefined => /(?:^|\n)\d+ path=([^\n]*)/.exec(text)?.[1];

/** Links and devices are left out and named. */
export const readTar = (
  bytes: Uint8Array,
  maxEntries: number,
): Result<{ readonly entries: readonly TarEntry[]; readonly left: readonly string[] }, string> => {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  const left: string[] = [];
  let at = 0;
  for (; at + BLOCK <= bytes.length;) {
    const block = bytes.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return ok({ entries, left });
    if (!isSound(block)) return err('This does not look like a tar archive');
    const size = numberAt(block, 124, 12);
    if (!Number.isSafeInteger(size) || at + BLOCK + size > bytes.length) return err('Unexpected EOF in archive');
    const content = bytes.slice(at + BLOCK, at + BLOCK + size);
    at += BLOCK + padded(size);
    const type = String.fromCharCode(block[156] ?? 0);
    if (type === 'L' || type === 'x') {
      const text = decoder.decode(content);
      longName = type === 'L' ? text.replace(/\0.*$/s, '') : (paxPath(text) ?? longName);
      continue;
    }
    const prefix = textAt(block, 257, 5) === 'ustar' ? textAt(block, 345, 155) : '';
    const short = textAt(block, 0, 100);
    const name = longName ?? (prefix === '' ? short : `${prefix}/${short}`);
    longName = undefined;
    if (type === 'g') continue;
    if (type !== '0' && type !== '\0' && type !== '5') {
      left.push(name);
      if (left.length > maxEntries) return err(`more than ${maxEntries} entries`);
      continue;
    }
    if (entries.length >= maxEntries) return err(`more than ${maxEntries} entries`);
    const kind = type === '5' || name.endsWith('/') ? 'folder' : 'file';
    entries.push({ name, kind, mode: numberAt(block, 100, 8) & 0o7777, mtime: numberAt(block, 136, 12), content });
  }
  return at === bytes.length ? ok({ entries, left }) : err('Unexpected EOF in archive');
};
