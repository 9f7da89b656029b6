import { describe, expect, it } from 'vitest';
import { keyId } from '../../provider/keys.ts';
import { readRecording } from './read-recording.ts';

const BODY = { model: 'claude-haiku-4-5', max_tokens: 5, system: 'S', messages: [{ role: 'user', content: 'Hi' }] };
const RAW = { input_tokens: 20, cache_creation_input_tokens: 300, cache_read_input_tokens: 4000, output_tokens: 7 };
const line = (more: object = {}) => ({
  provider: 'anthropic',
  model: 'claude-haiku-4-5',
  body: JSON.stringify(BODY),
  started_at: 1000,
  usage: RAW,
  ...more,
});
const read = (...lines: unknown[]) => readRecording(lines.map((value) => JSON.stringify(value)).join('\n'));
const one = (more: object = {}) => read(line(more)).calls[0];

describe('lines', () => {
  it('REC1: a line is a call', () => {
    expect(one({ first_byte_at: 1500, ended_at: 2000, key_id: 'abc' })).toMatchObject({
      provider: 'anthropic',
      wire: 'anthropic-messages',
      model: 'claude-haiku-4-5',
      body: JSON.stringify(BODY),
      startedAt: 1000,
      firstByteAt: 1500,
      endedAt: 2000,
      keyId: 'abc',
      usage: { uncached: 20, read: 4000, writes: { unknown: 300 }, output: 7, cacheReported: true },
    });
  });

  it('REC1: only body and started_at are needed, and other keys are ignored', () => {
    const { calls, faults } = read({
      body: BODY,
      started_at: '2026-11-15T10:00:00Z',
      api_key: 'sk-ant-secret-123456',
      colour: 'red',
    });
    expect(faults).toEqual([]);
    expect(calls[0]).toMatchObject({
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      startedAt: Date.UTC(2026, 10, 15, 10),
    });
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  it('REC2: a body as an object is written again, and that is noted', () => {
    const call = one({ body: BODY });
    expect(call?.body).toBe(JSON.stringify(BODY));
    expect(call?.notes?.[0]).toContain('has this body as an object');
    expect(one()?.notes).toBeUndefined();
  });

  it.each([
    ['seconds', 1_794_736_800, 1_794_736_800_000],
    ['seconds with parts, as text', '1794736800.25', 1_794_736_800_250],
    ['microseconds', 1_794_736_800_000_000, 1_794_736_800_000],
    ['nanoseconds', 1_794_736_800_000_000_000, 1_794_736_800_000],
    ['milliseconds', 1_794_736_800_000, 1_794_736_800_000],
  ])('REC3: a number of today in %s is known by its size', (_, time, expected) => {
    expect(one({ started_at: time })?.startedAt).toBe(expected);
  });

  it.each([
    ['ISO', '1970-01-01T00:00:05Z'],
    ['milliseconds', 5000],
    ['milliseconds as text', '5000'],
  ])('REC3: times are %s', (_, time) => {
    expect(one({ started_at: time })?.startedAt).toBe(5000);
  });

  it('REC4: bad lines are reported with their number and do not stop the others', () => {
    const text = [
      'not json',
      JSON.stringify(line()),
      '',
      '{"started_at":1}',
      JSON.stringify(line({ started_at: 'soon' })),
      '[1]',
      JSON.stringify(line({ body: 'x' })),
    ].join('\r\n');
    const { calls, faults } = readRecording(text);
    expect(calls).toHaveLength(1);
    expect(calls.map(({ source }) => source?.line)).toEqual([2]);
    expect(faults.map((fault) => fault.line)).toEqual([1, 4, 5, 6, 7]);
    expect(faults[1]?.message).toContain('body');
    expect(faults[2]?.message).toContain('ISO date');
    expect(readRecording(' \n').faults).toHaveLength(1);
    expect(readRecording(`\n\r\n ${JSON.stringify(line())}\n`).calls.map(({ source }) => source?.line)).toEqual([3]);
    expect(readRecording('\n{"started_at":1}').faults[0]?.line).toBe(2);
  });

  it.each([
    ['openai', { input: 'x' }, 'openai-responses'],
    ['openai', { messages: [] }, 'openai-chat'],
    ['openrouter', { messages: [] }, 'openai-chat'],
    ['openrouter', { messages: [], system: 'x' }, 'anthropic-messages'],
    ['compatible', { messages: [] }, 'openai-chat'],
    ['simulator', { messages: [], model: 'claude-haiku-4-5' }, 'anthropic-messages'],
    ['simulator', { input: [], model: 'gpt-6-sol' }, 'openai-responses'],
    ['simulator', { messages: [{ role: 'tool' }], model: 'gpt-6-sol' }, 'openai-chat'],
    ['anthropic', { messages: [] }, 'anthropic-messages'],
  ])('REC5: the wire of %s with %o is %s', (provider, body, wire) => {
    expect(one({ provider, body: { model: 'm', ...body } })?.wire).toBe(wire);
  });

  it.each([
    [
      'anthropic',
      { ...RAW, cache_creation: { ephemeral_1h_input_tokens: 300 } },
      { uncached: 20, read: 4000, writes: { '1h': 300 } },
    ],
    [
      'openai',
      { input_tokens: 100, output_tokens: 1, input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } },
      { uncached: 10, read: 60, writes: { unknown: 30 } },
    ],
    [
      'openrouter',
      { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 60 }, cost: 0.5 },
      { uncached: 40, read: 60, charged: 0.5 },
    ],
    ['openrouter', RAW, { uncached: 20, read: 4000 }],
    [
      'simulator',
      { uncached: 1, read: 2, writes: { '5m': 3 }, output: 4 },
      { uncached: 1, read: 2, writes: { '5m': 3 } },
    ],
  ])('REC6: usage of %s in the form %o', (provider, usage, expected) => {
    expect(one({ provider, usage })?.usage).toMatchObject(expected);
  });

  it('REC6: the speed that served is in usage, on the line or in the response', () => {
    const usage = { ...RAW, speed: 'fast' };
    expect(one({ usage })?.response?.speed).toBe('fast');
    expect(one({ usage: undefined, response: { id: 'm', usage } })?.response?.speed).toBe('fast');
  });

  it('REC6: usage that cannot be read is said to be; what is not a number does not count', () => {
    expect(one({ usage: 'a lot' })?.notes).toEqual([expect.stringContaining('can’t read')]);
    expect(one({ usage: RAW })?.notes).toBeUndefined();
    expect(one({ usage: null })?.notes).toBeUndefined();
    expect(
      one({ usage: { uncached: 20, read: 4000, writes: { '5m': 7, '1h': 'many', unknown: -3 }, output: 7 } })?.usage
        ?.writes,
    ).toEqual({ '5m': 7 });
    expect(one({ usage: { uncached: -1, read: -7, writes: {}, output: 7, charged: -2 } })?.usage).toEqual({
      uncached: 0,
      read: 0,
      writes: {},
      output: 7,
      cacheReported: true,
      partial: false,
    });
  });

  it('REC6: no usage is not a usage; counters that are missing are not reported', () => {
    expect(one({ usage: null })?.usage).toBeUndefined();
    expect(one({ usage: { input_tokens: 5, output_tokens: 1 } })?.usage).toMatchObject({ cacheReported: false });
    expect(
      one({ usage: { input_tokens: 5, cache_read_input_tokens: null, output_tokens: 1 } })?.usage?.cacheReported,
    ).toBe(false);
  });

  it.each([
    [
      { cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 9 } },
      { state: 'miss', reason: 'tools_changed', missedTokens: 9 },
    ],
    [{ cache_miss_reason: null }, { state: 'pending' }],
    [{ cache_miss_reason: { type: 'previous_message_not_found' } }, { state: 'not_found' }],
    [{ cache_miss_reason: { type: 'unavailable' } }, { state: 'unavailable' }],
    [null, { state: 'none' }],
    [
      { type: 'cache_miss', reason: 'input_changed', cache_missed_tokens: 4 },
      { state: 'miss', reason: 'input_changed', missedTokens: 4 },
    ],
    [{ type: 'cache_hit' }, { state: 'hit' }],
    [{ type: 'comparison_response_not_found' }, { state: 'not_found' }],
    [{ diagnostics: { cache_miss_reason: { type: 'model_changed' } } }, { state: 'miss', reason: 'model_changed' }],
    [{ prompt_cache_diagnostics: { type: 'cache_hit' } }, { state: 'hit' }],
    [
      { state: 'miss', reason: 'system_changed' },
      { state: 'miss', reason: 'system_changed' },
    ],
  ])('REC7: diagnostics %o', (diagnostics, expected) => {
    expect(one({ diagnostics })?.diagnosis).toMatchObject(expected);
  });

  it('REC7: diagnostics beside or inside the response, and nonsense', () => {
    expect(one({ prompt_cache_diagnostics: { type: 'cache_hit' } })?.diagnosis?.state).toBe('hit');
    expect(one({ response: { diagnostics: { cache_miss_reason: null } } })?.diagnosis?.state).toBe('pending');
    expect(one({ diagnostics: 'x' })?.diagnosis).toBeUndefined();
    expect(one()?.diagnosis).toBeUndefined();
  });

  it('REC8: the response gives id, model, content, provider, and usage where the line has none', () => {
    const call = one({
      usage: undefined,
      response: {
        id: 'msg_1',
        model: 'claude-haiku-4-5-20251001',
        content: [{ type: 'text', text: 'x' }],
        usage: { ...RAW, speed: 'fast' },
        provider: 'Google',
      },
    });
    expect(call?.response).toEqual({
      id: 'msg_1',
      model: 'claude-haiku-4-5-20251001',
      content: [{ type: 'text', text: 'x' }],
      upstream: 'Google',
      speed: 'fast',
    });
    expect(call?.usage?.read).toBe(4000);
  });

  it.each([
    [{ response: { type: 'error', error: { type: 'overloaded_error' } } }],
    [{ status: 529 }],
    [{ error: { message: 'x' } }],
    [{ response: { status: 500, body: '' } }],
    [{ error: 'HTTP 500' }],
    [{ response: { error: 'model not found' } }],
  ])('REC9: %o is a failed call', (more) => {
    expect(one(more)?.failed).toBe(true);
  });

  const REFUSED = { code: 502, message: 'x' };
  it.each([
    ['openai-responses', [{ type: 'error', code: 'server_error', message: 'x' }], true],
    [
      'openai-responses',
      [
        { type: 'response.created', response: { id: 'r' } },
        { type: 'error', message: 'x' },
      ],
      true,
    ],
    [
      'openai-responses',
      [
        { type: 'response.output_text.delta', delta: 'a' },
        { type: 'error', message: 'x' },
      ],
      undefined,
    ],
    ['openai-chat', [{ error: REFUSED }], true],
    [
      'openai-chat',
      [{ id: 'c', error: REFUSED, choices: [{ delta: { role: 'assistant', content: '' }, finish_reason: 'error' }] }],
      true,
    ],
    [
      'openai-chat',
      [
        { id: 'c', choices: [{ delta: { content: 'a' } }] },
        { id: 'c', error: REFUSED, choices: [] },
      ],
      undefined,
    ],
    ['openai-chat', [{ id: 'c', error: null, choices: [{ delta: { content: 'a' } }] }], undefined],
  ])('REC9: a stream that says nothing but an error is a failed call: %s %j', (wire, events, failed) => {
    expect(one({ wire, response: sse(events) })?.failed).toBe(failed);
  });

  it('REC9: an error that is none is not a failure', () => {
    for (const error of [null, '', false]) expect(one({ error })?.failed).toBeUndefined();
  });

  it('REC8: a stream inside {status, headers, body}', () => {
    const body = sse([{ type: 'message_start', message: { id: 'msg_1', usage: RAW } }, { type: 'message_stop' }]);
    const wrapped = { status: 200, headers: { 'anthropic-workspace-id': 'w' }, body };
    expect(one({ usage: undefined, response: wrapped })).toMatchObject({
      usage: { read: 4000, partial: false },
      response: { id: 'msg_1', workspaceId: 'w' },
    });
    expect(one({ response: { ...wrapped, status: 500 } })?.failed).toBe(true);
    const words = one({ response: { status: 200, body: 'Hello' } });
    expect([words?.failed, words?.usage?.partial]).toEqual([undefined, false]);
  });

  it('REC10: a key in full is kept as its fingerprint', () => {
    expect(one({ key_id: 'sk-ant-api03-abcdefghij' })?.keyId).toBe(keyId('sk-ant-api03-abcdefghij'));
  });

  it('REC11: an array and a single object are recordings too', () => {
    expect(readRecording(JSON.stringify([line(), line()], undefined, 2)).calls).toHaveLength(2);
    expect(readRecording(JSON.stringify(line(), undefined, 2)).calls).toHaveLength(1);
  });
});

const sse = (events: readonly object[], end = '') =>
  `${events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join('')}${end}`;

const entry = (url: string, body: unknown, content: object, more: object = {}) => ({
  startedDateTime: '2026-11-15T10:00:00.000Z',
  time: 900,
  request: {
    method: 'POST',
    url,
    headers: [
      { name: 'X-Api-Key', value: 'sk-ant-very-secret-key' },
      { name: 'Anthropic-Beta', value: 'a-1, b-2' },
    ],
    postData: { text: JSON.stringify(body) },
  },
  response: { status: 200, headers: [{ name: 'anthropic-workspace-id', value: 'wrk_1' }], content },
  timings: { blocked: 5, dns: -1, connect: 20, ssl: 15, send: 5, wait: 170, receive: 700 },
  ...more,
});
const har = (...entries: object[]) => readRecording(JSON.stringify({ log: { entries } }), 'a.har');

describe('HAR', () => {
  const stream = sse([
    {
      type: 'message_start',
      message: {
        id: 'msg_9',
        model: 'claude-haiku-4-5',
        usage: { ...RAW, output_tokens: 1 },
        diagnostics: { cache_miss_reason: { type: 'system_changed' } },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'n', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '1}' } },
    { type: 'message_delta', delta: {}, usage: { output_tokens: 33 } },
    { type: 'message_stop' },
  ]);

  it('REC20: a stream of Anthropic: usage, diagnosis, content, times', () => {
    const { calls, faults } = har(entry('https://api.anthropic.com/v1/messages?beta=true', BODY, { text: stream }));
    expect(faults).toEqual([]);
    expect(calls[0]).toMatchObject({
      provider: 'anthropic',
      wire: 'anthropic-messages',
      startedAt: Date.UTC(2026, 10, 15, 10),
      firstByteAt: Date.UTC(2026, 10, 15, 10) + 200,
      endedAt: Date.UTC(2026, 10, 15, 10) + 900,
      usage: { read: 4000, output: 33, partial: false },
      diagnosis: { state: 'miss', reason: 'system_changed' },
      betas: ['a-1', 'b-2'],
      response: {
        id: 'msg_9',
        workspaceId: 'wrk_1',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'sig' },
          { type: 'tool_use', id: 't', name: 'n', input: { a: 1 } },
        ],
      },
    });
  });

  it('REC21: of a key only the fingerprint is kept', () => {
    const { calls } = har(entry('https://api.anthropic.com/v1/messages', BODY, { text: stream }));
    expect(calls[0]?.keyId).toBe(keyId('sk-ant-very-secret-key'));
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  it('REC22: base64, a stream that breaks off, an answer that failed', () => {
    const encoded = Buffer.from(stream).toString('base64');
    expect(
      har(entry('https://api.anthropic.com/v1/messages', BODY, { text: encoded, encoding: 'base64' })).calls[0]?.usage
        ?.read,
    ).toBe(4000);
    const asked = entry('https://api.anthropic.com/v1/messages/', BODY, { text: stream });
    const postData = { text: Buffer.from(JSON.stringify(BODY)).toString('base64'), encoding: 'base64' };
    expect(har({ ...asked, request: { ...asked.request, postData } }).calls[0]?.body).toBe(JSON.stringify(BODY));
    const cut = stream.slice(0, stream.indexOf('message_delta') - 30);
    expect(har(entry('https://api.anthropic.com/v1/messages', BODY, { text: cut })).calls[0]?.usage).toMatchObject({
      read: 4000,
      partial: true,
    });
    const failed = entry('https://api.anthropic.com/v1/messages', BODY, {
      text: '{"type":"error","error":{"type":"overloaded_error"}}',
    });
    expect(har({ ...failed, response: { ...failed.response, status: 529 } }).calls[0]?.failed).toBe(true);
  });

  it('REC23: OpenAI and a router, streamed', () => {
    const responses = sse([
      { type: 'response.created', response: { id: 'r' } },
      {
        type: 'response.completed',
        response: {
          id: 'r',
          usage: { input_tokens: 10, output_tokens: 1, input_tokens_details: { cached_tokens: 4 } },
          prompt_cache_diagnostics: { type: 'cache_hit' },
        },
      },
    ]);
    const body = { model: 'gpt-6-sol', input: 'x' };
    expect(har(entry('https://api.openai.com/v1/responses', body, { text: responses })).calls[0]).toMatchObject({
      provider: 'openai',
      wire: 'openai-responses',
      usage: { read: 4, uncached: 6 },
      diagnosis: { state: 'hit' },
    });
    const chunks = sse(
      [
        { id: 'c', provider: 'Anthropic', choices: [{ delta: { content: 'a' } }] },
        {
          id: 'c',
          choices: [],
          usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 3 } },
        },
      ],
      'data: [DONE]\n\n',
    );
    const chat = { model: 'anthropic/claude-sonnet-5-5', messages: [] };
    expect(har(entry('https://openrouter.ai/api/v1/chat/completions', chat, { text: chunks })).calls[0]).toMatchObject({
      provider: 'openrouter',
      wire: 'openai-chat',
      usage: { read: 3, partial: false },
      response: { upstream: 'Anthropic' },
    });
    expect(har(entry('http://localhost:11434/v1/chat/completions', chat, { text: chunks })).calls[0]?.provider).toBe(
      'compatible',
    );
  });

  it('REC24: other traffic is skipped; an entry without a body is reported', () => {
    const { calls, faults } = har(
      entry('https://example.com/page', {}, {}),
      entry('https://api.anthropic.com/v1/messages/count_tokens', BODY, {}),
      {
        ...entry('https://api.anthropic.com/v1/messages', BODY, {}),
        request: { method: 'POST', url: 'https://api.anthropic.com/v1/messages', headers: [] },
      },
      entry('https://api.anthropic.com/v1/messages', BODY, { text: stream }),
      { nonsense: true },
    );
    expect(calls).toHaveLength(1);
    expect(faults.map((fault) => fault.line)).toEqual([3, 5]);
    const chat = 'https://example.com/api/channels/1/messages';
    const others = har(
      entry(chat, { content: 'hi' }, {}),
      { ...entry(chat, {}, {}), startedDateTime: 'soon' },
      {
        ...entry(chat, {}, {}),
        request: { method: 'POST', url: 'https://example.com/form/12/responses', postData: {} },
      },
      entry('https://api.openai.com/v1/responses', { input: 'x' }, {}),
    );
    expect(others.calls).toEqual([]);
    expect(others.faults.map((fault) => fault.line)).toEqual([4]);
    expect(readRecording('{"log":{}}', 'x.har').faults[0]?.message).toContain('log.entries');
  });
});
