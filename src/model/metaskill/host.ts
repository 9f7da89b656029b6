/** Runs a metaskill: checks who may run, serves the program within its budgets, and turns the end into one string. */
import { codePointLength, takeCodePoints } from '../../base/text.ts';
import type { Metaskill } from '../skill/metaskill-package.ts';
import { pythonRepr } from '../skill/python-text.ts';
import type {
  EngineCall,
  EngineFailure,
  EngineReply,
  EngineResult,
  SourceRange,
  StarlarkEngine,
} from './engine-port.ts';
import { normaliseReturn, statusOf, writeEnvelope, type ReturnType } from './envelope.ts';
import { splitObject } from './json-text.ts';
import {
  clamp,
  COMMAND_TIMEOUT_S,
  DEFAULT_COMMAND_TIMEOUT_S,
  DEFAULT_TIMEOUT_S,
  DEFAULT_TURNS,
  TEXT_LIMIT,
  TURNS,
} from './limits.ts';
import { readBudget, readInput, type Budget } from './request.ts';
import { createTraceLog, hostEntry } from './trace-log.ts';

/** A skill as the host knows it. */
export interface HostSkill {
  readonly name: string;
  readonly metaskill: Metaskill | undefined;
  /** What a caller needs to read before it can give the right input. */
  readonly body: string;
  /** Empty if it may run; else the refusal, as the model gets it. */
  readonly refusal: string | undefined;
  /** The program's bytes as text, or why it cannot be read. */
  readonly readProgram: () => Promise<
    { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }
  >;
}

export interface AskRequest {
  readonly prompt: string;
  readonly purpose: string;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
  /** Stops the wall clock while a person decides. */
  readonly hold: () => () => void;
}

export interface AskAnswer {
  readonly answer: string;
  readonly exhausted: boolean;
  readonly turns: number;
}

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly hold: () => () => void;
}

export type CommandAnswer =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: string; readonly truncated?: boolean }
  /** Not allowed, not found, timed out, or failed to start; `message` has no `error:` in front. */
  | { readonly kind: 'failed'; readonly message: string; readonly output?: string };

/** One thing that the program did. Steps survive every failure. */
export interface Step {
  readonly kind: 'ask' | 'command';
  readonly label: string;
  readonly range: SourceRange | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly ok: boolean;
  readonly request: string;
  readonly response: string;
  /** Clamps and cuts, in words. */
  readonly notes: readonly string[];
}

export type MetaskillEvent =
  | {
      readonly type: 'metaskill.started';
      readonly name: string;
      readonly askCalls: number;
      readonly commandCalls: number;
      readonly notes: readonly string[];
    }
  | { readonly type: 'metaskill.step'; readonly name: string; readonly step: Step }
  | {
      readonly type: 'metaskill.trace';
      readonly name: string;
      readonly kind: string;
      readonly dataJson: string;
      readonly range: SourceRange | undefined;
    }
  | {
      readonly type: 'metaskill.finished';
      readonly name: string;
      readonly status: string;
      readonly askCalls: number;
      readonly commandCalls: number;
      readonly durationMs: number;
    };

export interface HostDeps {
  readonly engine: StarlarkEngine | undefined;
  readonly find: (name: string) => HostSkill | undefined;
  readonly ask: (request: AskRequest) => Promise<AskAnswer>;
  readonly command: (request: CommandRequest) => Promise<CommandAnswer>;
  /** Milliseconds, from anywhere. */
  readonly now: () => number;
  readonly createAbort: () => { readonly signal: AbortSignal; readonly abort: () => void };
  readonly onEvent?: (event: MetaskillEvent) => void;
  readonly onPrint?: (text: string, range: SourceRange | undefined) => void;
}

export interface RunOptions {
  /** Above 0 inside another metaskill, where running one is refused. */
  readonly depth?: number;
  readonly timeoutSeconds?: number;
  /** Called with the means to stop the run. */
  readonly onStart?: (cancel: () => void) => void;
}

export interface RunOutcome {
  /** The string at the tool boundary; a failure starts with `error:`. */
  readonly result: string;
  readonly ok: boolean;
  readonly steps: readonly Step[];
  /** The trace as JSON texts, complete also where the result has no room for it or the run failed. */
  readonly trace: readonly string[];
  readonly printed: readonly string[];
}

const refuse = (result: string): RunOutcome => ({ result, ok: false, steps: [], trace: [], printed: [] });

const cutText = (text: string): { text: string; truncated: boolean } =>
  codePointLength(text) > TEXT_LIMIT
    ? { text: takeCodePoints(text, TEXT_LIMIT), truncated: true }
    : { text, truncated: false };

const CUT_NOTE = '\n[truncated at 20000 characters]';

const inputRequired = (skill: HostSkill): string => {
  const { text, truncated } = cutText(skill.body);
  return `error: input is required. The skill's instructions say which keys it expects:\n\n${text}${truncated ? CUT_NOTE : ''}\n\nRetry run_metaskill with the correct input keys.`;
};

const NO_KEYS = /^[ \t>#*_-]*input keys?\b[*_]*\s*:[*_]*\s*none\b/im;

const FAULTS: Readonly<Record<NonNullable<Metaskill['fault']>, string>> = {
  'not-utf8': 'is not UTF-8',
  'own-frontmatter': 'has frontmatter of its own; all metadata belongs to SKILL.md',
  'too-large': 'is larger than 1 MiB',
};

/** Everything that is decided before the program runs, in the order that the cases fix. */
const prepare = async (
  args: unknown,
  deps: HostDeps,
  depth: number,
): Promise<
  | { readonly refusal: string }
  | {
      readonly skill: HostSkill;
      readonly engine: StarlarkEngine;
      readonly program: string;
      readonly source: string;
      readonly inputJson: string;
      readonly budget: Budget;
    }
> => {
  const given = (typeof args === 'object' && args !== null ? args : {}) as Readonly<Record<string, unknown>>;
  if (depth > 0) return { refusal: 'error: run_metaskill is not available inside a metaskill' };
  const { name } = given;
  if (typeof name !== 'string' || name === '') return { refusal: 'error: missing argument: name' };
  const skill = deps.find(name);
  if (!skill) return { refusal: `error: unknown metaskill: ${pythonRepr(name)}` };
  if (!skill.metaskill) return { refusal: `error: skill ${pythonRepr(name)} is not a metaskill` };
  if (skill.refusal !== undefined) return { refusal: skill.refusal };
  if (!deps.engine) return { refusal: 'error: starlark runtime not available' };
  const { program, fault } = skill.metaskill;
  if (fault !== undefined)
    return { refusal: `error: metaskill ${pythonRepr(name)}: the program ${program} ${FAULTS[fault]}` };
  const read = await skill.readProgram();
  if (!read.ok) return { refusal: `error: failed to read metaskill file: ${read.reason}` };
  const input = readInput(given['input'], NO_KEYS.test(skill.body));
  if (!input.ok) return { refusal: input.error.kind === 'empty' ? inputRequired(skill) : input.error.message };
  const budget = readBudget(given);
  if (!budget.ok) return { refusal: budget.error };
  return {
    skill,
    engine: deps.engine,
    program,
    source: read.text.replace(/^\uFEFF/, ''),
    inputJson: input.value,
    budget: budget.value,
  };
};

const place = (failure: EngineFailure): string =>
  failure.range ? `${failure.file ?? 'SKILL.star'}:${failure.range.startLine}:${failure.range.startColumn}: ` : '';

const failureText = (failure: EngineFailure, timeoutSeconds: number): string => {
  switch (failure.kind) {
    case 'cancelled':
      return 'cancelled';
    case 'timeout':
      return `metaskill timeout (${timeoutSeconds}s) exceeded`;
    case 'contract':
    case 'input':
    case 'value':
      return failure.message;
    case 'host':
      return failure.code === 'budget' ? failure.message : `runtime error: ${place(failure)}${failure.message}`;
    case 'syntax':
    case 'resolve':
      return `${failure.kind} error: ${place(failure)}${failure.message}`;
    case 'runtime':
      return `runtime error: ${place(failure)}${failure.message}`;
    case 'steps':
    case 'memory':
    case 'engine':
      return `${failure.kind} limit: ${failure.message}`;
  }
};

const optionNumber = (optsJson: string, key: string): number | undefined => {
  const raw = splitObject(optsJson).find(([name]) => name === key)?.[1];
  return raw === undefined ? undefined : Number(raw);
};

const optionText = (optsJson: string, key: string): string | undefined => {
  const raw = splitObject(optsJson).find(([name]) => name === key)?.[1];
  const value: unknown = raw === undefined ? undefined : JSON.parse(raw);
  return typeof value === 'string' ? value : undefined;
};

const budgetSpent = (what: string, limit: number): EngineReply => ({
  ok: false,
  code: 'budget',
  message: `${what} budget exhausted (${limit} calls)`,
});

const message = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

class RunHost {
  readonly #name: string;
  readonly #deps: HostDeps;
  readonly #budget: Budget;
  readonly #abort: { readonly signal: AbortSignal; readonly abort: () => void };
  readonly steps: Step[] = [];
  readonly trace = createTraceLog();
  readonly printed: string[] = [];
  askCalls = 0;
  commandCalls = 0;
  hold: () => () => void = () => () => {};

  constructor(name: string, budget: Budget, deps: HostDeps) {
    this.#name = name;
    this.#deps = deps;
    this.#budget = budget;
    this.#abort = deps.createAbort();
  }

  cancelPending(): void {
    this.#abort.abort();
  }

  async call(call: EngineCall): Promise<EngineReply> {
    if (this.#abort.signal.aborted) return { ok: false, code: 'cancelled', message: 'cancelled' };
    const args = new Map(splitObject(call.argsJson));
    return call.fn === 'ask' ? this.#ask(args, call) : this.#command(args, call);
  }

  async #ask(args: ReadonlyMap<string, string>, call: EngineCall): Promise<EngineReply> {
    if (this.askCalls >= this.#budget.askCalls) return budgetSpent('ask', this.#budget.askCalls);
    this.askCalls++;
    const opts = args.get('opts') ?? '{}';
    const prompt = JSON.parse(args.get('prompt') ?? '""') as string;
    const purpose = optionText(opts, 'purpose') ?? 'nested';
    const turns = clamp(optionNumber(opts, 'max_turns') ?? DEFAULT_TURNS, TURNS);
    const notes = turns.asked === undefined ? [] : [`max_turns ${turns.asked} became ${turns.value}`];
    const startedAt = this.#deps.now();
    const note = (ok: boolean, response: string): void =>
      this.#record({
        kind: 'ask',
        label: purpose,
        range: call.range,
        startedAt,
        durationMs: this.#deps.now() - startedAt,
        ok,
        request: prompt,
        response,
        notes,
      });
    try {
      const given = await this.#deps.ask({
        prompt,
        purpose,
        maxTurns: turns.value,
        signal: this.#abort.signal,
        hold: this.hold,
      });
      const { text, truncated } = cutText(given.answer);
      if (truncated) notes.push(`the answer was cut at ${TEXT_LIMIT} characters`);
      note(true, text);
      return {
        ok: true,
        valueJson: JSON.stringify({ answer: text, exhausted: given.exhausted, turns: given.turns, truncated }),
      };
    } catch (thrown) {
      note(false, message(thrown));
      return { ok: false, code: 'ask', message: message(thrown) };
    }
  }

  async #command(args: ReadonlyMap<string, string>, call: EngineCall): Promise<EngineReply> {
    if (this.commandCalls >= this.#budget.commandCalls) return budgetSpent('command', this.#budget.commandCalls);
    this.commandCalls++;
    const argv: unknown = JSON.parse(args.get('argv') ?? 'null');
    const isList = args.get('argvType') === undefined || args.get('argvType') === '"list"';
    const seconds = clamp(
      optionNumber(args.get('opts') ?? '{}', 'timeout') ?? DEFAULT_COMMAND_TIMEOUT_S,
      COMMAND_TIMEOUT_S,
    );
    const notes = seconds.asked === undefined ? [] : [`timeout ${seconds.asked} became ${seconds.value}`];
    const startedAt = this.#deps.now();
    const isValid = isList && Array.isArray(argv) && argv.length > 0 && argv.every((item) => typeof item === 'string');
    const words = isValid ? (argv as string[]) : [];
    const given = isValid
      ? await this.#runCommand(words, seconds.value)
      : ({ kind: 'failed', message: 'argv must be a non-empty list of strings' } as const);
    const raw =
      given.kind === 'exited'
        ? given.output
        : `error: ${given.message}${given.output === undefined || given.output === '' ? '' : `\n${given.output}`}`;
    const { text, truncated } = cutText(raw);
    const isOk = given.kind === 'exited' && given.exitCode === 0;
    const isCut = truncated || (given.kind === 'exited' && given.truncated === true);
    if (isCut) notes.push('the output was cut');
    this.#record({
      kind: 'command',
      label: words.join(' '),
      range: call.range,
      startedAt,
      durationMs: this.#deps.now() - startedAt,
      ok: isOk,
      request: JSON.stringify(argv),
      response: text,
      notes,
    });
    return {
      ok: true,
      valueJson: JSON.stringify({
        ok: isOk,
        exit_code: given.kind === 'exited' ? given.exitCode : -1,
        result: text,
        truncated: isCut,
      }),
    };
  }

  /** A sandbox that fails is a command that failed, never the end of the run. */
  async #runCommand(argv: readonly string[], timeoutSeconds: number): Promise<CommandAnswer> {
    try {
      return await this.#deps.command({ argv, timeoutSeconds, signal: this.#abort.signal, hold: this.hold });
    } catch (thrown) {
      return { kind: 'failed', message: message(thrown) };
    }
  }

  #record(step: Step): void {
    this.steps.push(step);
    this.#deps.onEvent?.({ type: 'metaskill.step', name: this.#name, step });
  }
}

const startEntry = (name: string): string => hostEntry('metaskill_start', { name, language: 'starlark' });

/** Runs a metaskill. Every end is a string; a failure starts with `error:` and keeps its steps. */
export const runMetaskill = async (args: unknown, deps: HostDeps, options: RunOptions = {}): Promise<RunOutcome> => {
  const prepared = await prepare(args, deps, options.depth ?? 0);
  if ('refusal' in prepared) return refuse(prepared.refusal);
  const { skill, engine, program, source, inputJson, budget } = prepared;
  const { name } = skill;
  const timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_S;
  const host = new RunHost(name, budget, deps);
  const startedAt = deps.now();
  deps.onEvent?.({
    type: 'metaskill.started',
    name,
    askCalls: budget.askCalls,
    commandCalls: budget.commandCalls,
    notes: budget.clamps,
  });
  const run = engine.run(
    { file: program, source, inputJson, timeoutMs: timeoutSeconds * 1000 },
    {
      call: (call) => host.call(call),
      trace: (kind, dataJson, range) => {
        host.trace.add(kind, dataJson);
        deps.onEvent?.({ type: 'metaskill.trace', name, kind, dataJson, range });
      },
      print: (text, range) => {
        host.printed.push(text);
        deps.onPrint?.(text, range);
      },
    },
  );
  host.hold = run.hold;
  options.onStart?.(() => {
    host.cancelPending();
    run.cancel();
  });
  const result = await run.result;
  // Whatever is still under way has nobody to report to.
  host.cancelPending();
  return finish(name, result, host, deps, startedAt, timeoutSeconds);
};

const finish = (
  name: string,
  result: EngineResult,
  host: RunHost,
  deps: HostDeps,
  startedAt: number,
  timeoutSeconds: number,
): RunOutcome => {
  const durationMs = deps.now() - startedAt;
  const isContract = result.ok && !['NoneType', 'string', 'dict'].includes(result.valueType);
  const entries =
    result.ok && !isContract ? normaliseReturn(result.valueType as ReturnType, result.valueJson) : undefined;
  const status = entries ? statusOf(entries) : 'error';
  const { askCalls, commandCalls } = host;
  const end = hostEntry('metaskill_finish', {
    name,
    status,
    ask_calls: askCalls,
    command_calls: commandCalls,
    duration_s: Math.round(durationMs) / 1000,
  });
  const trace = host.trace.complete(startEntry(name), end);
  deps.onEvent?.({ type: 'metaskill.finished', name, status, askCalls, commandCalls, durationMs });
  const kept = { steps: host.steps, trace, printed: host.printed };
  if (entries) return { result: writeEnvelope(name, entries, trace), ok: true, ...kept };
  const reason = result.ok
    ? `invalid metaskill return value: ${result.valueType}`
    : failureText(result.error, timeoutSeconds);
  return { result: `error: metaskill ${pythonRepr(name)}: ${reason}`, ok: false, ...kept };
};
