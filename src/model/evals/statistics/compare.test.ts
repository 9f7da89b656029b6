import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, drawCount, drawRate } from '../testing/chance.ts';
import { compareVersions, floorOf, runsToTell, type Pair } from './compare.ts';
import { FIVE_LOOKS, lookAt, planLooks, repeatsAt } from './looks.ts';
import { significantSideEffects } from './side-effects.ts';
import { signFlip, smallestP } from './sign-flip.ts';

const pair = (before: number, after: number, runs: number): Pair => ({
  before: { hits: before, runs },
  after: { hits: after, runs },
});

/** By trying all signs. */
const byAllSigns = (differences: readonly number[]): number => {
  const sum = Math.abs(differences.reduce((total, value) => total + value, 0));
  let extreme = 0;
  for (let signs = 0; signs < 2 ** differences.length; signs++) {
    const flipped = differences.reduce((total, value, index) => total + ((signs >> index) & 1 ? value : -value), 0);
    if (Math.abs(flipped) >= sum) extreme++;
  }
  return extreme / 2 ** differences.length;
};

describe('the sign-flip test', () => {
  it('EVS10: equals trying all signs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 10 }), (differences) => {
        expect(signFlip(differences)).toBeCloseTo(byAllSigns(differences), 12);
      }),
      { numRuns: 200 },
    );
  });

  it('EVS10: with one run each it is McNemar’s exact test', () => {
    // Five gains and no loss: 2 · ½⁵. Nine gains and one loss: 2 · (1 + 10) / 2¹⁰.
    expect(signFlip([1, 1, 1, 1, 1, 0, 0, 0, 0, 0])).toBe(0.0625);
    expect(signFlip([1, 1, 1, 1, 1, 1, 1, 1, 1, -1])).toBeCloseTo(22 / 1024, 12);
  });

  it('EVS10: unequal repeats are scaled, so a rate counts as a rate', () => {
    const scaled = compareVersions([
      { before: { hits: 1, runs: 2 }, after: { hits: 3, runs: 3 } },
      { before: { hits: 0, runs: 2 }, after: { hits: 1, runs: 3 } },
    ]);
    // Differences of 3/6 and 2/6.
    expect(scaled?.p).toBe(signFlip([3, 2]));
    expect(scaled?.difference).toBeCloseTo(5 / 12, 12);
  });
});

describe('two versions', () => {
  it('EVS12: nine of ten against four of ten, one run each, cannot tell, and says what would', () => {
    const single = [
      ...Array.from({ length: 5 }, () => pair(0, 1, 1)),
      ...Array.from({ length: 4 }, () => pair(1, 1, 1)),
      pair(0, 0, 1),
    ];
    const result = compareVersions(single);
    expect(result).toMatchObject({ verdict: 'cannot-tell', p: 0.0625, changed: 5, neededChanged: 6 });
    expect(result?.more?.queries).toBeGreaterThan(10);
    // Nobody knows what repeats would add, where there were none.
    expect(result?.more?.repeats).toBeUndefined();
  });

  it('EVS16: without repeats, the floor is as high as it can be at this rate', () => {
    // 1.96 · √(2 · 10 · 0.4 · 0.6) / 10, of four right in ten.
    const counts = Array.from({ length: 10 }, (_, index) => ({ hits: index < 4 ? 1 : 0, runs: 1 }));
    expect(floorOf(counts)).toBeCloseTo((1.959964 * Math.sqrt(4.8)) / 10, 6);
    expect(floorOf([])).toBeUndefined();
    expect(floorOf([{ hits: 0, runs: 0 }])).toBeUndefined();
  });

  it('EVS11, EVS12: 45 of 50 against 20 of 50 in ten queries of five runs is better', () => {
    // Nine queries gain three runs, one loses two: 20 + 25 = 45.
    const pairs = Array.from({ length: 10 }, (_, index) =>
      pair(index === 9 ? 5 : index < 3 ? 1 : 2, index === 9 ? 3 : index < 3 ? 4 : 5, 5),
    );
    const result = compareVersions(pairs);
    expect(result?.verdict).toBe('better');
    // Of 2¹⁰ signs only "all ten as they are", "the loss flipped", and their mirrors reach the sum of 25.
    expect(result?.p).toBeCloseTo(4 / 1024, 12);
    expect(result?.low).toBeGreaterThan(0);
    expect(result?.more).toBeUndefined();
  });

  it('EVS11: the same runs the other way around are worse', () => {
    const pairs = Array.from({ length: 12 }, () => pair(5, 1, 5));
    expect(compareVersions(pairs)?.verdict).toBe('worse');
    expect(compareVersions(pairs.map(({ before, after }) => ({ before: after, after: before })))?.verdict).toBe(
      'better',
    );
  });

  it('EVS11: nothing to compare gives no answer', () => {
    expect(compareVersions([])).toBeUndefined();
    expect(compareVersions([{ before: { hits: 0, runs: 0 }, after: { hits: 1, runs: 1 } }])).toBeUndefined();
  });

  it('EVS13: the interval is never of zero width and holds the difference', () => {
    const count = fc
      .integer({ min: 1, max: 6 })
      .chain((runs) => fc.record({ runs: fc.constant(runs), hits: fc.integer({ min: 0, max: runs }) }));
    fc.assert(
      fc.property(fc.array(fc.record({ before: count, after: count }), { minLength: 1, maxLength: 25 }), (pairs) => {
        const result = compareVersions(pairs);
        if (!result) throw new Error('pairs with runs were not compared');
        expect(result.high - result.low).toBeGreaterThan(0);
        expect(result.low).toBeLessThanOrEqual(result.difference + 1e-12);
        expect(result.high).toBeGreaterThanOrEqual(result.difference - 1e-12);
      }),
      { numRuns: 300 },
    );
  });

  it('EVS13: the interval covers the difference at least 95% of the time in the mean', () => {
    let [covered, all] = [0, 0];
    for (const [queries, repeats, before, after] of [
      [10, 5, 0.6, 0.6],
      [10, 5, 0.4, 0.9],
      [20, 3, 0.8, 0.9],
      [20, 10, 0.9, 0.9],
      [40, 5, 0.7, 0.8],
    ] as const)
      for (const isShared of [true, false]) {
        const random = createRandom(queries * repeats + Number(isShared));
        for (let trial = 0; trial < 250; trial++) {
          const pairs = Array.from({ length: queries }, () => {
            const own = drawRate(random, before, 0.4);
            // Of a shared one, what was missed before is hit by the same share everywhere.
            const other = isShared ? own + ((1 - own) * (after - before)) / (1 - before) : drawRate(random, after, 0.4);
            return { before: drawCount(random, own, repeats), after: drawCount(random, other, repeats) };
          });
          const { low, high } = compareVersions(pairs) ?? { low: 1, high: -1 };
          if (low <= after - before && after - before <= high) covered++;
          all++;
        }
      }
    expect(covered / all).toBeGreaterThan(0.95);
  });

  const TRIALS = 1000;
  /** The share of trials with a clear verdict. */
  const clearShare = (
    seed: number,
    queries: number,
    repeats: number,
    draw: (random: () => number) => readonly [number, number],
  ): number => {
    const random = createRandom(seed);
    let clear = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const pairs = Array.from({ length: queries }, () => {
        const [before, after] = draw(random);
        return { before: drawCount(random, before, repeats), after: drawCount(random, after, repeats) };
      });
      if (compareVersions(pairs)?.verdict !== 'cannot-tell') clear++;
    }
    return clear / TRIALS;
  };
  const atMost5 = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / TRIALS);

  it('EVS14: A/A gives at most 5% false alarms', () => {
    const same = (rate: number) => (random: () => number) => {
      const own = drawRate(random, rate, 0.5);
      return [own, own] as const;
    };
    expect(clearShare(1, 20, 3, same(0.7))).toBeLessThanOrEqual(atMost5);
    expect(clearShare(2, 40, 1, same(0.5))).toBeLessThanOrEqual(atMost5);
    expect(clearShare(3, 10, 5, same(0.9))).toBeLessThanOrEqual(atMost5);
  });

  it('EVS14: queries that differ with an equal mean give at most 5% false alarms', () => {
    const different = (random: () => number) => [drawRate(random, 0.6, 0.3), drawRate(random, 0.6, 0.3)] as const;
    expect(clearShare(4, 20, 10, different)).toBeLessThanOrEqual(atMost5);
  });

  it('EVS15: the queries that are named reach 80% power', () => {
    const improved = (random: () => number) => {
      const own = drawRate(random, 0.6, 0.5);
      return [own, own + (1 - own) * 0.75] as const;
    };
    for (const repeats of [1, 3, 5]) {
      const random = createRandom(40 + repeats);
      const pilot = Array.from({ length: 500 }, () => {
        const [before, after] = improved(random);
        return { before: drawCount(random, before, repeats), after: drawCount(random, after, repeats) };
      });
      const { queries } = runsToTell(pilot, 0.3);
      expect(clearShare(50 + repeats, queries, repeats, improved)).toBeGreaterThan(0.8 - 3 * Math.sqrt(0.16 / TRIALS));
    }
  });

  it('EVS15: where queries disagree more than repeats could settle, only more queries help', () => {
    const pairs = Array.from({ length: 8 }, (_, index) => (index < 5 ? pair(0, 10, 10) : pair(10, 0, 10)));
    expect(compareVersions(pairs)).toMatchObject({ verdict: 'cannot-tell', more: { queries: expect.any(Number) } });
    expect(compareVersions(pairs)?.more?.repeats).toBeUndefined();
  });

  it('EVS16: two runs of one version stay within the floor 95% of the time', () => {
    const random = createRandom(6);
    const own = Array.from({ length: 20 }, () => drawRate(random, 0.7, 0.5));
    let within = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const pairs = own.map((rate) => ({ before: drawCount(random, rate, 5), after: drawCount(random, rate, 5) }));
      const result = compareVersions(pairs);
      if (result && Math.abs(result.difference) <= result.floor + 1e-12) within++;
    }
    expect(within / TRIALS).toBeGreaterThan(0.92);
  });
});

describe('looks', () => {
  const plan = planLooks(10);

  it('EVS20: five rounds have O’Brien–Fleming levels, a part of a suite one look at 5%', () => {
    expect(plan.levels).toBe(FIVE_LOOKS);
    expect(FIVE_LOOKS.map((_, look) => repeatsAt(plan, look))).toEqual([2, 4, 6, 8, 10]);
    expect(planLooks(10, false).levels).toEqual([0.05]);
    expect(planLooks(3).levels).toEqual([0.05]);
  });

  it('EVS21: a look that is not the plan’s is refused', () => {
    expect(lookAt(plan, [pair(0, 3, 3)])).toBeUndefined();
    expect(lookAt(plan, [pair(0, 2, 2), pair(0, 4, 4)])).toBeUndefined();
    expect(lookAt(plan, [pair(0, 12, 12)])).toBeUndefined();
    expect(lookAt(plan, [pair(0, 2, 2)])).toMatchObject({ look: 0, isLast: false });
    expect(lookAt(plan, [pair(0, 10, 10)])).toMatchObject({ look: 4, isLast: true });
  });

  it('EVS22: looking five times gives at most 5% false alarms', () => {
    const random = createRandom(8);
    const trials = 500;
    let alarms = 0;
    for (let trial = 0; trial < trials; trial++) {
      const rates = Array.from({ length: 20 }, () => drawRate(random, 0.7, 0.5));
      const counts = rates.map(() => ({ before: 0, after: 0 }));
      for (let look = 0; look < 5; look++) {
        rates.forEach((rate, index) => {
          const count = counts[index] as { before: number; after: number };
          count.before += drawCount(random, rate, 2).hits;
          count.after += drawCount(random, rate, 2).hits;
        });
        const result = lookAt(
          plan,
          counts.map(({ before, after }) => pair(before, after, 2 * (look + 1))),
        );
        if (result?.comparison.verdict !== 'cannot-tell') {
          alarms++;
          break;
        }
      }
    }
    expect(alarms / trials).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / trials));
  });
});

describe('side effects', () => {
  it('EVS30: many tests are corrected together', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ skill: `s${index}`, p: (index + 1) / 31, changed: 12 }));
    expect(
      significantSideEffects(many.with(0, { skill: 's0', p: 0.0005, changed: 12 })).map(({ skill }) => skill),
    ).toEqual(['s0']);
    // The second has 2 of 31: alone it would be significant at 10%, among thirty it is not.
    expect(significantSideEffects([{ skill: 'one', p: 2 / 31, changed: 12 }])).toHaveLength(1);
  });

  it('EVS30: skills that cannot be significant do not weaken the others', () => {
    const hopeless = Array.from({ length: 50 }, (_, index) => ({ skill: `h${index}`, p: 1, changed: 2 }));
    expect(smallestP(2)).toBe(0.5);
    expect(
      significantSideEffects([...hopeless, { skill: 'real', p: 0.03, changed: 10 }]).map(({ skill }) => skill),
    ).toEqual(['real']);
  });
});
