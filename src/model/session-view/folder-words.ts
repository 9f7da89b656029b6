/** The banner of a session whose folder has changed (D25). */
import type { FolderChanges, SkillChange } from '../session/changes.ts';
import { changeWords } from '../cache/forecast-words.ts';
import { listed } from './words.ts';

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

const MEMORY = 'USER.md or MEMORY.md changed';

/** Tools come first on the wire: an import or a removal shows there, and says nothing about the instructions. */
const isTool = ({ before, after }: NonNullable<FolderChanges['firstDifference']>): boolean =>
  [before, after].some((id) => id?.startsWith('tool:') === true);

/** Nothing if nothing changed. */
export const folderWords = (changes: FolderChanges | undefined): FolderWords | undefined => {
  if (!changes) return undefined;
  const { skills, firstDifference, forecast, memory } = changes;
  if (skills.length === 0 && !firstDifference && !memory) return undefined;
  const said = KINDS.flatMap(([kind, word]) => {
    const names = skills.filter((change) => change.kind === kind).map(({ name }) => name);
    return names.length === 0 ? [] : [`${listed(names)} ${word}`];
  });
  if (said.length === 0 && firstDifference)
    said.push(isTool(firstDifference) ? 'The tools of new sessions changed' : 'The folder’s instructions changed');
  if (memory) said.push(MEMORY);
  const costs: string[] = [];
  if (memory) costs.push(changeWords(memory, 'The next request'));
  if (firstDifference)
    costs.push(`This session is unaffected. ${changeWords(forecast, 'The first request of a new session')}`);
  else if (skills.length > 0)
    costs.push(
      'A new session would send the same prefix, so it can use the cache. It reads a skill’s new text when it loads the skill.',
    );
  return { what: `${said.join('; ')}.`, cost: costs.join(' ') };
};
