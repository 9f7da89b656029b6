import { describe, expect, it } from 'vitest';
import { imaginedPrefix } from '../cache/padding-cost.ts';
import type { PaddingBasis } from '../session/padding-basis.ts';
import { paddingPlot } from './padding-view.ts';

const HAIKU = 'claude-haiku-4-5';

/** A prefix of that many tokens; by the estimate it has as many, and padding aims at `min`. */
const basisOf = (model: string, natural: number, padded: number, min = padded): PaddingBasis => ({
  natural: imaginedPrefix(model, natural),
  padded: imaginedPrefix(model, padded),
  estimate: natural,
  min,
});

describe('paddingPlot', () => {
  it('PA1: the lines cross where the calculation says', () => {
    const plot = paddingPlot({ basis: basisOf(HAIKU, 2200, 4712), turns: 12 });
    expect([plot.natural, plot.padded]).toEqual([2200, 4712]);
    // (1.25 − 0.1) · 4712 / (2200 − 0.1 · 4712)
    expect(plot.crossing?.turn).toBeCloseTo(3.134, 2);
    expect(plot.withPadding).toHaveLength(12);
    // A dollar per million: 1.25 times the first turn, a tenth for each later one.
    expect(plot.withPadding[11]).toBeCloseTo(4712 * (1.25 + 11 * 0.1) * 1e-6, 12);
  });

  it('PA2: it pays, it pays later, or it never does', () => {
    expect(paddingPlot({ basis: basisOf(HAIKU, 2200, 4712), turns: 12 }).answer).toBe('pays');
    expect(paddingPlot({ basis: basisOf(HAIKU, 2200, 4712), turns: 2 })).toMatchObject({
      answer: 'later',
      crossing: undefined,
    });
    const short = paddingPlot({ basis: basisOf(HAIKU, 300, 4712), turns: 12 });
    expect(short.answer).toBe('never');
    // 471 and 300 millionths.
    expect(short.why).toBe('Every later turn costs $0.0005 with it and $0.0003 without.');
    expect(paddingPlot({ basis: basisOf('nobody-knows', 300, 4712), turns: 12 })).toMatchObject({
      answer: 'never',
      withPadding: [],
    });
  });

  it('PA2: a prefix that is cached as it is needs no padding', () => {
    const plot = paddingPlot({ basis: basisOf('claude-sonnet-4-5', 2561, 2561, 1178), turns: 12 });
    expect(plot.answer).toBe('needless');
    expect(plot.why).toBe('The prefix has 2,561 tokens, and this model’s cache floor is 1,024.');
    expect(plot.withPadding).toEqual(plot.withoutPadding);
    const longer = paddingPlot({ basis: basisOf('claude-sonnet-4-5', 2561, 4500), turns: 12 });
    expect(longer.answer).toBe('needless');
    expect(longer.why).toContain('would only cost more');
  });

  it('PA3: another size is the same request with a shorter or longer prefix', () => {
    const basis = basisOf(HAIKU, 2200, 5461, 4500);
    // Below MIN it is padded to where the session\u2019s own padding ends.
    expect(paddingPlot({ basis, natural: 3000, turns: 12 })).toMatchObject({ natural: 3000, padded: 5461 });
    // From MIN on nothing is padded.
    expect(paddingPlot({ basis, natural: 4600, turns: 12 })).toMatchObject({ natural: 4600, padded: 4600 });
    // Where the session pads nothing, padding would end at MIN, in tokens of the model.
    const long = { ...basisOf(HAIKU, 6000, 6000, 4500), estimate: 5000 };
    expect(paddingPlot({ basis: long, natural: 3000, turns: 12 }).padded).toBe(5400);
  });
});
