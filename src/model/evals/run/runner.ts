/** Runs cases side by side, within a limit of money and the provider's patience. */
import { money } from '../../../base/figures.ts';
import { isOfTheCase, type CaseResult } from './run-case.ts';
import type { CaseList, EvalCase } from './plan.ts';

export interface RunnerDeps {
  readonly run: (each: EvalCase) => Promise<CaseResult>;
  /** Keeps the result before the next case begins. */
  readonly keep: (each: EvalCase, result: CaseResult, usd: number | undefined) => void | Promise<void>;
  /** Nothing where the price or the usage is unknown. */
  readonly costOf: (result: CaseResult) => number | undefined;
  /** What a case can cost at most; nothing where the price is unknown. */
  readonly worstUsd: number | undefined;
  readonly wait: (ms: number) => Promise<void>;
  /** From 0 to 1: so that waits of several runs do not end at the same time. Default: none is added. */
  readonly random?: () => number;
  readonly signal?: AbortSignal;
}

export interface RunnerOptions {
  readonly parallel: number;
  readonly limitUsd?: number;
  /** Cases that an earlier part of this run has answers for. */
  readonly answered?: number;
}

export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped'; readonly missing: number }
  | { readonly kind: 'money'; readonly missing: number; readonly spent: number; readonly message: string }
  | { readonly kind: 'failed'; readonly missing: number; readonly message: string };

/** A case that a provider keeps refusing is not a reason to ask for ever. */
const MOST_TRIES = 8;
/** Cases refused permanently before any was answered: the run is wrong, and not the cases. */
const MOST_REFUSED = 3;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
/** Cases that were put back, and wait until the others were asked. */
const MOST_BACK = 256;
/** Longer waits are for a person to decide. */
const MOST_ASKED = 900_000;
const MOST_JITTER = 0.25;

const isPatience = ({ error }: CaseResult): boolean => error?.retryable === true;

export const runCases = async (
  cases: CaseList,
  deps: RunnerDeps,
  { parallel, limitUsd, answered: earlier = 0 }: RunnerOptions,
): Promise<RunEnd> => {
  const source = cases[Symbol.iterator]();
  /** Of the source: how many are left. */
  let unasked = cases.length;
  /** What was put back waits until the others were asked, unless it becomes much. */
  const back: EvalCase[] = [];
  const tries = new Map<string, number>();
  // The first case goes alone: it writes the prefix that the others then read.
  let [inFlight, spent, unpriced, window, refusals] = [0, 0, 0, 1, 0];
  let wasRefused = false;
  let answered = earlier;
  /** How many cases had been answered when this one was first put back. */
  const answeredBefore = new Map<string, number>();
  /** Results that are kept once another case shows that the run is right. */
  let held: (readonly [EvalCase, CaseResult])[] = [];
  let pause: Promise<void> | undefined;
  let end: RunEnd | undefined;
  const missing = (): number => unasked + back.length + inFlight;

  const take = (): EvalCase | undefined => {
    const next = back.length < MOST_BACK ? source.next() : undefined;
    if (next?.done === false) {
      unasked--;
      return next.value;
    }
    if (next) unasked = 0;
    return back.shift();
  };

  const moneyObjection = (): string | undefined => {
    if (limitUsd === undefined) return undefined;
    if (deps.worstUsd === undefined || unpriced > 0)
      return 'The price of this model is unknown, so Lathe can’t apply the spending limit.';
    return spent + (inFlight + 1) * deps.worstUsd > limitUsd
      ? `The next request could exceed the limit of ${money(limitUsd)}.`
      : undefined;
  };

  /** Nothing starts until this has passed, and what was waited for before. */
  const hold = (ms: number): void => {
    const both = async (before: Promise<void> | undefined): Promise<void> => {
      await Promise.all([before, deps.wait(ms)]);
      if (pause === all) pause = undefined;
    };
    const all = both(pause);
    pause = all;
  };

  const keep = async (each: EvalCase, result: CaseResult): Promise<void> => {
    const usd = deps.costOf(result);
    if (usd === undefined) unpriced++;
    else spent += usd;
    await deps.keep(each, result, usd);
  };

  /** What was put back says nothing about the case: it is asked again when the run continues. */
  const fail = (failed: readonly EvalCase[], message: string): void => {
    back.push(...failed);
    end ??= { kind: 'failed', missing: 0, message };
  };

  const one = async (each: EvalCase): Promise<void> => {
    const result = await deps.run(each);
    const { error } = result;
    if (deps.signal?.aborted === true && error) {
      back.push(each);
      return;
    }
    const asked = error?.retryAfterMs;
    if (asked !== undefined && asked > MOST_ASKED) {
      const minutes = Math.ceil(asked / 60_000);
      fail([each], `The provider asks to wait for ${minutes} minutes. Run the same command after that to continue.`);
      return;
    }
    const tried = (tries.get(each.key) ?? 0) + 1;
    if (isPatience(result) && tried < MOST_TRIES) {
      tries.set(each.key, tried);
      if (tried === 1) answeredBefore.set(each.key, answered);
      back.push(each);
      const isFirst = pause === undefined;
      if (isFirst) {
        window = Math.max(1, Math.floor(window / 2));
        wasRefused = true;
      }
      // Calls that were in flight may ask for a longer wait than the first one that was refused.
      if (isFirst || asked !== undefined)
        hold(
          asked === undefined
            ? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** refusals++)
            : Math.max(0, asked) * (1 + MOST_JITTER * (deps.random?.() ?? 0)),
        );
      return;
    }
    if (error && isPatience(result) && answeredBefore.get(each.key) === answered) {
      fail([each], error.message);
      return;
    }
    tries.delete(each.key);
    answeredBefore.delete(each.key);
    refusals = 0;
    window = wasRefused ? Math.min(parallel, window + 1) : parallel;
    if (!error) answered++;
    else if (!error.retryable && result.usage.length === 0) {
      if (!isOfTheCase(error)) {
        fail([each], error.message);
        return;
      }
      if (answered === 0) {
        held.push([each, result]);
        if (held.length >= MOST_REFUSED) {
          fail(
            held.map(([refused]) => refused),
            error.message,
          );
          held = [];
        }
        return;
      }
    }
    const known = held;
    held = [];
    for (const [refused, its] of known) await keep(refused, its);
    await keep(each, result);
  };

  const running = new Set<Promise<void>>();
  while (end === undefined) {
    if (deps.signal?.aborted === true) {
      end = { kind: 'stopped', missing: 0 };
      break;
    }
    const isLeft = unasked + back.length > 0;
    if (!isLeft && inFlight === 0) break;
    if (pause) await pause;
    else if (isLeft && inFlight < window) {
      const message = moneyObjection();
      // What is in flight may turn out cheaper than feared.
      if (message !== undefined && inFlight === 0) end = { kind: 'money', missing: 0, spent, message };
      const each = message === undefined ? take() : undefined;
      if (each) {
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
  const [refused] = held;
  if (refused)
    fail(
      held.map(([each]) => each),
      refused[1].error?.message ?? '',
    );
  if (end === undefined) return { kind: 'done' };
  return end.kind === 'done' ? end : { ...end, missing: missing() };
};
