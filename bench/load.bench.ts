/**
 * The built page in a real browser, printed and not asserted. (a) First load until it can be used, against MCP Inspector's client, both from
 * the same static server: the time until the page has drawn its first control and its main thread has come to rest. (b) A folder
 * of 10,000 files: the longest task of the main thread while it is read. Build first: `npm run build`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { serveBelow } from '../e2e/fixtures/static-server.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const ROUNDS = 5;
const PEER = '@modelcontextprotocol/inspector-client';
const SKILLS = 2000;
const FILES_EACH = 5;

const say = (text: string): void => void process.stdout.write(`  ${text}\n`);

/** Milliseconds from the request until the first button can be pressed and no task has blocked the page for half a second. */
const interactive = async (browser: Browser, address: string): Promise<number> => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    localStorage.setItem('lathe.tour', 'seen');
    const seen = { last: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) seen.last = Math.max(seen.last, startTime + duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(address);
  const time = await page.evaluate(async () => {
    const { seen } = window as unknown as { readonly seen: { readonly last: number } };
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    while (!document.querySelector('#root button')) await frame();
    const drawn = performance.now();
    while (performance.now() - Math.max(drawn, seen.last) < 500) await frame();
    return Math.max(drawn, seen.last);
  });
  await context.close();
  return time;
};

/** Milliseconds until a newcomer has the demo before them: its skills in the Library, one of them in the Editor. */
const demoInView = async (browser: Browser, address: string): Promise<number> => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('region', { name: 'Library', exact: true }).getByRole('row').nth(1).waitFor();
  await page.getByRole('region', { name: 'Editor', exact: true }).getByRole('heading', { level: 3 }).first().waitFor();
  const time = await page.evaluate(() => performance.now());
  await context.close();
  return time;
};

const firstLoad = async (browser: Browser): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-peer-'));
  try {
    const run = spawnSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', PEER], {
      encoding: 'utf8',
    });
    const built = join(folder, 'node_modules', PEER, 'dist');
    if (run.status !== 0 || !existsSync(join(built, 'index.html'))) {
      say(`first load against ${PEER}: skipped, it cannot be installed: ${run.stderr.split('\n').at(-2) ?? ''}`);
      return;
    }
    const [ours, theirs] = [await serveBelow('dist', '/'), await serveBelow(built, '/')];
    const times = { ours: Infinity, theirs: Infinity };
    // In turns, so that whatever else the machine does meets both.
    for (let round = 0; round < ROUNDS; round++) {
      times.ours = Math.min(times.ours, await interactive(browser, ours.address));
      times.theirs = Math.min(times.theirs, await interactive(browser, theirs.address));
    }
    let demo = Infinity;
    for (let round = 0; round < ROUNDS; round++) demo = Math.min(demo, await demoInView(browser, ours.address));
    await Promise.all([ours.close(), theirs.close()]);
    const figures = `${times.ours.toFixed(0)} ms against ${times.theirs.toFixed(0)} ms`;
    say(`the demo is in view after ${demo.toFixed(0)} ms`);
    report(`first load, against MCP Inspector (${figures})`, times.ours / times.theirs, { atMost: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A folder in the browser's own storage, whose handles are those of a folder on disk. */
const fillFolder = (page: Page): Promise<void> =>
  page.evaluate(
    async ([skills, files]) => {
      const top = await (await navigator.storage.getDirectory()).getDirectoryHandle('large', { create: true });
      const root = await top.getDirectoryHandle('skills', { create: true });
      const write = async (folder: FileSystemDirectoryHandle, name: string, text: string): Promise<void> => {
        const out = await (await folder.getFileHandle(name, { create: true })).createWritable();
        await out.write(text);
        await out.close();
      };
      const make = async (index: number): Promise<void> => {
        const name = `skill-${index}`;
        const folder = await root.getDirectoryHandle(name, { create: true });
        const head = `---\nname: ${name}\ndescription: Does thing ${index}. Use when ${index} is wanted.\n---\n`;
        await write(folder, 'SKILL.md', `${head}# ${name}\n\n${'One more step of it.\n'.repeat(40)}`);
        for (let file = 1; file < files; file++) await write(folder, `notes-${file}.md`, 'A note.\n');
      };
      for (let start = 0; start < skills; start += 50)
        await Promise.all(Array.from({ length: Math.min(50, skills - start) }, (_, index) => make(start + index)));
    },
    [SKILLS, FILES_EACH] as const,
  );

const pickFolder = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle('large');
    window.showDirectoryPicker = () => Promise.resolve(top);
  });

const largeFolder = async (browser: Browser): Promise<void> => {
  const served = await serveBelow('dist', '/');
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });
  // Filled by another page: what that leaves behind is cleared away in pauses that are not those of the page.
  const filler = await context.newPage();
  await filler.goto(`${served.address}demo/index.json`);
  await fillFolder(filler);
  await filler.close();
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('lathe.tour', 'seen'));
  await page.goto(served.address);
  const library = page.getByRole('region', { name: 'Library', exact: true });
  await library.getByRole('treegrid').waitFor({ timeout: 60_000 });
  await pickFolder(page);
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  const start = performance.now();
  await library.getByRole('button', { name: 'Open folder' }).click();
  const cancel = library.getByRole('button', { name: 'Cancel' });
  const figures = library.getByText(/^Skills read: \d+ of \d+$/);
  const hasFigures = await figures.waitFor({ timeout: 120_000 }).then(
    () => true,
    () => false,
  );
  const [text, canCancel] = hasFigures ? [await figures.textContent(), await cancel.isVisible()] : ['none', false];
  await page.getByRole('banner').getByText(`${SKILLS} skills`).waitFor({ timeout: 300_000 });
  const seconds = (performance.now() - start) / 1000;
  const tasks = await page.evaluate(() => (window as unknown as { readonly tasks: number[] }).tasks);
  const longest = Math.max(0, ...tasks).toFixed(0);
  say(`a folder of ${SKILLS * FILES_EACH} files read in ${seconds.toFixed(1)} s; longest task ${longest} ms`);
  say(`tasks over 50 ms: ${tasks.length}; progress: ${text}; cancel: ${canCancel ? 'yes' : 'no'}`);
  await context.close();
  await served.close();
};

const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  await firstLoad(browser);
  await largeFolder(browser);
} finally {
  await browser.close();
}
