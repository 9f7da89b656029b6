import { z } from '../../model/zod.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import type { Port } from '../worker/port.ts';
import { RpcClient } from '../worker/rpc-client.ts';

const counts = z.array(z.number());

export interface WorkerTokenizerDeps {
  readonly open: () => Port;
}

/**
 * A tokenizer behind a worker that is started at the first count. When the worker crashes, the counts that wait for it are
 * rejected with the reason, and the next call starts another.
 */
export const createWorkerTokenizer = ({ open }: WorkerTokenizerDeps): Tokenizer & Disposable => {
  let client: RpcClient | undefined;
  return {
    count: async (texts) => {
      if (texts.length === 0) return [];
      if (client === undefined || client.crashed) client = new RpcClient(open());
      return counts.parse(await client.call('count', texts).reply);
    },
    [Symbol.dispose]: () => {
      client?.close();
      client = undefined;
    },
  };
};
