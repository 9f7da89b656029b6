import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { encodeShareLink } from '../../model/files/share-link.ts';
import { shareCodec } from '../../platform/fs/share-codec.ts';
import { packZip } from '../../platform/fs/testing/pack-zip.ts';
import '../page/join-desk.ts';
import { createPage } from '../page/create-page.ts';
import { createMemoryBrowser } from '../page/testing/memory-browser.ts';
import { createIncoming, type IncomingDeps } from './incoming.ts';

const SKILL = '---\nname: guest\ndescription: "Guides guests. Use when a guest comes."\n---\n\nDo it.\n';

const zipOf = (content: Readonly<Record<string, string>>, name = 'gift.zip'): File =>
  new File([packZip(content).slice().buffer], name);

/** A file of a chosen folder, as an `<input webkitdirectory>` gives it. */
const uploaded = (path: string, text: string): File =>
  Object.defineProperty(new File([text], path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path });

const linkWith = (content: Readonly<Record<string, string>>, codec = shareCodec): string => {
  const encoder = new TextEncoder();
  const files = new Map(Object.entries(content).map(([path, text]) => [path, encoder.encode(text)]));
  const link = encodeShareLink({ name: 'guest', files }, codec);
  if (!link.ok) throw new Error(link.error.message);
  return `#${link.value.hash}`;
};

/** As a stranger's program could make one: four bytes of a hash before the list of names and contents. */
const hostileLink = (): string =>
  linkWith(
    { 'SKILL.md': SKILL, '_git/config': 'x' },
    {
      ...shareCodec,
      deflate: (bytes) => {
        const body = Buffer.from(Buffer.from(bytes.slice(4)).toString('latin1').replace('_git', '.git'), 'latin1');
        const check = createHash('sha256').update(body).digest().subarray(0, 4);
        return shareCodec.deflate(new Uint8Array(Buffer.concat([check, body])));
      },
    },
  );

/** Something that is dropped, as far as this page looks at it. */
const item = (file: File | null, handle?: Promise<FileSystemHandle | null>, entry: FileSystemEntry | null = null) =>
  ({
    kind: 'file',
    getAsFile: () => file,
    webkitGetAsEntry: () => entry,
    ...(handle && { getAsFileSystemHandle: () => handle }),
  }) as unknown as DataTransferItem;

const setUp = (more: Partial<IncomingDeps> = {}) => {
  const done: string[] = [];
  const incoming = createIncoming({
    folder: {
      openCopy: async (tree, origin, leftOut = []) => {
        const names = ((await tree.list('')) ?? []).map(({ name }) => name);
        const out = leftOut.map(({ path }) => ` without ${path}`).join('');
        done.push(`copy ${tree.name} (${names.join(', ')}) from ${origin}${out}`);
      },
      openPicked: () => Promise.resolve(void done.push('open the picked folder')),
      openHandle: ({ name }) => Promise.resolve(void done.push(`open ${name}`)),
    },
    questions: {
      confirm: ({ title, text }) => {
        done.push(`${title} ${text}`);
        return Promise.resolve(true);
      },
    },
    canPickFolders: true,
    choose: () => Promise.resolve([]),
    fail: (message) => void done.push(`failed: ${message}`),
    ...more,
  });
  return { incoming, done };
};

describe('what comes from outside', () => {
  it('IN1: a chosen folder and an archive open as copies', async () => {
    const archive = zipOf({ 'guest/SKILL.md': SKILL }, 'gift.SKILL');
    const { incoming, done } = setUp({
      choose: (what) => Promise.resolve(what === 'folder' ? [uploaded('notes/a/SKILL.md', SKILL)] : [archive]),
    });
    await incoming.chooseFolder();
    await incoming.chooseArchive();
    expect(done).toEqual(['copy notes (a) from drop', 'copy gift (guest) from zip']);
  });

  it('IN5: Open folder opens in place, or as a copy where the browser can’t', async () => {
    for (const canPickFolders of [true, false]) {
      const { incoming, done } = setUp({
        canPickFolders,
        choose: () => Promise.resolve([uploaded('notes/a/SKILL.md', SKILL)]),
      });
      await incoming.openFolder();
      expect(done).toEqual([canPickFolders ? 'open the picked folder' : 'copy notes (a) from drop']);
    }
  });

  it('IN1: nothing opens if nothing was chosen', async () => {
    const { incoming, done } = setUp();
    await incoming.chooseFolder();
    await incoming.chooseArchive();
    expect(done).toEqual([]);
  });

  it('IN1: an archive that cannot be read is named with the reason', async () => {
    const { incoming, done } = setUp();
    await incoming.openFile(new File(['no archive'], 'broken.zip'));
    expect(done).toHaveLength(1);
    expect(done[0]).toMatch(/^failed: broken\.zip: .*zip/i);
  });

  it('IN2: a dropped folder opens on the disk where the browser hands it over, else as a copy', async () => {
    const { incoming, done } = setUp();
    const handle = { kind: 'directory', name: 'work' } as FileSystemHandle;
    await incoming.drop([item(null, Promise.resolve(handle))]);
    const folder = {
      name: 'old',
      isFile: false,
      isDirectory: true,
      createReader: () => ({ readEntries: (give: (entries: readonly unknown[]) => void) => give([]) }),
    } as unknown as FileSystemEntry;
    await incoming.drop([item(null, undefined, folder)]);
    expect(done).toEqual(['open work', 'copy old () from drop']);
  });

  it('IN2: a dropped archive opens, and anything else says what can be dropped', async () => {
    const { incoming, done } = setUp();
    await incoming.drop([item(zipOf({ 'SKILL.md': SKILL }))]);
    await incoming.drop([item(new File(['x'], 'picture.png'))]);
    expect(done[0]).toBe('copy gift (SKILL.md) from zip');
    expect(done[1]).toMatch(/^failed: .*folder/);
  });

  it('IN3: a link asks first, and says how many files it carries', async () => {
    const { incoming, done } = setUp();
    expect(await incoming.openShared(linkWith({ 'SKILL.md': SKILL, 'a.md': 'A' }))).toBe('opened');
    expect(done).toEqual([
      expect.stringMatching(/^Open the shared skill guest\? The link contains 2 files\./),
      'copy guest (guest) from share-link',
    ]);
  });

  it('IN3: a no opens nothing, and neither does a damaged link or none', async () => {
    const { incoming, done } = setUp({ questions: { confirm: () => Promise.resolve(false) } });
    expect(await incoming.openShared(linkWith({ 'SKILL.md': SKILL }))).toBe('left');
    expect(await incoming.openShared('#skill=skills/first')).toBe('none');
    expect(done).toEqual([]);
    expect(await incoming.openShared('#share=1.broken')).toBe('left');
    expect(done).toEqual([expect.stringMatching(/^failed: /)]);
  });
});

describe('what was left out of a copy', () => {
  const HOSTILE = { 'SKILL.md': SKILL, '.git/config': '[core]\nfsmonitor = evil\n' };
  const SAID = 'Left out “.git”. Version control settings can run programs.';

  it.each([
    ['archive', 'workspace.open-zip'],
    ['folder', 'workspace.upload'],
  ])('IN4: is said for a chosen %s', async (_source, command) => {
    const archive = zipOf(HOSTILE);
    const { browser } = createMemoryBrowser({
      choose: (what) =>
        Promise.resolve(
          what === 'archive'
            ? [archive]
            : Object.entries(HOSTILE).map(([path, text]) => uploaded(`gift/${path}`, text)),
        ),
    });
    const page = createPage(browser);
    await page.open();
    expect(page.workbench.commands.run(command)).toBe(true);
    const texts = () => page.workbench.shell.getState().notices.map(({ text }) => text);
    await vi.waitFor(() => expect(texts()).toEqual([SAID]));
    expect(page.desk()?.folder.getState().current?.name).toBe('gift');
  });

  it('IN4: is said for a link', async () => {
    const { browser } = createMemoryBrowser({ hash: hostileLink() });
    const page = createPage(browser);
    await page.open();
    const { questions, shell } = page.workbench;
    const question = await vi.waitFor(() => {
      const [open] = questions.getState().open;
      if (open?.kind !== 'confirm') throw new Error('nothing was asked');
      return open;
    });
    question.answer(true);
    await vi.waitFor(() => expect(shell.getState().notices.map(({ text }) => text)).toEqual([SAID]));
  });
});
