/**
 * Recordings in a real browser: 45 MB whose requests repeat each other, and 2,000 requests that are scrolled. Tasks of the page's own
 * thread are taken from a trace, in processor time: on a shared machine the wall clock tells what others do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { servePart } from '../e2e/fixtures/serve-part.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const FRAME_MS = 1000 / 60;
const SCROLL_FRAMES = 240;
/** Pixels per frame: faster than a hand at a wheel. */
const SCROLL_STEP = 120;

const say = (text: string): void => void process.stdout.write(`  ${text}\n`);

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly data?: { readonly message?: string } };
}

/** A conversation that grows by one exchange per request; each body is the whole of it, as a client sends it. */
const conversation = (count: number, exchangeBytes: number): string => {
  const said = (index: number): string =>
    `Step ${index}. `.repeat(3) + 'The tool printed a line of output with a path.\n'.repeat(exchangeBytes / 47);
  const messages: unknown[] = [];
  const lines: string[] = [];
  let sent = 0;
  for (let index = 0; index < count; index++) {
    messages.push({ role: 'user', content: said(index) });
    const body = JSON.stringify({
      model: 'claude-sonnet-4-6',
      max_tokens: 1024,
      cache_control: { type: 'ephemeral' },
      system: [{ type: 'text', text: said(-1), cache_control: { type: 'ephemeral' } }],
      messages,
    });
    const tokens = Math.ceil(body.length / 4);
    lines.push(
      JSON.stringify({
        provider: 'anthropic',
        wire: 'anthropic-messages',
        body,
        started_at: 1_700_000_000_000 + index * 20_000,
        usage: {
          input_tokens: 5,
          // Every tenth has lost its cache, so that some rows have verdicts.
          cache_read_input_tokens: index % 10 === 9 ? 0 : sent,
          cache_creation_input_tokens: index % 10 === 9 ? tokens : tokens - sent,
          output_tokens: 40,
        },
      }),
    );
    sent = tokens;
    messages.push({ role: 'assistant', content: `Done ${index}.` });
  }
  return lines.join('\n');
};

/** Many short conversations: as many rows as a long day has. */
const day = (requests: number): string =>
  Array.from({ length: requests / 20 }, (_, index) => conversation(20, 500 + index)).join('\n');

const marked = async <T>(
  browser: Browser,
  page: Page,
  mark: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly tasks: readonly TraceEvent[]; readonly marks: readonly TraceEvent[] }> => {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await page.evaluate((name) => console.timeStamp(name), mark);
  const value = await work();
  await page.evaluate((name) => console.timeStamp(name), mark);
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString('utf8'));
  const marks = trace.traceEvents.filter(({ name, args }) => name === 'TimeStamp' && args?.data?.message === mark);
  const [first] = marks;
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === first?.pid && tid === first.tid,
  );
  if (!first || tasks.length === 0) throw new Error('the trace has no tasks of the page');
  return { value, tasks, marks };
};

const longest = (tasks: readonly TraceEvent[]): number => Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000;

/** The longest task of each frame, at the 95th percentile; each frame ends with a mark. */
const longestPerFrame = ({ tasks, marks }: Pick<Awaited<ReturnType<typeof marked>>, 'tasks' | 'marks'>): number => {
  const perFrame = marks.slice(0, -1).map(({ ts }, index) => {
    const next = marks[index + 1]?.ts ?? Infinity;
    return longest(tasks.filter((task) => task.ts >= ts - 2000 && task.ts < next - 2000));
  });
  return perFrame.toSorted((a, b) => a - b)[Math.floor(perFrame.length * 0.95)] ?? 0;
};

const openFile = async (page: Page, file: string, name: string): Promise<number> => {
  const start = performance.now();
  await page.getByLabel('Recording of requests').setInputFiles(file);
  await page.getByRole('heading', { name }).waitFor({ timeout: 300_000 });
  await page.getByRole('treegrid', { name: 'Requests' }).getByRole('row').first().waitFor();
  return performance.now() - start;
};

const scroll = (page: Page): Promise<{ readonly fps: number; readonly blank: number }> =>
  page.evaluate(
    async ({ frames, step }) => {
      const box = document.querySelector('[role=treegrid]')?.parentElement;
      if (!box) throw new Error('no rows');
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
      const { left, top, height } = box.getBoundingClientRect();
      box.scrollTop = 0;
      await frame();
      const start = performance.now();
      let blank = 0;
      for (let count = 0; count < frames; count++) {
        box.scrollTop += step;
        await frame();
        console.timeStamp('scroll');
        if (!document.elementFromPoint(left + 60, top + height / 2)?.closest('[role=row]')) blank++;
      }
      return { fps: (frames * 1000) / (performance.now() - start), blank };
    },
    { frames: SCROLL_FRAMES, step: SCROLL_STEP },
  );

/** Zoomed in and out and panned on the time axis, an event per frame. */
const zoomAndPan = (page: Page): Promise<number> =>
  page.evaluate(async (frames) => {
    const canvas = document.querySelector('[aria-label^="Time axis"] canvas');
    if (!canvas) throw new Error('no time axis');
    const { left, width, top } = canvas.getBoundingClientRect();
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    for (let count = 0; count < frames; count++) {
      const step = count % 120;
      canvas.dispatchEvent(
        new WheelEvent('wheel', {
          deltaY: step < 40 ? -60 : step < 80 ? 40 : 60,
          shiftKey: step >= 40 && step < 80,
          clientX: left + width * 0.4,
          clientY: top + 20,
          bubbles: true,
          cancelable: true,
        }),
      );
      await frame();
      console.timeStamp('time');
    }
    return (frames * 1000) / (performance.now() - start);
  }, SCROLL_FRAMES);

const folder = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
const served = await servePart('instruments', process.cwd());
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const [large, many] = [join(folder, 'large.jsonl'), join(folder, 'many.jsonl')];
  const text = conversation(150, 3900);
  writeFileSync(large, text);
  writeFileSync(many, day(2000));
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${served.address}?scene=cache-waterfall&script=none`);
  await page.locator('html[data-ready=true]').waitFor({ state: 'attached', timeout: 120_000 });
  const opened = await marked(browser, page, 'opened', () => openFile(page, large, 'large.jsonl'));
  const short = await marked(browser, page, 'short', () => openFile(page, many, 'many.jsonl'));
  const scrolled = await marked(browser, page, 'scroll', () => scroll(page));
  const p95 = longestPerFrame(scrolled);
  const rows = await page.getByRole('treegrid', { name: 'Requests' }).getByRole('row').count();
  await page.getByText('Time axis', { exact: true }).click();
  await page.locator('[aria-label^="Time axis"] canvas').waitFor();
  const moved = await marked(browser, page, 'time', () => zoomAndPan(page));
  say(
    `${(text.length / 1e6).toFixed(0)} MB in ${(opened.value / 1000).toFixed(1)} s, 2,000 requests in ${(short.value / 1000).toFixed(1)} s`,
  );
  say(`${scrolled.value.fps.toFixed(0)} frames per second, ${rows} rows in the page`);
  report('a recording of 45 MB opened: longest task, of 100 ms', longest(opened.tasks) / 100, { atMost: 1 });
  report('2,000 requests opened: longest task, of 100 ms', longest(short.tasks) / 100, { atMost: 1 });
  report('scrolled: longest task per frame at p95, of a frame', p95 / FRAME_MS, { atMost: 1 });
  say(`${moved.value.toFixed(0)} frames per second on the time axis`);
  report('2,000 requests on the time axis: longest task per frame at p95', longestPerFrame(moved) / FRAME_MS, {
    atMost: 1,
  });
  report('frames of that scroll without a row', scrolled.value.blank, { atMost: 0 });
} finally {
  await browser.close();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
}
