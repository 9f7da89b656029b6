import { describe, expect, it } from 'vitest';
import type { CommandAnswer } from '../../model/metaskill/host-types.ts';
import type { RunRequest } from '../../platform/sandbox/sandbox.ts';
import { createTerminalStore } from './terminal-store.ts';

const fake = (answer: (request: RunRequest) => Promise<CommandAnswer> | CommandAnswer) => {
  const seen: RunRequest[] = [];
  let progress: string | undefined;
  let tell = (): void => {};
  const store = createTerminalStore({
    execute: async (request) => {
      seen.push(request);
      return answer(request);
    },
    state: () => ({ running: 0, progress }),
    subscribe: (listener) => {
      tell = listener;
      return { [Symbol.dispose]: () => {} };
    },
  });
  const say = (text: string | undefined): void => {
    progress = text;
    tell();
  };
  const enter = async (line: string): Promise<void> => {
    store.type(line);
    await store.submit();
  };
  return { store, seen, enter, say };
};

const exited = (output: string, exitCode = 0): CommandAnswer => ({ kind: 'exited', exitCode, output });

describe('the terminal', () => {
  it('TE1: a line is split into words; what cannot be split stays', async () => {
    const { store, seen, enter } = fake(() => exited(''));
    await enter(`  grep -n "a b" 'x $y' c\\ d  `);
    expect(seen.map(({ argv }) => argv)).toEqual([['grep', '-n', 'a b', 'x $y', 'c d']]);
    await enter('echo "open');
    expect(store.getState()).toMatchObject({ input: 'echo "open', fault: 'The quote " is not closed.' });
    await enter('   ');
    expect(seen).toHaveLength(1);
  });

  it('TE2: output, exit code, cuts and failures', async () => {
    const answers: CommandAnswer[] = [
      exited('a\n', 3),
      { ...exited('b'), kind: 'exited', exitCode: 0, output: 'b', truncated: true },
      { kind: 'failed', message: 'timed out after 600 s', output: 'so far' },
    ];
    const { store, enter } = fake(() => answers.shift() ?? exited(''));
    for (const line of ['one', 'two', 'three']) await enter(line);
    expect(store.getState().entries).toMatchObject([
      { line: 'one', output: 'a\n', exitCode: 3, isCut: false },
      { line: 'two', output: 'b', exitCode: 0, isCut: true },
      { line: 'three', output: 'so far', exitCode: undefined, error: 'timed out after 600 s' },
    ]);
  });

  it('TE3: one at a time, with what it writes so far, what takes long, and a way to stop it', async () => {
    const { store, seen, say } = fake(
      ({ signal, onOutput }) =>
        new Promise((resolve) => {
          onOutput?.('half ');
          onOutput?.('way');
          signal.addEventListener('abort', () => resolve({ kind: 'failed', message: 'cancelled' }));
        }),
    );
    store.type('python3 long.py');
    const running = store.submit();
    say('Loading Python');
    expect(store.getState()).toMatchObject({ progress: 'Loading Python', entries: [{ output: 'half way' }] });
    store.type('ls');
    await store.submit();
    expect(seen).toHaveLength(1);
    store.stop();
    await running;
    expect(store.getState()).toMatchObject({
      running: undefined,
      progress: undefined,
      entries: [{ error: 'cancelled' }],
    });
  });

  it('TE4: earlier lines come back, and then what was being typed', async () => {
    const { store, enter } = fake(() => exited(''));
    for (const line of ['one', 'two', 'two']) await enter(line);
    store.type('dra');
    const seen: string[] = [];
    for (const direction of [-1, -1, -1, 1, 1, 1] as const) {
      store.recall(direction);
      seen.push(store.getState().input);
    }
    expect(seen).toEqual(['two', 'one', 'one', 'two', 'dra', 'dra']);
  });

  it('TE5: clear, and no more than so much', async () => {
    const { store, enter } = fake(() => exited('x'.repeat(400_000)));
    for (const line of ['1', '2', '3', '4']) await enter(line);
    expect(store.getState().entries.map(({ line }) => line)).toEqual(['3', '4']);
    await enter('clear');
    expect(store.getState().entries).toEqual([]);
  });

  it('TE6: a command has ten minutes', async () => {
    const { seen, enter } = fake(() => exited(''));
    await enter('ls');
    expect(seen[0]?.timeoutSeconds).toBe(600);
  });
});
