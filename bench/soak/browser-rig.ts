/** A browser with a profile that outlives it, and the means to kill it or its page without a word. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright';
import { findChromium } from '../../scripts/chromium.mjs';

export type Victim = 'renderer' | 'browser';

export interface RigOptions {
  readonly address: string;
  /** With a screen the window is drawn there, and the browser's own dialogs can be answered. */
  readonly screen?: Readonly<Record<string, string>>;
}

const STEP_LIMIT = 60_000;

const late = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('the kill was not noticed')), STEP_LIMIT).unref();
  });

/** Ends what is still there; a process that is gone already is what was wanted. */
const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It died with another one.
  }
};

export class BrowserRig implements AsyncDisposable {
  readonly #options: RigOptions;
  readonly profile: string;
  #context: BrowserContext | undefined;
  #processes: CDPSession | undefined;
  #page: Page | undefined;

  private constructor(options: RigOptions, profile: string) {
    this.#options = options;
    this.profile = profile;
  }

  static async create(options: RigOptions): Promise<BrowserRig> {
    return new BrowserRig(options, await mkdtemp(join(tmpdir(), 'lathe-soak-')));
  }

  get page(): Page {
    if (!this.#page) throw new Error('The page is not open.');
    return this.#page;
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('The browser does not run.');
    return this.#context;
  }

  async #launch(): Promise<BrowserContext> {
    const executablePath = findChromium();
    const { screen } = this.#options;
    const context = await chromium.launchPersistentContext(this.profile, {
      headless: screen === undefined,
      viewport: screen ? null : { width: 1200, height: 800 },
      colorScheme: 'light',
      serviceWorkers: 'block',
      ...(screen && { env: { ...screen } }),
      // A killed browser would ask whether it should restore its pages.
      args: ['--window-position=0,0', '--window-size=1200,800', '--hide-crash-restore-bubble'],
      ...(executablePath && { executablePath }),
    });
    context.setDefaultTimeout(STEP_LIMIT);
    await context.addInitScript(() => {
      localStorage.setItem('lathe.tour', 'seen');
      localStorage.setItem('lathe.editor-mode', 'edit');
    });
    const browser = context.browser();
    if (!browser) throw new Error('This Playwright gives no browser for a profile.');
    this.#processes = await browser.newBrowserCDPSession();
    return context;
  }

  /** A page of the browser that runs, or of a new one on the same profile. */
  async open(hash: string): Promise<Page> {
    this.#context ??= await this.#launch();
    const old = this.#page;
    this.#page = await this.#context.newPage();
    // Not waited for: a page that crashed may never answer.
    if (old) void old.close().catch(() => undefined);
    await this.#page.goto(`${this.#options.address}${hash}`);
    return this.#page;
  }

  /** Looked up before the moment of the kill: asking takes time. */
  async aim(victim: Victim): Promise<() => Promise<void>> {
    if (!this.#processes) throw new Error('The browser does not run.');
    const { processInfo } = await this.#processes.send('SystemInfo.getProcessInfo');
    // The browser first: it must not get to write what its children left. Of the renderers all: nothing says which has the page.
    const order =
      victim === 'browser'
        ? processInfo.toSorted((a, b) => Number(b.type === 'browser') - Number(a.type === 'browser'))
        : processInfo.filter(({ type }) => type === 'renderer');
    const died = new Promise<void>((resolve) => {
      if (victim === 'browser') this.context.once('close', () => resolve());
      else this.page.once('crash', () => resolve());
    });
    return async () => {
      for (const { id } of order) kill(id);
      // A browser that says nothing of it would keep the rest of the hour waiting.
      await Promise.race([died, late()]);
      if (victim !== 'browser') return;
      this.#context = undefined;
      this.#page = undefined;
      this.#processes = undefined;
    };
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => undefined);
    this.#context = undefined;
    this.#page = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
