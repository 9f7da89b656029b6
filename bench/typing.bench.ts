/**
 * Typing in a file of 20 KB, in a real browser. Of every key, the longest task of the main thread until the next one is
 * taken from a trace, in processor time: on a shared machine the wall clock tells what others do. A frame can be blocked no
 * longer than by its longest task. Limits: 16 ms at the 95th percentile; and the same keys in a plain text file, where Monaco
 * works alone.
 */
import { chromium, type Browser, type Page } from 'playwright';
import { servePart } from '../e2e/fixtures/serve-part.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const FRAME_MS = 16;
const TEXT = 'Typing goes on and on, with words and some more words. '.repeat(4);

const KEY_MS = 25;
/** Longer than the editor waits before it checks. */
const PAUSE_MS = 400;

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly type?: string } };
}

/** The longest task after every key, in milliseconds of processor time. */
const longestTasks = (events: readonly TraceEvent[]): readonly number[] => {
  const keys = events.filter(({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'keydown');
  const [first] = keys;
  const tasks = events.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === first?.pid && tid === first.tid,
  );
  return keys.slice(0, -1).map((key, index) => {
    const next = keys[index + 1]?.ts ?? Infinity;
    // The task that dispatches the key starts a little before the event.
    const own = tasks.filter(({ ts }) => ts >= key.ts - 500 && ts < next - 500);
    return Math.max(0, ...own.map(({ tdur = 0 }) => tdur)) / 1000;
  });
};

/** Milliseconds at the 95th percentile. */
const measure = async (browser: Browser, page: Page, text: string, delay: number): Promise<number> => {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await page.keyboard.type(text, { delay });
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString('utf8'));
  const tasks = longestTasks(trace.traceEvents).toSorted((a, b) => a - b);
  if (tasks.length < text.length / 2) throw new Error('the trace has too few keys');
  return tasks[Math.floor(tasks.length * 0.95)] ?? 0;
};

const typeIn = async (
  browser: Browser,
  address: string,
  query: string,
  text = TEXT,
  delay = KEY_MS,
): Promise<number> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${address}?${query}`);
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await page.locator('.view-line').nth(8).click();
  await page.keyboard.press('End');
  await page.keyboard.type('Warm up. ', { delay: 25 });
  const result = await measure(browser, page, text, delay);
  await page.close();
  return result;
};

const served = await servePart('editor', process.cwd());
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const plain = await typeIn(browser, served.address, 'plain&large&mode=edit&open=notes.txt');
  const file = 'open=skills/release-handbook/SKILL.md';
  const edit = await typeIn(browser, served.address, `large&mode=edit&${file}`);
  const split = await typeIn(browser, served.address, `large&mode=split&${file}`);
  const slow = await typeIn(browser, served.address, `large&mode=split&${file}`, TEXT.slice(0, 40), PAUSE_MS);
  report('SKILL.md, 20 KB: longest task per key at p95, of 16 ms', edit / FRAME_MS, { atMost: 1 });
  report('the same with the preview beside it', split / FRAME_MS, { atMost: 1 });
  report('and slowly, so that every key is checked and rendered', slow / FRAME_MS, { atMost: 1 });
  report('SKILL.md against a plain text file', edit / Math.max(plain, 1), { atMost: 2 });
} finally {
  await browser.close();
  await served.close();
}
