import { describe, expect, it } from 'vitest';
import type { CallResult } from '../../provider/types.ts';
import { proposalRequest, readProposal, withQueries } from './propose-with-model.ts';
import { proposeSuite } from './propose.ts';
import { readSuite } from './read-suite.ts';
import { writeTriggers } from './triggers-file.ts';

const LIBRARY = [
  { name: 'pdf-merge', description: 'Merges PDF files. Use when several PDF files should become one.' },
  { name: 'pdf-ocr', description: `Reads scans. ${'Long. '.repeat(1000)}` },
  { name: 'weather', description: 'Tells the forecast.' },
];
const answerOf = (text: string): CallResult => ({
  ok: true,
  attempts: 1,
  startedAt: 0,
  endedAt: 0,
  stopReason: 'end_turn',
  content: [{ type: 'text', text }],
});
const read = (items: unknown) => readProposal(answerOf(JSON.stringify(items)), LIBRARY, 'pdf-merge');

describe('queries that a model writes', () => {
  it('EVQ7: the request has the target and its neighbors, each cut to a length', () => {
    const request = proposalRequest(LIBRARY, 'pdf-merge', 'some-model');
    const text = JSON.stringify(request?.messages);
    expect(request).toMatchObject({ model: 'some-model', tools: [] });
    for (const { name } of LIBRARY) expect(text).toContain(name);
    expect(text.length).toBeLessThan(6000);
    expect(proposalRequest(LIBRARY, 'other', 'some-model')).toBeUndefined();
  });

  it('EVQ7: an answer is checked item by item', () => {
    const found = read([
      { query: ' put my scans together ', kind: 'should', expect: 'weather' },
      { query: 'read this scan', kind: 'near-miss', expect: 'pdf-ocr' },
      { query: 'sing a song', kind: 'should-not', expect: null },
      { query: 'use what is not there', kind: 'near-miss', expect: 'rm-rf' },
      { query: 'both', kind: 'near-miss', expect: 'pdf-merge' },
      { query: 'read this scan', kind: 'near-miss', expect: 'pdf-ocr' },
      { query: '', kind: 'should' },
      { query: 'x'.repeat(1001), kind: 'should' },
      { query: 'odd', kind: 'explicit' },
      7,
      null,
    ]);
    expect(found.ok && found.value.map(({ query, expect: wanted, forbid }) => [query, wanted, forbid])).toEqual([
      ['put my scans together', ['pdf-merge'], []],
      ['read this scan', ['pdf-ocr'], ['pdf-merge']],
      ['sing a song', undefined, ['pdf-merge']],
      ['use what is not there', undefined, ['pdf-merge']],
      ['both', undefined, ['pdf-merge']],
    ]);
    const many = read(Array.from({ length: 500 }, (_, index) => ({ query: `ask ${index}`, kind: 'should' })));
    expect(many.ok && many.value.length).toBe(40);
  });

  it('EVQ7: words around the list do not matter; no list is an error that says what to do', () => {
    const around = readProposal(
      answerOf('Here you are:\n```json\n[{"query":"join","kind":"should"}]\n```'),
      LIBRARY,
      'pdf-merge',
    );
    expect(around.ok && around.value.length).toBe(1);
    for (const text of ['', 'I cannot.', '[', '[]', '{"query":"a"}', '][', '[1,2]'])
      expect(readProposal(answerOf(text), LIBRARY, 'pdf-merge')).toMatchObject({
        ok: false,
        error: expect.stringContaining('Try again') as string,
      });
  });

  it('EVQ7: come before those from the descriptions, and are read again', () => {
    const suite = proposeSuite(LIBRARY, 'pdf-merge');
    const more = read([{ query: 'put my scans together', kind: 'should' }]);
    if (!suite || !more.ok) throw new Error('nothing proposed');
    const whole = withQueries(suite, [...more.value, ...suite.queries]);
    expect(whole.queries).toHaveLength(suite.queries.length + 1);
    expect(whole.queries[0]?.tags).toEqual(['by-model']);
    const again = readSuite(writeTriggers(whole));
    expect(again.ok && again.value.suite.queries.map(({ id }) => id)).toEqual(whole.queries.map(({ id }) => id));
  });
});
