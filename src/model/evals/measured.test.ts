import { expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { measuredRuns, measuredWords } from './measured.ts';
import { journalLine, type CaseRecord, type JournalHead } from './run/journal.ts';

const head: JournalHead = {
  format: 'lathe-eval/1',
  suite: 'skills/pdf/evals/triggers.yaml',
  digest: 'd',
  provider: 'anthropic',
  model: 'claude-haiku-4-5',
  listing: 'claude-code',
};
const record = (query: string, repeat: number, isLoaded: boolean): CaseRecord => ({
  key: `${query}${repeat}`,
  query,
  repeat,
  outcome: isLoaded ? 'loaded' : 'bypassed',
  loaded: isLoaded ? ['pdf'] : [],
  invented: [],
  turns: 1,
  usd: 0,
  text: '',
});
const lines = (...values: readonly (JournalHead | CaseRecord)[]): string => values.map(journalLine).join('');
const SUITE =
  'format: lathe-triggers/1\nskill: pdf\nqueries:\n  - {id: a, query: merge these, expect: [pdf]}\n  - {id: b, query: never run, expect: [pdf]}\n';

it('EVD1: rates of the journals that name this skill’s suites, and of no other', async () => {
  const tree = createMemoryTree({
    'skills/pdf/evals/triggers.yaml': SUITE,
    '.lathe/evals/one.jsonl': lines(head, record('a', 0, true), record('a', 1, false)),
    '.lathe/evals/other.jsonl': lines({ ...head, suite: 'skills/ocr/evals/triggers.yaml' }, record('a', 0, true)),
    '.lathe/evals/gone.jsonl': lines(head, record('was-removed', 0, true)),
    '.lathe/evals/broken.jsonl': '{"format":',
    '.lathe/evals/empty.jsonl': lines(head),
  });
  const runs = await measuredRuns(tree, 'skills/pdf');
  expect(runs).toMatchObject([
    { journal: '.lathe/evals/one.jsonl', report: { overall: { right: { hits: 1, runs: 2 } }, queries: [{ runs: 2 }] } },
  ]);
  expect(runs[0]?.report.queries[0]?.rate?.low).toBeGreaterThan(0);
  expect(runs.map(measuredWords)).toEqual(['claude-haiku-4-5 (anthropic); listing claude-code']);
});

it('EVD2: without a suite or a journal nothing was measured; the simulator is named', async () => {
  expect(await measuredRuns(createMemoryTree({ 'skills/pdf/SKILL.md': '' }), 'skills/pdf')).toEqual([]);
  const tree = createMemoryTree({
    'skills/pdf/evals/triggers.yaml': SUITE,
    '.lathe/evals/s.jsonl': lines({ ...head, provider: 'simulator', noise: '1:x' }, record('a', 0, true)),
  });
  expect((await measuredRuns(tree, 'skills/pdf')).map(measuredWords)).toEqual([
    'The simulator by word overlap with seeded noise, not a model; listing claude-code',
  ]);
});
