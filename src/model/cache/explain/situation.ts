/** A request, the one that it is held against, and what it could have found. */
import { once } from '../../../base/once.ts';
import { compare, type Comparison, targetOf } from './comparison.ts';
import { type Entry, isReadable, matchingEntries } from './lookup.ts';
import { coveredTokens, longestTtl, prefixTokens, type Subject } from './subject.ts';
import type { ExplainContext } from './types.ts';

export interface Situation {
  readonly context: ExplainContext;
  readonly current: Subject;
  readonly comparison: Comparison;
  /** Everything that could share a cache with the call. Costly: asked for only where something was missed. */
  readonly others: () => readonly Comparison[];
  /** Of the breakpoint that should have been read. */
  readonly target: number | undefined;
  /** Tokens that could have been read. */
  readonly need: number;
  readonly entries: () => readonly Entry[];
  /** Tokens that were read, or would be by the model. */
  readonly read: number;
}

/** Models that match any prefix count in steps of 128. */
const inSteps = (tokens: number): number => Math.max(0, Math.floor(tokens / 128) * 128);

const longestReadable = (current: Subject, entries: readonly Entry[]): number => {
  // Of several calls that used one entry the latest knows its size best.
  const [found] = entries
    .filter((entry) => isReadable(current, entry))
    .toSorted((a, b) => b.index - a.index || a.from.gap - b.from.gap);
  return found ? prefixTokens(found.from.base, found.index) : 0;
};

/** Tokens that a request can read of what earlier ones left. */
export const readableTokens = (current: Subject, others: readonly Comparison[]): number => {
  const read = longestReadable(current, matchingEntries(others));
  if (current.breakpoints[0]?.origin !== 'whole') return read;
  // Any beginning counts, not only one that ends with a request.
  const shared = others
    .filter(({ base, gap }) => gap <= longestTtl(base))
    .map(({ base, reach }) => inSteps(reach === 0 ? 0 : prefixTokens(base, reach - 1)));
  const most = Math.max(0, inSteps(read), ...shared);
  return most < (current.facts.floor ?? 0) ? 0 : most;
};

export const situationOf = (
  context: ExplainContext,
  comparison: Comparison,
  candidates: readonly Subject[],
): Situation => {
  const { base, current, common } = comparison;
  const target = targetOf(comparison);
  const others = once(() => candidates.map((other) => (other === base ? comparison : compare(other, current))));
  const entries = once(() => matchingEntries(others()));
  const { usage } = current;
  const isWhole = current.breakpoints[0]?.origin === 'whole';
  // With no breakpoint to go by, what both are meant to share could have had one.
  const shared = Math.max(common, current.messagesAt) - 1;
  const need = target === undefined ? (shared < 0 ? 0 : prefixTokens(current, shared)) : prefixTokens(base, target);
  return {
    context,
    current,
    comparison,
    others,
    target,
    need: isWhole ? inSteps(need) : need,
    entries,
    read: usage?.cacheReported === true ? usage.read : longestReadable(current, entries()),
  };
};

/**
 * How much of what was expected counts as all of it: generous where it is an estimate. Where usage gave the size and the
 * model expects a miss, every token counts.
 */
const EXACT = 0.95;
const ESTIMATED = 0.7;

export const isFullRead = ({ current, comparison, target, need, read, entries }: Situation): boolean => {
  if (current.usage?.cacheReported !== true || read === 0 || target === undefined) return false;
  if (read >= need) return true;
  const { base } = comparison;
  const isExact = target === base.breakpoints.at(-1)?.index && (coveredTokens(base) ?? 0) > 0;
  if (!isExact) return read >= need * ESTIMATED;
  // A mean is no more than what was left: every later pass reads as much as the first, and more.
  if (base.passes.isMean || current.passes.isMean) return read >= need * EXACT;
  return read >= need * EXACT && entries().some((entry) => entry.index >= target && isReadable(current, entry));
};

/**
 * What both requests begin with: what a cache could have saved. Each knows it from its own bill; what nobody can count, such
 * as encrypted reasoning, makes the beginning of the later one look larger than it is.
 */
export const sharedTokens = ({ base, current, reach }: Comparison): number =>
  reach > 0 ? Math.min(prefixTokens(base, reach - 1), prefixTokens(current, reach - 1)) : 0;
