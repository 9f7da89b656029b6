import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createFolder, PROJECT } from './testing/run-lathe.ts';

const call = (n: number, more: object = {}) =>
  JSON.stringify({
    body: JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 1, messages: [{ role: 'user', content: `a${n}` }] }),
    started_at: 1_794_816_000_000 + n,
    usage: { uncached: 3, read: 0, writes: {}, output: 1 },
    ...more,
  });

it('TF18: `lathe explain --follow` tells each request once, as it comes, and what is open at the end', async () => {
  using folder = createFolder({ 'notes/readme.txt': 'no recording', 'a.jsonl': `${call(1)}\n{"cut` });
  const args = ['explain', '--follow', '--json', '.'];
  const child = spawn(process.execPath, [join(PROJECT, 'bin', 'lathe'), ...args], { cwd: folder.path });
  let out = '';
  let told = '';
  child.stdout.on('data', (data: Uint8Array) => (out += new TextDecoder().decode(data)));
  child.stderr.on('data', (data: Uint8Array) => (told += new TextDecoder().decode(data)));
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = () => out.split('\n').filter(Boolean);
  const seen = (count: number) => vi.waitFor(() => expect(lines()).toHaveLength(count), { timeout: 30_000 });
  await seen(1);
  appendFileSync(join(folder.path, 'b.jsonl'), `${call(2)}\n`);
  await seen(2);
  appendFileSync(join(folder.path, 'b.jsonl'), `${call(3)}\n${call(4, { usage: undefined })}\n`);
  await seen(3);
  child.kill('SIGINT');
  expect(await closed).toBe(0);
  expect(lines().map((line) => (JSON.parse(line) as { file: string; line: number }).line)).toEqual([1, 1, 2, 3]);
  // A line that is not JSON is reported once.
  expect(told.match(/a\.jsonl:2: the line is not JSON/g)).toHaveLength(1);
}, 60_000);
