import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { diagnose } from '../skill/diagnose.ts';
import { readDocument } from '../skill/document.ts';
import { checkSkills } from './check-skills.ts';
import { skillsAt, skillText, withFaults } from './testing/libraries.ts';

const rulesOf = (result: Awaited<ReturnType<typeof checkSkills>>, path: string): string[] =>
  result.skills.find((skill) => skill.path === path)?.diagnostics.map(({ rule }) => rule) ?? [];

describe('checking large texts elsewhere', () => {
  const large = (name: string) => `${skillText(name)}\n${'See [a](b.md). '.repeat(3000)}`;
  const folder = (...names: string[]) =>
    createMemoryTree({
      'skills/small/SKILL.md': skillText('small'),
      ...Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, large(name)])),
    });

  it('LIB84, APART1: asks for large texts alone, with the names that links may have', async () => {
    const asked: [string | undefined, readonly string[]][] = [];
    const result = await checkSkills(folder('a'), '', 'standard', {
      judgeApart: (input, profile) => {
        asked.push([input.folder, [...(input.knownSkills ?? [])]]);
        return Promise.resolve(diagnose(readDocument(input), profile));
      },
    });
    expect(asked).toEqual([['a', ['a', 'small']]]);
    const here = await checkSkills(folder('a'), '', 'standard');
    expect(rulesOf(result, 'skills/a')).toContain('link-broken');
    expect(rulesOf(result, 'skills/a')).toEqual(rulesOf(here, 'skills/a'));
  });

  it('LIB84, APART1: counts files beside the text', async () => {
    const asked: (string | undefined)[] = [];
    const tree = createMemoryTree({
      'skills/small/SKILL.md': skillText('small'),
      'skills/few/SKILL.md': skillText('few'),
      'skills/few/references/a.md': 'a'.repeat(200_000),
      'skills/many/SKILL.md': skillText('many'),
      'skills/many/references/a.md': 'a'.repeat(200_000),
      'skills/many/references/b.md': 'a'.repeat(200_000),
    });
    await checkSkills(tree, '', 'standard', {
      judgeApart: ({ folder: name }) => {
        asked.push(name);
        return Promise.resolve([]);
      },
    });
    expect(asked).toEqual(['many']);
  });

  it('LIB84: says what was not judged, and tries no more than three', async () => {
    let asked = 0;
    const result = await checkSkills(folder('a', 'b', 'c', 'd', 'e'), '', 'standard', {
      judgeApart: () => {
        asked++;
        return Promise.resolve(undefined);
      },
    });
    expect(asked).toBe(3);
    expect(result.skills.map(({ path }) => rulesOf(result, path))).toEqual([
      ...Array.from({ length: 5 }, () => ['not-checked']),
      rulesOf(await checkSkills(folder(), '', 'standard'), 'skills/small'),
    ]);
  });
});

describe('checking', () => {
  it('LIB80: finds every skill, however deep, in dot-folders as well', async () => {
    const deep = Array.from({ length: 12 }, (_, level) => `d${level}`).join('/');
    const tree = createMemoryTree(
      skillsAt({
        [`${deep}/a`]: 'a',
        '.claude/skills/b': 'b',
        'x/.agents/skills/c': 'c',
        '.hidden/d': 'd',
        '.git/e': 'e',
        'node_modules/f': 'f',
      }),
    );
    const { skills, skipped } = await checkSkills(tree, '', 'standard');
    expect(skills.map(({ path }) => path)).toEqual([
      '.claude/skills/b',
      '.hidden/d',
      `${deep}/a`,
      'x/.agents/skills/c',
    ]);
    expect(skills.every(({ valid }) => valid)).toBe(true);
    expect(skipped).toEqual([]);
  });

  it('LIB80: looks below a skill only where an agent does', async () => {
    const skills = {
      '.agents/skills/a': 'a',
      '.agents/skills/a/inner': 'inner',
      'skills/b': 'b',
      'skills/b/inner': 'x',
    };
    const found = await checkSkills(createMemoryTree(skillsAt(skills)), '', 'standard');
    expect(found.skills.map(({ path }) => path)).toEqual(['.agents/skills/a', '.agents/skills/a/inner', 'skills/b']);
  });

  it('LIB83: names the agents that load each skill, and compares only skills that one agent finds', async () => {
    const tree = createMemoryTree(
      skillsAt({
        '.kiro/skills/a': 'a',
        '.metis/skills/a': 'a',
        '.agents/skills/a': 'a',
        'pkg/.agents/skills/a': 'a',
        'skills/p': 'p',
      }),
    );
    const result = await checkSkills(tree, '', 'standard');
    const clientsOf = (path: string) =>
      result.skills.find((skill) => skill.path === path)?.clients.map(({ client }) => client);
    expect(clientsOf('.kiro/skills/a')).toEqual(['kiro']);
    expect(clientsOf('skills/p')).toEqual([]);
    expect(
      ['.kiro/skills/a', '.metis/skills/a', '.agents/skills/a', 'pkg/.agents/skills/a'].map((path) =>
        rulesOf(result, path).includes('duplicate-name'),
      ),
    ).toEqual([false, false, false, true]);
  });

  it('LIB80: looks below the folder that it is given, or at just that', async () => {
    const tree = createMemoryTree(skillsAt({ 'a/x': 'x', 'b/y': 'y' }));
    expect((await checkSkills(tree, 'a', 'standard')).skills.map(({ path }) => path)).toEqual(['a/x']);
    expect((await checkSkills(tree, 'b/y', 'standard')).skills.map(({ path, name }) => [path, name])).toEqual([
      ['b/y', 'y'],
    ]);
    expect((await checkSkills(tree, 'missing', 'standard')).skills).toEqual([]);
  });

  it('LIB80: applies the rules about other files', async () => {
    const tree = createMemoryTree({
      'a/SKILL.md': `${skillText('a')}\nSee [x](missing.md).\n`,
      'a/.env': 'x',
      'a/scripts/deep/tool.py': 'x',
    });
    const result = await checkSkills(tree, '', 'standard');
    expect(rulesOf(result, 'a')).toEqual(expect.arrayContaining(['link-broken', 'secret-file', 'orphan-file']));
  });

  it('LIB81: a case variant is checked, a folder without any is listed', async () => {
    const tree = createMemoryTree({
      'skills/lower/skill.md': skillText('lower'),
      ...skillsAt({ 'skills/good': 'good' }),
      'skills/none/README.md': 'x',
      'src/none/x': '',
    });
    const result = await checkSkills(tree, '', 'standard');
    expect(result.skills.map(({ path, valid }) => [path, valid])).toEqual([
      ['skills/good', true],
      ['skills/lower', false],
    ]);
    expect(rulesOf(result, 'skills/lower')).toContain('file-name');
    expect(result.skipped.map(({ path }) => path)).toEqual(['skills/none']);
  });

  it('LIB81: what cannot be read is listed with the reason', async () => {
    const tree = withFaults(createMemoryTree(skillsAt({ a: 'a', b: 'b', 'c/x': 'x' })), new Set(['a/SKILL.md', 'c']));
    const result = await checkSkills(tree, '', 'standard');
    expect(result.skills.map(({ path }) => path)).toEqual(['b']);
    expect(result.skipped.toSorted((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
      { path: 'a', reason: 'it cannot be read: permission denied', isUnread: true },
      { path: 'c', reason: 'it cannot be read: permission denied', isUnread: true },
    ]);
  });

  it('LIB55: names and descriptions that occur twice are diagnosed', async () => {
    const tree = createMemoryTree({
      'x/a/SKILL.md': skillText('a', 'The first. Use when needed.'),
      'y/a/SKILL.md': skillText('a', 'The second. Use when needed.'),
      'y/b/SKILL.md': skillText('b', 'the first. use when NEEDED.'),
    });
    const result = await checkSkills(tree, '', 'standard');
    expect(rulesOf(result, 'x/a').filter((rule) => rule.startsWith('duplicate'))).toEqual([]);
    expect(rulesOf(result, 'y/a')).toContain('duplicate-name');
    expect(rulesOf(result, 'y/b')).toContain('duplicate-description');
  });
});
