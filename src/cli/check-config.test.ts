import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, runLathe } from './testing/run-lathe.ts';

const SKILL =
  '---\nname: other\ndescription: Writes unit tests for code. Use when code has no tests.\n---\n\n# Tests\n\nShort.\n';

describe('lathe check with lathe.yaml', () => {
  it('LCF5: finds the file above, and options win over it', () => {
    using folder = createFolder({
      '.git/HEAD': '',
      'lathe.yaml': 'profile: strict\nmax_warnings: 0\nrules: {name-folder: warning}\n',
      'a/mine/SKILL.md': SKILL,
    });
    const check = (...args: string[]) => runLathe(['check', 'a', ...args], folder.path);
    expect(check().code).toBe(1);
    expect(check().stderr).toContain('at most 0 are allowed');
    expect(check('--profile', 'standard', '--max-warnings', '9').code).toBe(0);
  });

  it('LCF4: with mistakes, nothing is checked and each is named with its line', () => {
    using folder = createFolder({ 'lathe.yaml': '\nprofil: strict\n', 'mine/SKILL.md': SKILL });
    const ran = runLathe(['check', '.'], folder.path);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('lathe.yaml:2: no key profil');
  });

  it('LCF1, LCF3, CDI1: a fix leaves alone what is off, disabled, or ignored', () => {
    const disabled = SKILL.replace('name: other', '# lathe-disable name-case: sold under it\nname: Own');
    using folder = createFolder({
      'lathe.yaml': 'rules: {name-folder: off}\nignore: [theirs/]\n',
      'mine/SKILL.md': SKILL,
      'own/SKILL.md': disabled,
      'theirs/SKILL.md': SKILL.replace('name: other', 'name: Other'),
    });
    runLathe(['check', '.', '--fix', '--unsafe'], folder.path);
    expect(readFileSync(join(folder.path, 'mine/SKILL.md'), 'utf8')).toBe(SKILL);
    expect(readFileSync(join(folder.path, 'own/SKILL.md'), 'utf8')).toBe(disabled);
    expect(readFileSync(join(folder.path, 'theirs/SKILL.md'), 'utf8')).toContain('name: Other');
  });

  it('writes the report to a file, and errors alone with --quiet', () => {
    using folder = createFolder({ 'mine/SKILL.md': SKILL });
    const ran = runLathe(['check', '.', '--quiet', '--output-file', 'report.txt'], folder.path);
    const report = readFileSync(join(folder.path, 'report.txt'), 'utf8');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' });
    expect(report).toContain('[name-folder]');
    expect(report).not.toMatch(/: (?:warning|info):/);
  });
});

describe('rules', () => {
  it('are listed, and one is explained', () => {
    using folder = createFolder({});
    expect(runLathe(['rules', '--profile', 'strict'], folder.path).stdout).toMatch(/^name-folder +error +/m);
    const one = runLathe(['explain-rule', 'name-folder'], folder.path).stdout;
    expect(one).toMatch(/standard +error/);
    expect(one).toContain('rules:\n  name-folder: off');
    expect(runLathe(['explain-rule', 'name-foldr'], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean name-folder?') as string,
    });
  });

  it('include those on comments, whose problems have no empty line of advice', () => {
    using folder = createFolder({
      'tests/SKILL.md':
        '---\n# lathe-disable bom: old editor\nname: tests\ndescription: Writes unit tests for code. Use when code has no tests.\n---\n\nRead the code. Write one test for every promise that it makes.\n',
    });
    expect(runLathe(['check', 'tests'], folder.path).stdout).toContain('└ A comment that no longer disables anything');
    expect(runLathe(['explain-rule', 'disable-unused'], folder.path).stdout).toContain('Remove the comment');
  });
});
