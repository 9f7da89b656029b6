/** Ids that look like the providers' and are the same for the same requests in the same order. */
import { sha256 } from '../../base/hash.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const base58 = (hex: string, length: number): string => {
  let number = BigInt(`0x${hex}`);
  let text = '';
  while (text.length < length) {
    text += ALPHABET[Number(number % 58n)] ?? '';
    number /= 58n;
  }
  return text;
};

export interface Ids {
  /** `msg_01…`, `toolu_01…`, `req_01…`: base 58. */
  readonly short: (prefix: string) => string;
  /** `resp_…`, `call_…`: hex. */
  readonly hex: (prefix: string) => string;
}

export const createIds = (seed: string): Ids => {
  let count = 0;
  const next = (prefix: string): string => sha256(`${seed}\n${prefix}\n${++count}`);
  return {
    short: (prefix) => `${prefix}_01${base58(next(prefix), 22)}`,
    hex: (prefix) => `${prefix}_${next(prefix).slice(0, 48)}`,
  };
};

/** What a thinking block is signed with. It covers the text, so that a changed block is found without remembering it. */
export const signThinking = (text: string): string =>
  `Sim${sha256(`thinking\n${text}`)}${sha256(`signature\n${text}`)}`;
