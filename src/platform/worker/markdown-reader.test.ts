import { describe, expect, it } from 'vitest';
import { createMarkdownReader } from './markdown-reader.ts';
import type { Port } from './port.ts';
import { serveRpc } from './rpc-server.ts';

const nextTask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A reader with workers that repeat the text, and never answer to `hang`; time passes when the test says so. */
const setUp = () => {
  const texts: string[] = [];
  let [opened, closed] = [0, 0];
  const timers = new Set<() => void>();
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
      {
        start: () => true,
        read: (text) => {
          texts.push(String(text));
          return text === 'hang' ? new Promise(() => undefined) : [text];
        },
      },
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
  const reader = createMarkdownReader({
    open,
    after: (_ms, work) => {
      timers.add(work);
      return () => timers.delete(work);
    },
  });
  const timeOut = (): void => timers.forEach((work) => work());
  return { reader, texts, timeOut, workers: () => [opened, closed] };
};

describe('reading Markdown in a worker', () => {
  it('MDW1: gives the nodes, and reads each string once', async () => {
    const { reader, texts, workers } = setUp();
    expect(await Promise.all([reader.read('a'), reader.read('b'), reader.read('a')])).toEqual([['a'], ['b'], ['a']]);
    expect([texts, workers()]).toEqual([
      ['a', 'b'],
      [1, 0],
    ]);
    expect(reader.known('a')).toEqual({ nodes: ['a'] });
  });

  it('MDW2: a string that takes too long ends the worker, is left out, and is not tried again', async () => {
    const { reader, texts, timeOut, workers } = setUp();
    await reader.read('a');
    const slow = reader.read('hang');
    const next = reader.read('b');
    while (!texts.includes('hang')) await nextTask();
    timeOut();
    expect(await slow).toBeUndefined();
    expect(await next).toEqual(['b']);
    expect(await reader.read('hang')).toBeUndefined();
    expect([texts, workers()]).toEqual([
      ['a', 'hang', 'b'],
      [2, 1],
    ]);
  });

  it('MDW3: what nobody waits for any more is not begun', async () => {
    const { reader, texts } = setUp();
    const stop = new AbortController();
    const first = reader.read('a');
    const dropped = reader.read('b', stop.signal);
    stop.abort();
    await Promise.all([first, dropped]);
    expect(texts).toEqual(['a']);
    expect(await reader.read('b')).toEqual(['b']);
  });
});
