import { describe, expect, it } from 'vitest';
import { createApart } from './apart.ts';
import type { Port } from './port.ts';
import { serveRpc } from './rpc-server.ts';
import { createTimedWorker } from './timed-worker.ts';

const nextTask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Workers that repeat what they are asked, and never answer to `hang`; time passes when the test says so. */
const workers = () => {
  const asked: unknown[] = [];
  let [opened, closed] = [0, 0];
  const timers = new Set<() => void>();
  const answer = (params: unknown): unknown => {
    asked.push(params);
    if (params === 'fail') throw new Error('no');
    return params === 'hang' || (params as { name?: string }).name === 'hang' ? new Promise(() => undefined) : params;
  };
  const open = (): Port => {
    opened++;
    let toPage: (message: unknown) => void = () => undefined;
    let toWorker: (message: unknown) => void = () => undefined;
    serveRpc(
      {
        post: (message) => queueMicrotask(() => toPage(message)),
        onMessage: (handler) => {
          toWorker = handler;
        },
      },
      { start: () => true, say: answer, scan: answer, judge: () => [] },
    );
    return {
      post: (message) => queueMicrotask(() => toWorker(message)),
      onMessage: (handler) => {
        toPage = handler;
      },
      onCrash: () => undefined,
      close: () => void closed++,
    };
  };
  return {
    asked,
    counts: () => [opened, closed],
    timeOut: () => timers.forEach((work) => work()),
    deps: {
      open,
      after: (_ms: number, work: () => void) => {
        timers.add(work);
        return () => timers.delete(work);
      },
    },
  };
};

describe('a worker with a time', () => {
  it('TMW1: does one thing after the other in one worker, made for the first', async () => {
    const { deps, counts, asked } = workers();
    const worker = createTimedWorker(deps);
    expect(counts()).toEqual([0, 0]);
    expect(await Promise.all([worker.ask('say', 'a', 1), worker.ask('say', 'b', 1)])).toEqual(['a', 'b']);
    expect([asked, counts()]).toEqual([
      ['a', 'b'],
      [1, 0],
    ]);
  });

  it('TMW2: what takes too long or fails ends the worker and gives nothing; the next gets another one', async () => {
    const { deps, counts, asked, timeOut } = workers();
    const worker = createTimedWorker(deps);
    const slow = worker.ask('say', 'hang', 1);
    const next = worker.ask('say', 'b', 1);
    while (!asked.includes('hang')) await nextTask();
    timeOut();
    expect([await slow, await next]).toEqual([undefined, 'b']);
    expect(await worker.ask('say', 'fail', 1)).toBeUndefined();
    expect(await worker.ask('say', 'c', 1)).toBe('c');
    expect(counts()).toEqual([3, 2]);
  });

  it('TMW3: a scan that does not end holds up no check', async () => {
    const { deps, asked, timeOut } = workers();
    const apart = createApart(deps);
    const scan = apart.scan({ name: 'hang', files: new Map() });
    while (asked.length === 0) await nextTask();
    expect(await apart.judge({ content: '', fileName: 'SKILL.md' }, 'standard')).toEqual([]);
    timeOut();
    expect(await scan).toBeUndefined();
  });
});
