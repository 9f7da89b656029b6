import { describe, expect, it } from 'vitest';
import { reportEval } from './report.ts';
import type { CaseRecord } from './run/journal.ts';
import { tallyOf } from './run/tally.ts';
import { skillReports } from './skill-report.ts';
import { plainQuery } from './suite/plain-query.ts';
import { DEFAULTS, type TriggerQuery } from './suite/types.ts';

const queryOf = (id: string, labels: Partial<TriggerQuery>): TriggerQuery => plainQuery(id, 1, { id, ...labels });
/** One run for each list of loaded skills. */
const runsOf = (query: string, ...loads: readonly (readonly string[])[]): readonly CaseRecord[] =>
  loads.map((loaded, repeat) => ({
    key: `${query}${repeat}`,
    query,
    repeat,
    outcome: loaded.length === 0 ? 'bypassed' : 'loaded',
    loaded: [...loaded],
    invented: [],
    turns: 1,
    usd: 0,
    text: '',
  }));
const reportsOf = (queries: readonly TriggerQuery[], records: readonly CaseRecord[]) =>
  new Map(
    skillReports(reportEval({ defaults: DEFAULTS, queries }, tallyOf(records), records.length, 0.5)).map((each) => [
      each.skill,
      each,
    ]),
  );

describe('recall and precision', () => {
  it('EVS5: recall counts the runs that should pick a skill, precision those that picked it', () => {
    const found = reportsOf(
      [
        queryOf('join', { expect: ['merge'] }),
        queryOf('cut', { expect: ['split'] }),
        queryOf('rain', { forbid: ['merge'] }),
        queryOf('hello', { expect: [] }),
      ],
      [
        ...runsOf('join', ['merge'], ['merge'], ['split'], []),
        ...runsOf('cut', ['split'], ['split'], ['split'], ['merge']),
        ...runsOf('rain', ['merge'], ['weather'], ['weather'], ['weather']),
        ...runsOf('hello', [], [], [], ['weather']),
      ],
    );
    expect(found.get('merge')).toMatchObject({
      recall: { hits: 2, runs: 4, rate: { rate: 0.5 } },
      // Picked twice for join, and wrongly once for cut and once for rain.
      precision: { hits: 2, runs: 4, rate: { rate: 0.5 } },
      mistaken: [
        { skill: undefined, hits: 1, runs: 4 },
        { skill: 'split', hits: 1, runs: 4 },
      ],
    });
    expect(found.get('split')).toMatchObject({ recall: { hits: 3, runs: 4 }, precision: { hits: 3, runs: 4 } });
    // Rain judges merge alone: its picks of weather are neither right nor wrong.
    expect(found.get('weather')).toMatchObject({
      recall: { runs: 0, rate: undefined },
      precision: { hits: 0, runs: 1 },
    });
  });

  it('EVS5: picks of one query are all right or all wrong, so the interval of precision counts queries', () => {
    const queries = ['a', 'b'].map((id) => queryOf(id, { expect: id === 'a' ? ['merge'] : [] }));
    const few = reportsOf(
      queries,
      queries.flatMap(({ id }) => runsOf(id, ['merge'])),
    );
    const many = reportsOf(
      queries,
      queries.flatMap(({ id }) => runsOf(id, ...Array.from({ length: 50 }, () => ['merge']))),
    );
    expect(many.get('merge')?.precision.rate).toEqual(few.get('merge')?.precision.rate);
  });

  it('EVS5: where any of several skills may load, none of them is missed; helpers and undecided queries do not count', () => {
    const found = reportsOf(
      [
        queryOf('any', { expect: ['merge', 'join'] }),
        queryOf('both', { expect: ['merge', 'join'], all: true }),
        queryOf('helped', { expect: ['merge'], allow: ['find'] }),
        queryOf('lost', { expect: ['merge'] }),
      ],
      [
        ...runsOf('any', ['join']),
        ...runsOf('both', ['merge']),
        ...runsOf('helped', ['find', 'merge']),
        ...runsOf('lost', []).map((record) => Object.assign(record, { outcome: 'refused' as const })),
      ],
    );
    expect(found.get('merge')).toMatchObject({ recall: { hits: 2, runs: 2 }, precision: { hits: 2, runs: 2 } });
    expect(found.get('join')).toMatchObject({
      recall: { hits: 0, runs: 1 },
      precision: { hits: 1, runs: 1 },
      mistaken: [],
    });
    expect(found.has('find')).toBe(false);
  });
});
