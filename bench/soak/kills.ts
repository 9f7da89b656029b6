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

const PATH = 'skills/api-review/SKILL.md';

/** Text that is in the editor now; Monaco draws only the lines in view, and spaces that don't break. */
const shownText = async (page: Page): Promise<string> =>
  (await page.locator('.view-lines').first().innerText()).replaceAll('\u00a0', ' ');

const toLastLine = async (page: Page): Promise<void> => {
  await page.locator('.view-line').first().click();
  await page.keyboard.press('Control+End');
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
      if (now === whole || now.endsWith(mark)) return undefined;
      return `the file is neither the old nor the new one (${now.length} characters, was ${whole.length})`;
    },
  };
};

/** Of the demo, which is a private workspace. */
export const privateFile = (rig: BrowserRig): SavedFile =>
  editedFile(rig, 'private workspace', {
    reopen: async () => {
      await rig.open(`#skill=skills/api-review&file=SKILL.md`);
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

/** A folder on the disk, through the browser's own picker. `start` opens it by hand, once per browser. */
export const folderFile = (rig: BrowserRig, path: string, start: (isFirst: boolean) => Promise<void>): SavedFile => {
  let browser: unknown;
  return editedFile(rig, 'folder on disk', {
    reopen: async () => {
      await rig.open('#skill=skills/tools&file=SKILL.md');
      if (browser !== rig.context) await start(browser === undefined);
      browser = rig.context;
    },
    read: () => readFile(path, 'utf8').catch(() => undefined),
  });
};

/** A message to the simulator: in the composer again, or in the database with its session. */
export const sentMessage = (rig: BrowserRig): Subject => {
  const box = () => rig.page.getByRole('textbox', { name: 'Message', exact: true });
  return {
    name: 'message',
    ready: async () => {
      await rig.open('');
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
      await rig.open('');
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
      await rig.open('');
      await rig.page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    },
    act: async () => {
      const { page } = rig;
      theme = theme === 'dark' ? 'light' : 'dark';
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Commands' });
      await palette.getByRole('combobox').fill(`theme ${theme}`);
      await page.keyboard.press('Enter');
      await isShown().waitFor();
    },
    finish: () => Promise.resolve(),
    isThere: () => becomes(async () => (await isShown().count()) === 1),
  };
};
