import { describe, expect, it } from 'vitest';
import { costOf, costWithoutCache, extraCost, savingsOf } from './cost.ts';
import { MODEL_BOOK, PRICE_BOOK_VERSION, type ModelBook } from './model-book.ts';
import type { Usage } from './types.ts';

const usage = (parts: Partial<Usage>): Usage => ({
  uncached: 0,
  read: 0,
  writes: {},
  output: 0,
  cacheReported: true,
  partial: false,
  ...parts,
});
const M = 1_000_000;

describe('costOf', () => {
  it.each([
    ['claude-haiku-4-5', { uncached: M }, 1],
    ['claude-haiku-4-5', { read: M }, 0.1],
    ['claude-haiku-4-5', { writes: { '5m': M } }, 1.25],
    ['claude-haiku-4-5', { writes: { '1h': M } }, 2],
    ['claude-haiku-4-5', { output: M }, 5],
    ['claude-opus-5-5', { read: M }, 0.2],
    ['claude-fable-5-1', { read: M }, 0.25],
    ['claude-sonnet-4-5-20250929', { uncached: M }, 3],
    ['anthropic/claude-sonnet-4.5', { uncached: M }, 3],
    ['gpt-6-luna-2026-10-01', { uncached: 100_000 }, 0.01],
    ['openai/gpt-6.1-sol-2026-10-01', { uncached: 100_000 }, 0.2],
    ['gpt-6-sol', { uncached: 1000, read: 1000, writes: { '30m': 1000 }, output: 1000 }, 0.0147],
  ] as const)('COST1: %s with %o costs $%d', (model, parts, usd) => {
    expect(costOf(usage(parts), model).usd).toBeCloseTo(usd, 10);
  });

  it('COST1: the parts add up to the sum, and the version of the book is reported', () => {
    const cost = costOf(usage({ uncached: 10, read: 20, writes: { '5m': 30, '1h': 40 }, output: 50 }), 'claude-opus-5');
    expect(cost.parts).toEqual({
      uncached: expect.closeTo(10 * 5e-6, 12) as number,
      read: expect.closeTo(20 * 0.5e-6, 12) as number,
      write: expect.closeTo(30 * 6.25e-6 + 40 * 10e-6, 12) as number,
      output: expect.closeTo(50 * 25e-6, 12) as number,
    });
    expect(cost.usd).toBeCloseTo(10 * 5e-6 + 20 * 0.5e-6 + 30 * 6.25e-6 + 40 * 10e-6 + 50 * 25e-6, 12);
    expect(cost.version).toBe(PRICE_BOOK_VERSION);
    expect(cost.unknown).toEqual([]);
  });

  // The output tokens are not in the source; 4, 5 and 4 are what the published sums leave for them.
  it.each([
    [{ uncached: 2817, output: 4 }, 0.002837],
    [{ uncached: 332, writes: { '5m': 4957 }, output: 4 }, 0.006548],
    [{ uncached: 21, read: 4957, writes: { '5m': 330 }, output: 5 }, 0.000954],
  ])('COST2: the measured smoke run %o cost $%d', (parts, usd) => {
    expect(costOf(usage(parts), 'claude-haiku-4-5').usd).toBeCloseTo(usd, 6);
  });

  it('COST3: an unknown price is unknown, never zero, and says so', () => {
    const cost = costOf(usage({ uncached: 10, output: 1 }), 'claude-fable-5-2');
    expect(cost.usd).toBeUndefined();
    expect(cost.parts).toEqual({ uncached: undefined, read: undefined, write: undefined, output: undefined });
    expect(cost.unknown).toEqual([`The price of claude-fable-5-2 isn’t in the price book of ${PRICE_BOOK_VERSION}.`]);
    expect(costOf(usage({}), 'somebody-elses-model').usd).toBeUndefined();
  });

  it('COST3: a write whose price is not published makes the sum unknown; none of it does not', () => {
    const cost = costOf(usage({ uncached: 100_000, writes: { '12h': 100 } }), 'gpt-6-sol');
    expect(cost.usd).toBeUndefined();
    expect(cost.parts.uncached).toBeCloseTo(0.2, 10);
    expect(cost.parts.write).toBeUndefined();
    expect(cost.unknown).toEqual(['The price of a write with a TTL of 12h on gpt-6-sol is unknown.']);
    expect(costOf(usage({ uncached: 100_000, writes: { '12h': 0 } }), 'gpt-6-sol').usd).toBeCloseTo(0.2, 10);
  });

  it.each([
    ['claude-haiku-5-5', { uncached: 50_000, read: 50_000 }, 0.005 + 0.0005],
    ['claude-haiku-5-5', { uncached: 50_000, read: 50_001 }, 0.025 + 50_001 * 0.05e-6],
    ['claude-haiku-5-5', { uncached: 1, writes: { '5m': 100_000 } }, 0.5e-6 + 0.0625],
    ['gpt-6-sol', { uncached: 272_000 }, 0.544],
    ['gpt-6-sol', { uncached: 272_001, output: M }, 272_001 * 4e-6 + 15],
  ] as const)('COST4: the whole prompt decides the tier: %s with %o costs $%d', (model, parts, usd) => {
    expect(costOf(usage(parts), model).usd).toBeCloseTo(usd, 8);
  });

  it.each([
    ['claude-opus-5', { writes: { unknown: M } }, 6.25, '5m'],
    ['gpt-6-sol', { writes: { unknown: 100_000 } }, 0.25, '30m'],
  ] as const)(
    'COST5: %s: writes of an unknown TTL are priced as %o → $%d (%s), with a note',
    (model, parts, usd, ttl) => {
      const cost = costOf(usage(parts), model);
      expect(cost.usd).toBeCloseTo(usd, 10);
      expect(cost.notes).toEqual([
        `The provider doesn’t report the TTL of the written tokens, so Lathe prices them as ${ttl}.`,
      ]);
    },
  );

  it('COST6: what the provider charged wins, also where no price is known', () => {
    const cost = costOf(usage({ uncached: M, charged: 0.123 }), 'claude-haiku-4-5');
    expect(cost.usd).toBe(0.123);
    expect(cost.parts.uncached).toBeCloseTo(1, 10);
    expect(cost.notes).toEqual(['The total is the charge that the provider reported.']);
    expect(costOf(usage({ uncached: M, charged: 0.5 }), 'nobody/knows').usd).toBe(0.5);
  });

  it.each([
    [{ batch: true }, 2.5],
    [{ geo: 'us' }, 5.5],
    [{ geo: 'global' }, 5],
    [{ batch: true, geo: 'us' }, 2.75],
    [{ fast: true }, 10],
  ])('COST7: modifiers %o make a million input tokens of Opus 5 cost $%d', (options, usd) => {
    expect(costOf(usage({ uncached: M }), 'claude-opus-5', options).usd).toBeCloseTo(usd, 10);
  });

  it('COST7: cache multipliers apply on top of fast mode, which only some models have', () => {
    expect(costOf(usage({ read: M }), 'claude-opus-5-5', { fast: true }).usd).toBeCloseTo(0.4, 10);
    const cost = costOf(usage({ uncached: 1 }), 'claude-haiku-4-5', { fast: true });
    expect(cost.usd).toBeUndefined();
    expect(cost.unknown).toEqual(['The price of claude-haiku-4-5 in fast mode is unknown.']);
  });

  it('COST8: a wire that is silent about its cache, or a call that ended early, is noted', () => {
    expect(costOf(usage({ uncached: 1, cacheReported: false, partial: true }), 'claude-opus-5').notes).toHaveLength(2);
  });

  it('COST3, COST8: what a server does not tell costs nobody knows what, and not nothing', () => {
    const cost = costOf(usage({ cacheReported: false, partial: true }), 'claude-opus-5');
    expect(cost.usd).toBeUndefined();
    expect(cost.unknown).toEqual(['The provider didn’t report the number of tokens.']);
    expect(cost.notes).toEqual([]);
    expect(costOf(usage({ partial: true, charged: 0.5 }), 'claude-opus-5').usd).toBe(0.5);
  });

  it('COST9: another book may be given', () => {
    const sonnet = MODEL_BOOK.get('claude-sonnet-5');
    const book: ModelBook = new Map(sonnet?.price ? [['x', { ...sonnet, id: 'x' }]] : []);
    expect(costOf(usage({ uncached: M }), 'x', { book }).usd).toBeCloseTo(2, 10);
    expect(costOf(usage({ uncached: M }), 'claude-haiku-4-5', { book }).usd).toBeUndefined();
  });
});

describe('savings', () => {
  it('COST10: without a cache the whole prompt is plain input, and the tier is the same', () => {
    const long = usage({ uncached: 1000, read: 99_001, output: 10, charged: 9 });
    expect(costWithoutCache(long, 'claude-haiku-5-5').usd).toBeCloseTo(100_001 * 0.5e-6 + 10 * 2.5e-6, 10);
  });

  it('COST10: a write that nobody reads costs more than it saves', () => {
    const { cost, withoutCache, saved, share } = savingsOf(usage({ writes: { '5m': M } }), 'claude-haiku-4-5');
    expect([cost, withoutCache]).toEqual([expect.closeTo(1.25, 10), expect.closeTo(1, 10)]);
    expect(saved).toBeCloseTo(-0.25, 10);
    expect(share).toBeCloseTo(-0.25, 10);
  });

  it('COST10: nothing spent has no share, an unknown price no savings', () => {
    expect(savingsOf(usage({}), 'claude-haiku-4-5')).toEqual({ cost: 0, withoutCache: 0, saved: 0, share: undefined });
    expect(savingsOf(usage({ read: 1 }), 'unheard-of').saved).toBeUndefined();
  });

  it('COST11: extra cost is what was written or uncached, less what reading it would have cost', () => {
    const extra = extraCost({ written: { '5m': M }, uncached: 0 }, 'claude-haiku-4-5', 10);
    expect(extra).toBeCloseTo(1.15, 10);
    expect(extraCost({ written: {}, uncached: M }, 'claude-haiku-4-5', 10)).toBeCloseTo(0.9, 10);
    expect(extraCost({ written: { unknown: M }, uncached: M }, 'claude-opus-5', 10)).toBeCloseTo(5.75 + 4.5, 10);
    expect(extraCost({ written: { '12h': 1 }, uncached: 0 }, 'gpt-6-sol', 10)).toBeUndefined();
    expect(extraCost({ written: {}, uncached: 1 }, 'unheard-of', 10)).toBeUndefined();
  });
});
