// Folders, files and what becomes of them, in the whole app.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Download, type Page } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { BROKEN_SKILL, bytesBelow, Disk, GOOD_SKILL } from './fixtures/disk.ts';
import { SessionPage } from './fixtures/session-page.ts';
import { expect, test, watch } from './fixtures/test.ts';
import { Workbench } from './fixtures/workbench.ts';

const disk = new Disk('harbour-skills');
const FILES = {
  'skills/knots/SKILL.md': BROKEN_SKILL,
  'skills/tools/SKILL.md': GOOD_SKILL('tools'),
  'skills/tools/references/list.md': '# List\n\nHammer, saw.\n',
};

/** The demo first, as everybody starts; then the folder. */
const openFolder = async (bench: Workbench, files: Readonly<Record<string, string>> = FILES): Promise<void> => {
  const { page } = bench;
  await disk.offer(page.context());
  await bench.open();
  await disk.write(page, files);
  await bench.region('Library').getByRole('button', { name: 'Open folder' }).click();
  await expect(page.getByRole('banner').getByText('harbour-skills')).toBeVisible();
};

/** The code of the file in front, with the cursor at the start of the line that holds the text. */
const editAt = async (bench: Workbench, text: string): Promise<void> => {
  const editor = bench.region('Editor');
  await editor.getByRole('button', { name: 'Edit', exact: true }).click();
  await editor.locator('.view-line', { hasText: text }).first().click();
  await bench.page.keyboard.press('Home');
};

const fileTab = (bench: Workbench, name: string | RegExp) => bench.region('Editor').getByRole('tab', { name });

test('a folder is opened, a problem fixed by quick fix and saved: the bytes are on disk', async ({ bench, page }) => {
  await openFolder(bench);
  // A good skill is in view; the one that was in view before is in another folder.
  await expect(bench.article('skills/tools')).toBeVisible();
  await expect(bench.skill('knots')).toHaveAccessibleName(/1 error/);
  await bench.skill('knots').click();
  await editAt(bench, 'description: Ties');
  await expect(page.locator('.squiggly-error').first()).toBeVisible();
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row.action').first().click();
  await expect(fileTab(bench, 'SKILL.md, not saved')).toBeVisible();
  expect(await disk.read(page, 'skills/knots/SKILL.md')).toBe(BROKEN_SKILL);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(fileTab(bench, /^knots\/SKILL\.md$/)).toBeVisible();
  await expect
    .poll(() => disk.read(page, 'skills/knots/SKILL.md'))
    .toBe(BROKEN_SKILL.replace(/description: (.*)/, (_, text: string) => `description: "${text}"`));
  await expect(bench.skill('knots')).not.toHaveAccessibleName(/error/);
});

test('an outside change that touches other lines is kept beside the own one', async ({ bench, page }) => {
  await openFolder(bench);
  await bench.skill('tools').click();
  await editAt(bench, 'Look at the list first');
  await page.keyboard.type('Calmly: ');
  await expect(fileTab(bench, 'SKILL.md, not saved')).toBeVisible();
  await disk.write(page, { 'skills/tools/SKILL.md': GOOD_SKILL('tools', '3. Sweep the floor.\n') });
  const editor = bench.region('Editor');
  await expect(editor.getByText('This file changed on disk while you edited it.')).toBeVisible();
  expect(await bench.findings()).toEqual([]);
  await editor.getByRole('button', { name: 'Keep both' }).click();
  await expect(editor.getByText('This file changed on disk while you edited it.')).toBeHidden();
  await expect
    .poll(() => disk.read(page, 'skills/tools/SKILL.md'))
    .toBe(GOOD_SKILL('tools', '3. Sweep the floor.\n').replace('Look at', 'Calmly: Look at'));
});

test('an outside change of the same line is compared, marked, and never overwritten', async ({ bench, page }) => {
  await openFolder(bench);
  await bench.skill('tools').click();
  await editAt(bench, 'Look at the list first');
  await page.keyboard.type('Calmly: ');
  const outside = GOOD_SKILL('tools').replace('Look at', 'Never look at');
  await disk.write(page, { 'skills/tools/SKILL.md': outside });
  const editor = bench.region('Editor');
  await expect(editor.getByText('Both versions changed the same lines in one place.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
  expect(await disk.read(page, 'skills/tools/SKILL.md')).toBe(outside);
  await editor.getByRole('button', { name: 'Compare' }).click();
  const comparison = editor.getByRole('group', { name: 'Comparison of skills/tools/SKILL.md' });
  await expect(comparison.locator('.view-line', { hasText: 'Never look at' }).first()).toBeVisible();
  await expect(comparison.locator('.view-line', { hasText: 'Calmly: Look at' }).first()).toBeVisible();
  await comparison.getByRole('button', { name: 'Close comparison' }).click();
  await editor.getByRole('button', { name: 'Merge with conflict markers' }).click();
  await expect(editor.locator('.view-line', { hasText: '<<<<<<<' })).toBeVisible();
  // The marks are for the person to settle: nothing is written before.
  expect(await disk.read(page, 'skills/tools/SKILL.md')).toBe(outside);
  await editor.locator('.view-line', { hasText: '<<<<<<<' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(GOOD_SKILL('tools', '3. Settled.\n'));
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(() => disk.read(page, 'skills/tools/SKILL.md')).toBe(GOOD_SKILL('tools', '3. Settled.\n'));
});

test('two tabs on one folder: one writes, the other reads until it takes over', async ({ bench, page, context }) => {
  await openFolder(bench);
  await bench.skill('tools').click();
  await editAt(bench, 'Look at the list first');
  const other = new Workbench(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.page.getByRole('banner').getByText('harbour-skills')).toBeVisible();
  const notice = other.region('Editor').getByText('This folder is open in another tab');
  await expect(notice).toBeVisible();
  await other.openPalette();
  await other.palette.getByRole('combobox').fill('new skill');
  await expect(other.palette.getByText('This folder is open in another tab').first()).toBeVisible();
  await other.page.keyboard.press('Escape');

  await other.region('Editor').getByRole('button', { name: 'Take over' }).click();
  await expect(notice).toBeHidden();
  await expect(bench.region('Editor').getByText('This folder is open in another tab')).toBeVisible();
  await editAt(other, 'Look at the list first');
  await other.page.keyboard.type('Here: ');
  await other.page.keyboard.press('ControlOrMeta+s');
  await expect.poll(() => disk.read(page, 'skills/tools/SKILL.md')).toContain('Here: Look at');
  // The first tab shows what the second wrote, and writes again when that one is closed.
  await expect(bench.region('Editor').locator('.view-line', { hasText: 'Here: Look at' })).toBeVisible();
  await other.page.close();
  await expect(bench.region('Editor').getByText('This folder is open in another tab')).toBeHidden();
});

test('a skill goes by link into another browser, and is external there', async ({
  bench,
  page,
  context,
  browser,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open();
  await bench.skill('must-have-heading').click();
  await bench.run('copy share link');
  await expect(page.getByText('Share link copied. It contains the whole skill.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.startsWith(`${baseURL}#share=`)).toBe(true);

  const elsewhere = await browser.newContext({ serviceWorkers: 'block' });
  const watched = await watch(elsewhere);
  const there = new Workbench(await elsewhere.newPage());
  await there.page.addInitScript(() => localStorage.setItem('lathe.tour', 'seen'));
  await there.page.goto(link);
  await there.page
    .getByRole('alertdialog', { name: 'Open the shared skill must-have-heading?' })
    .getByRole('button', { name: 'Open' })
    .click();
  await expect(there.skill('must-have-heading')).toBeVisible();
  await expect(there.page.getByRole('banner').getByText(/\b1 skill$/)).toBeVisible();
  // The link is not kept in the address: a reload shows the copy and does not ask again.
  await expect(there.page).not.toHaveURL(/share=/);
  await there.page.reload();
  await expect(there.skill('must-have-heading')).toBeVisible();
  await expect(there.page.getByRole('alertdialog')).toHaveCount(0);
  const sent = await bytesBelow(page, 'workspaces/demo/skills/must-have-heading');
  expect(Object.keys(sent)).toContain('SKILL.star');
  expect(await bytesBelow(there.page, 'workspaces/must-have-heading/must-have-heading')).toEqual(sent);

  // Its program is a stranger's, though it is in this folder now (D27): refused, until these very files are trusted.
  const session = new SessionPage(there);
  await there.show('Session');
  await session.message.fill('Draft the release notes for Harbour 2.4. They must have the heading "## Rollback".');
  await session.button('Send').click();
  const runs = (turn: number) => session.turn(turn).getByRole('group', { name: /^run_metaskill/ });
  const question = there.page.getByRole('dialog', { name: 'Trust metaskill' });
  await question.getByRole('button', { name: 'Not now' }).click({ timeout: 60_000 });
  const trust = runs(1).getByRole('button', { name: 'Trust metaskill…' });
  await expect(trust.first()).toBeVisible();
  await session.settled();
  await expect(runs(1).filter({ hasText: 'accepted' })).toHaveCount(0);
  await trust.first().click();
  await expect(question.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(
    Object.keys(sent).length,
  );
  await question.getByRole('button', { name: 'Trust these files' }).click();
  await session.ask('Draft the release notes once more, with the heading ## Rollback.', 2);
  await expect(runs(2).filter({ hasText: 'accepted' }).first()).toBeVisible({ timeout: 60_000 });
  // No request carried the skill.
  expect(watched.requests.filter((url) => url.includes('share='))).toEqual([]);
  expect(watched.faults).toEqual([]);
  await elsewhere.close();
});

test('a folder goes out as a zip and comes back the same', async ({ bench, page }) => {
  await openFolder(bench, {
    ...FILES,
    'README.md': '\uFEFFLines that end as\r\nthey did before.\r\n',
    'skills/tools/empty.txt': '',
    'skills/tools/references/Größe 日本.md': 'A name that is not ASCII.\n',
  });
  // No text: every byte there is, twice.
  const all = Array.from({ length: 512 }, (_, index) => index % 256);
  await disk.writeBytes(page, 'all-bytes.bin', all);
  const before = await bytesBelow(page, disk.name);
  expect(Object.keys(before)).toHaveLength(7);

  /** Opens an archive; its files are copied into a private workspace with its name. */
  const open = async (name: string, download: Download): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await bench.run('open a zip');
    const buffer = await readFile(await download.path());
    await (await chooser).setFiles({ name, mimeType: 'application/zip', buffer });
    await expect(page.getByRole('banner').getByText(name.replace(/\..*/, ''), { exact: true })).toBeVisible();
    await expect(bench.skill('tools')).toBeVisible();
  };

  const leaving = page.waitForEvent('download');
  await bench.run('export the folder as zip');
  const folder = await leaving;
  expect(folder.suggestedFilename()).toBe('harbour-skills.zip');
  await open('back.zip', folder);
  expect(await bytesBelow(page, 'workspaces/back')).toEqual(before);

  const again = page.waitForEvent('download');
  await bench.skill('tools').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export as zip' }).click();
  const skill = await again;
  expect(skill.suggestedFilename()).toBe('tools.skill');
  await open('one.skill', skill);
  const tools = 'skills/tools/';
  const expected = Object.entries(before).filter(([path]) => path.startsWith(tools));
  expect(await bytesBelow(page, 'workspaces/one')).toEqual(
    Object.fromEntries(expected.map(([path, bytes]) => [path.slice('skills/'.length), bytes])),
  );
});

test('skills and files are made, renamed and deleted, and each is taken back', async ({ bench, page }) => {
  await openFolder(bench);
  const notices = page.getByRole('status', { name: 'Notices' });
  const undo = () => notices.getByRole('button', { name: 'Undo' }).click();
  await bench.region('Library').getByRole('button', { name: 'New skill' }).click();
  const asks = (name: string) => page.getByRole('dialog', { name });
  await asks('New skill').getByRole('textbox', { name: 'Name' }).fill('sails');
  await page.keyboard.press('Enter');
  await expect(bench.article('skills/sails')).toBeVisible();
  expect(await disk.read(page, 'skills/sails/SKILL.md')).toContain('name: sails');
  await undo();
  await expect(bench.skill('sails')).toBeHidden();
  expect(await disk.read(page, 'skills/sails/SKILL.md')).toBeUndefined();

  await bench.skill('tools').click();
  await expect(bench.article('skills/tools')).toBeVisible();
  await bench.run('rename');
  await asks('Rename tools').getByRole('textbox', { name: 'New name' }).fill('all-tools');
  await page.keyboard.press('Enter');
  await expect(bench.article('skills/all-tools')).toBeVisible();
  await expect(bench.region('Editor').getByRole('tab', { name: /^SKILL\.md/ })).toHaveCount(1);
  await expect(bench.skill('all-tools')).not.toHaveAccessibleName(/error/);
  expect(await disk.read(page, 'skills/all-tools/SKILL.md')).toContain('name: all-tools');
  expect(await disk.read(page, 'skills/tools/SKILL.md')).toBeUndefined();
  await bench.run('undo file change');
  await expect(bench.skill('tools')).toBeVisible();
  expect(await disk.read(page, 'skills/tools/SKILL.md')).toBe(GOOD_SKILL('tools'));

  await bench.skill('tools').click();
  await bench.run('new file');
  await asks('New file').getByRole('textbox', { name: 'Path' }).fill('references/notes.md');
  await page.keyboard.press('Enter');
  await expect(
    bench.region('Editor').getByRole('tabpanel', { name: 'skills/tools/references/notes.md' }),
  ).toBeVisible();
  expect(await disk.read(page, 'skills/tools/references/notes.md')).toBe('');
  await bench.run('new test file');
  await expect.poll(() => disk.read(page, 'skills/tools/SKILL.test.yaml')).toContain('tests:');

  await bench.skill('knots').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(bench.skill('knots')).toBeHidden();
  expect(await disk.read(page, 'skills/knots/SKILL.md')).toBeUndefined();
  await undo();
  await expect(bench.skill('knots')).toBeVisible();
  expect(await disk.read(page, 'skills/knots/SKILL.md')).toBe(BROKEN_SKILL);
});

test('a second folder is the user library: its skills are there, are hidden by the project’s, and are only read', async ({
  bench,
  page,
}) => {
  await openFolder(bench);
  const library = new Disk('my-library');
  await library.write(page, {
    'skills/tools/SKILL.md': GOOD_SKILL('tools', '3. Mine.\n'),
    'skills/ropes/SKILL.md': GOOD_SKILL('ropes'),
  });
  await page.evaluate(() => {
    window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('my-library');
  });
  await bench.run('open user library');
  await expect(bench.tree.getByRole('row', { name: /^User library.*2 skills$/ })).toBeVisible();
  await expect(bench.tree.getByRole('row', { name: /^tools, .*shadowed/ })).toBeVisible();
  await bench.skill('ropes').click();
  await expect(bench.region('Editor').getByRole('article', { name: 'user:skills/ropes/SKILL.md' })).toBeVisible();
  await expect(page).toHaveURL(/skill=user:skills\/ropes/);
  await bench.tree.getByRole('row', { name: /^tools, .*shadowed/ }).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeDisabled();
  await expect(page.getByText("tools isn't in the open folder. Open its folder to edit it.")).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await disk.read(page, 'skills/tools/SKILL.md')).toBe(GOOD_SKILL('tools'));
  expect(await library.read(page, 'skills/tools/SKILL.md')).toBe(GOOD_SKILL('tools', '3. Mine.\n'));
  await page.reload();
  await expect(bench.tree.getByRole('row', { name: /^User library.*2 skills$/ })).toBeVisible();
  await bench.run('close user library');
  await expect(bench.tree.getByRole('row', { name: /^User library/ })).toHaveCount(0);
});

test('problems of a program are reported before it is opened', async ({ bench }) => {
  await openFolder(bench, {
    'skills/loop/SKILL.md': GOOD_SKILL('loop', '\nInput keys: none\n'),
    'skills/loop/SKILL.star': 'def run(input):\n    return {"status": missing}\n',
  });
  await bench.show('Problems');
  const problems = bench.region('Problems');
  await problems.getByRole('button', { name: 'Go to skills/loop/SKILL.star:2:23' }).click();
  await expect(bench.region('Editor').getByRole('tabpanel', { name: 'skills/loop/SKILL.star' })).toBeVisible();
});

/** The only text that is kept without being saved. */
const draftOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    () =>
      new Promise<string | undefined>((resolve, reject) => {
        const open = indexedDB.open('lathe');
        open.addEventListener('error', () => reject(open.error ?? new Error('The database cannot be opened.')));
        open.addEventListener('success', () => {
          const all = open.result.transaction('drafts').objectStore('drafts').getAll();
          all.addEventListener('success', () => {
            open.result.close();
            const [draft] = all.result as readonly { readonly text: string }[];
            resolve(draft?.text);
          });
        });
      }),
  );

test.describe('a page that dies', () => {
  const start = async (profile: string, baseURL: string | undefined): Promise<Page> => {
    const executablePath = findChromium();
    const context = await chromium.launchPersistentContext(profile, {
      viewport: { width: 1600, height: 1000 },
      serviceWorkers: 'block',
      ...(executablePath && { executablePath }),
      ...(baseURL !== undefined && { baseURL }),
    });
    await disk.offer(context);
    return context.pages()[0] ?? (await context.newPage());
  };

  test('loses no text: it is there when the browser starts again', async ({ baseURL }) => {
    const profile = await mkdtemp(join(tmpdir(), 'lathe-profile-'));
    try {
      const page = await start(profile, baseURL);
      const bench = new Workbench(page);
      await openFolder(bench);
      await bench.skill('knots').click();
      await editAt(bench, 'Hold the end');
      await page.keyboard.type('Unsaved: ');
      await expect(fileTab(bench, 'SKILL.md, not saved')).toBeVisible();
      await expect.poll(() => draftOf(page)).toContain('Unsaved: Hold the end');
      // The renderer dies without any event in the page.
      const crashed = page.waitForEvent('crash');
      const session = await page.context().newCDPSession(page);
      session.send('Page.crash').catch(() => undefined);
      await crashed;
      await page.context().close();

      const again = new Workbench(await start(profile, baseURL));
      await again.page.goto('./');
      await expect(again.page.getByRole('banner').getByText('harbour-skills')).toBeVisible();
      await again.page.getByRole('status', { name: 'Notices' }).getByRole('button', { name: 'Show' }).click();
      await expect(again.region('Editor').getByText('was restored')).toBeVisible();
      await expect(fileTab(again, 'SKILL.md, not saved')).toBeVisible();
      expect(await disk.read(again.page, 'skills/knots/SKILL.md')).toBe(FILES['skills/knots/SKILL.md']);
      await again.page.keyboard.press('ControlOrMeta+s');
      await expect.poll(() => disk.read(again.page, 'skills/knots/SKILL.md')).toContain('Unsaved: Hold the end');
      await again.page.context().close();
    } finally {
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
