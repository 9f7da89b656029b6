import type { Tokenizer } from '../../model/provider/types.ts';
import { openBrowserWorker } from '../worker/browser-worker.ts';
import tokenizerWorker from './tokenizer.worker.ts?worker&url';
import { createWorkerTokenizer } from './worker-tokenizer.ts';

/** The tokenizer of the page. The ranks (1 MB) are loaded, in a worker, at the first count. */
export const createBrowserTokenizer = (): Tokenizer & Disposable =>
  createWorkerTokenizer({ open: () => openBrowserWorker(tokenizerWorker, 'tokenizer') });
