import { describe, expect, it } from 'vitest';
import { joinPath } from '../../base/paths.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from '../files/file-tree.ts';
import { load, loadProject, outcomes, places, skillsAt, skillText, withFaults } from './testing/libraries.ts';

describe('finding skills', () => {
  it('LIB1: what does not exist is empty', async () => {
    for (const input of [
      {},
      { project: { tree: createMemoryTree({}) } },
      { project: { tree: createMemoryTree({}), workingFolder: 'not/there' }, user: createMemoryTree({}) },
    ]) {
      const { store, report, lines, shadowed } = await load(input);
      expect([store.size, report, lines, shadowed]).toEqual([0, [], [], []]);
    }
  });

  it('LIB2: files and folders without SKILL.md are skipped in silence', async () => {
    const library = await loadProject({
      ...skillsAt({ '.metis/skills/a': 'a' }),
      '.metis/skills/README.md': 'text',
      '.metis/skills/notes/NOTES.md': 'text',
      '.metis/skills/empty/deep/file.txt': 'text',
      'SKILL.md.bak': 'text',
      'docs/SKILLS.md': 'text',
    });
    expect(outcomes(library)).toEqual({ '.metis/skills/a': 'loaded' });
    expect(library.lines).toEqual([]);
  });

  it.each(['skill.md', 'Skill.md', 'SKILL.MD'])('LIB3: %s is not SKILL.md, and the report says so', async (name) => {
    const library = await loadProject({
      [`skills/lower/${name}`]: skillText('lower'),
      'skills/lower/inner/SKILL.md': skillText('inner'),
      ...skillsAt({ 'skills/other': 'other' }),
    });
    expect(places(library)).toEqual({ inner: 'skills/lower/inner', other: 'skills/other' });
    expect(outcomes(library)['skills/lower']).toBe(`skipped: its file is called ${name}, not SKILL.md`);
    expect(library.lines).toEqual([]);
  });

  it('LIB3: beside a SKILL.md a variant does not matter', async () => {
    const library = await loadProject({ 'a/SKILL.md': skillText('a'), 'a/skill.md': 'x' });
    expect(outcomes(library)).toEqual({ a: 'loaded' });
  });

  it('LIB4: paths are ordered by code point, not by UTF-16 unit or locale', async () => {
    // U+FF61 comes before U+1F600, whose first UTF-16 unit is U+D83D.
    const library = await loadProject(
      skillsAt({ 'x/\u{1F600}/same': 'same', 'x/\uFF61/same': 'same', 'x/Z/same': 'same', 'x/a/same': 'same' }),
    );
    expect(library.report.map(({ path }) => path)).toEqual([
      'x/Z/same',
      'x/a/same',
      'x/\uFF61/same',
      'x/\u{1F600}/same',
    ]);
  });

  it('LIB4: the store is sorted by name, whatever the order on disk', async () => {
    const library = await loadProject(
      skillsAt({ 'z/b': 'b', 'a/c': 'c', 'm/a-2': 'a-2', 'n/a': 'a', 'n/a0': 'a0', 'n/1': '1' }),
    );
    expect(library.store.list().map(({ skill }) => skill.name)).toEqual(['1', 'a', 'a-2', 'a0', 'b', 'c']);
  });

  it('LIB5: within one root the smaller path wins', async () => {
    const library = await loadProject(skillsAt({ 'b/x': 'x', 'a/deep/er/x': 'x', 'c/x': 'x' }));
    expect(places(library)).toEqual({ x: 'a/deep/er/x' });
    expect(library.shadowed.map(({ path }) => path)).toEqual(['b/x', 'c/x']);
  });

  it('LIB6: a skill is not descended into', async () => {
    const library = await loadProject(skillsAt({ a: 'a', 'a/b': 'b', 'a/references/c': 'c' }));
    expect(outcomes(library)).toEqual({ a: 'loaded' });
  });

  it('LIB7: .git, node_modules and other dot-folders are not searched', async () => {
    const library = await loadProject(
      skillsAt({
        '.git/a': 'a',
        '.git/skills/b': 'b',
        'node_modules/c': 'c',
        'deep/node_modules/d': 'd',
        '.history/e': 'e',
        '.agents/f': 'f',
        '.agents/skills/.hidden/g': 'g',
        '.agents/skills/node_modules/h': 'h',
        '.agents/skills/.git/i': 'i',
        'deep/.claude/skills/j': 'j',
        '.agents/skills/k': 'k',
      }),
    );
    expect(places(library)).toEqual({ k: '.agents/skills/k' });
    expect(library.report).toHaveLength(1);
  });

  it('LIB8: the search goes six levels deep', async () => {
    const library = await loadProject(
      skillsAt({ '1/2/3/4/5/six': 'six', '1/2/3/4/5/6/seven': 'seven', '1/2/3/4/5/7/x': 'x' }),
    );
    expect(places(library)).toEqual({ six: '1/2/3/4/5/six' });
    expect(outcomes(library)['1/2/3/4/5/6/seven']).toBe(
      'skipped: it is more than 6 levels below project and was not searched, like 1 more',
    );
  });

  it('LIB8: levels count from each root', async () => {
    const library = await loadProject(
      skillsAt({ '.agents/skills/1/2/3/4/5/six': 'six', '.agents/skills/1/2/3/4/5/6/seven': 'seven' }),
    );
    expect(places(library)).toEqual({ six: '.agents/skills/1/2/3/4/5/six' });
    expect(outcomes(library)['.agents/skills/1/2/3/4/5/6/seven']).toContain('6 levels below .agents/skills');
  });

  it('LIB9: 2,000 folders that are not skills are enough, and the report says so', async () => {
    const plain = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`plain/p${String(index).padStart(4, '0')}/x`, '']),
      );
    // The root and `plain` count as well.
    const just = await loadProject({ ...plain(1997), ...skillsAt({ 'plain/zz/last': 'last' }) });
    expect(places(just)).toEqual({ last: 'plain/zz/last' });
    expect(outcomes(just)).toEqual({ 'plain/zz/last': 'loaded' });
    const over = await loadProject({ ...plain(1998), ...skillsAt({ 'plain/zz/last': 'last' }) });
    expect(over.store.size).toBe(0);
    expect(outcomes(over)).toEqual({ '': 'skipped: the search stopped after 2000 folders' });
  });

  it('LIB9: skills do not count', async () => {
    const library = await loadProject(
      skillsAt(Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`s${index}`, `s${index}`]))),
    );
    expect(library.store.size).toBe(2500);
    expect(library.report.every(({ outcome }) => outcome === 'loaded')).toBe(true);
  });

  it('LIB9: folders called skills are looked at first, and each root has its own count', async () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`data${index}/x`, '']));
    const library = await loadProject({ ...many, ...skillsAt({ 'skills/deep/a': 'a', '.swival/skills/b': 'b' }) });
    expect(places(library)).toEqual({ a: 'skills/deep/a', b: '.swival/skills/b' });
    expect(outcomes(library)['']).toBe('skipped: the search stopped after 2000 folders');
  });

  it('LIB10: what cannot be read is reported and hides nothing', async () => {
    const tree = createMemoryTree(skillsAt({ a: 'a', b: 'b', 'closed/c': 'c', d: 'd' }));
    const faulty = withFaults(tree, new Set(['closed', 'b/SKILL.md', '.agents/config.yaml']));
    const library = await load({ project: { tree: faulty } });
    expect(places(library)).toEqual({ a: 'a', d: 'd' });
    expect(outcomes(library)).toMatchObject({
      closed: 'skipped: it cannot be read: permission denied',
      b: 'skipped: it cannot be read: permission denied',
    });
    expect(library.lines).toEqual([
      {
        level: 'warning',
        code: 'config.invalid',
        text: '.agents/config.yaml is ignored: it cannot be read: permission denied',
      },
    ]);
  });

  it('LIB10: a SKILL.md that is gone by the time it is read is reported', async () => {
    const tree = createMemoryTree(skillsAt({ a: 'a', b: 'b' }));
    const vanishing: FileTree = {
      ...tree,
      read: async (path) => (path === 'a/SKILL.md' ? undefined : tree.read(path)),
    };
    const library = await load({ project: { tree: vanishing } });
    expect(outcomes(library)).toEqual({ a: 'skipped: its SKILL.md cannot be read', b: 'loaded' });
  });

  it('LIB11: an opened folder may itself be one skill', async () => {
    const library = await load({
      project: { tree: createMemoryTree(skillsAt({ '': 'my-skill', 'inner/other': 'other' }), 'my-skill') },
    });
    expect(places(library)).toEqual({ 'my-skill': '' });
    const wrong = await load({ project: { tree: createMemoryTree(skillsAt({ '': 'my-skill' }), 'elsewhere') } });
    expect(wrong.store.size).toBe(0);
    expect(wrong.lines[0]?.text).toMatch(/^skipping invalid skill at elsewhere: /);
  });

  it('LIB12: an aborted signal ends the search', async () => {
    const tree = createMemoryTree(skillsAt({ 'a/b': 'b' }));
    await expect(load({ project: { tree } }, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
    const late = new AbortController();
    const slow: FileTree = {
      ...tree,
      read: async (path) => {
        late.abort(new Error('enough of it'));
        return tree.read(path);
      },
    };
    const many = createMemoryTree(
      skillsAt(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`s${index}`, `s${index}`]))),
    );
    await expect(load({ project: { tree: { ...many, read: slow.read } } }, { signal: late.signal })).rejects.toThrow(
      'enough of it',
    );
  });
});

describe('where the project’s skills are', () => {
  const levels = (folder: string): Record<string, string> => {
    const at = (path: string) => joinPath(folder, path);
    return skillsAt({
      [at('.agents/skills/same')]: 'same',
      [at('.claude/skills/same')]: 'same',
      [at('.metis/skills/same')]: 'same',
      [at('.swival/skills/same')]: 'same',
      [at('same')]: 'same',
      [at('skills/same')]: 'same',
    });
  };
  const order = [
    '.agents/skills/same',
    '.claude/skills/same',
    '.metis/skills/same',
    '.swival/skills/same',
    'same',
    'skills/same',
  ];

  it('LIB20: at one level the four roots come first, in their order', async () => {
    const library = await loadProject(levels(''));
    expect(library.report.map(({ path }) => path)).toEqual(order);
    expect(library.report.map(({ outcome }) => outcome)).toEqual(['loaded', ...order.slice(1).map(() => 'shadowed')]);
    expect(library.report.map(({ root }) => root)).toEqual([
      '.agents/skills',
      '.claude/skills',
      '.metis/skills',
      '.swival/skills',
      'project',
      'project',
    ]);
  });

  it('LIB21: the opened folder is the working folder, and searched with all its levels', async () => {
    const library = await loadProject(
      skillsAt({ 'packages/one/skills/a': 'a', 'packages/two/b': 'b', 'skills/group/c': 'c' }),
    );
    expect(places(library)).toEqual({ a: 'packages/one/skills/a', b: 'packages/two/b', c: 'skills/group/c' });
  });

  it('LIB22: the nearest level comes first', async () => {
    const files = { ...levels(''), ...levels('packages/one'), ...levels('packages') };
    const library = await loadProject(files, { workingFolder: 'packages/one' });
    const expected = ['packages/one', 'packages', ''].flatMap((folder) => order.map((path) => joinPath(folder, path)));
    expect(library.report.map(({ path }) => path)).toEqual(expected);
    expect(places(library)).toEqual({ same: 'packages/one/.agents/skills/same' });
  });

  it('LIB22: above the working folder only direct folders and skills/ count', async () => {
    const library = await loadProject(
      skillsAt({
        'packages/one/deep/er/a': 'a',
        'packages/direct': 'direct',
        'packages/skills/group/b': 'b',
        'packages/two/deep/c': 'c',
        'packages/two/skills/d': 'd',
        top: 'top',
        'skills/e': 'e',
        'other/f': 'f',
        '.claude/skills/group/g': 'g',
      }),
      { workingFolder: 'packages/one' },
    );
    expect(places(library)).toEqual({
      a: 'packages/one/deep/er/a',
      b: 'packages/skills/group/b',
      direct: 'packages/direct',
      e: 'skills/e',
      g: '.claude/skills/group/g',
      top: 'top',
    });
    expect(library.report.every(({ outcome }) => outcome === 'loaded')).toBe(true);
  });
});
