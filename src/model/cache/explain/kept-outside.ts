/** A beginning that something outside of the recording keeps in the cache, as tools and system prompt of a program that many use. */
import type { Comparison } from './comparison.ts';
import { longestTtl, prefixTokens, type Subject } from './subject.ts';

/** It read something although every entry that its conversation had left was gone by its time. */
export const isRevived = ({ call, usage }: Subject, earlier: readonly Subject[]): boolean =>
  call.isTimeless !== true &&
  (usage?.read ?? 0) > 0 &&
  earlier.length > 0 &&
  earlier.every((other) => call.startedAt - other.call.startedAt > longestTtl(other));

/** Tokens that were found each time when all else was gone, of what the request begins with too. */
export const keptOutside = (revived: readonly Comparison[]): number => {
  const found = revived.flatMap(({ base, reach }) =>
    reach === 0 ? [] : [Math.min(base.usage?.read ?? 0, prefixTokens(base, reach - 1))],
  );
  return found.length === 0 ? 0 : Math.min(...found);
};
