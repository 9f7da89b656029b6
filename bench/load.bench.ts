/**
 * The built page in a real browser, printed and not asserted. First load until it can be used, against MCP Inspector's client, both from
 * the same static server: the time until the page has drawn its first control and its main thread has come to rest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { serveBelow } from '../e2e/fixtures/static-server.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const ROUNDS = 5;
const PEER = '@modelcontextprotocol/inspector-client';

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

/** Milliseconds until a newcomer sees anything, and until the demo is before them: its example in the composer, its prefix drawn. */
const demoInView = async (
  browser: Browser,
  address: string,
): Promise<{ readonly paint: number; readonly demo: number }> => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(address);
  // Asked at every frame: Playwright's own waiting looks twice a second at last.
  await page.waitForFunction(() => {
    const region = document.querySelector('[aria-label="Prefix"]');
    const message = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]');
    return region?.textContent.includes('cached') === true && message !== null && message.value !== '';
  });
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    demo: performance.now(),
  }));
  await context.close();
  return times;
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
    const views: Awaited<ReturnType<typeof demoInView>>[] = [];
    for (let round = 0; round < ROUNDS; round++) views.push(await demoInView(browser, ours.address));
    const { paint, demo } = views.toSorted((a, b) => a.demo / a.paint - b.demo / b.paint)[ROUNDS >> 1] ?? {
      paint: NaN,
      demo: NaN,
    };
    await Promise.all([ours.close(), theirs.close()]);
    const figures = `${times.ours.toFixed(0)} ms against ${times.theirs.toFixed(0)} ms`;
    report(
      `the demo in view after ${demo.toFixed(0)} ms, against the first paint at ${paint.toFixed(0)} ms`,
      demo / paint,
      {
        atMost: 3,
      },
    );
    report(`first load, against MCP Inspector (${figures})`, times.ours / times.theirs, { atMost: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  await firstLoad(browser);
} finally {
  await browser.close();
}
