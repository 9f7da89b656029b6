/** Runs cases side by side, within a limit of money and the provider's patience. */
import type { CaseResult } from './run-case.ts';
import type { EvalCase } from './plan.ts';

export interface RunnerDeps {
  readonly run: (each: EvalCase) => Promise<CaseResult>;
  /** Keeps the result before the next case begins. */
  readonly keep: (each: EvalCase, result: CaseResult, usd: number | undefined) => void | Promise<void>;
  /** Nothing where the price or the usage is unknown. */
  readonly costOf: (result: CaseResult) => number | undefined;
  /** What a case can cost at most; nothing where the price is unknown. */
  readonly worstUsd: number | undefined;
  readonly wait: (ms: number) => Promise<void>;
  /** From 0 to 1: so that waits of several runs do not end at once. Default: none is added. */
  readonly random?: () => number;
  readonly signal?: AbortSignal;
}

export interface RunnerOptions {
  readonly parallel: number;
  readonly limitUsd?: number;
}

export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped'; readonly missing: number }
  | { readonly kind: 'money'; readonly missing: number; readonly spent: number; readonly message: string }
  | { readonly kind: 'failed'; readonly missing: number; readonly message: string };

/** A case that a provider keeps refusing is no reason to ask for ever. */
const MOST_TRIES = 8;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const MOST_JITTER = 0.25;

const isPatience = ({ error }: CaseResult): boolean => error?.retryable === true;

export const runCases = async (
  cases: readonly EvalCase[],
  deps: RunnerDeps,
  { parallel, limitUsd }: RunnerOptions,
): Promise<RunEnd> => {
  const queue = [...cases];
  const tries = new Map<string, number>();
  // The first case goes alone: it writes the prefix that the others then read.
  let [inFlight, spent, unpriced, window, refusals, at] = [0, 0, 0, 1, 0, 0];
  let wasRefused = false;
  let pause: Promise<void> | undefined;
  let end: RunEnd | undefined;
  const missing = (): number => queue.length - at + inFlight;

  const moneyObjection = (): string | undefined => {
    if (limitUsd === undefined) return undefined;
    if (deps.worstUsd === undefined || unpriced > 0)
      return 'The price of this model is unknown, so the spending limit cannot be kept.';
    return spent + (inFlight + 1) * deps.worstUsd > limitUsd
      ? `The next call could pass the limit of $${limitUsd.toFixed(2)}.`
      : undefined;
  };

  const one = async (each: EvalCase): Promise<void> => {
    const result = await deps.run(each);
    if (deps.signal?.aborted === true) {
      queue.push(each);
      return;
    }
    const tried = (tries.get(each.key) ?? 0) + 1;
    if (isPatience(result) && tried < MOST_TRIES) {
      tries.set(each.key, tried);
      queue.push(each);
      if (!pause) {
        window = Math.max(1, Math.floor(window / 2));
        wasRefused = true;
        const asked = result.error?.retryAfterMs;
        pause = deps
          .wait(
            asked === undefined
              ? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** refusals++)
              : asked * (1 + MOST_JITTER * (deps.random?.() ?? 0)),
          )
          .then(() => (pause = undefined));
      }
      return;
    }
    refusals = 0;
    window = wasRefused ? Math.min(parallel, window + 1) : parallel;
    if (result.error && !result.error.retryable && result.usage.length === 0) {
      // A wrong key says nothing about the case: it is asked again when the run goes on.
      queue.push(each);
      end ??= { kind: 'failed', missing: 0, message: result.error.message };
      return;
    }
    const usd = deps.costOf(result);
    if (usd === undefined) unpriced++;
    else spent += usd;
    await deps.keep(each, result, usd);
  };

  const running = new Set<Promise<void>>();
  while (end === undefined) {
    if (deps.signal?.aborted === true) {
      end = { kind: 'stopped', missing: 0 };
      break;
    }
    if (at >= queue.length && inFlight === 0) break;
    if (pause) await pause;
    else if (at < queue.length && inFlight < window) {
      const message = moneyObjection();
      // What is in flight may turn out cheaper than feared.
      if (message !== undefined && inFlight === 0) end = { kind: 'money', missing: 0, spent, message };
      else if (message === undefined) {
        const each = queue[at++] as EvalCase;
        inFlight++;
        const task = one(each).finally(() => {
          inFlight--;
          running.delete(task);
        });
        running.add(task);
        continue;
      }
    }
    if (running.size > 0) await Promise.race(running);
  }
  await Promise.all(running);
  if (end === undefined) return { kind: 'done' };
  return end.kind === 'done' ? end : { ...end, missing: missing() };
};
