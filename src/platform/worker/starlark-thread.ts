/**
 * What runs inside the Starlark worker, in a browser and in Node alike: it starts the Go module and connects its
 * functions to the RPC. The module must have been compiled by the page: that takes longest, and is done once.
 *
 * When Go ends, or an exception passes through it, its state is undefined. The page is notified and discards the worker.
 */
import './go/wasm_exec.js';
import type { DebugOptions, RunLimits } from '../../model/starlark/engine.ts';
import { PROTOCOL } from '../../model/starlark/protocol.ts';
import type { WorkerPort } from './port.ts';
import { reportCrash, type ServedCall, serveRpc } from './rpc-server.ts';

/** The functions of `starlark/main.go`. */
interface GoApi {
  readonly protocol: number;
  readonly go: string;
  readonly analyse: (file: string, text: string) => string | Error;
  readonly format: (file: string, text: string) => string | Error;
  readonly start: (
    file: string,
    text: string,
    inputJson: string,
    limits: RunLimits,
    debug: DebugOptions | null,
  ) => null | Error;
  readonly reply: (callId: number, valueJson: string) => void;
  readonly refuse: (callId: number, code: string, message: string) => void;
  readonly cancel: (reason: string) => void;
  readonly waiting: (waiting: boolean) => void;
  readonly pause: () => void;
  readonly resume: (how: string) => void;
  readonly breakpoints: (list: DebugOptions['breakpoints']) => void;
  readonly evaluate: (frame: number, expression: string) => readonly [string | null, string | null];
  readonly expand: (ref: number) => readonly [string | null, string | null];
}

export interface RunParams {
  readonly file: string;
  readonly text: string;
  readonly inputJson: string;
  readonly limits: RunLimits;
  readonly debug: DebugOptions | null;
}

type Packed = readonly [number, number, number, number];

export interface ThreadDeps {
  readonly port: WorkerPort;
  /** Calls back in a later turn of the event loop, soon. A timer would wait 4 ms in a browser. */
  readonly later: (callback: () => void) => void;
}

/** The beginning of what Go writes to stderr says why it dies; the stacks of all its threads follow. */
const STDERR_KEPT = 2000;

export const serveStarlark = ({ port, later }: ThreadDeps): void => {
  const scope = globalThis as unknown as {
    latheHost?: unknown;
    fs: { writeSync: (fd: number, data: Uint8Array) => number };
  };
  let api: GoApi | undefined;
  let running: { readonly call: ServedCall; readonly finish: (text: string) => void } | undefined;
  let stderr = '';

  const decoder = new TextDecoder();
  scope.fs.writeSync = (_fd, data) => {
    if (stderr.length < STDERR_KEPT) stderr += decoder.decode(data);
    return data.length;
  };

  /** An exception that passed through Go: too many nested calls, for which only the browser has a limit. */
  const crash = (error: unknown): void => {
    const isStack = error instanceof RangeError || (error as { name?: unknown }).name === 'InternalError';
    reportCrash(port, {
      kind: isStack ? 'stack' : 'exit',
      message: isStack ? 'calls or values are nested too deeply' : `the engine failed: ${String(error)}`,
    });
  };

  const emit = (data: object): void => running?.call.emit(data);
  const hostFunctions = (ready: (api: GoApi) => void) => ({
    ready,
    call: (callId: number, fn: string, argsJson: string, range: Packed, steps: number, ms: number) =>
      emit({ t: 'call', callId, fn, argsJson, range, steps, ms }),
    trace: (kind: string, dataJson: string, range: Packed) => emit({ t: 'trace', kind, dataJson, range }),
    print: (text: string, truncated: boolean, range: Packed) => emit({ t: 'print', text, truncated, range }),
    progress: (steps: number, ms: number, memoryBytes: number, range: Packed | null) =>
      emit({ t: 'progress', steps, ms, memoryBytes, range }),
    paused: (text: string) => emit({ t: 'paused', text }),
    yield: later,
    done: (text: string) => {
      const { finish } = running ?? {};
      running = undefined;
      finish?.(text);
    },
  });

  const start = async (module: WebAssembly.Module): Promise<{ go: string }> => {
    const go = new globalThis.Go();
    // Hermetic: the module gets no environment and no arguments.
    go.env = {};
    go.argv = ['starlark'];
    go.exit = (code) => {
      const memory = stderr.includes('out of memory');
      reportCrash(port, {
        kind: memory ? 'memory' : 'exit',
        message: memory ? 'the program used up all memory' : `the engine ended with code ${code}`,
      });
    };
    const ready = new Promise<GoApi>((resolve) => {
      scope.latheHost = hostFunctions(resolve);
    });
    const instance = await WebAssembly.instantiate(module, go.importObject);
    go.run(instance).catch(crash);
    api = await ready;
    if (api.protocol !== PROTOCOL) throw new Error(`starlark.wasm speaks protocol ${api.protocol}, not ${PROTOCOL}`);
    return { go: api.go };
  };

  const engine = (): GoApi => {
    if (!api) throw new Error('not started');
    return api;
  };

  /** Calls into Go. What it throws has passed through Go; what it returns as an Error was caught there. */
  const guarded = <T>(work: () => T | Error): T => {
    let result: T | Error;
    try {
      result = work();
    } catch (error) {
      crash(error);
      throw error;
    }
    if (result instanceof Error) throw result;
    return result;
  };

  const push = (name: string, data: unknown): void => {
    const go = engine();
    guarded(() => {
      switch (name) {
        case 'reply': {
          const answer = data as { callId: number; ok: boolean; valueJson: string; code: string; message: string };
          if (answer.ok) go.reply(answer.callId, answer.valueJson);
          else go.refuse(answer.callId, answer.code, answer.message);
          return;
        }
        case 'waiting':
          go.waiting(data as boolean);
          return;
        case 'pause':
          go.pause();
          return;
        case 'resume':
          go.resume(data as string);
          return;
        case 'breakpoints':
          go.breakpoints(data as DebugOptions['breakpoints']);
          return;
        default:
          throw new Error(`no message ${name}`);
      }
    });
  };

  const run = (params: unknown, call: ServedCall): Promise<string> => {
    const { file, text, inputJson, limits, debug } = params as RunParams;
    return new Promise((resolve, reject) => {
      if (running) {
        reject(new Error('this worker runs a program already'));
        return;
      }
      running = { call, finish: resolve };
      call.onPush(push);
      call.onCancel((reason) => guarded(() => engine().cancel(reason)));
      guarded(() => engine().start(file, text, inputJson, limits, debug));
    });
  };

  serveRpc(port, {
    init: (params) => start((params as { module: WebAssembly.Module }).module),
    analyse: (params) => {
      const { file, text } = params as RunParams;
      return guarded(() => engine().analyse(file, text));
    },
    format: (params) => {
      const { file, text } = params as RunParams;
      return guarded(() => engine().format(file, text));
    },
    run,
    evaluate: (params) => {
      const { frame, expression } = params as { frame: number; expression: string };
      return guarded(() => engine().evaluate(frame, expression));
    },
    expand: (params) => guarded(() => engine().expand((params as { ref: number }).ref)),
  });
};
