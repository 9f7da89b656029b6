/** How long a stable prefix should be, and why (D15, D16). All numbers in tokens of the estimate (D14). */
import { groupDigits } from '../../base/text.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import type { PaddingPolicy } from './types.ts';

const MIN_CACHEABLE_PREFIX_TOKENS = 4500;
const MAX_CACHEABLE_PREFIX_TOKENS = 5500;
/** Longest paragraph of the operating context, with what separates it. */
const PARAGRAPH_CHARACTERS = 2000;

/** Above the floor by this much: an estimate is an estimate. */
const FLOOR_MARGIN = 1.15;
/** Room for one paragraph, so that MIN can always be reached without passing MAX. */
const LEAST_ROOM = PARAGRAPH_CHARACTERS / 4;

export interface PaddingTarget {
  readonly policy: PaddingPolicy;
  /** Both absent: nothing is padded. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** From how many of its own tokens the model caches; absent if it is not known. */
  readonly floor: number | undefined;
  /** One sentence. */
  readonly why: string;
}

export const paddingTarget = (policy: PaddingPolicy, model: string, book?: ModelBook): PaddingTarget => {
  const facts = modelFacts(model, book);
  // Where a measurement found a higher floor than the documents name, the effective one counts.
  const floor = facts.floor === undefined ? undefined : Math.max(facts.floor, facts.observedFloor ?? 0);
  const none = { policy, min: undefined, max: undefined, floor };
  if (policy === 'off') return { ...none, why: 'Padding is off.' };
  if (policy === 'spec')
    return {
      policy,
      floor,
      min: MIN_CACHEABLE_PREFIX_TOKENS,
      max: MAX_CACHEABLE_PREFIX_TOKENS,
      why: `Policy spec pads to ${groupDigits(MIN_CACHEABLE_PREFIX_TOKENS)} tokens for every model.`,
    };
  if (floor === undefined)
    return { ...none, why: `The cache floor of ${facts.label} is unknown, so Lathe adds no padding.` };
  const min = Math.ceil((floor * FLOOR_MARGIN) / facts.tokenFactor);
  const room = (min * (MAX_CACHEABLE_PREFIX_TOKENS - MIN_CACHEABLE_PREFIX_TOKENS)) / MIN_CACHEABLE_PREFIX_TOKENS;
  return {
    policy,
    floor,
    min,
    max: min + Math.max(LEAST_ROOM, Math.floor(room)),
    why: `${facts.label} caches from ${groupDigits(floor)} of its own tokens; with 15% to spare that is ${groupDigits(min)} by our estimate.`,
  };
};

export interface PaddingResult {
  readonly natural: number;
  readonly estimate: number;
}

const floorPhrase = (floor: number | undefined): string =>
  floor === undefined ? 'this model’s cache floor is unknown' : `this model caches from ${groupDigits(floor)}`;

/** One sentence that a person can act on. */
export const paddingNote = (target: PaddingTarget, { natural, estimate }: PaddingResult): string => {
  const { policy, min, floor } = target;
  const size = `the natural prefix is ${groupDigits(natural)} tokens by the estimate`;
  if (policy === 'off') return `not padded: padding is off; ${size} and ${floorPhrase(floor)}`;
  if (min === undefined) return `not padded: ${size} and ${floorPhrase(floor)}`;
  if (natural >= min) return `not padded: ${size}, and padding is for those below ${groupDigits(min)}`;
  let note = `padded because ${size} and ${floorPhrase(floor)}`;
  if (policy === 'model') note += ` (by our estimate, with 15% to spare, ${groupDigits(min)})`;
  else if (floor === undefined || floor <= natural)
    note = `padded because ${size} and policy spec wants ${groupDigits(min)}, though ${floorPhrase(floor)}`;
  return estimate < min ? `${note}; the padding ended at ${groupDigits(estimate)}` : note;
};
