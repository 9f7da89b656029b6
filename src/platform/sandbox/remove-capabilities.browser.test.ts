import { expect, it } from 'vitest';

interface Probe {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly open: readonly string[];
}

it('RC2: in a real worker nothing of it is left', async () => {
  const worker = new Worker(new URL('./testing/probe.worker.ts', import.meta.url), { type: 'module' });
  const { before, after, open } = await new Promise<Probe>((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data as Probe));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
  worker.terminate();
  for (const name of [
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'EventSource',
    'importScripts',
    'Worker',
    'indexedDB',
    'caches',
    'BroadcastChannel',
    'navigator.storage',
  ])
    expect(before).toContain(name);
  expect(after).toEqual([]);
  expect(open).toEqual([]);
});
