import { describe, expect, it } from 'vitest';
import { err, ok } from '../../base/result.ts';
import type { ProviderError } from '../provider/types.ts';
import { readEvalQueries, runRouting, type Pick } from './routing-run.ts';

const network: ProviderError = {
  class: 'network',
  code: 'offline',
  message: 'no network',
  nextStep: '',
  retryable: true,
};
const signal = new AbortController().signal;

describe('routing assertions', () => {
  it('RO1: the queries of a skill', () => {
    expect(
      readEvalQueries(
        '[{"query":"read my pdf","should_trigger":true},{"query":"hello","should_trigger":false}]',
        'pdf',
      ),
    ).toEqual({
      ok: true,
      value: [
        { question: 'read my pdf', target: 'pdf', shouldPick: true },
        { question: 'hello', target: 'pdf', shouldPick: false },
      ],
    });
    expect(readEvalQueries('{}', 'pdf')).toMatchObject({ ok: false });
    expect(readEvalQueries('[', 'pdf')).toMatchObject({ ok: false });
  });

  it('RO2: n repeats, rates, a matrix', async () => {
    let call = 0;
    const pick: Pick = (question) =>
      Promise.resolve(ok(question === 'hello' ? undefined : ++call % 10 === 0 ? 'set_events' : 'read_events'));
    const matrix = await runRouting(
      [
        { question: 'my appointments', target: 'read_events', shouldPick: true },
        { question: 'hello', target: 'read_events', shouldPick: false },
        { question: 'plan it', target: 'set_events', shouldPick: true },
      ],
      pick,
      { repeats: 10, signal },
    );
    expect(matrix.rows.map(({ cell }) => [cell.rate, cell.status])).toEqual([
      [0.9, 'passed'],
      [1, 'passed'],
      [0.1, 'failed'],
    ]);
    expect(matrix.columns).toEqual(['read_events', 'set_events', '—']);
    expect(matrix.passed).toBe(2);
    expect(matrix.rows[0]?.cell.picks).toEqual([
      { name: 'read_events', count: 9 },
      { name: 'set_events', count: 1 },
    ]);
  });

  it('RO3: a call that fails is an error, and the others continue', async () => {
    const pick: Pick = (question) => Promise.resolve(question === 'bad' ? err(network) : ok('a'));
    const matrix = await runRouting(
      [
        { question: 'bad', target: 'a', shouldPick: true },
        { question: 'good', target: 'a', shouldPick: true },
      ],
      pick,
      { repeats: 2, signal },
    );
    expect(matrix.rows.map(({ cell }) => [cell.status, cell.errors])).toEqual([
      ['error', 2],
      ['passed', 0],
    ]);
  });
});
