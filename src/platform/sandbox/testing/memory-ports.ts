/** Workers that are none: they run in the test's own thread, which is faster and can be debugged. They cannot be ended. */
import type { Port, WorkerPort } from '../../worker/port.ts';

export const openInThread = (serve: (port: WorkerPort) => void): Port => {
  let isClosed = false;
  const toHost: ((message: unknown) => void)[] = [];
  const toWorker: ((message: unknown) => void)[] = [];
  const send = (handlers: readonly ((message: unknown) => void)[], message: unknown): void => {
    const copy = structuredClone(message);
    setImmediate(() => {
      if (!isClosed) for (const handler of handlers) handler(copy);
    });
  };
  serve({ post: (message) => send(toHost, message), onMessage: (handler) => void toWorker.push(handler) });
  return {
    post: (message) => send(toWorker, message),
    onMessage: (handler) => void toHost.push(handler),
    onCrash: () => {},
    close: () => {
      isClosed = true;
    },
  };
};
