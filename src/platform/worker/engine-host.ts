/**
 * The page's side of the Starlark engine.
 *
 * It compiles the module once and owns three kinds of worker: one for the language (analyze, format), which lives on; one
 * per run, which ends with it, because memory of WebAssembly never shrinks; and a spare one, started ahead, that becomes
 * the next run's. A worker that crashes or does not stop is ended and replaced; the next call works.
 *
 * It does not own: budgets, the meaning of `ask` and `command`, the result envelope. Those are the metaskill host's.
 */
import { errorMessage } from '../../base/errors.ts';
import {
  type Program,
  type RunHandle,
  type RunHost,
  type RunRequest,
  type StarlarkEngine,
} from '../../model/starlark/engine.ts';
import { analysis, type Analysis, formatResult, type FormatResult } from '../../model/starlark/messages.ts';
import { EngineRun } from './engine-run.ts';
import type { Port } from './port.ts';
import { RpcClient, WorkerCrash } from './rpc-client.ts';

export interface EngineHostDeps {
  readonly compile: () => Promise<WebAssembly.Module>;
  readonly open: (name: string) => Port;
  readonly now: () => number;
  /** How long a worker may overrun a limit or ignore a cancellation before it is ended. */
  readonly graceMs?: number;
  /** How long one analysis may take. */
  readonly languageTimeoutMs?: number;
}

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 };

const failure = (message: string) =>
  ({ kind: 'syntax', code: 'engine', message, original: message, range: START }) as const;

export class EngineHost implements StarlarkEngine {
  readonly #deps: EngineHostDeps;
  readonly #graceMs: number;
  readonly #runs = new Set<EngineRun>();
  #module: Promise<WebAssembly.Module> | undefined;
  #language: Promise<RpcClient> | undefined;
  #spare: Promise<RpcClient> | undefined;
  #workers = 0;
  #disposed = false;

  constructor(deps: EngineHostDeps) {
    this.#deps = deps;
    this.#graceMs = deps.graceMs ?? 500;
  }

  /** Workers that are alive, for tests and for the page's own account. */
  get workers(): number {
    return this.#workers;
  }

  /** Loads the module and starts a worker ahead of the first use. */
  async warm(): Promise<void> {
    this.#spare ??= this.#start('starlark-run');
    await this.#spare;
  }

  async analyse(program: Program): Promise<Analysis> {
    try {
      return analysis.parse(JSON.parse(await this.#ask('analyse', program)));
    } catch (error) {
      const outline = { symbols: [], bindings: [], references: [], stopLines: [] };
      return { diagnostics: [failure(`Can’t read the program: ${errorMessage(error)}.`)], outline, facts: null };
    }
  }

  async format(program: Program): Promise<FormatResult> {
    try {
      return formatResult.parse(JSON.parse(await this.#ask('format', program)));
    } catch (error) {
      return { ok: false, diagnostics: [failure(`Can’t format the program: ${errorMessage(error)}.`)] };
    }
  }

  run(request: RunRequest, host: RunHost): RunHandle {
    const run = new EngineRun({
      request,
      host,
      now: this.#deps.now,
      graceMs: this.#graceMs,
      worker: () => this.#takeSpare(),
    });
    this.#runs.add(run);
    void run.result.then(() => this.#runs.delete(run));
    return run;
  }

  /** Ends all workers. Runs end as cancelled. */
  dispose(): void {
    this.#disposed = true;
    for (const run of this.#runs) run.kill('the engine was closed');
    for (const worker of [this.#language, this.#spare]) {
      void worker?.then(
        (client) => client.close(),
        () => {},
      );
    }
    this.#language = undefined;
    this.#spare = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #compiled(): Promise<WebAssembly.Module> {
    this.#module ??= this.#deps.compile();
    // A failed download is tried again at the next use.
    this.#module.catch(() => {
      this.#module = undefined;
    });
    return this.#module;
  }

  async #start(name: string): Promise<RpcClient> {
    const module = await this.#compiled();
    if (this.#disposed) throw new Error('the engine was closed');
    const port = this.#deps.open(name);
    this.#workers++;
    let alive = true;
    const end = (): void => {
      if (alive) this.#workers--;
      alive = false;
    };
    const client = new RpcClient(
      {
        ...port,
        close: () => {
          end();
          port.close();
        },
      },
      end,
    );
    try {
      await client.call('init', { module }).reply;
    } catch (error) {
      client.close();
      throw error;
    }
    return client;
  }

  async #takeSpare(): Promise<RpcClient> {
    const spare = this.#spare ?? this.#start('starlark-run');
    this.#spare = undefined;
    let client = await spare.catch(() => undefined);
    // The spare may have died while it was idle.
    if (!client || client.crashed) client = await this.#start('starlark-run');
    if (!this.#disposed) {
      this.#spare ??= this.#start('starlark-run');
      this.#spare.catch(() => {
        this.#spare = undefined;
      });
    }
    return client;
  }

  /** A request to the language worker. A program that makes it crash or hang costs that worker, and no other call. */
  async #ask(method: string, program: Program): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      this.#language ??= this.#start('starlark-language');
      const starting = this.#language;
      let client: RpcClient;
      try {
        client = await starting;
      } catch (error) {
        if (this.#language === starting) this.#language = undefined;
        throw error;
      }
      const limit = this.#deps.languageTimeoutMs ?? 10_000;
      const timer = setTimeout(() => client.close({ kind: 'lost', message: 'it takes too long' }), limit);
      try {
        return String(await client.call(method, program).reply);
      } catch (error) {
        if (!(error instanceof WorkerCrash)) throw error;
        if (this.#language === starting) this.#language = undefined;
        // Another program's crash may have taken the worker with it: once more, alone.
        if (attempt > 0) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
