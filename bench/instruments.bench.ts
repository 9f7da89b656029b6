/**
 * The instruments in a real browser: 500 requests, 200 segments, 100,000 events. Of every redraw the longest task of the main
 * thread is taken from a trace, in processor time: on a shared machine the wall clock tells what others do.
 */
import { chromium, type Browser, type Page } from 'playwright';
import { servePart } from '../e2e/fixtures/serve-part.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const FRAME_MS = 16;
const ROUNDS = 40;
const STREAM_SECONDS = 3;
/** Pixels per frame: faster than a hand at a wheel, and the scroll bar pulled through everything. */
const SCROLL_STEP = 300;
const JUMP = 20_000;

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly data?: { readonly message?: string } };
}

/** What the page offers (`e2e/fixtures/instruments-page`). */
interface Shown {
  readonly store: {
    readonly select: (selection: { readonly requestId: string }) => void;
    readonly state: () => { readonly calls: readonly { readonly requestId: string }[] };
    readonly journal: () => {
      readonly append: (draft: unknown) => void;
      readonly events: readonly { readonly type: string; readonly payload: unknown }[];
    };
  };
}

const open = async (browser: Browser, address: string, query: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 420 } });
  await page.goto(`${address}?${query}`);
  await page.locator('html[data-ready=true]').waitFor({ state: 'attached', timeout: 120_000 });
  await page.waitForTimeout(500);
  return page;
};

/** The longest task behind every mark, at the 95th percentile, in milliseconds of processor time. */
const traced = async (browser: Browser, page: Page, work: () => Promise<void>): Promise<number> => {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await work();
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString('utf8'));
  const marks = trace.traceEvents.filter(({ name, args }) => name === 'TimeStamp' && args?.data?.message === 'redraw');
  const [first] = marks;
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === first?.pid && tid === first.tid,
  );
  const longest = marks.slice(0, -1).map((mark, index) => {
    const next = marks[index + 1]?.ts ?? Infinity;
    // The task that makes the mark began a little before it.
    const own = tasks.filter(({ ts }) => ts >= mark.ts - 2000 && ts < next - 2000);
    return Math.max(0, ...own.map(({ tdur = 0 }) => tdur)) / 1000;
  });
  if (longest.length < ROUNDS / 2) throw new Error('the trace has too few redraws');
  return longest.toSorted((a, b) => a - b)[Math.floor(longest.length * 0.95)] ?? 0;
};

/** Another request is chosen every time. */
const redraw = (page: Page): Promise<void> =>
  page.evaluate(async (rounds) => {
    const { store } = window as unknown as Shown;
    const { calls } = store.state();
    for (let round = 0; round < rounds; round++) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      console.timeStamp('redraw');
      store.select({ requestId: calls[calls.length - 1 - (round % 2)]?.requestId ?? '' });
    }
  }, ROUNDS);

/** Scrolls by so many pixels per frame; gives how many frames had no row in the middle of the table. */
const blankFrames = (page: Page, pixels: number): Promise<number> =>
  page.evaluate(async (step) => {
    const grid = document.querySelector('[role=grid]');
    const box = grid?.parentElement;
    if (!box) throw new Error('no table');
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const { left, top, height } = box.getBoundingClientRect();
    let blank = 0;
    box.scrollTop = 0;
    for (let count = 0; count < 100; count++) {
      box.scrollTop += step;
      await frame();
      await frame();
      console.timeStamp('redraw');
      const row = document.elementFromPoint(left + 60, top + height / 2)?.closest('[role=row]');
      if (!row) blank++;
    }
    return blank;
  }, pixels);

/** Frames per second while events come. */
const streamFrames = (page: Page, seconds: number): Promise<number> =>
  page.evaluate(async (length) => {
    const journal = (window as unknown as Shown).store.journal();
    const sample = journal.events.filter(({ type }) => type === 'metaskill.trace');
    let frames = 0;
    let isOn = true;
    const count = (): void => {
      frames++;
      if (isOn) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    const began = performance.now();
    let sent = 0;
    while (performance.now() - began < length * 1000) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (; sent < performance.now() - began; sent++) {
        const event = sample[sent % sample.length];
        if (event) journal.append({ type: event.type, payload: event.payload });
      }
    }
    isOn = false;
    return frames / length;
  }, seconds);

const served = await servePart('instruments', process.cwd());
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const waterfall = await open(browser, served.address, 'scene=cache-waterfall&requests=500');
  const rows = await traced(browser, waterfall, () => redraw(waterfall));
  await waterfall.close();
  const prefix = await open(browser, served.address, 'scene=prefix&turns=90');
  const count = await prefix.getByRole('listbox').getByRole('option').count();
  const strip = await traced(browser, prefix, () => redraw(prefix));
  await prefix.close();
  const events = await open(browser, served.address, 'scene=event-stream&events=100000');
  let blank = 0;
  const scroll = await traced(browser, events, async () => {
    blank = await blankFrames(events, SCROLL_STEP);
  });
  blank += await blankFrames(events, JUMP);
  await events.close();
  const overview = await open(browser, served.address, 'scene=overview');
  const frames = await streamFrames(overview, STREAM_SECONDS);
  await overview.close();
  report('waterfall of 500 requests: longest task per redraw at p95, of 16 ms', rows / FRAME_MS, { atMost: 1 });
  report(`prefix of ${count} segments: the same`, strip / FRAME_MS, { atMost: 1 });
  report('100,000 events: longest task per frame of a fast scroll, of 16 ms', scroll / FRAME_MS, { atMost: 1 });
  report('frames of that scroll, and of jumps, without a row', blank, { atMost: 0 });
  report('1,000 events per second: frames per second, of 50', frames / 50, { atLeast: 1 });
} finally {
  await browser.close();
  await served.close();
}
