/**
 * One skill folder in the hash of a link: never sent to a server, and foreign where it arrives. SPEC.md SL.
 *
 *   share=1.<base64url>   →   deflated   →   4 bytes of SHA-256 of what follows, then the folder:
 *   name, number of files, and for each: path, length, bytes      (lengths are varints, texts are UTF-8)
 */
import { sha256 } from '../../base/hash.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import { isUtf8 } from '../../base/utf8.ts';
import { admitFiles, pathFault, shownPath, type LeftOut } from './write-rules.ts';

export interface SharedSkill {
  /** What the folder is called. */
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** One that came from outside: what may not be written is gone from it. */
export interface ReceivedSkill extends SharedSkill {
  readonly leftOut: readonly LeftOut[];
}

export interface ShareCodec {
  readonly deflate: (bytes: Uint8Array) => Uint8Array;
  /** Nothing if the bytes are damaged or unpack to more than `limit`. */
  readonly inflate: (bytes: Uint8Array, limit: number) => Uint8Array | undefined;
}

export interface ShareProblem {
  readonly code: 'too-large' | 'not-a-skill' | 'damaged' | 'newer' | 'unsafe';
  readonly message: string;
}

export interface ShareLink {
  /** What comes after `#`. */
  readonly hash: string;
  /** Some chats and mail programs cut links of this length. */
  readonly isLong: boolean;
}

const KEY = 'share';
const VERSION = '1';
/** Characters. Browsers take more; what people paste links into does not. */
export const MAX_LINK = 64_000;
const LONG_LINK = 8000;
const MAX_FILES = 200;
const MAX_BYTES = 2 * 1024 * 1024;
const CHECK_BYTES = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const problem = (code: ShareProblem['code'], message: string): Result<never, ShareProblem> => err({ code, message });

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Map(Array.from(DIGITS, (digit, value) => [digit, value]));

export const toBase64Url = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const rest = bytes.length - at;
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += DIGITS.charAt(group >> 18) + DIGITS.charAt((group >> 12) & 63);
    if (rest > 1) text += DIGITS.charAt((group >> 6) & 63);
    if (rest > 2) text += DIGITS.charAt(group & 63);
  }
  return text;
};

export const fromBase64Url = (text: string): Uint8Array | undefined => {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let [bits, value, at] = [0, 0, 0];
  for (const digit of text) {
    const next = VALUES.get(digit);
    if (next === undefined) return undefined;
    value = ((value << 6) | next) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (value >> bits) & 0xff;
    }
  }
  return bytes;
};

const checksum = (bytes: Uint8Array): Uint8Array => {
  const hex = sha256(bytes);
  return Uint8Array.from({ length: CHECK_BYTES }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
};

const pack = ({ name, files }: SharedSkill): Uint8Array => {
  const out: number[] = [];
  const chunks: Uint8Array[] = [];
  const flush = (): void => {
    chunks.push(Uint8Array.from(out.splice(0)));
  };
  const number = (value: number): void => {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
    out.push(rest);
  };
  const block = (bytes: Uint8Array): void => {
    number(bytes.length);
    flush();
    chunks.push(bytes);
  };
  block(encoder.encode(name));
  number(files.size);
  for (const [path, content] of [...files].toSorted(([a], [b]) => compareCodePoints(a, b))) {
    block(encoder.encode(path));
    block(content);
  }
  flush();
  const body = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  const whole = new Uint8Array(CHECK_BYTES + body.length);
  whole.set(checksum(body));
  whole.set(body, CHECK_BYTES);
  return whole;
};

/** Nothing for anything that `pack` cannot have made. */
const unpack = (whole: Uint8Array): SharedSkill | undefined => {
  const body = whole.subarray(CHECK_BYTES);
  if (whole.length < CHECK_BYTES || checksum(body).some((byte, index) => byte !== whole[index])) return undefined;
  let at = 0;
  let isGood = true;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; factor < 2 ** 35; factor *= 128) {
      const byte = body[at++];
      if (byte === undefined) break;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    isGood = false;
    return 0;
  };
  const block = (): Uint8Array => {
    const length = number();
    if (at + length > body.length) isGood = false;
    const content = body.slice(at, at + length);
    at += length;
    return content;
  };
  const text = (): string => {
    const bytes = block();
    isGood &&= isUtf8(bytes);
    return decoder.decode(bytes);
  };
  const name = text();
  const count = number();
  const files = new Map<string, Uint8Array>();
  for (let index = 0; index < count && isGood; index++) files.set(text(), block());
  return isGood && at === body.length && files.size === count ? { name, files } : undefined;
};

/** Why a folder cannot travel by link, in either direction. */
const objection = ({ name, files }: SharedSkill): Result<never, ShareProblem> | undefined => {
  if (name.includes('/') || pathFault(name) !== undefined)
    return problem('unsafe', `${shownPath(name)} isn't a valid folder name.`);
  if (!files.has('SKILL.md')) return problem('not-a-skill', 'The folder has no SKILL.md.');
  if (files.size > MAX_FILES) {
    return problem(
      'too-large',
      `The skill has ${files.size} files. A link holds ${MAX_FILES}. Export it as a zip instead.`,
    );
  }
  const bytes = [...files.values()].reduce((sum, content) => sum + content.length, 0);
  if (bytes > MAX_BYTES) {
    return problem('too-large', 'The skill has more than 2 MB. Export it as a zip instead.');
  }
  return undefined;
};

export const encodeShareLink = (skill: SharedSkill, codec: ShareCodec): Result<ShareLink, ShareProblem> => {
  const refused = objection(skill);
  if (refused) return refused;
  const admitted = admitFiles(skill.files);
  if (!admitted.ok) return problem('unsafe', admitted.error);
  const hash = `${KEY}=${VERSION}.${toBase64Url(codec.deflate(pack({ name: skill.name, files: admitted.value.files })))}`;
  if (hash.length > MAX_LINK) {
    const size = Math.ceil(hash.length / 1000);
    return problem(
      'too-large',
      `The link would have ${size},000 characters; up to ${MAX_LINK / 1000},000 work everywhere that matters. Export the skill as a zip instead.`,
    );
  }
  return ok({ hash, isLong: hash.length > LONG_LINK });
};

/** Whether a hash (with or without `#`) carries a skill. */
export const hasSharedSkill = (hash: string): boolean => hash.replace(/^#/, '').startsWith(`${KEY}=`);

export const decodeShareLink = (hash: string, codec: ShareCodec): Result<ReceivedSkill, ShareProblem> => {
  const value = hash.replace(/^#/, '').slice(KEY.length + 1);
  const damaged = problem('damaged', 'The link is incomplete. Ask for it again, or for the skill as a zip.');
  if (!hasSharedSkill(hash)) return damaged;
  const dot = value.indexOf('.');
  const version = value.slice(0, dot);
  if (dot > 0 && /^\d+$/.test(version) && version !== VERSION) {
    return problem('newer', 'A newer version made this link. Reload this page to update.');
  }
  if (version !== VERSION || value.length > MAX_LINK) return damaged;
  const packed = fromBase64Url(value.slice(dot + 1));
  const whole = packed && codec.inflate(packed, MAX_BYTES + MAX_LINK);
  const skill = whole && unpack(whole);
  if (!skill) return damaged;
  const refused = objection(skill);
  if (refused) return refused;
  const admitted = admitFiles(skill.files);
  return admitted.ok ? ok({ name: skill.name, ...admitted.value }) : problem('unsafe', admitted.error);
};
