/** What only a real connection shows. */
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startSimServer, type SimServer } from './node-sim-server.ts';
import { createSimulatedFetch } from './simulated-fetch.ts';
import { newSimulator } from './testing/simulated-transport.ts';
import type { SimulatorOptions } from '../../model/simulator/simulator.ts';

const HEADERS = { 'anthropic-version': '2026-10-21', 'x-api-key': 'key-1', 'content-type': 'application/json' };
const BODY = JSON.stringify({
  model: 'claude-haiku-4-5',
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content: 'Write a short text about the sea.' }],
});

describe('the simulator over HTTP', () => {
  let server: SimServer | undefined;
  const open = async (options: Partial<SimulatorOptions> = {}, speed = 0): Promise<SimServer> =>
    (server = await startSimServer({ simulator: newSimulator(options), port: 0, speed }));
  afterEach(() => server?.close());

  it('SI41: answers a preflight, and names the headers that were asked for', async () => {
    const { url } = await open();
    const response = await fetch(`${url}/v1/messages`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:4173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,anthropic-version,x-stainless-os',
        'access-control-request-private-network': 'true',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:4173');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,anthropic-version,x-stainless-os');
    expect(response.headers.get('access-control-allow-private-network')).toBe('true');
  });

  it('SI41: answers and errors can be read from another origin', async () => {
    const { url } = await open();
    for (const body of [BODY, '{}']) {
      const headers = { ...HEADERS, origin: 'http://127.0.0.1:4173' };
      const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
      expect(response.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:4173');
      expect(response.headers.get('access-control-expose-headers')).toBe('*');
      await response.text();
    }
  });

  it('LO1: answers only at the names of this machine', async () => {
    const { port } = await open();
    const status = (host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const asked = request({ port, host: '127.0.0.1', path: '/v1/models', headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        asked.on('error', reject).end();
      });
    for (const good of ['localhost', `localhost:${port}`, '127.0.0.1:80', '[::1]:1', 'LOCALHOST'])
      expect(await status(good), good).not.toBe(403);
    for (const bad of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '0.0.0.0',
    ])
      expect(await status(bad), bad).toBe(403);
  });

  it('LO2: a page from outside is refused unless it was named, and told how', async () => {
    server = await startSimServer({
      simulator: newSimulator({}),
      port: 0,
      speed: 0,
      origins: ['https://lathe.example'],
    });
    const { url } = server;
    const ask = (origin: string): Promise<Response> =>
      fetch(`${url}/v1/messages`, { method: 'POST', headers: { ...HEADERS, origin }, body: BODY });
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'https://localhost:1',
      'file://',
    ]) {
      const response = await ask(origin);
      expect(response.status, origin).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(await response.text()).toContain('--origin');
    }
    const named = await ask('https://lathe.example');
    expect(named.headers.get('access-control-allow-origin')).toBe('https://lathe.example');
    await named.text();
  });

  it('LO3: a page that may ask reads every answer, also a refusal, and a preflight names its headers', async () => {
    server = await startSimServer({ simulator: newSimulator({}), port: 0, speed: 0 });
    const origin = 'http://localhost:4317';
    const asked = await fetch(`${server.url}/v1/messages`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key, x-new-header',
      },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-headers')).toBe('x-api-key, x-new-header');
    for (const body of [BODY, 'no JSON']) {
      const answer = await fetch(`${server.url}/v1/messages`, {
        method: 'POST',
        headers: { ...HEADERS, origin },
        body,
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.status).toBe(body === BODY ? 200 : 400);
      await answer.text();
    }
  });

  it('SI42: is not reachable from other machines', async () => {
    expect((await open()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('SI43: continues when a client leaves in mid-stream', async () => {
    const { url } = await open({}, 1);
    const controller = new AbortController();
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: HEADERS,
      body: BODY,
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
    await expect(reader?.read()).rejects.toThrow();
    expect((await fetch(`${url}/v1/models`, { headers: HEADERS })).status).toBe(200);
  });

  it('SI43: a connection that is cut fails at the client, with what had come', async () => {
    const { url } = await open({ faults: [{ kind: 'cut' }] });
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers: HEADERS, body: BODY });
    let text = '';
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(part);
    };
    await expect(read()).rejects.toThrow();
    expect(text).toContain('event: message_start');
  });

  it('SI44: the fetch gives the same bytes as the connection', async () => {
    const { url } = await open();
    const init = { method: 'POST', headers: HEADERS, body: BODY };
    const over = await (await fetch(`${url}/v1/messages`, init)).text();
    const within = createSimulatedFetch(newSimulator(), { speed: 0 });
    expect(await (await within('https://simulator.invalid/v1/messages', init)).text()).toBe(over);
  });
});

describe('the simulated fetch', () => {
  const init = { method: 'POST', headers: HEADERS, body: BODY };

  it('SI45: waits as the simulator says, divided by its speed', async () => {
    const waited: number[] = [];
    const sleep = (ms: number): Promise<void> => {
      waited.push(ms);
      return Promise.resolve();
    };
    const once = createSimulatedFetch(newSimulator(), { sleep });
    await (await once('https://simulator.invalid/v1/messages', init)).text();
    const slow = [...waited];
    waited.length = 0;
    const twice = createSimulatedFetch(newSimulator(), { sleep, speed: 2 });
    await (await twice('https://simulator.invalid/v1/messages', init)).text();
    expect(waited).toEqual(slow.map((ms) => ms / 2));
    expect(slow[0]).toBeGreaterThan(slow[1] ?? 0);
  });

  it('SI45: an abort ends it before the first byte and between two', async () => {
    const use = createSimulatedFetch(newSimulator());
    const early = new AbortController();
    const call = use('https://simulator.invalid/v1/messages', { ...init, signal: early.signal });
    early.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    const late = new AbortController();
    const response = await use('https://simulator.invalid/v1/messages', { ...init, signal: late.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    late.abort();
    const rest = async (): Promise<void> => {
      while (!(await reader?.read())?.done) continue;
    };
    await expect(rest()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('SI45: takes a Request, a URL and a text', async () => {
    const use = createSimulatedFetch(newSimulator(), { speed: 0 });
    const address = 'https://simulator.invalid/v1/messages';
    for (const input of [new Request(address, init), new URL(address), address])
      expect((await use(input, input instanceof Request ? undefined : init)).status).toBe(200);
  });
});
