/** Whether padding pays for a model, as lines over turns. */
import { paddingCost, resized, type PaddingCost, type PrefixCall } from '../cache/padding-cost.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import type { PaddingBasis } from '../session/padding-basis.ts';
import { grouped, ticks } from './figures.ts';

export interface PaddingQuestion {
  readonly basis: PaddingBasis;
  /** Another size of the prefix without padding, in tokens of the model. */
  readonly natural?: number | undefined;
  readonly turns: number;
  readonly book?: ModelBook;
}

export interface PaddingPlot {
  /** Tokens of the prefix without padding and with it. */
  readonly natural: number;
  readonly padded: number;
  readonly floor: number | undefined;
  readonly cost: PaddingCost;
  /** USD. */
  readonly withPadding: readonly number[];
  readonly withoutPadding: readonly number[];
  readonly most: number;
  readonly yTicks: readonly number[];
  readonly xTicks: readonly number[];
  /** Where the lines cross, if that is inside the image. */
  readonly crossing: { readonly turn: number; readonly value: number } | undefined;
  /** `needless`: the prefix is cached, or long enough, as it is. */
  readonly answer: 'pays' | 'later' | 'never' | 'needless';
  /** One sentence about the answer, another about the sizes. */
  readonly why: string;
  readonly sizes: string;
}

/** Both requests with another size of the prefix. The padded one ends where that of the basis ends, unless nothing was padded there. */
const imagined = (
  { natural, padded, estimate, min }: PaddingBasis,
  size: number,
): readonly [PrefixCall, PrefixCall] => {
  const perEstimate = natural.prefix / Math.max(1, estimate);
  if (min === undefined || size >= min * perEstimate) return [resized(natural, size), resized(natural, size)];
  const target = padded.prefix > natural.prefix ? padded.prefix : Math.ceil(min * perEstimate);
  return [resized(natural, size), resized(padded, Math.max(size, target))];
};

const valueAt = (values: readonly number[], turn: number): number => {
  const [before, after] = [Math.floor(turn), Math.ceil(turn)];
  const left = values[before - 1] ?? 0;
  const right = values[after - 1] ?? left;
  return left + (right - left) * (turn - before);
};

const needlessWhy = ({ natural, padded, floor }: { natural: number; padded: number; floor: number | undefined }) => {
  if (floor === undefined || natural < floor)
    return `The prefix has ${grouped(natural)} tokens, and the policy asks for no more.`;
  const cached = `The prefix has ${grouped(natural)} tokens, and this model’s cache floor is ${grouped(floor)}.`;
  return padded > natural ? `${cached} More tokens would only cost more.` : cached;
};

/** The answer is before it already. */
const reasonOf = (why: string): string =>
  why.replace(/^Padding never pays off: (.)/, (_, first: string) => first.toUpperCase());

/** What a turn pays for, with and without. */
const MECHANISMS: Readonly<Record<PaddingCost['kind'], string>> = {
  none: '',
  unknown: '',
  cached: 'The first turn pays for a write, and every later turn for a read.',
  short: 'Neither is ever read from a cache, so every turn pays for the whole prefix.',
  dear: 'Without padding, every turn pays for the whole prefix. With it, the first turn pays for a write, and every later turn for a read.',
  pays: 'Without padding, every turn pays for the whole prefix. With it, the first turn pays for a write, and every later turn for a read.',
};

export const paddingPlot = ({ basis, natural: size, turns, book }: PaddingQuestion): PaddingPlot => {
  const isOwn = size === undefined || size === basis.natural.prefix;
  const [bare, full] = isOwn ? [basis.natural, basis.padded] : imagined(basis, size);
  const facts = modelFacts(basis.natural.call.request.model, book);
  const cost = paddingCost(bare, full, turns, book ? { book } : {});
  const [withPadding, withoutPadding] = [
    cost.series.map((point) => point.withPadding),
    cost.series.map((point) => point.withoutPadding),
  ];
  const most = Math.max(0, ...withPadding, ...withoutPadding);
  const { breakEven, paysFrom, kind } = cost;
  const { floor } = facts;
  const [natural, padded] = [bare.prefix, full.prefix];
  const isNeedless = kind === 'none' || kind === 'cached';
  const grown = padded === natural ? 'No padding.' : `Padding grows ${grouped(natural)} tokens to ${grouped(padded)}.`;
  return {
    natural,
    padded,
    floor,
    cost,
    withPadding,
    withoutPadding,
    most,
    yTicks: ticks(most, 4),
    xTicks: ticks(turns, 6).filter((turn) => turn >= 1 && Number.isInteger(turn)),
    crossing:
      breakEven !== undefined && breakEven >= 1 && breakEven <= turns
        ? { turn: breakEven, value: valueAt(withoutPadding, breakEven) }
        : undefined,
    answer: isNeedless ? 'needless' : paysFrom === undefined ? 'never' : paysFrom <= turns ? 'pays' : 'later',
    why: isNeedless ? needlessWhy({ natural, padded, floor }) : reasonOf(cost.why),
    sizes: `${grown} ${MECHANISMS[kind]}`.trim(),
  };
};
