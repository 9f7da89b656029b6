import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { CONFIG_PATH } from './config.ts';
import { load, loadProject, outcomes, places, skillsAt, skillText, type Files } from './testing/libraries.ts';
import { LAYERS, type Dialect } from './types.ts';

const same = (folder: string): Files =>
  skillsAt({ [`${folder}/same`]: 'same', [`${folder}/only-${folder}`]: `only-${folder}` });

/** All five layers have a skill `same` and one of their own. */
const allLayers = (without: number) => {
  const project = createMemoryTree({
    ...(without < 1 ? same('project') : {}),
    '.agents/config.yaml': 'skills:\n  paths: [/opt/team]\n',
  });
  return {
    project: { tree: project },
    ...(without < 2 && { user: createMemoryTree(same('user')) }),
    ...(without < 3 && { bundled: createMemoryTree(same('bundled')) }),
    ...(without < 4 && { configFolders: new Map([['/opt/team', createMemoryTree(same('config'))]]) }),
    remote: [createMemoryTree(same('remote'))],
  };
};

describe('layers', () => {
  it.each(LAYERS.map((layer, index) => [layer, index] as const))(
    'LIB30: %s comes before those behind it',
    async (layer, index) => {
      const library = await load(allLayers(index));
      expect(library.store.get('same')).toMatchObject({ layer, path: `${layer}/same` });
      expect(library.shadowed.map((item) => item.layer)).toEqual(LAYERS.slice(index + 1));
      expect(library.store.list().map(({ skill }) => skill.name)).toEqual(
        [...LAYERS.slice(index).map((name) => `only-${name}`), 'same'].toSorted(),
      );
    },
  );

  it('LIB31: user, bundled and remote are searched like the top of a project', async () => {
    const tree = (prefix: string) =>
      createMemoryTree(
        skillsAt({
          [`.claude/skills/${prefix}-a`]: `${prefix}-a`,
          [`${prefix}-b`]: `${prefix}-b`,
          [`skills/deep/${prefix}-c`]: `${prefix}-c`,
        }),
      );
    const library = await load({ user: tree('u'), bundled: tree('b'), remote: [tree('r'), tree('s')] });
    expect(library.store.list().map(({ skill }) => skill.name)).toEqual(
      ['b', 'r', 's', 'u'].flatMap((prefix) => ['a', 'b', 'c'].map((letter) => `${prefix}-${letter}`)),
    );
  });

  it('LIB32: a loser is kept, with a diagnostic and an entry that names the winner', async () => {
    const library = await load({
      project: { tree: createMemoryTree(skillsAt({ '.agents/skills/same': 'same' })) },
      user: createMemoryTree({ 'lib/same/SKILL.md': skillText('same', 'Another text. Use when it is needed.') }),
    });
    const message = 'The skill `same` at .agents/skills/same comes first, so this one is not loaded.';
    expect(library.store.get('same')?.skill.description).toBe('Does same well. Use when same is needed.');
    expect(library.store.get('same')?.diagnostics.filter(({ rule }) => rule === 'duplicate-name')).toEqual([]);
    expect(library.shadowed).toHaveLength(1);
    const [loser] = library.shadowed;
    expect(loser).toMatchObject({ layer: 'user', source: 'global', path: 'lib/same', root: 'memory' });
    expect(loser?.skill.description).toBe('Another text. Use when it is needed.');
    const diagnostic = { rule: 'duplicate-name', severity: 'warning', message, file: 'SKILL.md', fixes: [] };
    expect(loser?.diagnostics).toContainEqual(expect.objectContaining(diagnostic));
    const entry = library.report.at(-1);
    expect(entry).toMatchObject({
      outcome: 'shadowed',
      reason: message,
      name: 'same',
      layer: 'user',
      path: 'lib/same',
    });
    expect(entry?.diagnostics).toBe(loser?.diagnostics);
  });

  const logsOf = async (dialect: Dialect) => {
    const project = createMemoryTree(skillsAt({ a: 'a', 'x/a': 'a', 'it-is/b': 'b' }));
    const library = await load(
      {
        project: { tree: project },
        user: createMemoryTree(skillsAt({ a: 'a', c: 'c' })),
        bundled: createMemoryTree(skillsAt({ c: 'c' })),
      },
      { dialect },
    );
    return library.lines;
  };

  it('LIB33: dialect metis logs in the words of the skill format, at INFO', async () => {
    expect(await logsOf('metis')).toEqual([
      {
        level: 'info',
        code: 'skill.shadowed',
        text: '[skills] duplicate skill "a" at x/a ignored; first definition (a) wins',
      },
      { level: 'info', code: 'skill.shadowed', text: "skill 'a' in workspace overrides global definition" },
      {
        level: 'info',
        code: 'skill.shadowed',
        text: '[skills] duplicate skill "c" at c ignored; first definition (c) wins',
      },
    ]);
  });

  it('LIB34: dialect agents warns of every duplicate', async () => {
    expect(await logsOf('agents')).toEqual([
      {
        level: 'warning',
        code: 'skill.shadowed',
        text: '[skills] duplicate skill "a" at x/a ignored; first definition (a) wins',
      },
      {
        level: 'warning',
        code: 'skill.shadowed',
        text: '[skills] duplicate skill "a" at a ignored; first definition (a) wins',
      },
      {
        level: 'warning',
        code: 'skill.shadowed',
        text: '[skills] duplicate skill "c" at c ignored; first definition (c) wins',
      },
    ]);
  });

  it('LIB34: a tree that is a skill itself goes by its name', async () => {
    const tree = () => createMemoryTree(skillsAt({ '': 'lone' }), 'lone');
    const library = await load({ project: { tree: tree() }, user: tree() }, { dialect: 'agents' });
    expect(library.lines.map(({ text }) => text)).toEqual([
      '[skills] duplicate skill "lone" at lone ignored; first definition (lone) wins',
    ]);
  });

  it('LIB35: the project is the workspace, everything else is global', async () => {
    const library = await load(allLayers(0));
    expect(Object.fromEntries(library.store.list().map(({ skill, source }) => [skill.name, source]))).toEqual({
      same: 'workspace',
      'only-project': 'workspace',
      'only-user': 'global',
      'only-bundled': 'global',
      'only-config': 'global',
      'only-remote': 'global',
    });
    expect(library.shadowed.every(({ source }) => source === 'global')).toBe(true);
  });
});

describe('configured folders', () => {
  const config = (text: string): Files => ({ [CONFIG_PATH]: text });

  it('LIB42: inside the project are searched with all their levels, and belong to the layer config', async () => {
    const library = await load({
      project: {
        tree: createMemoryTree({
          ...config('skills:\n  paths:\n    - ./vendor/../vendor/team\n    - .hidden/more\n'),
          ...skillsAt({ 'vendor/team/deep/a': 'a', '.hidden/more/b': 'b', 'work/c': 'c' }),
        }),
        workingFolder: 'work',
      },
    });
    expect(library.store.list().map(({ skill, layer, root }) => [skill.name, layer, root])).toEqual([
      ['a', 'config', 'vendor/team'],
      ['b', 'config', '.hidden/more'],
      ['c', 'project', 'work'],
    ]);
    expect(library.lines).toEqual([]);
  });

  it('LIB42: deeper than the search went are searched from there', async () => {
    const deep = '1/2/3/4/5/6';
    const library = await loadProject({
      ...config(`skills: { paths: [${deep}] }`),
      ...skillsAt({ [`${deep}/7/a`]: 'a' }),
    });
    expect(library.store.get('a')).toMatchObject({ layer: 'config', path: `${deep}/7/a` });
  });

  it('LIB15: that the search has seen already change nothing', async () => {
    const files = {
      ...config('skills: { paths: [skills, ., .agents/skills] }'),
      ...skillsAt({ 'skills/a': 'a', '.agents/skills/b': 'b' }),
    };
    const library = await loadProject(files);
    expect(outcomes(library)).toEqual({ 'skills/a': 'loaded', '.agents/skills/b': 'loaded' });
    expect(library.store.list().map(({ layer }) => layer)).toEqual(['project', 'project']);
    expect(library.lines).toEqual([]);
  });

  it('LIB11: that hold a SKILL.md are one skill', async () => {
    const library = await load({
      project: { tree: createMemoryTree(config('skills: { paths: [~/one] }')) },
      configFolders: new Map([['~/one', createMemoryTree(skillsAt({ '': 'one', 'inner/two': 'two' }), 'one')]]),
    });
    expect(places(library)).toEqual({ one: '' });
  });

  it('LIB42: that were not opened, or do not exist, are an INFO line', async () => {
    const library = await loadProject(config('skills: { paths: [/opt/team, ../shared, "~/mine", missing/here] }'));
    expect(library.config.outside).toEqual(['/opt/team', '../shared', '~/mine']);
    expect(library.lines.map(({ level, text }) => `${level} ${text}`)).toEqual([
      'info .agents/config.yaml names the folder missing/here, which does not exist',
      'info .agents/config.yaml names the folder /opt/team, which has not been opened yet',
      'info .agents/config.yaml names the folder ../shared, which has not been opened yet',
      'info .agents/config.yaml names the folder ~/mine, which has not been opened yet',
    ]);
    expect(library.report).toEqual([]);
  });

  it('LIB44: are ignored with a warning if the file is wrong, and the project loads', async () => {
    const library = await loadProject({ ...config('skills: [vendor]'), ...skillsAt({ a: 'a' }) });
    expect(places(library)).toEqual({ a: 'a' });
    expect(library.lines).toHaveLength(1);
    expect(library.lines[0]).toMatchObject({ level: 'warning', code: 'config.invalid' });
    expect(library.lines[0]?.text).toMatch(/^\.agents\/config\.yaml is ignored: skills: /);
  });

  it('LIB43: addresses are handed on, and what was fetched is the last layer', async () => {
    const library = await load({
      project: { tree: createMemoryTree(config('skills: { urls: ["https://example.com/SKILL.md"] }')) },
      remote: [createMemoryTree(skillsAt({ a: 'a', b: 'b' })), createMemoryTree(skillsAt({ b: 'b' }))],
    });
    expect(library.config.urls).toEqual(['https://example.com/SKILL.md']);
    expect(library.store.list().map(({ skill, layer }) => [skill.name, layer])).toEqual([
      ['a', 'remote'],
      ['b', 'remote'],
    ]);
    expect(library.shadowed).toHaveLength(1);
  });
});
