/**
 * Who an imported skill is (D48): its name, its author, and where it came from. An author is what a skill says of itself, so it can tell two
 * skills apart and never make two sources one.
 */
import { sha256 } from '../../base/hash.ts';
import { compareCodePoints } from '../../base/text.ts';
import { digestFiles, type Files } from '../signing/digest.ts';

export interface SkillIdentity {
  readonly name: string;
  /** Empty: the skill names none. */
  readonly author: string;
  /** `url:` and the address without its version, or the digest of the files that were imported first. */
  readonly origin: string;
}

/** What has the name already. */
export interface InstalledSkill {
  /** Nothing: it has no manifest that verifies, so nobody knows. */
  readonly identity: SkillIdentity | undefined;
  /** The skill's own files. */
  readonly files: Files;
}

/** A skill that would take the place of another with the same name. */
export interface Takeover {
  readonly incoming: SkillIdentity;
  readonly installed: SkillIdentity | undefined;
  /** Files, by what happened to them: `changed scripts/a.py`. */
  readonly differences: readonly string[];
  /** Of exactly this question: a yes to it is a yes to no other. */
  readonly key: string;
}

const ADDRESS = /^(?:https?:\/\/|(?=github\.com\/))([^/?#]+)([^?#]*)(?:\?([^#]*))?/i;
/** Only where it reads as a version: `?v=` can also be which of many files is meant. */
const VERSION_PARAMETER =
  /^(?:(?:v|version|tag|ref)=(?:v?\d+(?:\.\d+)*(?:-[a-z]+(?:\.\d+)*)?|main|master|head|latest)|commit=[0-9a-f]{7,64})$/i;
const VERSION_IN_PATH = /([-_@/])v?\d+(?:\.\d+)+(?:-[a-z]+(?:\.\d+)*)?(?=\/|$|\.[a-z])/gi;

/** An address without what only says which version it is; nothing if it is none. */
const withoutVersion = (from: string): string | undefined => {
  const match = ADDRESS.exec(from);
  if (!match) return undefined;
  const [, host = '', path = '', query = ''] = match;
  const place = path.replace(VERSION_IN_PATH, '$1*').replace(/(?<!\/)\/+$/, '');
  const rest = query.split('&').filter((part) => part !== '' && !VERSION_PARAMETER.test(part));
  const isGithub = host.toLowerCase() === 'github.com';
  return `${host.toLowerCase()}${isGithub ? place.toLowerCase() : place}${rest.length === 0 ? '' : `?${rest.join('&')}`}`;
};

/** Nothing for a local source whose files nobody has. */
export const originOf = (from: string, files?: Files): string | undefined => {
  const address = withoutVersion(from);
  if (address !== undefined) return `url:${address}`;
  return files && digestFiles(files, [...files.keys()].toSorted(compareCodePoints));
};

const authorWord = (author: string): string => author.normalize('NFC').trim().toLowerCase();

/** Equal for the same identity, and for no other. */
export const identityKey = ({ name, author, origin }: SkillIdentity): string =>
  sha256(JSON.stringify([name.toLowerCase(), authorWord(author), origin])).slice(0, 32);

/** For a person to read. */
export const identityWords = (identity: SkillIdentity | undefined): string => {
  if (!identity) return 'unknown: no verified manifest';
  const { name, author, origin } = identity;
  const where = origin.startsWith('url:') ? origin.slice('url:'.length) : `local files ${origin.slice(0, 19)}`;
  return `${name} by ${author === '' ? 'an unnamed author' : author}, from ${where}`;
};

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

const differencesOf = (before: Files, after: Files): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].toSorted(compareCodePoints).flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (!old) return [`added ${path}`];
    if (!now) return [`removed ${path}`];
    return isSame(old, now) ? [] : [`changed ${path}`];
  });

/** The first of those that have the name and are somebody else's; nothing if all are this one. */
export const findTakeover = (
  incoming: SkillIdentity,
  files: Files,
  installed: readonly InstalledSkill[],
): Takeover | undefined => {
  const other = installed.find(({ identity }) => !identity || identityKey(identity) !== identityKey(incoming));
  if (!other) return undefined;
  const before = other.identity ? identityKey(other.identity) : 'unknown';
  return {
    incoming,
    installed: other.identity,
    differences: differencesOf(other.files, files),
    key: sha256(`${before}\0${identityKey(incoming)}\0${originOf('', files) ?? ''}`).slice(0, 16),
  };
};
