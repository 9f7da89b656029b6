/** Kills the page, or the whole browser, within a moment of a save, and looks for what was typed. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import type { BrowserRig, Victim } from './browser-rig.ts';

export interface Kill {
  readonly subject: string;
  readonly victim: Victim;
  /** Milliseconds between the last key and the kill. */
  readonly delay: number;
  /** What was typed is there again. */
  readonly isThere: boolean;
  /** A file that is neither the old nor the new one, or anything else that is wrong beside the text. */
  readonly damage?: string;
}

export interface Subject {
  readonly name: string;
  /** Once per browser and after every kill: until a person could type. */
  readonly ready: () => Promise<void>;
  /** Types or chooses something new. Done when the page has taken every key. */
  readonly act: (mark: string) => Promise<void>;
  /** The last thing before the kill; nothing waits for it. */
  readonly finish: () => Promise<unknown>;
  /** After the kill, once `ready`. */
  readonly isThere: (mark: string) => Promise<boolean>;
  readonly damage?: (mark: string) => Promise<string | undefined>;
  /** Milliseconds until `finish` is over for sure, where that takes longer than a save. */
  readonly longest?: number;
}

export interface SavedFile extends Subject {
  /** What is on the disk. */
  readonly read: () => Promise<string | undefined>;
}

// oxlint-disable-next-line lathe/no-fixed-sleep -- the moment of the kill is what is tried
const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const killOnce = async (
  rig: BrowserRig,
  subject: Subject,
  victim: Victim,
  delay: number,
  mark: string,
): Promise<Kill> => {
  const fire = await rig.aim(victim);
  await subject.act(mark);
  subject.finish().catch(() => undefined);
  await after(delay);
  await fire();
  await subject.ready();
  const isThere = await subject.isThere(mark);
  const damage = await subject.damage?.(mark);
  return { subject: subject.name, victim, delay, isThere, ...(damage !== undefined && { damage }) };
};

const PATIENCE = 8000;

/** Whether it comes true within a moment: a page that was opened again takes its time. */
const becomes = async (look: () => Promise<boolean>): Promise<boolean> => {
  const end = Date.now() + PATIENCE;
  do {
    if (await look()) return true;
    await after(200);
  } while (Date.now() < end);
  return false;
};

/** What a table of the page's database has now, as JSON. */
const rowsOf = (page: Page, table: string): Promise<string> =>
  page.evaluate(
    (name) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('lathe');
        opening.onerror = () => reject(opening.error ?? new Error('not opened'));
        opening.onsuccess = () => {
          const database = opening.result;
          const reading = database.transaction(name).objectStore(name).getAll();
          reading.onerror = () => reject(reading.error ?? new Error('not read'));
          reading.onsuccess = () => {
            database.close();
            resolve(JSON.stringify(reading.result));
          };
        };
      }),
    table,
  );

/** Typed and saved once a folder is open again: the first save asks for the permission to write. */
export const OPENED = 'x';

const PATH = 'skills/api-review/SKILL.md';

/** Text that is in the editor now; Monaco draws only the lines in view, and spaces that don't break. */
const shownText = async (page: Page): Promise<string> =>
  (await page.locator('.view-lines').first().innerText()).replaceAll('\u00a0', ' ');

const toLastLine = async (page: Page): Promise<void> => {
  await page.locator('.view-line').first().click();
  await page.keyboard.press('Control+End');
};

const runCommand = async (page: Page, query: string): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill(query);
  await page.keyboard.press('Enter');
};

/** A file in the editor. `read` gives what is on the disk. */
const editedFile = (
  rig: BrowserRig,
  name: string,
  options: { readonly read: () => Promise<string | undefined>; readonly reopen: () => Promise<void> },
): SavedFile => {
  let whole = '';
  return {
    name,
    read: options.read,
    ready: async () => {
      await options.reopen();
      await rig.page.locator('.monaco-editor .view-line').first().waitFor();
      await toLastLine(rig.page);
    },
    act: async (mark) => {
      const { page } = rig;
      whole = (await options.read()) ?? '';
      await page.keyboard.press('Shift+Home');
      await page.keyboard.type(mark);
    },
    finish: () => rig.page.keyboard.press('Control+s'),
    isThere: (mark) =>
      becomes(async () => {
        await rig.page.keyboard.press('Control+End');
        return (await shownText(rig.page)).includes(mark);
      }),
    damage: async (mark) => {
      const now = await options.read();
      if (now === undefined) return 'the file is gone';
      if (now === whole || now.endsWith(mark) || now.endsWith(`${mark}${OPENED}`)) return undefined;
      return `the file is neither the old nor the new one (${now.length} characters, was ${whole.length})`;
    },
  };
};

const ADDRESS = '#view=skills&skill=skills/api-review&file=SKILL.md';
const SESSIONS = '#view=sessions';

/** Of the demo, which is a private workspace. */
export const privateFile = (rig: BrowserRig): SavedFile =>
  editedFile(rig, 'private workspace', {
    reopen: async () => {
      await rig.open(ADDRESS);
    },
    read: () =>
      rig.page.evaluate(async (path) => {
        const find = async (
          folder: FileSystemDirectoryHandle,
          parts: readonly string[],
        ): Promise<string | undefined> => {
          const [first = '', ...rest] = parts;
          try {
            if (rest.length === 0) return await (await (await folder.getFileHandle(first)).getFile()).text();
            return await find(await folder.getDirectoryHandle(first), rest);
          } catch {
            return undefined;
          }
        };
        const top = await navigator.storage.getDirectory();
        const all = await top.getDirectoryHandle('workspaces');
        for await (const [, handle] of all.entries()) {
          const found = handle.kind === 'directory' ? await find(handle, path.split('/')) : undefined;
          if (found !== undefined) return found;
        }
        return undefined;
      }, PATH),
  });

/** The same file, and no save: what was typed is a draft. */
export const typedFile = (rig: BrowserRig): Subject => ({
  ...privateFile(rig),
  name: 'typing',
  finish: () => Promise.resolve(),
});

const GIFT = 'gift';

/** How many files each private workspace has that is not marked as half there and is called like the archive. */
const giftSizes = (page: Page): Promise<readonly number[]> =>
  page.evaluate(async (start) => {
    const count = async (folder: FileSystemDirectoryHandle): Promise<number> => {
      let files = 0;
      for await (const handle of folder.values()) files += handle.kind === 'file' ? 1 : await count(handle);
      return files;
    };
    const top = await navigator.storage.getDirectory();
    const half = new Set<string>();
    for await (const name of (await top.getDirectoryHandle('half-workspaces')).keys()) half.add(name);
    const sizes: number[] = [];
    for await (const [name, handle] of (await top.getDirectoryHandle('workspaces')).entries())
      if (handle.kind === 'directory' && name.startsWith(start) && !half.has(name)) sizes.push(await count(handle));
    return sizes;
  }, GIFT);

/** An archive is opened over a text that is not saved: the text is kept, and the copy is whole or not there. */
export const openedArchive = (rig: BrowserRig, archive: Uint8Array, files: number): Subject => {
  const typed = privateFile(rig);
  return {
    ...typed,
    name: 'opening an archive',
    longest: 2500,
    ready: async () => {
      await rig.open(SESSIONS);
      // The archive may be what is open.
      await rig.page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
      await runCommand(rig.page, 'Open demo');
      await rig.page.getByRole('banner').getByText('demo', { exact: true }).waitFor();
      await typed.ready();
    },
    finish: async () => {
      // Together: the page may die while either is waited for.
      const [chooser] = await Promise.all([rig.page.waitForEvent('filechooser'), runCommand(rig.page, 'open a zip')]);
      await chooser.setFiles({ name: `${GIFT}.zip`, mimeType: 'application/zip', buffer: Buffer.from(archive) });
    },
    damage: async () => {
      const wrong = (await giftSizes(rig.page)).filter((size) => size !== files);
      return wrong.length > 0 ? `a copy with ${wrong.join(' and ')} of ${files} files looks whole` : undefined;
    },
  };
};

/** A folder on the disk, through the browser's own picker. `start` opens it by hand in a page that is there. */
export const folderFile = (rig: BrowserRig, path: string, start: () => Promise<void>): SavedFile =>
  editedFile(rig, 'folder on disk', {
    reopen: async () => {
      await rig.open('#view=skills&skill=skills/tools&file=SKILL.md');
      await start();
    },
    read: () => readFile(path, 'utf8').catch(() => undefined),
  });

/** A message to the simulator: in the composer again, or in the database with its session. */
export const sentMessage = (rig: BrowserRig): Subject => {
  const box = () => rig.page.getByRole('textbox', { name: 'Message', exact: true });
  return {
    name: 'message',
    ready: async () => {
      await rig.open(SESSIONS);
      await box().waitFor();
    },
    act: async (mark) => {
      await box().fill('');
      await box().click();
      await rig.page.keyboard.type(`Say ${mark}`);
    },
    finish: () => rig.page.keyboard.press('Control+Enter'),
    isThere: (mark) =>
      becomes(
        async () => (await box().inputValue()).includes(mark) || (await rowsOf(rig.page, 'events')).includes(mark),
      ),
  };
};

/** A program that ran to its end in front of the user. Its mark is the number of runs. */
export const finishedRun = (rig: BrowserRig): Subject => {
  const runs = async (): Promise<number> =>
    (await rowsOf(rig.page, 'events')).split('"type":"metaskill.finished"').length - 1;
  let before = 0;
  return {
    name: 'metaskill run',
    ready: async () => {
      await rig.open(SESSIONS);
      await rig.page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    },
    act: async () => {
      const { page } = rig;
      before = await runs();
      const card = page.getByRole('group', { name: /^run_metaskill/ });
      await page
        .getByRole('textbox', { name: 'Message', exact: true })
        .fill('Draft the release notes for Harbour 2.4. They must have the heading "## Rollback".');
      await page.keyboard.press('Control+Enter');
      await card
        .getByText(/accepted|finished|error/)
        .first()
        .waitFor();
    },
    finish: () => Promise.resolve(),
    isThere: () => becomes(async () => (await runs()) > before),
  };
};

/** A choice of the user that the page shows already. */
export const changedSetting = (rig: BrowserRig): Subject => {
  let theme = 'light';
  const isShown = () => rig.page.locator(`html[data-theme="${theme}"]`);
  return {
    name: 'setting',
    ready: async () => {
      await rig.open(SESSIONS);
      await rig.page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    },
    act: async () => {
      const { page } = rig;
      theme = theme === 'dark' ? 'light' : 'dark';
      await runCommand(page, `theme ${theme}`);
      await isShown().waitFor();
    },
    finish: () => Promise.resolve(),
    isThere: () => becomes(async () => (await isShown().count()) === 1),
  };
};
