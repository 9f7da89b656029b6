/** A worker that does one thing after the other, each within a time. It can't be interrupted, so it is ended. SPEC.md TMW. */
import type { Port } from './port.ts';
import { RpcClient } from './rpc-client.ts';

export interface TimedWorkerDeps {
  readonly open: () => Port;
  /** Calls back later; calling the answer takes it back. */
  readonly after: (ms: number, work: () => void) => () => void;
}

export interface TimedWorker extends Disposable {
  /** Waits for its turn. Nothing: the time was over, or the worker crashed; what comes next gets a worker of its own. */
  readonly ask: (method: string, params: unknown, mostMs: number) => Promise<unknown>;
}

/** A worker that hasn't started by then never will. */
const START_MS = 20_000;

export const createTimedWorker = ({ open, after }: TimedWorkerDeps): TimedWorker => {
  let client: RpcClient | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = (): void => {
    client?.close();
    client = undefined;
  };
  const within = async (ms: number, reply: Promise<unknown>): Promise<unknown> => {
    const takeBack = after(ms, end);
    try {
      return await reply;
    } catch {
      end();
      return undefined;
    } finally {
      takeBack();
    }
  };
  const askNow = async (method: string, params: unknown, mostMs: number): Promise<unknown> => {
    if (!client) {
      client = new RpcClient(open());
      if ((await within(START_MS, client.call('start', undefined).reply)) === undefined) return undefined;
    }
    return within(mostMs, client.call(method, params).reply);
  };

  return {
    ask: (method, params, mostMs) => {
      const turn = last.then(() => askNow(method, params, mostMs));
      last = turn;
      return turn;
    },
    [Symbol.dispose]: end,
  };
};
