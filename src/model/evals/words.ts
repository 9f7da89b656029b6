/** What page and terminal say of rates and comparisons. */
import { percent, signedPercent } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import type { Comparison } from './statistics/compare.ts';
import type { Rate } from './statistics/rates.ts';

export const rateWords = (rate: Rate | undefined, none = 'not judged'): string =>
  rate ? `${percent(rate.rate)} (${percent(rate.low)}–${percent(rate.high)})` : none;

export const VERDICT_WORDS = { better: 'Better', worse: 'Worse', 'cannot-tell': 'Cannot tell' } as const;

/** The difference with its interval. */
export const differenceWords = ({ difference, low, high, p, queries }: Comparison): string =>
  `${signedPercent(difference)} right (${signedPercent(low)} to ${signedPercent(high)}, p = ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}) over ${plural(queries, 'query', 'queries')}`;

/** What would tell. */
export const moreWords = ({ more: needed, changed, neededChanged, queries }: Comparison): string => {
  const why =
    changed < neededChanged
      ? `Only ${plural(changed, 'query', 'queries')} changed. The test needs at least ${neededChanged}.`
      : 'The difference may be chance.';
  if (!needed) return `${why} No difference was seen.`;
  const repeats = needed.repeats === undefined ? '' : `, or ${needed.repeats} runs of each of the ${queries}`;
  return `${why} About ${needed.queries} queries${repeats} would show a difference of this size. Start a new comparison for that.`;
};

/** Said wherever somebody asks each query once. */
export const ONE_RUN = 'One run of each query can’t tell 9 of 10 right from 4 of 10. Five runs of each can.';
