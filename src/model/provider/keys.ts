import { sha256 } from '../../base/hash.ts';

/** Tells two keys apart without telling either. */
export const keyId = (key: string): string => sha256(key).slice(0, 8);

/** How keys of known providers look, and whatever stands behind the name of a header that holds one. */
const KEYS: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_*.-]{6,}/g,
  /\b(?:gsk|xai|hf|AIza|lm-studio|nvapi|csk|pplx|r8|tgp)[-_]?[A-Za-z0-9_-]{16,}/g,
  // Not the words of "a bearer token is missing".
  /\bBearer\s+(?=[^\s"',;]*[\d._-][^\s"',;])[^\s"',;]{8,}/gi,
  /\b(?:x-api-key|api[-_]?key|authorization|access[-_]?token)["']?\s*[:=]\s*["']?[^\s"',;&]+/gi,
];

/** A text without anything that looks like a key, or that is one of the given keys. */
export const redact = (text: string, secrets: readonly string[] = []): string => {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '[key]');
  for (const pattern of KEYS) clean = clean.replace(pattern, '[key]');
  return clean;
};
