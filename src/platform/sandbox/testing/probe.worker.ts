/** Says what a worker has before and after. */
import { remainingCapabilities, removeCapabilities } from '../remove-capabilities.ts';

const before = remainingCapabilities();
removeCapabilities();
const tries: Readonly<Record<string, () => unknown>> = {
  eval: () => (Reflect.get(globalThis, 'eval') as (text: string) => unknown)('1'),
  Function: () => (() => {}).constructor('return 1'),
  AsyncFunction: () => (async () => {}).constructor('return 1'),
};
const open: string[] = [];
for (const [name, act] of Object.entries(tries)) {
  try {
    act();
    open.push(name);
  } catch {
    // As it should be.
  }
}
postMessage({ before, after: remainingCapabilities(), open });
