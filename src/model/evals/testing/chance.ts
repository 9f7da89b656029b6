/** Seeded chance for simulations. */
import { lnBeta } from '../statistics/distributions.ts';
import type { Count } from '../statistics/rates.ts';

/** Mulberry32: numbers in [0, 1). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Marsaglia and Tsang. */
const gamma = (random: () => number, shape: number): number => {
  if (shape < 1) return gamma(random, shape + 1) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
};

/** The rate of one query among queries of a mean rate; `alike` is the correlation of its repeats. */
export const drawRate = (random: () => number, rate: number, alike: number): number => {
  const size = 1 / alike - 1;
  const [a, b] = [gamma(random, rate * size), gamma(random, (1 - rate) * size)];
  return a / (a + b);
};

export const drawCount = (random: () => number, rate: number, runs: number): Count => {
  let hits = 0;
  for (let run = 0; run < runs; run++) if (random() < rate) hits++;
  return { hits, runs };
};

export const drawHits = (random: () => number, rate: number, alike: number, runs: number): Count =>
  drawCount(random, drawRate(random, rate, alike), runs);

export const binomialShare = (hits: number, runs: number, rate: number): number =>
  Math.exp(hits * Math.log(rate) + (runs - hits) * Math.log1p(-rate) - lnBeta(hits + 1, runs - hits + 1)) / (runs + 1);
