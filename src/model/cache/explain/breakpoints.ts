/** Where a call can write and read, in the numbering of the blocks that it sends. */
import type { ModelFacts } from '../../provider/model-book.ts';
import type { WriteTtl } from '../../provider/types.ts';
import { anthropicBreakpoints, type MarkedPlaces, positionsOf } from '../breakpoints.ts';
import { placesOf } from '../openai-breakpoints.ts';
import { LIFETIME_MS } from '../store.ts';
import type { BreakpointReport, CacheBlock, CacheRequest } from '../types.ts';

export interface SentBreakpoint {
  /** Into the blocks that are sent. */
  readonly index: number;
  readonly ttl: WriteTtl;
  /** `whole`: models that match any prefix act as if all of it were marked. */
  readonly origin: BreakpointReport['origin'] | 'whole';
}

/** Any prefix counts; the end of what all sessions share and the end of the prompt stand for all of them. */
const whole = (blocks: readonly CacheBlock[]): SentBreakpoint[] => {
  const fixed = blocks.findLastIndex((block) => block.tier !== 'messages');
  return [...new Set([fixed, blocks.length - 1])]
    .filter((index) => index >= 0)
    .map((index) => ({ index, ttl: 'unknown', origin: 'whole' }));
};

/** Undefined: all of them. */
type Rendered = readonly number[] | undefined;

const seenBlocks = (blocks: readonly CacheBlock[], rendered: Rendered): readonly CacheBlock[] =>
  rendered?.map((index) => blocks[index] as CacheBlock) ?? blocks;

/** `rendered` leads from the blocks that the model sees to those that are sent. */
export const breakpointsOf = (
  request: CacheRequest,
  blocks: readonly CacheBlock[],
  rendered: Rendered,
  facts: ModelFacts,
  /** Of the blocks that are sent, where all of them are seen and somebody has looked already. */
  places?: MarkedPlaces,
): readonly SentBreakpoint[] => {
  if (facts.caching !== 'anthropic' && facts.caching !== 'openai-breakpoints') return whole(blocks);
  const seen = { request, blocks: seenBlocks(blocks, rendered) };
  const found = facts.caching === 'anthropic' ? anthropicBreakpoints(seen, places) : placesOf(seen).written;
  return found.map(({ at, ttl, origin }) => ({ index: rendered?.[at] ?? at, ttl, origin }));
};

/** OpenAI since 5.6: the blocks at whose end the call looks for an entry. Undefined: it is not bound to places. */
export const readPlacesOf = (
  request: CacheRequest,
  blocks: readonly CacheBlock[],
  rendered: Rendered,
  facts: ModelFacts,
): ReadonlySet<number> | undefined => {
  if (facts.caching !== 'openai-breakpoints') return undefined;
  const seen = { request, blocks: seenBlocks(blocks, rendered) };
  return new Set(placesOf(seen).read.map((at) => rendered?.[at] ?? at));
};

/** The number of every block that is sent as the lookback counts; one that is forgotten has that of the block before it. */
export const sentPositions = (blocks: readonly CacheBlock[], rendered: Rendered): readonly number[] => {
  const counted = positionsOf(seenBlocks(blocks, rendered));
  if (!rendered) return counted;
  const positions: number[] = [];
  rendered.forEach((index, at) => (positions[index] = counted[at] ?? 0));
  return blocks.map((_, index) => (positions[index] ??= positions[index - 1] ?? 0));
};

const HOUR = 3_600_000;

/** Models that match any prefix keep it for a day, unless the request or the organization asks for memory only. */
export const lifetimeOf = (request: CacheRequest, { ttl, origin }: SentBreakpoint): number => {
  if (origin !== 'whole') return LIFETIME_MS[ttl];
  return request.params.get('prompt_cache_retention') === '"in_memory"' ? LIFETIME_MS.unknown : 24 * HOUR;
};

/** Idle time after which a cache that lives in memory is usually gone. */
export const IN_MEMORY_MS = LIFETIME_MS.unknown;
