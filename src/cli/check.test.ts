import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

const good = (name: string): string =>
  `---\nname: ${name}\ndescription: Explains how ${name} is done in this project. Use when starting something new.\n---\n\n# ${name}\n\nFirst look at what is there, then do the work in small steps, then check the result with the tests.\n`;

const broken = `---\nname: Bad Name\ndescription: Says what it does: badly. Use when testing.\nversion: 1.0\n---\n\n# Bad\n\nA body that is long enough to be a body, so that only the frontmatter has something to complain about.\n`;

interface Report {
  readonly skills: readonly {
    readonly path: string;
    readonly name: string | null;
    readonly valid: boolean;
    readonly diagnostics: readonly {
      readonly rule: string;
      readonly severity: string;
      readonly message: string;
      readonly line: number;
      readonly column: number;
      readonly fixable: boolean;
    }[];
  }[];
  readonly summary: Readonly<Record<string, number>>;
  readonly log: readonly { readonly level: string; readonly code: string; readonly text: string }[];
}

const json = (args: readonly string[], folder: string): Report =>
  JSON.parse(runLathe(['check', '--json', ...args], folder).stdout) as Report;

describe('lathe check', () => {
  it('says nothing but a summary about good skills, and exits 0', () => {
    using folder = createFolder({
      '.claude/skills/one/SKILL.md': good('one'),
      '.agents/skills/two/SKILL.md': good('two'),
    });
    const ran = runLathe(['check', '.'], folder.path);
    expect(ran).toEqual({ code: 0, stdout: '2 skills checked, all valid.\n', stderr: '' });
  });

  it('names a folder once where no known agent loads several of its skills', () => {
    using folder = createFolder(
      Object.fromEntries(['two', 'three', 'four'].map((name) => [`skills/${name}/SKILL.md`, good(name)])),
    );
    expect(runLathe(['check', '.'], folder.path).stdout).toBe(
      'skills: no known agent loads the 3 skills in this folder\n\n3 skills checked, all valid.\n',
    );
  });

  it('names each folder that no known agent loads, in one line', () => {
    using folder = createFolder({
      '.claude/skills/one/SKILL.md': good('one'),
      'skills/two/SKILL.md': good('two'),
      '.mine/skills/three/SKILL.md': good('three'),
    });
    expect(runLathe(['check', '.'], folder.path).stdout).toBe(
      [
        '.mine/skills/three: no known agent loads this folder',
        'skills/two: no known agent loads this folder',
        '',
        '3 skills checked, all valid.',
        '',
      ].join('\n'),
    );
    // A skill alone will be installed somewhere else.
    expect(runLathe(['check', '.'], join(folder.path, 'skills/two')).stdout).toBe('1 skill checked, all valid.\n');
  });

  it('shows file, line, column, a caret and the fix, and exits 1', () => {
    using folder = createFolder({ 'skills/bad-name/SKILL.md': broken });
    const { code, stdout } = runLathe(['check', 'skills'], folder.path);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^skills\/bad-name\/SKILL\.md:3:14: error: .* \[yaml-syntax\]$/);
    const source = lines[1] ?? '';
    const caret = lines[2] ?? '';
    expect(source).toContain('description: Says what it does: badly.');
    expect(caret.indexOf('^')).toBe(source.indexOf('Says'));
    expect(stdout).toContain('fix: Put the value in quotes');
    expect(stdout).not.toContain('\u001B');
  });

  it('CLI1: prints one JSON document of the promised shape, and nothing else', () => {
    using folder = createFolder({ 'a/SKILL.md': good('a'), 'b/SKILL.md': good('c') });
    const report = json(['.'], folder.path);
    expect(report.skills.map(({ path, name, valid }) => ({ path, name, valid }))).toEqual([
      { path: 'a', name: 'a', valid: true },
      { path: 'b', name: 'c', valid: false },
    ]);
    const [diagnostic] = report.skills[1]?.diagnostics ?? [];
    expect(diagnostic).toMatchObject({ rule: 'name-folder', severity: 'error', line: 2, column: 7, fixable: true });
    expect(report.summary).toMatchObject({ skills: 2, valid: 1, invalid: 1, errors: 1 });
    expect(report.log).toEqual([]);
  });

  it('judges by the profile', () => {
    using folder = createFolder({ 'a/SKILL.md': good('a').replace('---\n\n#', 'metadata: {x: y}\n---\n\n#') });
    expect(runLathe(['check', '.', '--profile', 'standard'], folder.path).code).toBe(0);
    expect(runLathe(['check', '.', '--profile', 'strict'], folder.path).code).toBe(1);
    using renamed = createFolder({ 'b/SKILL.md': good('c') });
    expect(runLathe(['check', '.'], renamed.path).code).toBe(1);
    expect(runLathe(['check', '.', '--profile', 'gemini'], renamed.path).code).toBe(0);
  });

  it('accepts a file for its folder, and a folder that is a skill itself', () => {
    using folder = createFolder({ 'one/SKILL.md': good('one') });
    expect(json(['one/SKILL.md'], folder.path).skills).toHaveLength(1);
    expect(json(['one'], folder.path).skills[0]?.path).toBe('one');
    expect(json(['.'], join(folder.path, 'one')).skills[0]?.path).toBe('.');
  });

  it('sees skills in the dot-folders of hosts and at any depth, and not in node_modules', () => {
    using folder = createFolder({
      '.claude/skills/one/SKILL.md': good('one'),
      'a/b/c/d/e/f/g/h/two/SKILL.md': good('two'),
      'node_modules/x/SKILL.md': good('x'),
    });
    expect(json(['.'], folder.path).skills.map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('reports the same name twice, and links to skills that do not exist', () => {
    using folder = createFolder({
      'x/one/SKILL.md': `${good('one')}See [[two]] and [[nobody]].\n`,
      'y/one/SKILL.md': good('one'),
      'y/two/SKILL.md': good('two').replace('Explains', 'Tells'),
    });
    const rules = json(['.'], folder.path).skills.flatMap(({ path, diagnostics }) =>
      diagnostics.map(({ rule }) => `${path} ${rule}`),
    );
    expect(rules).toContain('x/one wiki-link-unknown');
    expect(rules).toContain('y/one duplicate-name');
  });

  it('exits 1 where there is no skill, and says what it looked for', () => {
    using folder = createFolder({ 'README.md': 'x' });
    const { code, stdout } = runLathe(['check', '.'], folder.path);
    expect(code).toBe(1);
    expect(stdout).toContain('no folder has a SKILL.md');
  });

  it.each([
    [['check'], 'missing argument: DIR'],
    [['check', 'nowhere'], 'folder not found: nowhere'],
    [['check', '.', '--profile', 'mine'], "invalid --profile 'mine'; expected standard"],
    [['check', '.', '--unsafe'], '--unsafe needs --fix'],
    [['check', '.', '--colour'], '--colour'],
    [['bake'], "unknown command: 'bake'"],
  ])('usage error %j exits 2 with the error on one line, and at most the right call below it', (args, text) => {
    const { code, stdout, stderr } = runLathe(args, PROJECT);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [error, ...more] = stderr.trim().split('\n');
    expect(error).toContain(text);
    expect(more.filter((line) => !line.startsWith('usage: lathe '))).toEqual([]);
    expect(more.length).toBeLessThanOrEqual(1);
  });

  it('CLI6: lets nothing from a file reach the terminal as a control sequence', () => {
    using folder = createFolder({
      'evil/SKILL.md': `---\nname: evil\ndescription: "\u001B]0;owned\u0007\u001B[31mred\u009B2J"\n---\nbody\n`,
    });
    for (const format of ['human', 'github', 'sarif', 'json']) {
      const { stdout } = runLathe(['check', '.', '--format', format, '--level', 'hint'], folder.path);
      expect(stdout.includes('\u001B') || stdout.includes('\u009B') || stdout.includes('\u0007'), format).toBe(false);
    }
  });

  it('CLI6: colors only where it is wanted', () => {
    using folder = createFolder({ 'bad-name/SKILL.md': broken });
    expect(runLathe(['check', '.'], folder.path, { FORCE_COLOR: '1' }).stdout).toContain('\u001B[31m');
    expect(runLathe(['check', '.'], folder.path, { FORCE_COLOR: '1', NO_COLOR: '1' }).stdout).not.toContain('\u001B');
  });

  it('puts the caret below wide characters', () => {
    using folder = createFolder({
      'a/SKILL.md':
        '---\nname: a\ndescription: "技能。Use when needed in this project here."\nextra: 技能\n---\n\n# A\n\n' +
        'word '.repeat(30),
    });
    const { stdout } = runLathe(['check', '.'], folder.path);
    const lines = stdout.split('\n');
    const at = lines.findIndex((line) => line.includes('field-unknown'));
    expect(lines[at + 2]?.indexOf('^')).toBe(lines[at + 1]?.indexOf('extra'));
  });

  it('writes annotations that GitHub reads', () => {
    using folder = createFolder({ 'a,b/SKILL.md': good('x') });
    const { stdout } = runLathe(['check', '.', '--format', 'github'], folder.path);
    expect(stdout).toMatch(
      /^::error file=a%2Cb\/SKILL\.md,line=2,endLine=2,col=7,endColumn=8,title=name-folder::The name is `x`/m,
    );
  });

  it('writes SARIF with rules, places and paths as URIs', () => {
    using folder = createFolder({ 'my skill/SKILL.md': good('x') });
    const report = JSON.parse(runLathe(['check', '.', '--format', 'sarif'], folder.path).stdout) as {
      version: string;
      runs: {
        tool: { driver: { rules: { id: string }[] } };
        results: {
          ruleId: string;
          ruleIndex: number;
          level: string;
          locations: { physicalLocation: { artifactLocation: { uri: string }; region: Record<string, number> } }[];
        }[];
      }[];
    };
    expect(report.version).toBe('2.1.0');
    const [run] = report.runs;
    const result = run?.results.find(({ ruleId }) => ruleId === 'name-folder');
    expect(result?.level).toBe('error');
    expect(run?.tool.driver.rules[result?.ruleIndex ?? -1]?.id).toBe('name-folder');
    expect(result?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'my%20skill/SKILL.md' },
      region: { startLine: 2, startColumn: 7, endLine: 2, endColumn: 8 },
    });
  });
});

describe('lathe check --fix', () => {
  it('repairs what is safe and leaves the rest', () => {
    using folder = createFolder({ 'bad-name/SKILL.md': broken });
    const { code, stdout } = runLathe(['check', '.', '--fix'], folder.path);
    const text = readFileSync(join(folder.path, 'bad-name/SKILL.md'), 'utf8');
    expect(text).toBe(
      broken
        .replace('name: Bad Name', 'name: bad-name')
        .replace('Says what it does: badly. Use when testing.', '"Says what it does: badly. Use when testing."'),
    );
    expect(code).toBe(0);
    expect(stdout).toContain('fixed bad-name: Put the value in quotes');
  });

  it('moves fields, renames files and folders with --unsafe, and what is left is valid under strict', () => {
    using folder = createFolder({ 'Some Folder/Skill.md': broken, 'Some Folder/references/more.md': '# More\n' });
    const { code } = runLathe(['check', '.', '--fix', '--unsafe', '--profile', 'strict'], folder.path);
    expect(code).toBe(0);
    expect(existsSync(join(folder.path, 'bad-name/SKILL.md'))).toBe(true);
    expect(existsSync(join(folder.path, 'bad-name/references/more.md'))).toBe(true);
    expect(existsSync(join(folder.path, 'Some Folder'))).toBe(false);
    expect(readFileSync(join(folder.path, 'bad-name/SKILL.md'), 'utf8')).toContain('metadata:\n  version: "1.0"\n');
  });

  it('never renames a folder onto another one', () => {
    using folder = createFolder({ 'My Skill/SKILL.md': good('taken'), 'taken/SKILL.md': good('taken') });
    runLathe(['check', '.', '--fix', '--unsafe'], folder.path);
    expect(existsSync(join(folder.path, 'My Skill/SKILL.md'))).toBe(true);
    expect(readFileSync(join(folder.path, 'taken/SKILL.md'), 'utf8')).toBe(good('taken'));
  });

  it('never writes a file that is not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('\uFEFF---\r\nname: Bad\r\n'), Buffer.from([0xff, 0xfe])]);
    using folder = createFolder({ 'bad/SKILL.md': bytes });
    expect(runLathe(['check', '.', '--fix', '--unsafe'], folder.path).code).toBe(1);
    expect(readFileSync(join(folder.path, 'bad/SKILL.md')).equals(bytes)).toBe(true);
  });

  it('renames the folder that was named itself', () => {
    using folder = createFolder({ 'My Skill/SKILL.md': good('my-skill') });
    const { code, stdout } = runLathe(['check', 'My Skill', '--fix', '--unsafe'], folder.path);
    expect({ code, isThere: existsSync(join(folder.path, 'my-skill/SKILL.md')) }, stdout).toEqual({
      code: 0,
      isThere: true,
    });
  });
});

describe('the demo', () => {
  it('is valid but for the skill that shows how fixes work, which a fix of all repairs', () => {
    const report = json(['public/demo'], PROJECT);
    expect(report.skills.length).toBeGreaterThanOrEqual(12);
    expect(report.skills.filter(({ valid }) => !valid).map(({ name, path }) => name ?? path)).toEqual([
      'public/demo/skills/sql-style',
    ]);
    const text = readFileSync(join(PROJECT, 'public/demo/skills/sql-style/SKILL.md'));
    using folder = createFolder({ 'sql-style/SKILL.md': text });
    expect(runLathe(['check', '.', '--fix', '--unsafe', '--profile', 'strict'], folder.path).code).toBe(0);
  });
});
