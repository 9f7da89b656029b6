import { expect, test } from './fixtures/test.ts';

test('the library is a tree of layers, skills and files, by mouse', async ({ bench }) => {
  await bench.open();
  await expect(bench.tree.getByRole('row', { name: /^Project.*14 skills$/ })).toHaveAttribute('aria-expanded', 'true');
  await expect(bench.skill('sql-style')).toHaveAccessibleName(/1 error/);
  await expect(bench.skill('must-have-heading')).toHaveAccessibleName(/metaskill/);
  await bench.skill('incident-report').click();
  await expect(bench.skill('incident-report')).toHaveAttribute('aria-selected', 'true');
  await expect(bench.article('skills/incident-report')).toBeVisible();
  // What a session reads beside the skills opens from here, too.
  await bench.search.fill('agents.md');
  await bench.tree.getByRole('row', { name: 'instructions: AGENTS.md' }).click();
  await expect(bench.region('Editor').getByRole('tabpanel', { name: 'AGENTS.md' })).toBeVisible();
  await expect(bench.tree.getByRole('row', { selected: true })).toHaveAccessibleName('instructions: AGENTS.md');
});

test('the library is complete by keyboard', async ({ bench, page }) => {
  await bench.open();
  await bench.search.focus();
  await page.keyboard.press('ArrowDown');
  await expect(bench.skill('checklist-gate')).toBeFocused();
  await page.keyboard.press('Home');
  const layer = bench.tree.getByRole('row', { name: /^Project.*14 skills$/ });
  await expect(layer).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(layer).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(bench.skill('api-review')).toBeFocused();
  // Moving does not open; Enter does.
  await expect(bench.article('skills/checklist-gate')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(bench.article('skills/api-review')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(bench.tree.getByRole('row', { name: 'SKILL.md' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/skill=skills\/api-review&file=references\/compatibility\.md/);
});

test('the search filters skills and files, and can find nothing', async ({ bench, page }) => {
  await bench.open();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await expect(bench.search).toBeFocused();
  await bench.search.fill('severity');
  await expect(bench.tree.getByRole('row', { name: 'references/severity.md' })).toBeVisible();
  await expect(bench.region('Library').getByText('1 of 14 skills')).toBeVisible();
  await bench.search.fill('quilting');
  await expect(bench.region('Library').getByText('No matches for “quilting”')).toBeVisible();
  expect(await bench.findings()).toEqual([]);
  await bench.region('Library').getByRole('button', { name: 'Clear search' }).click();
  await expect(bench.skill('api-review')).toBeVisible();
  await bench.search.fill('x');
  await page.keyboard.press('Escape');
  await expect(bench.search).toHaveValue('');
});

test('a row has its actions', async ({ bench, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open();
  await bench.skill('diff-review').click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  expect(await bench.findings()).toEqual([]);
  await menu.getByRole('menuitem', { name: 'Copy path' }).click();
  await expect(page.getByText('Path copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('skills/diff-review');
  // The same by keyboard.
  await bench.skill('csv-tidy').focus();
  await page.keyboard.press('Shift+F10');
  await expect(menu.getByRole('menuitem', { name: 'Copy path' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
});

test('problems are grouped, filtered, and lead to their place', async ({ bench, page }) => {
  await bench.open('#tab=problems');
  const problems = bench.region('Problems');
  await expect(problems.getByRole('table', { name: 'Problems' }).getByRole('rowheader')).toHaveCount(3);
  await problems.getByRole('button', { name: 'Go to skills/sql-style/SKILL.md:3:14' }).click();
  await expect(bench.article('skills/sql-style')).toBeVisible();
  await expect(page).toHaveURL(/at=3:14/);
  await problems.getByRole('button', { name: /^Errors/ }).click();
  await expect(problems.getByText('The value contains a colon')).toBeHidden();
  await problems.getByRole('button', { name: /^Warnings/ }).click();
  await expect(problems.getByText('No matching problems')).toBeVisible();
  await problems.getByRole('button', { name: /^Hints/ }).click();
  await expect(problems.getByRole('cell', { name: 'hint' }).first()).toBeVisible();
  await expect(problems.getByRole('button', { name: /^Fix all safe/ })).toBeVisible();
  await page.keyboard.press('F8');
  await expect(
    bench.region('Editor').getByRole('tabpanel', { name: 'skills/endless-polish/SKILL.star' }),
  ).toBeVisible();
  await page.keyboard.press('F8');
  await expect(bench.article('skills/release-handbook')).toBeVisible();
  await page.keyboard.press('F8');
  await expect(bench.article('skills/sql-style')).toBeVisible();
});
