/**
 * A session as it streams, in the built page with its animations. Three questions, none of them about wall time, which on a shared
 * machine tells what others do: how many frames after an event its row is in the Event stream, how far anything moves that nobody
 * touched (the strip of the prefix does, because it is to scale), and how much processor time the longest task of the main thread takes between two frames.
 */
import { chromium, type Browser, type Page } from 'playwright';
import { serveBelow } from '../e2e/fixtures/static-server.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const FRAME_MS = 1000 / 60;

interface Seen {
  /** Milliseconds since 1970, and the rows of the table with its head, once per frame. */
  readonly frames: (readonly [at: number, rows: number])[];
  readonly shifts: number[];
}

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly data?: { readonly type?: string } };
}

const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Seen = { frames: [], shifts: [] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shifts.push(entry.value);
    }).observe({ type: 'layout-shift' });
    const look = (): void => {
      const table = document.querySelector('[role=grid][aria-label=Events], [role=table][aria-label=Events]');
      seen.frames.push([performance.timeOrigin + performance.now(), Number(table?.getAttribute('aria-rowcount') ?? 0)]);
      requestAnimationFrame(look);
    };
    look();
  });

/** Frames between an event and the first image with its row; of all events that came while frames were counted. */
const framesLate = (frames: Seen['frames'], times: readonly number[]): readonly number[] =>
  times.flatMap((time, index) => {
    const [came, drawn] = [frames.findIndex(([at]) => at >= time), frames.findIndex(([, rows]) => rows > index + 1)];
    return came <= 0 || drawn === -1 ? [] : [Math.max(0, drawn - came)];
  });

/** The longest task of every frame, in milliseconds of processor time. */
const tasksOf = (events: readonly TraceEvent[], page: Pick<TraceEvent, 'pid' | 'tid'>): readonly number[] => {
  const longest = new Map<number, number>();
  for (const { name, pid, tid, ts, tdur = 0 } of events) {
    if (!name.endsWith('RunTask') || pid !== page.pid || tid !== page.tid) continue;
    const frame = Math.floor(ts / 1000 / FRAME_MS);
    longest.set(frame, Math.max(longest.get(frame) ?? 0, tdur / 1000));
  }
  return [...longest.values()].toSorted((a, b) => a - b);
};

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;

/** Times of the events of the session, in milliseconds, as the page saves them. */
const eventTimes = async (page: Page): Promise<readonly number[]> => {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export JSONL' }).click();
  const stream = await (await saving).createReadStream();
  const [, ...lines] = (await stream.toArray()).join('').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { readonly timestamp: number }).timestamp / 1000);
};

/** One click of the first example: a skill is loaded, a metaskill runs and asks, and three answers stream. */
const stream = async (browser: Browser, address: string): Promise<void> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => localStorage.setItem('lathe.tour', 'seen'));
  await page.goto(address);
  const session = page.getByRole('region', { name: 'Session', exact: true });
  const ended = async (turn: number): Promise<void> => {
    await session.getByRole('article', { name: `Turn ${turn}`, exact: true }).waitFor();
    await session.locator('button[aria-disabled=true]', { hasText: 'Stop' }).waitFor();
  };
  await session.getByRole('button', { name: 'Run: A full session' }).click();
  await ended(1);
  await page.waitForLoadState('networkidle');
  await watch(page);
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await session.getByRole('button', { name: 'Ask for the changelog too' }).click();
  await ended(2);
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString('utf8'));
  const { frames, shifts } = await page.evaluate(() => (window as unknown as { readonly seen: Seen }).seen);
  const [first = [Infinity, 0]] = frames;
  const times = await eventTimes(page);
  const late = framesLate(
    frames,
    times.map((time) => (time > first[0] ? time : 0)),
  ).toSorted((a, b) => a - b);
  const drawn = trace.traceEvents.find(({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'click');
  if (!drawn || late.length < 10) throw new Error('the trace or the table has too few events');
  const tasks = tasksOf(trace.traceEvents, drawn);
  report(`${late.length} events: frames until a row is drawn at p95, of one`, at(late, 0.95), { atMost: 1 });
  report(
    'what moves while an answer streams, of a layout shift of 0.01',
    shifts.reduce((sum, value) => sum + value, 0) / 0.01,
    {
      atMost: 1,
    },
  );
  report('the longest task of a frame at p95, of 16.7 ms', at(tasks, 0.95) / FRAME_MS, { atMost: 1 });
  await page.close();
};

const served = await serveBelow('dist', '/');
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  await stream(browser, served.address);
} finally {
  await browser.close();
  await served.close();
}
