/** Keeps values of the vault out of everything that a model or a file gets to see. */
import { type Json, isObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { findSpelled } from './spelled.ts';

const MASK = '•••';
const SHORTEST = 4;
/** Shorter strings in a file of credentials are words such as `authorized_user`. */
const LONG = 16;

const encoder = new TextEncoder();
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const base64 = (bytes: Uint8Array): string => {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const group = (a << 16) | (b << 8) | c;
    for (let index = 0; index < Math.min(4, bytes.length - at + 1); index++)
      out += ALPHABET.charAt((group >> (18 - 6 * index)) & 63);
  }
  return out;
};

/** Short pieces would hide text that has nothing to do with it. */
const PIECE = 8;

/** The characters that a value gives inside a longer text in base64, wherever it is in it: three ways to fall on the groups. */
const base64Pieces = (bytes: Uint8Array): readonly string[] =>
  [0, 1, 2]
    .map((shift) => {
      const shifted = new Uint8Array(shift + bytes.length);
      shifted.set(bytes, shift);
      return base64(shifted).slice(shift === 0 ? 0 : shift + 1, Math.floor((shifted.length * 8) / 6));
    })
    .flatMap((piece) => (piece.length < PIECE ? [] : [piece, piece.replaceAll('+', '-').replaceAll('/', '_')]));

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const turned = (text: string): string => Array.from(text).toReversed().join('');

/** Each letter by the one that stands thirteen places on. */
const rot13 = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const base32 = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('');
};

/** Forms that are also looked for with signs in between and in letters of another size. */
const disguisesOf = (value: string): readonly string[] => {
  const bytes = encoder.encode(value);
  const plain = base64(bytes);
  return [
    value,
    plain,
    hex(bytes),
    base32(bytes),
    rot13(value),
    base64(encoder.encode(turned(value))),
    // The padding decides what comes last in a second turn.
    base64(encoder.encode(plain.padEnd(Math.ceil(plain.length / 4) * 4, '='))),
    base64(encoder.encode(plain)),
  ].flatMap((form) => [form, turned(form)]);
};

/** The forms in which a value could come back, each also as JSON writes it. */
const formsOf = (value: string): readonly string[] => {
  const bytes = encoder.encode(value);
  return [
    value,
    encodeURIComponent(value.replace(/[\uD800-\uDFFF]/gu, '')),
    base64(bytes),
    ...base64Pieces(bytes),
    hex(bytes),
    turned(value),
  ].flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
};

/** A value, and for one that is a file of JSON the long strings inside it that are not an address. */
export const secretsIn = (value: string): readonly string[] => {
  const inside: string[] = [];
  const collect = (item: Json): void => {
    if (typeof item === 'string' && item.length >= LONG && !/^https?:/.test(item)) inside.push(item);
    else if (Array.isArray(item)) (item as readonly Json[]).forEach(collect);
    else if (isObject(item)) Object.values(item).forEach(collect);
  };
  const parsed = valueOr(parseJson(value), undefined);
  if (isObject(parsed) || Array.isArray(parsed)) collect(parsed);
  return [value, ...inside];
};

/** Every occurrence of a value is replaced, longest first. Very short values would hide half the text and are left out. */
export const maskValues = (text: string, values: readonly string[]): string => {
  const forms = [...new Set(values.filter((value) => value.length >= SHORTEST).flatMap(formsOf))]
    .filter((form) => form.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
  const whole = forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
  const long = values.filter((value) => value.length >= PIECE);
  let masked = '';
  let at = 0;
  for (const [start, end] of findSpelled(whole, long, long.flatMap(disguisesOf))) {
    masked += whole.slice(at, start) + MASK;
    at = end;
  }
  return masked + whole.slice(at);
};

const SECRET_KEYS = new Set([
  'value',
  'values',
  'token',
  'secret',
  'secrets',
  'api_key',
  'password',
  'passwd',
  'client_secret',
  'cleartext',
  'raw',
]);

/** The path of a key that could hold a secret and is not empty, anywhere in a result; nothing if none exists. */
export const findSecretKey = (result: Json, path = '$'): string | undefined => {
  if (Array.isArray(result)) {
    for (const [index, item] of (result as readonly Json[]).entries()) {
      const found = findSecretKey(item, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(result)) return undefined;
  for (const [key, item] of Object.entries(result)) {
    const isEmpty =
      item === null ||
      item === '' ||
      (Array.isArray(item) && item.length === 0) ||
      (isObject(item) && Object.keys(item).length === 0);
    if (SECRET_KEYS.has(key.toLowerCase()) && !isEmpty) return `${path}.${key}`;
    const found = findSecretKey(item, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
};
