/** The page's workers for skills of strangers, made when the first one is needed. */
import { createApart, type Apart } from './apart.ts';
import apartWorker from './apart.worker.ts?worker&url';
import { openBrowserWorker } from './browser-worker.ts';

export const browserApart = (): Apart =>
  createApart({
    open: () => openBrowserWorker(apartWorker, 'apart'),
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
