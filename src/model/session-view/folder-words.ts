/** The banner of a session whose folder has changed (D25). */
import type { FolderChanges, SkillChange } from '../session/changes.ts';
import { groupDigits, listed, usdText } from './words.ts';

export interface FolderWords {
  readonly what: string;
  readonly cost: string;
}

const KINDS: readonly (readonly [kind: SkillChange['kind'], word: string])[] = [
  ['added', 'added'],
  ['removed', 'removed'],
  ['text', 'changed'],
  ['body', 'changed inside'],
];

/** Nothing if nothing changed. */
export const folderWords = (changes: FolderChanges | undefined): FolderWords | undefined => {
  if (!changes || (changes.skills.length === 0 && !changes.firstDifference)) return undefined;
  const { skills, firstDifference, keptTokens, lostTokens, lostUsd } = changes;
  const said = KINDS.flatMap(([kind, word]) => {
    const names = skills.filter((change) => change.kind === kind).map(({ name }) => name);
    return names.length === 0 ? [] : [`${listed(names)} ${word}`];
  });
  const what = said.length === 0 ? 'The instructions of the folder changed' : said.join('; ');
  if (!firstDifference)
    return {
      what: `${what}.`,
      cost: 'A new session would send the same prefix, so its cache stays; a skill is read again when it is loaded there.',
    };
  const price =
    lostUsd === undefined
      ? 'what that costs is unknown, because the price is'
      : `${usdText(lostUsd)} more than reading them`;
  return {
    what: `${what}.`,
    cost: `This session goes on as it started. The first request of a new one would read ${groupDigits(keptTokens)} tokens and write ${groupDigits(lostTokens)} again (${price}).`,
  };
};
