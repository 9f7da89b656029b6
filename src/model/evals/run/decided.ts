import { isDecided } from './judge.ts';
import type { CaseRecord } from './journal.ts';

/** Runs that say something about picking, by query. */
export type DecidedRuns = ReadonlyMap<string, readonly CaseRecord[]>;

export const decidedRuns = (records: readonly CaseRecord[]): DecidedRuns => {
  const byQuery = new Map<string, CaseRecord[]>();
  for (const record of records) {
    if (!isDecided(record.outcome)) continue;
    const known = byQuery.get(record.query);
    if (known) known.push(record);
    else byQuery.set(record.query, [record]);
  }
  return byQuery;
};
