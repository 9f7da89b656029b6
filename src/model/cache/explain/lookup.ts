/** Which entries a call could have found: by content, by time, and by how far it looks back. */
import { LOOKBACK } from '../anthropic-cache.ts';
import { type SentBreakpoint, lifetimeOf } from './breakpoints.ts';
import { compare, type Comparison, reachesFloor } from './comparison.ts';
import { coveredTokens, prefixTokens, type Subject } from './subject.ts';

export interface Entry {
  readonly index: number;
  readonly breakpoint: SentBreakpoint;
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

/** An hour was asked for and only five minutes were given; who only read did not ask. */
export const isTtlDropped = ({ call, breakpoints }: Subject, breakpoint: SentBreakpoint): boolean => {
  const writes = call.usage?.writes ?? {};
  const { ttl } = breakpoint;
  return breakpoints.includes(breakpoint) && ttl === '1h' && (writes['5m'] ?? 0) > 0 && (writes['1h'] ?? 0) === 0;
};

/** Whether a call left an entry at a breakpoint, as far as its usage and the floor tell. */
const wasWritten = (base: Subject, breakpoint: SentBreakpoint): boolean => {
  const covered = coveredTokens(base);
  if (breakpoint.origin === 'whole') return true;
  if (covered === 0) return false;
  if (covered !== undefined && breakpoint === base.breakpoints.at(-1)) return true;
  return reachesFloor(base, breakpoint.index);
};

interface Held {
  /** Of the call that wrote the entry: a read keeps its TTL. */
  readonly breakpoint: SentBreakpoint;
  /** Who used it last. */
  readonly by: Subject;
}

/** Usage counts and we estimate. */
const NEARLY = 0.95;

const isReadUpTo = ({ usage }: Subject, tokens: number): boolean => (usage?.read ?? 0) >= tokens * NEARLY;

/** Whether a later call found an entry of an earlier one in time. */
const isInTime = ({ breakpoint, by }: Held, reader: Subject): boolean =>
  reader.call.startedAt >= visibleAt(by).at &&
  reader.call.startedAt - by.call.startedAt <= lifetimeOf(by.request, breakpoint);

/** By its usage, or else by time, the call found the entry that is at the end of a block. */
const hasFound = (held: Held, reader: Subject, index: number): boolean =>
  coveredTokens(reader) === undefined ? isInTime(held, reader) : isReadUpTo(reader, prefixTokens(reader, index));

/** Inside what is read nothing is written: a call before had left a longer entry, and this one found it. */
const isCovered = (base: Subject, index: number, older: readonly Comparison[]): boolean =>
  older.some(({ base: writer }) => {
    const longer = writer.breakpoints.filter(
      (breakpoint) =>
        breakpoint.index > index && breakpoint.index < base.blocks.length && wasWritten(writer, breakpoint),
    );
    if (longer.length === 0) return false;
    const { reach } = compare(writer, base);
    return longer.some(
      (breakpoint) =>
        breakpoint.index < reach &&
        isInReach(base, breakpoint.index) &&
        hasFound({ breakpoint, by: writer }, base, index),
    );
  });

/** For each breakpoint that has an entry after it, the breakpoint that wrote it. */
const writersOf = (comparisons: readonly Comparison[]): ReadonlyMap<SentBreakpoint, SentBreakpoint> => {
  const writers = new Map<SentBreakpoint, SentBreakpoint>();
  const held = new Map<number, Held>();
  const older: Comparison[] = [];
  let longest = -1;
  for (const comparison of comparisons.toSorted((left, right) => right.gap - left.gap)) {
    const { base, reach } = comparison;
    for (const breakpoint of base.breakpoints) {
      const { index } = breakpoint;
      if (index >= reach || !wasWritten(base, breakpoint)) continue;
      const before = held.get(index);
      const known = before && isInTime(before, base) ? before : undefined;
      if (!known && breakpoint.origin !== 'whole' && index < longest && isCovered(base, index, older)) continue;
      const writer =
        known && known.breakpoint.ttl !== breakpoint.ttl && hasFound(known, base, index)
          ? known.breakpoint
          : breakpoint;
      writers.set(breakpoint, writer);
      held.set(index, { breakpoint: writer, by: base });
    }
    older.push(comparison);
    longest = Math.max(longest, base.breakpoints.at(-1)?.index ?? -1);
  }
  return writers;
};

/** Everything that earlier calls left and that this one's content matches. */
export const matchingEntries = (comparisons: readonly Comparison[]): readonly Entry[] => {
  const writers = writersOf(comparisons);
  return comparisons.flatMap((comparison) => {
    const { base, current, gap } = comparison;
    const { at, isGuessed } = visibleAt(base);
    return base.breakpoints.flatMap((own): Entry[] => {
      const breakpoint = writers.get(own);
      if (!breakpoint) return [];
      return [
        {
          index: own.index,
          breakpoint,
          from: comparison,
          isVisible: current.call.startedAt >= at,
          isVisibilityGuessed: isGuessed,
          isLive: gap <= lifetimeOf(base.request, breakpoint),
        },
      ];
    });
  });
};

/** Positions between an entry and the nearest breakpoint after it; undefined if none exists after it. */
export const distanceTo = (current: Subject, index: number): number | undefined => {
  const positions = current.positions();
  const behind = current.breakpoints.find((breakpoint) => breakpoint.index >= index);
  return behind && (positions[behind.index] ?? 0) - (positions[index] ?? 0);
};

/** Whether a breakpoint of the call leads to the entry. */
export const isInReach = (current: Subject, index: number): boolean => {
  if (current.readPlaces) return current.readPlaces.has(index);
  if (current.facts.caching !== 'anthropic') return true;
  const distance = distanceTo(current, index);
  return distance !== undefined && distance < LOOKBACK;
};

export const isReadable = (current: Subject, entry: Entry): boolean =>
  entry.isVisible && entry.isLive && isInReach(current, entry.index);
