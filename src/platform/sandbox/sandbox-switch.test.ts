import { describe, expect, it } from 'vitest';
import { createEmitter } from '../../base/emitter.ts';
import { createPendingTree, type PendingTree } from '../../model/tool/pending-tree.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { createSandboxSwitch } from './sandbox-switch.ts';
import type { RunRequest, Sandbox, SandboxState } from './sandbox.ts';

const folder = (name: string): PendingTree => createPendingTree(createMemoryTree({}, name));
const request = (word: string): RunRequest & { readonly setWaiting: () => void } => ({
  argv: [word],
  timeoutSeconds: 1,
  signal: new AbortController().signal,
  setWaiting: () => {},
});

/** Says in which folder it runs, and what was closed. */
const bench = () => {
  let open: PendingTree | undefined;
  let fault: string | undefined;
  const closed: string[] = [];
  const made: string[] = [];
  const news = createEmitter<undefined>();
  let state: SandboxState = { running: 0, progress: undefined };
  const sandbox = createSandboxSwitch({
    files: () => open,
    make: async ({ name }): Promise<Sandbox> => {
      if (fault !== undefined) throw new Error(fault);
      made.push(name);
      const execute: Sandbox['execute'] = async ({ argv }) => ({
        kind: 'exited',
        exitCode: 0,
        output: `${argv[0]} in ${name}`,
      });
      return {
        execute,
        run: execute,
        state: () => state,
        subscribe: news.subscribe,
        [Symbol.dispose]: () => void closed.push(name),
      };
    },
  });
  return {
    sandbox,
    made,
    closed,
    open: (files: PendingTree | undefined) => {
      open = files;
    },
    break: (why: string | undefined) => {
      fault = why;
    },
    say: (progress: string | undefined) => {
      state = { running: 1, progress };
      news.emit(undefined);
    },
  };
};

describe('the sandbox of whatever folder is open', () => {
  it('SW1: is made at the first program, once, and thrown away with the folder', async () => {
    const { sandbox, open, made, closed } = bench();
    expect(await sandbox.execute(request('ls'))).toEqual({ kind: 'failed', message: 'no folder is open' });
    open(folder('one'));
    expect(made).toEqual([]);
    await Promise.all([sandbox.execute(request('ls')), sandbox.execute(request('cat'))]);
    expect(made).toEqual(['one']);
    open(folder('two'));
    expect(await sandbox.execute(request('ls'))).toMatchObject({ output: 'ls in two' });
    expect(closed).toEqual(['one']);
  });

  it('SW2: a session runs nothing in a folder that is not its own', async () => {
    const { sandbox, open, made } = bench();
    const one = folder('one');
    open(one);
    const run = sandbox.runOver(one);
    expect(await run(request('ls'))).toMatchObject({ output: 'ls in one' });
    open(folder('two'));
    expect(await run(request('rm'))).toEqual({
      kind: 'failed',
      message: 'this session’s folder is no longer open; open it again',
    });
    expect(made).toEqual(['one']);
    open(one);
    expect(await run(request('ls'))).toMatchObject({ output: 'ls in one' });
  });

  it('SW3: what cannot be loaded is reported, and tried again', async () => {
    const { sandbox, open, break: fail } = bench();
    open(folder('one'));
    fail('offline');
    expect(await sandbox.execute(request('ls'))).toEqual({
      kind: 'failed',
      message: 'the sandbox could not be loaded: offline',
    });
    fail(undefined);
    expect(await sandbox.execute(request('ls'))).toMatchObject({ output: 'ls in one' });
  });

  it('SW4: what takes long is reported on, until the folder goes', async () => {
    const { sandbox, open, say } = bench();
    open(folder('one'));
    await sandbox.execute(request('ls'));
    const seen: (string | undefined)[] = [];
    sandbox.subscribe(() => seen.push(sandbox.state().progress));
    say('Loading Python');
    sandbox[Symbol.dispose]();
    say('Still loading');
    expect(seen).toEqual(['Loading Python', undefined]);
  });
});
