import { describe, expect, it } from 'vitest';
import type { Pause } from '../starlark/messages.ts';
import { inlineValues, type LineRecord, runMoments, stepTo } from './run-moments.ts';
import type { RunItem, RunView } from './run-view.ts';

const START = 1_000;
const record = (at: number, line: number, values: Readonly<Record<string, string>> = {}): LineRecord => {
  const range = { line, column: 1, endLine: line, endColumn: 2 };
  const variables = Object.entries(values).map(([name, repr]) => ({
    name,
    repr,
    type: repr === '' ? 'unassigned' : 'string',
    scope: 'local' as const,
  }));
  const frames: Pause['frames'] = [{ name: 'run', range, variables }];
  return { at: START + at, line, frames };
};
const item = (id: string, kind: RunItem['kind'], at: number, line: number, durationMs?: number): RunItem => ({
  id,
  kind,
  label: id,
  line,
  at,
  durationMs,
  ok: true,
  request: '',
  response: '',
  notes: [],
});
const view = (items: readonly RunItem[], status?: string): RunView => ({
  id: 'r',
  name: 'loop',
  number: 1,
  turnId: 't',
  isDirect: true,
  startedAt: START,
  durationMs: status === undefined ? undefined : 90,
  status,
  items,
  asks: { used: 1, most: 5 },
  commands: { used: 0, most: 10 },
  notes: [],
  args: undefined,
  dropped: undefined,
  result: undefined,
});

describe('the moments of a run', () => {
  const records = [
    record(1, 2, { a: '' }),
    record(2, 3, { a: '"x"' }),
    record(50, 4, { a: '"x"', b: '1' }),
    record(50, 5, { a: '"x"', b: '1' }),
  ];
  const run = view([item('ask', 'ask', 2, 3, 47), item('note', 'trace', 50, 4)], 'accepted');

  it('RU10: lines, calls, and the end are in the order in which they happened, also within one millisecond', () => {
    expect(runMoments(run, records).map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      'line 2',
      'line 3',
      'ask 3',
      'line 4',
      'trace 4',
      'line 5',
      'end 5',
    ]);
  });

  it('RU10: each has the locals that were recorded last; nothing is made up where none exist', () => {
    const moments = runMoments(run, records);
    const values = (index: number) => moments[index]?.values?.map(({ name, repr }) => `${name}=${repr}`);
    expect(values(0)).toEqual([]);
    expect(values(2)).toEqual(['a="x"']);
    expect(values(6)).toEqual(['a="x"', 'b=1']);
    expect(runMoments(run, []).map(({ kind, values: known }) => [kind, known])).toEqual([
      ['ask', undefined],
      ['trace', undefined],
      ['end', undefined],
    ]);
  });

  it('RU10: a run that has not ended has no end', () => {
    expect(runMoments(view([]), [])).toEqual([]);
    expect(runMoments(view([item('ask', 'ask', 2, 3)]), []).at(-1)?.kind).toBe('ask');
  });

  it('RU11: a step goes to the next call, past lines, and stays inside the run', () => {
    const moments = runMoments(run, records);
    expect([stepTo(moments, 0, 1), stepTo(moments, 2, 1), stepTo(moments, 5, 1), stepTo(moments, 6, 1)]).toEqual([
      2, 4, 6, 6,
    ]);
    expect([stepTo(moments, 6, -1), stepTo(moments, 2, -1)]).toEqual([4, 0]);
  });

  it('RU12: values come after the lines that gave them, once the run has passed there', () => {
    const text = 'def run(input):\n  a = "x"\n  for b in [1]:\n    c, d = b, a == b\n    e["k"] += 1\n  return a\n';
    const all = { a: '"x"', b: '1', c: '1', d: 'False', e: '{}' };
    const moments = runMoments(
      view([], 'ok'),
      [2, 3, 4, 5, 6].map((line, index) => record(index, line, all)),
    );
    expect(inlineValues(text, moments, 0)).toEqual([]);
    expect(inlineValues(text, moments, 2)).toEqual([
      { line: 2, text: 'a "x"' },
      { line: 3, text: 'b 1' },
    ]);
    expect(inlineValues(text, moments, moments.length - 1)).toEqual([
      { line: 2, text: 'a "x"' },
      { line: 3, text: 'b 1' },
      { line: 4, text: 'c 1  d False' },
      { line: 5, text: 'e {}' },
    ]);
  });
});
