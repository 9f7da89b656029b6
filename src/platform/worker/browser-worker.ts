import type { Port } from './port.ts';

/**
 * A worker from a blob that imports its file. One that is loaded from a URL would take its security policy from that
 * response; this one inherits the page's.
 */
export const openBrowserWorker = (url: string, name: string): Port => {
  const absolute = new URL(url, document.baseURI).href;
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(absolute)};`], { type: 'text/javascript' }));
  const worker = new Worker(blob, { type: 'module', name });
  URL.revokeObjectURL(blob);
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (handler) => worker.addEventListener('message', (event) => handler(event.data)),
    onCrash: (handler) =>
      worker.addEventListener(
        'error',
        (event) => {
          handler({ kind: 'lost', message: event.message || 'the worker could not be started' });
        },
        { once: true },
      ),
    close: () => worker.terminate(),
  };
};
