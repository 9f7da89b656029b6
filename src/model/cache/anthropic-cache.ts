/** How Anthropic reads and writes: one entry per breakpoint, found again by walking back from breakpoints. */
import { sha256 } from '../../base/hash.ts';
import { plural } from '../../base/text.ts';
import type { Ttl } from '../provider/types.ts';
import {
  anthropicBreakpoints,
  type CacheBreakpoint,
  hitAt,
  isClose,
  keyAt,
  type Plan,
  positionAt,
  type RenderedCall,
  writeAt,
} from './breakpoints.ts';
import { publicEntry, type StoredEntry, type StoreView } from './store.ts';
import type { BreakpointReport } from './types.ts';

/** Positions that a breakpoint looks at, its own included. */
export const LOOKBACK = 20;

/** For models whose floor nobody has published. */
const ASSUMED_FLOOR = 512;
/** The highest floor of any model: with an unknown floor, what is longer is certain all the same. */
const HIGHEST_FLOOR = 4_096;

/** Measured elsewhere on one model: shorter prefixes are missed now and then. */
const SAFE_PREFIX = 4_096;
const SMALL_PREFIX_HIT_RATE = 0.83;

interface AnthropicOptions {
  readonly isCalibrated: boolean;
  readonly refreshesShorter: boolean;
}

interface Hit {
  readonly entry: StoredEntry;
  readonly at: number;
  readonly from: CacheBreakpoint;
  readonly distance: number;
}

/** The same for the same request at the same time, so that a prediction can be repeated. */
const isUnlucky = (call: RenderedCall, at: number): boolean => {
  if ((call.prefix[at] ?? 0) >= SAFE_PREFIX) return false;
  const draw = Number.parseInt(sha256(`${keyAt(call, at)} ${call.startedAt}`).slice(0, 8), 16) / 0x1_0000_0000;
  return draw >= SMALL_PREFIX_HIT_RATE;
};

const findHit = (
  call: RenderedCall,
  store: StoreView,
  breakpoints: readonly CacheBreakpoint[],
  isCalibrated: boolean,
): Hit | undefined => {
  for (const from of breakpoints.toReversed()) {
    const own = positionAt(call.blocks, from.at);
    const distance = (at: number): number => own - positionAt(call.blocks, at);
    for (let at = from.at; at >= 0 && distance(at) < LOOKBACK; at--) {
      const entry = hitAt(call, store, at);
      if (entry && !(isCalibrated && isUnlucky(call, at))) return { entry, at, from, distance: distance(at) };
    }
  }
  return undefined;
};

export const planAnthropic = (call: RenderedCall, store: StoreView, options: AnthropicOptions): Plan => {
  const { facts, prefix, blocks, promptTokens } = call;
  const known = options.isCalibrated ? (facts.observedFloor ?? facts.floor) : facts.floor;
  const floor = known ?? ASSUMED_FLOOR;
  const breakpoints = anthropicBreakpoints(call);
  const hit = findHit(call, store, breakpoints, options.isCalibrated);
  const tokensAt = (at: number): number => prefix[at] ?? 0;
  const read = hit ? tokensAt(hit.at) : 0;
  const isBeyond = ({ at }: CacheBreakpoint): boolean => at > (hit?.at ?? -1);
  const open = breakpoints.filter(isBeyond);
  const written = open.filter(({ at }) => tokensAt(at) >= floor);

  const report = (breakpoint: CacheBreakpoint): BreakpointReport => {
    const { at, ttl, origin } = breakpoint;
    const tokens = tokensAt(at);
    const told = { label: blocks[at]?.label ?? '', block: call.chain.rendered[at] ?? at, ttl, origin, tokens };
    if (hit?.at === at)
      return { ...told, outcome: 'read', reason: `An entry ends exactly here: ${tokens} tokens are read.` };
    if (!isBeyond(breakpoint))
      return { ...told, outcome: 'covered', reason: `It is inside the ${read} tokens that are read.` };
    if (tokens < floor)
      return {
        ...told,
        outcome: 'below-floor',
        reason: `${tokens} tokens up to here are below the floor of ${floor}.`,
      };
    const back =
      hit?.from === breakpoint
        ? ` The entry that is read was found ${plural(hit.distance, 'position')} back, at ${blocks[hit.at]?.label ?? ''}.`
        : '';
    return { ...told, outcome: 'written', reason: `An entry of ${tokens} tokens is written for ${ttl}.${back}` };
  };

  const endOf = (ttl: Ttl): number => tokensAt(written.findLast((breakpoint) => breakpoint.ttl === ttl)?.at ?? -1);
  const longEnd = Math.max(read, endOf('1h'));
  const lastEnd = Math.max(longEnd, tokensAt(written.at(-1)?.at ?? -1));
  const isUnsure = (tokens: number): boolean =>
    known === undefined ? tokens < HIGHEST_FLOOR : call.estimated && isClose(tokens, floor);
  const shorter = options.refreshesShorter
    ? breakpoints.flatMap(({ at }) => (hit && at < hit.at ? (hitAt(call, store, at) ?? []) : []))
    : [];

  return {
    prediction: {
      usage: {
        read,
        uncached: promptTokens - lastEnd,
        writes: {
          ...(longEnd > read && { '1h': longEnd - read }),
          ...(lastEnd > longEnd && { '5m': lastEnd - longEnd }),
        },
      },
      promptTokens,
      hit: hit && publicEntry(hit.entry),
      breakpoints: breakpoints.map(report),
      floor: known,
      uncertain: open.some(({ at }) => isUnsure(tokensAt(at))),
      faults: [],
      ...(known === undefined && {
        note: `The floor of ${facts.id} is unknown. Lathe assumes ${ASSUMED_FLOOR} tokens.`,
      }),
    },
    reads: hit ? [hit.entry, ...shorter] : [],
    writes: written.map((breakpoint) => writeAt(call, breakpoint, tokensAt(breakpoint.at))),
  };
};
