/** A forecast in words: the same ones wherever a change is about to cost something. */
import { money } from '../../base/figures.ts';
import { groupDigits } from '../../base/text.ts';
import { writtenIn, type Forecast, type ForecastChange } from './forecast.ts';

export const dollars = (usd: number): string => (usd === 0 ? '<$0.0001' : money(Math.abs(usd)));

/** Sums that nobody could see in any unit of money. */
const isNothing = (usd: number): boolean => Math.abs(usd) < 1e-12;

/** `reads 1,203 and writes 4,259 tokens`. */
const flowWords = (forecast: Forecast): string =>
  `reads ${groupDigits(forecast.usage.read)} and writes ${groupDigits(writtenIn(forecast))} tokens`;

const priceWords = ({ extraUsd }: ForecastChange): string => {
  if (extraUsd === undefined) return ', price unknown';
  if (isNothing(extraUsd)) return ', at the same price';
  return extraUsd > 0
    ? `, ${dollars(extraUsd)} more than without the change`
    : `, ${dollars(extraUsd)} less than without the change`;
};

/** For a list of choices: `loses 5,681 cached tokens, +$0.0065`. */
export const shortChange = ({ lost, extraUsd }: ForecastChange): string => {
  const price =
    extraUsd === undefined
      ? 'price unknown'
      : isNothing(extraUsd)
        ? 'same price'
        : `${extraUsd > 0 ? '+' : '−'}${dollars(extraUsd)}`;
  return `${lost > 0 ? `loses ${groupDigits(lost)} cached tokens` : 'loses nothing'}, ${price}`;
};

/** One or two sentences about the request that `subject` names: `The next request`. */
export const changeWords = (change: ForecastChange | undefined, subject: string): string => {
  if (!change)
    return `What ${subject.charAt(0).toLowerCase()}${subject.slice(1)} reads and costs is unknown: its tokens couldn\u2019t be counted.`;
  const { before, after, lost } = change;
  const flow = `${subject} ${flowWords(after)}${priceWords(change)}.`;
  if (lost > 0) return `${groupDigits(lost)} cached tokens are lost. ${flow}`;
  if (before.usage.read > 0) return `Nothing in the cache is lost. ${flow}`;
  return `Nothing is cached for it now, so nothing is lost. ${flow}`;
};
