import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../provider/types.ts';
import { ALL_MODELS, cacheAnalytics } from './analytics.ts';
import { createCacheModel } from './engine.ts';
import { readRequest } from './read-request.ts';

const usage = (parts: Partial<Usage>): Usage => ({
  uncached: 0,
  read: 0,
  writes: {},
  output: 0,
  cacheReported: true,
  partial: false,
  ...parts,
});
const haiku = (parts: Partial<Usage>) => ({ model: 'claude-haiku-4-5', usage: usage(parts) });

// The two turns measured on the live API after the prefix was raised.
const SMOKE = [
  haiku({ uncached: 332, writes: { '5m': 4957 }, output: 4 }),
  haiku({ uncached: 21, read: 4957, writes: { '5m': 330 }, output: 5 }),
];

describe('cacheAnalytics', () => {
  it('ANA1: hit rate and write share are parts of all input', () => {
    const { data } = cacheAnalytics(SMOKE);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      model: 'claude-haiku-4-5',
      uncached_input_tokens: 353,
      cached_input_tokens: 4957,
      cache_creation_tokens: 5287,
      call_count: 2,
    });
    expect(data[0]?.hit_rate).toBeCloseTo(4957 / 10597, 12);
    expect(data[0]?.cache_write_share).toBeCloseTo(5287 / 10597, 12);
  });

  it('ANA2: both are null where there was no input', () => {
    const { data, total } = cacheAnalytics([haiku({ output: 3 })]);
    expect([data[0]?.hit_rate, data[0]?.cache_write_share]).toEqual([null, null]);
    expect([total.hit_rate, total.cache_write_share]).toEqual([null, null]);
    expect(cacheAnalytics([])).toMatchObject({ data: [], total: { model: ALL_MODELS, call_count: 0, hit_rate: null } });
  });

  it('ANA3: one row per model, in the order in which they came, and one for all', () => {
    const other = { model: 'claude-opus-5', usage: usage({ uncached: 5, writes: { '5m': 1, '1h': 2 } }) };
    const { data, total } = cacheAnalytics([...SMOKE.slice(0, 1), other, ...SMOKE.slice(1)]);
    expect(data.map(({ model, call_count: count }) => [model, count])).toEqual([
      ['claude-haiku-4-5', 2],
      ['claude-opus-5', 1],
    ]);
    expect(total).toMatchObject({ call_count: 3, cache_creation_tokens: 5290, uncached_input_tokens: 358 });
  });

  it('ANA4: cost, cost without the cache, and what it saved', () => {
    const { total } = cacheAnalytics(SMOKE);
    expect(total.cost).toBeCloseTo(0.006548 + 0.000954, 5);
    expect(total.cost_without_cache).toBeCloseTo((5289 + 5308) * 1e-6 + 9 * 5e-6, 10);
    expect(total.savings).toBeCloseTo((total.cost_without_cache ?? 0) - (total.cost ?? 0), 12);
    expect(total.savings_pct).toBeCloseTo((total.savings ?? 0) / (total.cost_without_cache ?? 1), 12);
  });

  it('ANA4: a write that is not read saves less than nothing', () => {
    expect(cacheAnalytics([haiku({ writes: { '5m': 1000 } })]).total.savings_pct).toBeCloseTo(-0.25, 10);
  });

  it('ANA5: against Sonnet 4.6 every Haiku 4.5 call saves two thirds', () => {
    const { baseline } = cacheAnalytics(SMOKE);
    expect(baseline.model).toBe('claude-sonnet-4-6');
    expect(baseline.savings_pct).toBeCloseTo(2 / 3, 10);
    expect(cacheAnalytics(SMOKE, { baselineModel: 'claude-haiku-5-5' }).baseline.savings_pct).toBeLessThan(0);
  });

  it('ANA5: a call of an unknown price counts in the baseline only', () => {
    const calls = [haiku({ uncached: 1000 }), { model: 'mystery', usage: usage({ uncached: 1000 }) }];
    const { baseline, total, unknown } = cacheAnalytics(calls);
    expect(baseline.rows_missing_from_price_table).toBe(1);
    expect(baseline.cost).toBeCloseTo(2000 * 3e-6, 12);
    expect(baseline.savings).toBeCloseTo(2000 * 3e-6 - 1000 * 1e-6, 12);
    expect(total.cost).toBeNull();
    expect(total.savings).toBeNull();
    expect(unknown).toHaveLength(1);
  });

  it('ANA5: what a router charged is not a price to compare; TTLs that the baseline lacks are its default', () => {
    const call = { model: 'gpt-6-sol', usage: usage({ writes: { '30m': 1000 }, charged: 99 }) };
    const { baseline } = cacheAnalytics([call]);
    expect(baseline.cost).toBeCloseTo(1000 * 3.75e-6, 12);
    expect(baseline.savings).toBeCloseTo(1000 * (3.75e-6 - 2.5e-6), 12);
  });

  it('ANA6: one write that N turns share is at most 1/N of the input', () => {
    const count = fc.integer({ min: 0, max: 50_000 });
    fc.assert(
      fc.property(count, fc.array(count, { minLength: 2, maxLength: 20 }), (prefix, tails) => {
        const calls = tails.map((uncached, turn) =>
          haiku(turn === 0 ? { uncached, writes: { '5m': prefix } } : { uncached, read: prefix }),
        );
        const writeShare = cacheAnalytics(calls).total.cache_write_share;
        return writeShare === null || writeShare <= 1 / tails.length + 1e-12;
      }),
    );
  });
});

describe('analytics of the cache model', () => {
  /** N turns of one call each, with markers on the last tool and on the stable system block, a minute apart. */
  const session = (turns: number, model: string): readonly { readonly model: string; readonly usage: Usage }[] => {
    const cache = createCacheModel();
    const messages: object[] = [];
    return Array.from({ length: turns }, (_, turn) => {
      messages.push({ role: 'user', content: `Question ${turn}` });
      const body = JSON.stringify({
        model,
        max_tokens: 100,
        tools: [{ name: 'read', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } }],
        system: [
          { type: 'text', text: 'Stable.', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'Volatile.' },
        ],
        messages,
      });
      messages.push({ role: 'assistant', content: `Answer ${turn}` });
      const request = readRequest(body, 'anthropic-messages');
      if (!request.ok) throw new Error(request.error);
      const tokens = request.value.blocks.map(({ label }) => (label === 'system[0]' ? 5000 : 40));
      const startedAt = turn * 60_000;
      const sent = cache.send({ request: request.value, tokens, startedAt, scope: 's' });
      sent.answered(startedAt + 500);
      return { model, usage: usage({ ...sent.prediction.usage, output: 10 }) };
    });
  };

  it.each([2, 3, 8])('ANA6: write share is at most 1/N for %d turns inside the TTL', (turns) => {
    for (const model of ['claude-haiku-4-5', 'claude-opus-5-5']) {
      const { total } = cacheAnalytics(session(turns, model));
      expect(total.cache_creation_tokens).toBeGreaterThan(5000);
      expect(total.cache_write_share).toBeLessThanOrEqual(1 / turns);
      expect(total.hit_rate).toBeGreaterThan(0);
    }
  });
});
