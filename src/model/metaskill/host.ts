/** Runs a metaskill: checks who may run, serves the program within its budgets, and turns the end into one string. */
import { takeCodePoints } from '../../base/text.ts';
import { pythonRepr } from '../skill/python-text.ts';
import type { DebugOptions } from '../starlark/engine.ts';
import type { Pause, RunError, RunResult } from '../starlark/messages.ts';
import { normaliseReturn, statusOf, writeEnvelope } from './envelope.ts';
import type { HostDeps, RunStart, StartedRun, Step } from './host-types.ts';
import { cutText, DEFAULT_TIMEOUT_S, TEXT_LIMIT } from './limits.ts';
import { prepare } from './prepare.ts';
import { RunHost } from './run-host.ts';
import { hostEntry } from './trace-log.ts';

/** Behind an error that is cut. */
const CUT = ' [truncated]';

export interface RunOptions {
  /** Above 0 inside another metaskill, where running one is refused. */
  readonly depth?: number;
  readonly timeoutSeconds?: number;
  /** Who waits while a person is asked for consent. */
  readonly start?: RunStart;
  /** Called with the means to stop the run. */
  readonly onStart?: (cancel: () => void) => void;
  /** Makes the run one that can be paused; asked with the skill's name and program when it begins. */
  readonly debug?: (name: string, text: string) => DebugOptions | undefined;
  readonly onRun?: (run: StartedRun) => void;
  readonly onPaused?: (pause: Pause) => void;
  /** The line that is being executed: at every host call, and now and then. */
  readonly onLine?: (line: number) => void;
}

export interface RunOutcome {
  /** The string at the tool boundary; a failure starts with `error:`. */
  readonly result: string;
  readonly ok: boolean;
  readonly steps: readonly Step[];
  /** The trace as JSON strings, complete also where the result has no room for it or the run failed. */
  readonly trace: readonly string[];
  readonly printed: readonly string[];
  /** Limits that were asked for and are out of range, in words (D29). */
  readonly notes: readonly string[];
}

const refuse = (result: string): RunOutcome => ({ result, ok: false, steps: [], trace: [], printed: [], notes: [] });

const place = (failure: RunError): string =>
  failure.range ? `${failure.file ?? 'SKILL.star'}:${failure.range.line}:${failure.range.column}: ` : '';

const failureText = (failure: RunError, timeoutSeconds: number): string => {
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
      return `${failure.kind} limit reached: ${failure.message}`;
    case 'engine':
      return `the engine failed: ${failure.message}`;
  }
};

const startEntry = (name: string): string => hostEntry('metaskill_start', { name, language: 'starlark' });

/** Runs a metaskill. Every end is a string; a failure starts with `error:` and keeps its steps. */
export const runMetaskill = async (args: unknown, deps: HostDeps, options: RunOptions = {}): Promise<RunOutcome> => {
  const prepared = await prepare(args, deps, options.depth ?? 0, options.start);
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
  const debug = options.debug?.(name, source);
  const run = engine.run(
    {
      program: { file: program, text: source },
      inputJson,
      limits: { timeoutMs: timeoutSeconds * 1000 },
      ...(debug && { debug }),
    },
    {
      call: (call, signal) => {
        options.onLine?.(call.range.line);
        return host.call(call, signal);
      },
      trace: ({ kind, dataJson, range }) => {
        const entry = host.trace.add(kind, dataJson);
        if (entry) deps.onEvent?.({ type: 'metaskill.trace', name, kind: entry.kind, dataJson: entry.dataJson, range });
      },
      print: ({ text, range }) => {
        host.printed.push(text);
        deps.onPrint?.(text, range);
      },
      ...(options.onPaused && { paused: options.onPaused }),
      progress: ({ range }) => {
        if (range) options.onLine?.(range.line);
      },
    },
  );
  host.setWaiting = (waiting) => run.setWaiting(waiting);
  const cancel = (): void => run.cancel('cancelled');
  options.onStart?.(cancel);
  options.onRun?.({
    name,
    program: { file: program, text: source },
    inputJson,
    askCalls: budget.askCalls,
    commandCalls: budget.commandCalls,
    control: {
      cancel,
      pause: () => run.pause(),
      resume: (how) => run.resume(how),
      setBreakpoints: (breakpoints) => run.setBreakpoints(breakpoints),
      evaluate: (frame, expression) => run.evaluate(frame, expression),
      expand: (ref) => run.expand(ref),
    },
  });
  const result = await run.result;
  return { ...finish(name, result, host, deps, startedAt, timeoutSeconds), notes: budget.clamps };
};

const finish = (
  name: string,
  result: RunResult,
  host: RunHost,
  deps: HostDeps,
  startedAt: number,
  timeoutSeconds: number,
): Omit<RunOutcome, 'notes'> => {
  const reason = result.ok ? '' : failureText(result.error, timeoutSeconds);
  host.close(reason);
  // Waiting for a person and standing in the debugger is not a running time (D30).
  const durationMs = Math.max(0, deps.now() - startedAt - result.stats.heldMs);
  const entries = result.ok ? normaliseReturn(result.valueType, result.valueJson) : undefined;
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
  const { text, truncated } = cutText(`error: metaskill ${pythonRepr(name)}: ${reason}`);
  return { result: truncated ? `${takeCodePoints(text, TEXT_LIMIT - CUT.length)}${CUT}` : text, ok: false, ...kept };
};
