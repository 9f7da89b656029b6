import { describe, expect, it } from 'vitest';
import { explainCalls } from '../explainer.ts';
import { createRecordingReader } from '../recording/read-recording.ts';
import { joinSources, type SourceFile } from '../recording/sources.ts';

const read = (file: string, value: unknown, modifiedAt?: number): SourceFile => {
  const reader = createRecordingReader(file);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  for (const line of text.split('\n')) reader.add(line);
  return { file, ...(modifiedAt !== undefined && { modifiedAt }), ...reader.end() };
};

const user = (text: string, more: object = {}) => ({ role: 'user', content: [{ type: 'text', text, ...more }] });
const said = (text: string, more: object = {}) => ({ role: 'assistant', content: [{ type: 'text', text, ...more }] });
const request = (session: string, ...messages: readonly object[]) => ({
  model: 'claude-haiku-4-5',
  max_tokens: 100,
  messages,
  metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: session }) },
  betas: ['a-2025', 'b-2025'],
});
const answer = (id: string, text: string, readTokens: number) => ({
  id,
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text }],
  usage: { input_tokens: 3, output_tokens: 2, cache_read_input_tokens: readTokens, cache_creation_input_tokens: 9 },
});
const entry = (id: string, requestFile: string, more: object = {}) => ({
  timestamp: '2026-11-18T17:30:26.803Z',
  session_id: 's',
  query_source: 'sdk',
  model: 'claude-haiku-4-5',
  request_id: `req_${id}`,
  message_id: id,
  request_file: requestFile,
  response_file: `req_${id}.response.json`,
  ...more,
});
const usageOf = (files: readonly SourceFile[]) =>
  joinSources(files).calls.map(({ source, usage }) => [source?.file, usage?.read]);

describe('raw bodies of Claude Code', () => {
  it('RB1, RB2: the list joins requests and answers, and betas are not part of the body', () => {
    const { calls, faults } = joinSources([
      read('d/1.request.json', request('s', user('a'))),
      read('d/2.request.json', request('s', user('b'))),
      read('d/req_m2.response.json', answer('m2', 'B', 20)),
      read('d/req_m1.response.json', answer('m1', 'A', 10)),
      read(
        'd/index.jsonl',
        [entry('m1', '1.request.json'), entry('m2', '2.request.json')].map((line) => JSON.stringify(line)).join('\n'),
      ),
    ]);
    expect(faults).toEqual([]);
    expect(calls.map(({ id, usage }) => [id, usage?.read])).toEqual([
      ['m1', 10],
      ['m2', 20],
    ]);
    expect(calls[0]?.betas).toEqual(['a-2025', 'b-2025']);
    expect(JSON.parse(calls[0]?.body ?? '')).not.toHaveProperty('betas');
    expect(calls[0]?.sessionId).toBe('s');
  });

  it('RB2: without a list, the request is the one that comes before the answer in a later request', () => {
    const first = request('s', user('a'));
    const second = request('s', user('a', { cache_control: { type: 'ephemeral' } }), said('A'), user('b'));
    const files = [
      read('d/2.request.json', second),
      read('d/1.request.json', first),
      read('d/x.response.json', answer('m1', 'A', 10)),
    ];
    expect(usageOf(files)).toEqual([
      ['d/2.request.json', undefined],
      ['d/1.request.json', 10],
    ]);
  });

  it('RB2: the same words in another session do not join', () => {
    const files = [
      read('d/1.request.json', request('one', user('a'))),
      read('d/2.request.json', request('two', user('a'), said('A'), user('b'))),
      read('d/x.response.json', answer('m1', 'A', 10)),
    ];
    expect(usageOf(files).map(([, tokens]) => tokens)).toEqual([undefined, undefined]);
    expect(joinSources(files).faults).toMatchObject([{ file: 'd/x.response.json', line: 1 }]);
  });

  it('RB2: last of all the times join, and that is noted', () => {
    const { calls } = joinSources([
      read('d/1.request.json', request('s', user('a')), 1000),
      read('d/x.response.json', answer('m1', 'A', 10), 2000),
      read('d/2.request.json', request('s', user('b')), 3000),
    ]);
    expect(calls.map(({ usage }) => usage?.read)).toEqual([10, undefined]);
    expect(calls[0]?.notes?.join(' ')).toContain('joined by their times');
    expect(calls[0]).toMatchObject({ startedAt: 1000, endedAt: 2000 });
  });

  it('RB3: an empty answer and no answer have no usage; a try that was repeated has failed', () => {
    const { calls } = joinSources([
      read('d/1.request.json', request('s', user('a')), 1000),
      read('d/2.request.json', request('s', user('a')), 2000),
      read('d/req_m1.response.json', answer('m1', 'A', 10), 2500),
      read('d/3.request.json', request('s', user('a'), said('A'), user('b')), 3000),
      read('d/req_m3.response.json', '', 3500),
      read('d/index.jsonl', JSON.stringify(entry('m3', '3.request.json'))),
    ]);
    expect(calls.map(({ usage, failed }) => [usage?.read, failed])).toEqual([
      [undefined, true],
      [10, undefined],
      [undefined, undefined],
    ]);
    expect(calls[2]?.notes?.join(' ')).toContain('empty');
    expect(explainCalls(calls).map(({ verdict }) => verdict.kind)).not.toContain('miss');
  });

  it('RB4, RB5: side calls, and what was withheld', () => {
    const { calls } = joinSources([
      read('d/1.request.json', request('s', user('title'))),
      read('d/2.request.json', { not_recorded: '<not recorded: extract_memories>' }),
      read(
        'd/index.jsonl',
        [
          entry('m1', '1.request.json', { query_source: 'generate_session_title' }),
          entry('m2', '2.request.json', { query_source: 'extract_memories' }),
        ]
          .map((line) => JSON.stringify(line))
          .join('\n'),
      ),
    ]);
    expect(calls.map(({ conversation, known }) => [conversation?.kind, known])).toEqual([
      ['side-call', undefined],
      ['side-call', 'absent'],
    ]);
    expect(explainCalls(calls)).toHaveLength(2);
  });

  it('RB6: a transcript gives the usage that an empty answer lacks', () => {
    const line = (more: object) =>
      JSON.stringify({
        parentUuid: null,
        isSidechain: false,
        sessionId: 's',
        uuid: 'u',
        timestamp: '2026-11-18T17:30:26.803Z',
        ...more,
      });
    const transcript = [
      line({ type: 'user', message: user('a') }),
      line({ type: 'assistant', message: answer('m1', 'A', 10) }),
    ].join('\n');
    const { calls } = joinSources([
      read('p/s.jsonl', transcript),
      read('d/1.request.json', request('s', user('a'))),
      read('d/req_m1.response.json', ''),
      read('d/index.jsonl', JSON.stringify(entry('m1', '1.request.json'))),
    ]);
    expect(calls.map(({ source, usage }) => [source?.file, usage?.read])).toEqual([['d/1.request.json', 10]]);
  });

  it('RB2: answers without words join in the order of their times, also one that was finished before its request', () => {
    const { calls } = joinSources([
      read('d/lost.request.json', request('other', user('z')), 1000),
      read('d/1.request.json', request('s', user('a')), 60_000),
      read('d/2.request.json', request('s', user('a'), said('A'), user('b')), 120_064),
      read('d/req_b.response.json', '', 120_000),
      read('d/req_c.response.json', '', 60_900),
    ]);
    expect(calls.map(({ requestId }) => requestId)).toEqual([undefined, 'req_c', 'req_b']);
  });

  it('RB6: an empty answer outside of the list is found in the transcript by the id of its request', () => {
    const line = (more: object) =>
      JSON.stringify({
        parentUuid: null,
        isSidechain: false,
        sessionId: 's',
        uuid: 'u',
        timestamp: '2026-11-18T17:30:26.803Z',
        ...more,
      });
    const { calls } = joinSources([
      read(
        'p/s.jsonl',
        [
          line({ type: 'user', message: user('a') }),
          line({ type: 'assistant', requestId: 'req_x', message: answer('m1', 'A', 10) }),
        ].join('\n'),
      ),
      read('d/1.request.json', request('s', user('a')), 1000),
      read('d/req_x.response.json', '', 2000),
    ]);
    expect(calls.map(({ source, id, usage }) => [source?.file, id, usage?.read])).toEqual([
      ['d/1.request.json', 'm1', 10],
    ]);
  });
});
