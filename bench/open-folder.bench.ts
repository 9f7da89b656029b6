/**
 * A folder of 2,000 skills and 10,000 files on disk, opened in the built page by a drop, whose handles are those of the picker. Against
 * a bare walk through the same handles in the same page: list every folder, read every SKILL.md, nothing else. Then opened a second time
 * in a new page of the same browser.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { serveBelow } from '../e2e/fixtures/static-server.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const SKILLS = 2000;
const FILES_EACH = 5;
const ROUNDS = 3;

const say = (text: string): void => void process.stdout.write(`  ${text}\n`);

const fill = (folder: string): void => {
  for (let index = 0; index < SKILLS; index++) {
    const name = `skill-${index}`;
    const own = join(folder, 'skills', name);
    mkdirSync(own, { recursive: true });
    const head = `---\nname: ${name}\ndescription: Does thing ${index}. Use when ${index} is wanted.\n---\n`;
    writeFileSync(join(own, 'SKILL.md'), `${head}# ${name}\n\n${'One more step of it.\n'.repeat(40)}`);
    for (let file = 1; file < FILES_EACH; file++) writeFileSync(join(own, `notes-${file}.md`), 'A note.\n');
  }
};

interface Measured {
  /** Milliseconds since the drop. */
  readonly first: number;
  readonly all: number;
  readonly checked: number;
  readonly longest: number;
  readonly bare: number;
}

interface Seen {
  readonly handle: Promise<FileSystemDirectoryHandle>;
  readonly tasks: number[];
  readonly at: { first?: number; all?: number; checked?: number };
}

const openIn = async (context: BrowserContext, address: string, folder: string): Promise<Measured> => {
  const page = await context.newPage();
  await page.addInitScript((count) => {
    localStorage.setItem('lathe.tour', 'seen');
    const seen = { tasks: [] as number[], at: {} as Record<string, number>, handle: undefined as unknown };
    Object.assign(window, { seen });
    window.addEventListener(
      'drop',
      (event) => {
        const start = performance.now();
        seen.handle = event.dataTransfer?.items[0]?.getAsFileSystemHandle?.();
        new PerformanceObserver((list) =>
          seen.tasks.push(...list.getEntries().map(({ duration }) => duration)),
        ).observe({
          type: 'longtask',
        });
        // In the page: a question from outside takes a turn of its own among the tasks.
        const look = (): void => {
          const now = performance.now() - start;
          const text = document.querySelector('header')?.textContent ?? '';
          const rows = document.querySelector('[role=treegrid]')?.textContent ?? '';
          if (rows.includes('skill-')) seen.at['first'] ??= now;
          if (text.includes(`${count} skills`)) seen.at['all'] ??= now;
          const isReading = /Checking (?:the files of the skills|for changes)/.test(document.body.textContent);
          if (seen.at['all'] !== undefined && !isReading) seen.at['checked'] ??= now;
          if (seen.at['checked'] === undefined) requestAnimationFrame(look);
        };
        look();
      },
      { capture: true, once: true },
    );
  }, SKILLS.toLocaleString('en-US'));
  await page.goto(`${address}#view=skills`);
  await page.getByRole('region', { name: 'Library', exact: true }).getByRole('treegrid').waitFor();
  // The demo has been drawn and judged: what it leaves to do is not the folder's.
  await page.waitForLoadState('networkidle');
  const session = await context.newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  await page.waitForFunction(
    () => (window as unknown as { readonly seen: Seen }).seen.at.checked !== undefined,
    undefined,
    { timeout: 200_000 },
  );
  const { at, tasks } = await page.evaluate(() => {
    const { at: times, tasks: durations } = (window as unknown as { readonly seen: Seen }).seen;
    return { at: times, tasks: [...durations] };
  });
  const bare = await page.evaluate(async (atOnce) => {
    const start = performance.now();
    const open = [await (window as unknown as { readonly seen: Seen }).seen.handle];
    const files: FileSystemFileHandle[] = [];
    let [listed, read] = [0, 0];
    const list = async (): Promise<void> => {
      for (let next = open[listed++]; next; next = open[listed++]) {
        for await (const [name, handle] of next.entries()) {
          if (handle.kind === 'directory') open.push(handle);
          else if (name === 'SKILL.md') files.push(handle);
        }
      }
      listed--;
    };
    while (listed < open.length) await Promise.all(Array.from({ length: atOnce }, list));
    const readSome = async (): Promise<void> => {
      for (let next = files[read++]; next; next = files[read++]) await (await next.getFile()).arrayBuffer();
    };
    await Promise.all(Array.from({ length: atOnce }, readSome));
    if (files.length === 0) throw new Error('nothing was read');
    return performance.now() - start;
  }, 32);
  // The next opening may show what this one read.
  const isKept = async (): Promise<boolean> => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('lathe');
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    const count = await new Promise<number>((resolve, reject) => {
      const request = database.transaction('kept').objectStore('kept').count();
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    database.close();
    return count > 0;
  };
  // `waitForFunction` accepts a promise as an answer.
  while (!(await page.evaluate(isKept))) await page.waitForTimeout(250);
  await page.close();
  const { first = Infinity, all = Infinity, checked = Infinity } = at;
  return { first, all, checked, bare, longest: Math.max(0, ...tasks) };
};

const openTwice = async (browser: Browser, address: string, folder: string): Promise<readonly [Measured, Measured]> => {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });
  const measured = [await openIn(context, address, folder), await openIn(context, address, folder)] as const;
  await context.close();
  return measured;
};

const top = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
const served = await serveBelow('dist', '/');
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const folder = join(top, 'large');
  fill(folder);
  const rounds: (readonly [Measured, Measured])[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await openTwice(browser, served.address, folder));
  const best = (of: keyof Measured, at: 0 | 1 = 0): number => Math.min(...rounds.map((round) => round[at][of]));
  for (const [index, { first, all, checked, longest, bare }] of rounds.flat().entries()) {
    const figures = [first, all, checked, bare].map((ms) => (ms / 1000).toFixed(2));
    const name = index % 2 === 0 ? 'first opening: ' : 'second opening:';
    say(
      `${name} first skills ${figures[0]} s, all ${figures[1]} s, checked ${figures[2]} s; bare walk ${figures[3]} s`,
    );
    say(`                longest task ${longest.toFixed(0)} ms`);
  }
  report('2,000 skills in view, against a bare walk', best('all') / best('bare'), { atMost: 1.5 });
  report('the first of them, against one second', best('first') / 1000, { atMost: 1 });
  report('all of them again at a second opening, against one second', best('all', 1) / 1000, { atMost: 1 });
  report('a second opening checked, against the first', best('checked', 1) / best('checked'), { atMost: 0.7 });
  report('the longest task, against 100 ms', best('longest') / 100, { atMost: 1 });
} finally {
  await browser.close();
  await served.close();
  rmSync(top, { recursive: true, force: true });
}
