/**
 * Loading thousands of skills immediately. What decides about a skill is in its frontmatter, so only that is parsed, only
 * errors are looked for, and the body stays bytes until somebody reads it. `readSkill` gives the same skill, with all that
 * is to be said about it.
 */
import { toLineFeeds } from '../../base/text.ts';
import { countCodePoints, isUtf8 } from '../../base/utf8.ts';
import { estimateTokens } from './checks/body-checks.ts';
import { findLoadErrors } from './diagnose.ts';
import { readDocument, type SkillDocument } from './document.ts';
import { findProgram } from './metaskill-package.ts';
import { BODY_TOKEN_WARNING, makeSkill, type Skill } from './skill.ts';
import { decodeText } from './source-text.ts';
import type { Diagnostic, RuntimeProfile, SkillInput } from './types.ts';

export interface SkillHead {
  /** The frontmatter with its delimiter lines; the whole text where it cannot be distinguished without a doubt. */
  readonly text: string;
  /** The byte at which the body starts; nothing where `text` is the whole. */
  readonly bodyAt: number | undefined;
}

const [TAB, LF, CR, SPACE, HYPHEN] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];

const isLineEnd = (byte: number | undefined): boolean => byte === LF || byte === CR;

const isDelimiterAt = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN && bytes[at + 2] === HYPHEN;

/**
 * Where the body starts: after the second line that starts with `---` and the line ends after it. Nothing unless both lines
 * are exactly what `splitFrontmatter` wants; spaces may follow, and after the closing one tabs.
 */
const findBody = (bytes: Uint8Array): number | undefined => {
  if (!isDelimiterAt(bytes, 0)) return undefined;
  let at = 3;
  while (bytes[at] === SPACE) at++;
  if (!isLineEnd(bytes[at])) return undefined;
  while (at < bytes.length && !(isLineEnd(bytes[at]) && isDelimiterAt(bytes, at + 1))) at++;
  if (at >= bytes.length) return undefined;
  at += 4;
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  if (at < bytes.length && !isLineEnd(bytes[at])) return undefined;
  while (at < bytes.length && isLineEnd(bytes[at])) at++;
  return at;
};

/** Nothing if the file is not UTF-8. */
export const readHead = (content: Uint8Array): SkillHead | undefined => {
  const bodyAt = findBody(content);
  if (bodyAt !== undefined && isUtf8(content, bodyAt)) {
    const { text, invalidAt } = decodeText(content.subarray(0, bodyAt));
    if (invalidAt === undefined) return { text, bodyAt };
  }
  const { text, invalidAt } = decodeText(content);
  return invalidAt === undefined ? { text, bodyAt: undefined } : undefined;
};

/** Holds nothing of the parsed document: thousands of them are kept at a time. */
export interface LoadedSkill {
  /** Empty exactly when there is a skill. */
  readonly errors: readonly Diagnostic[];
  readonly skill: Skill | undefined;
  /** How many tokens the body has if they are more than recommended. */
  readonly tooManyTokens: number | undefined;
  /** It has or names a program that does not run. */
  readonly isDowngraded: boolean;
}

// Two functions, because closures of one scope keep everything alive that any of them needs: here, every parsed document.
const bodyOf = (content: Uint8Array, bodyAt: number) => (): string =>
  toLineFeeds(decodeText(content.subarray(bodyAt)).text);
const bodyOfDocument = (document: SkillDocument) => (): string => document.body;

/** Without a string of the body. It has no more characters than bytes, so that most bodies need not be counted. */
const countTokens = (content: Uint8Array, bodyAt: number): number =>
  content.length - bodyAt > BODY_TOKEN_WARNING * 4 ? estimateTokens(countCodePoints(content, bodyAt)) : 0;

/** `head` is that of the input's content. */
export const loadSkill = (input: SkillInput, head: SkillHead | undefined, profile: RuntimeProfile): LoadedSkill => {
  const document = readDocument(head ? { ...input, content: head.text } : input);
  const errors = findLoadErrors(document, profile);
  if (errors.length > 0) return { errors, skill: undefined, tooManyTokens: undefined, isDowngraded: false };
  const { content } = input;
  const bodyAt = head?.bodyAt;
  const isSplit = bodyAt !== undefined && typeof content !== 'string';
  const skill = makeSkill(document, profile, isSplit ? bodyOf(content, bodyAt) : bodyOfDocument(document));
  const tokens = isSplit ? countTokens(content, bodyAt) : skill.estimatedBodyTokens;
  const tooManyTokens = tokens > BODY_TOKEN_WARNING ? tokens : undefined;
  const { refusal, metaskill } = findProgram(document);
  return { errors, skill, tooManyTokens, isDowngraded: refusal !== undefined || metaskill?.fault !== undefined };
};
