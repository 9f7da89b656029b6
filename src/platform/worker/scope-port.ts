import type { WorkerPort } from './port.ts';

/** What is needed of a worker's global scope; only the files of workers have its full type. */
interface Scope {
  readonly postMessage: (message: unknown) => void;
  readonly addEventListener: (type: 'message', handler: (event: { readonly data: unknown }) => void) => void;
}

/** The worker's end of the channel to the page that started it. */
export const scopePort = (scope: Scope): WorkerPort => ({
  post: (message) => scope.postMessage(message),
  onMessage: (handler) => scope.addEventListener('message', (event) => handler(event.data)),
});
