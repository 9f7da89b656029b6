/** The best breakpoints for a recording, within what a provider allows (WIF16, WIF17). */
import { LOOKBACK } from '../cache/anthropic-cache.ts';
import { MAX_MARKERS } from '../cache/validate.ts';
import { TTLS } from '../provider/types.ts';
import type { Prepared } from './prepare.ts';
import type { Placement, Policy, Step } from './types.ts';
import { forecastUsd } from './whatif.ts';

export interface Plan {
  readonly breakpoints: readonly Placement[];
  /** USD that it would have saved against the policy without it; zero where the recorded breakpoints are as good. */
  readonly saves: number;
  /** Whether the recorded breakpoints are already the best. */
  readonly isRecorded: boolean;
}

/** Labels of single blocks are tried only where they are few. */
const FEW_LABELS = 16;
/** Policies that are tried at most, for a recording of any size. */
const MOST_TRIES = 400;
/** Blocks that all tries together may look at: a few seconds. */
const MOST_WORK = 4_000_000;

/** A marker this far before the end is in reach of the next request, which may add nearly as many blocks again. */
const HALF_WAY = LOOKBACK - 2;

const candidates = (steps: readonly Step[]): readonly Placement['at'][] => {
  const labels = new Set<string>();
  for (const { items } of steps)
    for (const { block } of items) if (block.unmarkable === undefined && !block.deferred) labels.add(block.label);
  const own = [...labels].filter((label) => !label.startsWith('tools['));
  const single = own.length <= FEW_LABELS ? own : own.filter((label) => label.startsWith('system['));
  const isLong = steps.some(({ items }) => items.length > LOOKBACK);
  return ['tools', 'system', 'last', ...(isLong ? [`last-${HALF_WAY}` as const] : []), ...single];
};

const keyOf = (set: readonly Placement[]): string =>
  set
    .map(({ at, ttl = '' }) => `${at}@${ttl}`)
    .toSorted()
    .join(',');

/** All sets that one change away: a breakpoint more, one less, one elsewhere, or one with another TTL. */
const neighbors = (set: readonly Placement[], places: readonly Placement[]): readonly (readonly Placement[])[] => {
  const isFree = ({ at }: Placement): boolean => !set.some((one) => one.at === at);
  const replaced = set.flatMap((_, index) =>
    places.filter((place) => isFree(place) || place.at === set[index]?.at).map((place) => set.with(index, place)),
  );
  return [
    ...(set.length < MAX_MARKERS ? places.filter(isFree).map((place) => set.concat(place)) : []),
    ...replaced,
    ...set.map((_, index) => set.toSpliced(index, 1)),
  ];
};

/**
 * Improves one change at a time, from several beginnings, until no single change helps. Undefined where prices are unknown or
 * nothing can be marked. A provider refuses more than four; floor and lookback are those of the cache model.
 */
export const bestBreakpoints = async (prepared: Prepared, policy: Policy = {}): Promise<Plan | undefined> => {
  const { breakpoints: _own, ttl, ...rest } = policy;
  const given = await forecastUsd(prepared, policy);
  if (given === undefined || prepared.steps.length === 0) return undefined;
  const places = candidates(prepared.steps).flatMap((at): readonly Placement[] =>
    (typeof ttl === 'string' ? [ttl] : TTLS).map((one) => ({ at, ttl: one })),
  );
  const work = prepared.steps.reduce((sum, { items }) => sum + items.length, 0);
  let left = Math.max(40, Math.min(MOST_TRIES, Math.floor(MOST_WORK / Math.max(1, work))));
  const tried = new Map<string, number>();
  const costOf = async (set: readonly Placement[]): Promise<number> => {
    const key = keyOf(set);
    const known = tried.get(key);
    if (known !== undefined) return known;
    if (left <= 0) return Infinity;
    left--;
    const usd = (await forecastUsd(prepared, { ...rest, breakpoints: set })) ?? Infinity;
    tried.set(key, usd);
    return usd;
  };
  const starts: readonly (readonly Placement[])[] = (typeof ttl === 'string' ? [ttl] : TTLS).flatMap((one) => [
    [
      { at: 'tools', ttl: one },
      { at: 'system', ttl: one },
      { at: 'last', ttl: one },
    ],
    [{ at: 'last', ttl: one }],
    [
      { at: 'tools', ttl: one },
      { at: 'system', ttl: one },
    ],
  ]);
  let best: readonly Placement[] = [];
  let usd = await costOf(best);
  for (const start of starts) {
    const cost = await costOf(start);
    if (cost < usd) [best, usd] = [start, cost];
  }
  for (let isBetter = true; isBetter && left > 0;) {
    isBetter = false;
    for (const next of neighbors(best, places)) {
      const cost = await costOf(next);
      if (cost < usd - 1e-12) {
        [best, usd] = [next, cost];
        isBetter = true;
        break;
      }
    }
  }
  // Each breakpoint that saves nothing is one more to set.
  for (const place of best) {
    const fewer = best.filter((one) => one !== place);
    if ((await costOf(fewer)) <= usd + 1e-12) best = fewer;
  }
  return { breakpoints: best, saves: Math.max(0, given - usd), isRecorded: given <= usd + 1e-12 };
};
