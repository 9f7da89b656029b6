import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readRecording } from '../../model/traffic/recording/read-recording.ts';
import { type CaptureOptions, startCaptureServer } from './node-capture.ts';
import { createRecordingFile } from './node-recording.ts';

const KEY = 'sk-ant-api03-secret-77';
const BODY = '{"model":"claude-haiku-4-5", "max_tokens":10,"messages":[{"role":"user","content":"Grüße"}]}';
const USAGE = { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const ANSWER = JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: USAGE });
const SSE = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: JSON.parse(ANSWER) as object })}\n\n`;
const END = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

const opened: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

const upstream = async (answer: RequestListener) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const capture = async (answer: RequestListener, more: Partial<CaptureOptions> = {}) => {
  const lines: string[] = [];
  const target = await upstream(answer);
  const server = await startCaptureServer({
    target,
    port: 0,
    now: Date.now,
    record: (line) => lines.push(line),
    ...more,
  });
  opened.push(server.close);
  return { url: server.url, port: server.port, lines, close: server.close };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Uint8Array[] = [];
  for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

const send = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/v1/messages?beta=true`, {
    method: 'POST',
    body: BODY,
    headers: {
      'x-api-key': KEY,
      cookie: 'session=abcdef123',
      'anthropic-beta': 'b1',
      'anthropic-version': '2023-06-01',
    },
    ...init,
  });

describe('a capture', () => {
  it('CP1, CP4: passes request and answer on as they are, and records both without keys', async () => {
    let got = '';
    const heard: Record<string, unknown>[] = [];
    const { url, lines } = await capture((request, response) => {
      heard.push({ url: request.url, ...request.headers });
      const serve = async (): Promise<void> => {
        got = await textOf(request);
        response.writeHead(200, { 'content-type': 'application/json', 'x-odd': 'kept', 'set-cookie': 'a=topsecret1' });
        response.end(ANSWER);
      };
      void serve();
    });
    const answer = await send(url);
    expect([await answer.text(), answer.headers.get('x-odd')]).toEqual([ANSWER, 'kept']);
    expect(got).toBe(BODY);
    expect(heard[0]).toMatchObject({
      url: '/v1/messages?beta=true',
      'x-api-key': KEY,
      host: expect.stringMatching(/^127/) as string,
    });
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).not.toMatch(/secret|abcdef123/);
    const { calls, faults } = readRecording(lines.join('\n'));
    expect(faults).toEqual([]);
    expect(calls[0]).toMatchObject({
      body: BODY,
      wire: 'anthropic-messages',
      model: 'claude-haiku-4-5',
      usage: { uncached: 5 },
      betas: ['b1'],
    });
    expect(calls[0]?.keyId).toMatch(/^[0-9a-f]{8}$/);
  });

  it('CP2: streams each piece as it comes, compressed or not, and records the text', async () => {
    const zipped = gzipSync(SSE + END);
    let release = (): void => {};
    const { url, lines } = await capture((request, response) => {
      request.resume();
      if (request.headers['x-zip'] === undefined) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(SSE);
        release = () => response.end(END);
      } else response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(zipped);
    });
    const reader = (await send(url)).body?.getReader();
    // The first piece is there although the second has not been sent.
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(SSE);
    release();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(END);
    const raw = await new Promise<Uint8Array>((resolve) => {
      const asked = httpRequest(`${url}/v1/messages`, { method: 'POST', headers: { 'x-zip': '1' } }, (answer) => {
        const parts: Uint8Array[] = [];
        answer.on('data', (part: Uint8Array) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)));
      });
      asked.end(BODY);
    });
    expect(Buffer.compare(raw, zipped)).toBe(0);
    await vi.waitFor(() => expect(lines).toHaveLength(2));
    for (const { usage, body } of readRecording(lines.join('\n')).calls)
      expect([usage?.uncached, body]).toEqual([5, BODY]);
  });

  it('CP3: passes errors of the provider on, answers 502 where nobody does, and refuses upgrades in words', async () => {
    const { url, lines, port } = await capture((request, response) => {
      request.resume();
      response
        .writeHead(429, { 'retry-after': '7' })
        .end('{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}');
    });
    const refused = await send(url);
    expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
      429,
      '7',
      expect.stringContaining('slow'),
    ]);
    const nobody = await capture(() => {}, { target: 'http://127.0.0.1:9' });
    const missing = await send(nobody.url);
    expect([missing.status, await missing.text()]).toEqual([
      502,
      expect.stringContaining('can’t reach 127.0.0.1:9: nothing listens there'),
    ]);
    await vi.waitFor(() => expect(lines.concat(nobody.lines)).toHaveLength(2));
    for (const call of readRecording(lines.concat(nobody.lines).join('\n')).calls) expect(call.failed).toBe(true);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          'GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        ),
      );
      let said = '';
      socket.on('data', (data) => (said += data.toString())).on('close', () => resolve(said));
    });
    expect(text).toMatch(/^HTTP\/1\.1 426 [^]*WebSocket connections can’t be recorded/);
  });

  it('CP5: survives a client that hangs up, a provider that breaks off, and its own end, and records what came', async () => {
    let closed = 0;
    const { url, lines, close } = await capture((request, response) => {
      request.resume();
      response.on('close', () => closed++);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(SSE, () => request.headers['x-break'] !== undefined && response.destroy());
    });
    const gone = new AbortController();
    const first = await send(url, { signal: gone.signal });
    await first.body?.getReader().read();
    gone.abort();
    await vi.waitFor(() => expect([closed, lines.length]).toEqual([1, 1]));
    const broken = await send(url, { headers: { 'x-break': '1' } });
    await expect(broken.text()).rejects.toThrow();
    await vi.waitFor(() => expect(lines).toHaveLength(2));
    const stalled = await send(url);
    await stalled.body?.getReader().read();
    await close();
    expect(lines).toHaveLength(3);
    expect(lines.map((line) => (JSON.parse(line) as { cut?: string }).cut)).toEqual(['client', 'provider', 'capture']);
    for (const call of readRecording(lines.join('\n')).calls)
      expect(call).toMatchObject({ body: BODY, usage: { partial: true } });
  });

  it('CP6: follows the rules of servers on this machine, and gives pages CORS of its own only', async () => {
    const { url, lines } = await capture(
      (request, response) => {
        request.resume();
        response.writeHead(200, { 'access-control-allow-origin': '*' }).end(ANSWER);
      },
      { origins: ['https://lathe.example'] },
    );
    const evil = await send(url, { headers: { origin: 'https://evil.example' } });
    expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const host = await new Promise<number | undefined>((resolve) => {
      httpRequest(`${url}/v1/messages`, { method: 'POST', headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end(BODY);
    });
    expect(host).toBe(403);
    const named = await send(url, { headers: { origin: 'https://lathe.example' } });
    expect([named.status, named.headers.get('access-control-allow-origin')]).toEqual([200, 'https://lathe.example']);
    expect((await send(url)).headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await send(url, { method: 'OPTIONS', body: null, headers: { origin: 'https://lathe.example' } });
    expect(preflight.status).toBe(204);
    await vi.waitFor(() => expect(lines).toHaveLength(2));
  });

  it('CP4: asks for answers that it can read, and tells a request that it cannot', async () => {
    const asked: (string | undefined)[] = [];
    const told: (string | undefined)[] = [];
    const { url, lines } = await capture(
      (request, response) => {
        request.resume();
        asked.push(request.headers['accept-encoding']?.toString());
        response.end(ANSWER);
      },
      { onRequest: ({ problem }) => void told.push(problem) },
    );
    await (await send(url, { headers: { 'accept-encoding': 'gzip, zstd;q=0.5, br' } })).text();
    await (await send(url, { body: 'x', headers: { 'content-encoding': 'odd' } })).text();
    await vi.waitFor(() => expect(told).toHaveLength(2));
    const canRead = 'zstdDecompressSync' in zlib;
    expect(asked[0]).toBe(canRead ? 'gzip, zstd;q=0.5, br' : 'gzip, br');
    expect([lines.length, told[0], told[1]]).toEqual([1, undefined, expect.stringContaining('not recorded')]);
  });

  it('CP4: passes other requests on and records only those of a model', async () => {
    const { url, lines } = await capture((request, response) => {
      request.resume();
      response.end(request.url);
    });
    expect(await (await fetch(`${url}/v1/models?limit=2`)).text()).toBe('/v1/models?limit=2');
    expect(await (await fetch(`${url}/v1/messages/count_tokens`, { method: 'POST', body: BODY })).text()).toContain(
      'count',
    );
    expect(lines).toEqual([]);
  });
});

describe('the file of a capture', () => {
  const place = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'lathe-capture-'));
    opened.push(() => rmSync(folder, { recursive: true }));
    return join(folder, 'out.jsonl');
  };
  const line = JSON.stringify({ started_at: 1, body: BODY });

  it('CP7: is readable at any time, and never replaces a file that is there', async () => {
    const path = place();
    const file = await createRecordingFile(path, 'https://api.anthropic.com', { now: () => 0, onStopped: () => {} });
    expect(readRecording(readFileSync(path, 'utf8'))).toEqual({ calls: [], faults: [] });
    file.append(line);
    file.append(line);
    await file.close();
    expect(file.requests()).toBe(2);
    expect(readRecording(readFileSync(path, 'utf8'))).toMatchObject({
      calls: [{ body: BODY }, { body: BODY }],
      faults: [],
    });
    await expect(createRecordingFile(path, '', { now: () => 0, onStopped: () => {} })).rejects.toThrow('EEXIST');
  });

  it('CP8: a full disk ends the recording with a whole line, and the first line says where', async () => {
    const path = place();
    const told: string[] = [];
    let room = 1200;
    const { open } = await import('node:fs/promises');
    const file = await createRecordingFile(path, 'https://api.anthropic.com', {
      now: () => 0,
      onStopped: (why) => told.push(why),
      open: async (name) => {
        const real = await open(name, 'wx+');
        return {
          read: real.read.bind(real),
          truncate: real.truncate.bind(real),
          close: real.close.bind(real),
          // A disk with little room: what fits is written, what comes after it is refused.
          write: (async (bytes: Uint8Array, offset: number, length: number, position: number) => {
            const fits = Math.min(length, Math.max(0, room - position));
            if (fits === 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
            return real.write(bytes, offset, fits, position);
          }) as typeof real.write,
        };
      },
    });
    for (let count = 0; count < 20; count++) file.append(line);
    await file.close();
    room = 0;
    const { calls, faults } = readRecording(readFileSync(path, 'utf8'));
    expect(calls).toHaveLength(file.requests());
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.length).toBeLessThan(20);
    expect(faults).toEqual([
      {
        line: 1,
        message: expect.stringMatching(new RegExp(`after ${calls.length} requests: the disk is full`)) as string,
      },
    ]);
    expect(told).toEqual(['the disk is full']);
  });
});
