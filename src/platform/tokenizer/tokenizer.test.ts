import { describe, expect, it } from 'vitest';
import type { Crash, Port } from '../worker/port.ts';
import { serveRpc } from '../worker/rpc-server.ts';
import { createMemoryTokenizer } from './memory-tokenizer.ts';
import { createNodeTokenizer } from './node-tokenizer.ts';
import { createWorkerTokenizer } from './worker-tokenizer.ts';

describe('the tokenizer of Node', () => {
  it('TK4: counts as o200k', async () => {
    // Counts published with the encoding: https://github.com/openai/openai-cookbook, how to count tokens.
    expect(await createNodeTokenizer().count(['antidisestablishmentarianism', '2 + 2 = 4', ''])).toEqual([6, 7, 0]);
  });

  it('TK5: special tokens in a text are plain text, and lone surrogates do not throw', async () => {
    const [special, lone] = await createNodeTokenizer().count(['a <|endoftext|> b <|im_start|>', 'a \ud800 b']);
    expect(special).toBeGreaterThan(6);
    expect(lone).toBeGreaterThan(0);
  });

  it('TK3: a word of 100,000 letters is counted in one piece', async () => {
    const [count] = await createNodeTokenizer().count(['a'.repeat(100_000)]);
    expect(count).toBe(12_500);
  });
});

it('TK6: the tokenizer of tests counts four code points as one token', async () => {
  expect(await createMemoryTokenizer().count(['', 'a', 'abcd', 'abcde', '😀😀😀😀'])).toEqual([0, 1, 1, 2, 1]);
});

const workers = () => {
  const crashes: ((crash: Crash) => void)[] = [];
  let hang = false;
  const open = (): Port => {
    let toWorker: (message: unknown) => void = () => {};
    let toPage: (message: unknown) => void = () => {};
    serveRpc(
      { post: (message) => queueMicrotask(() => toPage(message)), onMessage: (handler) => (toWorker = handler) },
      { count: (texts) => (hang ? new Promise(() => {}) : (texts as string[]).map((text) => text.length)) },
    );
    return {
      post: (message) => queueMicrotask(() => toWorker(message)),
      onMessage: (handler) => (toPage = handler),
      onCrash: (handler) => void crashes.push(handler),
      close: () => {},
    };
  };
  return { open, crashes, hang: (value: boolean) => (hang = value) };
};

describe('the tokenizer in a worker', () => {
  it('TK7: starts its worker at the first count, and only one', async () => {
    const { open, crashes } = workers();
    const tokenizer = createWorkerTokenizer({ open });
    expect(crashes).toHaveLength(0);
    expect(await tokenizer.count([])).toEqual([]);
    expect(crashes).toHaveLength(0);
    expect(await Promise.all([tokenizer.count(['ab', 'c']), tokenizer.count([''])])).toEqual([[2, 1], [0]]);
    expect(crashes).toHaveLength(1);
  });

  it('TK8: a crash rejects the open counts with its reason, and the next count starts another worker', async () => {
    const { open, crashes, hang } = workers();
    const tokenizer = createWorkerTokenizer({ open });
    hang(true);
    const lost = tokenizer.count(['ab']);
    crashes[0]?.({ kind: 'lost', message: 'the worker could not be started' });
    await expect(lost).rejects.toThrow('the worker could not be started');
    hang(false);
    expect(await tokenizer.count(['ab'])).toEqual([2]);
    expect(crashes).toHaveLength(2);
  });
});
