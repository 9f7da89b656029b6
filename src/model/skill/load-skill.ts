/**
 * Loading thousands of skills at once. What decides about a skill stands in its frontmatter, so only that is parsed, only
 * errors are looked for, and the body stays bytes until somebody reads it. `readSkill` gives the same skill, with all that
 * is to be said about it.
 */
import { toLineFeeds } from '../../base/text.ts';
import { isUtf8 } from '../../base/utf8.ts';
import { findLoadErrors } from './diagnose.ts';
import { readDocument, type SkillDocument } from './document.ts';
import { findProgram } from './metaskill-package.ts';
import { BODY_TOKEN_WARNING, makeSkill, type Skill } from './skill.ts';
import { decodeText, splitFrontmatter } from './source-text.ts';
import type { Diagnostic, RuntimeProfile, SkillInput } from './types.ts';

export interface SkillHead {
  /** The frontmatter with its delimiter lines; the whole text where it cannot be told apart without a doubt. */
  readonly text: string;
  /** The byte at which the body starts; nothing where `text` is the whole. */
  readonly bodyAt: number | undefined;
}

const HYPHEN = 0x2d;

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;

const isDelimiterAt = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN && bytes[at + 2] === HYPHEN;

/** Behind the second line that starts with `---` and the line ends after it; nothing if there are no two such lines. */
const findBody = (bytes: Uint8Array): number | undefined => {
  if (!isDelimiterAt(bytes, 0)) return undefined;
  for (let at = 3; at < bytes.length; at++) {
    if (!isLineEnd(bytes[at]) || !isDelimiterAt(bytes, at + 1)) continue;
    let end = at + 4;
    while (end < bytes.length && !isLineEnd(bytes[end])) end++;
    while (end < bytes.length && isLineEnd(bytes[end])) end++;
    return end;
  }
  return undefined;
};

/** Nothing if the file is not UTF-8. */
export const readHead = (content: Uint8Array): SkillHead | undefined => {
  const bodyAt = findBody(content);
  if (bodyAt !== undefined) {
    const { text, invalidAt } = decodeText(content.subarray(0, bodyAt));
    const { faults, yaml, bodyStart } = splitFrontmatter(text);
    const isSound = invalidAt === undefined && faults.length === 0 && yaml !== undefined && bodyStart === text.length;
    if (isSound && isUtf8(content, bodyAt)) return { text, bodyAt };
  }
  const { text, invalidAt } = decodeText(content);
  return invalidAt === undefined ? { text, bodyAt: undefined } : undefined;
};

/** Holds nothing of the parsed document: thousands of them are kept at a time. */
export interface LoadedSkill {
  /** Empty exactly when there is a skill. */
  readonly errors: readonly Diagnostic[];
  readonly skill: Skill | undefined;
  /** The body has more tokens than recommended. */
  readonly isLarge: boolean;
  /** It has or names a program that does not run. */
  readonly isDowngraded: boolean;
}

// Two functions, because closures of one scope keep everything alive that any of them needs: here, every parsed document.
const bodyOf = (content: Uint8Array, bodyAt: number) => (): string =>
  toLineFeeds(decodeText(content.subarray(bodyAt)).text);
const bodyOfDocument = (document: SkillDocument) => (): string => document.body;

/** `head` is that of the input's content. */
export const loadSkill = (input: SkillInput, head: SkillHead | undefined, profile: RuntimeProfile): LoadedSkill => {
  const document = readDocument(head ? { ...input, content: head.text } : input);
  const errors = findLoadErrors(document, profile);
  if (errors.length > 0) return { errors, skill: undefined, isLarge: false, isDowngraded: false };
  const { content } = input;
  const bodyAt = head?.bodyAt;
  const isSplit = bodyAt !== undefined && typeof content !== 'string';
  const skill = makeSkill(document, profile, isSplit ? bodyOf(content, bodyAt) : bodyOfDocument(document));
  // A body has no more characters than bytes, and counting them takes time.
  const isLarge = content.length - (bodyAt ?? 0) > BODY_TOKEN_WARNING * 4 && skill.overBodyTokenWarn;
  const { refusal, metaskill } = findProgram(document);
  return { errors, skill, isLarge, isDowngraded: refusal !== undefined || metaskill?.fault !== undefined };
};
