// A real folder on disk, through the browser's real picker and its real questions.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { missingScreenTools } from '../scripts/screen.mjs';
import { errorMessage } from '../src/base/errors.ts';
import { GOOD_SKILL } from './fixtures/disk.ts';
import { type Screen, startScreen } from './fixtures/screen.ts';
import { expect, test } from './fixtures/test.ts';
import { Workbench } from './fixtures/workbench.ts';

/** Without a screen there is nothing to test; that is no fault of the page, and it is reported. */
const skip = (why: string): void => {
  const text = `The browser’s own dialogs need a screen: ${why}.`;
  process.stderr.write(`real-picker.spec.ts is skipped. ${text}\n`);
  test.skip(true, text);
};

const screenOrSkip = async (): Promise<Screen> => {
  const missing = missingScreenTools();
  if (missing.length > 0) skip(`${missing.join(', ')} could not be found or installed`);
  try {
    return await startScreen();
  } catch (thrown) {
    skip(errorMessage(thrown));
    throw thrown;
  }
};

test('a folder on disk is opened, edited, saved, and regranted with one click after a restart', async ({ address }) => {
  test.setTimeout(240_000);
  using screen = await screenOrSkip();
  const [profile, top] = await Promise.all([
    mkdtemp(join(tmpdir(), 'lathe-profile-')),
    mkdtemp(join(tmpdir(), 'lathe-disk-')),
  ]);
  const folder = join(top, 'tool-shed');
  const file = join(folder, 'skills/tools/SKILL.md');
  await mkdir(join(folder, 'skills/tools'), { recursive: true });
  await writeFile(file, GOOD_SKILL('tools'));
  const executablePath = findChromium();
  const start = async (): Promise<Workbench> => {
    const context = await chromium.launchPersistentContext(profile, {
      headless: false,
      viewport: null,
      colorScheme: 'light',
      baseURL: address,
      serviceWorkers: 'block',
      env: screen.env,
      args: ['--window-position=0,0', '--window-size=1200,800'],
      ...(executablePath && { executablePath }),
    });
    return new Workbench(context.pages()[0] ?? (await context.newPage()));
  };
  let bench = await start();
  try {
    let { page } = bench;
    let editor = bench.region('Editor');
    await bench.open();
    await bench.region('Library').getByRole('button', { name: 'Open folder' }).click();
    await screen.chooseFolder(folder);
    await screen.allow();
    await expect(page.getByRole('banner').getByText('tool-shed')).toBeVisible();

    await bench.skill('tools').click();
    await editor.getByRole('button', { name: 'Edit', exact: true }).click();
    await editor.locator('.view-line', { hasText: 'Look at the list first' }).first().click();
    await page.keyboard.press('Home');
    await page.keyboard.type('Calmly: ');
    await page.keyboard.press('Control+s');
    await screen.allow();
    const saved = GOOD_SKILL('tools').replace('Look at', 'Calmly: Look at');
    await expect.poll(() => readFile(file, 'utf8')).toBe(saved);

    await expect(editor.getByRole('tab', { name: /^SKILL\.md$/ })).toBeVisible();

    // A change by another program is seen.
    const outside = saved.replace('# tools', '# All tools');
    await writeFile(file, outside);
    await expect(editor.locator('.view-line', { hasText: '# All tools' })).toBeVisible();

    const findBytes = async (): Promise<void> => {
      await expect(page.getByRole('banner').getByText('tool-shed')).toBeVisible();
      await bench.show('Editor');
      await expect(editor.getByRole('tabpanel', { name: 'skills/tools/SKILL.md' })).toBeVisible();
      await editor.getByRole('button', { name: 'Edit', exact: true }).click();
      await expect(editor.locator('.view-line', { hasText: 'Calmly: Look at' })).toBeVisible();
      await expect(editor.locator('.view-line', { hasText: '# All tools' })).toBeVisible();
    };

    // The browser keeps what it allowed as long as it has the page open.
    await page.reload();
    await findBytes();

    // Started again, it asks again, inside one click.
    await page.context().close();
    bench = await start();
    ({ page } = bench);
    editor = bench.region('Editor');
    await page.goto('./');
    const again = page.getByRole('status', { name: 'Notices' }).getByRole('button', { name: 'Open tool-shed' });
    await again.click();
    await screen.allowAgain();
    await findBytes();
    await expect(again).toBeHidden();
  } finally {
    await bench.page.context().close();
    await Promise.all([profile, top].map((path) => rm(path, { recursive: true, force: true, maxRetries: 5 })));
  }
});
