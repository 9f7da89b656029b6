import { describe, expect, it, vi } from 'vitest';
import { valueOr } from '../../base/result.ts';
import type { LibraryTarget } from '../../features/library/library-view.ts';
import { readZip } from '../../platform/fs/zip.ts';
import '../page/join-desk.ts';
import { createPage } from '../page/create-page.ts';
import { createMemoryBrowser, DEMO_FILES } from '../page/testing/memory-browser.ts';
import type { Questions } from '../shell/questions.tsx';
import { createFolderActions } from './folder-actions.ts';

/** A slow machine is not a failure. */
const until = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 60_000 });

type TextQuestion = Parameters<Questions['text']>[0];

/** The actions over the desk of a page in memory. `answers` are what the person types, in order; nothing where they cancel. */
const start = async (
  answers: readonly (string | undefined)[] = [],
  files: Readonly<Record<string, string>> = {},
  more?: Readonly<Record<string, string>>,
) => {
  const page = createPage(createMemoryBrowser({ files: { ...DEMO_FILES, ...files } }).browser);
  await page.open();
  const desk = await until(() => {
    const made = page.desk();
    if (made === undefined || made.workspace.getState().view === undefined) throw new Error('not there yet');
    return made;
  });
  const asked: TextQuestion[] = [];
  const notices: string[] = [];
  const undoes: (() => void)[] = [];
  const said: string[] = [];
  const copied: string[] = [];
  const packed = new Map<string, Uint8Array>();
  const went: LibraryTarget[] = [];
  const left = [...answers];
  const actions = createFolderActions({
    desk,
    questions: {
      ...page.workbench.questions,
      text: (question) => {
        asked.push(question);
        if (more) question.onMore?.(more);
        return Promise.resolve(left.shift());
      },
    },
    notify: ({ text, tone, action }) => {
      notices.push(`${tone}: ${text}`);
      if (action) undoes.push(action.run);
    },
    say: (text) => void said.push(text),
    copy: (text, what) => void copied.push(`${what} ${text}`),
    download: (name, content) => void packed.set(name, content),
    goTo: (target) => void went.push(target),
    pageUrl: () => 'https://lathe.test/',
  });
  const read = async (path: string): Promise<string | undefined> => {
    const bytes = await desk.folder.tree()?.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  /** Resolves when the folder has these skills and no others. */
  const holds = (...names: readonly string[]) =>
    until(async () => {
      const entries = (await desk.folder.tree()?.list('skills')) ?? [];
      expect(entries.map(({ name }) => name).toSorted()).toEqual(names);
    });
  return { desk, actions, asked, notices, undoes, said, copied, packed, went, read, holds };
};

const SECOND = { skill: 'skills/second' };

describe('folder actions', () => {
  it('makes a skill where the folder keeps its skills, shows it, and takes it back', async () => {
    const { actions, asked, notices, undoes, went, read, holds } = await start(['third']);
    await actions.create('skill');
    expect(asked[0]?.more?.find(({ id }) => id === 'place')?.initial).toBe('skills');
    expect(went).toEqual([{ skill: 'skills/third' }]);
    expect(notices).toEqual(['info: Created third.']);
    expect(await read('skills/third/SKILL.md')).toContain('name: third');
    await holds('first', 'second', 'third');
    undoes[0]?.();
    await holds('first', 'second');
    expect(await read('skills/third/SKILL.md')).toBeUndefined();
  });

  it('LP6: a new skill has the place and the description that were entered; a blank one is a placeholder that is reported', async () => {
    const more = { place: './.agents/skills/', description: 'Reads "tides": when a ferry leaves.' };
    const { actions, asked, went, read } = await start(['third'], {}, more);
    await actions.create('skill');
    expect(went).toEqual([{ skill: '.agents/skills/third' }]);
    expect(await read('.agents/skills/third/SKILL.md')).toContain(`description: 'Reads "tides": when a ferry leaves.'`);
    const place = asked[0]?.more?.find(({ id }) => id === 'place');
    expect([place?.check?.('../elsewhere') === undefined, place?.check?.('')]).toEqual([false, undefined]);

    const blank = await start(['fourth'], {}, { place: 'skills', description: '' });
    await blank.actions.create('skill');
    expect(await blank.read('skills/fourth/SKILL.md')).toMatch(/^description: .TODO: /m);
  });

  it('says what is wrong with the name of a skill before it is made', async () => {
    const { actions, asked, went } = await start([undefined]);
    await actions.create('skill');
    const check = asked[0]?.check;
    expect(check?.('Third Skill')).toContain('lowercase letters');
    expect(check?.('first')).toContain('first already exists');
    expect(check?.('third')).toBeUndefined();
    expect(went).toEqual([]);
  });

  it('opens the AGENTS.md that is there instead of writing over it', async () => {
    const { actions, desk, notices, read } = await start();
    await actions.create('instructions');
    expect(notices).toEqual([]);
    expect(desk.editor.needs.getState().active).toBe('AGENTS.md');
    expect(await read('AGENTS.md')).toBe(DEMO_FILES['AGENTS.md']);
  });

  it('makes a file inside the skill, and refuses paths that lead out of it', async () => {
    const { actions, asked, desk, read } = await start(['references/more.md']);
    await actions.createFile(SECOND);
    expect(await read('skills/second/references/more.md')).toBe('');
    expect(desk.editor.needs.getState().active).toBe('skills/second/references/more.md');
    for (const path of ['', '/etc/x', '../x', 'a//b', './a']) expect(asked[0]?.check(path)).toContain('A path inside');
  });

  it('never makes a file over one that is there', async () => {
    const { actions, notices, read } = await start(['references/notes.md']);
    await actions.createFile(SECOND);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^error: /);
    expect(await read('skills/second/references/notes.md')).toBe('Notes.\n');
  });

  it('renames a skill with the name in its text, and back', async () => {
    const { actions, notices, went, read, holds } = await start(['other']);
    await actions.rename(SECOND);
    expect(await read('skills/other/SKILL.md')).toContain('name: other');
    expect(await read('skills/other/references/notes.md')).toBe('Notes.\n');
    expect(await read('skills/second/SKILL.md')).toBeUndefined();
    expect(went).toEqual([{ skill: 'skills/other' }]);
    expect(notices).toEqual(['info: second is now other.']);
    await holds('first', 'other');
    await actions.undo();
    await holds('first', 'second');
    expect(await read('skills/second/SKILL.md')).toBe(DEMO_FILES['skills/second/SKILL.md']);
    await actions.redo();
    await holds('first', 'other');
  });

  it('renames a file inside its skill, and does nothing where the name stays', async () => {
    const file = { ...SECOND, file: 'references/notes.md' };
    const { actions, went, notices, read } = await start(['references/notes.md', 'notes.md']);
    await actions.rename(file);
    expect(notices).toEqual([]);
    await actions.rename(file);
    expect(await read('skills/second/notes.md')).toBe('Notes.\n');
    expect(went).toEqual([{ skill: 'skills/second', file: 'notes.md' }]);
  });

  it('copies a skill beside itself under a name of its own', async () => {
    const { actions, asked, read, holds } = await start(['first-copy']);
    await actions.duplicate({ skill: 'skills/first' });
    expect(asked[0]?.initial).toBe('first-copy');
    expect(asked[0]?.check('second')).toContain('second already');
    expect(await read('skills/first-copy/SKILL.md')).toContain('name: first-copy');
    await holds('first', 'first-copy', 'second');
  });

  it('deletes, and offers to take it back', async () => {
    const { actions, notices, undoes, read, holds } = await start();
    await actions.remove(SECOND);
    expect(notices).toEqual(['info: Deleted second.']);
    await holds('first');
    undoes[0]?.();
    await holds('first', 'second');
    expect(await read('skills/second/references/notes.md')).toBe('Notes.\n');
  });

  it('packs and shares what is seen, unsaved text included, and says so', async () => {
    const { actions, desk, packed, said, copied, read } = await start();
    const path = 'skills/second/references/notes.md';
    await actions.share(SECOND);
    expect(copied[0]).toMatch(/^Share link copied\. It contains the whole skill\. https:\/\/lathe\.test\/#share=/);
    await desk.files.open(path);
    desk.files.edit(path, 'Unsaved.\n');
    await actions.exportSkill(SECOND);
    await actions.exportFolder();
    expect([...packed.keys()]).toEqual(['second.skill', 'demo.zip']);
    const inside = valueOr(await readZip(packed.get('demo.zip') ?? new Uint8Array(), 'demo'), undefined)?.tree;
    const bytes = await inside?.read(path);
    expect(bytes && new TextDecoder().decode(bytes)).toBe('Unsaved.\n');
    expect(said).toEqual(['second.skill includes unsaved changes.', 'demo.zip includes unsaved changes.']);
    await actions.share(SECOND);
    expect(copied[1]).toContain('with unsaved changes');
    expect(await read(path)).toBe('Notes.\n');
  });

  it('says why a target cannot be exported', async () => {
    const { actions, notices } = await start();
    expect(actions.canExport()).toContain('Choose a skill');
    expect(actions.canExport({ skill: '' })).toContain("isn't in a skill");
    expect(actions.canExport(SECOND)).toBe(true);
    expect(actions.canChange(SECOND)).toBe(true);
    await actions.exportSkill({ skill: 'skills/gone' });
    expect(notices).toEqual(['error: Choose a skill in the Library first.']);
  });

  const UNQUOTED =
    '---\nname: knots\ndescription: Ties knots: bowline. Use when something has to be tied.\n---\n\n# Knots\n\nHold the end.\n';

  it('fixes everything that is safe in one step that can be taken back', async () => {
    const { actions, notices, undoes, read } = await start([], { 'skills/knots/SKILL.md': UNQUOTED });
    await actions.fixAll();
    expect(notices).toEqual(['info: 1 file fixed and saved.']);
    expect(await read('skills/knots/SKILL.md')).toMatch(/description: ["']Ties knots: bowline/);
    undoes[0]?.();
    await until(async () => expect(await read('skills/knots/SKILL.md')).toBe(UNQUOTED));
  });

  it('leaves saving to the person where text is not saved', async () => {
    const path = 'skills/knots/SKILL.md';
    const { actions, desk, said, notices, read } = await start([], { [path]: UNQUOTED });
    await desk.files.open(path);
    desk.files.edit(path, `${UNQUOTED}More.\n`);
    await actions.fixAll();
    expect(said).toEqual(['1 file with unsaved text was fixed but not saved.']);
    expect(notices).toEqual([]);
    expect(await read(path)).toBe(UNQUOTED);
    const document = desk.files.getState().documents.get(path);
    expect(document?.kind === 'text' && document.text).toMatch(/description: ["']Ties knots: bowline[^]*More\.\n$/);
  });

  it('says so where nothing has a safe fix', async () => {
    const { actions, said } = await start();
    await actions.fixAll();
    expect(said).toEqual(['No problem has a safe fix.']);
  });

  it('D8: takes a working folder inside the folder, however it is typed', async () => {
    const { actions, asked, desk, notices } = await start(['./skills/first/', 'no/such/folder']);
    await actions.chooseWorkingFolder();
    expect((await desk.workspace.input()).project?.workingFolder).toBe('skills/first');
    expect(asked[0]?.check('../outside')).toContain('Enter a path inside demo');
    expect(notices).toEqual([]);
    await actions.chooseWorkingFolder();
    expect(notices[0]).toMatch(/^error: /);
    expect((await desk.workspace.input()).project?.workingFolder).toBe('skills/first');
  });
});
