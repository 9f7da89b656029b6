/** The watch over this page. */
import { openBrowserWorker } from '../worker/browser-worker.ts';
import { answerFreezeWatch } from '../worker/freeze-watch.ts';
import freezeWorker from './freeze-watch.worker.ts?worker&url';

export const watchForFreezes = (): ((what: unknown) => void) =>
  answerFreezeWatch(openBrowserWorker(freezeWorker, 'freeze watch'));
