/** Which skill a prompt would get, by the simulator's picker, and how near the others come. */
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { takeCodePoints } from '../../base/text.ts';
import { pickSkill, type RankedSkill, type SkillPick } from '../simulator/behaviour/pick-skill.ts';
import { wordsOf } from '../simulator/behaviour/words.ts';
import type { EditedLibrary } from './edited.ts';

export type PickVerdict = 'picked' | 'other' | 'none';

export interface PickResult {
  readonly prompt: string;
  readonly verdict: PickVerdict;
  /** What is picked. */
  readonly best: RankedSkill | undefined;
  /** The skill that is edited; absent if nothing matches. */
  readonly own: RankedSkill | undefined;
  /** From 1. */
  readonly rank: number | undefined;
  /** The best others. */
  readonly rivals: readonly RankedSkill[];
  /** Words of the prompt that no skill of the index has, not even by another word for the same. */
  readonly unknown: readonly string[];
  /** Against the saved text. */
  readonly change: 'better' | 'worse' | 'same';
  readonly before: { readonly verdict: PickVerdict; readonly score: number };
}

const RIVALS = 3;
const MAX_PROMPTS = 12;
const MAX_LENGTH = 400;

const indexOf = ({ plan }: EditedLibrary) =>
  plan.workspace.library.store.list().map(({ skill: { name, description } }) => ({ name, description }));

const verdictOf = ({ best }: SkillPick, name: string | undefined): PickVerdict =>
  best === undefined ? 'none' : best.name === name ? 'picked' : 'other';

const MOST_UNKNOWN = 8;

const unknownWords = (prompt: string, { ranked }: SkillPick): readonly string[] => {
  const known = new Set(ranked.flatMap(({ matches }) => matches.map(({ word }) => word)));
  const words = wordsOf(prompt).map(({ text }) => text);
  return [...new Set(words)].filter((word) => !known.has(word)).slice(0, MOST_UNKNOWN);
};

const WORTH: Readonly<Record<PickVerdict, number>> = { picked: 1, none: 0, other: 0 };
/** Scores that differ by less are the same to a reader. */
const SLIGHT = 0.005;

export const wouldPick = (
  prompts: readonly string[],
  edited: EditedLibrary,
  saved: EditedLibrary,
): readonly PickResult[] => {
  const [index, oldIndex] = [indexOf(edited), indexOf(saved)];
  return prompts.map((prompt) => {
    const pick = pickSkill(prompt, index);
    const old = edited === saved ? pick : pickSkill(prompt, oldIndex);
    const verdict = verdictOf(pick, edited.name);
    const own = pick.ranked.find(({ name }) => name === edited.name);
    const rank = own && pick.ranked.indexOf(own) + 1;
    const before = {
      verdict: verdictOf(old, saved.name),
      score: old.ranked.find(({ name }) => name === saved.name)?.score ?? 0,
    };
    const gain = WORTH[verdict] - WORTH[before.verdict] || (own?.score ?? 0) - before.score;
    return {
      prompt,
      verdict,
      best: pick.best,
      own,
      rank,
      unknown: unknownWords(prompt, pick),
      rivals: pick.ranked.filter(({ name }) => name !== edited.name).slice(0, RIVALS),
      change: Math.abs(gain) < SLIGHT ? 'same' : gain > 0 ? 'better' : 'worse',
      before,
    };
  });
};

/** From storage: whatever is not a list of texts is nothing. */
export const readPrompts = (stored: string | null): readonly string[] => {
  const value: unknown = valueOr(parseJson(stored ?? '[]'), undefined);
  return Array.isArray(value) ? cleanPrompts(value.filter((item) => typeof item === 'string')) : [];
};

export const cleanPrompts = (prompts: readonly string[]): readonly string[] =>
  [...new Set(prompts.map((prompt) => takeCodePoints(prompt.replace(/\s+/g, ' ').trim(), MAX_LENGTH)))]
    .filter((prompt) => prompt !== '')
    .slice(0, MAX_PROMPTS);

const useWhen = (description: string): string | undefined => {
  const words = /\buse (?:it )?(?:when|for|if)\b[ :]*([^.!?\n]+)/i.exec(description)?.[1]?.trim();
  // One word is not a prompt: “in the words people use for it” is not about when.
  return words === undefined || !/\s/.test(words) ? undefined : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Until somebody types prompts: what the skill itself promises, and what its nearest neighbour does. */
export const examplePrompts = (edited: EditedLibrary): readonly string[] => {
  const { item, name } = edited;
  if (!item || name === undefined) return [];
  const own = useWhen(item.skill.description);
  const { ranked } = pickSkill(item.skill.description, indexOf(edited));
  const nearest = ranked.find((rival) => rival.name !== name)?.name;
  const neighbour = indexOf(edited).find((skill) => skill.name === nearest);
  return cleanPrompts([own ?? '', (neighbour && useWhen(neighbour.description)) ?? '']);
};
