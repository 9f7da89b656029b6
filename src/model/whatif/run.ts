/** Steps through the cache model, in the order of their events, with no bill to look at. */
import { blockTokens, tokensOfBlock, toolPromptTokens } from '../cache/block-tokens.ts';
import { type CacheCall, createCacheModel, type SentCall } from '../cache/engine.ts';
import { renderedBlocks } from '../cache/hash-chain.ts';
import type { CacheRequest, Prediction } from '../cache/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import type { Step } from './types.ts';

/** Recordings are of any age: what only newer versions of the API refuse was accepted then. */
export const OLD_API = '2023-06-01';

/** A moment before a request: what others left was there. */
const BEFORE_MS = 1;

export const requestOf = ({ request, items }: Step): CacheRequest => ({
  ...request,
  blocks: items.map(({ block }) => block),
});

/** Tokens of every block under the step's model. `recordedModel` is the one that sizes were billed under. */
export const tokensOf = (step: Step, book?: ModelBook): readonly number[] => {
  const request = requestOf(step);
  const recordedModel = step.call.model;
  const counts = step.items.map(({ count }) => count);
  const [facts, own] = [modelFacts(request.model, book), modelFacts(recordedModel, book)];
  const now = blockTokens(request, counts, facts);
  const then = facts.id === own.id ? now : blockTokens({ ...request, model: recordedModel }, counts, own);
  let [billed, estimated] = [0, 0];
  step.items.forEach(({ measured }, at) => {
    if (measured === undefined || measured === 0) return;
    billed += measured;
    estimated += then[at] ?? 0;
  });
  const ratio = estimated > 0 ? billed / estimated : 1;
  return step.items.map(({ block, measured, was, extra = 0 }, at) => {
    const estimate = now[at] ?? 0;
    const before = was ? tokensOfBlock(block, was.count, own) : 0;
    if (was && before > 0) return Math.round(estimate * (was.measured / before)) + extra;
    // A block that the recorded model forgot has no size on its bill.
    if (measured === undefined || measured === 0) return Math.round(estimate * ratio) + extra;
    if (facts.id === own.id) return measured + extra;
    const counted = then[at] ?? 0;
    return (counted > 0 ? Math.round(estimate * (measured / counted)) : estimate) + extra;
  });
};

const cacheCallOf = (step: Step, book: ModelBook | undefined): CacheCall => ({
  request: requestOf(step),
  tokens: tokensOf(step, book),
  estimated: step.call.provider !== 'simulator',
  startedAt: step.startedAt,
  scope: `${step.call.provider} ${step.call.keyId ?? ''}`,
  ...(step.call.betas && { betas: step.call.betas }),
});

/** The same prompt with one breakpoint: what somebody else must have sent to leave what was found. */
const leftBy = (call: CacheCall, at: number): CacheCall => {
  const { automatic, ...request } = call.request;
  const ttl = request.blocks.find(({ marker }) => marker)?.marker?.ttl ?? automatic?.ttl ?? '5m';
  const blocks = request.blocks.map((block, index) => {
    const { marker: _marker, ...plain } = block;
    return index === at ? { ...plain, marker: { ttl } } : plain;
  });
  return { ...call, request: { ...request, blocks }, startedAt: call.startedAt - BEFORE_MS };
};

export interface RunOptions {
  readonly book?: ModelBook | undefined;
  /** False: what others did to the cache does not happen. */
  readonly isObserved?: boolean;
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** What every step reads and writes, in the order of the steps. */
export const runSteps = (
  steps: readonly Step[],
  { book, isObserved = true }: RunOptions = {},
): readonly Prediction[] => {
  const model = createCacheModel({ apiVersion: OLD_API, ...(book && { book }) });
  const predictions: Prediction[] = [];
  const happenings = steps.flatMap((step, index): readonly Happening[] => {
    let sent: SentCall | undefined;
    const start = (): void => {
      const call = cacheCallOf(step, book);
      if (isObserved && step.found !== undefined) {
        const { found } = step;
        const at = step.items.findIndex(({ origin }) => origin === found);
        if (at !== -1) model.send(leftBy(call, at)).answered(call.startedAt - BEFORE_MS);
      }
      const limited = isObserved && step.mostRead !== undefined ? { ...call, mostRead: step.mostRead } : call;
      sent = model.send(limited);
      predictions[index] = sent.prediction;
    };
    // An entry can be read from the very moment on at which its response begins.
    return [
      { at: step.startedAt, order: 1, run: start },
      {
        at: Math.max(step.firstByteAt, step.startedAt),
        order: step.firstByteAt > step.startedAt ? 0 : 2,
        run: () => sent?.answered(step.firstByteAt),
      },
    ];
  });
  const inOrder = steps.some(({ call }) => call.isTimeless === true)
    ? happenings
    : happenings.toSorted((a, b) => a.at - b.at || a.order - b.order);
  for (const { run } of inOrder) run();
  return predictions;
};

/** Of the prompt: a difference between bill and forecast that is no rounding. */
const TOLERANCE = 0.02;
/** A read counts as ending at a place if its size is this near. */
const SAME_PLACE = 0.1;

const placeOf = (step: Step, read: number, book: ModelBook | undefined): number | undefined => {
  const request = requestOf(step);
  const facts = modelFacts(request.model, book);
  const tokens = tokensOf(step, book);
  let sum = toolPromptTokens(request, facts);
  let best: { readonly at: number; readonly off: number } | undefined;
  for (const at of renderedBlocks(request, facts)) {
    sum += tokens[at] ?? 0;
    const off = Math.abs(sum - read);
    if (request.blocks[at]?.unmarkable === undefined && (!best || off < best.off)) best = { at, off };
  }
  return best && best.off <= read * SAME_PLACE ? best.at : undefined;
};

/**
 * What no body explains: an entry that nobody here had left (another session had), and one that should have been there and was
 * not. Both happened, so they happen again under another policy; without them the forecast is the other end of its range.
 */
export const observed = (steps: readonly Step[], book: ModelBook | undefined): readonly Step[] => {
  let known = steps;
  // What is found or lost early changes what later requests find.
  for (let round = 0; round < 3; round++) {
    const predictions = runSteps(known, { book });
    let isChanged = false;
    known = known.map((step, index) => {
      const { usage } = step;
      const prediction = predictions[index];
      if (usage?.cacheReported !== true || !prediction || prediction.faults.length > 0) return step;
      const off = usage.read - prediction.usage.read;
      if (Math.abs(off) <= prediction.promptTokens * TOLERANCE) return step;
      if (off < 0 && step.mostRead === undefined) {
        isChanged = true;
        return { ...step, mostRead: Math.ceil(usage.read * (1 + TOLERANCE)) };
      }
      const found = off > 0 && step.found === undefined ? placeOf(step, usage.read, book) : undefined;
      if (found === undefined) return step;
      isChanged = true;
      return { ...step, found };
    });
    if (!isChanged) break;
  }
  return known;
};
