import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plural } from '../../base/text.ts';
import { countdown, grouped, money, percent, short, signedPercent, sinceStart, ticks, took } from './figures.ts';
import { rowAt, rowOffsets, rowWindow } from './row-window.ts';

describe('numbers', () => {
  it('FG1: prices, shares and counts', () => {
    expect([money(undefined), money(null), money(0), money(0.0071), money(-0.5), money(12)]).toEqual([
      'unknown',
      'unknown',
      '$0',
      '$0.0071',
      '−$0.5000',
      '$12.00',
    ]);
    expect([percent(null), percent(0.444), percent(-0.29)]).toEqual(['–', '44%', '−29%']);
    expect([0, 0.001, -0.001, 0.996, 1, 0.1 + 0.2 + 0.7, 1.004].map((share) => percent(share))).toEqual([
      '0%',
      '<1%',
      '−<1%',
      '>99%',
      '100%',
      '100%',
      '>100%',
    ]);
    expect([0, 0.0004, 0.9994, 0.9996, 1].map((share) => percent(share, 1))).toEqual([
      '0.0%',
      '<0.1%',
      '99.9%',
      '>99.9%',
      '100.0%',
    ]);
    expect([0, 0.24, -0.61, -0.999, 0.001].map(signedPercent)).toEqual(['0%', '+24%', '−61%', '−>99%', '+<1%']);
    expect([grouped(4994), short(980), short(1610), short(22_400), short(1_250_000)]).toEqual([
      '4,994',
      '980',
      '1.6k',
      '22k',
      '1.3M',
    ]);
    expect([plural(1, 'ask'), plural(0, 'ask'), plural(2, 'entry', 'entries')]).toEqual([
      '1 ask',
      '0 asks',
      '2 entries',
    ]);
  });

  it('FG1: times', () => {
    expect([countdown(252_000), countdown(-1), countdown(3_729_000)]).toEqual(['4:12', '0:00', '1:02:09']);
    expect([sinceStart(131_482), sinceStart(0), sinceStart(3_723_004)]).toEqual([
      '02:11.482',
      '00:00.000',
      '1:02:03.004',
    ]);
    expect([took(340), took(4100), took(125_000)]).toEqual(['340 ms', '4.1 s', '2 min 05 s']);
  });

  it('FG2: ticks are round, begin at 0 and stay inside', () => {
    expect(ticks(16_000, 4)).toEqual([0, 5000, 10_000, 15_000]);
    expect(ticks(0, 4)).toEqual([0]);
    fc.assert(
      fc.property(fc.double({ min: 0.0001, max: 1e9, noNaN: true }), fc.integer({ min: 1, max: 12 }), (most, count) => {
        const marks = ticks(most, count);
        expect(marks[0]).toBe(0);
        expect(marks.length).toBeLessThanOrEqual(count + 1);
        expect(marks.at(-1)).toBeLessThanOrEqual(most * (1 + 1e-6));
      }),
    );
  });
});

describe('windows', () => {
  it('FG3: every row in view is in the window', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 200 }),
        fc.nat(4000),
        fc.integer({ min: 1, max: 600 }),
        (heights, top, height) => {
          const offsets = rowOffsets(heights);
          const { first, end } = rowWindow(offsets, top, height, 2);
          for (let index = 0; index < heights.length; index++) {
            const isInView = (offsets[index] ?? 0) < top + height && (offsets[index + 1] ?? 0) > top;
            if (isInView) expect(index >= first && index < end).toBe(true);
          }
        },
      ),
    );
    expect(rowWindow([0], 0, 100, 2)).toEqual({ first: 0, end: 0 });
    expect(rowAt([0, 10, 30], 10)).toBe(1);
  });
});
