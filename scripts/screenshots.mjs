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

const isWanted = (/** @type {string} */ name) => words.every((word) => name.includes(word));

await build({ root, logLevel: 'warn' });
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
