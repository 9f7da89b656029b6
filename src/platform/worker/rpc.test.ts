import { describe, expect, it } from 'vitest';
import type { Crash, Port, WorkerPort } from './port.ts';
import { RpcClient, WorkerCrash } from './rpc-client.ts';
import { reportCrash, serveRpc } from './rpc-server.ts';

/** Two ends of a channel that copies messages as a worker does, and arrives later. */
const memoryChannel = () => {
  let toWorker: ((message: unknown) => void) | undefined;
  let toPage: ((message: unknown) => void) | undefined;
  let onCrash: ((crash: Crash) => void) | undefined;
  let closed = false;
  const later = (handler: () => ((message: unknown) => void) | undefined, message: unknown): void => {
    const copy = structuredClone(message);
    queueMicrotask(() => void (closed || handler()?.(copy)));
  };
  const page: Port = {
    post: (message) => later(() => toWorker, message),
    onMessage: (handler) => (toPage = handler),
    onCrash: (handler) => (onCrash = handler),
    close: () => {
      closed = true;
    },
  };
  const worker: WorkerPort = {
    post: (message) => later(() => toPage, message),
    onMessage: (handler) => (toWorker = handler),
  };
  return { page, worker, crash: (crash: Crash) => onCrash?.(crash), isClosed: () => closed };
};

describe('calls to a worker', () => {
  it('RPC1: are answered by value, in any order', async () => {
    const { page, worker } = memoryChannel();
    const waits: (() => void)[] = [];
    serveRpc(worker, {
      double: (params) => (params as number) * 2,
      wait: () => new Promise((resolve) => waits.push(() => resolve('late'))),
      broken: () => {
        throw new Error('no');
      },
    });
    const client = new RpcClient(page);
    const late = client.call('wait', null);
    expect(await client.call('double', 21).reply).toBe(42);
    await expect(client.call('broken', null).reply).rejects.toThrow('no');
    await expect(client.call('toString', null).reply).rejects.toThrow('no method toString');
    waits[0]?.();
    expect(await late.reply).toBe('late');
  });

  it('RPC2: stream events, take pushes, and can be cancelled', async () => {
    const { page, worker } = memoryChannel();
    serveRpc(worker, {
      echo: (_params, call) =>
        new Promise((resolve) => {
          call.onPush((name, data) => call.emit({ name, data }));
          call.onCancel((reason) => resolve(`cancelled: ${reason}`));
        }),
    });
    const events: unknown[] = [];
    const call = new RpcClient(page).call('echo', null, (data) => events.push(data));
    call.push('a', 1);
    call.push('b', [2]);
    call.cancel('enough');
    expect(await call.reply).toBe('cancelled: enough');
    expect(events).toEqual([
      { name: 'a', data: 1 },
      { name: 'b', data: [2] },
    ]);
    call.push('c', 3);
    call.cancel('late');
  });

  it('RPC3: fail when the worker dies, and afterwards', async () => {
    const { page, worker, crash } = memoryChannel();
    serveRpc(worker, { wait: () => new Promise(() => {}) });
    const seen: Crash[] = [];
    const client = new RpcClient(page, (reason) => seen.push(reason));
    const call = client.call('wait', null);
    crash({ kind: 'lost', message: 'gone' });
    crash({ kind: 'lost', message: 'again' });
    await expect(call.reply).rejects.toThrow(WorkerCrash);
    await expect(client.call('wait', null).reply).rejects.toThrow('gone');
    expect(seen).toEqual([{ kind: 'lost', message: 'gone' }]);
    expect(client.crashed?.message).toBe('gone');
  });

  it('RPC4: a worker can give itself up, and is closed', async () => {
    const { page, worker, isClosed } = memoryChannel();
    serveRpc(worker, { die: () => reportCrash(worker, { kind: 'memory', message: 'full' }) });
    await expect(new RpcClient(page).call('die', null).reply).rejects.toMatchObject({ crash: { kind: 'memory' } });
    expect(isClosed()).toBe(true);
  });

  it('RPC5: nonsense and other versions end the worker, late answers are ignored', async () => {
    const { page, worker, isClosed } = memoryChannel();
    const client = new RpcClient(page);
    const call = client.call('x', null);
    worker.post({ v: 1, k: 'reply', id: 99, value: 'nobody asked' });
    await Promise.resolve();
    expect(client.crashed).toBeUndefined();
    worker.post({ v: 2, k: 'reply', id: 1, value: 'from the future' });
    await expect(call.reply).rejects.toThrow('another version');
    expect(isClosed()).toBe(true);
  });
});
