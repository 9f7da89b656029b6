import { describe, expect, it } from 'vitest';
import {
  ANTHROPIC_STREAM,
  CHAT_STREAM,
  named,
  RESPONSES_STREAM,
  unnamed,
} from '../../model/provider/testing/streams.ts';
import { request } from '../../model/provider/testing/requests.ts';
import { WIRES, type ProviderId, type Wire } from '../../model/provider/types.ts';
import { createSimulator } from '../../model/simulator/simulator.ts';
import { createProvider } from './create-provider.ts';
import { createHostLog } from './host-log.ts';
import type { ClientSettings } from './run-call.ts';
import { createSimulatedFetch } from './simulated-fetch.ts';
import { fakeFetch, json, KEY, settings, sse } from './testing/fake-fetch.ts';

const STREAMS: Record<Wire, string> = {
  'anthropic-messages': named(ANTHROPIC_STREAM),
  'openai-responses': named(RESPONSES_STREAM),
  'openai-chat': unnamed(CHAT_STREAM),
};

describe('createProvider', () => {
  type Row = [provider: ProviderId, wire: Wire | undefined, model: string, url: string, spoken: Wire];
  it.each<Row>([
    ['anthropic', undefined, 'claude-opus-5', 'https://api.anthropic.com/v1/messages', 'anthropic-messages'],
    ['openai', undefined, 'gpt-6-sol', 'https://api.openai.com/v1/responses', 'openai-responses'],
    ['openrouter', undefined, 'x/y', 'https://openrouter.ai/api/v1/chat/completions', 'openai-chat'],
    ['compatible', undefined, 'm', 'http://localhost:11434/v1/chat/completions', 'openai-chat'],
    ['compatible', 'anthropic-messages', 'm', 'http://localhost:11434/v1/messages', 'anthropic-messages'],
    ['compatible', 'openai-responses', 'm', 'http://localhost:11434/v1/responses', 'openai-responses'],
    ['openai', 'openai-chat', 'm', 'https://api.openai.com/v1/chat/completions', 'openai-chat'],
    ['simulator', undefined, 'claude-haiku-4-5', 'https://simulator.invalid/v1/messages', 'anthropic-messages'],
    ['simulator', undefined, 'gpt-6-sol', 'https://simulator.invalid/v1/responses', 'openai-responses'],
    ['simulator', 'openai-chat', 'gpt-6-sol', 'https://simulator.invalid/v1/chat/completions', 'openai-chat'],
  ])('PC15, PC17, PV82: %s (%s) calls %s at %s', async (provider, wire, model, url, spoken) => {
    const fake = fakeFetch(sse(STREAMS[spoken]));
    const client = createProvider({ ...settings(fake.fetch), provider, ...(wire && { wire }) });
    expect(client.id).toBe(provider);
    expect(client.capabilities(model).wire).toBe(spoken);
    expect(client.preview(request({ model })).wire).toBe(spoken);
    expect(await client.call(request({ model }), {})).toMatchObject({ ok: true, stopReason: 'tool_use' });
    expect(fake.seen.map((seen) => seen.url)).toEqual([url]);
  });

  it('PC14, PC15: the simulator needs no key, is not a host, and may have an address', async () => {
    const fake = fakeFetch(sse(STREAMS['anthropic-messages']));
    const hosts = createHostLog();
    const client = createProvider({
      ...settings(fake.fetch, { hosts, apiKey: '', isBrowser: true, baseUrl: 'http://127.0.0.1:7777/v1' }),
      provider: 'simulator',
    });
    expect((await client.call(request(), {})).ok).toBe(true);
    expect(await client.models()).toMatchObject({ ok: false });
    expect(fake.seen[0]?.url).toBe('http://127.0.0.1:7777/v1/messages');
    expect(hosts.entries()).toEqual([]);
  });

  it('takes a base URL with or without a slash, and another wire for a compatible server', async () => {
    const fake = fakeFetch(sse(STREAMS['anthropic-messages']));
    const client = createProvider({
      ...settings(fake.fetch, { baseUrl: 'http://127.0.0.1:9/' }),
      provider: 'compatible',
      wire: 'anthropic-messages',
    });
    await client.call(request(), {});
    expect(client.id).toBe('compatible');
    expect(fake.seen[0]?.url).toBe('http://127.0.0.1:9/v1/messages');
  });
});

it('PC10: what is around a key is not part of it', async () => {
  const fake = fakeFetch(sse(STREAMS['anthropic-messages']));
  const client = createProvider({ ...settings(fake.fetch, { apiKey: ` ${KEY}\r\n` }), provider: 'anthropic' });
  expect(await client.call(request(), {})).toMatchObject({ ok: true });
  expect(fake.seen[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
});

describe('a compatible server', () => {
  const compatible = (wire: Wire, more: Partial<ClientSettings> = {}) => {
    const fake = fakeFetch(sse(STREAMS[wire]));
    return { ...fake, client: createProvider({ ...settings(fake.fetch, more), provider: 'compatible', wire }) };
  };

  it.each(WIRES)('PC10, PC11: with %s it needs no key, and gets none and no header of an SDK', async (wire) => {
    const { client, seen } = compatible(wire, { apiKey: '', isBrowser: true });
    expect(await client.call(request(), {})).toMatchObject({ ok: true });
    await client.models();
    expect(seen).toHaveLength(2);
    for (const { headers } of seen) {
      expect(
        [...headers.keys()].filter((name) => !['accept', 'anthropic-version', 'content-type'].includes(name)),
      ).toEqual([]);
    }
  });

  it.each(WIRES)('PC11: with %s a page tells the browser of its address', async (wire) => {
    const { client, seen } = compatible(wire, {
      isBrowser: true,
      pageOrigin: { protocol: 'https:', host: 'lathe.example' },
    });
    await client.call(request(), {});
    expect(seen[0]?.init).toMatchObject({ targetAddressSpace: 'loopback' });
  });

  it.each(['http://127.0.0.1:9', 'http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v1/', 'http://127.0.0.1:9//v1//'])(
    'PC17: the version is once in the path of Messages at %s',
    async (baseUrl) => {
      const { client, seen } = compatible('anthropic-messages', { baseUrl });
      await client.call(request(), {});
      await client.models();
      expect(seen.map(({ url }) => url)).toEqual([
        'http://127.0.0.1:9/v1/messages',
        'http://127.0.0.1:9/v1/models?limit=1000',
      ]);
    },
  );
});

describe('with the simulator behind it', () => {
  const simulated = (provider: 'simulator', wire?: Wire) => {
    let now = 0;
    const simulator = createSimulator({
      tokenizer: { count: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))) },
      clock: { now: () => (now += 10) },
    });
    const fetch = createSimulatedFetch(simulator, { speed: 0 });
    return createProvider({ ...settings(fetch), provider, ...(wire && { wire }) });
  };

  it.each<[model: string, wire: Wire | undefined]>([
    ['claude-haiku-4-5', undefined],
    ['gpt-6-sol', undefined],
    ['gpt-6-sol', 'openai-chat'],
  ])('PC15, PC16: %s answers, and its second call reads what the first wrote', async (model, wire) => {
    const client = simulated('simulator', wire);
    const call = (stream: boolean, previousResponseId: string | null) =>
      client.call(
        request({
          model,
          stream,
          previousResponseId,
          system: { stable: 'Be useful. '.repeat(4000), volatile: 'Now.' },
        }),
        {},
      );
    const first = await call(true, null);
    expect(first).toMatchObject({ ok: true, stopReason: 'end_turn', usage: { cacheReported: true, partial: false } });
    const second = await call(false, first.responseId ?? null);
    expect(second).toMatchObject({ ok: true, content: [{ type: 'text' }] });
    expect(second.usage?.read).toBeGreaterThan(0);
    expect((await client.models()).ok).toBe(true);
  });

  /** As Mistral and other servers built on pydantic answer. */
  const forbidden = (...fields: readonly string[]): Response =>
    json(
      {
        detail: fields.map((field) => ({
          type: 'extra_forbidden',
          loc: ['body', field],
          msg: 'Extra inputs are not permitted',
        })),
      },
      422,
    );
  const keysOf = (body: string): readonly string[] => Object.keys(JSON.parse(body) as object);

  it('PC19: a refused optional field is left out immediately, and from then on', async () => {
    const fake = fakeFetch(forbidden('stream_options'), sse(STREAMS['openai-chat']));
    const client = createProvider({ ...settings(fake.fetch), provider: 'compatible' });
    const events: string[] = [];
    const onEvent = ({ type }: { readonly type: string }): void => void events.push(type);
    expect(await client.call(request({ model: 'm' }), { onEvent })).toMatchObject({ ok: true, attempts: 2 });
    expect(events.filter((type) => type.startsWith('attempt'))).toEqual(['attempt', 'attempt_failed', 'attempt']);
    expect(fake.seen.map(({ body }) => keysOf(body).includes('stream_options'))).toEqual([true, false]);
    expect(Object.keys(client.preview(request({ model: 'm' })).body)).not.toContain('stream_options');
    await client.call(request({ model: 'm' }), {});
    expect(fake.seen).toHaveLength(3);
    expect(keysOf(fake.seen[2]?.body ?? '')).not.toContain('stream_options');
  });

  it('PC19 not: twice in one call, a field that is needed, a field that is not named, another status', async () => {
    const calls = async (...answers: readonly Response[]): Promise<number> => {
      const fake = fakeFetch(...answers);
      const client = createProvider({ ...settings(fake.fetch), provider: 'compatible' });
      expect(await client.call(request({ model: 'm' }), {})).toMatchObject({
        ok: false,
        error: { code: 'invalid_request' },
      });
      return fake.seen.length;
    };
    expect(await calls(forbidden('stream_options'), forbidden('stream_options'))).toBe(2);
    expect(await calls(forbidden('tools'))).toBe(1);
    expect(await calls(json({ detail: 'no' }, 422))).toBe(1);
    expect(await calls(json({ error: { message: 'stream_options: unknown' } }, 400))).toBe(1);
  });
});
