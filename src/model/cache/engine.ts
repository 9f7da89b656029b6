/** The cache of a provider: what a request will find in it, and what it leaves behind. Time comes in with every call. */
import { type ModelBook, type ModelFacts, modelFacts } from '../provider/model-book.ts';
import { type Anchors, type Bill, anchoredPrefix, createAnchors } from './anchors.ts';
import { planAnthropic } from './anthropic-cache.ts';
import { toolPromptTokens } from './block-tokens.ts';
import { type Plan, type RenderedCall, uncachedPlan } from './breakpoints.ts';
import { chainHashes, createHashMemo, type HashMemo } from './hash-chain.ts';
import { planBreakpoints } from './openai-breakpoints.ts';
import { planPrefix } from './openai-prefix.ts';
import { createStore, LIFETIME_MS, publicEntry, type Store } from './store.ts';
import type { Usage } from '../provider/types.ts';
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
  /** Observed: the provider found no entry that is longer. Whatever is left in the cache beyond that had been dropped. */
  readonly mostRead?: number;
}

export interface SentCall {
  readonly prediction: Prediction;
  /** The response has begun: what was written can be read from now on. What was billed anchors the counts of the prefix. */
  readonly answered: (firstByteAt: number, usage?: Usage) => void;
  /** No response: nothing was written, nothing was refreshed. */
  readonly failed: () => void;
}

/** Tokens of a request as they are counted here: anchored at what was billed. */
export interface RequestSizes {
  /** What the provider adds for tools, before the first block. */
  readonly hidden: number;
  /** One per block of `request.blocks`; 0 for one that is not rendered. */
  readonly blocks: readonly number[];
}

/** What the documentation leaves open. */
interface CacheAssumptions {
  /** Whether a read also refreshes shorter entries at other breakpoints of the request. */
  readonly refreshesShorter: boolean;
  /** OpenAI before 5.6: whether the organization keeps no data, so that caches stay in memory unless asked otherwise. */
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
  readonly sizes: (call: CacheCall) => RequestSizes;
  /** Of every prefix of the request that ends with a block: what entries are found by. */
  readonly hashes: (call: CacheCall) => readonly string[];
  /** A copy that goes its own way: what is sent to it is imagined. */
  readonly fork: () => CacheModel;
  readonly clear: () => void;
}

const ASSUMED: CacheAssumptions = {
  // The documentation is silent about entries other than the one that is read; real bills show it (docs/accuracy.md).
  refreshesShorter: true,
  zeroDataRetention: false,
};

/** How long something is remembered that has expired, in case an earlier call is still to come. */
const AFTERLIFE = 60 * 60_000;

type Laid = Pick<RenderedCall, 'chain' | 'hidden' | 'estimates' | 'prefix'>;

/** What a request is laid out as: the same for its forecast, its sizes and its sending. */
const layOut = (call: CacheCall, facts: ModelFacts, memo: HashMemo, anchors: Anchors): Laid => {
  const { request, tokens, betas = [] } = call;
  const chain = chainHashes(request, facts, { betas, memo });
  const hidden = call.toolPromptTokens ?? toolPromptTokens(request, facts);
  let sum = hidden;
  const estimates = chain.rendered.map((index) => (sum += tokens[index] ?? 0));
  return { chain, hidden, estimates, prefix: anchoredPrefix(estimates, chain.hashes, hidden, anchors, facts.id) };
};

interface KeptLayout extends Laid {
  readonly of: Pick<CacheCall, 'tokens' | 'toolPromptTokens' | 'betas'>;
  /** How many bills had been learned from. */
  readonly bills: number;
}

const rendered = (call: CacheCall, facts: ModelFacts, laid: Laid): RenderedCall => {
  const { request, scope, startedAt, estimated = false, betas = [] } = call;
  const { chain, hidden, estimates, prefix } = laid;
  // Before 5.6 OpenAI's key only routes.
  const cacheKey = facts.caching === 'openai-breakpoints' ? request.cacheKey : undefined;
  return {
    request,
    facts,
    chain,
    blocks: chain.blocks,
    hidden,
    estimates,
    prefix,
    promptTokens: prefix.at(-1) ?? hidden,
    startedAt,
    estimated,
    mostRead: call.mostRead ?? Infinity,
    space: JSON.stringify([scope, facts.id, ...(cacheKey === undefined ? [] : [cacheKey])]),
    betas,
  };
};

const billOf = (view: RenderedCall, { hit, breakpoints }: Prediction, usage: Usage): Bill => {
  const hitAt = hit && view.chain.hashes.indexOf(hit.hash);
  return {
    model: view.facts.id,
    usage,
    estimates: view.estimates,
    hashes: view.chain.hashes,
    hidden: view.hidden,
    hitAt: hitAt === -1 ? undefined : hitAt,
    breakpoints: breakpoints.map(({ block }) => view.chain.rendered.indexOf(block)).filter((at) => at !== -1),
  };
};

/** A 400: nothing is read, nothing is written. */
const refused = (call: RenderedCall, faults: readonly RequestFault[]): Plan =>
  uncachedPlan(call, { faults, note: 'The provider refuses this request.' });

export const createCacheModel = (options: CacheModelOptions = {}): CacheModel =>
  cacheModel(options, createStore(), createAnchors(), createHashMemo());

const cacheModel = (options: CacheModelOptions, store: Store, anchors: Anchors, memo: HashMemo): CacheModel => {
  const { mode = 'documented', apiVersion } = options;
  const assumed = { ...ASSUMED, ...options.assumptions };
  const lastCalls = new Map<string, { readonly call: CacheCall; readonly until: number }>();
  let lastId = 0;

  const spaceOf = (call: CacheCall): string =>
    JSON.stringify([call.scope, modelFacts(call.request.model, options.book).id]);

  const layouts = new WeakMap<CacheRequest, KeptLayout>();
  let bills = 0;

  const laidOut = (call: CacheCall, facts: ModelFacts): Laid => {
    const known = layouts.get(call.request);
    if (
      known?.bills === bills &&
      known.of.tokens === call.tokens &&
      known.of.toolPromptTokens === call.toolPromptTokens &&
      known.of.betas?.join() === call.betas?.join()
    )
      return known;
    const laid = layOut(call, facts, memo, anchors);
    layouts.set(call.request, { ...laid, of: call, bills });
    return laid;
  };
  const render = (call: CacheCall): RenderedCall => {
    const facts = modelFacts(call.request.model, options.book);
    return rendered(call, facts, laidOut(call, facts));
  };

  const planOf = (call: CacheCall, view = render(call)): Plan => {
    const { facts } = view;
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
          note: `Lathe doesn’t know how ${facts.id} caches, so it shows only the provider’s counts.`,
        });
    }
  };

  const send = (call: CacheCall): SentCall => {
    const view = render(call);
    const plan = planOf(call, view);
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
      answered: (firstByteAt, usage) => {
        if (!isOpen) return;
        isOpen = false;
        if (usage) {
          anchors.learn(billOf(view, prediction, usage));
          bills++;
        }
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
        .map((entry) => publicEntry(entry, anchors.billed.get(entry.hash)))
        .filter((entry) => entry.visibleAt <= now && now <= entry.expiresAt)
        .toSorted((left, right) => left.writtenAt - right.writtenAt || left.id - right.id),
    previous: (call) => {
      const last = lastCalls.get(spaceOf(call));
      return last && last.until >= call.startedAt ? last.call : undefined;
    },
    sizes: (call) => {
      const { chain, prefix, hidden, request } = render(call);
      const blocks = request.blocks.map(() => 0);
      chain.rendered.forEach((block, at) => {
        blocks[block] = (prefix[at] ?? 0) - (at === 0 ? hidden : (prefix[at - 1] ?? 0));
      });
      return { hidden, blocks };
    },
    hashes: (call) => render(call).chain.hashes,
    fork: () => cacheModel(options, store.copy(), anchors.copy(), memo),
    clear: () => {
      store.clear();
      anchors.clear();
      bills++;
      lastCalls.clear();
    },
  };
};
