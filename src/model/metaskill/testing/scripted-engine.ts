/** An engine whose programs are JavaScript: what the host does can be tested without Starlark. */
import { errorMessage } from '../../../base/errors.ts';
import type { HostAnswer, RunHost, RunRequest, StarlarkEngine } from '../../starlark/engine.ts';
import type { RunError, RunResult } from '../../starlark/messages.ts';

export interface ScriptApi {
  readonly input: unknown;
  /** The text that the host gave the engine. */
  readonly source: string;
  /** How long the host lets it run. */
  readonly timeoutMs: number | undefined;
  /** Throws what ends the run when the host refuses. */
  readonly ask: (prompt: string, opts?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly command: (argv: unknown, opts?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly trace: (kind: string, data?: Record<string, unknown>) => void;
  readonly print: (text: string) => void;
}

const STATS = { steps: 0, ms: 0, hostMs: 0, heldMs: 0 };
const RANGE = { line: 1, column: 1, endLine: 1, endColumn: 2 };

const failed = (error: Pick<RunError, 'kind' | 'message'> & { code?: string }): RunResult => ({
  ok: false,
  error: { stack: [], ...error },
  stats: STATS,
});

class Refused extends Error {
  readonly result: RunResult;
  constructor({ code, message }: HostAnswer & { ok: false }) {
    super(message);
    this.result = failed({ kind: 'host', code, message });
  }
}

const typeOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'string' : typeof value === 'object' ? 'dict' : 'int';
};

const toResult = (value: unknown): RunResult => {
  const type = typeOf(value);
  if (type !== 'NoneType' && type !== 'string' && type !== 'dict') {
    return failed({ kind: 'contract', message: `invalid metaskill return value: ${type}` });
  }
  return { ok: true, valueJson: JSON.stringify(value ?? null), valueType: type, stats: STATS };
};

export const createScriptedEngine = (
  program: (api: ScriptApi) => unknown,
  onWaiting: (waiting: boolean) => void = () => {},
): StarlarkEngine & { readonly runs: () => number } => {
  let runs = 0;
  const execute = async (
    { program: { text }, inputJson, limits }: RunRequest,
    host: RunHost,
    signal: AbortSignal,
  ): Promise<RunResult> => {
    let id = 0;
    const call = async (fn: 'ask' | 'command', args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const answer = await host.call(
        { id: ++id, fn, argsJson: JSON.stringify(args), range: RANGE, steps: 0, ms: 0 },
        signal,
      );
      if (!answer.ok) throw new Refused(answer);
      return JSON.parse(answer.valueJson) as Record<string, unknown>;
    };
    try {
      return toResult(
        await program({
          input: JSON.parse(inputJson),
          source: text,
          timeoutMs: limits?.timeoutMs,
          ask: (prompt, opts = {}) => call('ask', { prompt, opts }),
          command: (argv, opts = {}) => call('command', { argv: argv ?? null, argvType: typeOf(argv), opts }),
          trace: (kind, data = {}) => host.trace?.({ kind, dataJson: JSON.stringify(data), range: RANGE }),
          print: (line) => host.print?.({ text: line, truncated: false, range: RANGE }),
        }),
      );
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.result;
      return failed({ kind: 'runtime', message: errorMessage(thrown) });
    }
  };
  const notHere = (): never => {
    throw new Error('a scripted engine has no debugger');
  };
  return {
    runs: () => runs,
    analyse: notHere,
    format: notHere,
    run: (request, host) => {
      runs++;
      const abort = new AbortController();
      const cancelled = new Promise<RunResult>((resolve) => {
        abort.signal.addEventListener('abort', () => resolve(failed({ kind: 'cancelled', message: 'cancelled' })));
      });
      return {
        result: Promise.race([cancelled, execute(request, host, abort.signal)]),
        cancel: () => abort.abort(),
        setWaiting: onWaiting,
        pause: notHere,
        resume: notHere,
        setBreakpoints: notHere,
        evaluate: notHere,
        expand: notHere,
      };
    },
  };
};
