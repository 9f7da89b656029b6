// `npm run screenshots [word…]`: every view in every theme and three sizes, as images in screenshots/. Words choose
// among them: `npm run screenshots dark 1280 request`. `npm run screenshots readme` makes those of the README again.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { ensureChromium } from './chromium.mjs';
import { stories } from './screenshot-stories.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isReadme = process.argv[2] === 'readme';
const folder = join(root, isReadme ? 'docs/pictures' : 'screenshots');
const words = process.argv.slice(isReadme ? 3 : 2);

// The page follows the system, so that one page is seen in all of them.
const themes = /** @type {const} */ ([
  { name: 'light', media: { colorScheme: 'light', contrast: 'no-preference' } },
  { name: 'dark', media: { colorScheme: 'dark', contrast: 'no-preference' } },
  { name: 'contrast-light', media: { colorScheme: 'light', contrast: 'more' } },
  { name: 'contrast-dark', media: { colorScheme: 'dark', contrast: 'more' } },
]);
const sizes = isReadme
  ? [{ name: '1440x900', width: 1440, height: 900 }]
  : [
      { name: '1280x720', width: 1280, height: 720 },
      { name: '1440x900', width: 1440, height: 900 },
      { name: '1920x1080', width: 1920, height: 1080 },
    ];

/** Shots of the README, by the names of their files there. */
/** @type {Readonly<Record<string, string>>} */
const README = {
  'first-run.run.light': 'overview',
  'session.request-file.dark': 'cache-waterfall',
  'session.prefix.light': 'prefix',
  'editor-problems.chosen.light': 'skills',
  'star.paused.dark': 'metaskill-run',
};

/** @typedef {(typeof sizes)[number]} Size */

/** The themes in which a shot is wanted, with the name of each image. */
const picturesOf = (/** @type {string} */ story, /** @type {string} */ shot, /** @type {Size} */ size) =>
  themes.flatMap(({ name, media }) => {
    const picture = `${story}.${shot}.${name}`;
    const file = isReadme ? README[picture] : `${picture}.${size.name}`;
    return file !== undefined && words.every((word) => file.includes(word)) ? [{ file, media }] : [];
  });

const tell = async (
  /** @type {string} */ address,
  /** @type {[string, import('./screenshot-stories.mjs').Story]} */ [name, story],
  /** @type {Size} */ size,
) => {
  const shots = Object.entries(story.shots).map(([shot, act]) => ({ act, pictures: picturesOf(name, shot, size) }));
  const last = shots.findLastIndex(({ pictures }) => pictures.length > 0);
  if (last === -1) return 0;
  const zoom = story.isZoomed ? 2 : 1;
  const context = await browser.newContext({
    viewport: { width: size.width / zoom, height: size.height / zoom },
    deviceScaleFactor: zoom,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  if (!story.isFirstVisit) await context.addInitScript(() => localStorage.setItem('lathe.tour', 'seen'));
  const page = await context.newPage();
  await story.before?.(page);
  await page.goto(`${address}${story.hash ?? ''}`);
  await page.getByRole('banner').getByText('14 skills').waitFor();
  await page.evaluate(() => document.fonts.ready);
  let count = 0;
  for (const { act, pictures } of shots.slice(0, last + 1)) {
    await act(page);
    for (const { file, media } of pictures) {
      await page.emulateMedia(media);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${file}.png`) });
      count += 1;
    }
  }
  await context.close();
  return count;
};

if (process.env['LATHE_BUILT'] !== '1') await build({ root, logLevel: 'warn' });
const server = await preview({
  root,
  logLevel: 'error',
  preview: { host: '127.0.0.1', port: 4417, strictPort: false },
});
const address = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath: ensureChromium() });
if (words.length === 0 && !isReadme) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
let count = 0;
for (const size of sizes)
  for (const story of Object.entries(stories)) {
    // At 200% the larger window is as wide as a small one at 100%.
    if (story[1].isZoomed && size.width > 1280) continue;
    try {
      count += await tell(address, story, size);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${story[0]} at ${size.name}: ${String(error)}\n`);
    }
  }
await browser.close();
await server.close();
process.stdout.write(`${count} pictures in ${relative(root, folder)}/\n`);
