import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ttl } from '../provider/types.ts';
import { imaginedPrefix, paddingCost } from './padding-cost.ts';

interface Question {
  readonly model: string;
  readonly natural: number;
  readonly padded: number;
  readonly turns: number;
  readonly ttl?: Ttl;
}

const ask = ({ model, natural, padded, turns, ttl }: Question) =>
  paddingCost(imaginedPrefix(model, natural, ttl), imaginedPrefix(model, padded, ttl), turns);

describe('paddingCost', () => {
  it.each([
    ['claude-opus-5-5', 512, 334, 2.0, 2],
    ['claude-haiku-5-5', 512, 334, 2.1, 3],
  ])('PAD1: %s padded to %d from %d breaks even at %d', (model, padded, natural, breakEven, paysFrom) => {
    const result = ask({ model, natural, padded, turns: 5 });
    expect(result.breakEven).toBeCloseTo(breakEven, 1);
    expect(result.paysFrom).toBe(paysFrom);
    expect(result.why).toContain(`from turn ${paysFrom} on padding costs less`);
  });

  it('PAD1: on Haiku 4.5 padding to 5,670 tokens never pays, and the sentence says why', () => {
    const result = ask({ model: 'claude-haiku-4-5', natural: 334, padded: 5670, turns: 10 });
    expect(result).toMatchObject({ breakEven: undefined, paysFrom: undefined });
    expect(result.why).toBe(
      // 567 and 334 millionths.
      'Padding never pays off: every later turn costs $0.0006 with it and $0.0003 without.',
    );
  });

  it('PAD2: the series is N·p without and w·F + (N−1)·r·F with, in money', () => {
    const { series } = ask({ model: 'claude-opus-5-5', natural: 334, padded: 512, turns: 3 });
    expect(series.map(({ turn }) => turn)).toEqual([1, 2, 3]);
    [334, 668, 1002].forEach((tokens, index) => {
      expect(series[index]?.withoutPadding).toBeCloseTo(tokens * 4e-6, 12);
    });
    [640, 665.6, 691.2].forEach((tokens, index) => {
      expect(series[index]?.withPadding).toBeCloseTo(tokens * 4e-6, 12);
    });
  });

  it('PAD2: the 1h TTL has its own write price', () => {
    const { series } = ask({ model: 'claude-opus-5-5', natural: 334, padded: 512, turns: 1, ttl: '1h' });
    expect(series[0]?.withPadding).toBeCloseTo(1024 * 4e-6, 12);
  });

  it('PAD3: a prefix that is cached as it is needs no padding', () => {
    const result = ask({ model: 'claude-opus-5-5', natural: 600, padded: 900, turns: 2 });
    expect(result.breakEven).toBeUndefined();
    expect(result.why).toContain('cached without it');
    expect(result.series[1]?.withoutPadding).toBeCloseTo((600 * 1.25 + 600 * 0.05) * 4e-6, 12);
  });

  it('PAD3: padding that stays under the floor does nothing but cost', () => {
    const result = ask({ model: 'claude-haiku-4-5', natural: 1000, padded: 3000, turns: 2 });
    expect(result.why).toContain('caches only from 4,096 tokens');
    expect(result.series[1]?.withPadding).toBeCloseTo(6000e-6, 12);
    expect(result.series[1]?.withoutPadding).toBeCloseTo(2000e-6, 12);
  });

  it('PAD3: no padding at all is not a padding', () => {
    expect(ask({ model: 'claude-haiku-4-5', natural: 300, padded: 300, turns: 1 }).why).toContain('no padding fits');
  });

  it('PAD4: an unknown price gives no numbers and says so', () => {
    const result = ask({ model: 'mystery', natural: 1, padded: 2, turns: 3 });
    expect(result.series).toEqual([]);
    expect(result.breakEven).toBeUndefined();
    expect(result.why).toMatch(/price/);
  });

  it('PAD6: OpenAI\u2019s models go by their own rules: 1,024 tokens, up to the end of the message', () => {
    const { series, kind } = ask({ model: 'gpt-6-sol', natural: 600, padded: 1100, turns: 2 });
    expect(kind).toBe('pays');
    expect(series[0]?.withPadding).toBeCloseTo(1100 * 1.25 * 2e-6, 12);
    expect(series[1]?.withPadding).toBeCloseTo(1100 * (1.25 + 0.1) * 2e-6, 12);
    expect(ask({ model: 'gpt-5.1', natural: 600, padded: 1100, turns: 2 }).kind).toBe('unknown');
  });

  it('PAD5: at the turn that is named padding has cost less, and one turn before it has not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 511 }), fc.integer({ min: 512, max: 5000 }), (natural, padded) => {
        const { series, paysFrom } = ask({ model: 'claude-opus-5-5', natural, padded, turns: 40 });
        const isCheaper = (turn: number) => {
          const point = series[turn - 1];
          return point !== undefined && point.withPadding < point.withoutPadding - 1e-15;
        };
        if (paysFrom === undefined) return !isCheaper(40);
        return paysFrom > 40 || (isCheaper(paysFrom) && !isCheaper(paysFrom - 1));
      }),
      { numRuns: 40 },
    );
  });
});
