/** What appears in place of a private value: the name of its kind, then characters that follow from the value alone. */
import { sha256 } from '../../base/hash.ts';

export const MASK_KINDS = ['email', 'account', 'device', 'key', 'token', 'home'] as const;
export type MaskKind = (typeof MASK_KINDS)[number];

/** A user name is shorter than the word for it. */
const PREFIX: Readonly<Record<MaskKind, string>> = {
  email: 'email-',
  account: 'account-',
  device: 'device-',
  key: 'key-',
  token: 'token-',
  home: 'u',
};

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Two bytes and three in UTF-8: a stand-in is as long as its value in both counts. */
const TWO_BYTES = '\u00F8';
const THREE_BYTES = '\u2022';
/** Digits of the hash that tell one character. */
const DIGITS = 4;
const LEAST_RANDOM = 6;
const LONG_SEED = 1_000;

const randomCharacters = (seed: string, length: number): string => {
  let out = '';
  for (let block = 0; out.length < length; block++) {
    const digits = sha256(`${seed}\n${block}`);
    for (let at = 0; at + DIGITS <= digits.length; at += DIGITS)
      out += ALPHABET.charAt(Number.parseInt(digits.slice(at, at + DIGITS), 16) % ALPHABET.length);
  }
  return out.slice(0, length);
};

const widened = (standIn: string, value: string): string =>
  /^[\0-\x7F]*$/.test(value)
    ? standIn
    : Array.from(value, (character, index) => {
        const unit = character.codePointAt(0) ?? 0;
        if (unit > 0xffff) return '\u{1F464}';
        if (unit >= 0xd800 && unit <= 0xdfff) return character;
        if (unit > 0x7ff) return THREE_BYTES;
        return unit > 0x7f ? TWO_BYTES : standIn.charAt(index);
      }).join('');

/** `attempt` gives another one, for a value whose stand-in is taken. */
export const standInFor = (kind: MaskKind, value: string, attempt = 0): string => {
  const prefix = PREFIX[kind];
  const hasRoom = kind === 'home' ? value.length > 2 : value.length >= prefix.length + LEAST_RANDOM;
  const start = hasRoom ? prefix : '';
  // Each 16 characters take a hash of the whole seed.
  const seed = value.length > LONG_SEED ? sha256(value) : value;
  return widened(start + randomCharacters(`${kind}\n${attempt}\n${seed}`, value.length - start.length), value);
};

const STAND_IN = /^(?:email|account|device|key|token)-[0-9a-z\u00F8\u2022]+$/;
/** A field may hold one: what was masked before stays as it is. */
export const isStandIn = (value: string): boolean => STAND_IN.test(value);

export const fingerprint = (value: string): string => sha256(value).slice(0, 8);
