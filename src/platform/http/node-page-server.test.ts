import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOwnPage, startPageServer, type PageServer } from './node-page-server.ts';

let folder: string;
let server: PageServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lathe-page-'));
  writeFileSync(join(folder, 'index.html'), '<title>Lathe</title>');
  writeFileSync(join(folder, '.stamp'), 'secret');
  server = await startPageServer({ folder, port: 0 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** `fetch` tidies paths and names the host itself. */
const status = (path: string, host = 'localhost', method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request({ port: server.port, host: '127.0.0.1', path, method, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('error', reject).end();
  });

it('PGS1: answers at localhost alone', async () => {
  expect(server.url).toBe(`http://localhost:${server.port}`);
  expect(await status('/')).toBe(200);
  expect(await status('/', 'evil.example')).toBe(403);
});

/** The first line of the answer to a request as it is written here. */
const answerTo = (...lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.setEncoding('utf8');
    socket.once('data', (text: string) => {
      resolve(text.split('\r\n', 1)[0] ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve('closed'));
  });

it('LO1: looks at every name that a request has', async () => {
  const [own, other] = ['Host: localhost', 'Host: evil.example'];
  expect(await answerTo('GET / HTTP/1.1', own)).toContain('200');
  expect(await answerTo('GET / HTTP/1.1', own, other)).toContain('403');
  expect(await answerTo('GET / HTTP/1.1', other, own)).toContain('403');
  expect(await answerTo('GET http://evil.example/ HTTP/1.1', own)).toContain('403');
  expect(await answerTo('GET http://localhost/ HTTP/1.1', own)).toContain('200');
  expect(await answerTo('GET / HTTP/1.0')).toContain('403');
});

it('LO2: names no option that it does not have', async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/`, { headers: { origin: 'http://evil.example' } });
  expect(response.status).toBe(403);
  expect(await response.text()).toBe('Pages from "http://evil.example" may not use this server.\n');
});

it('PGS2: answers to a path that no file can have', async () => {
  for (const path of ['//', 'http://', '/index.html/', `/${'a'.repeat(5000)}`])
    expect(await answerTo(`GET ${path} HTTP/1.1`, 'Host: localhost'), path).toMatch(/40[34]/);
});

it('PGS2: serves files of the build, and only to read', async () => {
  expect(await status('/index.html')).toBe(200);
  for (const path of ['/.stamp', '/../../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/nothing'])
    expect(await status(path), path).toBe(404);
  expect(await status('/', 'localhost', 'POST')).toBe(405);
  const head = await fetch(server.url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '',
  ]);
});

it('PGS4: tells a page of ours from another', async () => {
  expect(await isOwnPage(`http://127.0.0.1:${server.port}`)).toBe(true);
  expect(await isOwnPage(`http://127.0.0.1:${server.port}/nothing`)).toBe(false);
});

it('PGS3: a server on every address names localhost', async () => {
  const open = await startPageServer({ folder, port: 0, host: '0.0.0.0' });
  expect(open.url).toBe(`http://localhost:${open.port}`);
  await open.close();
});
