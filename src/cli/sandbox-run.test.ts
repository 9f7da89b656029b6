import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, runLathe } from './testing/run-lathe.ts';

const SKILL = `---
name: probe
description: Runs one command. Use when probing.
---
Input keys:

- \`argv\`: the command.
`;
const PROGRAM = `def run(input):
    ran = command(input["argv"], {"timeout": 60})
    return {"answer": ran["result"], "exit_code": ran["exit_code"], "ok": ran["ok"]}
`;
const FILES = { 'probe/SKILL.md': SKILL, 'probe/SKILL.star': PROGRAM, 'notes.txt': 'one\ntwo\n' };

const run = (folder: string, argv: readonly string[], ...more: readonly string[]) => {
  const { code, stdout, stderr } = runLathe(
    ['run', 'probe', '--input', JSON.stringify({ argv }), '--json', ...more],
    folder,
  );
  if (code === 2) return { code, stderr };
  const { result, changes } = JSON.parse(stdout) as { result: string; changes?: readonly unknown[] };
  const at = result.indexOf('{');
  const { trace: _trace, ...envelope } =
    at === -1 ? { result } : (JSON.parse(result.slice(at)) as Record<string, unknown>);
  return { code, ...envelope, ...(changes && { changes }) };
};

describe('lathe run --sandbox', () => {
  it('CLR1: commands run for real over the folder, and nothing reaches the disk', () => {
    using folder = createFolder(FILES);
    expect(run(folder.path, ['wc', '-l', 'notes.txt'], '--sandbox')).toMatchObject({
      code: 0,
      ok: true,
      answer: '2 notes.txt\n',
      changes: [],
    });
    expect(
      run(folder.path, ['sh', '-c', 'echo three >> notes.txt; rm probe/SKILL.md; exit 3'], '--sandbox'),
    ).toMatchObject({
      code: 0,
      ok: false,
      exit_code: 3,
      changes: [
        { path: 'notes.txt', status: 'modified' },
        { path: 'probe/SKILL.md', status: 'deleted' },
      ],
    });
    expect(readFileSync(join(folder.path, 'notes.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('CLR2: --apply keeps what was written', () => {
    using folder = createFolder(FILES);
    run(folder.path, ['sh', '-c', 'echo three >> notes.txt'], '--sandbox', '--apply');
    expect(readFileSync(join(folder.path, 'notes.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  it('CLR3: --allow narrows, and what is refused is an error in words', () => {
    using folder = createFolder({ ...FILES, 'answers.json': '["x"]' });
    for (const more of [[], ['--answers', 'answers.json']]) {
      const refused = run(folder.path, ['rm', 'notes.txt'], '--sandbox', '--allow', 'ls,cat', ...more);
      expect(refused).toMatchObject({ ok: false, exit_code: -1, changes: [] });
      expect((refused as { answer?: string }).answer).toContain(
        "error: command 'rm' is not allowed: only these commands are allowed: ls, cat",
      );
      expect(run(folder.path, ['cat', 'notes.txt'], '--sandbox', '--allow', 'ls,cat', ...more)).toMatchObject({
        ok: true,
        answer: 'one\ntwo\n',
      });
    }
  });

  it('CLR4: without --sandbox there are no commands; options that need it say so', () => {
    using folder = createFolder(FILES);
    expect(run(folder.path, ['ls'])).toMatchObject({ ok: false, answer: 'error: no commands available' });
    expect(run(folder.path, ['ls'], '--allow', 'ls')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--allow needs --sandbox') as string,
    });
    expect(run(folder.path, ['ls'], '--sandbox', '--folder', 'nowhere')).toMatchObject({ code: 2 });
  });
});
