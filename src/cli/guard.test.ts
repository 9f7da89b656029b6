import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

/** A test of somebody's agent: the official SDKs, which read base URLs and keys from the environment. */
const AGENT = `
import { createRequire } from 'node:module';
const require = createRequire(${JSON.stringify(join(PROJECT, 'package.json'))});
const Anthropic = require('@anthropic-ai/sdk').default;
const OpenAI = require('openai').default;
const rules = 'Write to ada@lovelace.example. Read the whole file before you change it, and run its tests afterwards. '.repeat(400);
const system = [{ type: 'text', text: rules + process.env.LAST, cache_control: { type: 'ephemeral' } }];
const messages = [{ role: 'user', content: 'Hello' }];
const client = new Anthropic();
const request = { model: 'claude-haiku-4-5', max_tokens: 9, system, messages };
for (const _ of 'ab') if ((await client.messages.create(request)).content.length === 0) throw new Error('no answer');
await client.messages.countTokens({ model: 'claude-haiku-4-5', system: 'Not a request.', messages });
await client.messages.create({ ...request, model: 'no-such-model' }).catch(() => undefined);
await new OpenAI().responses.create({ model: 'gpt-5.5', instructions: rules, input: 'Hello' });
process.exitCode = Number(process.env.CODE);
`;
const guard = (folder: string, last: string, args: readonly string[] = [], code = 0) =>
  runLathe(['guard', ...args, '--', process.execPath, 'agent.mjs'], folder, { LAST: last, CODE: `${code}` });

describe('lathe guard', () => {
  it('GRD2, GRD3, GRD6: locks what the official SDKs send, and fails with the verdict when it drifts', () => {
    using folder = createFolder({ 'agent.mjs': AGENT });
    const lock = join(folder.path, 'lathe.lock.yaml');
    expect(guard(folder.path, 'Be kind.')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no lathe.lock.yaml to compare with yet') as string,
    });
    expect(guard(folder.path, 'Be kind.', ['--update']).stdout).toContain('Wrote 2 prefixes');
    const written = readFileSync(lock, 'utf8');
    expect(written).not.toContain('lovelace');
    expect(written).toContain('Write to email-');
    expect(guard(folder.path, 'Be kind.')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4 requests, 2 prefixes as locked, 1 request refused.') as string,
    });
    const drifted = guard(folder.path, 'Be short.', ['--json']);
    expect(drifted.code).toBe(1);
    expect(JSON.parse(drifted.stdout)).toMatchObject({
      ok: false,
      requests: 4,
      refused: 1,
      prefixes: [
        { state: 'same', wire: 'openai-responses' },
        { state: 'drifted', at: 'system[0]', verdict: { kind: 'miss', position: { label: 'system[0]' } } },
      ],
    });
    // A comparison never writes.
    expect(readFileSync(lock, 'utf8')).toBe(written);
  });

  it('a command that fails, is missing, or asks nobody is notified, and nothing is written', () => {
    using folder = createFolder({ 'agent.mjs': AGENT });
    expect(guard(folder.path, '', ['--update'], 3)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the command failed with exit code 3') as string,
    });
    expect(runLathe(['guard', '--update', '--', 'no-such-command'], folder.path).code).toBe(2);
    expect(runLathe(['guard', '--update', '--', process.execPath, '-e', '0'], folder.path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no request reached the simulator') as string,
    });
    expect(existsSync(join(folder.path, 'lathe.lock.yaml'))).toBe(false);
  });

  it('GRD8: a usage error and a damaged lock are reported before the command runs', () => {
    using folder = createFolder({ 'lathe.lock.yaml': 'version: 1\nprefixes:\n  - model: 3\n' });
    expect(runLathe(['guard', 'npm', 'test'], folder.path).code).toBe(2);
    expect(runLathe(['guard', '--', 'no-such-command'], folder.path)).toMatchObject({
      code: 2,
      stderr: 'lathe guard: lathe.lock.yaml:3: model must be a string\n',
    });
  });
});
