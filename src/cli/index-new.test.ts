import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROFILES } from '../model/skill/types.ts';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n`;

describe('lathe index', () => {
  it('prints the index of the skill format, one line per skill, sorted', () => {
    using folder = createFolder({
      '.agents/skills/pdf/SKILL.md': skill('pdf', 'Reads PDF. Use when handling PDFs.'),
      '.agents/skills/code/SKILL.md': skill('code', '|\n  Line one.\n  Line two.'),
      '.agents/skills/loop/SKILL.md': skill('loop', 'Loops.'),
      '.agents/skills/loop/SKILL.star': 'def run(input):\n    return "x"\n',
    });
    const { stdout, code } = runLathe(['index', '.'], folder.path);
    expect(code).toBe(0);
    expect(stdout).toBe(
      '## Available skills\nUse `skill_search(query)` to filter and `skill_load(name)` to read a body.\n\n' +
        '- code: Line one. Line two.\n- loop: Loops. (metaskill: starlark)\n- pdf: Reads PDF. Use when handling PDFs.\n',
    );
    expect(runLathe(['index', '.', '--dialect', 'agents', '--policy', 'off'], folder.path).stdout).toBe(
      'You have access to the following skills. Load any when relevant.\n\n- code: Line one. Line two.\n- loop: Loops.\n- pdf: Reads PDF. Use when handling PDFs.\n',
    );
  });

  it('walks up to the folder with .git', () => {
    using folder = createFolder({
      '.git/HEAD': '',
      '.claude/skills/top/SKILL.md': skill('top', 'Is at the top.'),
      'a/b/file': '',
    });
    expect(runLathe(['index', 'a/b'], folder.path).stdout).toContain('- top: Is at the top.');
  });

  it('does not take skills of the home folder for those of a project', () => {
    using home = createFolder({
      '.git/HEAD': '',
      '.claude/skills/mine/SKILL.md': skill('mine', 'Is at home.'),
      'work/file': '',
    });
    expect(runLathe(['index', 'work'], home.path, { HOME: home.path, USERPROFILE: home.path }).stdout).toBe('');
  });

  it('puts the user’s library after the project, and says what it hides', () => {
    using folder = createFolder({
      'project/.agents/skills/one/SKILL.md': skill('one', 'Project.'),
      'user/one/SKILL.md': skill('one', 'User.'),
      'user/two/SKILL.md': skill('two', 'Second.'),
    });
    const { stdout, stderr } = runLathe(['index', 'project', '--user', 'user'], folder.path);
    expect(stdout).toContain('- one: Project.\n- two: Second.');
    expect(stderr).toContain("info: skill 'one' in workspace overrides global definition");
  });

  it('tells everything as JSON', () => {
    using folder = createFolder({
      '.agents/skills/one/SKILL.md': skill('one', 'x'.repeat(400)),
      'AGENTS.md': '# Rules\n',
    });
    const report = JSON.parse(runLathe(['index', '.', '--json'], folder.path).stdout) as {
      lines: { name: string; tokens: number }[];
      report: { outcome: string }[];
      instructions: { path: string }[];
      log: unknown[];
    };
    expect(report.lines).toMatchObject([{ name: 'one', tokens: Math.floor(407 / 4) }]);
    expect(report.report).toMatchObject([{ outcome: 'loaded' }]);
    expect(report.instructions).toMatchObject([{ path: 'AGENTS.md' }]);
    expect(report.log).toEqual([]);
  });
});

describe('lathe new', () => {
  it('writes skills and metaskills that every profile accepts without a word', () => {
    using folder = createFolder({});
    expect(runLathe(['new', 'skill', 'api-notes'], folder.path)).toMatchObject({
      code: 0,
      stdout: 'api-notes/SKILL.md\n',
    });
    expect(runLathe(['new', 'metaskill', 'try-again'], folder.path).code).toBe(0);
    for (const profile of PROFILES) {
      const { stdout } = runLathe(['check', '.', '--level', 'hint', '--profile', profile], folder.path);
      expect(stdout, profile).toBe('2 skills checked, all valid.\n');
    }
  });

  it('writes tests that the new metaskill passes, and only beside a skill', () => {
    using folder = createFolder({});
    const missing = runLathe(['new', 'test', 'try-again'], folder.path);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('skill not found: try-again')]);
    runLathe(['new', 'metaskill', 'try-again'], folder.path);
    expect(runLathe(['test', '.'], folder.path)).toMatchObject({ code: 0 });
    rmSync(join(folder.path, 'try-again/SKILL.test.yaml'));
    expect(runLathe(['new', 'test', 'try-again'], folder.path).stdout).toBe('try-again/SKILL.test.yaml\n');
    expect(runLathe(['test', '.'], folder.path).stdout).toContain('2 passed, 0 failed');
  });

  it('goes where the skills are, and never overwrites', () => {
    using folder = createFolder({});
    mkdirSync(join(folder.path, '.agents/skills'), { recursive: true });
    expect(runLathe(['new', 'skill', 'one'], folder.path).stdout.trim()).toBe(join('.agents/skills/one/SKILL.md'));
    const again = runLathe(['new', 'skill', 'one'], folder.path);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('already exists');
  });

  it('writes instructions, and refuses a name that no skill can have', () => {
    using folder = createFolder({});
    expect(runLathe(['new', 'instructions', 'The Harbour'], folder.path).stdout).toBe('AGENTS.md\n');
    expect(runLathe(['new', 'instructions', '--dir', 'pier'], folder.path).stdout).toBe(join('pier/AGENTS.md\n'));
    const { code, stderr } = runLathe(['new', 'skill', 'My Skill'], folder.path);
    expect(code).toBe(2);
    expect(stderr).toContain('Try my-skill.');
  });
});

it('lathe --help and --version answer, and no command is a usage error', () => {
  expect(runLathe(['--help'], PROJECT)).toMatchObject({ code: 0, stderr: '' });
  expect(runLathe(['--version'], PROJECT).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(runLathe([], PROJECT).code).toBe(2);
  expect(runLathe(['help', 'run'], PROJECT).stdout).toBe(runLathe(['run', '--help'], PROJECT).stdout);
  const typo = runLathe(['chekc', '.'], PROJECT);
  expect(typo).toMatchObject({ code: 2, stdout: '' });
  expect(typo.stderr).toContain('Did you mean `lathe check`?');
});
