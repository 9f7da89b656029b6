/**
 * The exact sign-flip test: had the two versions been the same, each query's difference could as well have had the other sign. All 2^n
 * assignments are counted by convolution over integers, so there is no chance in the answer.
 */

/** Longer sums are not needed by any suite that can be run, and would only take memory. */
export const MOST_DIFFERENCES = 2_000_000;

/** The two-sided p value of integer differences. */
export const signFlip = (differences: readonly number[]): number => {
  const sum = Math.abs(differences.reduce((total, value) => total + value, 0));
  if (sum === 0) return 1;
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const most = sizes.reduce((total, size) => total + size, 0);
  if (most > MOST_DIFFERENCES) throw new RangeError(`differences add up to ${most}, more than ${MOST_DIFFERENCES}`);
  // Index: the sum of the differences whose sign is positive.
  const shares = new Float64Array(most + 1);
  shares[0] = 1;
  let reached = 0;
  for (const size of sizes) {
    for (let at = reached; at >= 0; at--) {
      const half = (shares[at] as number) / 2;
      shares[at] = half;
      shares[at + size] = (shares[at + size] as number) + half;
    }
    reached += size;
  }
  // A signed sum of at least `sum` means positive differences of at least (most + sum) / 2.
  let tail = 0;
  for (let at = Math.ceil((most + sum) / 2); at <= most; at++) tail += shares[at] as number;
  return Math.min(1, 2 * tail);
};

/** No assignment of signs is rarer than all of one sign. */
export const smallestP = (changedQueries: number): number => Math.min(1, 2 ** (1 - changedQueries));
