/**
 * The script of `sandbox.html`. The frame has a policy of its own that knows no other host; the workers that it starts from
 * blobs inherit it. It does nothing but start and end them.
 *
 *   page → frame   {open: KIND, id} with one half of a channel, {close: id}
 *   frame → page   {ready: true}, {failed: id, message}
 */
import gitWorker from './git.worker.ts?worker&url';
import pythonWorker from './python.worker.ts?worker&url';
import shellWorker from './shell.worker.ts?worker&url';
import type { ThreadKind } from './protocol.ts';

const FILES: Readonly<Record<ThreadKind, string>> = { shell: shellWorker, git: gitWorker, python: pythonWorker };

interface FrameMessage {
  readonly open?: ThreadKind;
  readonly close?: number;
  readonly id?: number;
}

const workers = new Map<number, Worker>();
const page = globalThis.parent;

const open = (kind: ThreadKind, id: number, port: MessagePort): void => {
  const file = new URL(FILES[kind], document.baseURI).href;
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(file)};`], { type: 'text/javascript' }));
  const worker = new Worker(blob, { type: 'module', name: kind });
  workers.set(id, worker);
  worker.addEventListener('error', (event) => {
    page.postMessage({ failed: id, message: event.message || 'the worker could not be started' }, location.origin);
  });
  // A message that comes before the module has loaded is kept.
  worker.postMessage(null, [port]);
};

addEventListener('message', ({ data, origin, source, ports }) => {
  if (origin !== location.origin || source !== page) return;
  const { open: kind, close, id } = data as FrameMessage;
  const [port] = ports;
  if (kind !== undefined && id !== undefined && port) open(kind, id, port);
  if (close !== undefined) {
    workers.get(close)?.terminate();
    workers.delete(close);
  }
});

if (page !== globalThis.window) page.postMessage({ ready: true }, location.origin);
