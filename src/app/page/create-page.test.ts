import { afterEach, describe, expect, it, vi } from 'vitest';
import { problemsByFile } from '../../features/problems/problems-view.ts';
import { encodeShareLink } from '../../model/files/share-link.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { CopyIn } from '../../platform/fs/private-workspace.ts';
import { shareCodec } from '../../platform/fs/share-codec.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { createMemoryPrivates } from '../../stores/testing/private-workspaces.ts';
import { parseUrlState } from '../address/url-state.ts';
// The page fetches it by itself; here it is there before the clock of a test runs.
import './join-desk.ts';
import { createPage, type Page } from './create-page.ts';
import { createMemoryBrowser, DEMO_FILES, type MemoryBrowserOptions } from './testing/memory-browser.ts';

const start = async (options?: MemoryBrowserOptions) => {
  const memory = createMemoryBrowser(options);
  const page = createPage(memory.browser);
  await page.open();
  return { ...memory, page };
};

/** Resolves when the folder has been read. */
const ready = (page: Page) =>
  vi.waitFor(() => {
    const state = page.workbench.workspace.getState();
    if (state.status !== 'ready') throw new Error(state.status);
    return state.workspace;
  });

const notices = (page: Page) => page.workbench.shell.getState().notices.map(({ id, text }) => `${id}: ${text}`);

/** The path that the editor shows. */
const inFront = (page: Page): string | undefined => page.desk()?.editor.needs.getState().active;

describe('a page', () => {
  it('PG1: opens the demo at the first visit', async () => {
    const { page } = await start();
    const workspace = await ready(page);
    expect(workspace.name).toBe('demo');
    expect(workspace.skills.map(({ path }) => path)).toEqual(['skills/first', 'skills/second']);
    expect(notices(page)).toEqual([]);
    expect(page.slots.get().panels?.session).toBeDefined();
  });

  const shared = encodeShareLink(
    { name: 'guest', files: new Map([['SKILL.md', new TextEncoder().encode(DEMO_FILES['skills/first/SKILL.md'])]]) },
    shareCodec,
  );
  if (!shared.ok) throw new Error(shared.error.message);
  const shareHash = `#${shared.value.hash}`;

  it.each([
    ['opens', true, 'guest'],
    ['is left alone', false, 'demo'],
  ])('PG2: a shared skill %s as the person says (%s), and the address forgets it', async (_what, answer, name) => {
    const { page, hash } = await start({ hash: shareHash });
    const { questions } = page.workbench;
    const question = await vi.waitFor(() => {
      const [open] = questions.getState().open;
      if (open?.kind !== 'confirm') throw new Error('nothing was asked');
      return open;
    });
    expect(question.title).toBe('Open the shared skill guest?');
    question.answer(answer);
    await vi.waitFor(() => expect(hash()).not.toContain('share='));
    await vi.waitFor(async () => expect((await ready(page)).name).toBe(name));
  });

  it('PG3: shows what the address names, also when it moves', async () => {
    const { page, move, back } = await start({ hash: '#skill=skills/second&file=references/notes.md' });
    await ready(page);
    expect(inFront(page)).toBe('skills/second/references/notes.md');
    move('#skill=skills/first');
    expect(inFront(page)).toBe('skills/first/SKILL.md');
    back();
    expect(inFront(page)).toBe('skills/second/references/notes.md');
  });

  it('PG4: names in the address what comes to the front, without a step in the history', async () => {
    const { page, past, hash } = await start();
    await ready(page);
    page.desk()?.editor.open('skills/second/references/notes.md');
    expect(hash()).toBe('#view=sessions&skill=skills/second&file=references/notes.md');
    page.desk()?.editor.open('AGENTS.md');
    expect(hash()).toBe('#view=sessions&file=AGENTS.md');
    expect(past).toHaveLength(1);
  });

  it('PG7: leaves a folder that is no longer open', async () => {
    const { page, hash } = await start({ hash: '#tab=log&skill=skills/second' });
    await ready(page);
    const other = { 'skills/third/SKILL.md': DEMO_FILES['skills/first/SKILL.md'] ?? '' };
    await page.desk()?.folder.openCopy(createMemoryTree(other, 'other'), 'drop');
    await vi.waitFor(async () => expect((await ready(page)).name).toBe('other'));
    await vi.waitFor(() => expect(hash()).toBe('#tab=log&skill=skills/third'));
  });

  it('PG8: reads the folder once behind many changes', async () => {
    const { page, elapse } = await start();
    await ready(page);
    const { files } = page.desk() ?? {};
    await files?.create('skills/a.txt', new Map([['', 'a']]));
    await files?.create('skills/third', new Map([['SKILL.md', DEMO_FILES['skills/first/SKILL.md'] ?? '']]));
    const read: (readonly string[])[] = [];
    page.workbench.workspace.subscribe((state) => {
      if (state.status === 'ready') read.push(state.workspace.skills.map(({ path }) => path));
    });
    elapse();
    await vi.waitFor(() => expect(read).toEqual([['skills/first', 'skills/second', 'skills/third']]));
    elapse();
    await page.workbench.workspace.open();
    expect(read).toHaveLength(2);
  });

  it('LP4: a fix is made for the text as it is now, and a problem that is gone is said to be', async () => {
    const path = 'skills/first/SKILL.md';
    const wrong = DEMO_FILES[path]?.replace('\n---\n\n', '\nallowed-tools: Read, Grep\n---\n\n') ?? '';
    const page = createPage(createMemoryBrowser({ files: { ...DEMO_FILES, [path]: wrong } }).browser);
    const said: string[] = [];
    vi.spyOn(page.workbench.toasts, 'say').mockImplementation((text) => void said.push(text));
    await page.open();
    const { skills } = await ready(page);
    const problem = problemsByFile(skills)
      .flatMap(({ problems }) => problems)
      .find(({ diagnostic }) => diagnostic.rule === 'allowed-tools-comma');
    if (!problem) throw new Error('The skill has no such problem.');
    const needs = page.desk()?.editor.needs;
    await page.desk()?.files.open(path);
    const typed = wrong.replace('description: "Does', 'description: "Now and then does');
    needs?.setText(path, typed);
    await page.workbench.actions.fix.run(problem);
    const text = () =>
      needs?.getState().documents.flatMap((view) => (view.kind === 'text' && view.path === path ? [view.text] : []))[0];
    await vi.waitFor(() => expect(text()).toBe(typed.replace('Read, Grep', 'Read Grep')));
    expect(said).toEqual([]);
    await page.workbench.actions.fix.run(problem);
    await vi.waitFor(() => expect(said).toEqual(['This problem no longer exists.']));
    expect(text()).toBe(typed.replace('Read, Grep', 'Read Grep'));
  });

  it('PG10: lists the files of the folder when the palette opens', async () => {
    const { page } = await start();
    await ready(page);
    expect(page.workbench.files.paths()).toEqual([]);
    page.workbench.shell.open('palette');
    await vi.waitFor(() => expect(page.workbench.files.paths().toSorted()).toEqual(Object.keys(DEMO_FILES).toSorted()));
  });
});

describe('a page without its desk', () => {
  it('PG5: says so, offers another try, and forgets it when that succeeds', async () => {
    let tries = 0;
    const { page } = await start({
      outside: (made) => (++tries <= 2 ? Promise.reject(new Error('The chunk is gone.')) : Promise.resolve(made)),
    });
    const { workspace, actions } = page.workbench;
    expect(notices(page)).toEqual(['no-desk: Can’t load Lathe: The chunk is gone.']);
    expect(workspace.getState()).toEqual({ status: 'failed', reason: 'The chunk is gone.' });
    expect(actions.newSkill.enabled()).toBe('Can’t load Lathe. Reload the page. (The chunk is gone.)');
    await workspace.open();
    expect((await ready(page)).name).toBe('demo');
    expect(notices(page)).toEqual([]);
    expect(actions.newSkill.enabled()).toBe(true);
  });

  it('PG5: says that it waits while it is on its way', () => {
    const { workbench } = createPage(createMemoryBrowser().browser);
    expect(workbench.actions.openFolder.enabled()).toBe('Opening the folder…');
    expect(workbench.workspace.getState()).toEqual({ status: 'loading' });
  });
});

describe('opening, canceled', () => {
  it.each(['before the desk is there', 'while the demo is fetched'])(
    'PG13: %s, opens nothing until it is asked for again',
    async (when) => {
      const isEarly = when.startsWith('before');
      let fetchDemo = 0;
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const memory = createMemoryBrowser({
        outside: async (made) => {
          if (isEarly) await held;
          return {
            ...made,
            demo: async () => {
              if (++fetchDemo === 1 && !isEarly) await held;
              return made.demo();
            },
          };
        },
      });
      const page = createPage(memory.browser);
      const opening = page.open();
      if (!isEarly) await vi.waitFor(() => expect(fetchDemo).toBe(1));
      page.workbench.cancelOpening();
      release();
      await opening;
      expect(page.workbench.workspace.getState()).toEqual({ status: 'cancelled' });
      expect(page.desk()?.folder.getState().current).toBeUndefined();
      expect(notices(page)).toEqual([]);
      await page.workbench.workspace.open();
      expect((await ready(page)).name).toBe('demo');
    },
  );

  it('PG13: a slow copy says how far it is, and its cancel keeps what is open', async () => {
    const privates = createMemoryPrivates();
    let progress: CopyIn['onProgress'];
    const { page, elapse } = await start({
      outside: (made) =>
        Promise.resolve({
          ...made,
          privates: () =>
            Promise.resolve({
              ...privates,
              copyIn: async (source, name, options) => {
                if (name !== 'gift') return privates.copyIn(source, name, options);
                progress = options?.onProgress;
                return new Promise<never>(() => {});
              },
            }),
        }),
    });
    await ready(page);
    const copying = page.desk()?.folder.openCopy(createMemoryTree({}, 'gift'), 'zip');
    await vi.waitFor(() => expect(progress).toBeDefined());
    expect(notices(page)).toEqual([]);
    elapse();
    expect(notices(page)).toEqual(['folder-work: Copying gift…']);
    progress?.({ done: 250, total: 1000, bytes: 0 });
    expect(notices(page)).toEqual(['folder-work: Copying gift… 200 files so far.']);
    page.workbench.shell.getState().notices[0]?.action?.run();
    await copying;
    expect(notices(page)).toEqual([]);
    expect(page.desk()?.folder.getState().current?.name).toBe('demo');
  });
});

describe('the keys of a page', () => {
  it('PG6: run commands, say why not, and leave the rest alone', () => {
    const { browser, press } = createMemoryBrowser();
    const { workbench } = createPage(browser);
    const said: string[] = [];
    vi.spyOn(workbench.toasts, 'say').mockImplementation((text) => void said.push(text));
    expect(press('k', { ctrlKey: true })).toBe(true);
    expect(workbench.shell.getState().dialog).toBe('palette');
    expect(press('o', { ctrlKey: true })).toBe(true);
    expect(said).toEqual(['Opening the folder…']);
    expect(press('k')).toBe(false);
  });
});

describe('what a page copies', () => {
  afterEach(() => vi.restoreAllMocks());

  it('PG9: is told where the browser refuses it', async () => {
    const { browser } = createMemoryBrowser({ copy: () => Promise.reject(new Error('no')) });
    const page = createPage(browser);
    page.workbench.copy('text', 'Text copied');
    await vi.waitFor(() => expect(notices(page)).toEqual(['copy: The browser didn’t allow copying: no']));
  });
});

describe('the session of a page', () => {
  /** Pages one after the other in one browser, and what it keeps. */
  const visits = () => {
    const database = createMemoryStorage();
    const privates = createMemoryPrivates();
    return async (hash = '') => {
      const visit = await start({
        hash,
        outside: (made) =>
          Promise.resolve({
            ...made,
            database: () => Promise.resolve(database),
            privates: () => Promise.resolve(privates),
          }),
      });
      await ready(visit.page);
      const desk = visit.page.desk();
      if (!desk) throw new Error('no desk');
      return { ...visit, desk };
    };
  };
  const gift = () => createMemoryTree({ 'skills/third/SKILL.md': DEMO_FILES['skills/first/SKILL.md'] ?? '' }, 'gift');

  it('PG11, HOME7: is in the address, and a reload opens it again', async () => {
    const visit = visits();
    const first = await visit('#tab=log');
    expect(await first.desk.sessions.send('Hello')).toMatchObject({ kind: 'completed' });
    const { currentId } = first.desk.sessions.getState();
    expect(parseUrlState(first.hash())).toMatchObject({ tab: 'log', session: currentId });
    expect(first.past).toHaveLength(1);
    const { sessions } = (await visit(first.hash())).desk;
    await vi.waitFor(() => expect(sessions.getState()).toMatchObject({ status: 'idle', currentId }));
    expect(sessions.getState().away).toBeUndefined();
    expect(sessions.state()?.turns).toHaveLength(1);
  });

  it('PG11: an address without a session closes nothing; back comes to the session that was open', async () => {
    const { desk, move, back, hash } = await visits()();
    await desk.sessions.send('Hello');
    const { currentId: one } = desk.sessions.getState();
    move('#tab=log');
    expect(parseUrlState(hash())).toMatchObject({ tab: 'log', session: one });
    desk.sessions.newSession();
    expect(parseUrlState(hash()).session).toBeUndefined();
    back();
    await vi.waitFor(() => expect(desk.sessions.getState()).toMatchObject({ status: 'idle', currentId: one }));
  });

  it('PG11: says that a session is deleted, and forgets it', async () => {
    const { page, hash } = await visits()('#session=sess_gone');
    await vi.waitFor(() =>
      expect(notices(page)).toEqual([
        'session: This session no longer exists. You may have deleted it in another tab.',
      ]),
    );
    expect(hash()).not.toContain('sess_');
  });

  it('PG11, HOME4: a session whose folder is not open is shown, and continues in its folder', async () => {
    const visit = visits();
    const first = await visit();
    await first.desk.sessions.send('Hello');
    const named = first.hash();
    await first.desk.folder.openCopy(gift(), 'zip');
    const { desk } = await visit(named);
    expect(desk.folder.getState().current?.name).toBe('gift');
    await vi.waitFor(() => expect(desk.sessions.getState().away).toMatchObject({ reason: 'folder', name: 'demo' }));
    await desk.sessions.goHome(desk.sessions.getState().currentId ?? '');
    expect(desk.folder.getState().current?.name).toBe('demo');
    await vi.waitFor(() => expect(desk.sessions.getState().status).toBe('idle'));
    expect(desk.sessions.getState().away).toBeUndefined();
  });

  it('PG12, HOME2, HOME3: is left with its folder, named in a notice, and comes back with it', async () => {
    const { page, desk, hash } = await visits()();
    await desk.sessions.send('Hello');
    const { currentId } = desk.sessions.getState();
    await desk.folder.openCopy(gift(), 'zip');
    await vi.waitFor(() =>
      expect(notices(page)).toEqual(['left-session: “Hello” belongs to demo. Lathe saved it and left it there.']),
    );
    expect(parseUrlState(hash()).session).toBeUndefined();
    const [notice] = page.workbench.shell.getState().notices;
    expect(notice?.action?.label).toBe('Back to demo');
    notice?.action?.run();
    await vi.waitFor(() => expect(desk.sessions.getState()).toMatchObject({ status: 'idle', currentId }));
    expect(desk.folder.getState().current?.name).toBe('demo');
    expect(notices(page)).toEqual([]);
    expect(parseUrlState(hash()).session).toBe(currentId);
  });
});
