import { describe, expect, it } from 'vitest';
import { matrixOf, rivalriesIn, rivalryAdvice, type Rivalry } from './matrix.ts';
import { reportEval } from './report.ts';
import type { CaseRecord } from './run/journal.ts';
import { tallyOf } from './run/tally.ts';
import { plainQuery } from './suite/plain-query.ts';
import { DEFAULTS, type Suite } from './suite/types.ts';

const SKILLS = [
  { name: 'pdf-merge', description: 'Joins PDF files. Use when several documents should become one.' },
  { name: 'pdf-ocr', description: 'Reads scans. Use when scans have text.' },
];
const SUITE: Suite = {
  skill: 'pdf-merge',
  defaults: DEFAULTS,
  queries: [
    plainQuery('several documents should become one', 1, { id: 'good', expect: ['pdf-merge'] }),
    plainQuery('put these scans into one', 2, { id: 'lost', expect: ['pdf-merge'] }),
    plainQuery('hello', 3, { id: 'none', expect: [] }),
  ],
};
const runs = (query: string, picks: readonly (string | undefined)[]): readonly CaseRecord[] =>
  picks.map((skill, repeat) => ({
    key: `${query}${repeat}`,
    query,
    repeat,
    outcome: skill === undefined ? 'bypassed' : 'loaded',
    loaded: skill === undefined ? [] : [skill],
    invented: [],
    turns: 1,
    usd: 0,
    text: '',
  }));
const RECORDS = [
  ...runs('good', ['pdf-merge', 'pdf-merge', 'pdf-merge', 'pdf-merge']),
  ...runs('lost', ['pdf-ocr', 'pdf-ocr', 'pdf-ocr', 'pdf-merge']),
  ...runs('none', [undefined, undefined, undefined, 'weather']),
];
const REPORT = reportEval(SUITE, tallyOf(RECORDS), RECORDS.length, 0.5);

describe('the matrix', () => {
  it('EVL1: trouble first, the own skill first, and no skill last', () => {
    const { skills, rows } = matrixOf(REPORT, 'pdf-merge');
    expect(skills).toEqual(['pdf-merge', 'pdf-ocr', 'weather']);
    expect(rows.map(({ report }) => report.query.id)).toEqual(['lost', 'none', 'good']);
    expect(rows[0]?.cells.map(({ hits, runs: all, role }) => [hits, all, role])).toEqual([
      [1, 4, 'expected'],
      [3, 4, 'forbidden'],
      [0, 4, 'forbidden'],
      [0, 4, 'other'],
    ]);
    expect(rows[1]?.cells.at(-1)).toMatchObject({ hits: 3, role: 'expected', rate: { rate: 0.75 } });
  });

  it('EVL2: says which words of which query the rival has', () => {
    const [worst, next] = rivalriesIn(REPORT, SKILLS, 'pdf-merge');
    expect(worst).toMatchObject({
      query: 'put these scans into one',
      wanted: 'pdf-merge',
      rival: 'pdf-ocr',
      taken: { hits: 3, runs: 4 },
      rivalWords: ['scans'],
    });
    expect(worst && rivalryAdvice(worst)).toContain('Only pdf-ocr has “scans”');
    // Of two that have nothing of it in common, no word is blamed.
    const bare = { ...(worst as Rivalry), rivalWords: [], sharedWords: [] };
    expect(rivalryAdvice({ ...bare, ownWords: ['scans'] })).toMatch(
      /^Only pdf-merge has “scans”\. Words don’t explain/,
    );
    expect(rivalryAdvice({ ...bare, ownWords: [] })).toMatch(/^Neither description/);
    expect(rivalryAdvice({ ...bare, ownWords: [], sharedWords: ['one'] })).toMatch(/^Both descriptions/);
    expect(next).toMatchObject({ rival: 'weather', wanted: undefined });
    expect(rivalriesIn(reportEval(SUITE, tallyOf(RECORDS.slice(0, 4)), 4, 0.5), SKILLS, 'pdf-merge')).toEqual([]);
  });
});
