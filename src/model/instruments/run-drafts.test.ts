import { describe, expect, it } from 'vitest';
import { holdsWord, runDrafts, wordsOfInput } from './run-drafts.ts';
import type { RunItem } from './run-view.ts';

const item = (kind: RunItem['kind'], more: Partial<RunItem> = {}): RunItem => ({
  id: `${kind} ${more.response ?? more.request ?? ''}`,
  kind,
  label: 'draft',
  line: 1,
  at: 0,
  durationMs: 10,
  ok: true,
  request: '',
  response: '',
  notes: [],
  ...more,
});

describe('the drafts of a run', () => {
  it('RU13: the words that a check looks for are those lists of short strings that the input holds', () => {
    expect(wordsOfInput({ task: 'A long task.', required: ['owner', 'dry run'], n: 3 })).toEqual(['owner', 'dry run']);
    expect(wordsOfInput({ heading: '## Rollback', task: 'x' })).toEqual(['## Rollback']);
    expect(wordsOfInput({ command: ['python3', '-m', 'unittest'] })).toEqual([]);
    expect(wordsOfInput({ rows: [['a'], 1] })).toEqual([]);
    expect(wordsOfInput(undefined)).toEqual([]);
  });

  it('RU13: a word is found whole, in any case, whatever signs stand between', () => {
    expect(holdsWord('- [ ] Do a Dry-Run', 'dry run')).toBe(true);
    expect(holdsWord('the latest tests', 'test')).toBe(false);
    expect(holdsWord('Ärger über alles', 'über')).toBe(true);
  });

  it('RU14: each draft says which words it has, which lines are new, and which earlier one it repeats', () => {
    const items = [
      item('ask', { response: 'owner\nbackup' }),
      item('trace', { request: '{"attempt":1,"missing":["rollback"],"long":"' + 'x'.repeat(90) + '"}' }),
      item('ask', { response: 'owner\nrollback' }),
      item('ask', { response: ' owner\nbackup ' }),
    ];
    const drafts = runDrafts({ items }, { required: ['owner', 'rollback'] });
    expect(drafts.map(({ words }) => words.map(({ isFound }) => isFound))).toEqual([
      [true, false],
      [true, true],
      [true, false],
    ]);
    expect(drafts[1]?.lines.map(({ isNew }) => isNew)).toEqual([false, true]);
    expect(drafts.map(({ repeats }) => repeats)).toEqual([undefined, undefined, 1]);
    expect(drafts[0]?.found).toEqual([
      { key: 'attempt', value: '1' },
      { key: 'missing', value: 'rollback' },
    ]);
  });

  it('RU14: what is traced before each ask says nothing about its answer', () => {
    const items = [
      item('trace', { request: '{"attempt":1}' }),
      item('ask', { response: 'a' }),
      item('trace', { request: '{"attempt":2}' }),
      item('ask', { response: 'b' }),
    ];
    expect(runDrafts({ items }, {}).map(({ found }) => found)).toEqual([[], []]);
  });

  it('RU15: the draft that is being written is the last one, with the text so far', () => {
    const drafts = runDrafts({ items: [item('ask', { response: 'one' })] }, {}, { text: 'tw' });
    expect(drafts.map(({ number, state, text }) => [number, state, text])).toEqual([
      [1, 'done', 'one'],
      [2, 'writing', 'tw'],
    ]);
    expect(runDrafts({ items: [] }, {}, { text: '' })[0]?.repeats).toBeUndefined();
  });
});
