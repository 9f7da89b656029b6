import { describe, expect, it, vi } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { keepFrozen } from '../../platform/store/frozen.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { createSettings } from '../../platform/store/settings.ts';
import { createMemoryPrivates } from '../../stores/testing/private-workspaces.ts';
import { createPage } from './create-page.ts';
// The page fetches it by itself; here it is there before the clock of a test runs.
import './join-desk.ts';
import { createMemoryBrowser } from './testing/memory-browser.ts';

const SKILL = '---\nname: third\ndescription: "Does third. Use when third has to be done."\n---\n\n# third\n\nDo it.\n';

/** Pages one after the other in one browser, with what they tell the watch. */
const visits = () => {
  const database = createMemoryStorage();
  const privates = createMemoryPrivates();
  return {
    settings: createSettings(database),
    visit: async (hash = '') => {
      const told: unknown[] = [];
      const memory = createMemoryBrowser({
        hash,
        outside: (made) =>
          Promise.resolve({
            ...made,
            database: () => Promise.resolve(database),
            privates: () => Promise.resolve(privates),
            watchForFreezes: () => (what) => void told.push(what),
          }),
      });
      const page = createPage(memory.browser);
      await page.open();
      await vi.waitFor(() => expect(page.workbench.workspace.getState().status).toBe('ready'));
      const desk = page.desk();
      if (!desk) throw new Error('no desk');
      const notices = () => page.workbench.shell.getState().notices;
      return { ...memory, desk, told, notices };
    },
  };
};

const gift = () => createMemoryTree({ 'skills/third/SKILL.md': SKILL }, 'gift');
const ADDRESS = '#skill=skills/third';

describe('a page after one that stopped answering', () => {
  it('PG14: tells the watch what is opened, before it is read', async () => {
    const { desk, told } = await visits().visit();
    expect(told.at(-1)).toMatchObject({ folder: { name: 'demo' } });
    desk.editor.open('skills/second/references/notes.md');
    expect(told.at(-1)).toMatchObject({ hash: expect.stringContaining('references/notes.md') as string });
    await desk.folder.openCopy(gift(), 'zip');
    expect(told.at(-1)).toMatchObject({ folder: { name: 'gift', kind: 'copy' } });
  });

  it('PG14: leaves the folder closed, names it, and opens it on request', async () => {
    const { settings, visit } = visits();
    const first = await visit();
    await first.desk.folder.openCopy(gift(), 'zip');
    await keepFrozen(settings, { folder: first.desk.folder.getState().current, hash: ADDRESS });
    const second = await visit(ADDRESS);
    expect(second.desk.folder.getState().current?.name).toBe('demo');
    expect(second.hash()).not.toContain('third');
    const [notice] = second.notices();
    expect(notice?.text).toBe(
      'The page stopped responding while it showed skills/third in gift. Lathe did not open it again.',
    );
    expect(notice?.action?.label).toBe('Open gift anyway');
    notice?.action?.run();
    await vi.waitFor(() => expect(second.desk.editor.needs.getState().active).toBe('skills/third/SKILL.md'));
    expect(second.desk.folder.getState().current?.name).toBe('gift');
    expect(second.notices()).toEqual([]);
    expect((await visit(second.hash())).desk.folder.getState().current?.name).toBe('gift');
  });

  it('PG14: opens the demo without the file that was in front', async () => {
    const { settings, visit } = visits();
    const hash = '#skill=skills/second&file=references/notes.md';
    const first = await visit(hash);
    await keepFrozen(settings, { folder: first.desk.folder.getState().current, hash });
    const second = await visit(hash);
    expect(second.desk.folder.getState().current?.name).toBe('demo');
    expect(second.desk.editor.needs.getState().active).toBe('skills/first/SKILL.md');
    expect(second.notices().map(({ id }) => id)).toEqual(['frozen']);
    expect((await visit(hash)).notices()).toEqual([]);
  });

  it('PG14: skips what is no such note', async () => {
    const { settings, visit } = visits();
    await settings.set('page.frozen', { folder: 7 });
    const { desk, notices } = await visit();
    expect(desk.folder.getState().current?.name).toBe('demo');
    expect(notices()).toEqual([]);
  });
});
