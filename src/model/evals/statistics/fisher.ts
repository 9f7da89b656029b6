/** Two rates of independent runs, exactly. */
import { lnBeta } from './distributions.ts';
import type { Count } from './rates.ts';

const lnChoose = (n: number, k: number): number => -Math.log(n + 1) - lnBeta(n - k + 1, k + 1);

/** Sums of equal shares differ in their last digits. */
const SLACK = 1 + 1e-9;

/** Fisher's exact test, two-sided: how likely a difference at least as unlikely as this is, if both rates are the same. */
export const fisher = (a: Count, b: Count): number => {
  const hits = a.hits + b.hits;
  const runs = a.runs + b.runs;
  const share = (own: number): number =>
    Math.exp(lnChoose(a.runs, own) + lnChoose(b.runs, hits - own) - lnChoose(runs, hits));
  const seen = share(a.hits) * SLACK;
  const [from, to] = [Math.max(0, hits - b.runs), Math.min(a.runs, hits)];
  let sum = 0;
  for (let own = from; own <= to; own++) {
    const one = share(own);
    if (one <= seen) sum += one;
  }
  return Math.min(1, sum);
};
