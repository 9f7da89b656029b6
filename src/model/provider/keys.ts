import { sha256 } from '../../base/hash.ts';
import type { ProviderId } from './types.ts';

/** Tells two keys apart without telling either. */
export const keyId = (key: string): string => sha256(key).slice(0, 8);

/** Caches belong to a key and an address. */
export const scopeOf = (key: string, baseUrl = ''): string => keyId(JSON.stringify([key, baseUrl]));

/** Where a terminal finds the key of a provider (D33); a server of one's own gets none there. */
export const KEY_VARIABLES: Readonly<Partial<Record<ProviderId, string>>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  compatible: 'COMPATIBLE_API_KEY',
};

/** How keys of known providers look, and whatever comes after the name of a header that holds one. */
const KEYS: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_*.-]{6,}/g,
  /\b(?:gsk|xai|hf|AIza|lm-studio|nvapi|csk|pplx|r8|tgp)[-_]?[A-Za-z0-9_-]{16,}/g,
  // Not the words of "a bearer token is missing".
  /\bBearer\s+(?=[^\s"',;]*[\d._-][^\s"',;])[^\s"',;]{8,}/gi,
  /\b(?:x-api-key|api[-_]?key|authorization|access[-_]?token)["']?\s*[:=]\s*["']?[^\s"',;&]+/gi,
];

/** A word or two, as in `ollama`, `EMPTY` or `not-needed`. */
const WORDS = /^(?=.{0,23}$)(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-_ .](?:[A-Z]?[a-z]+|[A-Z]+))*$/;

/** Shorter ones guard nothing, and are part of other words and numbers. */
const MIN_SECRET = 8;

const hexOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(4, '0');

/** What is removed from whatever is reported: the key, also as JSON may write it. What local servers take for a key is not a secret. */
export const secretsOf = (apiKey: string): readonly string[] => {
  if (apiKey.length < MIN_SECRET || WORDS.test(apiKey)) return [];
  const written = [
    (char: string) => char,
    (char: string) => (/["\\/]/.test(char) ? `\\${char}` : char),
    (char: string) => `\\u${hexOf(char)}`,
    (char: string) => `\\u${hexOf(char).toUpperCase()}`,
  ];
  return [...new Set(written.map((write) => apiKey.replace(/[^A-Za-z0-9_.-]/g, write)))];
};

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((clean, secret) => (secret === '' ? clean : clean.replaceAll(secret, '[key]')), text);

const cleaned = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string') return withoutSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [withoutSecrets(name, secrets), cleaned(item, secrets)]),
  );
};

/** The same JSON; no text in it holds one of the keys. */
export const withoutKeys = <T>(value: T, secrets: readonly string[]): T =>
  secrets.length === 0 ? value : (cleaned(value, secrets) as T);

/** A string that comes in pieces, without keys: what may be the start of one is held back until the next piece. */
export const createKeyFilter = (secrets: readonly string[]) => {
  let held = '';
  return (piece: string, isLast: boolean): string => {
    const text = withoutSecrets(held + piece, secrets);
    const back = isLast ? 0 : Math.max(0, ...secrets.map((secret) => startAtEnd(text, secret)));
    held = text.slice(text.length - back);
    return text.slice(0, text.length - back);
  };
};

/** How many characters at the end of a string may be the start of a secret. */
const startAtEnd = (text: string, secret: string): number => {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
};

/** A string without anything that looks like a key, or that is one of the given keys. */
export const redact = (text: string, secrets: readonly string[] = []): string => {
  let clean = withoutSecrets(text, secrets);
  for (const pattern of KEYS) clean = clean.replace(pattern, '[key]');
  return clean;
};
