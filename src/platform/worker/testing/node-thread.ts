/** One thread for thousands of programs, one after the other; a new one when it has crashed. */
import { readFile } from 'node:fs/promises';
import { DEFAULT_LIMITS, type RunLimits } from '../../../model/starlark/engine.ts';
import {
  analysis,
  type Analysis,
  type FormatResult,
  formatResult,
  type RunResult,
  runResult,
} from '../../../model/starlark/messages.ts';
import { openNodeWorker } from '../node-worker.ts';
import { RpcClient } from '../rpc-client.ts';
import { ASK_RESULT, starlarkThread, COMMAND_RESULT, WASM } from './node-engine.ts';

export interface ThreadEngine extends Disposable {
  readonly analyse: (text: string) => Promise<Analysis>;
  readonly format: (text: string) => Promise<FormatResult>;
  readonly run: (text: string, limits?: Partial<RunLimits>) => Promise<RunResult>;
  readonly crashes: () => number;
}

export const startThreadEngine = async (): Promise<ThreadEngine> => {
  const thread = starlarkThread();
  const module = await WebAssembly.compile(await readFile(WASM));
  let client: RpcClient | undefined;
  let crashes = 0;
  const open = async (): Promise<RpcClient> => {
    if (client && !client.crashed) return client;
    if (client) crashes++;
    client = new RpcClient(openNodeWorker(thread, 'test'));
    await client.call('init', { module }).reply;
    return client;
  };
  const ask = async (method: string, text: string): Promise<unknown> =>
    JSON.parse(String(await (await open()).call(method, { file: 'SKILL.star', text }).reply));
  return {
    analyse: async (text) => analysis.parse(await ask('analyse', text)),
    format: async (text) => formatResult.parse(await ask('format', text)),
    run: async (text, limits) => {
      const worker = await open();
      const params = {
        file: 'SKILL.star',
        text,
        inputJson: '{"k":1}',
        limits: { ...DEFAULT_LIMITS, timeoutMs: 20_000, ...limits },
        debug: null,
      };
      const call = worker.call('run', params, (data) => {
        const event = data as { t: string; callId: number; fn: string };
        const valueJson = event.fn === 'ask' ? ASK_RESULT : COMMAND_RESULT;
        if (event.t === 'call') call.push('reply', { callId: event.callId, ok: true, valueJson });
      });
      return runResult.parse(JSON.parse(String(await call.reply)));
    },
    crashes: () => crashes,
    [Symbol.dispose]: () => client?.close(),
  };
};
