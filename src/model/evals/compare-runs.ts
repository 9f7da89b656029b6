/** Two runs of one suite: whether the second is better, worse, or whether they cannot tell; and what it did to other skills. */
import { compareCodePoints } from '../../base/text.ts';
import { decidedRuns } from './run/decided.ts';
import { isRight } from './run/judge.ts';
import type { CaseRecord } from './run/journal.ts';
import { compareVersions, type Comparison, type Pair } from './statistics/compare.ts';
import type { Count } from './statistics/rates.ts';
import { significantSideEffects } from './statistics/side-effects.ts';
import type { Suite, TriggerQuery } from './suite/types.ts';

export interface RunComparison {
  /** Nothing where no query was run and judged in both. */
  readonly overall: Comparison | undefined;
  readonly queries: readonly { readonly query: TriggerQuery; readonly before: Count; readonly after: Count }[];
  /** Skills that are picked more or less often than before, beyond chance; not the suite's own. */
  readonly sideEffects: readonly { readonly skill: string; readonly difference: number; readonly p: number }[];
}

const countOf = (records: readonly CaseRecord[], isHit: (record: CaseRecord) => boolean): Count => ({
  hits: records.filter(isHit).length,
  runs: records.length,
});

export const compareRuns = (
  suite: Suite,
  before: readonly CaseRecord[],
  after: readonly CaseRecord[],
): RunComparison => {
  const [old, now] = [decidedRuns(before), decidedRuns(after)];
  const both = suite.queries.flatMap((query) => {
    const [was, is] = [old.get(query.id), now.get(query.id)];
    return was && is ? [{ query, was, is }] : [];
  });
  const pairsBy = (isHit: (record: CaseRecord, query: TriggerQuery) => boolean): readonly Pair[] =>
    both.map(({ query, was, is }) => ({
      before: countOf(was, (record) => isHit(record, query)),
      after: countOf(is, (record) => isHit(record, query)),
    }));
  const judged = both.filter(({ query }) => query.expect !== undefined || query.forbid.length > 0);
  const right = (record: CaseRecord, query: TriggerQuery): boolean =>
    isRight(record.outcome, record.loaded, query) === true;
  const queries = judged.map(({ query, was, is }) => ({
    query,
    before: countOf(was, (record) => right(record, query)),
    after: countOf(is, (record) => right(record, query)),
  }));
  const skills = [...new Set(both.flatMap(({ was, is }) => [...was, ...is].flatMap(({ loaded }) => loaded)))]
    .filter((skill) => skill !== suite.skill)
    .toSorted(compareCodePoints);
  const effects = skills.flatMap((skill) => {
    const compared = compareVersions(pairsBy(({ loaded }) => loaded.includes(skill)));
    return compared ? [{ skill, p: compared.p, changed: compared.changed, difference: compared.difference }] : [];
  });
  const significant = new Set(significantSideEffects(effects).map(({ skill }) => skill));
  return {
    overall: compareVersions(queries),
    queries: queries.toSorted(
      (a, b) =>
        a.after.hits / a.after.runs -
        a.before.hits / a.before.runs -
        (b.after.hits / b.after.runs - b.before.hits / b.before.runs),
    ),
    sideEffects: effects
      .filter(({ skill }) => significant.has(skill))
      .map(({ skill, difference, p }) => ({ skill, difference, p })),
  };
};
