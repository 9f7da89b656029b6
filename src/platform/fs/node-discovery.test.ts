/** The rules of `model/library` that only a real disk can show: links. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectLog, silentLog } from '../../base/log.ts';
import { discoverInstructions } from '../../model/instructions/instructions.ts';
import { checkSkills } from '../../model/library/check-skills.ts';
import { loadLibrary } from '../../model/library/load-library.ts';
import { createNodeTree } from './node-tree.ts';

let top: string;
let root: string;
let outside: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'lathe-discovery-'));
  [root, outside] = [join(top, 'root'), join(top, 'outside')];
  mkdirSync(root);
  mkdirSync(outside);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const put = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const putSkill = (folder: string, path: string, name: string, fields = ''): void =>
  put(
    folder,
    `${path}/SKILL.md`,
    `---\nname: ${name}\ndescription: Does ${name}. Use when needed.\n${fields}---\n\n# ${name}\n`,
  );
const link = (target: string, path: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
};

const discover = async (workingFolder = '') => {
  const { log, lines } = collectLog();
  const project = { tree: createNodeTree(root), workingFolder };
  const library = await loadLibrary({ project }, { profile: 'standard', dialect: 'agents', log });
  const outcomes = Object.fromEntries(
    library.report.map(({ path, outcome, reason }) => [path, reason === '' ? outcome : `${outcome}: ${reason}`]),
  );
  return { ...library, outcomes, lines };
};

const LEAVES = 'skipped: it is a link that leaves the opened folder';

describe('links in discovery', () => {
  it('LIB13: a folder that leaves the root is refused and reported', async () => {
    putSkill(outside, 'evil', 'evil');
    putSkill(root, 'skills/good', 'good');
    link(join(outside, 'evil'), 'skills/evil');
    link('../..', 'skills/up');
    const { store, outcomes } = await discover();
    expect(store.list().map(({ skill }) => skill.name)).toEqual(['good']);
    expect(outcomes).toEqual({ 'skills/good': 'loaded', 'skills/evil': LEAVES, 'skills/up': LEAVES });
  });

  it('LIB13: a root that leaves, or is reached through a link that does, is refused and reported', async () => {
    putSkill(outside, 'skills/evil', 'evil');
    link(outside, '.agents');
    link(join(outside, 'skills'), '.claude/skills');
    put(root, 'config/x', '');
    const { store, outcomes } = await discover();
    expect(store.size).toBe(0);
    expect(outcomes).toEqual({ '.agents': LEAVES, '.claude/skills': LEAVES });
  });

  it('LIB13: neither does a configured path lead out', async () => {
    putSkill(outside, 'evil', 'evil');
    link(outside, 'vendor');
    put(root, '.agents/config.yaml', 'skills: { paths: [vendor/evil] }\n');
    const { store, outcomes } = await discover();
    expect(store.size).toBe(0);
    expect(outcomes).toEqual({ vendor: LEAVES });
  });

  it('LIB14: a SKILL.md that leaves the root is refused and reported', async () => {
    putSkill(outside, 'evil', 'evil');
    link(join(outside, 'evil', 'SKILL.md'), 'skills/evil/SKILL.md');
    putSkill(root, 'skills/good', 'good');
    const { outcomes } = await discover();
    expect(outcomes).toEqual({
      'skills/evil': 'skipped: its SKILL.md is a link that leaves the opened folder',
      'skills/good': 'loaded',
    });
  });

  it('LIB15, P41: a folder that is reached twice is read once and hides nothing', async () => {
    putSkill(root, '.agents/skills/a', 'a');
    putSkill(root, 'packages/b', 'b');
    link(join('..', '.agents', 'skills'), '.claude/skills');
    link(join('..', '..', 'packages', 'b'), '.metis/skills/b');
    link('packages', 'also-packages');
    const { outcomes, lines, shadowed } = await discover();
    expect(outcomes).toEqual({ '.agents/skills/a': 'loaded', '.metis/skills/b': 'loaded' });
    expect(lines).toEqual([]);
    expect(shadowed).toEqual([]);
  });

  it('LIB15: a folder goes by its own name where both are found', async () => {
    putSkill(root, 'skills/real', 'real');
    link('real', 'skills/alias');
    const { outcomes, store } = await discover();
    expect(outcomes).toEqual({ 'skills/real': 'loaded' });
    expect(store.get('real')?.path).toBe('skills/real');
  });

  it('LIB15: a link with a wrong name does not hide the skill that it leads to', async () => {
    putSkill(root, 'skills/real', 'real');
    link(join('..', '..', 'skills', 'real'), '.agents/skills/alias');
    const { outcomes, store } = await discover();
    expect(outcomes['.agents/skills/alias']).toMatch(/^skipped: /);
    expect(store.get('real')?.path).toBe('skills/real');
  });

  it('LIB15: circles come to an end', async () => {
    putSkill(root, 'a/b/skill-x', 'skill-x');
    link(join('..', '..'), 'a/b/top');
    link('.', 'self');
    link('loop-2', 'loop-1');
    link('loop-1', 'loop-2');
    const { outcomes, lines } = await discover();
    expect(Object.values(outcomes)).toEqual(['loaded']);
    expect(lines).toEqual([]);
  });

  it('LIB22: above the working folder skills/ may be a link inside the root', async () => {
    putSkill(root, 'shared/x', 'x');
    link('shared', 'skills');
    mkdirSync(join(root, 'work'));
    const { store } = await discover('work');
    expect(store.get('x')).toMatchObject({ path: 'skills/x', layer: 'project' });
  });
});

describe('programs behind links', () => {
  const reasonFor = async (): Promise<string | undefined> => {
    const { outcomes, store } = await discover();
    expect(store.get('t')?.skill.metaskill).toBeUndefined();
    return outcomes['skills/t'];
  };

  it('LIB52, P14: SKILL.star that leaves the root is refused', async () => {
    put(outside, 'x.star', 'x = 1\n');
    putSkill(root, 'skills/t', 't');
    link(join(outside, 'x.star'), 'skills/t/SKILL.star');
    expect(await reasonFor()).toBe(
      'downgraded: `SKILL.star` is a link outside the skill’s folder, so the skill is only text.',
    );
  });

  it('LIB52, P14: SKILL.star that leaves the skill but not the root is refused', async () => {
    put(root, 'shared/x.star', 'x = 1\n');
    putSkill(root, 'skills/t', 't');
    link(join('..', '..', 'shared', 'x.star'), 'skills/t/SKILL.star');
    expect(await reasonFor()).toMatch(/^downgraded: `SKILL\.star` is a link outside/);
  });

  it('LIB52, P13: a declared link is refused, at the top of the skill and below', async () => {
    put(outside, 'x.star', 'x = 1\n');
    putSkill(root, 'skills/t', 't', 'metaskill: link.star\n');
    link(join(outside, 'x.star'), 'skills/t/link.star');
    expect(await reasonFor()).toMatch(/^downgraded: The program `link\.star` is outside/);
    putSkill(root, 'skills/t', 't', 'metaskill: scripts/link.star\n');
    link(join(outside, 'x.star'), 'skills/t/scripts/link.star');
    expect(await reasonFor()).toMatch(/^downgraded: The program `scripts\/link\.star` is outside/);
    putSkill(root, 'skills/t', 't', 'metaskill: folder/x.star\n');
    link(outside, 'skills/t/folder');
    expect(await reasonFor()).toMatch(/^downgraded: The program `folder\/x\.star` is outside/);
  });

  it('LIB53: a link that stays inside the skill runs', async () => {
    putSkill(root, 'skills/t', 't');
    put(root, 'skills/t/scripts/x.star', 'x = 1\n');
    link(join('scripts', 'x.star'), 'skills/t/SKILL.star');
    const { store, outcomes } = await discover();
    expect(outcomes).toEqual({ 'skills/t': 'loaded' });
    expect(store.get('t')?.skill.metaskill).toEqual({ program: 'SKILL.star', language: 'starlark', fault: undefined });
  });

  it('LIB53: in a skill that is reached by a link as well', async () => {
    putSkill(root, 'elsewhere/t', 't');
    put(root, 'elsewhere/t/SKILL.star', 'x = 1\n');
    link(join('..', '..', 'elsewhere', 't'), '.agents/skills/t');
    const { store } = await discover();
    expect(store.get('t')).toMatchObject({ path: '.agents/skills/t' });
    expect(store.get('t')?.skill.metaskill?.program).toBe('SKILL.star');
  });
});

describe('other readers', () => {
  it('LIB82: checking knows links out of the skill and does not read them', async () => {
    put(outside, 'secret.md', 'secret');
    put(root, 'shared/common.md', 'common');
    putSkill(root, 't', 't');
    put(root, 't/own/a.md', 'own');
    link(join(outside, 'secret.md'), 't/references/secret.md');
    link(join('..', 'shared'), 't/shared');
    link('own', 't/linked');
    link(join('..', '..'), 't/own/up');
    const { skills } = await checkSkills(createNodeTree(root), '', 'standard');
    const files = skills.find(({ path }) => path === 't')?.input.files;
    expect(
      Object.fromEntries(
        [...(files ?? [])].map(([path, file]) => [path, file.escapes === true ? 'escapes' : file.text?.slice(0, 3)]),
      ),
    ).toEqual({
      'SKILL.md': '---',
      'linked/a.md': 'own',
      'linked/up': 'escapes',
      'references/secret.md': 'escapes',
      shared: 'escapes',
    });
  });

  it('INS7: instructions that leave the root are left out with a warning', async () => {
    put(outside, 'AGENTS.md', 'secret');
    put(root, 'docs/real.md', 'inside');
    link(join(outside, 'AGENTS.md'), 'AGENTS.md');
    link(join('docs', 'real.md'), 'CLAUDE.md');
    const { log, lines } = collectLog();
    const { text } = await discoverInstructions({ project: { tree: createNodeTree(root) } }, log);
    expect(text).toBe('<!-- CLAUDE.md -->\ninside');
    expect(lines.map((line) => line.text)).toEqual([
      'AGENTS.md is a link that leaves the opened folder and is left out',
    ]);
  });

  it('LIB1: a folder that does not exist is empty', async () => {
    const project = { tree: createNodeTree(join(root, 'not', 'there')) };
    const { store, report } = await loadLibrary({ project }, { profile: 'standard', dialect: 'metis', log: silentLog });
    expect([store.size, report]).toEqual([0, []]);
  });
});
