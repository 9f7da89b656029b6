import { reportCrash } from './rpc-server.ts';
import { serveStarlark } from './starlark-thread.ts';
import { scopePort } from './scope-port.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const port = scopePort(scope);

// What is thrown while Go was resumed by a timer or a promise arrives here, and never at the page by itself.
const lost = (message: string): void => {
  const stack = /call stack|recursion/i.test(message);
  reportCrash(port, {
    kind: stack ? 'stack' : 'lost',
    message: stack ? 'calls or values are nested too deeply' : message,
  });
};
scope.addEventListener('error', (event) => lost(event.message));
scope.addEventListener('unhandledrejection', (event) => lost(String(event.reason)));

const turns: (() => void)[] = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => turns.shift()?.();

serveStarlark({
  port,
  later: (callback) => {
    turns.push(callback);
    channel.port2.postMessage(0);
  },
});
