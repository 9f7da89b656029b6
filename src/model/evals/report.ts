/** From results to rates: per query, per skill, and what they prove. */
import { compareCodePoints } from '../../base/text.ts';
import { isRight } from './run/judge.ts';
import { decidedEndings, runsOf, type RunTally } from './run/tally.ts';
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

const reportOf = (query: TriggerQuery, tally: RunTally): QueryReport => {
  const endings = tally.endingsOf(query.id);
  const decided = decidedEndings(tally, query.id);
  const [all, runs] = [runsOf(endings), runsOf(decided)];
  const isLabeled = query.expect !== undefined || query.forbid.length > 0;
  const right = isLabeled
    ? { hits: runsOf(decided, ({ outcome, loaded }) => isRight(outcome, loaded, query) === true), runs }
    : undefined;
  const picks = [...new Set(decided.flatMap(({ loaded }) => loaded))]
    .map((skill) => {
      const count = { hits: runsOf(decided, ({ loaded }) => loaded.includes(skill)), runs };
      return { skill, hits: count.hits, runs, rate: rateOf(count) };
    })
    .toSorted((a, b) => b.hits - a.hits || compareCodePoints(a.skill, b.skill));
  const undecided = all - runs;
  return {
    query,
    right,
    rate: right && rateOf(right),
    undecided,
    cannotTell: all > 0 && undecided / all > MOST_UNDECIDED,
    picks,
    none: runsOf(decided, ({ loaded }) => loaded.length === 0),
    runs: all,
  };
};

/** Trouble first: the lowest rates, then those that cannot tell. */
const byTrouble = (a: QueryReport, b: QueryReport): number =>
  (a.rate?.rate ?? 2) - (b.rate?.rate ?? 2) || Number(b.cannotTell) - Number(a.cannotTell);

export const reportEval = (suite: Suite, tally: RunTally, planned: number, threshold: number): EvalReport => {
  const queries = suite.queries.map((query) => reportOf(query, tally));
  const counts = queries.flatMap(({ right, cannotTell }) => (right && !cannotTell ? [right] : []));
  const sum = counts.reduce((all, { hits, runs }) => ({ hits: all.hits + hits, runs: all.runs + runs }), {
    hits: 0,
    runs: 0,
  });
  return {
    queries: queries.toSorted(byTrouble),
    overall: { right: sum, rate: rowRate(counts), proof: proves(sum, threshold), floor: floorOf(counts) },
    usd: tally.usd,
    missing: planned - tally.runs,
  };
};
