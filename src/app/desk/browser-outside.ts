import { createHttpTree } from '../../platform/fs/http-tree.ts';
import { pickFolder } from '../../platform/fs/pick-folder.ts';
import { createTabGuard } from '../../platform/fs/tab-guard.ts';
import { watchTree } from '../../platform/fs/watch-tree.ts';
import { watchForFreezes } from '../../platform/store/freeze-watch-browser.ts';
import { createNextFrame } from '../../platform/runtime/next-frame.ts';
import { openPageServices } from '../../platform/runtime/page-services.ts';
import { createBrowserTokenizer } from '../../platform/tokenizer/browser-tokenizer.ts';
import { browserApart } from '../../platform/worker/apart-browser.ts';
import { createBrowserEngine } from '../../platform/worker/starlark-browser.ts';
import { openPrivates, openStorage } from './desk-storage.ts';
import type { Outside } from './outside.ts';
import { makePageSandbox } from './page-sandbox.ts';

/** The outside of a page in a browser. */
export const browserOutside = (): Outside => {
  const base = new URL('.', document.baseURI);
  const demo: Outside['demo'] = () =>
    createHttpTree(new URL('demo/', base), 'demo', (input, init) => fetch(input, init));
  return {
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    timers: {
      setTimer: (work, ms) => setTimeout(work, ms),
      clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    },
    nextFrame: createNextFrame(),
    whenIdle: () =>
      new Promise((resolve) => {
        if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 10_000 });
        else setTimeout(resolve, 2000);
      }),
    whileInView: (work, ms) =>
      void setInterval(() => {
        if (document.visibilityState === 'visible') work();
      }, ms),
    base,
    database: openStorage,
    privates: openPrivates,
    leaving: { window, document },
    guard: createTabGuard(navigator.locks),
    watch: (tree, onChange) => watchTree(tree, { window, document, onChange }),
    demo,
    pick: (id) => pickFolder(window, { id }),
    engine: () => createBrowserEngine(new URL('starlark.wasm', base).href),
    // The ranks are loaded by its worker when something is first counted.
    tokenizer: createBrowserTokenizer(),
    apart: browserApart(),
    services: openPageServices,
    watchForFreezes,
    sandbox: (files, { isDemo }) => makePageSandbox(files, { isDemo, demo }),
  };
};
