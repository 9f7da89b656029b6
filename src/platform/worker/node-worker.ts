import { Worker } from 'node:worker_threads';
import type { Port } from './port.ts';

/** A thread of Node, the twin of the browser's worker. It does not keep the process alive. */
export const openNodeWorker = (file: URL, name: string): Port => {
  // Standard error is for people: what Go writes there is part of a crash report already.
  const worker = new Worker(file, { name, stdout: true, stderr: true });
  worker.unref();
  let closed = false;
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (handler) => {
      worker.on('message', handler);
      // Listening refs the worker again.
      worker.unref();
    },
    onCrash: (handler) => {
      let told = false;
      const tell = (error: Error | undefined, message: string): void => {
        if (told || closed) return;
        told = true;
        const stack = error instanceof RangeError;
        handler({ kind: stack ? 'stack' : 'lost', message: stack ? 'calls or values are nested too deep' : message });
      };
      worker.on('error', (error) => tell(error, error.message));
      worker.on('exit', (code) => tell(undefined, `the worker ended with code ${code}`));
    },
    close: () => {
      closed = true;
      void worker.terminate();
    },
  };
};
