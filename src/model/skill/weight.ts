/** Skills that are too large to be judged on the page’s own thread: a stranger decides what they contain. SPEC.md APART. */
import type { Diagnostic, Profile, SkillInput } from './types.ts';

/** In UTF-16 units or bytes. The slowest SKILL.md of this size is judged within a few hundredths of a second. */
export const MOST_AT_ONCE = 32 * 1024;
/** Of the files beside it together: most of them are only looked through. */
const MOST_BESIDE = 8 * MOST_AT_ONCE;

export const isWeighty = ({ content, files }: Pick<SkillInput, 'content' | 'files'>): boolean => {
  if (content.length > MOST_AT_ONCE) return true;
  let beside = 0;
  for (const { text } of files?.values() ?? []) beside += text?.length ?? 0;
  return beside > MOST_BESIDE;
};

/** Judges elsewhere, within a time. Nothing where the time was not enough. */
export type JudgeApart = (input: SkillInput, profile: Profile) => Promise<readonly Diagnostic[] | undefined>;

/** Stands in place of the problems of a skill that was not judged. */
export const notJudged = (fileName: string): Diagnostic => ({
  rule: 'not-checked',
  severity: 'warning',
  message: 'Not checked here: it takes too long. Make the skill smaller, or run `lathe check` in a terminal.',
  file: fileName,
  range: { start: 0, end: 0 },
  fixes: [],
});
