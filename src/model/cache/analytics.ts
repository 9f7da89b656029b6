/** How well the cache worked over many calls: hit rate and write share (formulas of the prompt-caching design), per model and in total. */
import { costOf, costWithoutCache, type CostOptions } from '../provider/cost.ts';
import { writtenTokens, type Usage } from '../provider/types.ts';

export interface AnalysedCall {
  readonly model: string;
  readonly usage: Usage;
}

/** Named as the prompt-caching design's table names them, because the rows leave the program as they are. */
export interface AnalyticsRow {
  readonly model: string;
  readonly uncached_input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_creation_tokens: number;
  readonly output_tokens: number;
  /** `null` where there was no input. */
  readonly hit_rate: number | null;
  readonly cache_write_share: number | null;
  readonly call_count: number;
  /** USD; `null` where a price is unknown. */
  readonly cost: number | null;
  readonly cost_without_cache: number | null;
  /** Negative where the cache cost more than it saved. */
  readonly savings: number | null;
  readonly savings_pct: number | null;
}

export interface CacheAnalytics {
  readonly data: readonly AnalyticsRow[];
  readonly total: AnalyticsRow;
  /** All calls as they were, against all calls at the prices of one model. */
  readonly baseline: {
    readonly model: string;
    readonly cost: number | null;
    readonly savings: number | null;
    readonly savings_pct: number | null;
    /** Calls whose own price is unknown: they count in the baseline only. */
    readonly rows_missing_from_price_table: number;
  };
  /** Why something is `null`: one sentence each. */
  readonly unknown: readonly string[];
}

export interface AnalyticsOptions extends CostOptions {
  readonly baselineModel?: string;
}

const BASELINE_MODEL = 'claude-sonnet-4-6';
export const ALL_MODELS = 'all';

const add = (a: number | null, b: number | undefined): number | null => (a === null || b === undefined ? null : a + b);
const share = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : part / whole;
const minus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b);

const rowOf = (model: string, calls: readonly AnalysedCall[], options: CostOptions): AnalyticsRow => {
  let [uncached, cached, created, output] = [0, 0, 0, 0];
  let cost: number | null = 0;
  let plain: number | null = 0;
  for (const { model: own, usage } of calls) {
    uncached += usage.uncached;
    cached += usage.read;
    created += writtenTokens(usage);
    output += usage.output;
    cost = add(cost, costOf(usage, own, options).usd);
    plain = add(plain, costWithoutCache(usage, own, options).usd);
  }
  const total = uncached + cached + created;
  const savings = minus(plain, cost);
  return {
    model,
    uncached_input_tokens: uncached,
    cached_input_tokens: cached,
    cache_creation_tokens: created,
    output_tokens: output,
    hit_rate: share(cached, total),
    cache_write_share: share(created, total),
    call_count: calls.length,
    cost,
    cost_without_cache: plain,
    savings,
    savings_pct: share(savings, plain),
  };
};

const baselineOf = (calls: readonly AnalysedCall[], options: AnalyticsOptions): CacheAnalytics['baseline'] => {
  const model = options.baselineModel ?? BASELINE_MODEL;
  let cost: number | null = 0;
  let actual = 0;
  let missing = 0;
  for (const { model: own, usage } of calls) {
    const { charged: _charged, ...counted } = usage;
    const { usd } = costOf(counted, own, options);
    if (usd === undefined) missing++;
    else actual += usd;
    // A write of a TTL that the baseline does not have is one of its default TTL.
    const atBaseline = { ...counted, writes: { unknown: writtenTokens(usage) } };
    cost = add(cost, costOf(sameFamily(own, model) ? counted : atBaseline, model, options).usd);
  }
  const savings = minus(cost, actual);
  return { model, cost, savings, savings_pct: share(savings, cost), rows_missing_from_price_table: missing };
};

const sameFamily = (a: string, b: string): boolean => isClaude(a) === isClaude(b);
const isClaude = (model: string): boolean => /(?:^|\/)claude-/.test(model);

export const cacheAnalytics = (calls: readonly AnalysedCall[], options: AnalyticsOptions = {}): CacheAnalytics => {
  const byModel = new Map<string, AnalysedCall[]>();
  for (const call of calls) {
    const group = byModel.get(call.model);
    if (group) group.push(call);
    else byModel.set(call.model, [call]);
  }
  return {
    data: [...byModel].map(([model, group]) => rowOf(model, group, options)),
    total: rowOf(ALL_MODELS, calls, options),
    baseline: baselineOf(calls, options),
    unknown: [...new Set(calls.flatMap(({ model, usage }) => costOf(usage, model, options).unknown))],
  };
};
