import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { fromMessage } from './read-stream.ts';
import { read } from './testing/read.ts';

describe('the chat reader', () => {
  const chat = (deltas: readonly Json[], reason: string | null = 'stop') =>
    read('openai-chat', [
      ...deltas.map((delta) => ({ choices: [{ delta, finish_reason: null }] })),
      { choices: [{ delta: {}, finish_reason: reason }] },
    ]);
  const call = (more: Json): Json => ({ tool_calls: [more] });

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['function_call', 'tool_use'],
    ['new', 'other'],
  ])('PV45: %s is %s', (reason, expected) => {
    expect(chat([{ content: 'x' }], reason).stopReason).toBe(expected);
  });

  it('PV45, PV50: calls without index and id, with an object for arguments, and a stop', () => {
    expect(chat([call({ function: { name: 'x', arguments: { a: 1 } } })])).toMatchObject({
      content: [{ type: 'tool_use', id: 'call_0', name: 'x', input: { a: 1 } }],
      stopReason: 'tool_use',
    });
    expect(
      chat([
        call({ index: 0, id: 'a', function: { name: 'x', arguments: '{}' } }),
        call({ index: 0, id: 'b', function: { name: 'y', arguments: '{}' } }),
      ]).content,
    ).toMatchObject([
      { id: 'a', name: 'x' },
      { id: 'b', name: 'y' },
    ]);
    expect(chat([call({ index: 0, function: { arguments: '{' } })]).fault).toBe('a tool is called without a name');
  });

  const chunks = (id: string | null, ...calls: readonly Json[]) =>
    read('openai-chat', [
      ...calls.map((one) => ({ id, choices: [{ delta: call(one) }] })),
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    ]);

  it('PV50: an id that is made up is of its response', () => {
    const one = { function: { name: 'x', arguments: '{}' } };
    expect(chunks('chatcmpl-1', one).content).toMatchObject([{ id: 'call_chatcmpl-1_0' }]);
    expect(chunks('cmpl:2/b', one).content).toMatchObject([{ id: 'call_cmpl_2_b_0' }]);
    expect(chunks('r'.repeat(90), one).content).toMatchObject([{ id: `call_${'r'.repeat(40)}_0` }]);
  });

  it('PV50: the name and the id of a call may come late', () => {
    const named = chunks(
      null,
      { index: 0, id: 'c1', function: { arguments: '{"a"' } },
      { index: 0, function: { name: 'x' } },
      { index: 0, function: { arguments: ':1}' } },
    );
    expect(named.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'x', input: { a: 1 } }]);
    expect(named.fault).toBeUndefined();
    const late = chunks(
      null,
      { index: 0, function: { name: 'x', arguments: '{' } },
      { index: 0, id: 'c1', function: { arguments: '}' } },
    );
    expect(late.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'x', input: {} }]);
    expect(late.told.at(-1)).toMatchObject({ type: 'block_stop', block: { id: 'c1' } });
    const nameless = chunks(null, { index: 0, id: 'c1' }, { index: 0, id: 'c2', function: { name: 'x' } });
    expect(nameless).toMatchObject({ content: [{ id: 'c2' }], fault: 'a tool is called without a name' });
  });

  it('PV50: without ids a name behind whole arguments is another call, the same name before their end is not', () => {
    const apart = chunks(
      'r',
      { index: 0, id: '', function: { name: 'x', arguments: '{"a":1}' } },
      { index: 0, id: '', function: { name: 'x', arguments: '{"a":2}' } },
      { index: 0, id: '', function: { name: 'y', arguments: '{}' } },
    );
    expect(apart.content).toEqual([
      { type: 'tool_use', id: 'call_r_0', name: 'x', input: { a: 1 } },
      { type: 'tool_use', id: 'call_r_1', name: 'x', input: { a: 2 } },
      { type: 'tool_use', id: 'call_r_2', name: 'y', input: {} },
    ]);
    const repeated = chunks(
      'r',
      { index: 0, id: 'c', function: { name: 'x', arguments: '{"a"' } },
      { index: 0, id: 'c', function: { name: 'x', arguments: ':1}' } },
      { index: 1, function: { name: 'y', arguments: '{"b"' } },
      { index: 1, function: { name: 'y', arguments: ':2}' } },
      { index: 1, function: { name: 'y', arguments: '' } },
    );
    expect(repeated.content).toMatchObject([{ input: { a: 1 } }, { input: { b: 2 } }]);
    expect(repeated.content).toHaveLength(2);
  });

  it.each(['reasoning', 'reasoning_content', 'thinking'])('PV44: thinking comes as %s and keeps that name', (key) => {
    expect(chat([{ [key]: 'H' }, { [key]: 'm' }, { content: 'x' }]).content[0]).toEqual({
      type: 'thinking',
      text: 'Hm',
      wire: 'openai-chat',
      raw: { [key]: 'Hm' },
    });
  });

  it('PV47: the status of an error inside a stream is kept', () => {
    expect(read('openai-chat', [{ error: { code: 502, message: 'Upstream' }, choices: [] }])).toMatchObject({
      error: { status: 502, message: 'Upstream' },
    });
    expect(read('openai-chat', [{ error: 'No' }]).error).toEqual({ message: 'No' });
  });

  it('PV47: an older vLLM sends its error without a shell', () => {
    const body = { object: 'error', message: 'maximum context length is 4096', type: 'BadRequestError', code: 400 };
    const error = { type: 'BadRequestError', status: 400, message: body.message };
    expect(read('openai-chat', [{ choices: [{ delta: { content: 'a' } }] }, body])).toMatchObject({
      content: [{ text: 'a' }],
      error,
      isComplete: false,
    });
    expect(fromMessage('openai-chat', body)).toMatchObject({ error, isComplete: false });
  });

  it('PV64: what a later count leaves out or gives as null stays', () => {
    const end = { choices: [{ delta: {}, finish_reason: 'stop' }] };
    const first = { prompt_tokens: 110, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 100 } };
    const usage = (...counts: readonly Json[]) =>
      read('openai-chat', [...counts.map((one) => ({ choices: [], usage: one })), end]).usage;
    const expected = { uncached: 10, read: 100, output: 5, cacheReported: true, partial: false };
    const later = { prompt_tokens: 110, completion_tokens: 5 };
    expect(usage(first, { ...later, prompt_tokens_details: null })).toMatchObject(expected);
    expect(usage(first, { ...later, prompt_tokens_details: { cached_tokens: null } })).toMatchObject(expected);
    expect(usage(first, later)).toMatchObject(expected);
    const timed = { choices: [], timings: { cache_n: 100, prompt_n: 10, predicted_n: 5 } };
    expect(read('openai-chat', [end, timed, { choices: [], usage: later }]).usage).toMatchObject(expected);
  });

  it('PV63: the timings of llama.cpp count as usage', () => {
    const last = {
      choices: [{ delta: {}, finish_reason: 'stop' }],
      timings: { cache_n: 90, prompt_n: 10, predicted_n: 5 },
    };
    expect(read('openai-chat', [last]).usage).toMatchObject({ uncached: 10, read: 90, output: 5, cacheReported: true });
  });
});
