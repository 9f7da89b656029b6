/** Whether a new version is better than the saved one, worse, or whether these runs cannot tell. */
import { tPoint, Z } from './distributions.ts';
import { correlationOfRepeats, effectiveRuns, wilson, type Count, type Interval } from './rates.ts';
import { MOST_DIFFERENCES, signFlip, smallestP } from './sign-flip.ts';

/** What one query gave under both versions. */
export interface Pair {
  readonly before: Count;
  readonly after: Count;
}

export type ComparisonVerdict = 'better' | 'worse' | 'cannot-tell';

export interface MoreRuns {
  /** Queries in all, with the repeats as they are. */
  readonly queries: number;
  /** Repeats of the same queries; absent where repeats cannot show the difference. */
  readonly repeats?: number;
}

export interface Comparison extends Interval {
  readonly verdict: ComparisonVerdict;
  readonly p: number;
  /** After minus before, as a mean over queries. */
  readonly difference: number;
  readonly queries: number;
  readonly changed: number;
  /** Queries that the test would need to have changed to reach its level at all. */
  readonly neededChanged: number;
  /** Two runs of the version before differ by no more than this, 95% of the time. */
  readonly floor: number;
  /** Absent where the verdict is clear, or no difference was seen. */
  readonly more?: MoreRuns;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const variance = (values: readonly number[]): number => {
  const middle = mean(values);
  return values.length < 2 ? 0 : values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
};

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
const lcm = (a: number, b: number): number => (a / gcd(a, b)) * b;

/** Differences as integers: hits scaled to a common number of repeats. */
const integerDifferences = (pairs: readonly Pair[]): readonly number[] => {
  const common = pairs.reduce((all, { before, after }) => lcm(all, lcm(before.runs, after.runs)), 1);
  // Repeats that have no small common multiple are brought to a fine grid, which moves p by less than anyone could see.
  const scale = common * pairs.length <= MOST_DIFFERENCES ? common : Math.floor(MOST_DIFFERENCES / pairs.length);
  return pairs.map(
    ({ before, after }) =>
      Math.round((after.hits / after.runs) * scale) - Math.round((before.hits / before.runs) * scale),
  );
};

const rates = (counts: readonly Count[]): readonly number[] => counts.map(({ hits, runs }) => hits / runs);

const correlation = (a: readonly number[], b: readonly number[]): number => {
  const [middleA, middleB] = [mean(a), mean(b)];
  const together = a.reduce((sum, value, index) => sum + (value - middleA) * ((b[index] as number) - middleB), 0);
  const apart = Math.sqrt(variance(a) * variance(b)) * (a.length - 1);
  return apart === 0 ? 0 : together / apart;
};

/** A version's interval for MOVER: few queries widen it as Student's t does. */
const versionInterval = (counts: readonly Count[]): Interval & { readonly rate: number } => {
  const rate = mean(rates(counts));
  const alike = Math.min(1, Math.max(0, correlationOfRepeats(counts) ?? 1));
  const narrower = counts.length > 1 ? (Z / tPoint(counts.length - 1)) ** 2 : 1;
  return { rate, ...wilson(rate, effectiveRuns(counts, alike) * narrower) };
};

const differenceInterval = (pairs: readonly Pair[]): Interval => {
  const [before, after] = [pairs.map((pair) => pair.before), pairs.map((pair) => pair.after)];
  const [a, b] = [versionInterval(after), versionInterval(before)];
  // Of few queries a correlation is seen by chance, and would narrow the interval: half its standard error is taken off.
  const chance = 0.5 / Math.sqrt(Math.max(1, pairs.length - 1));
  const phi = Math.min(0.9, Math.max(0, correlation(rates(after), rates(before)) - chance));
  const width = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  return {
    low: Math.max(-1, a.rate - b.rate - width(a.rate - a.low, b.high - b.rate)),
    high: Math.min(1, a.rate - b.rate + width(a.high - a.rate, b.rate - b.low)),
  };
};

/** The variance of one run, without bias where a query was repeated. */
const runVariance = ({ hits, runs }: Count): number => {
  const rate = hits / runs;
  return runs > 1 ? (rate * (1 - rate) * runs) / (runs - 1) : rate * (1 - rate);
};

/** EVS16. Where no query was repeated, nothing is known of repeats: then they vary as much as they can at this rate. */
export const floorOf = (all: readonly Count[]): number | undefined => {
  const counts = all.filter(({ runs }) => runs > 0);
  if (counts.length === 0) return undefined;
  const repeated = counts.filter(({ runs }) => runs > 1);
  const rate = mean(rates(counts));
  const usual = repeated.length > 0 ? mean(repeated.map(runVariance)) : rate * (1 - rate);
  const sum = counts.reduce((total, each) => total + (each.runs > 1 ? runVariance(each) : usual) / each.runs, 0);
  return (Z * Math.sqrt(2 * sum)) / counts.length;
};

/** (z at 97.5% + z at 80%)². */
const POWER = 7.85;
/** What the exact test needs on top, and the steps that its p value has with few queries; both found by simulation. */
const EXACT_TEST = 1.15;
const STEPS = 4;

/** EVS15: what a new comparison of this difference would need, judged by how the runs at hand vary. */
export const runsToTell = (pairs: readonly Pair[], difference: number): MoreRuns => {
  const differences = pairs.map(({ before, after }) => after.hits / after.runs - before.hits / before.runs);
  const repeats = mean(pairs.map(({ before, after }) => (before.runs + after.runs) / 2));
  const within = mean(pairs.map(({ before, after }) => runVariance(before) + runVariance(after)));
  const between = Math.max(0, variance(differences) - within / repeats);
  const square = difference * difference;
  const queries = Math.max(6, STEPS + Math.ceil((EXACT_TEST * POWER * (between + within / repeats)) / square));
  const room = (pairs.length * square) / POWER - between;
  const isRepeated = pairs.some(({ before, after }) => before.runs > 1 || after.runs > 1);
  // Of queries that ran once, nobody knows what repeats would add.
  if (room <= 0 || pairs.length < 6 || !isRepeated) return { queries };
  return { queries, repeats: Math.max(Math.ceil(repeats) + 1, Math.ceil((EXACT_TEST * within) / room)) };
};

const neededFor = (level: number): number => {
  let changed = 1;
  while (smallestP(changed) > level) changed++;
  return changed;
};

/** `level` is the look's; a comparison with one look has 5%. */
export const compareVersions = (all: readonly Pair[], level = 0.05): Comparison | undefined => {
  const pairs = all.filter(({ before, after }) => before.runs > 0 && after.runs > 0);
  if (pairs.length === 0) return undefined;
  const differences = integerDifferences(pairs);
  const p = signFlip(differences);
  const difference = mean(pairs.map(({ before, after }) => after.hits / after.runs - before.hits / before.runs));
  const interval = differenceInterval(pairs);
  const isClear = p <= level && (difference > 0 ? interval.low > 0 : interval.high < 0);
  return {
    verdict: isClear ? (difference > 0 ? 'better' : 'worse') : 'cannot-tell',
    p,
    difference,
    ...interval,
    queries: pairs.length,
    changed: differences.filter((value) => value !== 0).length,
    neededChanged: neededFor(level),
    floor: floorOf(pairs.map(({ before }) => before)) ?? 1,
    ...(!isClear && difference !== 0 && { more: runsToTell(pairs, difference) }),
  };
};
