/** Ratios from one run. Absolute times mean nothing on a shared machine; the best of several rounds means the most. */

export const bestOf = (rounds: number, work: () => void): number => {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
};

/**
 * The same in processor time, for work inside this process: what other programs take away doesn't count, and collecting garbage
 * does, on whichever core.
 */
export const leastWorkOf = (rounds: number, work: () => void): number => {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
};

export const bestOfAsync = async (rounds: number, work: () => Promise<void>): Promise<number> => {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
};

const cell = (text: string, width: number): string => text.padEnd(width);

/** One line: what was compared, the ratio, the limit and whether it holds. */
export const report = (what: string, ratio: number, limit: { atMost?: number; atLeast?: number }): void => {
  const holds = ratio <= (limit.atMost ?? Infinity) && ratio >= (limit.atLeast ?? 0);
  const bound = limit.atMost === undefined ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
  process.stdout.write(
    `  ${cell(what, 62)} ${ratio.toFixed(2).padStart(7)} ×   ${cell(bound, 12)} ${holds ? 'holds' : 'MISSED'}\n`,
  );
  if (!holds) process.exitCode = 1;
};
