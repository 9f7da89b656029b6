/** Whether padding a short prefix up to the floor of the cache pays, turn by turn. */
import { groupDigits } from '../../base/text.ts';
import { ratesOf, type CostOptions } from '../provider/cost.ts';
import { modelFacts } from '../provider/model-book.ts';
import type { WriteTtl } from '../provider/types.ts';

export interface PaddingInput {
  readonly model: string;
  /** Tokens of the prefix as it is. */
  readonly natural: number;
  /** Tokens of the prefix with padding. */
  readonly padded: number;
  /** Turns of one call each, all inside the TTL. */
  readonly turns: number;
  readonly ttl?: WriteTtl;
}

/** Cumulative cost of the prefix alone, after so many turns. */
export interface PaddingPoint {
  readonly turn: number;
  /** In tokens of plain input: what the figures are before a price is known. */
  readonly withPadding: number;
  readonly withoutPadding: number;
  /** USD; undefined where the price is unknown. */
  readonly withPaddingUsd: number | undefined;
  readonly withoutPaddingUsd: number | undefined;
}

export interface PaddingCost {
  readonly series: readonly PaddingPoint[];
  /** Where the lines cross, in turns; undefined where they never do. */
  readonly breakEven: number | undefined;
  /** The first whole turn after which padding has cost less. */
  readonly paysFrom: number | undefined;
  /** One sentence. */
  readonly why: string;
}

interface Multipliers {
  readonly read: number;
  readonly write: number;
}

const say = (tokens: number): string => groupDigits(Math.round(tokens));
const tenth = (value: number): string => (Math.round(value * 10) / 10).toFixed(1);

/** Cumulative cost of a prefix in tokens of plain input. */
const cumulative = (tokens: number, turn: number, isCached: boolean, { read, write }: Multipliers): number =>
  isCached ? write * tokens + (turn - 1) * read * tokens : turn * tokens;

const judge = (
  { model, natural, padded }: PaddingInput,
  floor: number | undefined,
  times: Multipliers,
): Pick<PaddingCost, 'breakEven' | 'paysFrom' | 'why'> => {
  const never = (why: string) => ({ breakEven: undefined, paysFrom: undefined, why: `Padding never pays: ${why}` });
  if (padded <= natural) return never('there is none, the prefix is as long without it.');
  if (floor !== undefined && natural >= floor)
    return never(`the prefix has ${say(natural)} tokens and is cached as it is, from ${say(floor)} on.`);
  if (floor !== undefined && padded < floor)
    return never(`with it the prefix has ${say(padded)} tokens, and ${model} caches only from ${say(floor)} on.`);
  const perTurn = natural - times.read * padded;
  if (perTurn <= 0)
    return never(
      `reading ${say(padded)} padded tokens costs as much as ${say(times.read * padded)} plain ones, and the prefix has only ${say(natural)}.`,
    );
  const breakEven = ((times.write - times.read) * padded) / perTurn;
  const paysFrom = Math.max(1, Math.floor(breakEven) + 1);
  return {
    breakEven,
    paysFrom,
    why: `The write is paid back after ${tenth(breakEven)} turns inside the TTL; from turn ${paysFrom} on padding costs less.`,
  };
};

/**
 * With p natural tokens, F padded ones, w and r the multipliers of a write and of a read:
 * N·p without, w·F + (N−1)·r·F with; they meet at N = (w−r)·F / (p − r·F), if p > r·F.
 */
export const paddingCost = (input: PaddingInput, options: CostOptions = {}): PaddingCost => {
  const { model, natural, padded, turns } = input;
  const { floor } = modelFacts(model, options.book);
  const rates = ratesOf(model, padded, options);
  if (typeof rates === 'string') return { series: [], breakEven: undefined, paysFrom: undefined, why: rates };
  const ttl = input.ttl ?? rates.defaultTtl;
  const write = rates.write(ttl);
  if (write === undefined) {
    const why = `The price of a write that lives ${ttl} on ${model} is not known.`;
    return { series: [], breakEven: undefined, paysFrom: undefined, why };
  }
  const times: Multipliers = { read: rates.read / rates.input, write: write / rates.input };
  const isCached = (tokens: number): boolean => floor === undefined || tokens >= floor;
  // Without a known floor the short prefix is taken to be too short: that is why somebody thinks of padding.
  const naturalIsCached = floor !== undefined && isCached(natural);
  const series = Array.from({ length: Math.max(0, Math.floor(turns)) }, (_, index): PaddingPoint => {
    const turn = index + 1;
    const withPadding = cumulative(padded, turn, isCached(padded), times);
    const withoutPadding = cumulative(natural, turn, naturalIsCached, times);
    return {
      turn,
      withPadding,
      withoutPadding,
      withPaddingUsd: withPadding * rates.input,
      withoutPaddingUsd: withoutPadding * rates.input,
    };
  });
  return { series, ...judge(input, floor, times) };
};
