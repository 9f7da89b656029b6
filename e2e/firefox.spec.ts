// The three jobs in the Firefox of the system. It has no folder picker, so folders are opened as copies.
import { fileURLToPath } from 'node:url';
import { findFirefox } from '../scripts/firefox.mjs';
import { BROKEN_SKILL, GOOD_SKILL } from './fixtures/disk.ts';
import { openSession } from './fixtures/session-page.ts';
import { expect, test as base } from './fixtures/test.ts';

const test = base.extend<object, object>({
  browser: [
    async ({ playwright }, use) => {
      const browser = await playwright.firefox.launch({
        channel: 'moz-firefox',
        executablePath: fileURLToPath(new URL('../scripts/firefox-bidi.mjs', import.meta.url)),
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  reuseContext: false,
  context: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({
      ...(baseURL !== undefined && { baseURL }),
      viewport: { width: 1600, height: 1000 },
    });
    await use(context);
    await context.close();
  },
});

test.skip(findFirefox() === undefined, 'no Firefox: install one, or name it in LATHE_FIREFOX');
// One browser for all three.
test.describe.configure({ mode: 'default' });

test('job 1: a session is explained request by request, and so is a recording', async ({ bench, page }) => {
  const session = await openSession(bench);
  await session.button('Send').click();
  await session.settled();
  await session.button('Ask for the changelog too').click();
  await session.turn(2).waitFor();
  await session.settled();
  const rows = bench.region('Cache waterfall').getByRole('row', { name: /^#/ });
  await expect(rows.last()).toContainText(/[89]\d%/);
  await expect(page.getByRole('banner')).toContainText(/cached · \$/);
});

test('job 2: an own folder is opened as a copy, checked, and fixed', async ({ bench, page }) => {
  await bench.open();
  const chooser = page.waitForEvent('filechooser');
  await bench.region('Library').getByRole('button', { name: 'Open folder' }).click();
  // WebDriver BiDi can't answer the dialog with a folder, so its files are put where the dialog would put them.
  await (await chooser).element().evaluate(
    (input: HTMLInputElement, files) => {
      if (!input.webkitdirectory) throw new Error('it asks for a file');
      const chosen = files.map(([path, text]) =>
        Object.defineProperty(new File([text], 'SKILL.md'), 'webkitRelativePath', { value: path }),
      );
      Object.defineProperty(input, 'files', { value: chosen });
      input.dispatchEvent(new Event('change'));
    },
    [
      ['harbour-skills/skills/knots/SKILL.md', BROKEN_SKILL],
      ['harbour-skills/skills/tools/SKILL.md', GOOD_SKILL('tools')],
    ] as const,
  );
  await expect(page.getByRole('banner').getByText('harbour-skills')).toBeVisible();
  await expect(bench.skill('knots')).toHaveAccessibleName(/1 error/);
  await bench.skill('knots').click();
  const editor = bench.region('Editor');
  await editor.getByRole('button', { name: 'Fix all safe problems' }).click();
  await expect(bench.skill('knots')).not.toHaveAccessibleName(/error/);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(editor.getByRole('tab', { name: /not saved/ })).toHaveCount(0);
});

test('job 3: a metaskill pauses, is stepped through, and ends with its result', async ({ bench, page }) => {
  const session = await openSession(bench);
  await session.button('Run: Pause in a metaskill').click();
  const run = bench.region('Metaskill run');
  await expect(run.getByText(/Paused before its first line/)).toBeVisible();
  const debug = page.getByRole('group', { name: 'Debugger' });
  await debug.getByRole('button', { name: 'Step over' }).click();
  await expect(run.getByText(/Paused after a step/)).toBeVisible();
  await debug.getByRole('button', { name: 'Continue' }).click();
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted');
});
