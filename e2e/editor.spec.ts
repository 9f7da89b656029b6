// The editor by itself, built as the app is built, on a server that sends no header: only the page's own policy holds.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { findings } from './fixtures/axe.ts';
import { expect, testOf } from './fixtures/part-page.ts';

const test = testOf('editor');
test.describe.configure({ mode: 'default' });

const SKILL = 'skills/sql-style/SKILL.md';
const STAR = 'skills/must-have-heading/SKILL.star';

const open = async (page: Page, query: Record<string, string>): Promise<void> => {
  await page.goto(`./?${new URLSearchParams(query).toString()}`);
  await expect(page.getByRole('region', { name: 'Editor' })).toBeVisible();
};

/** Clicks into Monaco, and puts the cursor at the start of a line. */
const goToLine = async (page: Page, text: string): Promise<void> => {
  await page.locator('.view-line', { hasText: text }).first().click();
  await page.keyboard.press('Home');
};

test('the preview is there without Monaco, which comes at the first edit', async ({ page, watched }) => {
  await open(page, {});
  await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Must-have heading' })).toBeVisible();
  const isMonaco = (url: string): boolean => /\/owner-[^/]+\.(?:js|css)$/.test(url);
  expect(watched.requests.filter(isMonaco)).toEqual([]);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  expect(watched.requests.filter(isMonaco).length).toBeGreaterThan(0);
});

test('SKILL.md: markers, quick fix, completion, hover, save', async ({ page }) => {
  await open(page, { open: SKILL, mode: 'edit' });
  await expect(page.locator('.squiggly-error').first()).toBeVisible();
  await expect(page.getByText('1 error')).toBeVisible();
  await goToLine(page, 'House rules');
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row.action').first().click();
  await expect(page.getByText('1 error')).toBeHidden();
  await expect(page.getByRole('tab', { name: 'SKILL.md, not saved' })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('tab', { name: 'SKILL.md', exact: true })).toBeVisible();

  await goToLine(page, 'version: ');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('lic');
  await expect(page.locator('.suggest-widget .label-name', { hasText: 'license' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');

  await page.locator('.view-line').getByText('description', { exact: true }).first().hover();
  await expect(page.locator('.monaco-hover', { hasText: 'of 1,024 characters' })).toBeVisible();
});

test('SKILL.star: markers, quick fix, completion, hover, breakpoint, run', async ({ page }) => {
  await open(page, { open: STAR });
  await expect(page.getByText('Worst case')).toBeVisible();
  await goToLine(page, 'draft = ask');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('00');
  await expect(page.locator('.squiggly-warning, .squiggly-error, .squiggly-info').first()).toBeVisible();
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row.action', { hasText: 'Write 30' }).click();
  await expect(page.locator('.view-line', { hasText: '"max_turns": 30' })).toBeVisible();

  await page.keyboard.press('Control+Home');
  await goToLine(page, 'def text');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('tra');
  await expect(page.locator('.suggest-widget .label-name', { hasText: 'trace' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.locator('.view-line').getByText('fail', { exact: true }).first().hover();
  await expect(page.locator('.monaco-hover', { hasText: 'Ends the run with an error' })).toBeVisible();

  await goToLine(page, 'if type(value)');
  await page.keyboard.press('F9');
  await expect(page.locator('[class*=dot].codicon, .glyph-margin-widgets [class*=dot]').first()).toBeVisible();
  await page.getByRole('button', { name: 'Run metaskill' }).click();
});

for (const theme of ['light', 'dark', 'contrast']) {
  test(`every face and mode is accessible in ${theme}`, async ({ page }) => {
    await open(page, { theme, open: SKILL });
    for (const face of ['Rendered', 'What the model sees']) {
      await page.getByRole('tab', { name: face }).click();
      expect(await findings(page), face).toEqual([]);
    }
    await page.getByRole('button', { name: 'Split' }).click();
    await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
    // Monaco takes the colors of the theme a moment after its first lines are there.
    await expect.poll(() => findings(page), 'split').toEqual([]);
    await open(page, { theme, open: 'skills/must-have-heading/SKILL.md' });
    for (const face of ['Rendered', 'What the model sees']) {
      await page.getByRole('tab', { name: face }).click();
      expect(await findings(page), face).toEqual([]);
    }
    await open(page, { theme, open: STAR });
    await expect(page.getByText('Worst case')).toBeVisible();
    await expect.poll(() => findings(page), 'program').toEqual([]);
  });
}

test('Monaco’s scripts and styles stay within their budget', async ({ served }) => {
  interface Chunk {
    readonly file: string;
    readonly css?: readonly string[];
    readonly imports?: readonly string[];
  }
  const manifest: Record<string, Chunk> = JSON.parse(
    await readFile(join(served.folder, '.vite/manifest.json'), 'utf8'),
  );
  const owner = Object.entries(manifest).find(([key]) => key.endsWith('monaco/owner.ts'))?.[1];
  const sizeOf = async (file: string): Promise<number> =>
    gzipSync(await readFile(join(served.folder, file)), { level: 9 }).length;
  const sizes = await Promise.all([owner?.file ?? '', ...(owner?.css ?? [])].map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(500_000);
  expect(total).toBeLessThanOrEqual(1_050_000);
});
