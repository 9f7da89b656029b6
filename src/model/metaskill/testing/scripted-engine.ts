/** An engine whose programs are JavaScript: what the host does can be tested without Starlark. */
import type { EngineHandlers, EngineReply, EngineResult, StarlarkEngine } from '../engine-port.ts';

export interface ScriptApi {
  readonly input: unknown;
  /** Throws what ends the run when the host refuses. */
  readonly ask: (prompt: string, opts?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly command: (argv: unknown, opts?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly trace: (kind: string, data?: Record<string, unknown>) => void;
  readonly print: (text: string) => void;
}

class Refused extends Error {
  readonly result: EngineResult;
  constructor(reply: EngineReply & { ok: false }) {
    super(reply.message);
    this.result = {
      ok: false,
      error: { kind: reply.code === 'cancelled' ? 'cancelled' : 'host', code: reply.code, message: reply.message },
    };
  }
}

const typeOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'int';
  return typeof value === 'string' ? 'string' : 'dict';
};

export const createScriptedEngine = (
  program: (api: ScriptApi) => unknown,
): StarlarkEngine & { readonly runs: () => number } => {
  let runs = 0;
  const execute = async (inputJson: string, handlers: EngineHandlers): Promise<EngineResult> => {
    const call = async (fn: 'ask' | 'command', args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const reply = await handlers.call({ fn, argsJson: JSON.stringify(args) });
      if (!reply.ok) throw new Refused(reply);
      return JSON.parse(reply.valueJson) as Record<string, unknown>;
    };
    try {
      const value = await program({
        input: JSON.parse(inputJson),
        ask: (prompt, opts = {}) => call('ask', { prompt, opts }),
        command: (argv, opts = {}) => call('command', { argv: argv ?? null, argvType: typeOf(argv), opts }),
        trace: (kind, data = {}) => handlers.trace(kind, JSON.stringify(data), undefined),
        print: (text) => handlers.print(text, undefined),
      });
      return { ok: true, valueJson: JSON.stringify(value ?? null), valueType: typeOf(value) };
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.result;
      return {
        ok: false,
        error: { kind: 'runtime', message: thrown instanceof Error ? thrown.message : String(thrown) },
      };
    }
  };
  return {
    runs: () => runs,
    run: ({ inputJson }, handlers) => {
      runs++;
      let cancel = (): void => {};
      const cancelled = new Promise<EngineResult>((resolve) => {
        cancel = () => resolve({ ok: false, error: { kind: 'cancelled', message: 'cancelled' } });
      });
      return { result: Promise.race([cancelled, execute(inputJson, handlers)]), cancel, hold: () => () => {} };
    },
  };
};
