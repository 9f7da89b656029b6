/** How often something happened, and how sure that is. */
import { betaPoint, Z } from './distributions.ts';

export interface Count {
  readonly hits: number;
  readonly runs: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Rate extends Interval {
  readonly rate: number;
}

/** Runs need not be a whole number: dependent runs count as fewer. */
export const wilson = (rate: number, runs: number): Interval => {
  const square = Z * Z;
  const center = (rate * runs + square / 2) / (runs + square);
  const half = (Z / (runs + square)) * Math.sqrt(runs * rate * (1 - rate) + square / 4);
  return { low: rate === 0 ? 0 : Math.max(0, center - half), high: rate === 1 ? 1 : Math.min(1, center + half) };
};

export const rateOf = ({ hits, runs }: Count): Rate | undefined =>
  runs === 0 ? undefined : { rate: hits / runs, ...wilson(hits / runs, runs) };

/** Clopper–Pearson: covers every rate at least 95% of the time, so that an exit code can depend on it. */
export const exactInterval = ({ hits, runs }: Count): Interval => ({
  low: hits === 0 ? 0 : betaPoint(0.025, hits, runs - hits + 1),
  high: hits === runs ? 1 : betaPoint(0.975, hits + 1, runs - hits),
});

export type Proof = 'below' | 'above' | 'undecided';

export const proves = (count: Count, threshold: number): Proof => {
  if (count.runs === 0) return 'undecided';
  const { low, high } = exactInterval(count);
  return high < threshold ? 'below' : low > threshold ? 'above' : 'undecided';
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * How alike the repeats of one query are, against those of different queries (one-way analysis of variance). Undefined if all runs are
 * equal, or if no query was repeated.
 */
export const correlationOfRepeats = (queries: readonly Count[]): number | undefined => {
  const total = queries.reduce((sum, { runs }) => sum + runs, 0);
  const [n, hits] = [queries.length, queries.reduce((sum, query) => sum + query.hits, 0)];
  if (n < 2 || total <= n || hits === 0 || hits === total) return undefined;
  const overall = hits / total;
  const between = queries.reduce((sum, { hits: own, runs }) => sum + runs * (own / runs - overall) ** 2, 0) / (n - 1);
  const within = queries.reduce((sum, { hits: own, runs }) => sum + (own * (runs - own)) / runs, 0) / (total - n);
  const size = (total - queries.reduce((sum, { runs }) => sum + runs * runs, 0) / total) / (n - 1);
  return (between - within) / (between + (size - 1) * within);
};

/** Repeats of one query say less than as many queries: at least this alike, because small suites underestimate it. */
const LEAST_CORRELATION = 0.6;

/** How many independent runs the runs of these queries are worth. */
export const effectiveRuns = (queries: readonly Count[], correlation: number): number => {
  const repeats = queries.reduce((sum, { runs }) => sum + runs, 0) / queries.length;
  return (queries.length * repeats) / (1 + (repeats - 1) * correlation);
};

/** The rate to expect of queries like these. */
export const rowRate = (all: readonly Count[]): Rate | undefined => {
  const queries = all.filter(({ runs }) => runs > 0);
  if (queries.length === 0) return undefined;
  const rate = mean(queries.map(({ hits, runs }) => hits / runs));
  const correlation = Math.max(correlationOfRepeats(queries) ?? 1, LEAST_CORRELATION);
  return { rate, ...wilson(rate, effectiveRuns(queries, correlation)) };
};
