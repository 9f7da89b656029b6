/** The cache of a provider: what a request will find in it, and what it leaves behind. Time comes in with every call. */
import { type ModelBook, type ModelFacts, modelFacts } from '../provider/model-book.ts';
import { planAnthropic } from './anthropic-cache.ts';
import { toolPromptTokens } from './block-tokens.ts';
import { type Plan, type RenderedCall, uncachedPlan } from './breakpoints.ts';
import { chainHashes, createHashMemo, type HashMemo } from './hash-chain.ts';
import { planBreakpoints } from './openai-breakpoints.ts';
import { planPrefix } from './openai-prefix.ts';
import { createStore, LIFETIME_MS, publicEntry } from './store.ts';
import type { CacheEntry, CacheRequest, Prediction, RequestFault } from './types.ts';
import { validateRequest } from './validate.ts';

export interface CacheCall {
  readonly request: CacheRequest;
  /** Tokens of every block of `request.blocks`. */
  readonly tokens: readonly number[];
  /** True: the tokens are estimates, so a decision close to a floor is uncertain. */
  readonly estimated?: boolean;
  /** Absent: what the model book says for these tools. */
  readonly toolPromptTokens?: number;
  /** Unix time in ms, of the start of the request. */
  readonly startedAt: number;
  /** Caches are not shared between scopes: provider, key or workspace. */
  readonly scope: string;
  readonly betas?: readonly string[];
}

export interface SentCall {
  readonly prediction: Prediction;
  /** The response has begun: what was written can be read from now on. */
  readonly answered: (firstByteAt: number) => void;
  /** No response: nothing was written, nothing was refreshed. */
  readonly failed: () => void;
}

/** What the documentation leaves open. */
interface CacheAssumptions {
  /** Whether a read also refreshes shorter entries at other breakpoints of the request. */
  readonly refreshesShorter: boolean;
  /** OpenAI before 5.6: whether the organisation keeps no data, so that caches stay in memory unless asked otherwise. */
  readonly zeroDataRetention: boolean;
}

export interface CacheModelOptions {
  readonly book?: ModelBook;
  /** `calibrated` uses floors and hit rates that were measured elsewhere. */
  readonly mode?: 'documented' | 'calibrated';
  readonly assumptions?: Partial<CacheAssumptions>;
  /** Anthropic's version header; decides some 400s. */
  readonly apiVersion?: string;
}

export interface CacheModel {
  /** Changes nothing. */
  readonly predict: (call: CacheCall) => Prediction;
  readonly send: (call: CacheCall) => SentCall;
  /** Those that are live and readable at `now`, oldest first. */
  readonly entries: (now: number) => readonly CacheEntry[];
  /** The last call that was sent in the scope to the same model, unless all that it could have left has expired. */
  readonly previous: (call: CacheCall) => CacheCall | undefined;
  readonly clear: () => void;
}

const ASSUMED: CacheAssumptions = {
  // The documentation speaks of the entry that is used and is silent about others.
  refreshesShorter: false,
  zeroDataRetention: false,
};

/** How long something is remembered that has expired, in case an earlier call is still to come. */
const AFTERLIFE = 60 * 60_000;

const rendered = (call: CacheCall, facts: ModelFacts, memo: HashMemo): RenderedCall => {
  const { request, tokens, scope, startedAt, estimated = false, betas = [] } = call;
  const chain = chainHashes(request, facts, { betas, memo });
  let sum = call.toolPromptTokens ?? toolPromptTokens(request, facts);
  const prefix = chain.rendered.map((index) => (sum += tokens[index] ?? 0));
  // Before 5.6 OpenAI's key only routes.
  const cacheKey = facts.caching === 'openai-breakpoints' ? request.cacheKey : undefined;
  return {
    request,
    facts,
    chain,
    blocks: chain.blocks,
    prefix,
    promptTokens: sum,
    startedAt,
    estimated,
    space: JSON.stringify([scope, facts.id, ...(cacheKey === undefined ? [] : [cacheKey])]),
    betas,
  };
};

/** A 400: nothing is read, nothing is written. */
const refused = (call: RenderedCall, faults: readonly RequestFault[]): Plan =>
  uncachedPlan(call, { faults, note: 'The provider refuses this request.' });

export const createCacheModel = (options: CacheModelOptions = {}): CacheModel => {
  const { mode = 'documented', apiVersion } = options;
  const assumed = { ...ASSUMED, ...options.assumptions };
  const store = createStore();
  const memo = createHashMemo();
  const lastCalls = new Map<string, { readonly call: CacheCall; readonly until: number }>();
  let lastId = 0;

  const spaceOf = (call: CacheCall): string =>
    JSON.stringify([call.scope, modelFacts(call.request.model, options.book).id]);

  const planOf = (call: CacheCall): Plan => {
    const facts = modelFacts(call.request.model, options.book);
    const view = rendered(call, facts, memo);
    const faults = validateRequest(call.request, facts, {
      rendered: view.blocks,
      ...(apiVersion !== undefined && { apiVersion }),
    });
    if (faults.length > 0) return refused(view, faults);
    switch (facts.caching) {
      case 'anthropic':
        return planAnthropic(view, store, {
          isCalibrated: mode === 'calibrated',
          refreshesShorter: assumed.refreshesShorter,
        });
      case 'openai-breakpoints':
        return planBreakpoints(view, store);
      case 'openai-prefix':
        return planPrefix(view, store, assumed);
      default:
        return uncachedPlan(view, {
          uncertain: true,
          note: `Nothing is known of how ${facts.id} caches; the provider's own counts are all there is.`,
        });
    }
  };

  const send = (call: CacheCall): SentCall => {
    const plan = planOf(call);
    const { prediction } = plan;
    if (prediction.faults.length > 0) return { prediction, answered: () => undefined, failed: () => undefined };
    store.prune(call.startedAt - AFTERLIFE);
    const id = ++lastId;
    const { id: model } = modelFacts(call.request.model, options.book);
    const written = plan.writes.map((planned) => store.write(planned, model, call.scope, call.startedAt));
    for (const entry of plan.reads) entry.openReads.set(id, call.startedAt);
    const lifetimes = [...written, ...plan.reads].map((entry) => entry.lifetime);
    const space = spaceOf(call);
    const earlier = lastCalls.get(space);
    lastCalls.set(space, { call, until: call.startedAt + Math.max(LIFETIME_MS['5m'], ...lifetimes) });
    let isOpen = true;
    return {
      prediction,
      answered: (firstByteAt) => {
        if (!isOpen) return;
        isOpen = false;
        plan.reads.forEach((entry, index) => {
          entry.openReads.delete(id);
          entry.lastUsedAt = Math.max(entry.lastUsedAt, call.startedAt);
          if (index === 0) entry.reads++;
        });
        for (const entry of written) store.publish(entry, firstByteAt);
      },
      failed: () => {
        if (!isOpen) return;
        isOpen = false;
        for (const entry of plan.reads) entry.openReads.delete(id);
        written.forEach(store.drop);
        if (lastCalls.get(space)?.call === call) {
          if (earlier) lastCalls.set(space, earlier);
          else lastCalls.delete(space);
        }
      },
    };
  };

  return {
    predict: (call) => planOf(call).prediction,
    send,
    entries: (now) =>
      store
        .all()
        .map(publicEntry)
        .filter((entry) => entry.visibleAt <= now && now <= entry.expiresAt)
        .toSorted((left, right) => left.writtenAt - right.writtenAt || left.id - right.id),
    previous: (call) => {
      const last = lastCalls.get(spaceOf(call));
      return last && last.until >= call.startedAt ? last.call : undefined;
    },
    clear: () => {
      store.clear();
      lastCalls.clear();
    },
  };
};
