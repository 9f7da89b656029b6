import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, runLathe } from './testing/run-lathe.ts';

const skill = (name: string, description = `Does ${name}. Use when ${name} is wanted.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nFirst look at what is there, then do the work in small steps, then check it.\n`;

describe('lathe agents', () => {
  it('prints the listing of each agent as JSON, without the user’s own folders', () => {
    using folder = createFolder({
      'p/.claude/skills/a/SKILL.md': skill('a'),
      'p/.kiro/skills/b/SKILL.md': skill('b'),
      'home/.claude/skills/mine/SKILL.md': skill('mine', 'Mine.'),
    });
    const ran = runLathe(['agents', 'p', '--client', 'claude-code,kiro', '--user', 'home', '--json'], folder.path);
    expect(ran.code).toBe(0);
    const { clients } = JSON.parse(ran.stdout) as { clients: { client: string; text: string; entries: unknown[] }[] };
    expect(clients.map(({ client }) => client)).toEqual(['claude-code', 'kiro']);
    expect(clients[0]?.text.split('\n').slice(2)).toEqual(['- mine: Mine.', '- a: Does a. Use when a is wanted.']);
    expect(clients[0]?.entries[1]).toMatchObject({
      name: 'a',
      path: '.claude/skills/a',
      state: 'kept',
      shown: 'Does a. Use when a is wanted.',
    });
    const without = runLathe(['agents', 'p', '--client', 'claude-code', '--no-user'], folder.path);
    expect(without.stdout.split('\n')[0]).toBe('Claude Code lists 1 skill whole. (version 2.1.328, claude-haiku-4-5)');
  });

  it('says how to correct a wrong option', () => {
    using folder = createFolder({ 'a/SKILL.md': skill('a') });
    const wrong = runLathe(['agents', '.', '--client', 'nobody'], folder.path);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain("invalid --client 'nobody'; expected claude-code");
  });
});

describe('what lathe check knows of agents', () => {
  it('names the agents of each skill, and the folders that none loads', () => {
    using folder = createFolder({
      '.cursor/skills/one/SKILL.md': skill('one'),
      '.roo/skills/two/SKILL.md': skill('two'),
    });
    const { code, stdout } = runLathe(['check', '.', '--json'], folder.path);
    const report = JSON.parse(stdout) as {
      skills: { path: string; clients: unknown }[];
      log: { code: string; text: string }[];
    };
    expect(code).toBe(0);
    expect(report.skills.map(({ path, clients }) => [path, clients])).toEqual([
      ['.cursor/skills/one', [{ client: 'cursor', from: '' }]],
      ['.roo/skills/two', []],
    ]);
    expect(report.log).toMatchObject([{ code: 'check.unloaded', text: expect.stringContaining('.roo/skills/two') }]);
  });

  it('is not green over a folder that it could not look at', () => {
    using folder = createFolder({ 'p/.claude/skills/one/SKILL.md': skill('one'), 'away/two/SKILL.md': skill('two') });
    symlinkSync('../../../away/two', join(folder.path, 'p/.claude/skills/two'));
    const { code, stdout } = runLathe(['check', 'p'], folder.path);
    expect(code).toBe(1);
    expect(stdout).toContain('1 skill checked, 1 unreadable');
  });

  it('knows the rest of the folder when a single file is checked', () => {
    using folder = createFolder({
      '.claude/skills/one/SKILL.md': skill('one'),
      '.claude/skills/two/SKILL.md': skill('two')
        .replace('name: two', 'name: one')
        .concat('\nSee [[one]] and [[nobody]].\n'),
    });
    const { stdout } = runLathe(['check', '.claude/skills/two/SKILL.md', '--json'], folder.path);
    const report = JSON.parse(stdout) as {
      skills: { path: string; diagnostics: { rule: string; message: string }[] }[];
    };
    expect(report.skills.map(({ path }) => path)).toEqual(['.claude/skills/two']);
    const rules = report.skills[0]?.diagnostics.map(({ rule }) => rule) ?? [];
    expect(rules).toContain('duplicate-name');
    expect(report.skills[0]?.diagnostics.filter(({ message }) => message.includes('nobody'))).toHaveLength(1);
    expect(
      report.skills[0]?.diagnostics.some(({ message }) => message.includes('`one`') && message.includes('link')),
    ).toBe(false);
  });
});
