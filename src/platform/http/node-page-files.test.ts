import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPageFiles } from './node-page-files.ts';

it('CP9: serves the files of the build and the recording from any byte on, and nothing else', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lathe-page-'));
  mkdirSync(join(root, 'dist', 'assets'), { recursive: true });
  writeFileSync(join(root, 'dist', 'index.html'), '<p>page');
  writeFileSync(join(root, 'dist', 'assets', 'a.js'), '1');
  writeFileSync(join(root, 'dist', '.stamp'), 's');
  writeFileSync(join(root, 'secret.txt'), 'no');
  let data = 'line 1\n';
  const recording = {
    size: () => data.length,
    read: (from: number, most: number) => Promise.resolve(Buffer.from(data.slice(from, from + most))),
  };
  const own = createPageFiles({ folder: join(root, 'dist'), recording });
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      if (!(await own(request, response))) response.writeHead(418).end();
    };
    void serve();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const page = await fetch(`${url}/?capture`);
    expect([await page.text(), page.headers.get('content-type')]).toEqual(['<p>page', 'text/html; charset=utf-8']);
    expect(await (await fetch(`${url}/assets/a.js`)).text()).toBe('1');
    for (const path of ['/.stamp', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets', '/v1/models', '/%00'])
      expect((await fetch(url + path)).status).toBe(418);
    expect((await fetch(url, { method: 'POST' })).status).toBe(418);
    expect(await (await fetch(`${url}/lathe/recording?from=5`)).text()).toBe('1\n');
    // Nothing new yet: the answer comes with the next line.
    const more = fetch(`${url}/lathe/recording?from=7`);
    data += 'line 2\n';
    expect(await (await more).text()).toBe('line 2\n');
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(root, { recursive: true });
  }
});
