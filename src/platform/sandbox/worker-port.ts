import type { WorkerPort } from '../worker/port.ts';

/**
 * The end of the channel that a worker behind `sandbox.html` talks through. The frame sends one half of a channel as the
 * first message, so that the worker's messages go to the page and not to the frame.
 */
export const workerPort = (): WorkerPort => {
  const handlers: ((message: unknown) => void)[] = [];
  const waiting: unknown[] = [];
  let port: MessagePort | undefined;
  globalThis.addEventListener('message', (event) => {
    const [given] = event.ports;
    if (port || !given) return;
    port = given;
    given.onmessage = ({ data }) => {
      for (const handler of handlers) handler(data);
    };
    for (const message of waiting.splice(0)) given.postMessage(message);
  });
  return {
    post: (message) => {
      if (port) port.postMessage(message);
      else waiting.push(message);
    },
    onMessage: (handler) => void handlers.push(handler),
  };
};
