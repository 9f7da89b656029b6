/** Keeps the memory of a started Python, and one started worker ahead of the next program. */
import type { After } from '../../../model/tool/call-clock.ts';
import type { Port } from '../../worker/port.ts';
import { RpcClient } from '../../worker/rpc-client.ts';
import type { ProgressEvent } from '../protocol.ts';
import type { PythonInit } from './python-thread.ts';

export interface PythonStarts extends Disposable {
  /** A worker that is ready to run one program. Anyone who takes it closes it. */
  readonly take: () => Promise<RpcClient>;
  /** Starts one ahead, if there was one before. */
  readonly prepare: () => void;
  readonly isReady: () => boolean;
}

export interface StartsDeps {
  readonly open: () => Port;
  readonly indexUrl: string;
  readonly onProgress: (text: string | undefined) => void;
  readonly after: After;
}

/** A start that says nothing any more is given up: what it waits for may never come. */
const LOAD_MS = 240_000;

export const createPythonStarts = ({ open, indexUrl, onProgress, after }: StartsDeps): PythonStarts => {
  let memory: Promise<Uint8Array> | undefined;
  let ahead: Promise<RpcClient> | undefined;
  let isReady = false;
  const all = new Set<RpcClient>();
  let isClosed = false;

  const openThread = (): RpcClient => {
    if (isClosed) throw new Error('the sandbox was closed');
    const thread = new RpcClient(open(), () => all.delete(thread));
    all.add(thread);
    return thread;
  };

  const start = async (thread: RpcClient, init: PythonInit, isShown: boolean): Promise<unknown> => {
    const { reply } = thread.call('start', init, (data) => {
      const { progress } = data as Partial<ProgressEvent>;
      if (isShown && progress !== undefined) onProgress(progress);
    });
    const giveUpNoMore = after(LOAD_MS, () =>
      thread.close({ kind: 'lost', message: 'Python didn’t load in time; try again' }),
    );
    try {
      return await reply;
    } catch (thrown) {
      thread.close();
      throw thrown;
    } finally {
      giveUpNoMore();
      if (isShown) onProgress(undefined);
    }
  };

  const makeMemory = async (): Promise<Uint8Array> => {
    const thread = openThread();
    try {
      return (await start(thread, { indexUrl, memory: undefined }, true)) as Uint8Array;
    } finally {
      thread.close();
      all.delete(thread);
    }
  };

  const begin = async (isShown: boolean): Promise<RpcClient> => {
    memory ??= makeMemory();
    let kept: Uint8Array;
    try {
      kept = await memory;
    } catch (thrown) {
      // The next program tries again: a file may have been out of reach.
      memory = undefined;
      throw thrown;
    }
    const thread = openThread();
    await start(thread, { indexUrl, memory: kept }, isShown);
    isReady = true;
    return thread;
  };

  return {
    take: async () => {
      const started = ahead;
      ahead = undefined;
      isReady = false;
      if (started) {
        const thread = await started.catch(() => undefined);
        if (thread && !thread.crashed) return thread;
      }
      return begin(true);
    },
    prepare: () => {
      if (isClosed || ahead || !memory) return;
      ahead = begin(false);
      // Anyone who takes it hears of the failure.
      ahead.catch(() => {});
    },
    isReady: () => isReady,
    [Symbol.dispose]: () => {
      isClosed = true;
      for (const thread of all) thread.close();
      all.clear();
    },
  };
};
