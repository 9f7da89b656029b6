/** What a call costs by the dated price book. A price that is not known is never a zero: the sum is then unknown too. */
import { MODEL_BOOK, modelFacts, PRICE_BOOK_VERSION, type ModelBook, type PriceCard } from './model-book.ts';
import { promptTokens, type Usage, type WriteTtl } from './types.ts';

export interface CostOptions {
  readonly book?: ModelBook;
  /** Half the price, cache included. */
  readonly batch?: boolean;
  /** `us` costs a tenth more. */
  readonly geo?: string;
  /** The fast mode has a card of its own. */
  readonly fast?: boolean;
}

export interface CostParts {
  readonly uncached: number | undefined;
  readonly read: number | undefined;
  readonly write: number | undefined;
  readonly output: number | undefined;
}

export interface Cost {
  /** USD. */
  readonly usd: number | undefined;
  readonly parts: CostParts;
  /** Why `usd` or a part is unknown: one sentence each. */
  readonly unknown: readonly string[];
  /** What was assumed: one sentence each. */
  readonly notes: readonly string[];
  /** Of the price book. */
  readonly version: string;
}

const PER_TOKEN = 1e-6;
const BATCH = 0.5;
const US_ONLY = 1.1;

/** USD per million tokens, in and out; cache multipliers apply on top. */
const FAST: ReadonlyMap<string, { readonly input: number; readonly output: number }> = new Map([
  ['claude-opus-5-5', { input: 8, output: 40 }],
  ['claude-opus-5', { input: 10, output: 50 }],
  ['claude-opus-4-8', { input: 10, output: 50 }],
]);

const DEFAULT_TTL = { anthropic: '5m', openai: '30m', unknown: 'unknown' } as const;

/** Rates per token, in USD; a rate that is missing is not known. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write: (ttl: WriteTtl) => number | undefined;
  /** The TTL that a write has if nobody says otherwise. */
  readonly defaultTtl: WriteTtl;
}

const modifier = (options: CostOptions): number =>
  (options.batch === true ? BATCH : 1) * (options.geo === 'us' ? US_ONLY : 1);

/** The rates for a prompt of that many tokens; a sentence where none exist. */
export const ratesOf = (model: string, tokens: number, options: CostOptions = {}): Rates | string => {
  const facts = modelFacts(model, options.book ?? MODEL_BOOK);
  const isLong = facts.longPrice !== undefined && tokens > facts.longPrice.above;
  const listed: PriceCard | undefined = isLong ? facts.longPrice?.card : facts.price;
  if (!listed) return `The price of ${model} isn’t in the price book of ${PRICE_BOOK_VERSION}.`;
  const fast = options.fast === true ? FAST.get(facts.id) : undefined;
  if (options.fast === true && !fast) return `The price of ${model} in fast mode is unknown.`;
  const scale = PER_TOKEN * modifier(options);
  const input = (fast?.input ?? listed.input) * scale;
  const multiplier = (ttl: WriteTtl): number | undefined => {
    const known = ttl === 'unknown' ? undefined : listed.writeMultipliers[ttl];
    // Where writing is free, what is written costs what any input costs.
    return known ?? (facts.caching === 'openai-prefix' ? 1 : undefined);
  };
  return {
    input,
    output: (fast?.output ?? listed.output) * scale,
    read: input * listed.readMultiplier,
    write: (ttl) => {
      const times = multiplier(ttl);
      return times === undefined ? undefined : input * times;
    },
    defaultTtl: DEFAULT_TTL[facts.family],
  };
};

const NOTHING: CostParts = { uncached: undefined, read: undefined, write: undefined, output: undefined };

const sum = (parts: readonly (number | undefined)[]): number | undefined =>
  parts.reduce((total, part) => (total === undefined || part === undefined ? undefined : total + part), 0);

const costOfWrites = (usage: Usage, model: string, rates: Rates, unknown: string[], notes: string[]) =>
  sum(
    Object.entries(usage.writes).map(([name, tokens]) => {
      if (tokens === 0) return 0;
      const said = name as WriteTtl;
      const ttl = said === 'unknown' ? rates.defaultTtl : said;
      const rate = rates.write(ttl);
      if (rate === undefined) unknown.push(`The price of a write with a TTL of ${ttl} on ${model} is unknown.`);
      else if (said === 'unknown')
        notes.push(`The provider doesn’t report the TTL of the written tokens, so Lathe prices them as ${ttl}.`);
      return rate === undefined ? undefined : tokens * rate;
    }),
  );

/** A call that ended without a word about its tokens. */
const isUntold = (usage: Usage): boolean =>
  usage.partial && usage.charged === undefined && promptTokens(usage) + usage.output === 0;

const UNTOLD: Cost = {
  usd: undefined,
  parts: NOTHING,
  unknown: ['The provider didn’t report the number of tokens.'],
  notes: [],
  version: PRICE_BOOK_VERSION,
};

/** Without the noise of adding fractions: a thousandth of a millionth is far less than a token costs. */
export const roundUsd = (usd: number): number => Math.round(usd * 1e9) / 1e9;

export const costOf = (usage: Usage, model: string, options: CostOptions = {}): Cost => {
  if (isUntold(usage)) return UNTOLD;
  const unknown: string[] = [];
  const notes: string[] = [];
  if (usage.partial) notes.push('The request ended early. This is the cost reported until then.');
  if (!usage.cacheReported)
    notes.push('The provider reported no cache counters, so every prompt token has the uncached price.');
  const rates = ratesOf(model, promptTokens(usage), options);
  let parts = NOTHING;
  if (typeof rates === 'string') unknown.push(rates);
  else
    parts = {
      uncached: usage.uncached * rates.input,
      read: usage.read * rates.read,
      write: costOfWrites(usage, model, rates, unknown, notes),
      output: usage.output * rates.output,
    };
  if (usage.charged !== undefined) notes.push('The total is the charge that the provider reported.');
  return {
    usd: usage.charged ?? sum(Object.values(parts)),
    parts,
    unknown,
    notes,
    version: PRICE_BOOK_VERSION,
  };
};

/** The same call had there been no cache: every prompt token as plain input. What was charged says nothing about that. */
export const costWithoutCache = (usage: Usage, model: string, options: CostOptions = {}): Cost => {
  const { charged: _charged, ...rest } = usage;
  return costOf({ ...rest, uncached: promptTokens(usage), read: 0, writes: {}, cacheReported: true }, model, options);
};

export interface Savings {
  readonly cost: number | undefined;
  readonly withoutCache: number | undefined;
  /** Negative where the cache cost more than it saved. */
  readonly saved: number | undefined;
  /** `saved` of `withoutCache`; undefined where that is zero or unknown. */
  readonly share: number | undefined;
}

export const savingsOf = (usage: Usage, model: string, options: CostOptions = {}): Savings => {
  const cost = costOf(usage, model, options).usd;
  const withoutCache = costWithoutCache(usage, model, options).usd;
  const saved = cost === undefined || withoutCache === undefined ? undefined : withoutCache - cost;
  const share =
    saved === undefined || withoutCache === undefined || withoutCache === 0 ? undefined : saved / withoutCache;
  return { cost, withoutCache, saved, share };
};

/** What tokens cost more than they had to: written or uncached instead of read. */
export const extraCost = (
  missed: { readonly written: Readonly<Partial<Record<WriteTtl, number>>>; readonly uncached: number },
  model: string,
  promptSize: number,
  options: CostOptions = {},
): number | undefined => {
  const rates = ratesOf(model, promptSize, options);
  if (typeof rates === 'string') return undefined;
  const written = sum(
    Object.entries(missed.written).map(([name, tokens]) => {
      if (tokens === 0) return 0;
      const rate = rates.write(name === 'unknown' ? rates.defaultTtl : (name as WriteTtl));
      return rate === undefined ? undefined : tokens * (rate - rates.read);
    }),
  );
  return sum([written, missed.uncached * (rates.input - rates.read)]);
};
