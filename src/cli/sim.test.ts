import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

describe('lathe sim', () => {
  it('SI46: its help explains scenarios', () => {
    const { code, stdout } = runLathe(['sim', '--help'], PROJECT);
    expect(code).toBe(0);
    expect(stdout).toContain('tool_result_of');
    expect(stdout).toContain('malformed_tool_input');
  });

  it('SI46: tells a mistake in a scenario with file and line', () => {
    using folder = createFolder({ 'wrong.yaml': 'rules:\n  - reply:\n      txt: a\n' });
    const { code, stderr } = runLathe(['sim', '--scenario', 'wrong.yaml'], folder.path);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'wrong.yaml:3: rules[1].reply: unknown key “txt”. Allowed: text, thinking, tool_calls, stop, fault',
    );
  });

  it.each([
    [['--port', 'abc'], 'expected a whole number from 0 to 65535'],
    [['--port', '70000'], 'expected a whole number from 0 to 65535'],
    [['--scenario', 'none.yaml'], "can't read none.yaml"],
    [['extra'], "unexpected argument: 'extra'"],
    [['--nothing'], '--nothing'],
  ])('SI46: a usage error is reported: %j', (args, told) => {
    const { code, stderr } = runLathe(['sim', ...args], PROJECT);
    expect(code).toBe(2);
    expect(stderr).toContain(told);
  });

  it('SI47: serves until it is interrupted, and logs one line per request without keys', async () => {
    using folder = createFolder({ 'a.yaml': 'rules: [{reply: {text: Served.}}]' });
    const child = spawn(
      process.execPath,
      [join(PROJECT, 'bin', 'lathe'), 'sim', '--port', '0', '--fast', '--scenario', 'a.yaml'],
      { cwd: folder.path },
    );
    let out = '';
    let log = '';
    child.stderr.on('data', (data: Uint8Array) => (log += new TextDecoder().decode(data)));
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (data: Uint8Array) => {
        out += new TextDecoder().decode(data);
        const [found] = /http:\S+/.exec(out) ?? [];
        if (found !== undefined) resolve(found);
      });
      void closed.then((code) => reject(new Error(`it ended with ${code}: ${log}`)));
    });
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2026-10-21', 'x-api-key': 'sk-secret' },
      body: JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 10, messages: [{ role: 'user', content: 'a' }] }),
    });
    expect(await response.json()).toMatchObject({ content: [{ text: 'Served.' }] });
    child.kill('SIGINT');
    expect(await closed).toBe(0);
    expect(out).toMatch(/^The simulator listens on http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(log).toMatch(/^POST \/v1\/messages 200 claude-haiku-4-5 read 0 write 0 input \d+ output \d+\n$/);
    expect(log + out).not.toContain('secret');
  });
});
