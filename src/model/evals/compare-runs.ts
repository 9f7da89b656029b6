/** Two runs of one suite: whether the second is better, worse, or whether they cannot tell; and what it did to other skills. */
import { compareCodePoints } from '../../base/text.ts';
import { isRight } from './run/judge.ts';
import { decidedEndings, runsOf, type Ending, type RunTally } from './run/tally.ts';
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

const countOf = (endings: readonly Ending[], isHit: (ending: Ending) => boolean): Count => ({
  hits: runsOf(endings, isHit),
  runs: runsOf(endings),
});

export const compareRuns = (suite: Suite, before: RunTally, after: RunTally): RunComparison => {
  const both = suite.queries
    .map((query) => ({ query, was: decidedEndings(before, query.id), is: decidedEndings(after, query.id) }))
    .filter(({ was, is }) => was.length > 0 && is.length > 0);
  const pairsBy = (isHit: (ending: Ending) => boolean): readonly Pair[] =>
    both.map(({ was, is }) => ({ before: countOf(was, isHit), after: countOf(is, isHit) }));
  const judged = both.filter(({ query }) => query.expect !== undefined || query.forbid.length > 0);
  const queries = judged.map(({ query, was, is }) => {
    const isHit = ({ outcome, loaded }: Ending): boolean => isRight(outcome, loaded, query) === true;
    return { query, before: countOf(was, isHit), after: countOf(is, isHit) };
  });
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
