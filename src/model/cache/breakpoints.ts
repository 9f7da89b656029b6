/** Where a request has breakpoints, and what all ways of caching need to know of a call. */
import { createGrowingList } from '../../base/growing-list.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import type { WriteTtl } from '../provider/types.ts';
import { isToolResult, type HashChain } from './hash-chain.ts';
import { LIFETIME_MS, type PlannedWrite, type StoredEntry, type StoreView } from './store.ts';
import type { BreakpointReport, CacheBlock, CacheRequest, Prediction } from './types.ts';

/** A call as it is rendered: indexes below count rendered blocks. */
export interface RenderedCall {
  readonly request: CacheRequest;
  readonly facts: ModelFacts;
  readonly chain: HashChain;
  readonly blocks: readonly CacheBlock[];
  /** What the provider adds for tools, before the first block. */
  readonly hidden: number;
  /** Tokens up to and with each block as they were counted, hidden ones included. */
  readonly estimates: readonly number[];
  /** The same, anchored at what was billed. */
  readonly prefix: readonly number[];
  readonly promptTokens: number;
  readonly startedAt: number;
  readonly estimated: boolean;
  /** No longer entry is found. */
  readonly mostRead: number;
  /** Scope, model and cache key: what else must be equal beside the hash. */
  readonly space: string;
  readonly betas: readonly string[];
}

/** What a call finds, and what it will leave behind. */
export interface Plan {
  readonly prediction: Prediction;
  /** Entries that the call refreshes; the first is the one that it reads. */
  readonly reads: readonly StoredEntry[];
  readonly writes: readonly PlannedWrite[];
}

export interface CacheBreakpoint {
  readonly at: number;
  readonly ttl: WriteTtl;
  readonly origin: BreakpointReport['origin'];
}

export const keyAt = (call: RenderedCall, at: number): string => `${call.space} ${call.chain.hashes[at] ?? ''}`;

/** The entry that a call leaves at a breakpoint. */
export const writeAt = (
  call: RenderedCall,
  { at, ttl }: Pick<CacheBreakpoint, 'at' | 'ttl'>,
  tokens: number,
): PlannedWrite => ({
  key: keyAt(call, at),
  hash: call.chain.hashes[at] ?? '',
  tokens,
  label: call.blocks[at]?.label ?? '',
  ttl,
  lifetime: LIFETIME_MS[ttl],
});

export const hitAt = (call: RenderedCall, store: StoreView, at: number): StoredEntry | undefined =>
  (call.prefix[at] ?? 0) > call.mostRead ? undefined : store.find(keyAt(call, at), call.startedAt);

/** Relative error of a token estimate. */
export const ESTIMATE_ERROR = 0.15;

export const isClose = (tokens: number, floor: number): boolean => Math.abs(tokens - floor) <= floor * ESTIMATE_ERROR;

const TOOL_CALLS: ReadonlySet<string> = new Set(['tool_use', 'tool_call', 'function_call']);

/**
 * Positions as the lookback counts them: a run of tool calls is one, and so is a run of tool results.
 */
export const positionsOf = (blocks: readonly CacheBlock[]): readonly number[] => positions(placesOf(blocks));

interface Place {
  readonly position: number;
  readonly run: 'calls' | 'results' | '';
  /** The last block with a marker up to here, and the last result of a server tool; -1: none exists. */
  readonly marked: number;
  readonly serverResult: number;
}

/** A conversation only grows, and nearly all of its blocks were looked at for the previous request. */
const placesOf = createGrowingList<CacheBlock, Place>((block, index, before) => {
  const run = TOOL_CALLS.has(block.kind) ? 'calls' : isToolResult(block) ? 'results' : '';
  const last = before?.position ?? -1;
  return {
    position: run === '' || run !== before?.run ? last + 1 : last,
    run,
    marked: block.marker ? index : (before?.marked ?? -1),
    serverResult: isServerResult(block) ? index : (before?.serverResult ?? -1),
  };
});
const positions = createGrowingList<Place, number>(({ position }) => position);

/** The position of one block. */
export const positionAt = (blocks: readonly CacheBlock[], at: number): number => placesOf(blocks)[at]?.position ?? 0;

/** Where markers are, first to last. */
export const markedBlocks = (blocks: readonly CacheBlock[]): readonly number[] => {
  const places = placesOf(blocks);
  const found: number[] = [];
  for (let at = places.at(-1)?.marked ?? -1; at >= 0; at = places[at - 1]?.marked ?? -1) found.push(at);
  return found.toReversed();
};

const isAnthropicTtl = (ttl: WriteTtl | undefined): ttl is '5m' | '1h' => ttl === '5m' || ttl === '1h';

export const explicitAnthropic = (blocks: readonly CacheBlock[]): readonly CacheBreakpoint[] =>
  explicitAt(blocks, markedBlocks(blocks));

/** Where the automatic marker lands: the last block that can have one. */
export const automaticTarget = (blocks: readonly CacheBlock[]): number =>
  blocks.findLastIndex((block) => block.unmarkable === undefined || block.unmarkable === 'kind');

/** Nearly all blocks are of these kinds, which is quicker to see than how a name ends. */
const PLAIN: ReadonlySet<string> = new Set(['text', 'tool_use', 'tool_result', 'thinking']);

export const isServerResult = ({ kind, tier }: CacheBlock): boolean =>
  !PLAIN.has(kind) && kind.endsWith('_tool_result') && tier === 'messages';

/** Where markers are, and the last result of a server tool (-1: none exists). */
export interface MarkedPlaces {
  readonly marked: readonly number[];
  readonly serverResult: number;
}

const explicitAt = (blocks: readonly CacheBlock[], marked: readonly number[]): readonly CacheBreakpoint[] =>
  marked.flatMap((at) => {
    const ttl = blocks[at]?.marker?.ttl;
    return isAnthropicTtl(ttl) ? [{ at, ttl, origin: 'explicit' as const }] : [];
  });

/**
 * Explicit ones, the automatic one, and one of 5 minutes that the API adds after the last result of a server tool when there
 * is any other. Ordered by position.
 */
export const anthropicBreakpoints = (
  call: Pick<RenderedCall, 'blocks' | 'request'>,
  places?: MarkedPlaces,
): readonly CacheBreakpoint[] => {
  const { blocks, request } = call;
  const explicit = places ? explicitAt(blocks, places.marked) : explicitAnthropic(blocks);
  const found: CacheBreakpoint[] = explicit.filter(({ at }) => blocks[at]?.unmarkable === undefined);
  const isTaken = (at: number): boolean => at < 0 || found.some((breakpoint) => breakpoint.at === at);
  const target = automaticTarget(blocks);
  if (isAnthropicTtl(request.automatic?.ttl) && !isTaken(target))
    found.push({ at: target, ttl: request.automatic.ttl, origin: 'automatic' });
  const result = places ? places.serverResult : (placesOf(blocks).at(-1)?.serverResult ?? -1);
  if (found.length > 0 && !isTaken(result)) found.push({ at: result, ttl: '5m', origin: 'server-tool' });
  return found.toSorted((left, right) => left.at - right.at);
};

/** The same prompt with no cache at all. */
export const uncachedPlan = (call: RenderedCall, extra: Partial<Prediction> = {}): Plan => ({
  prediction: {
    usage: { uncached: call.promptTokens, read: 0, writes: {} },
    promptTokens: call.promptTokens,
    hit: undefined,
    breakpoints: [],
    floor: call.facts.floor,
    uncertain: false,
    faults: [],
    ...extra,
  },
  reads: [],
  writes: [],
});
