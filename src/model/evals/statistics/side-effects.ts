/** What an edit did to the other skills: many tests at the same time, corrected together. */
import { smallestP } from './sign-flip.ts';

export interface SideEffect {
  readonly skill: string;
  readonly p: number;
  readonly changed: number;
}

/** The share of false ones that is accepted among those reported. */
const FALSE_SHARE = 0.1;

/** The skills whose change is significant (Benjamini–Hochberg), smallest p first. */
export const significantSideEffects = (effects: readonly SideEffect[]): readonly SideEffect[] => {
  // Tarone: a skill with too few changed queries can never be significant; left in, it would only lower the level of the others.
  const possible = (tests: number): readonly SideEffect[] =>
    effects.filter(({ changed }) => smallestP(changed) <= FALSE_SHARE / tests);
  let tests = 1;
  while (possible(tests).length > tests) tests++;
  const sorted = possible(tests).toSorted((a, b) => a.p - b.p);
  const last = sorted.findLastIndex(({ p }, index) => p <= (FALSE_SHARE * (index + 1)) / sorted.length);
  return sorted.slice(0, last + 1);
};
