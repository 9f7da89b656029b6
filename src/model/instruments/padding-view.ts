/** Whether padding pays for a model, as lines over turns. */
import { paddingCost, type PaddingCost } from '../cache/padding-cost.ts';
import { paddingTarget } from '../prompt/padding.ts';
import type { PaddingPolicy } from '../prompt/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import type { Ttl } from '../provider/types.ts';
import { grouped, ticks } from './figures.ts';

export interface PaddingQuestion {
  readonly model: string;
  /** Tokens of the prefix as it is, in tokens of the model. */
  readonly natural: number;
  readonly turns: number;
  readonly policy: Exclude<PaddingPolicy, 'off'>;
  readonly ttl: Ttl;
  readonly book?: ModelBook;
}

export interface PaddingPlot {
  /** Tokens of the prefix with padding. */
  readonly padded: number;
  readonly floor: number | undefined;
  readonly cost: PaddingCost;
  /** USD, or tokens of plain input where the price is not known. */
  readonly unit: 'usd' | 'tokens';
  readonly withPadding: readonly number[];
  readonly withoutPadding: readonly number[];
  readonly most: number;
  readonly yTicks: readonly number[];
  readonly xTicks: readonly number[];
  /** Where the lines cross, if that is inside the picture. */
  readonly crossing: { readonly turn: number; readonly value: number } | undefined;
  /** `needless`: the prefix is cached, or long enough, as it is. */
  readonly answer: 'pays' | 'later' | 'never' | 'needless';
  /** One sentence about the answer, another about the sizes. */
  readonly why: string;
  readonly sizes: string;
}

/** A prefix of this many tokens, padded by the policy. */
const paddedSize = ({ natural, policy, model, book }: PaddingQuestion): number => {
  const { min } = paddingTarget(policy, model, book);
  if (min === undefined) return natural;
  // MIN counts by our estimate, a prefix here by the tokens of the model.
  const factor = policy === 'model' ? modelFacts(model, book).tokenFactor : 1;
  return Math.max(natural, Math.ceil(min * factor));
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
  const cached = `The prefix has ${grouped(natural)} tokens, and this model caches from ${grouped(floor)} on.`;
  return padded > natural ? `${cached} More tokens would only cost more.` : cached;
};

/** The answer stands before it already. */
const reasonOf = (why: string): string =>
  why.replace(/^Padding never pays: (.)/, (_, first: string) => first.toUpperCase());

/** What a turn pays for, with and without. */
const mechanism = ({ natural, padded, floor }: { natural: number; padded: number; floor: number | undefined }) => {
  // Without a known floor the short prefix is taken to be too short, as in the cost.
  if (floor !== undefined && natural >= floor) return 'The first turn pays a write, and every later one a read.';
  if (floor !== undefined && padded < floor)
    return 'Both are too short to be cached: every turn pays the whole prefix.';
  return 'Without padding every turn pays the whole prefix; with it the first turn pays a write, and every later one a read.';
};

export const paddingPlot = (question: PaddingQuestion): PaddingPlot => {
  const { model, natural, turns, ttl, book } = question;
  const padded = paddedSize(question);
  const facts = modelFacts(model, book);
  const options = book ? { book } : {};
  // OpenAI's caches have a TTL of their own.
  const cost = paddingCost({ model, natural, padded, turns, ...(facts.family === 'anthropic' && { ttl }) }, options);
  const isPriced = cost.series.every(({ withPaddingUsd }) => withPaddingUsd !== undefined);
  const pick = (usd: number | undefined, tokens: number): number => (isPriced ? (usd ?? 0) : tokens);
  const withPadding = cost.series.map((point) => pick(point.withPaddingUsd, point.withPadding));
  const withoutPadding = cost.series.map((point) => pick(point.withoutPaddingUsd, point.withoutPadding));
  const most = Math.max(0, ...withPadding, ...withoutPadding);
  const { breakEven, paysFrom } = cost;
  const { floor } = facts;
  const isNeedless = cost.series.length > 0 && (padded <= natural || (floor !== undefined && natural >= floor));
  return {
    padded,
    floor,
    cost,
    unit: isPriced ? 'usd' : 'tokens',
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
    sizes: `${
      padded === natural ? 'Nothing is padded.' : `Padding makes ${grouped(natural)} tokens into ${grouped(padded)}.`
    } ${mechanism({ natural, padded, floor })}`,
  };
};
