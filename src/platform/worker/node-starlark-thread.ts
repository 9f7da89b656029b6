/** The file of the thread. A build for Node makes an entry of it, called `starlark-thread.js`. */
import { parentPort } from 'node:worker_threads';
import { serveStarlark } from './starlark-thread.ts';

if (parentPort) {
  const parent = parentPort;
  serveStarlark({
    port: {
      post: (message) => parent.postMessage(message),
      onMessage: (handler) => void parent.on('message', handler),
    },
    later: (callback) => void setImmediate(callback),
  });
}
