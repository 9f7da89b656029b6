// `lathe index` over a folder whose configuration names an address.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder, PROJECT } from './testing/run-lathe.ts';

const KNOTS = '---\nname: knots\ndescription: Ties knots. Use when something has to be tied.\n---\n# Knots\n';

/** While it runs, the server of this process has to answer. */
const runIndex = (folder: string, cache: string): Promise<{ readonly out: string; readonly err: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(PROJECT, 'bin', 'lathe'), 'index', '.', '--remote'], {
      cwd: folder,
      env: { ...process.env, LATHE_CACHE: cache },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
    child.on('error', reject);
    child.on('close', () => resolve({ out, err }));
  });

it('RS1, RS2, RS7: fetched, then from the copy, with a reason that fits a terminal', { timeout: 120_000 }, async () => {
  const server = createServer((_request, response) => response.end(KNOTS));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/knots/SKILL.md`;
  using folder = createFolder({ '.agents/config.yaml': `skills:\n  urls: [${url}]\n` });
  using cache = createFolder({});
  try {
    const online = await runIndex(folder.path, cache.path);
    expect(online.out).toContain('- knots: Ties knots. Use when something has to be tied.');
    expect(online.err).toBe('');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
  const offline = await runIndex(folder.path, cache.path);
  expect(offline.out).toContain('- knots: Ties knots.');
  expect(offline.err).toContain(`warning: ${url}: 127.0.0.1 can’t be reached (`);
  expect(offline.err).toContain('Lathe uses the saved copy.');
  expect(offline.err).not.toContain('CORS');
});
