/** From results to rates: per query, per skill, and what they prove. */
import { compareCodePoints } from '../../base/text.ts';
import { isDecided, isRight } from './run/judge.ts';
import type { CaseRecord } from './run/journal.ts';
import { floorOf } from './statistics/compare.ts';
import { proves, rateOf, rowRate, type Count, type Proof, type Rate } from './statistics/rates.ts';
import type { Suite, TriggerQuery } from './suite/types.ts';

/** More undecided runs than this, and the rest may be a biased sample. */
const MOST_UNDECIDED = 0.05;

export interface SkillPicks extends Count {
  readonly skill: string;
  readonly rate: Rate | undefined;
}

export interface QueryReport {
  readonly query: TriggerQuery;
  /** Decided runs, and how many of them were right; nothing where the query has no label. */
  readonly right: Count | undefined;
  readonly rate: Rate | undefined;
  readonly undecided: number;
  readonly cannotTell: boolean;
  /** Of decided runs; most picked first. */
  readonly picks: readonly SkillPicks[];
  readonly none: number;
  readonly runs: number;
}

export interface EvalReport {
  readonly queries: readonly QueryReport[];
  readonly overall: {
    readonly right: Count;
    readonly rate: Rate | undefined;
    readonly proof: Proof;
    /** Two runs of these descriptions differ by no more than this, 95% of the time. */
    readonly floor: number | undefined;
  };
  /** Nothing where a price or a usage is unknown. */
  readonly usd: number | undefined;
  readonly missing: number;
}

const reportOf = (query: TriggerQuery, records: readonly CaseRecord[]): QueryReport => {
  const decided = records.filter(({ outcome }) => isDecided(outcome));
  const judged = decided.map(({ outcome, loaded }) => isRight(outcome, loaded, query));
  const isLabeled = query.expect !== undefined || query.forbid.length > 0;
  const right = isLabeled ? { hits: judged.filter((value) => value === true).length, runs: decided.length } : undefined;
  const skills = [...new Set(decided.flatMap(({ loaded }) => loaded))];
  const picks = skills
    .map((skill) => {
      const count = { hits: decided.filter(({ loaded }) => loaded.includes(skill)).length, runs: decided.length };
      return { skill, hits: count.hits, runs: count.runs, rate: rateOf(count) };
    })
    .toSorted((a, b) => b.hits - a.hits || compareCodePoints(a.skill, b.skill));
  const undecided = records.length - decided.length;
  return {
    query,
    right,
    rate: right && rateOf(right),
    undecided,
    cannotTell: records.length > 0 && undecided / records.length > MOST_UNDECIDED,
    picks,
    none: decided.filter(({ loaded }) => loaded.length === 0).length,
    runs: records.length,
  };
};

/** Trouble first: the lowest rates, then those that cannot tell. */
const byTrouble = (a: QueryReport, b: QueryReport): number =>
  (a.rate?.rate ?? 2) - (b.rate?.rate ?? 2) || Number(b.cannotTell) - Number(a.cannotTell);

export const reportEval = (
  suite: Suite,
  records: readonly CaseRecord[],
  planned: number,
  threshold: number,
): EvalReport => {
  const byQuery = new Map<string, CaseRecord[]>();
  for (const record of records) {
    const known = byQuery.get(record.query);
    if (known) known.push(record);
    else byQuery.set(record.query, [record]);
  }
  const queries = suite.queries.map((query) => reportOf(query, byQuery.get(query.id) ?? []));
  const counts = queries.flatMap(({ right, cannotTell }) => (right && !cannotTell ? [right] : []));
  const sum = counts.reduce((all, { hits, runs }) => ({ hits: all.hits + hits, runs: all.runs + runs }), {
    hits: 0,
    runs: 0,
  });
  return {
    queries: queries.toSorted(byTrouble),
    overall: { right: sum, rate: rowRate(counts), proof: proves(sum, threshold), floor: floorOf(counts) },
    usd: records.some(({ usd }) => usd === null)
      ? undefined
      : records.reduce((total, { usd }) => total + (usd ?? 0), 0),
    missing: planned - records.length,
  };
};
