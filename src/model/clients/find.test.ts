import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from '../files/file-tree.ts';
import { findSkills } from './find.ts';
import { UNKNOWN, type RootRule } from './types.ts';

const rule = (more: Partial<RootRule>): RootRule => ({
  scope: 'project',
  path: '.x/skills',
  depth: 1,
  source: UNKNOWN,
  ...more,
});

const pathsOf = async (rules: readonly RootRule[], files: Record<string, string>, workingFolder = '') =>
  (await findSkills(rules, { project: createMemoryTree(files), workingFolder })).skills.map(({ path }) => path);

/** Links of a tree that has none of its own. */
const withLinks = (
  tree: FileTree,
  links: Readonly<Record<string, readonly [name: string, target: string | undefined]>>,
): FileTree => ({
  ...tree,
  list: async (path) => {
    const listed = (await tree.list(path.replace('.x/skills/link', 'store/one'))) ?? [];
    const [name, target] = links[path] ?? [];
    if (name === undefined) return listed;
    return [
      ...listed,
      target === undefined ? { name, kind: 'folder', escapes: true } : { name, kind: 'folder', target },
    ];
  },
  read: async (path) => tree.read(path.replace('.x/skills/link', 'store/one')),
});

describe('finding what a client finds', () => {
  it('CLN1: searches roots in their order, and a missing root is empty', async () => {
    const rules = [rule({ path: 'none' }), rule({ path: 'b' }), rule({ path: 'a' })];
    expect(await pathsOf(rules, { 'a/one/SKILL.md': '', 'b/two/SKILL.md': '' })).toEqual(['b/two', 'a/one']);
  });

  it.each([
    ['here', ['p/q/.x/skills/deep']],
    ['up', ['p/q/.x/skills/deep', 'p/.x/skills/mid', '.x/skills/top']],
    ['down', ['.x/skills/top', 'p/.x/skills/mid', 'p/q/.x/skills/deep']],
  ] as const)('CLN2: searches the levels that the client does: %s', async (levels, expected) => {
    const files = {
      '.x/skills/top/SKILL.md': '',
      'p/.x/skills/mid/SKILL.md': '',
      'p/q/.x/skills/deep/SKILL.md': '',
      'other/.x/skills/neighbour/SKILL.md': '',
    };
    expect(await pathsOf([rule({ levels })], files, 'p/q')).toEqual(expected);
  });

  it('CLN3, CLN4: finds a linked folder once, and reports a link that leaves', async () => {
    const tree = createMemoryTree({ 'store/one/SKILL.md': 'x', '.x/skills/z/SKILL.md': 'y' });
    const linked = withLinks(tree, { '.x/skills': ['link', 'store/one'] });
    const rules = [rule({}), rule({ path: 'store' })];
    const { skills } = await findSkills(rules, { project: linked });
    expect(skills.map(({ path }) => path)).toEqual(['.x/skills/link', '.x/skills/z']);
    const escaping = withLinks(tree, { '.x/skills': ['away', undefined] });
    const { unread } = await findSkills([rule({})], { project: escaping });
    expect(unread).toEqual([
      { path: '.x/skills/away', scope: 'project', reason: 'It’s a link that leaves the open folder.' },
    ]);
  });

  it('CLN3, CLN4: follows a root that is a link, and reports one that leaves', async () => {
    const tree = createMemoryTree({ '.x/skills/one/SKILL.md': 'x' });
    const rules = [rule({}), rule({ path: 'linked/skills' })];
    const linked: FileTree = {
      ...tree,
      list: (path) =>
        path === ''
          ? Promise.resolve([
              { name: '.x', kind: 'folder' },
              { name: 'linked', kind: 'folder', target: '.x' },
            ])
          : tree.list(path.replace('linked', '.x')),
      read: (path) => tree.read(path.replace('linked', '.x')),
    };
    const both = await findSkills(rules, { project: linked });
    expect(both.skills.map(({ path }) => path)).toEqual(['.x/skills/one']);
    const [only] = (await findSkills(rules.slice(1), { project: linked })).skills;
    expect(only).toMatchObject({ path: 'linked/skills/one', root: 'linked/skills', realRoot: '.x/skills' });
    const away: FileTree = {
      ...tree,
      list: () => Promise.resolve([{ name: '.x', kind: 'folder', escapes: true }]),
    };
    const { skills, unread } = await findSkills(rules.slice(0, 1), { project: away });
    expect(skills).toEqual([]);
    expect(unread.map(({ path }) => path)).toEqual(['.x/skills']);
  });

  it('CLN6: finds what a plugin holds, what its manifest names, and a plugin that is a skill', async () => {
    const project = createMemoryTree({});
    const named = createMemoryTree({
      '.claude-plugin/plugin.json': '{"name":"named","skills":["./extra","./more/one","./"]}',
      'skills/x/SKILL.md': '',
      'extra/e/SKILL.md': '',
      'more/one/SKILL.md': '',
      'SKILL.md': 'name: beside\n',
    });
    const itself = createMemoryTree({ 'SKILL.md': '---\nname: called\n---\n' });
    const plugins = [
      { name: 'named', tree: named },
      { name: 'itself', tree: itself },
    ];
    const { skills } = await findSkills([], { project, plugins });
    expect(skills.map(({ plugin, folder, path }) => [plugin, folder, path])).toEqual([
      ['named', 'x', 'skills/x'],
      ['named', 'e', 'extra/e'],
      ['named', 'one', 'more/one'],
      ['itself', 'itself', ''],
    ]);
  });

  it.each([
    ['{"name":', []],
    ['{"name":"two words"}', []],
    ['{"name":"p","version":5}', []],
    ['{"name":"p","skills":["extra"]}', []],
    ['{"name":"p","skills":"./extra","commands":["./one.md","./more"]}', ['one.md', 'more/b.md', 'skills/s', 'extra']],
    ['{"name":"p"}', ['commands/c.md', 'skills/s']],
  ])('CLN6: takes %s as Claude Code does', async (manifest, paths) => {
    const tree = createMemoryTree({
      '.claude-plugin/plugin.json': manifest,
      'commands/c.md': '',
      'one.md': '',
      'more/b.md': '',
      'skills/s/SKILL.md': '',
      'extra/SKILL.md': '',
      'SKILL.md': '',
    });
    const { skills, unread } = await findSkills([], { project: createMemoryTree({}), plugins: [{ name: 'p', tree }] });
    expect(skills.map(({ path }) => path)).toEqual(paths);
    expect(unread).toHaveLength(paths.length === 0 ? 1 : 0);
  });

  it('CLN4: reports what cannot be listed', async () => {
    const broken: FileTree = {
      ...createMemoryTree({}),
      list: () => Promise.reject(new Error('no permission')),
    };
    const { skills, unread } = await findSkills([rule({})], { project: broken });
    expect(skills).toEqual([]);
    expect(unread[0]?.reason).toContain('no permission');
  });

  const nested = {
    '.x/skills/SKILL.md': '',
    '.x/skills/a/SKILL.md': '',
    '.x/skills/a/below/SKILL.md': '',
    '.x/skills/.dot/SKILL.md': '',
    '.x/skills/g/inner/SKILL.md': '',
    '.x/skills/lower/skill.md': '',
  };
  it.each([
    [{}, ['a']],
    [{ dotFolders: true }, ['.dot', 'a']],
    [{ ownSkill: true, belowSkills: true }, ['', 'a']],
    [{ depth: 2 }, ['a', 'g/inner']],
    [{ depth: 2, belowSkills: true }, ['a', 'a/below', 'g/inner']],
    [{ anyCase: true }, ['a', 'lower']],
  ] as const)('CLN5: counts what the root says: %j', async (more, expected) => {
    const found = await pathsOf([rule(more)], nested);
    expect(found).toEqual(expected.map((path) => (path === '' ? '.x/skills' : `.x/skills/${path}`)));
  });

  it('CLN5: names commands by their folders', async () => {
    const files = {
      '.x/skills/a.md': '',
      '.x/skills/g/b.md': '',
      '.x/skills/g/note.txt': '',
      '.x/skills/s/SKILL.md': '',
      '.x/skills/s/other.md': '',
    };
    const { skills } = await findSkills([rule({ commands: true, depth: Infinity })], {
      project: createMemoryTree(files),
    });
    expect(skills.map(({ folder }) => folder)).toEqual(['a', 'g:b', 's']);
  });
});
