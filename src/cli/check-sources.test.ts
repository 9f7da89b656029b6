import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

const LATHE = join(PROJECT, 'bin', 'lathe');
const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Writes unit tests for code. Use when code has no tests.\n---\n\n# Tests\n\nShort.\n`;
const checkText = (input: string, folder: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LATHE, 'check', ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
};

describe('lathe check on standard input', () => {
  it('takes the folder, its files, and lathe.yaml from the name', () => {
    using folder = createFolder({
      'lathe.yaml': 'rules: {name-folder: warning}\n',
      'skills/mine/SKILL.md': skill('mine'),
      'skills/mine/notes.md': 'Notes.\n',
    });
    const name = ['-', '--stdin-filename', 'skills/mine/SKILL.md'];
    const linked = `${skill('mine')}\nSee [notes](notes.md) and [more](more.md).\n`;
    const found = JSON.parse(checkText(linked, folder.path, ...name, '--json').stdout) as {
      skills: { path: string; diagnostics: { message: string }[] }[];
    };
    expect(found.skills.map(({ path }) => path)).toEqual(['skills/mine']);
    const messages = JSON.stringify(found.skills[0]?.diagnostics);
    expect(messages).toContain('more.md');
    expect(messages).not.toContain('notes.md');
    const other = checkText(skill('other'), folder.path, ...name);
    expect(other).toMatchObject({ code: 0, stdout: expect.stringMatching(/warning: .*\[name-folder\]/) as string });
  });

  it('needs no name, and no folder that exists', () => {
    using folder = createFolder({});
    expect(checkText(skill('mine'), folder.path, '-').code).toBe(0);
    expect(checkText(skill('Mine'), folder.path, '--stdin').stdout).toContain('[name-case]');
    expect(checkText(skill('mine'), folder.path, '-', '--stdin-filename', 'new/other/SKILL.md').stdout).toContain(
      '[name-folder]',
    );
  });

  it.each([
    [['-', 'skills'], "standard input and DIR can't be used together"],
    [['-', '--fix'], '--fix needs a file'],
    [['-', '--watch'], "--watch can't"],
    [['-', '--stdin-filename', 'a.txt'], 'expected the path of a SKILL.md'],
  ])('a usage error %j is reported', (args, told) => {
    expect(checkText('', PROJECT, ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(told) as string,
    });
  });
});

describe('lathe check in a project', () => {
  it('GI1: leaves out what .gitignore names, and says so', () => {
    using folder = createFolder({
      '.gitignore': 'drafts/\n',
      'skills/mine/SKILL.md': skill('mine'),
      'drafts/other/SKILL.md': skill('Wrong'),
    });
    const check = (...args: string[]) => runLathe(['check', ...args], folder.path);
    expect(check('.')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 skill left out by .gitignore') as string,
    });
    expect(check('.', '--fix').code).toBe(0);
    expect(check('.', '--no-gitignore').code).toBe(1);
    expect(check('drafts').code).toBe(1);
  });

  it('LCF6: fails when the list of skills of an agent is over its budget', () => {
    using folder = createFolder({
      '.git/HEAD': '',
      'lathe.yaml': 'clients: [claude-code, codex]\nindex_budget: 5\n',
      '.claude/skills/mine/SKILL.md': skill('mine'),
    });
    const { code, stderr } = runLathe(['check', '.'], folder.path);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Claude Code lists skills in \d+ tokens; at most 5 are allowed/);
    const agents = runLathe(['agents', '.', '--no-user', '--json'], folder.path);
    expect(
      (JSON.parse(agents.stdout) as { clients: { client: string }[] }).clients.map(({ client }) => client),
    ).toEqual(['claude-code', 'codex']);
  });

  it('checks again after a change, and ends with the last result', async () => {
    using folder = createFolder({ 'mine/SKILL.md': skill('mine') });
    const child = spawn(process.execPath, [LATHE, 'check', '.', '--watch'], { cwd: folder.path });
    let said = '';
    const saw = async (pattern: RegExp): Promise<void> => {
      while (!pattern.test(said)) said += String((await once(child.stdout, 'data'))[0]);
    };
    let told = '';
    child.stderr.on('data', (bytes) => (told += String(bytes)));
    await saw(/1 skill/);
    while (!told.includes('Watching')) await once(child.stderr, 'data');
    writeFileSync(join(folder.path, 'mine', 'SKILL.md'), skill('Mine'));
    await saw(/\[name-case\]/);
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(1);
  });
});
