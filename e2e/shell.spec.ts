import { expect, test } from './fixtures/test.ts';

test('first start: the demo in Sessions with its events, and a tour that is not in the way', async ({
  bench,
  page,
}) => {
  await bench.open('', { tour: true });
  await expect(bench.link('Sessions')).toHaveAttribute('aria-current', 'page');
  await expect(bench.region('Event stream')).toBeVisible();
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await expect(tour).toContainText('1 of 6');
  // Everything else works meanwhile.
  await bench.go('Skills');
  await expect(bench.article('skills/checklist-gate')).toBeVisible();
  await bench.skill('api-review').click();
  await expect(bench.article('skills/api-review')).toBeVisible();
  await tour.getByRole('button', { name: 'Next' }).click();
  await expect(tour).toContainText('2 of 6');
  await tour.getByRole('button', { name: 'Back' }).click();
  await tour.getByRole('button', { name: 'Skip the tour' }).click();
  await expect(tour).toBeHidden();
  await page.reload();
  await bench.ready();
  await expect(tour).toBeHidden();
  await bench.run('tour');
  for (let step = 1; step < 6; step++) await tour.getByRole('button', { name: 'Next' }).click();
  await tour.getByRole('button', { name: 'Done' }).click();
  await expect(tour).toBeHidden();
});

test('the palette finds, remembers and explains', async ({ bench, page }) => {
  await bench.open();
  await bench.openPalette();
  const field = bench.palette.getByRole('combobox');
  await expect(field).toBeFocused();
  await field.fill('them dar');
  const first = bench.palette.getByRole('option').first();
  await expect(first).toHaveAccessibleName(/^Theme: Dark/);
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await bench.openPalette();
  await expect(bench.palette.getByRole('option').first()).toHaveAccessibleName(/^Theme: Dark.*recent/);
  await page.keyboard.press('ArrowDown');
  await expect(bench.palette.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  // What cannot run now says why, and does not run.
  await field.fill('stop turn');
  await expect(bench.palette.getByRole('option', { name: /^Stop turn.*Nothing is running/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await field.fill('quilting');
  await expect(bench.palette.getByText('No matches for')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bench.palette).toBeHidden();

  // Skills are places to go to.
  await bench.run('sql-sty');
  await expect(bench.article('skills/sql-style')).toBeVisible();
});

test('a dialog gives the focus back, and no shortcut fires behind it', async ({ bench, page }) => {
  await bench.open();
  const help = page.getByRole('button', { name: 'Help: Library' });
  await help.click();
  const dialog = page.getByRole('dialog', { name: 'Help: Library' });
  await expect(dialog.getByRole('heading', { name: 'Layers' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(bench.palette).toBeHidden();
  await dialog.getByRole('button', { name: 'Problems' }).click();
  await expect(page.getByRole('dialog', { name: 'Help: Problems' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(help).toBeFocused();
});

test('every panel has its page of help', async ({ bench, page }) => {
  await bench.open();
  for (const name of ['Editor', 'Session', 'Cache waterfall', 'Metaskill run', 'Import', 'Settings']) {
    await bench.show(name);
    if (name === 'Cache waterfall') continue;
    await page.getByRole('button', { name: `Help: ${name}` }).click();
    await expect(page.getByRole('dialog', { name: `Help: ${name}` })).toBeVisible();
    await page.keyboard.press('Escape');
  }
  for (const tab of await page.getByRole('tablist', { name: 'Panel' }).getByRole('tab').all()) {
    const name = ((await tab.textContent()) ?? '').replace(/\d+$/, '');
    const label = name === 'Events' ? 'Event stream' : name;
    await tab.click();
    await page.getByRole('button', { name: `Help: ${label}` }).click();
    await expect(
      page
        .getByRole('dialog', { name: `Help: ${label}` })
        .getByRole('paragraph')
        .first(),
    ).toBeVisible();
    await page.keyboard.press('Escape');
  }
});

test('the shortcuts are listed from the commands', async ({ bench, page }) => {
  await bench.open();
  await page.keyboard.press('ControlOrMeta+/');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog.getByText('Toggle left column')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
});

test('the menu runs commands', async ({ bench, page }) => {
  await bench.open();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Settings/ }).click();
  await expect(bench.region('Settings')).toBeVisible();
});

test('regions are sized by keyboard, remembered, put away and reset', async ({ bench, page }) => {
  await bench.open();
  const before = await bench.width('Library');
  await bench.separator('Library').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => bench.width('Library')).toBeGreaterThan(before + 20);
  const wide = await bench.width('Library');
  await page.reload();
  await bench.ready();
  await expect.poll(async () => Math.abs((await bench.width('Library')) - wide)).toBeLessThan(2);

  await page.keyboard.press('ControlOrMeta+b');
  await expect.poll(() => bench.width('Editor')).toBeGreaterThan(wide + 200);
  await page.reload();
  await bench.ready();
  await page.keyboard.press('ControlOrMeta+b');
  await expect.poll(() => bench.width('Library')).toBeGreaterThan(200);

  await bench.show('Events');
  await bench.separator('Panel').focus();
  const height = await bench.height('Event stream');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => bench.height('Event stream')).toBeGreaterThan(height);
  await bench.run('reset sizes');
  await expect.poll(async () => Math.round(await bench.width('Library'))).toBe(Math.round(before));
});

test('regions are sized by the mouse and reset by a double click; the panel takes the whole window', async ({
  bench,
  page,
}) => {
  await bench.open('');
  const before = await bench.width('Session');
  const box = await bench.separator('Session').boundingBox();
  const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + 100];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 120, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => bench.width('Session')).toBeGreaterThan(before + 100);
  await bench.separator('Session').dblclick();
  await expect.poll(async () => Math.round(await bench.width('Session'))).toBe(Math.round(before));
  await bench.run('enlarge');
  await expect.poll(() => bench.height('Event stream')).toBeGreaterThan(800);
  await page.getByRole('button', { name: 'Enlarge panel' }).click();
  await expect.poll(() => bench.height('Event stream')).toBeLessThan(500);
});

test('F6 goes round the regions', async ({ bench, page }) => {
  await bench.open();
  await bench.show('Events');
  await bench.region('Library').focus();
  for (const name of ['Editor', 'Edit cost', 'Trigger test', 'Agent listings', 'Event stream', 'Library']) {
    await page.keyboard.press('F6');
    await expect(bench.region(name)).toBeFocused();
  }
  await page.keyboard.press('Shift+F6');
  await expect(bench.region('Event stream')).toBeFocused();
});

test('the address holds the place: reload, back and forward', async ({ bench, page }) => {
  await bench.open();
  await bench.skill('api-review').click();
  await bench.show('Log');
  await bench.skill('sql-style').click();
  await expect(page).toHaveURL(/#tab=log&skill=skills\/sql-style$/);
  await expect(page).toHaveTitle('sql-style · demo · Lathe');
  await page.reload();
  await bench.ready();
  await expect(bench.article('skills/sql-style')).toBeVisible();
  await expect(bench.region('Log')).toBeVisible();
  await page.goBack();
  await expect(bench.article('skills/api-review')).toBeVisible();
  await page.goBack();
  await expect(bench.tab('Events')).toHaveAttribute('aria-selected', 'true');
  await page.goForward();
  await expect(bench.region('Log')).toBeVisible();
});

test('MR5: an address that names a metaskill shows it', async ({ bench, page }) => {
  await bench.open('#view=metaskills&skill=skills/must-have-heading&file=SKILL.star');
  await expect(bench.region('Editor').getByRole('heading', { name: 'must-have-heading' })).toBeVisible();
  await expect(bench.region('Editor').locator('.view-line').first()).toBeVisible();
  expect(new URL(page.url()).hash).toContain('skill=skills/must-have-heading');
});

test('an address that names a skill which is not there says so', async ({ bench }) => {
  await bench.open('#skill=skills/gone');
  await expect(bench.region('Editor').getByText('skills/gone isn’t in demo')).toBeVisible();
});

test('the theme button goes round, and the choice survives a reload', async ({ bench, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await bench.open();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(13, 16, 22)');
  await page.getByRole('button', { name: 'Theme: System' }).click();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(238, 241, 245)');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Theme: Light' })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(238, 241, 245)');
  // ED19: the code follows the system's wish for contrast as the page does, without another choice.
  await bench.run('theme system');
  await bench.region('Editor').getByRole('button', { name: 'Edit', exact: true }).click();
  const code = page.locator('.monaco-editor-background').first();
  await page.emulateMedia({ colorScheme: 'dark', contrast: 'more' });
  await expect(code).toHaveCSS('background-color', 'rgb(0, 0, 0)');
  await page.emulateMedia({ colorScheme: 'dark', contrast: 'no-preference' });
  await expect(code).not.toHaveCSS('background-color', 'rgb(0, 0, 0)');
});

test('the tabs work by keyboard', async ({ bench, page }) => {
  await bench.open();
  await bench.tab('Events').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(bench.tab('Problems')).toBeFocused();
  await expect(bench.region('Problems')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(bench.tab('Events')).toHaveAttribute('aria-selected', 'true');
});

test('SET6, SET7: settings are kept, and my data is shown, exported and deleted', async ({ bench, page }) => {
  await bench.open();
  await page.keyboard.press('ControlOrMeta+,');
  const settings = bench.region('Settings');
  await settings.getByRole('radio', { name: 'Compact' }).check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  await settings.getByRole('button', { name: /Dialect/ }).click();
  await page.getByRole('option', { name: /^agents/ }).click();
  await page.reload();
  await bench.ready();
  await expect(settings.getByRole('button', { name: /Dialect/ })).toContainText('agents');
  await expect(settings.getByText('defaults for new sessions', { exact: true })).toBeVisible();

  const download = page.waitForEvent('download');
  await settings.getByRole('button', { name: 'Export all' }).click();
  expect((await download).suggestedFilename()).toBe('lathe-data.zip');

  // What the database and the private storage hold is told too: the copy of the demo is there.
  await expect(settings.getByText('Private workspaces')).toBeVisible();
  await settings.getByRole('button', { name: 'Delete: Settings' }).click();
  await page.getByRole('alertdialog', { name: 'Delete Settings?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(settings.getByText('defaults for new sessions', { exact: true })).toBeHidden();
  expect(await bench.findings()).toEqual([]);

  await settings.getByRole('button', { name: 'Delete all' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete everything?' });
  await expect(question.getByRole('listitem').filter({ hasText: 'Private workspaces' })).toBeVisible();
  await expect(question.getByRole('button', { name: 'Keep everything' })).toBeFocused();
  // Left alone, the page would continue with a copy of the demo that is gone: it starts again, as for somebody new.
  const started = page.waitForEvent('load');
  await question.getByRole('button', { name: 'Delete all' }).click();
  await started;
  await bench.ready();
  await expect(page).not.toHaveURL(/settings/);
  await expect(page.locator('html')).not.toHaveAttribute('data-density', 'compact');
  await page.keyboard.press('ControlOrMeta+,');
  await expect(settings.getByRole('button', { name: /Dialect/ })).not.toContainText('agents');
  await bench.go('Skills');
  await bench.skill('api-review').click();
  await expect(bench.article('skills/api-review')).toBeVisible();
});

test('the status line tells which hosts were talked to', async ({ bench, page }) => {
  await bench.open();
  await page.getByRole('button', { name: 'No network use so far' }).click();
  await expect(page.getByRole('dialog', { name: 'Network' }).getByText('contacted any other host')).toBeVisible();
});

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' });

  test('the page works, in English', async ({ bench, page }) => {
    await bench.open();
    await bench.skill('api-review').click();
    await expect(bench.article('skills/api-review')).toBeVisible();
    await bench.search.fill('report');
    await expect(bench.tree.getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await expect(page.getByRole('menuitem', { name: /^Settings/ })).toBeVisible();
  });
});
