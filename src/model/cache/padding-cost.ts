/** Whether padding a short prefix pays, turn by turn: the request without padding and the one with it, put to the forecast. */
import { groupDigits } from '../../base/text.ts';
import { ratesOf, type CostOptions } from '../provider/cost.ts';
import { modelFacts } from '../provider/model-book.ts';
import type { Ttl } from '../provider/types.ts';
import type { CacheCall } from './engine.ts';
import { forecastTurns, type Forecast } from './forecast.ts';
import { dollars } from './forecast-words.ts';
import { readRequest } from './read-request.ts';

/** A request, and how many of its tokens are the prefix that padding makes longer. */
export interface PrefixCall {
  readonly call: CacheCall;
  readonly prefix: number;
  /** Index of the block that ends it. */
  readonly end: number;
}

/** The call as it is, with the tokens up to and with that block as its prefix. */
export const prefixCall = (call: CacheCall, end: number): PrefixCall => ({
  call,
  prefix: call.tokens.slice(0, end + 1).reduce((sum, tokens) => sum + tokens, call.toolPromptTokens ?? 0),
  end,
});

/** The same request with a prefix of that many tokens; all its parts grow or shrink alike. */
export const resized = ({ call, prefix, end }: PrefixCall, wanted: number): PrefixCall => {
  let [sum, given] = [0, 0];
  const share = (tokens: number, isLast = false): number => {
    sum += tokens;
    const upTo = isLast || prefix === 0 ? wanted : Math.round((wanted * sum) / prefix);
    const own = upTo - given;
    given = upTo;
    return own;
  };
  const toolPromptTokens = share(call.toolPromptTokens ?? 0);
  const tokens = call.tokens.map((own, at) => (at > end ? own : share(own, at === end)));
  return { call: { ...call, toolPromptTokens, tokens }, prefix: wanted, end };
};

/** Cumulative cost of the prompts after so many turns, in USD. */
export interface PaddingPoint {
  readonly turn: number;
  readonly withPadding: number;
  readonly withoutPadding: number;
}

export interface PaddingCost {
  /** Empty where a price is not known. */
  readonly series: readonly PaddingPoint[];
  /** Where the lines cross, in turns; undefined where they never do. */
  readonly breakEven: number | undefined;
  /** The first whole turn after which padding has cost less. */
  readonly paysFrom: number | undefined;
  /**
   * `none`: there is no padding; `cached`: the prefix is read without it; `short`: it is not read with it either; `dear`: reading
   * it costs more than sending the short one; `unknown`: no price.
   */
  readonly kind: 'pays' | 'none' | 'cached' | 'short' | 'dear' | 'unknown';
  /** One sentence. */
  readonly why: string;
}

/** Turns follow each other so closely that no entry expires between them. */
const APART_MS = 60_000;

const say = (tokens: number): string => groupDigits(Math.round(tokens));
const tenth = (value: number): string => (Math.round(value * 10) / 10).toFixed(1);

type Told = readonly Forecast[];
type Judged = Pick<PaddingCost, 'breakEven' | 'paysFrom' | 'kind' | 'why'>;

const judge = (natural: PrefixCall, padded: PrefixCall, [plain, full]: readonly [Told, Told]): Judged => {
  const never = (kind: PaddingCost['kind'], why: string): Judged => ({
    breakEven: undefined,
    paysFrom: undefined,
    kind,
    why: `Padding never pays off: ${why}`,
  });
  const { floor } = full[0] ?? {};
  const { model } = padded.call.request;
  if (padded.prefix <= natural.prefix) return never('none', 'no padding fits, so the prefix is just as long.');
  const isRead = (told: Told): boolean => (told[1]?.usage.read ?? 0) > 0;
  if (isRead(plain))
    return never(
      'cached',
      `the prefix has ${say(natural.prefix)} tokens and is cached without it${floor === undefined ? '' : `, because the cache floor is ${say(floor)}`}.`,
    );
  if (!isRead(full)) {
    const size = `with it the prefix has ${say(padded.prefix)} tokens, and `;
    return never(
      'short',
      floor !== undefined && padded.prefix < floor
        ? `${size}${model} caches only from ${say(floor)} tokens.`
        : `${size}the request has no cache breakpoint there.`,
    );
  }
  const usdOf = (told: Told, turn: number): number => told[turn]?.usd ?? 0;
  // What padding costs more in the first turn, and saves in every later one.
  const more = usdOf(full, 0) - usdOf(plain, 0);
  const less = usdOf(plain, 1) - usdOf(full, 1);
  if (less <= 0)
    return never(
      'dear',
      `every later turn costs ${dollars(usdOf(full, 1))} with it and ${dollars(usdOf(plain, 1))} without.`,
    );
  const breakEven = 1 + more / less;
  const paysFrom = Math.max(1, Math.floor(breakEven + 1e-9) + 1);
  return {
    breakEven,
    paysFrom,
    kind: 'pays',
    why: `The write is paid back after ${tenth(breakEven)} turns inside the TTL; from turn ${paysFrom} on padding costs less.`,
  };
};

/** Both requests once per turn, each on a cache of its own that has nothing yet. */
export const paddingCost = (
  natural: PrefixCall,
  padded: PrefixCall,
  turns: number,
  options: CostOptions = {},
): PaddingCost => {
  // The second turn finds what the first has left, and so does every later one: they cost the same.
  const ask = ({ call }: PrefixCall): Told => forecastTurns(call, 2, APART_MS, options);
  const told = [ask(natural), ask(padded)] as const;
  if (told.some((forecasts) => forecasts.some(({ usd }) => usd === undefined))) {
    const rates = ratesOf(padded.call.request.model, padded.prefix, options);
    const why = typeof rates === 'string' ? rates : 'The price of a write with this TTL is unknown.';
    return { series: [], breakEven: undefined, paysFrom: undefined, kind: 'unknown', why };
  }
  let [without, withIt] = [0, 0];
  const series = Array.from({ length: Math.max(0, Math.floor(turns)) }, (_, index): PaddingPoint => {
    const turn = Math.min(index, 1);
    without += told[0][turn]?.usd ?? 0;
    withIt += told[1][turn]?.usd ?? 0;
    return { turn: index + 1, withPadding: withIt, withoutPadding: without };
  });
  return { series, ...judge(natural, padded, told) };
};

/** A request that is nothing but a prefix of that many tokens, as its model would be asked to cache it. */
export const imaginedPrefix = (model: string, tokens: number, ttl?: Ttl, options: CostOptions = {}): PrefixCall => {
  const isAnthropic = modelFacts(model, options.book).family === 'anthropic';
  const marker = { cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } };
  const body = isAnthropic
    ? { model, system: [{ type: 'text', text: 'prefix', ...marker }], messages: [] }
    : { model, input: [{ role: 'user', content: [{ type: 'input_text', text: 'prefix' }] }] };
  const read = readRequest(JSON.stringify(body), isAnthropic ? 'anthropic-messages' : 'openai-responses');
  if (!read.ok) throw new Error(read.error);
  const request = read.value;
  const sizes = request.blocks.map((_, at) => (at === 0 ? tokens : 0));
  return prefixCall({ request, tokens: sizes, toolPromptTokens: 0, startedAt: 0, scope: '' }, 0);
};
