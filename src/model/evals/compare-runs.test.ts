import { describe, expect, it } from 'vitest';
import { compareRuns as compareTallies } from './compare-runs.ts';
import type { CaseRecord } from './run/journal.ts';
import { tallyOf } from './run/tally.ts';
import { queryId } from './suite/query-id.ts';
import type { Suite } from './suite/types.ts';

const QUERIES = Array.from({ length: 10 }, (_, index) => `ask ${index}`);
const suite: Suite = {
  skill: 'pdf',
  defaults: { repeats: 5, maxTurns: 3 },
  queries: QUERIES.map((query) => ({
    id: queryId(query, []),
    query,
    expect: ['pdf'],
    all: false,
    forbid: [],
    allow: [],
    tags: [],
    context: [],
    weight: 1,
    line: 1,
  })),
};
const compareRuns = (of: Suite, before: readonly CaseRecord[], after: readonly CaseRecord[]) =>
  compareTallies(of, tallyOf(before), tallyOf(after));
/** `hits` of five runs of each query load the skill, the others load `rival` or nothing. */
const runs = (hits: readonly number[], rival?: string, outcome: CaseRecord['outcome'] = 'loaded'): CaseRecord[] =>
  suite.queries.flatMap(({ id }, index) =>
    Array.from({ length: 5 }, (_, repeat) => ({
      key: `${id}${repeat}`,
      query: id,
      repeat,
      outcome,
      loaded: repeat < (hits[index] ?? 0) ? ['pdf'] : rival === undefined ? [] : [rival],
      invented: [],
      turns: 1,
      usd: 0,
      text: '',
    })),
  );

describe('comparing runs', () => {
  it('EVC1: 45 of 50 against 20 of 50 is better', () => {
    const { overall, queries } = compareRuns(
      suite,
      runs(QUERIES.map((_, index) => (index === 9 ? 5 : index < 3 ? 1 : 2))),
      runs(QUERIES.map((_, index) => (index === 9 ? 3 : index < 3 ? 4 : 5))),
    );
    expect(overall).toMatchObject({ verdict: 'better', queries: 10 });
    // The one that lost comes first.
    expect(queries[0]).toMatchObject({ before: { hits: 5, runs: 5 }, after: { hits: 3, runs: 5 } });
  });

  it('EVC1: undecided runs and queries that only one run has do not count', () => {
    const half = runs(QUERIES.map(() => 5)).slice(0, 25);
    expect(compareRuns(suite, half, runs(QUERIES.map(() => 5))).overall?.queries).toBe(5);
    expect(
      compareRuns(
        suite,
        runs(
          QUERIES.map(() => 5),
          undefined,
          'refused',
        ),
        half,
      ).overall,
    ).toBeUndefined();
  });

  it('EVC2: a rival that lost its picks is a side effect, the suite’s own skill is not', () => {
    const { sideEffects } = compareRuns(
      suite,
      runs(
        QUERIES.map(() => 0),
        'ocr',
      ),
      runs(QUERIES.map(() => 5)),
    );
    expect(sideEffects).toMatchObject([{ skill: 'ocr', difference: -1 }]);
  });
});
