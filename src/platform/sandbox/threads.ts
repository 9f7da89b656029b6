/** The workers of one kind. A worker runs one program at a time; one that did not end well is not used again. */
import type { Port } from '../worker/port.ts';
import { RpcClient } from '../worker/rpc-client.ts';

export interface Threads extends Disposable {
  readonly take: () => RpcClient;
  readonly giveBack: (thread: RpcClient) => void;
}

export const createThreads = (open: () => Port, keep: number): Threads => {
  const idle: RpcClient[] = [];
  const all = new Set<RpcClient>();
  let isClosed = false;
  const drop = (thread: RpcClient): void => {
    all.delete(thread);
    thread.close();
  };
  return {
    take: () => {
      if (isClosed) throw new Error('the sandbox was closed');
      for (let thread = idle.pop(); thread; thread = idle.pop()) if (!thread.crashed) return thread;
      const thread = new RpcClient(open());
      all.add(thread);
      return thread;
    },
    giveBack: (thread) => {
      if (isClosed || thread.crashed || idle.length >= keep) drop(thread);
      else idle.push(thread);
    },
    [Symbol.dispose]: () => {
      isClosed = true;
      for (const thread of all) drop(thread);
      idle.length = 0;
    },
  };
};
