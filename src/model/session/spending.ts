/** Limits on money and tokens, looked at before every call (D26). */
import { costOf } from '../provider/cost.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { CallState, SessionState } from './state.ts';
import { promptTokens, type Usage } from '../provider/types.ts';
import type { Forecast } from '../cache/forecast.ts';

interface Spent {
  readonly usd: number;
  readonly tokens: number;
  readonly unpriced: number;
}

const TOKENS = new WeakMap<Usage, number>();

/** Asked of every call of a session before each new one. */
const tokensOf = (usage: Usage): number => {
  const known = TOKENS.get(usage);
  if (known !== undefined) return known;
  const tokens = promptTokens(usage) + usage.output;
  TOKENS.set(usage, tokens);
  return tokens;
};

const spentBy = (calls: readonly CallState[]): Spent => {
  let [usd, tokens, unpriced] = [0, 0, 0];
  for (const { usage, costUsd } of calls) {
    if (!usage) continue;
    tokens += tokensOf(usage);
    if (costUsd === undefined) unpriced++;
    else usd += costUsd;
  }
  return { usd, tokens, unpriced };
};

const money = (usd: number): string => `$${usd.toFixed(usd < 0.01 ? 4 : 2)}`;

interface Limits {
  readonly what: string;
  readonly usd: number | null;
  readonly tokens: number | null;
}

const objection = (
  spent: Spent,
  next: { usd: number | undefined; tokens: number },
  limits: Limits,
): string | undefined => {
  const { what, usd, tokens } = limits;
  if (tokens !== null && spent.tokens + next.tokens > tokens)
    return `The token limit of ${what} is ${tokens}: ${spent.tokens} are used, and the next request would send ${next.tokens}. Raise the limit to continue.`;
  if (usd === null) return undefined;
  // A call has no price where the model has none, or where the provider did not tell its usage.
  if (next.usd === undefined || spent.unpriced > 0)
    return `The spending limit of ${what} is ${money(usd)}, and ${next.usd === undefined ? 'the price of this model' : 'the cost of an earlier request'} is unknown, so Lathe can’t apply the limit. Set a token limit instead, or enter the price in the settings.`;
  if (spent.usd + next.usd > usd)
    return `The spending limit of ${what} is ${money(usd)}: ${money(spent.usd)} are spent, and the next request would cost at least ${money(next.usd)}. Raise the limit to continue.`;
  return undefined;
};

const uncachedUsd = (tokens: number, model: string): number | undefined =>
  costOf({ uncached: tokens, read: 0, writes: {}, output: 0, cacheReported: true, partial: false }, model).usd;

/**
 * Why the next call may not be made; nothing if it may. `runCalls` are the calls of the metaskill that asks, if one does.
 * The next call counts with what its prompt is forecast to cost; without a forecast, as if none of it were cached.
 */
export const spendingObjection = (
  state: SessionState,
  settings: SessionSettings,
  next: { readonly forecast: Forecast | undefined; readonly estimatedTokens: number },
  runCalls?: readonly CallState[],
): string | undefined => {
  const hasLimit =
    settings.spending_limit_usd !== null ||
    settings.token_limit !== null ||
    (runCalls && (settings.run_spending_limit_usd !== null || settings.run_token_limit !== null));
  if (!hasLimit) return undefined;
  const { forecast, estimatedTokens } = next;
  const tokens = forecast?.promptTokens ?? estimatedTokens;
  const usd = forecast ? forecast.usd : uncachedUsd(estimatedTokens, settings.model);
  const bySession = objection(
    spentBy(state.calls),
    { usd, tokens },
    {
      what: 'this session',
      usd: settings.spending_limit_usd,
      tokens: settings.token_limit,
    },
  );
  if (bySession !== undefined || !runCalls) return bySession;
  return objection(
    spentBy(runCalls),
    { usd, tokens },
    {
      what: 'this run',
      usd: settings.run_spending_limit_usd,
      tokens: settings.run_token_limit,
    },
  );
};
