import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paddingCost } from './padding-cost.ts';

describe('paddingCost', () => {
  it.each([
    ['claude-opus-5-5', 512, 334, 2.0, 2],
    ['claude-haiku-5-5', 512, 334, 2.1, 3],
  ])('PAD1: %s padded to %d from %d breaks even at %d', (model, padded, natural, breakEven, paysFrom) => {
    const result = paddingCost({ model, natural, padded, turns: 5 });
    expect(result.breakEven).toBeCloseTo(breakEven, 1);
    expect(result.paysFrom).toBe(paysFrom);
    expect(result.why).toContain(`from turn ${paysFrom} on padding costs less`);
  });

  it('PAD1: on Haiku 4.5 padding to 5,670 tokens never pays, and the sentence says why', () => {
    const result = paddingCost({ model: 'claude-haiku-4-5', natural: 334, padded: 5670, turns: 10 });
    expect(result).toMatchObject({ breakEven: undefined, paysFrom: undefined });
    expect(result.why).toBe(
      'Padding never pays: reading 5,670 padded tokens costs as much as 567 plain ones, and the prefix has only 334.',
    );
  });

  it('PAD2: the series is N·p without and w·F + (N−1)·r·F with, in tokens and in money', () => {
    const { series } = paddingCost({ model: 'claude-opus-5-5', natural: 334, padded: 512, turns: 3 });
    expect(series.map(({ turn }) => turn)).toEqual([1, 2, 3]);
    expect(series.map(({ withoutPadding }) => withoutPadding)).toEqual([334, 668, 1002]);
    [640, 665.6, 691.2].forEach((expected, index) => {
      expect(series[index]?.withPadding).toBeCloseTo(expected, 8);
      expect(series[index]?.withPaddingUsd).toBeCloseTo(expected * 4e-6, 12);
    });
    expect(series[2]?.withoutPaddingUsd).toBeCloseTo(1002 * 4e-6, 12);
  });

  it('PAD2: the 1h TTL has its own write price', () => {
    const { series } = paddingCost({ model: 'claude-opus-5-5', natural: 334, padded: 512, turns: 1, ttl: '1h' });
    expect(series[0]?.withPadding).toBeCloseTo(1024, 8);
  });

  it('PAD3: a prefix that is cached as it is needs no padding', () => {
    const result = paddingCost({ model: 'claude-opus-5-5', natural: 600, padded: 900, turns: 2 });
    expect(result.breakEven).toBeUndefined();
    expect(result.why).toContain('cached as it is');
    expect(result.series[1]?.withoutPadding).toBeCloseTo(600 * 1.25 + 600 * 0.05, 8);
  });

  it('PAD3: padding that stays under the floor does nothing but cost', () => {
    const result = paddingCost({ model: 'claude-haiku-4-5', natural: 1000, padded: 3000, turns: 2 });
    expect(result.why).toContain('caches only from 4,096 on');
    expect(result.series[1]).toMatchObject({ withPadding: 6000, withoutPadding: 2000 });
  });

  it('PAD3: no padding at all is no padding', () => {
    expect(paddingCost({ model: 'claude-haiku-4-5', natural: 300, padded: 300, turns: 1 }).why).toContain('none');
  });

  it.each([
    ['mystery', undefined],
    ['gpt-6-sol', '12h'],
  ] as const)('PAD4: an unknown price (%s %s) gives no figures and says so', (model, ttl) => {
    const result = paddingCost({ model, natural: 1, padded: 2, turns: 3, ...(ttl && { ttl }) });
    expect(result.series).toEqual([]);
    expect(result.breakEven).toBeUndefined();
    expect(result.why).toMatch(/price/);
  });

  it('PAD5: at the turn that is named padding has cost less, and one turn before it has not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 511 }), fc.integer({ min: 512, max: 5000 }), (natural, padded) => {
        const { series, paysFrom } = paddingCost({ model: 'claude-opus-5-5', natural, padded, turns: 400 });
        const isCheaper = (turn: number) => {
          const point = series[turn - 1];
          return point !== undefined && point.withPadding < point.withoutPadding - 1e-9;
        };
        if (paysFrom === undefined) return !isCheaper(400);
        return paysFrom > 400 || (isCheaper(paysFrom) && !isCheaper(paysFrom - 1));
      }),
    );
  });
});
