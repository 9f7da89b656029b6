// `npm run screenshots [word…]`: every panel in every theme and both sizes, as pictures in screenshots/. Words choose
// among them: `npm run screenshots dark 1280 problems`.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { ensureChromium } from './chromium.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'screenshots');
const words = process.argv.slice(2);

const themes = /** @type {const} */ ([
  { name: 'dark', theme: 'dark', colorScheme: 'dark' },
  { name: 'light', theme: 'light', colorScheme: 'light' },
  { name: 'contrast-dark', theme: 'contrast', colorScheme: 'dark' },
  { name: 'contrast-light', theme: 'contrast', colorScheme: 'light' },
]);
const sizes = [
  { name: '1280x800', width: 1280, height: 800 },
  { name: '1920x1080', width: 1920, height: 1080 },
];

/** @typedef {import('playwright').Page} Page */
/** @type {Record<string, { hash?: string, fresh?: boolean, narrow?: boolean, act?: (page: Page) => Promise<void> }>} */
const scenes = {
  'first-start': { fresh: true },
  overview: {},
  skill: { hash: '#skill=skills/sql-style' },
  'skill-files': {
    hash: '#skill=skills/api-review',
    act: async (page) => {
      await page.getByRole('row', { name: /^api-review/ }).focus();
      await page.keyboard.press('ArrowRight');
    },
  },
  search: { act: (page) => page.getByRole('searchbox').fill('report') },
  'search-nothing': { act: (page) => page.getByRole('searchbox').fill('quilting') },
  'row-menu': { act: (page) => page.getByRole('row', { name: /^diff-review/ }).click({ button: 'right' }) },
  menu: { act: (page) => page.getByRole('button', { name: 'Menu', exact: true }).click() },
  palette: { act: (page) => page.keyboard.press('Control+k') },
  'palette-search': {
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('show li');
    },
  },
  shortcuts: { act: (page) => page.keyboard.press('Control+/') },
  help: { act: (page) => page.getByRole('button', { name: 'Help: Library' }).click() },
  network: { act: (page) => page.getByRole('button', { name: /network use/ }).click() },
  ...Object.fromEntries(
    [
      'prefix',
      'cache-waterfall',
      'activation-budget',
      'event-stream',
      'metaskill-run',
      'problems',
      'changes',
      'log',
      'sandbox',
      'import',
      'settings',
    ].map((tab) => [tab, { hash: `#tab=${tab}` }]),
  ),
  'narrow-editor': { narrow: true },
  'narrow-library': { narrow: true, hash: '#panel=library' },
  'narrow-problems': { narrow: true, hash: '#panel=instruments&tab=problems' },
};

/** One session for all of these: every instrument with something to read. */
/** @type {Record<string, (page: Page) => Promise<unknown>>} */
const sessionScenes = {
  'session-overview': (page) => showTab(page, 'Overview'),
  'session-prefix': (page) => showTab(page, 'Prefix'),
  'session-cache-waterfall': (page) => showTab(page, 'Cache waterfall'),
  'session-difference': async (page) => {
    await page.getByRole('button', { name: 'Show the difference' }).last().click();
    await page.getByRole('dialog').waitFor();
  },
  'session-padding': async (page) => {
    await page.keyboard.press('Escape');
    await showTab(page, 'Prefix');
    await page.getByRole('button', { name: 'Does padding pay?' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'session-activation-budget': async (page) => {
    await page.keyboard.press('Escape');
    await showTab(page, 'Activation budget');
  },
  'session-event-stream': (page) => showTab(page, 'Event stream'),
  'session-raw': async (page) => {
    await page.getByRole('region', { name: 'Session' }).getByRole('button', { name: 'Raw' }).last().click();
    await page.getByRole('dialog').waitFor();
  },
  'session-settings': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Session settings', exact: true }).click();
    await page.getByRole('dialog').waitFor();
  },
  'session-metaskill-paused': async (page) => {
    await page.keyboard.press('Escape');
    await showTab(page, 'Metaskill run');
    const run = page.getByRole('region', { name: 'Metaskill run' });
    await run.getByRole('button', { name: 'Metaskill' }).first().click();
    await page.getByRole('option', { name: 'must-have-heading' }).click();
    await run.getByRole('button', { name: 'Breakpoint in line 34', exact: true }).click();
    await run.getByRole('button', { name: 'Run', exact: true }).click();
    await run.getByText(/Paused at a breakpoint/).waitFor({ timeout: 60_000 });
  },
};

const showTab = (/** @type {Page} */ page, /** @type {string} */ name) =>
  page.getByRole('tablist', { name: 'Instruments' }).getByRole('tab', { name }).click();

/** The example that breaks the cache, step by step. */
const runSession = async (/** @type {Page} */ page) => {
  const session = page.getByRole('region', { name: 'Session' });
  const step = async (/** @type {string} */ button, /** @type {number} */ turn) => {
    await session.getByRole('button', { name: button, exact: true }).click();
    await session.getByRole('article', { name: `Turn ${turn}`, exact: true }).waitFor({ timeout: 60_000 });
    await session.locator('button[aria-disabled=true]', { hasText: 'Stop' }).waitFor({ timeout: 60_000 });
  };
  await step('Run: Break the cache', 1);
  await step('Let the entry lapse', 2);
  await step('Change the model', 3);
  await step('Roll the breakpoint along', 4);
  await step('Edit the memory', 5);
};

const isWanted = (/** @type {string} */ name) => words.every((word) => name.includes(word));

if (process.env['LATHE_BUILT'] !== '1') await build({ root, logLevel: 'warn' });
const server = await preview({
  root,
  logLevel: 'error',
  preview: { host: '127.0.0.1', port: 4417, strictPort: false },
});
const address = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath: ensureChromium() });
if (words.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
let count = 0;
for (const { name: themeName, theme, colorScheme } of themes) {
  for (const size of sizes) {
    const wanted = Object.keys(sessionScenes).filter((scene) => isWanted(`${scene}.${themeName}.${size.name}`));
    if (wanted.length > 0) {
      const context = await browser.newContext({
        viewport: size,
        colorScheme,
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      });
      await context.addInitScript((chosen) => {
        localStorage.setItem('lathe.theme', chosen);
        localStorage.setItem('lathe.tour', 'seen');
      }, theme);
      const page = await context.newPage();
      await page.goto(address);
      await page.getByRole('banner').getByText('14 skills').waitFor();
      await runSession(page);
      // In order, because each goes on from the one before.
      for (const [scene, act] of Object.entries(sessionScenes)) {
        await act(page);
        await page.waitForTimeout(400);
        if (!wanted.includes(scene)) continue;
        await page.screenshot({ path: join(folder, `${scene}.${themeName}.${size.name}.png`) });
        count += 1;
      }
      await context.close();
    }
    for (const [scene, { hash = '', fresh, narrow, act }] of Object.entries(scenes)) {
      const name = `${scene}.${themeName}.${size.name}`;
      // Half the window is what is left of it at 200 %.
      const viewport = narrow ? { width: size.width / 2, height: size.height / 2 } : size;
      if (!isWanted(name) || (narrow && size.width !== 1280)) continue;
      const context = await browser.newContext({
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        deviceScaleFactor: narrow ? 2 : 1,
      });
      await context.addInitScript(
        ([chosen, isFresh]) => {
          localStorage.setItem('lathe.theme', chosen);
          if (!isFresh) localStorage.setItem('lathe.tour', 'seen');
        },
        /** @type {const} */ ([theme, fresh === true]),
      );
      const page = await context.newPage();
      await page.goto(`${address}${hash}`);
      await page.getByRole('banner').getByText('14 skills').waitFor();
      await page.evaluate(() => document.fonts.ready);
      await act?.(page);
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await context.close();
      count += 1;
    }
  }
}
await browser.close();
await server.close();
process.stdout.write(`${count} pictures in screenshots/\n`);
