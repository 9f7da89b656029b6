import { describe, expect, it, vi } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { ANTHROPIC_STREAM, CHAT_STREAM, named, unnamed } from '../../model/provider/testing/streams.ts';
import { createChatClient } from './chat.ts';
import { createHostLog } from './host-log.ts';
import type { ClientSettings } from './run-call.ts';
import { fakeFetch, json, KEY, refusal, settings, sse, type Answer } from './testing/fake-fetch.ts';
import { anthropic, recorded } from './testing/recorded.ts';

describe('the header of the key', () => {
  const PAGE = { isBrowser: true, pageOrigin: { protocol: 'https:', host: 'lathe.example' } };
  /** As if the preflight with `Authorization` were refused. */
  const picky: Answer = ({ headers }) => {
    if (headers.has('authorization')) throw new TypeError('Failed to fetch');
    return sse(named(ANTHROPIC_STREAM))();
  };

  it('PC9: falls back to x-api-key once, says so, and stays with it', async () => {
    const log = collectLog();
    const { client, seen } = anthropic([picky], { ...PAGE, log: log.log });
    const { result, of } = await recorded(client);
    expect(result).toMatchObject({ ok: true, attempts: 2 });
    expect(of('attempt_failed')).toMatchObject([{ attempt: 1, retryInMs: 0, error: { code: 'cors' } }]);
    expect(log.lines).toMatchObject([{ code: 'provider.auth_fallback' }]);
    await recorded(client);
    expect(seen.map(({ headers }) => [headers.has('authorization'), headers.get('x-api-key')])).toEqual([
      [true, null],
      [false, KEY],
      [false, KEY],
    ]);
    expect(seen[0]?.headers.get('anthropic-dangerous-direct-browser-access')).toBe('true');
  });

  it('PC9: the list of models may find it out', async () => {
    const { client, seen } = anthropic(
      [({ headers }) => (headers.has('authorization') ? Promise.reject(new TypeError('x')) : json({ data: [] }))],
      PAGE,
    );
    expect(await client.models()).toEqual({ ok: true, models: [] });
    expect(seen).toHaveLength(2);
  });

  it('PC9: calls beside each other find it out together, and it stays', async () => {
    let allAreHere = (): void => {};
    const together = new Promise<void>((resolve) => {
      allAreHere = resolve;
    });
    let count = 0;
    const { client, seen } = anthropic(
      [
        async (request) => {
          if (++count === 3) allAreHere();
          await together;
          if (request.headers.has('authorization')) throw new TypeError('Failed to fetch');
          return request.url.includes('/models') ? json({ data: [] }) : sse(named(ANTHROPIC_STREAM))();
        },
      ],
      PAGE,
    );
    const [first, second, listed] = await Promise.all([recorded(client), recorded(client), client.models()]);
    expect([first.result.ok, second.result.ok, listed.ok]).toEqual([true, true, true]);
    const before = seen.length;
    expect((await recorded(client)).result).toMatchObject({ ok: true, attempts: 1 });
    expect(seen.slice(before).map(({ headers }) => headers.get('x-api-key'))).toEqual([KEY]);
  });

  it('PC9: a call that failed while another was answered takes the header of that one', async () => {
    let fail = (): void => {};
    const failing = new Promise<Response>((_, reject) => {
      fail = () => reject(new TypeError('Failed to fetch'));
    });
    const { client } = anthropic([() => failing, picky], PAGE);
    const slow = recorded(client);
    expect((await recorded(client)).result.ok).toBe(true);
    fail();
    expect((await slow).result).toMatchObject({ ok: true, attempts: 2 });
  });

  it('PC9: once per call, and the first header again for the next one', async () => {
    const { client, seen } = anthropic(['down'], PAGE);
    expect((await recorded(client)).result).toMatchObject({ ok: false, attempts: 2, error: { code: 'cors' } });
    await recorded(client);
    expect(seen.map(({ headers }) => headers.has('x-api-key'))).toEqual([false, true, false, true]);
  });

  it('PC9: not in a terminal, and not after an answer of any kind', async () => {
    const terminal = anthropic(['down']);
    expect((await recorded(terminal.client)).result).toMatchObject({
      attempts: 3,
      error: { code: 'connection_failed' },
    });
    expect(terminal.seen.every(({ headers }) => headers.has('authorization'))).toBe(true);
    const answered = anthropic([refusal(401, 'authentication_error', 'no'), 'down'], PAGE);
    await recorded(answered.client);
    expect((await recorded(answered.client)).result).toMatchObject({ attempts: 3, error: { code: 'connection_lost' } });
    expect(answered.seen.every(({ headers }) => headers.has('authorization'))).toBe(true);
  });
});

describe('chat servers', () => {
  const local = (more: Partial<ClientSettings> = {}) => {
    const fake = fakeFetch(sse(unnamed(CHAT_STREAM)));
    return { ...fake, client: createChatClient({ ...settings(fake.fetch), apiKey: '', ...more, id: 'compatible' }) };
  };

  it('PC11: get plain headers', async () => {
    const { client, seen } = local();
    await recorded(client);
    expect([...(seen[0]?.headers.keys() ?? [])].toSorted()).toEqual(['accept', 'content-type']);
    expect(seen[0]?.url).toBe('http://localhost:11434/v1/chat/completions');
  });

  it('PC11: the browser is told of a local address', async () => {
    const space = async (more: Partial<ClientSettings>) => {
      const { client, seen } = local(more);
      await recorded(client);
      return Object.entries(seen[0]?.init ?? {}).find(([name]) => name === 'targetAddressSpace')?.[1] as unknown;
    };
    const pageOrigin = { protocol: 'https:', host: 'lathe.example' };
    expect(await space({ isBrowser: true, pageOrigin })).toBe('loopback');
    expect(await space({ isBrowser: true, pageOrigin, baseUrl: 'https://192.168.0.9/v1/' })).toBe('local');
    expect(await space({ isBrowser: false })).toBeUndefined();
  });

  it.each([
    ['http://localhost:11434/v1', 'http:', 'localhost:5173', 'local_no_cors'],
    ['http://localhost:1234/v1', 'https:', 'lathe.example', 'local_network_permission'],
    ['http://192.168.0.9:8080/v1', 'https:', 'lathe.example', 'mixed_content'],
    ['https://llm.example/v1', 'https:', 'lathe.example', 'cors'],
  ])('PV72: %s from %s//%s that fails is %s', async (baseUrl, protocol, host, code) => {
    const client = createChatClient({
      ...settings(fakeFetch('down').fetch, { baseUrl, isBrowser: true, pageOrigin: { protocol, host } }),
      id: 'compatible',
    });
    const { result } = await recorded(client);
    expect(result).toMatchObject({ ok: false, attempts: 1, error: { code } });
  });
});

describe('the host log', () => {
  it('PC14: counts per host, and tells who listens', async () => {
    const hosts = createHostLog();
    const changes = vi.fn<() => void>();
    const stop = hosts.subscribe(changes);
    const text = named(ANTHROPIC_STREAM);
    const { client, seen } = anthropic([sse(text)], { hosts });
    await recorded(client, { messages: [{ role: 'user', content: [{ type: 'text', text: 'é🙂' }] }] });
    await client.models();
    const bytes = new TextEncoder().encode(seen[0]?.body).length;
    expect(bytes).toBeGreaterThan(seen[0]?.body.length ?? 0);
    expect(hosts.entries()).toMatchObject([
      { host: 'api.anthropic.com', requests: 2, sentBytes: bytes, receivedBytes: expect.any(Number) as number },
    ]);
    expect(hosts.entries()[0]?.receivedBytes).toBeGreaterThanOrEqual(text.length);
    expect(hosts.entries()).toBe(hosts.entries());
    const before = changes.mock.calls.length;
    expect(before).toBeGreaterThan(2);
    stop();
    hosts.add('x', 1, { requests: 1 });
    expect(changes).toHaveBeenCalledTimes(before);
  });
});
