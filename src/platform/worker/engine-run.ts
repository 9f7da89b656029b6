/** One run in a worker of its own, with a watchdog: some operations of Starlark cannot be interrupted from inside. */
import { errorMessage } from '../../base/errors.ts';
import {
  type Breakpoint,
  DEFAULT_LIMITS,
  type EvaluateResult,
  type HostAnswer,
  type HostCall,
  type ResumeCommand,
  type RunHandle,
  type RunHost,
  type RunLimits,
  type RunRequest,
} from '../../model/starlark/engine.ts';
import {
  pause,
  runEvent,
  type RunError,
  type RunResult,
  runResult,
  type Variable,
  variable,
} from '../../model/starlark/messages.ts';
import { type Call, type RpcClient, WorkerCrash } from './rpc-client.ts';
import type { RunParams } from './starlark-thread.ts';

export interface EngineRunDeps {
  readonly request: RunRequest;
  readonly host: RunHost;
  readonly now: () => number;
  readonly graceMs: number;
  readonly worker: () => Promise<RpcClient>;
}

type Ending = Pick<RunError, 'kind' | 'message'>;

export class EngineRun implements RunHandle {
  readonly result: Promise<RunResult>;
  readonly #deps: EngineRunDeps;
  readonly #limits: RunLimits;
  readonly #abort = new AbortController();
  #client: RpcClient | undefined;
  #call: Call | undefined;
  #started = 0;
  /** Who holds the clock: the debugger, and each `setWaiting`. */
  #holders = 0;
  #heldSince = 0;
  #heldMs = 0;
  #paused = false;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  /** Decided here before the worker could answer. */
  #ending: Ending | undefined;
  #endNow: ((result: RunResult) => void) | undefined;
  #done = false;

  constructor(deps: EngineRunDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULT_LIMITS, ...deps.request.limits };
    const ended = new Promise<RunResult>((resolve) => {
      this.#endNow = resolve;
    });
    this.result = Promise.race([this.#execute(), ended]).finally(() => this.#finish());
  }

  cancel(reason: string): void {
    if (this.#done || this.#ending) return;
    this.#ending = { kind: 'cancelled', message: reason };
    this.#call?.cancel(reason);
    this.#watch(this.#deps.graceMs);
  }

  /** Ends the run immediately, without asking the worker. */
  kill(reason: string): void {
    this.#terminate({ kind: 'cancelled', message: reason });
  }

  setWaiting(waiting: boolean): void {
    this.#hold(waiting ? 1 : -1);
    this.#call?.push('waiting', waiting);
  }

  pause(): void {
    this.#call?.push('pause', null);
  }

  resume(how: ResumeCommand): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#hold(-1);
    this.#call?.push('resume', how);
  }

  setBreakpoints(breakpoints: readonly Breakpoint[]): void {
    this.#call?.push('breakpoints', breakpoints);
  }

  evaluate(frame: number, expression: string): Promise<EvaluateResult<Variable>> {
    return this.#inspect('evaluate', { frame, expression }, (value) => variable.parse(value));
  }

  expand(ref: number): Promise<EvaluateResult<readonly Variable[]>> {
    return this.#inspect('expand', { ref }, (value) => variable.array().parse(value));
  }

  async #inspect<T>(method: string, params: unknown, read: (value: unknown) => T): Promise<EvaluateResult<T>> {
    try {
      if (!this.#client || this.#done) return { ok: false, message: 'the program is not paused' };
      const [text, message] = (await this.#client.call(method, params).reply) as [string | null, string | null];
      return text === null ? { ok: false, message: message ?? '' } : { ok: true, value: read(JSON.parse(text)) };
    } catch (error) {
      return { ok: false, message: errorMessage(error) };
    }
  }

  async #execute(): Promise<RunResult> {
    const { request, worker } = this.#deps;
    try {
      const client = await worker();
      if (this.#done) {
        client.close();
        return this.#failed({ kind: 'cancelled', message: 'the run was ended' });
      }
      this.#client = client;
      if (this.#ending) return this.#failed(this.#ending);
      const params: RunParams = {
        file: request.program.file,
        text: request.program.text,
        inputJson: request.inputJson,
        limits: this.#limits,
        debug: request.debug ?? null,
      };
      this.#started = this.#deps.now();
      this.#heldSince = this.#started;
      this.#call = client.call('run', params, (data) => this.#receive(data));
      if (this.#holders > 0) for (let n = 0; n < this.#holders; n++) this.#call.push('waiting', true);
      this.#watch();
      const result = runResult.parse(JSON.parse(String(await this.#call.reply)));
      // Cancelled in its last moment is cancelled.
      if (this.#ending && result.ok) return this.#failed(this.#ending);
      return result;
    } catch (error) {
      if (this.#ending) return this.#failed(this.#ending);
      if (error instanceof WorkerCrash) {
        const kind = error.crash.kind === 'memory' ? 'memory' : 'engine';
        return this.#failed({ kind, message: error.crash.message });
      }
      return this.#failed({ kind: 'engine', message: errorMessage(error) });
    }
  }

  #receive(data: unknown): void {
    if (this.#done) return;
    const { host } = this.#deps;
    const event = runEvent.parse(data);
    switch (event.t) {
      case 'call':
        void this.#serve({
          id: event.callId,
          fn: event.fn,
          argsJson: event.argsJson,
          range: event.range,
          steps: event.steps,
          ms: event.ms,
        });
        return;
      case 'trace':
        host.trace?.({ kind: event.kind, dataJson: event.dataJson, range: event.range });
        return;
      case 'print':
        host.print?.({ text: event.text, truncated: event.truncated, range: event.range });
        return;
      case 'progress':
        host.progress?.({ steps: event.steps, ms: event.ms, memoryBytes: event.memoryBytes, range: event.range });
        return;
      case 'paused':
        if (!this.#paused) {
          this.#paused = true;
          this.#hold(1);
        }
        host.paused?.(pause.parse(JSON.parse(event.text)));
    }
  }

  async #serve(call: HostCall): Promise<void> {
    let answer: HostAnswer;
    try {
      answer = await this.#deps.host.call(call, this.#abort.signal);
    } catch (error) {
      answer = { ok: false, code: 'failed', message: errorMessage(error) };
    }
    this.#call?.push('reply', { callId: call.id, ...answer });
  }

  #hold(change: 1 | -1): void {
    const before = this.#holders;
    this.#holders = Math.max(0, this.#holders + change);
    if (before === 0 && this.#holders === 1) this.#heldSince = this.#deps.now();
    if (before === 1 && this.#holders === 0) this.#heldMs += this.#deps.now() - this.#heldSince;
    if (!this.#ending) this.#watch();
  }

  /** Ends the worker when it has overrun its time, or after `ms` if given. */
  #watch(ms?: number): void {
    clearTimeout(this.#watchdog);
    if (this.#done || (ms === undefined && (this.#limits.timeoutMs <= 0 || this.#holders > 0 || !this.#call))) return;
    const left = ms ?? this.#limits.timeoutMs + this.#deps.graceMs - (this.#deps.now() - this.#started - this.#heldMs);
    const seconds = this.#limits.timeoutMs / 1000;
    this.#watchdog = setTimeout(
      () => this.#terminate(this.#ending ?? { kind: 'timeout', message: `the time limit of ${seconds} s is over` }),
      Math.max(0, left),
    );
  }

  #terminate(ending: Ending): void {
    if (this.#done) return;
    this.#ending ??= ending;
    this.#client?.close();
    this.#endNow?.(this.#failed(this.#ending));
  }

  #failed(ending: Ending): RunResult {
    const held = this.#heldMs + (this.#holders > 0 ? this.#deps.now() - this.#heldSince : 0);
    const ms = this.#started === 0 ? 0 : Math.max(0, this.#deps.now() - this.#started - held);
    return { ok: false, error: { ...ending, stack: [] }, stats: { steps: 0, ms, hostMs: 0, heldMs: held } };
  }

  #finish(): void {
    this.#done = true;
    clearTimeout(this.#watchdog);
    this.#abort.abort();
    this.#client?.close();
  }
}
