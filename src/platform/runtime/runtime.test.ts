import { webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { DEFAULT_SETTINGS } from '../../model/session/start.ts';
import type { CanonicalRequest, ProviderId } from '../../model/provider/types.ts';
import { createHostLog } from '../provider/host-log.ts';
import { createMemoryStorage } from '../store/memory-store.ts';
import { TABLE_NAMES } from '../store/schema.ts';
import type { Storage } from '../store/storage.ts';
import { createMemoryTokenizer } from '../tokenizer/memory-tokenizer.ts';
import { createNextFrame } from './next-frame.ts';
import { createSessionServices } from './session-services.ts';

const KEY = 'sk-ant-a-key-that-nobody-may-see-0123456789';
const PASSPHRASE = 'several plain words';

const setUp = async (storage: Storage = createMemoryStorage(), answer?: typeof fetch) => {
  const { log, lines } = collectLog();
  const hosts = createHostLog();
  const asked: Request[] = [];
  const services = await createSessionServices({
    storage,
    crypto: webcrypto as Crypto,
    tokenizer: createMemoryTokenizer(),
    engine: () => Promise.resolve(undefined),
    fetch: (input, init) => {
      asked.push(new Request(input, init));
      return answer ? answer(input, init) : Promise.reject(new TypeError('Failed to fetch'));
    },
    pageOrigin: { protocol: 'https:', host: 'lathe.test' },
    hosts,
    log,
    now: () => Date.UTC(2026, 10, 16),
    random: () => 0,
    speed: 0,
    onStorageError: (thrown) => {
      throw thrown;
    },
  });
  return { services, storage, lines, hosts, asked };
};

const settings = (provider: ProviderId) => ({ ...DEFAULT_SETTINGS, provider });

const everythingIn = async (storage: Storage): Promise<string> => {
  const rows = await Promise.all(TABLE_NAMES.map((table) => storage.list(table)));
  return JSON.stringify(rows, (_, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );
};

const REQUEST: CanonicalRequest = {
  model: 'claude-haiku-4-5',
  tools: [],
  system: { stable: 'You are brief.', volatile: '' },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxOutputTokens: 100,
  stream: true,
  cache: DEFAULT_SETTINGS.cache,
  cacheKey: 'k',
};

describe('keys', () => {
  it('RT1: a key is in memory, and nowhere else', async () => {
    const { services, storage, lines } = await setUp();
    services.keys.hold('anthropic', ` ${KEY}\n`);
    expect(services.keys.get('anthropic')).toBe(KEY);
    expect(services.keys.facts().places.anthropic).toBe('memory');
    const outcome = await services.runtime.client(settings('anthropic')).call(REQUEST, {});
    expect(outcome.ok).toBe(false);
    expect(await everythingIn(storage)).not.toContain(KEY);
    expect(
      JSON.stringify([lines, outcome, services.keys.facts(), services.runtime.scope(settings('anthropic'))]),
    ).not.toContain(KEY);
  });

  it('RT1, RT2: a saved key is encrypted, comes back with the passphrase, and can be forgotten', async () => {
    const { services, storage } = await setUp();
    const { keys } = services;
    expect(keys.facts().vault).toBe('empty');
    expect(await keys.save('anthropic', KEY)).toMatchObject({ ok: false, error: { code: 'locked' } });
    expect(await keys.createVault(PASSPHRASE)).toMatchObject({ ok: true });
    keys.hold('anthropic', 'older');
    expect(await keys.save('anthropic', KEY)).toMatchObject({ ok: true });
    expect(keys.get('anthropic')).toBe(KEY);
    expect(await everythingIn(storage)).not.toContain(KEY);

    const next = await setUp(storage);
    expect(next.services.keys.facts()).toMatchObject({ vault: 'locked', places: { anthropic: 'none' } });
    expect(await next.services.keys.unlock('something else')).toMatchObject({ ok: false });
    let told = 0;
    const stop = next.services.keys.subscribe(() => told++);
    await next.services.keys.unlock(PASSPHRASE);
    expect(told).toBe(1);
    stop();
    expect(next.services.keys.get('anthropic')).toBe(KEY);
    await next.services.keys.forget('anthropic');
    expect(next.services.keys.facts().places.anthropic).toBe('none');
    await next.services.keys.forgetSaved();
    expect(next.services.keys.facts().vault).toBe('empty');
  });
});

describe('providers', () => {
  it('RT3, RT4: a connection is remembered and makes another client; an unreadable one is left out', async () => {
    const { services, storage } = await setUp();
    const first = services.runtime.client(settings('compatible'));
    expect(services.runtime.client(settings('compatible'))).toBe(first);
    const scope = services.runtime.scope(settings('compatible'));
    services.connections.set('compatible', { baseUrl: ' http://localhost:1234/v1 ', wire: 'openai-chat' });
    expect(services.runtime.client(settings('compatible'))).not.toBe(first);
    expect(services.runtime.scope(settings('compatible'))).not.toBe(scope);
    const next = await setUp(storage);
    expect(next.services.connections.get('compatible')).toEqual({
      baseUrl: 'http://localhost:1234/v1',
      wire: 'openai-chat',
    });
    await storage.write([{ kind: 'put', table: 'settings', row: { key: 'connections', value: 'rubbish' } }]);
    const last = await setUp(storage);
    expect(last.services.connections.get('compatible')).toEqual({});
    expect(last.lines.map(({ code }) => code)).toEqual(['runtime.unreadable']);
  });

  it('RT5: keys are distinguished, and not told', async () => {
    const { services } = await setUp();
    const scopes = ['', KEY, 'another'].map((key) => {
      if (key !== '') services.keys.hold('anthropic', key);
      return services.runtime.scope(settings('anthropic'));
    });
    expect(new Set(scopes).size).toBe(3);
  });

  it('RT6: the simulator needs nothing from outside, and fails when it is told to', async () => {
    const { services, asked, hosts } = await setUp();
    const client = services.runtime.client(settings('simulator'));
    expect(await client.call(REQUEST, {})).toMatchObject({ ok: true });
    services.orderFaults('overloaded', 1);
    const failures: string[] = [];
    const retried = await client.call(REQUEST, {
      onEvent: (event) => {
        if (event.type === 'attempt_failed') failures.push(event.error.code);
      },
    });
    expect(retried).toMatchObject({ ok: true, attempts: 2 });
    expect(failures).toEqual(['overloaded']);
    services.orderFaults('overloaded', 9);
    services.orderFaults(undefined, 0);
    expect(await client.call(REQUEST, {})).toMatchObject({ ok: true, attempts: 1 });
    expect(asked).toEqual([]);
    expect(hosts.entries()).toEqual([]);
    expect(await services.models('simulator')).toMatchObject({ ok: true });
  });

  it('RT8: a body is sent as it is', async () => {
    const { services } = await setUp();
    const bodies: string[] = [];
    const onEvent = (event: { readonly type: string; readonly body?: string }): void => {
      if (event.type === 'attempt') bodies.push(event.body ?? '');
    };
    const body = { model: 'claude-haiku-4-5', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
    expect(await services.sendBody('simulator', body, { onEvent })).toMatchObject({ ok: true });
    expect(bodies).toEqual([JSON.stringify(body)]);
    expect(await services.sendBody('simulator', { model: 'claude-haiku-4-5' }, {})).toMatchObject({ ok: false });
    expect(await services.sendBody('anthropic', body, {})).toMatchObject({ ok: false, error: { code: 'no_key' } });
  });
});

it('RT7: what was allowed permanently is remembered, and can be taken back', async () => {
  const { services, storage } = await setUp();
  services.runtime.rememberApproval({ key: 'git commit', scope: 'always' });
  services.runtime.rememberApproval({ key: 'make', scope: 'session' });
  const next = await setUp(storage);
  expect(next.services.runtime.approvalRules()).toEqual([{ key: 'git commit', scope: 'always' }]);
  next.services.approvals.forget('git commit');
  expect((await setUp(storage)).services.runtime.approvalRules()).toEqual([]);
});

describe('frames', () => {
  it('RT9: all callbacks share a frame, a hidden page gets a timer, and a throw takes nobody along', () => {
    const frames: (() => void)[] = [];
    const timers: (() => void)[] = [];
    let hidden = false;
    const nextFrame = createNextFrame({
      isHidden: () => hidden,
      requestFrame: (callback) => frames.push(callback),
      setTimer: (callback) => timers.push(callback),
    });
    const done: string[] = [];
    nextFrame(() => done.push('a'));
    nextFrame(() => {
      throw new Error('b');
    });
    nextFrame(() => done.push('c'));
    expect(frames).toHaveLength(1);
    expect(() => frames[0]?.()).toThrow('b');
    expect(frames).toHaveLength(2);
    frames[1]?.();
    expect(done).toEqual(['a', 'c']);
    hidden = true;
    nextFrame(() => done.push('d'));
    timers[0]?.();
    expect(done).toEqual(['a', 'c', 'd']);
  });
});
