/** How a library stands, in one line: how many skills, which will not load, which compete for the same prompts. */
import { wordsOf } from '../simulator/behaviour/words.ts';
import { isLoaded } from './outcome.ts';
import type { WorkspaceSkill } from './workspace-view.ts';

export interface LibraryHealth {
  readonly total: number;
  /** Ids of skills that a session would leave out, or that hide behind another one of the same name. */
  readonly unloaded: ReadonlySet<string>;
  /** Ids of loaded skills whose descriptions are mostly the same words as another one's. Nothing where there are too many to compare. */
  readonly competing: ReadonlySet<string> | undefined;
}

/** Words of two descriptions that are the same, of all that either has. */
const ALIKE = 0.4;
/** Every skill is compared with every other. */
const MOST_COMPARED = 800;
/** A description is at most 1,024 characters. */
const LONGEST_HEAD = 1_400;

const descriptionOf = ({ text }: WorkspaceSkill): string => {
  const head = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
  return head.replace(/^[A-Za-z_-]+:/gm, ' ').slice(0, LONGEST_HEAD);
};

const stemsOf = (skill: WorkspaceSkill): ReadonlySet<string> =>
  new Set(wordsOf(descriptionOf(skill)).map(({ stem }) => stem));

const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const stem of few) if (many.has(stem)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
};

export const libraryHealth = (skills: readonly WorkspaceSkill[]): LibraryHealth => {
  const unloaded = new Set(skills.filter((skill) => !isLoaded(skill)).map(({ id }) => id));
  const loaded = skills.filter(({ id }) => !unloaded.has(id));
  if (loaded.length > MOST_COMPARED) return { total: skills.length, unloaded, competing: undefined };
  const stems = loaded.map(stemsOf);
  const competing = new Set<string>();
  for (const [index, one] of loaded.entries())
    for (let other = index + 1; other < loaded.length; other++) {
      const [a, b] = [stems[index], stems[other]];
      const rival = loaded[other];
      if (!a || !b || !rival || likeness(a, b) < ALIKE) continue;
      competing.add(one.id);
      competing.add(rival.id);
    }
  return { total: skills.length, unloaded, competing };
};
