import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Crash, Port } from './port.ts';

type HowItEnded = (error: NodeJS.ErrnoException | undefined, message: string) => Crash;

/** A thread of Node as a port. It does not keep the process alive; `crashOf` says what its end means. */
export const openNodePort = (file: URL, options: WorkerOptions, crashOf: HowItEnded): Port => {
  const worker = new Worker(file, { stdout: true, stderr: true, ...options });
  worker.unref();
  let isClosed = false;
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (handler) => {
      worker.on('message', handler);
      // Listening refs the worker again.
      worker.unref();
    },
    onCrash: (handler) => {
      let isTold = false;
      const tell = (error: NodeJS.ErrnoException | undefined, message: string): void => {
        if (isTold || isClosed) return;
        isTold = true;
        handler(crashOf(error, message));
      };
      worker.on('error', (error) => tell(error, error.message));
      worker.on('exit', (code) => tell(undefined, `the worker ended with code ${code}`));
    },
    close: () => {
      isClosed = true;
      void worker.terminate();
    },
  };
};

/** The twin of the browser's worker. Standard error is kept from people: what Go writes there is part of a crash report already. */
export const openNodeWorker = (file: URL, name: string): Port =>
  openNodePort(file, { name }, (error, message) =>
    error instanceof RangeError
      ? { kind: 'stack', message: 'calls or values are nested too deeply' }
      : { kind: 'lost', message },
  );
