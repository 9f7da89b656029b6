// Skills from an address that the configuration of the folder names (D9).
import { expect, type Page } from '@playwright/test';
import { Disk, GOOD_SKILL } from './fixtures/disk.ts';
import { foreign, test as app, watch } from './fixtures/test.ts';
import type { Workbench } from './fixtures/workbench.ts';

const ADDRESS = 'https://skills.example/knots/SKILL.md';
const CONFIG = `skills:\n  urls: [${ADDRESS}]\n`;

// Here a request to another origin is the point: the watch of the other tests would forbid it.
const test = app.extend({
  watched: async ({ context }, use) => {
    const watched = await watch(context);
    await use(watched);
    // A refused request is written to the console by the browser itself.
    expect(watched.faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  },
});

const openFolder = async (page: Page, bench: Workbench): Promise<void> => {
  await page.getByRole('region', { name: 'Library' }).getByRole('button', { name: 'Open folder' }).click();
  await expect(page.getByRole('banner').getByText('harbour')).toBeVisible();
  await expect(bench.skill('ropes')).toBeVisible();
};

test('an address is fetched after consent, shown with its source, kept without a network, and forgotten', async ({
  page,
  context,
  bench,
  watched,
}) => {
  let isOnline = true;
  await context.route('https://skills.example/**', (route) =>
    isOnline
      ? route.fulfill({ body: GOOD_SKILL('knots'), headers: { 'Access-Control-Allow-Origin': '*' } })
      : route.abort(),
  );
  const disk = new Disk('harbour');
  await disk.offer(context);
  await bench.open();
  await disk.write(page, { 'skills/ropes/SKILL.md': GOOD_SKILL('ropes'), '.agents/config.yaml': CONFIG });
  await openFolder(page, bench);

  // Nothing leaves the page before somebody agrees.
  const notice = page.getByRole('status', { name: 'Notices' });
  await expect(notice).toContainText(
    'This folder lists skills at skills.example. Lathe fetches them only with your consent.',
  );
  expect(foreign(watched, page)).toEqual([]);
  await notice.getByRole('button', { name: 'Review' }).click();
  const question = page.getByRole('alertdialog', { name: 'Fetch skills from this URL?' });
  await expect(question).toContainText(ADDRESS);
  await question.getByRole('button', { name: 'Fetch' }).click();

  await expect(bench.skill('knots')).toBeVisible();
  await expect(bench.tree.getByRole('row', { name: 'Remote · skills.example/knots, 1 skill' })).toBeVisible();
  expect(foreign(watched, page)).toEqual([ADDRESS]);
  await expect(page.getByRole('button', { name: /^Network: skills\.example, / })).toBeVisible();
  await bench.skill('knots').click();
  await expect(bench.region('Editor')).toContainText('Look at the list first.');

  // The copy serves after a reload, and nobody is asked for it.
  isOnline = false;
  await page.reload();
  await page.getByRole('button', { name: 'Open harbour' }).or(bench.skill('knots')).first().waitFor();
  const reopen = page.getByRole('button', { name: 'Open harbour' });
  if (await reopen.isVisible()) await reopen.click();
  await expect(bench.skill('knots')).toBeVisible();
  expect(foreign(watched, page)).toEqual([ADDRESS]);

  // Refreshing tells what is wrong and keeps the copy.
  await bench.show('Settings');
  const sources = page.getByRole('list', { name: 'Skill sources' });
  await expect(sources).toContainText('Saved in this browser.');
  await sources.getByRole('button', { name: `Refresh ${ADDRESS}` }).click();
  await expect(sources).toContainText('blocks browser requests (CORS)');
  await expect(sources).toContainText('Lathe uses the saved copy.');
  expect(await bench.findings()).toEqual([]);
  await bench.go('Skills');
  await expect(bench.skill('knots')).toBeVisible();

  await bench.go('Settings');
  await sources.getByRole('button', { name: `Remove ${ADDRESS}` }).click();
  await expect(sources.getByRole('button', { name: `Fetch ${ADDRESS}` })).toBeVisible();
  await bench.go('Skills');
  await expect(bench.skill('ropes')).toBeVisible();
  await expect(bench.skill('knots')).toBeHidden();
});
