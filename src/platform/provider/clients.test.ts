import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../../base/json.ts';
import { collectLog } from '../../base/log.ts';
import {
  ANTHROPIC_BLOCKS,
  ANTHROPIC_MESSAGE,
  ANTHROPIC_STREAM,
  anthropicEnd,
  anthropicStart,
  CHAT_MESSAGE,
  CHAT_STREAM,
  named,
  RESPONSE,
  RESPONSES_STREAM,
  unnamed,
} from '../../model/provider/testing/streams.ts';
import { request } from '../../model/provider/testing/requests.ts';
import type { CallEvent, ProviderClient } from '../../model/provider/types.ts';
import { createAnthropicClient } from './anthropic.ts';
import { createChatClient } from './chat.ts';
import { createOpenAiClient } from './openai.ts';
import type { ClientSettings } from './run-call.ts';
import { anthropic, recorded } from './testing/recorded.ts';
import { broken, endless, fakeFetch, json, KEY, refusal, settings, sse, type Answer } from './testing/fake-fetch.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const PROVIDERS: readonly [
  name: string,
  make: (given: ClientSettings) => ProviderClient,
  model: string,
  stream: string,
  whole: Json,
][] = [
  ['Anthropic', createAnthropicClient, 'claude-haiku-4-5', named(ANTHROPIC_STREAM), ANTHROPIC_MESSAGE],
  ['OpenAI', createOpenAiClient, 'gpt-6-sol', named(RESPONSES_STREAM), RESPONSE],
  [
    'OpenRouter',
    (given) => createChatClient({ ...given, id: 'openrouter' }),
    'anthropic/claude-haiku-4.5',
    unnamed(CHAT_STREAM),
    CHAT_MESSAGE,
  ],
  [
    'a compatible server',
    (given) => createChatClient({ ...given, id: 'compatible' }),
    'qwen3:8b',
    unnamed(CHAT_STREAM),
    CHAT_MESSAGE,
  ],
];

describe.each(PROVIDERS)('%s', (_name, make, model, stream, whole) => {
  const stubborn = () => {
    // nobody should find these
    vi.stubEnv('ANTHROPIC_API_KEY', 'env-key');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'https://elsewhere.example');
    vi.stubEnv('OPENAI_API_KEY', 'env-key');
    vi.stubEnv('OPENAI_BASE_URL', 'https://elsewhere.example');
    vi.stubEnv('OPENAI_ORG_ID', 'env-org');
    const headers = [
      'Authorization: Bearer env-token',
      'x-api-key: env-key',
      'api-key: env-key',
      'authorization: env-2',
    ];
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', headers.join('\n'));
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', [...headers, 'OpenAI-Organization: env-org'].join('\n'));
  };

  it('PC1, PC2, PC12: sends exactly what preview shows, and tells every byte that comes', async () => {
    stubborn();
    const fake = fakeFetch(sse(stream));
    const client = make(settings(fake.fetch));
    const { result, events, of } = await recorded(client, { model });
    const body = JSON.stringify(client.preview(request({ model })).body);
    expect(fake.seen.map((seen) => seen.body)).toEqual([body]);
    expect(of('attempt')).toEqual([{ type: 'attempt', attempt: 1, url: fake.seen[0]?.url, body, at: 1001 }]);
    expect(
      of('chunk')
        .map(({ text }) => text)
        .join(''),
    ).toBe(stream);
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['attempt', 'headers']);
    expect(of('headers')).toMatchObject([{ status: 200, requestId: 'req_1' }]);
    expect(result).toMatchObject({ ok: true, stopReason: 'tool_use', attempts: 1, requestId: 'req_1' });
    expect(result.content.slice(0, 3)).toMatchObject([
      { type: 'thinking' },
      { type: 'text', text: 'I read.' },
      { type: 'tool_use', name: 'read_file', input: { path: 'a.md' } },
    ]);
    expect(result.firstByteAt).toBeGreaterThan(result.startedAt);
    expect(result.endedAt).toBeGreaterThan(result.firstByteAt ?? 0);
    expect(fake.seen[0]?.url).not.toContain('elsewhere');
    await client.models();
    for (const { headers } of fake.seen) {
      expect(JSON.stringify([...headers])).not.toContain('env-');
      expect(headers.get('authorization')).toBe(`Bearer ${KEY}`);
    }
  });

  it('PC16: without a stream the result is the same', async () => {
    const misnamed = sse(stream, 37, { 'content-type': 'application/json' });
    const [streamed, plain, ...others] = await Promise.all(
      [sse(stream), json(whole), json(whole), misnamed].map(async (answer, index) => {
        const { result } = await recorded(make(settings(fakeFetch(answer).fetch)), { model, stream: index !== 1 });
        const { startedAt: _, firstByteAt: __, endedAt: ___, requestId: ____, ...rest } = result;
        return rest;
      }),
    );
    expect(plain).toEqual(streamed);
    // Some servers answer a request for a stream in one piece, or call a stream JSON.
    expect(others).toEqual([streamed, streamed]);
    const refused = json({ error: { type: 'overloaded_error', message: 'Overloaded' } });
    const { result } = await recorded(make(settings(fakeFetch(refused).fetch)), { model });
    expect(result).toMatchObject({ ok: false, error: { code: 'overloaded' } });
  });

  it('PC3: whatever is thrown or sent, the call resolves', async () => {
    const answers: Answer[] = [
      'down',
      json(null),
      json({}),
      json([]),
      new Response('<html>Login</html>', { headers: { 'content-type': 'text/html' } }),
      new Response('{"id": "msg', { headers: { 'content-type': 'application/json' } }),
      new Response(null, { status: 204 }),
      new Response('gateway', { status: 502 }),
      new Response('', { status: 400 }),
      sse(''),
      sse('data: {"choices": 3}\n\n'),
      sse('event: message_start\ndata: {"type":"message_start","mess\n\n'),
      sse('\u0000\u0001\n\n\n:'),
    ];
    for (const answer of answers) {
      for (const isStream of [true, false]) {
        const { result } = await recorded(make(settings(fakeFetch(answer).fetch)), { model, stream: isStream });
        expect(result.ok).toBe(false);
        expect(result).toMatchObject({ error: { code: expect.stringMatching(/^[a-z_]+$/) as string }, content: [] });
      }
    }
  });

  it('PC10: without a key nothing is sent, unless none is needed', async () => {
    const fake = fakeFetch(sse(stream));
    const client = make(settings(fake.fetch, { apiKey: '' }));
    const { result } = await recorded(client, { model });
    if (client.id === 'compatible') {
      expect(result.ok).toBe(true);
      expect(fake.seen[0]?.headers.has('authorization')).toBe(false);
    } else {
      expect(result).toMatchObject({ ok: false, error: { code: 'no_key' }, attempts: 0 });
      expect(await client.models()).toMatchObject({ ok: false, error: { code: 'no_key' } });
      expect(fake.seen).toEqual([]);
    }
  });

  it.each(['sk-ant-api03-abc…xyz', '“sk-ant-api03-abc”', 'sk-ant-\napi03', 'sk-ant\u00a0api03', 'sk-ant\u200bapi03'])(
    'PC10: with the key %j nothing is sent',
    async (apiKey) => {
      const fake = fakeFetch(sse(stream));
      const client = make(settings(fake.fetch, { apiKey, isBrowser: true }));
      const { result, events } = await recorded(client, { model });
      const error = { code: 'wrong_key', message: expect.stringContaining('an invalid character') as string };
      expect(result).toMatchObject({ ok: false, error, attempts: 0 });
      expect(await client.models()).toMatchObject({ ok: false, error });
      expect([events, fake.seen]).toEqual([[], []]);
    },
  );

  it('PC8: the key is in one header and nowhere else', async () => {
    const log = collectLog();
    const quoting = refusal(401, 'authentication_error', `Incorrect key ${KEY}, Bearer ${KEY}`);
    for (const answer of [sse(stream), quoting, 'down', sse(`data: "${KEY}"\n\n`)] as const) {
      const fake = fakeFetch(answer);
      const client = make(settings(fake.fetch, { log: log.log, maxRetries: 0 }));
      const { result, events } = await recorded(client, { model });
      const listed = await client.models();
      expect(JSON.stringify([result, events, log.lines, listed, client])).not.toContain('SECRET');
      expect(fake.seen.map(({ url, body }) => url + body).join('')).not.toContain('SECRET');
      expect(fake.seen[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    }
  });

  it.each(['I', '1', 'null', 'read', 'anthropic'])('PC18: a placeholder like “%s” changes nothing', async (apiKey) => {
    const { result, of } = await recorded(make(settings(fakeFetch(sse(stream)).fetch, { apiKey })), { model });
    const { result: expected } = await recorded(make(settings(fakeFetch(sse(stream)).fetch)), { model });
    expect(result.content).toEqual(expected.content);
    expect(
      of('chunk')
        .map(({ text }) => text)
        .join(''),
    ).toBe(stream);
  });

  it('PC13: lists models', async () => {
    const list = { data: [{ id: 'm-1' }, { id: 'm-2' }, { what: 1 }] };
    const clientOf = (answer: Answer) => make(settings(fakeFetch(answer).fetch));
    expect(await clientOf(json(list)).models()).toMatchObject({ ok: true, models: [{ id: 'm-1' }, { id: 'm-2' }] });
    expect(await clientOf(json({ x: 1 })).models()).toMatchObject({ ok: false, error: { code: 'malformed_stream' } });
    expect(await clientOf(refusal(401, 'authentication_error', 'no')).models()).toMatchObject({
      ok: false,
      error: { code: 'wrong_key', status: 401 },
    });
    const controller = new AbortController();
    const listing = clientOf('hang').models(controller.signal);
    controller.abort();
    expect(await listing).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

it.each([
  ['12345678', '12345678'],
  ['1234/5678', '1234\\/5678'],
])('PC8, PC18: an answer that quotes the key %s is read as it came, and given without it', async (apiKey, quoted) => {
  const delta = `{"content":"It is ${quoted}.","tool_calls":[{"id":"t","function":{"name":"x","arguments":"{\\"a\\":\\"${apiKey}\\"}"}}]}`;
  // Without the key, the number would be none.
  const text = `data: {"created":1712345678,"choices":[{"delta":${delta},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
  const client = createChatClient({ ...settings(fakeFetch(sse(text)).fetch, { apiKey }), id: 'compatible' });
  const { result, events } = await recorded(client);
  expect(result).toMatchObject({
    ok: true,
    content: [
      { type: 'text', text: 'It is [key].' },
      { type: 'tool_use', input: { a: '[key]' } },
    ],
  });
  const told = JSON.stringify([result, events]);
  expect(told).toContain('[key]');
  expect(told).not.toContain(apiKey);
  expect(told).not.toContain(JSON.stringify(quoted).slice(1, -1));
});

it.each<[raw: Json, code: string, reason: string]>([
  ['{"error":{"message":"prompt is too long: 9 > 8"}}', 'context_too_long', 'prompt is too long: 9 > 8'],
  [{ message: 'no such parameter' }, 'invalid_request', 'no such parameter'],
  ['{"half', 'invalid_request', '{"half'],
  ['upstream says no '.repeat(5000), 'invalid_request', 'upstream says no'],
])('PV71: what a router got from its host is the reason: %j', async (raw, code, reason) => {
  const error = { code: 400, message: 'Provider returned error', metadata: { raw, provider_name: 'Deep' } };
  for (const answer of [json({ error }, 400), sse(unnamed([{ error, choices: [] }]))]) {
    const router = createChatClient({ ...settings(fakeFetch(answer).fetch), id: 'openrouter' });
    const { result } = await recorded(router);
    expect(result).toMatchObject({ ok: false, error: { code, status: 400 } });
    expect(!result.ok && result.error.message).toContain(`Provider returned error: ${reason}`);
    expect(!result.ok && result.error.message.length).toBeLessThan(800);
  }
});

describe('retries', () => {
  const limited = refusal(429, 'rate_limit_error', 'slow down', { 'retry-after': '2' });
  const overloaded = refusal(529, 'overloaded_error', 'Overloaded');

  it('PC5: 429 and then an answer', async () => {
    const waits: number[] = [];
    const { client, seen } = anthropic([limited, sse(named(ANTHROPIC_STREAM))], {
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    const { result, of } = await recorded(client);
    expect(result).toMatchObject({ ok: true, attempts: 2 });
    expect(waits).toEqual([2000]);
    expect(of('attempt').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(of('attempt_failed')).toMatchObject([
      { attempt: 1, retryInMs: 2000, error: { code: 'rate_limited', status: 429, requestId: 'req_9' } },
    ]);
    expect(seen[0]?.body).toBe(seen[1]?.body);
  });

  it('PC5: 529 three times', async () => {
    const { client, seen } = anthropic([overloaded]);
    const { result, of } = await recorded(client);
    expect(result).toMatchObject({ ok: false, attempts: 3, error: { code: 'overloaded', status: 529 }, content: [] });
    expect(seen).toHaveLength(3);
    expect(of('attempt_failed').map(({ retryInMs }) => retryInMs)).toEqual([500, 1000, undefined]);
  });

  it.each([0, 1, 5])('PC5: with at most %i retries', async (maxRetries) => {
    const { client, seen } = anthropic([overloaded], { maxRetries });
    await recorded(client);
    expect(seen).toHaveLength(maxRetries + 1);
  });

  it('PC5: not for a refusal, and not after a response has started', async () => {
    const refused = anthropic([refusal(400, 'invalid_request_error', 'max_tokens: no')]);
    expect((await recorded(refused.client)).result).toMatchObject({ error: { code: 'invalid_request' }, attempts: 1 });
    const late = anthropic([
      sse(named([anthropicStart(), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }])),
    ]);
    expect((await recorded(late.client)).result).toMatchObject({ error: { code: 'overloaded' }, attempts: 1 });
  });

  it('PC4: stopped while it waits for the next attempt', async () => {
    const controller = new AbortController();
    const { client, seen } = anthropic([overloaded], {
      sleep: () => {
        controller.abort();
        return Promise.resolve();
      },
    });
    expect((await recorded(client, {}, controller.signal)).result).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
    });
    expect(seen).toHaveLength(1);
  });

  it('PC4: stopped while it waits as the provider said, each attempt is reported once', async () => {
    const controller = new AbortController();
    const insisting = refusal(529, 'overloaded_error', 'Overloaded', { 'x-should-retry': 'true' });
    const { client } = anthropic([insisting], {
      sleep: () => {
        controller.abort();
        return Promise.resolve();
      },
    });
    const { result, of } = await recorded(client, {}, controller.signal);
    expect(result).toMatchObject({ ok: false, attempts: 1, error: { code: 'cancelled' } });
    expect(of('attempt_failed')).toMatchObject([{ attempt: 1, error: { code: 'overloaded' }, retryInMs: 500 }]);
  });
});

describe('streams that go wrong', () => {
  const part = [anthropicStart(), ...ANTHROPIC_BLOCKS.slice(0, 9)];
  const came = {
    ok: false,
    responseId: 'msg_01',
    content: [{ type: 'thinking' }, { type: 'text', text: 'I read.' }],
    usage: { uncached: 12, read: 4000, output: 1, partial: true },
  };

  it('PC3, PC7: an error in the middle', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const { result } = await recorded(anthropic([sse(named([...part, error]))]).client);
    expect(result).toMatchObject({ ...came, error: { code: 'overloaded', class: 'server_error' } });
  });

  it.each<[string, () => Answer, string]>([
    ['cut off', () => sse(named(part)), 'malformed_stream'],
    [
      'truncated JSON',
      () => sse(`${named(part)}event: content_block_delta\ndata: {"type":"content_blo\n\n`),
      'malformed_stream',
    ],
    [
      'a delta for nothing',
      () => sse(named([...part, { type: 'content_block_delta', index: 9, delta: {} }])),
      'malformed_stream',
    ],
    ['a connection that breaks', () => broken(named(part)), 'connection_lost'],
  ])('PC7: %s', async (_name, answer, code) => {
    const { result, of } = await recorded(anthropic([answer()]).client);
    expect(result).toMatchObject({ ...came, error: { code } });
    expect(of('attempt_failed')).toHaveLength(1);
  });

  it('PC7: an error of the Responses API and of a router in the middle', async () => {
    const failing = named([
      ...RESPONSES_STREAM.slice(0, 13),
      { type: 'error', code: 'server_error', message: 'Oh', param: null },
    ]);
    const openai = createOpenAiClient(settings(fakeFetch(sse(failing)).fetch));
    expect((await recorded(openai, { model: 'gpt-6-sol' })).result).toMatchObject({
      ok: false,
      error: { code: 'server_error' },
      content: [{ type: 'thinking' }, { type: 'text', text: 'I read.' }],
    });
    const cut = unnamed([...CHAT_STREAM.slice(0, 6), { error: { code: 502, message: 'Upstream' }, choices: [] }]);
    const router = createChatClient({ ...settings(fakeFetch(sse(cut)).fetch), id: 'openrouter' });
    expect((await recorded(router)).result).toMatchObject({
      ok: false,
      error: { code: 'server_error', status: 502 },
      content: [{ type: 'thinking' }, { type: 'text', text: 'I read.' }],
    });
  });

  it('PC7: unknown blocks and malformed input are not a failure', async () => {
    const events = [
      anthropicStart(),
      { type: 'content_block_start', index: 0, content_block: { type: 'hologram', data: 'x' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'x', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'brand_new_event', x: 1 },
      ...anthropicEnd(),
    ];
    expect((await recorded(anthropic([sse(named(events))]).client)).result).toMatchObject({
      ok: true,
      content: [
        { type: 'opaque', raw: { type: 'hologram', data: 'x' } },
        { type: 'tool_use', input: '{"a', malformed: expect.any(String) as string },
      ],
    });
  });

  it('PC3, PC4: stopped in the middle, what came is kept', async () => {
    const controller = new AbortController();
    const cancelled = vi.fn<() => void>();
    const { client } = anthropic([endless(named(part), cancelled)]);
    const events: CallEvent[] = [];
    const result = await client.call(request(), {
      signal: controller.signal,
      onEvent: (event) => {
        events.push(event);
        if (event.type === 'delta' && event.text === 'd.') controller.abort();
      },
    });
    expect(result).toMatchObject({ ...came, error: { code: 'cancelled', class: 'cancelled', retryable: false } });
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalled());
  });

  it('PC4: stopped before anything, and before it began', async () => {
    for (const isEarly of [true, false]) {
      const controller = new AbortController();
      if (isEarly) controller.abort();
      const calling = recorded(anthropic(['hang']).client, {}, controller.signal);
      controller.abort();
      expect((await calling).result).toMatchObject({ ok: false, error: { code: 'cancelled' }, content: [] });
    }
  });

  it('PC6: a provider that never answers', async () => {
    const { client, seen } = anthropic(['hang'], { timeoutMs: 20 });
    const { result } = await recorded(client);
    expect(result).toMatchObject({ ok: false, attempts: 1, error: { code: 'timeout', class: 'network' } });
    expect(seen[0]?.init.signal?.aborted).toBe(true);
  });

  it('PC6: a provider that stops in the middle', async () => {
    const cancelled = vi.fn<() => void>();
    const { client } = anthropic([endless(named(part), cancelled)], { idleMs: 20 });
    const { result } = await recorded(client);
    expect(result).toMatchObject({ ...came, error: { code: 'timeout' } });
    expect(cancelled).toHaveBeenCalled();
  });
});
