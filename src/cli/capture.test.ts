import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

it('CP4: `lathe capture` prints what to set, records until it is interrupted, and `lathe explain` reads its file', async () => {
  const provider = createServer((request, response) => {
    request.resume();
    response.end('{"id":"m","type":"message","usage":{"input_tokens":3,"output_tokens":1}}');
  });
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  using folder = createFolder({ 'there.jsonl': 'x' });
  const args = ['capture', '--target', target, '--port', '0', '--out', 'out.jsonl'];
  const child = spawn(process.execPath, [join(PROJECT, 'bin', 'lathe'), ...args], { cwd: folder.path });
  let out = '';
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Uint8Array) => {
      out += new TextDecoder().decode(data);
      const [, found] = /ANTHROPIC_BASE_URL=(http:\S+) claude/.exec(out) ?? [];
      if (found !== undefined && out.includes('Ctrl+C')) resolve(found);
    });
    void closed.then((code) => reject(new Error(`it ended with ${code}: ${out}`)));
  });
  const body = JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 1, messages: [{ role: 'user', content: 'a' }] });
  await (await fetch(`${url}/v1/messages`, { method: 'POST', body, headers: { 'x-api-key': 'sk-secret-1' } })).text();
  child.kill('SIGINT');
  expect(await closed).toBe(0);
  provider.close();
  expect(out).toContain('Recorded 1 request.');
  const file = join(folder.path, 'out.jsonl');
  expect(readFileSync(file, 'utf8')).not.toContain('sk-secret-1');
  const { code, stdout } = runLathe(['explain', 'out.jsonl', '--json'], folder.path);
  expect([code, (JSON.parse(stdout) as { verdicts: unknown[] }).verdicts.length]).toEqual([0, 1]);
  const unused = spawn(process.execPath, [join(PROJECT, 'bin', 'lathe'), ...args.slice(0, -1), 'none.jsonl'], {
    cwd: folder.path,
  });
  let none = '';
  unused.stdout.on('data', (data: Uint8Array) => {
    none += new TextDecoder().decode(data);
    if (none.includes('Ctrl+C')) unused.kill('SIGINT');
  });
  await new Promise((resolve) => unused.on('close', resolve));
  expect(none).toContain('No requests came.');
  const used = runLathe(['capture', '--target', target, '--out', 'there.jsonl'], folder.path);
  expect([used.code, used.stderr]).toEqual([2, expect.stringContaining('there.jsonl already exists')]);
  expect(runLathe(['capture', '--target', 'ftp://x'], folder.path).stderr).toContain("invalid --target 'ftp://x'");
}, 60_000);
