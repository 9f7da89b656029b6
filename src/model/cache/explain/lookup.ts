/** Which entries a call could have found: by content, by time, and by how far it looks back. */
import { LOOKBACK } from '../anthropic-cache.ts';
import { type Breakpoint, lifetimeOf } from './breakpoints.ts';
import { type Comparison, reachesFloor } from './comparison.ts';
import { coveredTokens, type Subject } from './subject.ts';

export interface Entry {
  readonly index: number;
  readonly breakpoint: Breakpoint;
  readonly from: Comparison;
  readonly isVisible: boolean;
  /** The start of the answer was not recorded. */
  readonly isVisibilityGuessed: boolean;
  readonly isLive: boolean;
}

/** Requests that start closer together than this are taken for parallel if nobody recorded when the first was answered. */
const PARALLEL_MS = 1_000;

const visibleAt = ({ call }: Subject): { readonly at: number; readonly isGuessed: boolean } => {
  if (call.firstByteAt !== undefined) return { at: call.firstByteAt, isGuessed: false };
  const guess = call.startedAt + PARALLEL_MS;
  return { at: call.endedAt === undefined ? guess : Math.min(call.endedAt, guess), isGuessed: true };
};

/** An hour was asked for and only five minutes were given. */
export const isTtlDropped = ({ call }: Subject, { ttl }: Breakpoint): boolean => {
  const writes = call.usage?.writes ?? {};
  return ttl === '1h' && (writes['5m'] ?? 0) > 0 && (writes['1h'] ?? 0) === 0;
};

/** Whether a call left an entry at a breakpoint, as far as its usage and the floor tell. */
const wasWritten = (base: Subject, breakpoint: Breakpoint): boolean => {
  const covered = coveredTokens(base);
  if (breakpoint.origin === 'whole') return true;
  if (covered === 0) return false;
  if (covered !== undefined && breakpoint === base.breakpoints.at(-1)) return true;
  return reachesFloor(base, breakpoint.index);
};

/** Everything that earlier calls left and that this one's content matches. */
export const matchingEntries = (comparisons: readonly Comparison[]): readonly Entry[] =>
  comparisons.flatMap((comparison) => {
    const { base, current, reach, gap } = comparison;
    const { at, isGuessed } = visibleAt(base);
    return base.breakpoints
      .filter((breakpoint) => breakpoint.index < reach && wasWritten(base, breakpoint))
      .map((breakpoint) => ({
        index: breakpoint.index,
        breakpoint,
        from: comparison,
        isVisible: current.call.startedAt >= at,
        isVisibilityGuessed: isGuessed,
        isLive: gap <= lifetimeOf(base.request, breakpoint),
      }));
  });

/** Positions between an entry and the nearest breakpoint behind it; undefined if there is none behind it. */
export const distanceTo = (current: Subject, index: number): number | undefined => {
  const own = current.positions[index] ?? 0;
  const behind = current.breakpoints.find((breakpoint) => breakpoint.index >= index);
  return behind && (current.positions[behind.index] ?? 0) - own;
};

/** Whether a breakpoint of the call leads to the entry. */
export const isInReach = (current: Subject, index: number): boolean => {
  if (current.facts.caching !== 'anthropic') return true;
  const distance = distanceTo(current, index);
  return distance !== undefined && distance < LOOKBACK;
};

export const isReadable = (current: Subject, entry: Entry): boolean =>
  entry.isVisible && entry.isLive && isInReach(current, entry.index);
