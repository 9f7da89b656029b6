/** Whether earlier requests left anything to read, and whether a setting would have changed that (EX83, EX84). */
import { imaginedPrefix, paddingCost } from '../padding-cost.ts';
import type { Comparison } from './comparison.ts';
import { hasMarkers } from './system-causes.ts';
import type { Situation } from './situation.ts';
import { prefixTokens, promptSize, type Subject } from './subject.ts';
import type { ExplainContext } from './types.ts';

/** Assumed where a floor is not published: the lowest of Anthropic's, and the one that all of OpenAI's models share. */
const ASSUMED = { marked: 512, whole: 1_024 } as const;
/** A floor decision this close to the floor is uncertain. */
export const NEAR_FLOOR = 0.15;

/** The smallest prefix that the provider caches. */
export const floorOf = (subject: Subject): number =>
  subject.facts.floor ?? (hasMarkers(subject) ? ASSUMED.marked : ASSUMED.whole);

/** Share of the floor below which an estimate settles that nothing was cached. */
const FAR_BELOW = 0.5;

/** By its bill, a request left nothing in any cache. Without a bill only a prompt far below the floor tells. */
const leftNothing = (subject: Subject): boolean => {
  const size = promptSize(subject);
  if (subject.usage?.cacheReported !== true) return size < floorOf(subject) * FAR_BELOW;
  // Models that match any prefix report no writes; the size of the prompt tells.
  return hasMarkers(subject) ? subject.passes.left === 0 : size < floorOf(subject);
};

/** What another request begins with like this one is too short to be read. */
const isShort = ({ base, reach }: Comparison): boolean =>
  reach === 0 || leftNothing(base) || (!hasMarkers(base) && prefixTokens(base, reach - 1) < floorOf(base));

/** No earlier request left anything that this one could have read. */
export const foundNothing = ({ comparison, others, read }: Situation): boolean =>
  read === 0 && leftNothing(comparison.base) && others().every((other) => other === comparison || isShort(other));

/** A prompt of a model that matches any prefix is too short for it. */
export const isBelowFloor = (subject: Subject): boolean => promptSize(subject) < floorOf(subject);

/** Padding to a size above the floor, over so many tokens: from which turn on it pays, and why. */
export const paddingOf = (
  subject: Subject,
  tokens: number,
  context: ExplainContext,
): { readonly size: number; readonly paysFrom: number | undefined; readonly why: string } => {
  const size = Math.ceil(floorOf(subject) * (1 + NEAR_FLOOR));
  const prices = context.book ? { book: context.book } : {};
  const imagined = (wanted: number) => imaginedPrefix(subject.request.model, wanted, undefined, prices);
  const { paysFrom, why } = paddingCost(imagined(tokens), imagined(size), 2, prices);
  return { size, paysFrom, why };
};

/** Turns of a usual session: padding that pays later than this is not advice. */
const SOON = 10;

/** Whether the right markers would have saved anything of a beginning of that many tokens, or padding where they are right. */
export const isWorthCaching = (subject: Subject, tokens: number, isMarked: boolean, context: ExplainContext): boolean =>
  tokens >= floorOf(subject) || (isMarked && (paddingOf(subject, tokens, context).paysFrom ?? Infinity) <= SOON);
