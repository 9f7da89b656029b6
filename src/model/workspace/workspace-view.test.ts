import { describe, expect, it } from 'vitest';
import { collectLog, silentLog } from '../../base/log.ts';
import type { FileTree } from '../files/file-tree.ts';
import type { KeptFolder } from '../files/kept-folder.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { countLoaded } from './outcome.ts';
import { loadWorkspaceView, withPreloaded, type WorkspaceView } from './workspace-view.ts';

const skill = (name: string, body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: Does ${name} things. Use when ${name} is wanted.\n---\n${body}\n`;
const OPTIONS = { profile: 'standard', shownProfile: 'standard', dialect: 'metis', log: silentLog } as const;

it('WV1: all layers with files and problems; broken skills are there too', async () => {
  const project = createMemoryTree({
    'AGENTS.md': 'Be kind.',
    'skills/alpha/SKILL.md': skill('alpha'),
    'skills/alpha/scripts/run.py': 'print(1)',
    'skills/broken/SKILL.md': 'no frontmatter',
    '.agents/skills/loop/SKILL.md': skill('loop', 'Input keys: none'),
    '.agents/skills/loop/SKILL.star': 'def run(input):\n    return "x"\n',
  });
  const user = createMemoryTree({ 'alpha/SKILL.md': skill('alpha', 'Mine.'), 'gamma/SKILL.md': skill('gamma') });
  const { skills, instructions } = await loadWorkspaceView({ project: { tree: project }, user }, OPTIONS);
  expect(skills.map(({ path, layer }) => `${layer} ${path}`)).toEqual([
    'project .agents/skills/loop',
    'user alpha',
    'user gamma',
    'project skills/alpha',
    'project skills/broken',
  ]);
  const by = (path: string) => skills.find((item) => item.path === path);
  expect(by('.agents/skills/loop')).toMatchObject({ isMetaskill: true, root: '.agents/skills', valid: true });
  expect(by('skills/alpha')?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/run.py']);
  expect(by('skills/broken')?.valid).toBe(false);
  expect(by('alpha')).toMatchObject({ outcome: 'shadowed', loadedAs: undefined, isInFolder: false });
  expect(by('skills/broken')).toMatchObject({ outcome: 'skipped', loadedAs: undefined, isInFolder: true });
  expect(countLoaded(skills)).toBe(3);
  expect(instructions.text).toContain('Be kind.');
});

it('WV2: can be cancelled', async () => {
  const abort = new AbortController();
  abort.abort();
  const tree = createMemoryTree({ 'a/SKILL.md': skill('a') });
  await expect(loadWorkspaceView({ project: { tree } }, { ...OPTIONS, signal: abort.signal })).rejects.toBeDefined();
});

it('WV3: tells how far it is, and pauses between skills', async () => {
  const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`skills/${name}/SKILL.md`, skill(name)]));
  const progress: { readonly done: number; readonly total?: number }[] = [];
  let pauses = 0;
  await loadWorkspaceView(
    { project: { tree: createMemoryTree(files) } },
    {
      ...OPTIONS,
      onProgress: (step) => progress.push(step),
      pause: () => {
        pauses++;
        return Promise.resolve();
      },
    },
  );
  expect(progress).toContainEqual({ done: 3 });
  expect(progress.filter(({ total }) => total !== undefined)).toEqual([0, 1, 2, 3].map((done) => ({ done, total: 3 })));
  expect(pauses).toBeGreaterThanOrEqual(3);
});

it('WV3: stops between two skills when it is cancelled there', async () => {
  const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`skills/${name}/SKILL.md`, skill(name)]));
  const abort = new AbortController();
  const read: number[] = [];
  const loading = loadWorkspaceView(
    { project: { tree: createMemoryTree(files) } },
    {
      ...OPTIONS,
      signal: abort.signal,
      onProgress: ({ done, total }) => {
        if (total === undefined) return;
        read.push(done);
        if (done === 1) abort.abort();
      },
    },
  );
  await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
  expect(read).toEqual([0, 1]);
});

it('WV4: folders of the configuration and addresses', async () => {
  const config = 'skills:\n  paths: [.vendor, skills, ~/team]\n';
  const project = createMemoryTree(
    {
      '.agents/config.yaml': config,
      '.vendor/ropes/SKILL.md': skill('ropes'),
      'skills/alpha/SKILL.md': skill('alpha'),
    },
    'top',
  );
  const team = createMemoryTree(
    { 'ropes/SKILL.md': skill('ropes', 'Theirs.'), 'sails/SKILL.md': skill('sails') },
    'team',
  );
  const remote = ['one.example', 'two.example'].map((host) =>
    createMemoryTree({ 'knots/SKILL.md': skill('knots', host) }, host),
  );
  const { skills } = await loadWorkspaceView(
    { project: { tree: project }, configFolders: new Map([['~/team', team]]), remote },
    OPTIONS,
  );
  expect(skills.map(({ id, layer, root, outcome }) => [id, layer, root, outcome === 'shadowed'])).toEqual([
    ['.vendor/ropes', 'config', '.vendor', false],
    ['remote:one.example/knots', 'remote', 'one.example', false],
    ['remote:two.example/knots', 'remote', 'two.example', true],
    ['config:~/team/ropes', 'config', '~/team', true],
    ['config:~/team/sails', 'config', '~/team', false],
    ['skills/alpha', 'project', 'top', false],
  ]);
});

it('WV5: what becomes of a skill goes by its place: of two with one name, one may lie where no session looks', async () => {
  const tree = createMemoryTree({
    'apps/web/skills/lint/SKILL.md': skill('lint', 'Of the web.'),
    'apps/api/skills/lint/SKILL.md': skill('lint', 'Of the api.'),
    'skills/lint/SKILL.md': skill('lint', 'Of all.'),
    'skills/notes/SKILL.md': skill('notes'),
  });
  const { skills, library } = await loadWorkspaceView({ project: { tree, workingFolder: 'apps/web' } }, OPTIONS);
  expect(library.store.get('lint')?.path).toBe('apps/web/skills/lint');
  expect(skills.map(({ id, outcome, loadedAs }) => [id, outcome, loadedAs])).toEqual([
    ['apps/api/skills/lint', 'not-searched', undefined],
    ['apps/web/skills/lint', 'loaded', 'lint'],
    ['skills/lint', 'shadowed', undefined],
    ['skills/notes', 'loaded', 'notes'],
  ]);
  expect(countLoaded(skills)).toBe(2);
  const preloaded = skills.map((one) => withPreloaded(one, new Set(['lint'])));
  expect(preloaded.flatMap(({ id, isPreloaded }) => (isPreloaded ? [id] : []))).toEqual(['apps/web/skills/lint']);
});

it('WV1: of two skills with one name the hidden one has one warning, wherever the winner lies', async () => {
  const files = {
    '.agents/skills/lint/SKILL.md': skill('lint', 'Of the agents.'),
    'apps/web/skills/lint/SKILL.md': skill('lint', 'Of the web.'),
    'skills/lint/SKILL.md': skill('lint', 'Of all.'),
  };
  const warned = async (workingFolder: string): Promise<Readonly<Record<string, number>>> => {
    const { skills } = await loadWorkspaceView({ project: { tree: createMemoryTree(files), workingFolder } }, OPTIONS);
    return Object.fromEntries(
      skills.map(({ id, diagnostics }) => [id, diagnostics.filter(({ rule }) => rule === 'duplicate-name').length]),
    );
  };
  expect(await warned('')).toEqual({
    '.agents/skills/lint': 0,
    // No session in the opened folder looks there, but one that starts there finds both.
    'apps/web/skills/lint': 1,
    'skills/lint': 1,
  });
  expect(await warned('apps/web')).toEqual({
    '.agents/skills/lint': 1,
    'apps/web/skills/lint': 0,
    'skills/lint': 1,
  });
});

it('WV6: a folder that the session reached by a link is the same folder', async () => {
  const plain = createMemoryTree({ 'library/knots/SKILL.md': skill('knots') });
  const tree: FileTree = {
    ...plain,
    list: async (path) => {
      const entries = await plain.list(path.replace(/^\.claude\/skills/, 'library'));
      if (path === '') return [...(entries ?? []), { name: '.claude', kind: 'folder' }];
      return path === '.claude' ? [{ name: 'skills', kind: 'folder', target: 'library' }] : entries;
    },
  };
  const { skills, library } = await loadWorkspaceView({ project: { tree } }, OPTIONS);
  expect(library.report.map(({ path, real }) => [path, real])).toEqual([['.claude/skills/knots', 'library/knots']]);
  expect(skills.map(({ id, outcome }) => [id, outcome])).toEqual([['library/knots', 'loaded']]);
});

const manySkills = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => index).flatMap((index) => [
      [`skills/s${index}/SKILL.md`, index === 7 ? 'no frontmatter' : skill(`s${index}`, 'See [notes](gone.md).')],
      [`skills/s${index}/README.md`, 'For people.'],
    ]),
  );

it('WV7: of a large folder the first skills come early, then all by their text, and the end is the same', async () => {
  const tree = createMemoryTree(manySkills(100));
  const some: number[] = [];
  const parts: { readonly count: number; readonly problems: number }[] = [];
  const view = await loadWorkspaceView(
    { project: { tree } },
    {
      ...OPTIONS,
      onSome: (skills) => some.push(skills.length),
      onSkills: ({ skills }) => {
        parts.push({ count: skills.length, problems: skills.flatMap(({ diagnostics }) => diagnostics).length });
        return Promise.resolve();
      },
    },
  );
  const waited = await loadWorkspaceView({ project: { tree } }, OPTIONS);
  expect(some).toEqual([48, 96]);
  expect(parts.map(({ count }) => count)).toEqual([100, 100]);
  expect(parts[0]?.problems).toBe(0);
  expect(parts[1]?.problems).toBeGreaterThan(0);
  expect(view.skills).toEqual(waited.skills);
  expect(view.skills[0]?.diagnostics.map(({ rule }) => rule)).toContain('extraneous-file');
});

it('WV7: a small folder is given once', async () => {
  const told: unknown[] = [];
  const { skills } = await loadWorkspaceView(
    { project: { tree: createMemoryTree(manySkills(20)) } },
    {
      ...OPTIONS,
      onSome: (some) => told.push(some),
      onSkills: (part) => {
        told.push(part);
        return Promise.resolve();
      },
    },
  );
  expect(skills).toHaveLength(20);
  expect(told).toEqual([]);
});

it('WV8: each folder is listed once, and each SKILL.md is read once', async () => {
  const memory = createMemoryTree(manySkills(60));
  const asked = new Map<string, number>();
  const count = (what: string): void => void asked.set(what, (asked.get(what) ?? 0) + 1);
  const tree: FileTree = {
    ...memory,
    list: (path) => {
      count(`list ${path}`);
      return memory.list(path);
    },
    read: (path, limit) => {
      if (path.endsWith('SKILL.md')) count(`read ${path}`);
      return memory.read(path, limit);
    },
  };
  const options = { ...OPTIONS, onSome: () => {}, onSkills: () => Promise.resolve() };
  const { skills } = await loadWorkspaceView({ project: { tree } }, options);
  expect(skills).toHaveLength(60);
  expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
});

describe('a large folder that was kept', () => {
  const openKept = async () => {
    const disk = createMemoryTree(manySkills(60));
    let kept: KeptFolder | undefined;
    const open = async (known?: KeptFolder) => {
      const { log, lines } = collectLog();
      const shown: WorkspaceView[] = [];
      const read: string[] = [];
      const view = await loadWorkspaceView(
        { project: { tree: disk } },
        {
          ...OPTIONS,
          log,
          keeping: {
            disk: {
              ...disk,
              readWithStat: (path, limit) => {
                read.push(path);
                return disk.readWithStat?.(path, limit) ?? Promise.resolve(undefined);
              },
            },
            ...(known && { known }),
            onKnown: (part) => {
              shown.push(part);
              return Promise.resolve();
            },
            keep: (folder) => {
              kept = folder;
            },
          },
        },
      );
      return { view, shown, read, lines };
    };
    const first = await open();
    if (!kept) throw new Error('nothing was kept');
    return { disk, first, again: () => open(kept) };
  };
  const facts = ({ skills, library }: WorkspaceView) => ({
    skills,
    names: library.store.list().map((item) => item.skill.name),
    report: library.report.map(({ path, outcome, reason }) => ({ path, outcome, reason })),
  });

  it('WV9: is given immediately, and is the result if nothing changed; no file is read', async () => {
    const { first, again } = await openKept();
    expect(first.shown).toEqual([]);
    const { view, shown, read, lines } = await again();
    expect(read).toEqual([]);
    expect(shown).toEqual([view]);
    expect(facts(view)).toEqual(facts(first.view));
    expect(lines).toEqual(first.lines);
  });

  it('WV9: is read where it changed, and ends as a first opening would', async () => {
    const { disk, again } = await openKept();
    const bytes = (name: string) => new TextEncoder().encode(skill(name, 'New.'));
    await disk.write('skills/added/SKILL.md', bytes('added'));
    const path = [...disk.files.keys()].find((one) => one.endsWith('/SKILL.md')) ?? '';
    const folder = path.split('/').at(-2) ?? '';
    await disk.write(path, bytes(folder));
    const { view, shown, read } = await again();
    expect(shown[0]?.skills).toHaveLength(60);
    expect(read.toSorted()).toEqual([path, 'skills/added/SKILL.md'].toSorted());
    const anew = await loadWorkspaceView({ project: { tree: disk } }, OPTIONS);
    expect(facts(view)).toEqual(facts(anew));
    // A session reads the disk, not what was kept.
    const { tree } = view.library.store.get(folder) ?? {};
    await disk.write(path, bytes('later'));
    expect(await tree?.read(path)).toEqual(bytes('later'));
  });
});
