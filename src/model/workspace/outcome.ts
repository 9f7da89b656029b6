/** What becomes of skills. Light, because the first paint counts them. */
import type { DiscoveryEntry } from '../library/types.ts';

/** In a session, or why it is in none. `not-searched`: no session in the working folder looks there. */
export type SkillOutcome = DiscoveryEntry['outcome'] | 'not-searched';

type Judged = { readonly outcome: SkillOutcome };

export const isLoaded = ({ outcome }: Judged): boolean => outcome === 'loaded' || outcome === 'downgraded';

/** How many of these a session would load. */
export const countLoaded = (skills: readonly Judged[]): number => skills.filter(isLoaded).length;
