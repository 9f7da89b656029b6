/** The skills of a session: a frozen snapshot of what was on disk when it began (D25). */
import { compareCodePoints } from '../../base/text.ts';
import type { LibrarySkill } from './types.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

export interface SkillStore {
  readonly size: number;
  readonly has: (name: string) => boolean;
  readonly get: (name: string) => LibrarySkill | undefined;
  /** Sorted by name. */
  readonly list: () => readonly LibrarySkill[];
  /** Those whose name or description contains the query, a name counting double; for an empty query the first by name. */
  readonly search: (query: string, limit?: number) => readonly LibrarySkill[];
  /** Name and description of every skill, sorted by name. */
  readonly discoveryIndex: () => readonly (readonly [name: string, description: string])[];
}

/** Freezes the skills that it is given: they are a snapshot. Of two with one name the first counts. */
export const createSkillStore = (skills: Iterable<LibrarySkill>): SkillStore => {
  const byName = new Map<string, LibrarySkill>();
  for (const item of skills) if (!byName.has(item.skill.name)) byName.set(item.skill.name, Object.freeze(item));
  const sorted = Object.freeze([...byName.values()].toSorted((a, b) => compareCodePoints(a.skill.name, b.skill.name)));
  return Object.freeze({
    size: sorted.length,
    has: (name: string) => byName.has(name),
    get: (name: string) => byName.get(name),
    list: () => sorted,
    search: (query: string, limit = DEFAULT_LIMIT) => {
      const most = Number.isNaN(limit) ? DEFAULT_LIMIT : Math.min(MAX_LIMIT, Math.max(1, Math.trunc(limit)));
      const wanted = query.trim().toLowerCase();
      if (wanted === '') return sorted.slice(0, most);
      const score = ({ skill }: LibrarySkill): number =>
        (skill.name.toLowerCase().includes(wanted) ? 2 : 0) +
        (skill.description.toLowerCase().includes(wanted) ? 1 : 0);
      return sorted
        .map((item) => ({ item, points: score(item) }))
        .filter(({ points }) => points > 0)
        .toSorted((a, b) => b.points - a.points)
        .slice(0, most)
        .map(({ item }) => item);
    },
    discoveryIndex: () => sorted.map(({ skill }) => [skill.name, skill.description] as const),
  });
};

export const EMPTY_STORE: SkillStore = createSkillStore([]);
