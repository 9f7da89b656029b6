/** The name of a skill: what is allowed, and how to make one. */
import { codePointLength } from '../../base/text.ts';
import { pythonStrip } from './python-text.ts';
import type { Profile } from './types.ts';

export const NAME_LIMIT = 64;

/** `strict` compares what the reference validator compares: trimmed and in normal form. */
export const normalName = (name: string, profile: Profile): string =>
  profile === 'strict' ? pythonStrip(name).normalize('NFKC') : profile === 'claude-upload' ? pythonStrip(name) : name;

export type NameFault = 'name-length' | 'name-case' | 'name-edge-hyphen' | 'name-double-hyphen' | 'name-characters';

/** All that is wrong with a name that is not empty, in the order in which the reference validator says it. */
export const nameFaults = (name: string, profile: Profile): NameFault[] => {
  const faults: NameFault[] = [];
  if (codePointLength(name) > NAME_LIMIT) faults.push('name-length');
  if (name !== name.toLowerCase()) faults.push('name-case');
  if (name.startsWith('-') || name.endsWith('-')) faults.push('name-edge-hyphen');
  if (name.includes('--')) faults.push('name-double-hyphen');
  const allowed = profile === 'strict' ? /^[\p{L}\p{N}-]*$/u : /^[A-Za-z0-9-]*$/;
  if (!allowed.test(name)) faults.push('name-characters');
  return faults;
};

export const isValidName = (name: string, profile: Profile): boolean =>
  name !== '' && nameFaults(name, profile).length === 0;

/** A name that is valid everywhere, made of any text; empty if nothing is left. */
export const slugify = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])(?=[a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LIMIT)
    .replace(/^-+|(?<!-)-+$/g, '');
