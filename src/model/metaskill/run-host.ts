import { errorMessage } from '../../base/errors.ts';
import type { HostAnswer, HostCall } from '../starlark/engine.ts';
import type { CommandAnswer, HostDeps, Step } from './host-types.ts';
import { splitObject } from './json-text.ts';
import {
  clamp,
  COMMAND_TIMEOUT_S,
  cutText,
  DEFAULT_COMMAND_TIMEOUT_S,
  DEFAULT_TURNS,
  TEXT_LIMIT,
  TURNS,
} from './limits.ts';
import type { Budget } from './request.ts';
import { createTraceLog } from './trace-log.ts';

const optionNumber = (optsJson: string, key: string): number | undefined => {
  const raw = splitObject(optsJson).find(([name]) => name === key)?.[1];
  return raw === undefined ? undefined : Number(raw);
};

const optionText = (optsJson: string, key: string): string | undefined => {
  const raw = splitObject(optsJson).find(([name]) => name === key)?.[1];
  const value: unknown = raw === undefined ? undefined : JSON.parse(raw);
  return typeof value === 'string' ? value : undefined;
};

const budgetSpent = (what: string, limit: number): HostAnswer => ({
  ok: false,
  code: 'budget',
  message: `${what} budget exhausted (${limit} calls)`,
});

type EndStep = (ok: boolean, response: string) => void;

/** Serves one run: counts, clamps, cuts and records every call of the program. */
export class RunHost {
  readonly #name: string;
  readonly #deps: HostDeps;
  readonly #budget: Budget;
  readonly steps: Step[] = [];
  readonly trace = createTraceLog();
  readonly printed: string[] = [];
  askCalls = 0;
  commandCalls = 0;
  /** Given once the engine has started; until then there is no clock to hold. */
  setWaiting: (waiting: boolean) => void = () => {};
  /** Of all steps so far, in milliseconds. */
  #waitedMs = 0;
  #waiters = 0;
  #waitingSince = 0;
  readonly #open = new Set<EndStep>();

  constructor(name: string, budget: Budget, deps: HostDeps) {
    this.#name = name;
    this.#deps = deps;
    this.#budget = budget;
  }

  /** The engine has looked at cancellation and the clock before it gets here. */
  call(call: HostCall, signal: AbortSignal): Promise<HostAnswer> {
    const args = new Map(splitObject(call.argsJson));
    return call.fn === 'ask' ? this.#ask(args, call, signal) : this.#command(args, call, signal);
  }

  async #ask(args: ReadonlyMap<string, string>, call: HostCall, signal: AbortSignal): Promise<HostAnswer> {
    if (this.askCalls >= this.#budget.askCalls) return budgetSpent('ask', this.#budget.askCalls);
    this.askCalls++;
    const opts = args.get('opts') ?? '{}';
    const prompt = JSON.parse(args.get('prompt') ?? '""') as string;
    const purpose = optionText(opts, 'purpose') ?? 'nested';
    const turns = clamp(optionNumber(opts, 'max_turns') ?? DEFAULT_TURNS, TURNS);
    const notes = turns.asked === undefined ? [] : [`max_turns ${turns.asked} became ${turns.value}`];
    const end = this.#begin({ kind: 'ask', label: purpose, range: call.range, request: prompt, notes });
    try {
      const given = await this.#deps.ask({
        prompt,
        purpose,
        maxTurns: turns.value,
        signal,
        setWaiting: (waiting) => this.#wait(waiting),
      });
      const { text, truncated } = cutText(given.answer);
      if (truncated) notes.push(`the answer was cut at ${TEXT_LIMIT} characters`);
      end(true, text);
      return {
        ok: true,
        valueJson: JSON.stringify({ answer: text, exhausted: given.exhausted, turns: given.turns, truncated }),
      };
    } catch (thrown) {
      end(false, errorMessage(thrown));
      return { ok: false, code: 'ask', message: errorMessage(thrown) };
    }
  }

  async #command(args: ReadonlyMap<string, string>, call: HostCall, signal: AbortSignal): Promise<HostAnswer> {
    if (this.commandCalls >= this.#budget.commandCalls) return budgetSpent('command', this.#budget.commandCalls);
    this.commandCalls++;
    const argv: unknown = JSON.parse(args.get('argv') ?? 'null');
    const isList = args.get('argvType') === undefined || args.get('argvType') === '"list"';
    const seconds = clamp(
      optionNumber(args.get('opts') ?? '{}', 'timeout') ?? DEFAULT_COMMAND_TIMEOUT_S,
      COMMAND_TIMEOUT_S,
    );
    const notes = seconds.asked === undefined ? [] : [`timeout ${seconds.asked} became ${seconds.value}`];
    const isValid = isList && Array.isArray(argv) && argv.length > 0 && argv.every((item) => typeof item === 'string');
    const words = isValid ? argv : [];
    const end = this.#begin({
      kind: 'command',
      label: words.join(' '),
      range: call.range,
      request: JSON.stringify(argv),
      notes,
    });
    const given = isValid
      ? await this.#runCommand(words, seconds.value, signal)
      : ({ kind: 'failed', message: 'argv must be a non-empty list of strings' } as const);
    const raw =
      given.kind === 'exited'
        ? given.output
        : `error: ${given.message}${given.output === undefined || given.output === '' ? '' : `\n${given.output}`}`;
    const { text, truncated } = cutText(raw);
    const isOk = given.kind === 'exited' && given.exitCode === 0;
    const isCut = truncated || (given.kind === 'exited' && given.truncated === true);
    if (isCut) notes.push('the output was cut');
    end(isOk, text);
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
  async #runCommand(argv: readonly string[], timeoutSeconds: number, signal: AbortSignal): Promise<CommandAnswer> {
    try {
      return await this.#deps.command({
        argv,
        timeoutSeconds,
        signal,
        setWaiting: (waiting) => this.#wait(waiting),
      });
    } catch (thrown) {
      return { kind: 'failed', message: errorMessage(thrown) };
    }
  }

  /** The time in which a person decides is not a running time of the step (D30). Calls nest. */
  #wait(waiting: boolean): void {
    const before = this.#waiters;
    this.#waiters = Math.max(0, before + (waiting ? 1 : -1));
    if (before === 0 && waiting) this.#waitingSince = this.#deps.now();
    if (before === 1 && !waiting) this.#waitedMs += Math.max(0, this.#deps.now() - this.#waitingSince);
    this.setWaiting(waiting);
  }

  /** The result ends the step, once. */
  #begin(what: Omit<Step, 'startedAt' | 'durationMs' | 'ok' | 'response'>): EndStep {
    const startedAt = this.#deps.now();
    const waitedBefore = this.#waitedMs;
    const end: EndStep = (ok, response) => {
      if (!this.#open.delete(end)) return;
      const waited = this.#waitedMs - waitedBefore;
      const step = { ...what, startedAt, durationMs: Math.max(0, this.#deps.now() - startedAt - waited), ok, response };
      this.steps.push(step);
      this.#deps.onEvent?.({ type: 'metaskill.step', name: this.#name, step });
    };
    this.#open.add(end);
    return end;
  }

  /** The run has ended: what still waits for an answer is a step that failed. */
  close(reason: string): void {
    for (const end of this.#open) end(false, reason);
  }
}
