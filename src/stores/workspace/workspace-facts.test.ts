import { describe, expect, it, vi } from 'vitest';
import type { Diagnostic } from '../../model/skill/types.ts';
import { createPendingTree } from '../../model/tool/pending-tree.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { createKeptFolders } from '../../platform/store/kept-folders.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { startTestEngine } from '../../platform/worker/testing/node-engine.ts';
import { openFacts, skillText } from '../testing/workspace.ts';

const FILES = {
  'AGENTS.md': 'Be kind.',
  'skills/pdf/SKILL.md': skillText('pdf'),
  'apps/web/AGENTS.md': 'Of the web.',
  'apps/web/skills/lint/SKILL.md': skillText('lint'),
};
const problem: Diagnostic = {
  rule: 'typed',
  severity: 'error',
  message: 'typed',
  file: 'SKILL.md',
  range: { start: 0, end: 0 },
  fixes: [],
};

describe('what is known of the open folder', () => {
  it('WO3: one reading gives view, plan, prompt and what panels draw, and counts as one version', async () => {
    const { facts, shown, skills } = await openFacts(FILES);
    expect(facts.getState()).toMatchObject({ version: 0, view: undefined, plan: undefined, prompt: undefined });
    await shown.open();
    const { version, view, plan, prompt } = facts.getState();
    expect(version).toBe(1);
    expect(skills().map(({ id }) => id)).toEqual(view?.skills.map(({ id }) => id));
    expect(plan?.workspaceName).toBe('work');
    expect(plan?.workspace.library).toBe(view?.library);
    expect(prompt?.segments.some(({ text }) => text.includes('Be kind.'))).toBe(true);
    await shown.reload();
    expect(facts.getState().version).toBe(2);
  });

  it('WO10: what was said of a folder is not said again at every reading', async () => {
    const big = skillText('big', 'A line of the body.\n'.repeat(2_000));
    const { shown, tree, lines } = await openFacts({ ...FILES, 'skills/big/SKILL.md': big });
    const large = (): number => lines.filter(({ code }) => code === 'skill.large').length;
    await shown.open();
    expect(large()).toBe(1);
    await shown.reload();
    await shown.reload();
    expect(large()).toBe(1);
    await tree.write('skills/big/SKILL.md', new TextEncoder().encode(skillText('big')));
    await shown.reload();
    await tree.write('skills/big/SKILL.md', new TextEncoder().encode(big));
    await shown.reload();
    expect(large()).toBe(2);
  });

  it('WO4: a keystroke’s problems reach the panels without reading the folder again', async () => {
    const { facts, shown, files, skills } = await openFacts(FILES);
    await shown.open();
    await files.open('skills/pdf/SKILL.md');
    files.edit('skills/pdf/SKILL.md', 'typed');
    facts.heard('skills/pdf/SKILL.md', [problem]);
    const pdf = skills().find(({ id }) => id === 'skills/pdf');
    expect(pdf?.text).toBe('typed');
    expect(pdf?.diagnostics.map(({ rule }) => rule)).toEqual(['typed']);
    expect(facts.getState().version).toBe(1);
  });

  it('WO5: problems of programs come when they are known', async () => {
    using started = startTestEngine();
    const { shown, skills } = await openFacts(
      { 'loop/SKILL.md': skillText('loop', 'Input keys: none'), 'loop/SKILL.star': 'def run(input):\n    return {\n' },
      { engine: () => Promise.resolve(started.engine) },
    );
    const known = new Promise<void>((resolve) => {
      shown.subscribe((state) => {
        if (state.status === 'ready' && state.workspace.skills[0]?.program) resolve();
      });
    });
    await shown.open();
    await known;
    expect(skills()[0]).toMatchObject({ valid: false, program: { file: 'SKILL.star' } });
  });

  it('WO6: another choice for the next session makes another plan immediately, and other badges', async () => {
    const { facts, shown, skills, choose } = await openFacts(FILES);
    await shown.open();
    const preloaded = () => skills().flatMap(({ id, isPreloaded }) => (isPreloaded ? [id] : []));
    expect(preloaded()).toEqual(
      facts.getState().prompt?.preloaded.map((name) => (name === 'pdf' ? 'skills/pdf' : 'apps/web/skills/lint')),
    );
    expect(preloaded()).toContain('skills/pdf');
    choose({ padding: 'off', persona: 'You are brief.' });
    expect(preloaded()).toEqual([]);
    expect(facts.getState().plan?.persona).toBe('You are brief.');
    expect(facts.getState().version).toBe(1);
  });

  it('WO7: tools that cannot be had are logged, and the folder opens without them', async () => {
    const { shown, lines } = await openFacts(FILES, { extraTools: () => Promise.reject(new Error('no importer')) });
    await shown.open();
    expect(shown.getState().status).toBe('ready');
    expect(lines.map(({ code }) => code)).toContain('tools.missing');
  });

  it('WO8: which skill holds a path, and what would run of it', async () => {
    const { facts, shown, files } = await openFacts({
      'SKILL.md': skillText('work', 'Input keys: none'),
      'SKILL.star': 'def run(input):\n    return "saved"\n',
    });
    await shown.open();
    expect(facts.skillHolding('SKILL.star')?.name).toBe('work');
    await files.open('SKILL.star');
    files.edit('SKILL.star', 'def run(input):\n    return "typed"\n');
    const [skill] = facts.metaskills();
    expect(await skill?.readProgram()).toEqual({ ok: true, text: 'def run(input):\n    return "typed"\n' });
  });

  it('WO9: another folder is opened, another user library is read', async () => {
    const { facts, shown, folder, readAgain } = await openFacts(FILES);
    await shown.open();
    folder.setState({ user: { name: 'mine' } });
    await readAgain();
    expect(facts.getState().version).toBe(2);
    folder.setState({ current: { id: 'x', name: 'other', kind: 'disk' } });
    expect(shown.getState().status).toBe('loading');
  });
});

describe('a large folder', () => {
  const large = (): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`skills/s${index}/SKILL.md`, skillText(`s${index}`)]));

  it('WO20: its skills are there while the rest is read, and stay when it is read again', async () => {
    const { facts, shown } = await openFacts(large());
    const seen: string[] = [];
    const held: (string | undefined)[] = [];
    shown.subscribe((state) => {
      if (state.status !== 'ready') return;
      const { skills, stillReading = 'nothing' } = state.workspace;
      seen.push(`${skills.length} ${stillReading}`);
      held.push(facts.skillHolding(`${skills[0]?.path}/SKILL.md`)?.id);
    });
    await shown.open();
    expect(seen).toEqual(['48 skills', '60 files', '60 files', '60 nothing']);
    expect(held).not.toContain(undefined);
    seen.length = 0;
    await shown.reload();
    expect(seen).toEqual(['60 nothing']);
  });

  it('WO21: is shown as it was when it is opened again, and is then checked', async () => {
    const kept = createKeptFolders(createMemoryStorage(), () => 0);
    const tree = createMemoryTree(large(), 'work');
    const first = await openFacts(tree, { kept });
    await first.shown.open();
    await vi.waitFor(async () => expect(await kept.get('w')).toBeDefined());
    await tree.write('skills/new/SKILL.md', new TextEncoder().encode(skillText('new')));
    const second = await openFacts(tree, { kept });
    const seen: string[] = [];
    second.shown.subscribe((state) => {
      if (state.status !== 'ready') return;
      seen.push(`${state.workspace.skills.length} ${state.workspace.stillReading ?? 'nothing'}`);
    });
    await second.shown.open();
    expect(seen).toEqual(['48 skills', '60 changes', '61 nothing']);
  });

  it('WO21: nothing is kept while an agent’s changes wait', async () => {
    const asked: string[] = [];
    const tree = createMemoryTree(large(), 'work');
    const pending = createPendingTree(tree);
    await pending.write('skills/new/SKILL.md', new TextEncoder().encode(skillText('new')));
    const { shown } = await openFacts(tree, {
      pending: () => pending,
      kept: {
        get: (folder) => {
          asked.push(folder);
          return Promise.resolve(undefined);
        },
        put: () => Promise.reject(new Error('a folder was kept')),
      },
    });
    await shown.open();
    expect(asked).toEqual([]);
  });

  it('WO20: can be canceled while the rest is read', async () => {
    const { shown } = await openFacts(large());
    const stop = shown.subscribe((state) => {
      if (state.status === 'ready' && state.workspace.stillReading === 'files') {
        stop();
        shown.cancel();
      }
    });
    await shown.open();
    expect(shown.getState()).toEqual({ status: 'cancelled' });
  });
});

describe('the working folder', () => {
  it('WD1: is the opened folder until one is chosen, and then decides what a session loads', async () => {
    const { facts, shown, skills, readAgain } = await openFacts(FILES);
    await shown.open();
    expect(shown.getState()).toMatchObject({ workspace: { workingFolder: '' } });
    expect((await facts.input()).project?.workingFolder).toBeUndefined();
    expect(await facts.chooseWorkingFolder('apps/web')).toBe(true);
    await readAgain();
    expect(shown.getState()).toMatchObject({ workspace: { workingFolder: 'apps/web' } });
    expect((await facts.input()).project?.workingFolder).toBe('apps/web');
    expect(facts.getState().view?.instructions.files.map(({ path }) => path)).toEqual([
      'AGENTS.md',
      'apps/web/AGENTS.md',
    ]);
    expect(skills().map(({ id, outcome }) => [id, outcome])).toEqual([
      ['apps/web/skills/lint', 'loaded'],
      ['skills/pdf', 'loaded'],
    ]);
    expect(await facts.chooseWorkingFolder('')).toBe(true);
    await readAgain();
    expect(shown.getState()).toMatchObject({ workspace: { workingFolder: '' } });
  });

  it('WD2: is a folder inside the opened one; anything else is refused with the reason', async () => {
    const { facts, shown } = await openFacts(FILES);
    await shown.open();
    for (const path of ['apps/none', '../work', 'AGENTS.md'])
      expect(await facts.chooseWorkingFolder(path)).toBe(`${path} isn’t a folder in work.`);
    expect((await facts.input()).project?.workingFolder).toBeUndefined();
  });

  it('WD3: one that no longer exists gives way to the opened folder, which is said', async () => {
    const { facts, shown, tree, lines, readAgain } = await openFacts(FILES);
    await shown.open();
    await facts.chooseWorkingFolder('apps/web');
    await tree.remove('apps/web');
    await readAgain();
    expect(shown.getState()).toMatchObject({ workspace: { workingFolder: '', lostWorkingFolder: 'apps/web' } });
    expect(lines.map(({ code }) => code)).toContain('working-folder.lost');
  });
});
