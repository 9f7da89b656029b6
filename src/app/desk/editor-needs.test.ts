import { describe, expect, it, vi } from 'vitest';
import type { FileTree } from '../../model/files/file-tree.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import '../page/join-desk.ts';
import { createPage } from '../page/create-page.ts';
import { createMemoryBrowser, DEMO_FILES } from '../page/testing/memory-browser.ts';

/** A slow machine is not a failure. */
const until = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 60_000 });

const FIRST = 'skills/first/SKILL.md';
const SECOND = 'skills/second/SKILL.md';
const NOTES = 'skills/second/references/notes.md';

/** The editor of a page in memory. */
const start = async (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  const tree: FileTree = createMemoryTree({ ...DEMO_FILES, ...files }, 'demo');
  const { browser } = createMemoryBrowser({
    outside: (made) => Promise.resolve({ ...made, demo: () => Promise.resolve(tree) }),
  });
  const page = createPage(browser);
  await page.open();
  const desk = await until(() => {
    const made = page.desk();
    if (made?.workspace.getState().plan === undefined) throw new Error('not there yet');
    return made;
  });
  const { needs } = desk.editor;
  // The page shows the first skill by itself; here it starts with no tab.
  await until(() => expect(needs.getState().active).toBe(FIRST));
  needs.close(FIRST);
  const documentAt = (path: string) => needs.getState().documents.find((document) => document.path === path);
  const textAt = (path: string): string | undefined => {
    const document = documentAt(path);
    return document?.kind === 'text' ? document.text : undefined;
  };
  /** Opens it and waits until its text is there. */
  const open = async (path: string): Promise<void> => {
    needs.open(path);
    await until(() => expect(documentAt(path)?.kind).not.toBe('loading'));
  };
  const onDisk = async (path: string): Promise<string | undefined> => {
    const bytes = await desk.folder.tree()?.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  return {
    page,
    desk,
    needs,
    open,
    onDisk,
    documentAt,
    textAt,
    tabs: () => needs.getState().documents.map(({ path }) => path),
    notices: () => page.workbench.shell.getState().notices.map(({ text }) => text),
    /** The question that is open. */
    asked: () =>
      until(() => {
        const [question] = page.workbench.questions.getState().open;
        if (question?.kind !== 'confirm') throw new Error('nothing was asked');
        return question;
      }),
  };
};

describe('tabs of the editor', () => {
  it('are in the order of opening, and the one next to a closed tab comes to the front', async () => {
    const { needs, open, tabs } = await start();
    for (const path of [FIRST, SECOND, NOTES]) await open(path);
    await open(SECOND);
    expect(tabs()).toEqual([FIRST, SECOND, NOTES]);
    needs.close(SECOND);
    expect(needs.getState().active).toBe(NOTES);
    needs.close(NOTES);
    expect(needs.getState().active).toBe(FIRST);
    needs.close(FIRST);
    expect(needs.getState()).toEqual({ documents: [], active: undefined });
  });

  it('say why a file is not shown, and show it once it exists', async () => {
    const { desk, open, documentAt, textAt } = await start();
    await open('skills/first/missing.md');
    expect(documentAt('skills/first/missing.md')).toMatchObject({ kind: 'refused' });
    await desk.files.create('skills/first/missing.md', new Map([['', 'Found.\n']]));
    await open('skills/first/missing.md');
    await until(() => expect(textAt('skills/first/missing.md')).toBe('Found.\n'));
  });

  it('show a image, and hand its bytes to the preview', async () => {
    const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
    const { needs, open, documentAt } = await start({ 'skills/first/assets/dot.png': picture });
    await open('skills/first/assets/dot.png');
    expect(documentAt('skills/first/assets/dot.png')).toMatchObject({ kind: 'image', mediaType: 'image/png' });
    expect(await needs.readFile?.('skills/first/assets/dot.png')).toEqual(picture);
    expect(await needs.readFile?.(FIRST)).toBeUndefined();
  });

  it('follow a renamed skill, leave with a deleted one, and come back with it', async () => {
    const { desk, needs, open, tabs, textAt } = await start();
    await open(NOTES);
    await open(FIRST);
    needs.open(NOTES);
    await desk.files.rename('skills/second', 'skills/other');
    expect(tabs()).toEqual(['skills/other/references/notes.md', FIRST]);
    expect(needs.getState().active).toBe('skills/other/references/notes.md');
    await desk.files.remove('skills/other');
    expect(tabs()).toEqual([FIRST]);
    expect(needs.getState().active).toBe(FIRST);
    await desk.files.undo();
    expect(tabs()).toContain('skills/other/references/notes.md');
    await until(() => expect(textAt('skills/other/references/notes.md')).toBe('Notes.\n'));
  });

  it('stay behind when another folder is opened', async () => {
    const { desk, needs, open } = await start();
    await open(FIRST);
    await desk.folder.openCopy(createMemoryTree({ 'AGENTS.md': 'Other.\n' }, 'gift'), 'zip');
    await until(() => expect(needs.getState()).toEqual({ documents: [], active: undefined }));
  });

  it('open a skill of the folder by its name, and say so where it has none', async () => {
    const { needs, notices } = await start();
    needs.openSkill('second');
    expect(needs.getState().active).toBe(SECOND);
    needs.openSkill('third');
    expect(needs.getState().active).toBe(SECOND);
    expect(notices()).toHaveLength(1);
    expect(notices()[0]).toContain('third');
  });
});

describe('text of the editor', () => {
  it('is kept with the line ends of the file, and saved', async () => {
    const { needs, open, onDisk, documentAt } = await start({ [NOTES]: 'One.\r\nTwo.\r\n' });
    await open(NOTES);
    needs.setText(NOTES, 'One.\nThree.\n');
    expect(documentAt(NOTES)).toMatchObject({ text: 'One.\r\nThree.\r\n', saved: 'One.\r\nTwo.\r\n' });
    await needs.save(NOTES);
    expect(documentAt(NOTES)).toMatchObject({ saved: 'One.\r\nThree.\r\n', isSaving: false });
    expect(await onDisk(NOTES)).toBe('One.\r\nThree.\r\n');
  });

  it('is dropped only when the person says so', async () => {
    const { needs, open, asked, tabs, textAt, onDisk } = await start();
    await open(NOTES);
    needs.setText(NOTES, 'Unsaved.\n');
    needs.close(NOTES);
    (await asked()).answer(false);
    await until(() => expect(textAt(NOTES)).toBe('Unsaved.\n'));
    needs.close(NOTES);
    (await asked()).answer(true);
    await until(() => expect(tabs()).toEqual([]));
    expect(await onDisk(NOTES)).toBe('Notes.\n');
  });

  it('goes back to what is on disk', async () => {
    const { needs, open, textAt } = await start();
    await open(NOTES);
    needs.setText(NOTES, 'Unsaved.\n');
    needs.reload(NOTES);
    await until(() => expect(textAt(NOTES)).toBe('Notes.\n'));
  });

  it.each([
    ['mine', 'Mine.\n'],
    ['disk', 'Theirs.\n'],
  ] as const)('meets a change from outside as a conflict that takes %s', async (choice, after) => {
    const { desk, needs, open, textAt, documentAt, notices } = await start();
    await open(NOTES);
    needs.setText(NOTES, 'Mine.\n');
    await desk.folder.tree()?.write?.(NOTES, new TextEncoder().encode('Theirs.\n'));
    await needs.save(NOTES);
    expect(documentAt(NOTES)).toMatchObject({ conflict: { base: 'Notes.\n', disk: 'Theirs.\n' } });
    // The document shows it; a notice would say it twice.
    expect(notices()).toEqual([]);
    needs.resolveConflict(NOTES, choice);
    await until(() => expect(documentAt(NOTES)).not.toHaveProperty('conflict'));
    expect(textAt(NOTES)).toBe(after);
  });
});

describe('what the editor knows of the skill around a file', () => {
  it('has the unsaved text of other files of the skill', async () => {
    const { needs, open } = await start();
    await open(NOTES);
    needs.setText(NOTES, 'Unsaved.\n');
    const around = needs.surroundings(SECOND);
    expect(around).toMatchObject({ root: 'skills/second', folder: 'second' });
    expect(around?.files?.get('references/notes.md')).toEqual({ size: 9, text: 'Unsaved.\n' });
    expect(around?.skills?.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(needs.surroundings(FIRST)?.files?.has('references/notes.md')).toBe(false);
    expect(needs.surroundings('AGENTS.md')).toBeUndefined();
  });

  it('gives the preview one context until the plan of a session changes', async () => {
    const { desk, needs } = await start();
    const context = needs.previewContext(SECOND);
    expect(context?.place).toMatchObject({ layer: 'project', path: 'skills/second', folder: 'second' });
    expect(context?.plan).toBe(desk.workspace.getState().plan);
    expect(needs.previewContext(NOTES)).toBe(context);
    expect(needs.previewContext('AGENTS.md')).toBeUndefined();
  });

  it('checks a text with the folder that it is in', async () => {
    const { needs } = await start();
    const text = (DEMO_FILES[SECOND] ?? '').replace('name: second', 'name: other');
    const { diagnostics } = await needs.check(SECOND, text);
    expect(diagnostics.flatMap(({ fixes }) => fixes.map(({ action }) => action.kind))).toContain('rename-folder');
    const asIs = await needs.check(SECOND, DEMO_FILES[SECOND] ?? '');
    expect(asIs.diagnostics.flatMap(({ fixes }) => fixes.map(({ action }) => action.kind))).not.toContain(
      'rename-folder',
    );
  });
});

describe('fixes that reach beyond a text', () => {
  const fixing = async (action: Parameters<Awaited<ReturnType<typeof start>>['needs']['applyFix']>[1]['action']) => {
    const made = await start();
    await made.open(SECOND);
    made.needs.applyFix(SECOND, { title: 'A fix', safety: 'safe', action });
    return made;
  };

  it('edit another file of the skill and bring it to the front, unsaved', async () => {
    const edits = [{ range: { start: 0, end: 5 }, text: 'Words' }];
    const { needs, textAt, onDisk } = await fixing({ kind: 'edit', file: 'references/notes.md', edits });
    await until(() => expect(textAt(NOTES)).toBe('Words.\n'));
    expect(needs.getState().active).toBe(NOTES);
    expect(await onDisk(NOTES)).toBe('Notes.\n');
  });

  it('make and rename files in the skill', async () => {
    const made = await fixing({ kind: 'create-file', file: 'LICENSE', text: 'Free.\n' });
    await until(async () => expect(await made.onDisk('skills/second/LICENSE')).toBe('Free.\n'));
    const renamed = await fixing({ kind: 'rename-file', from: 'references/notes.md', to: 'references/more.md' });
    await until(async () => expect(await renamed.onDisk('skills/second/references/more.md')).toBe('Notes.\n'));
  });

  it('rename the folder of the skill, and say so where the name is taken', async () => {
    const renamed = await fixing({ kind: 'rename-folder', to: 'other' });
    await until(() => expect(renamed.tabs()).toEqual(['skills/other/SKILL.md']));
    const refused = await fixing({ kind: 'rename-folder', to: 'first' });
    await until(() => expect(refused.notices()).toHaveLength(1));
    expect(refused.tabs()).toEqual([SECOND]);
  });
});
