import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
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

it('PGS2: serves files of the build, and only to read', async () => {
  expect(await status('/index.html')).toBe(200);
  for (const path of ['/.stamp', '/../../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/nothing'])
    expect(await status(path), path).toBe(404);
  expect(await status('/', 'localhost', 'POST')).toBe(405);
});

it('PGS4: tells a page of ours from another', async () => {
  expect(await isOwnPage(`http://127.0.0.1:${server.port}`)).toBe(true);
  expect(await isOwnPage(`http://127.0.0.1:${server.port}/nothing`)).toBe(false);
});
