/** How OpenAI caches since GPT-5.6: exact prefixes that end at breakpoints. */
import type { WriteTtl } from '../provider/types.ts';
import {
  type CacheBreakpoint,
  hitAt,
  isClose,
  type Plan,
  type RenderedCall,
  uncachedPlan,
  writeAt,
} from './breakpoints.ts';
import { publicEntry, type StoreView } from './store.ts';
import type { BreakpointReport, CacheBlock } from './types.ts';

/** Breakpoints that one request can write, the implicit one included. */
const MAX_WRITES = 4;
/** Breakpoints that are looked at, from the latest back. The package's documentation says 80, a copy of the guide 50. */
const READ_WINDOW = 80;
const FLOOR = 1_024;

const isOpenAiTtl = (ttl: WriteTtl | undefined): ttl is '30m' | '12h' => ttl === '30m' || ttl === '12h';

const isFromUserOrTool = (block: CacheBlock): boolean =>
  block.role === 'user' ||
  block.role === 'tool' ||
  // Without a role it is an item of its own, such as `function_call_output`; parts of its output are blocks after it.
  (block.role === undefined && block.message !== undefined && /_output$|^input_/.test(block.kind));

/** The last block of every message of a user or a tool: where the implicit breakpoint of some turn was or is. */
const implicitPlaces = (blocks: readonly CacheBlock[]): readonly number[] =>
  blocks.flatMap((block, at) => (isFromUserOrTool(block) && blocks[at + 1]?.message !== block.message ? [at] : []));

interface Places {
  readonly written: readonly CacheBreakpoint[];
  readonly passedOver: readonly CacheBreakpoint[];
  readonly read: readonly number[];
}

export const placesOf = (call: Pick<RenderedCall, 'blocks' | 'request'>): Places => {
  const { blocks, request } = call;
  const isImplicit = request.params.get('prompt_cache_options.mode') !== '"explicit"';
  const ttl: WriteTtl = request.params.get('prompt_cache_options.ttl') === '"12h"' ? '12h' : '30m';
  const explicit = blocks.flatMap((block, at): CacheBreakpoint[] =>
    isOpenAiTtl(block.marker?.ttl) && block.unmarkable === undefined
      ? [{ at, ttl: block.marker.ttl, origin: 'explicit' }]
      : [],
  );
  const implicit = isImplicit ? implicitPlaces(blocks) : [];
  const latest = implicit.at(-1);
  const own: readonly CacheBreakpoint[] =
    latest === undefined || explicit.some(({ at }) => at === latest) ? [] : [{ at: latest, ttl, origin: 'implicit' }];
  // The implicit breakpoint has a slot of its own, also where an explicit one lies on the same block.
  const slots = latest === undefined ? MAX_WRITES : MAX_WRITES - 1;
  const cut = Math.max(0, explicit.length - slots);
  // Earlier turns wrote at their latest user or tool message; those places count as breakpoints of the conversation.
  const read = [...new Set([...explicit.map(({ at }) => at), ...implicit])].toSorted((left, right) => left - right);
  return {
    written: [...explicit.slice(cut), ...own].toSorted((left, right) => left.at - right.at),
    passedOver: explicit.slice(0, cut),
    read: read.slice(-READ_WINDOW),
  };
};

const SERVER_HISTORY = ['previous_response_id', 'conversation', 'prompt'];

/** A part of the prompt is with the provider, so its prefix cannot be known. */
export const hasServerHistory = (call: Pick<RenderedCall, 'request'>): boolean =>
  SERVER_HISTORY.some((name) => call.request.params.has(name));

export const planBreakpoints = (call: RenderedCall, store: StoreView): Plan => {
  if (hasServerHistory(call))
    return uncachedPlan(call, {
      floor: FLOOR,
      uncertain: true,
      note: 'The provider stores part of this prompt (previous_response_id, conversation, or prompt). Lathe knows only the sent part.',
    });
  const { blocks, prefix, promptTokens, request } = call;
  const places = placesOf(call);
  const tokensAt = (at: number): number => prefix[at] ?? 0;
  const hitPlace = places.read.findLast((at) => hitAt(call, store, at) !== undefined);
  const hit = hitPlace === undefined ? undefined : hitAt(call, store, hitPlace);
  const read = hitPlace === undefined ? 0 : tokensAt(hitPlace);
  const isBeyond = ({ at }: CacheBreakpoint): boolean => at > (hitPlace ?? -1);
  const written = places.written.filter((breakpoint) => isBeyond(breakpoint) && tokensAt(breakpoint.at) >= FLOOR);

  const report = (breakpoint: CacheBreakpoint): BreakpointReport => {
    const { at, ttl, origin } = breakpoint;
    const tokens = tokensAt(at);
    const told = { label: blocks[at]?.label ?? '', block: call.chain.rendered[at] ?? at, ttl, origin, tokens };
    if (at === hitPlace)
      return { ...told, outcome: 'read', reason: `An entry ends exactly here: ${tokens} tokens are read.` };
    if (!isBeyond(breakpoint))
      return { ...told, outcome: 'covered', reason: `It is inside the ${read} tokens that are read.` };
    if (places.passedOver.includes(breakpoint))
      return {
        ...told,
        outcome: 'not-written',
        reason: `A request writes ${MAX_WRITES} breakpoints at most, the latest ones.`,
      };
    if (tokens < FLOOR)
      return {
        ...told,
        outcome: 'below-floor',
        reason: `${tokens} tokens up to here are below the floor of ${FLOOR}.`,
      };
    return { ...told, outcome: 'written', reason: `An entry of ${tokens} tokens is written for ${ttl}.` };
  };

  // Each stretch is billed for the breakpoint that ends it; how OpenAI splits them is not published.
  const writes: Partial<Record<WriteTtl, number>> = {};
  let end = read;
  for (const { at, ttl } of written) {
    const more = tokensAt(at) - end;
    if (more > 0) writes[ttl] = (writes[ttl] ?? 0) + more;
    end = Math.max(end, tokensAt(at));
  }
  const isUnkeyed = request.cacheKey === undefined && hit !== undefined;
  return {
    prediction: {
      usage: { read, uncached: promptTokens - end, writes },
      promptTokens,
      hit: hit && publicEntry(hit),
      breakpoints: [...places.passedOver, ...places.written].map(report),
      floor: FLOOR,
      uncertain:
        isUnkeyed ||
        (call.estimated &&
          places.written.some((breakpoint) => isBeyond(breakpoint) && isClose(tokensAt(breakpoint.at), FLOOR))),
      faults: [],
      ...(isUnkeyed && { note: 'Without prompt_cache_key a hit is not reliable.' }),
    },
    reads: hit ? [hit] : [],
    writes: written.map((breakpoint) => writeAt(call, breakpoint, tokensAt(breakpoint.at))),
  };
};
