/**
 * How often the model of the cache is right about recorded requests: what it expects of a request, going by those before it
 * alone, is held against the bill. What counts as a false miss is judged by the source's own conversations, not by chains.
 */
import { passesOf } from '../cache/explain/passes.ts';
import type { Verdict } from '../cache/explain/types.ts';
import { promptTokens, writtenTokens } from '../provider/types.ts';
import type { Explained } from './explainer.ts';

export interface Accuracy {
  readonly model: string;
  /** All of them; the others count only those with a bill that speaks of the cache. */
  readonly requests: number;
  readonly billed: number;
  /** Read or not (more than 5,000 tokens), as expected. */
  readonly readRight: number;
  /** Of the others: first requests that read what somebody else had left. */
  readonly foreign: number;
  /** The tokens that were read, within 5%. */
  readonly within: number;
  /** Called a miss although all that the previous request had left was read, or although nothing came before. */
  readonly falseMisses: number;
  /** Less was read than the previous request had left, and no miss was named. */
  readonly overlooked: number;
  readonly subAgentMisses: number;
  /** A verdict that says that nothing was there to read, beside a read. */
  readonly coldReads: number;
  /** Billed growth ÷ estimated growth of the prompt, of every request that only adds to the previous one: what is off about the tokens. */
  readonly growth: readonly number[];
}

/** Below this a read is of a few tools, and above it of a prompt. */
const READ = 5_000;
/** Of the billed tokens. */
const NEAR = 0.05;

type Counts = { -readonly [K in keyof Accuracy]: Accuracy[K] } & { growth: number[] };

/** Less than this is mostly rounding, and what is added around a message. */
const LEAST_GROWTH = 200;

interface Size {
  readonly billed: number;
  readonly estimated: number;
}

/** How much more than estimated a request grew; undefined where it did not only grow, or too little to tell. */
const growthOf = (before: Size | undefined, after: Size): number | undefined => {
  if (!before) return undefined;
  const [billed, estimated] = [after.billed - before.billed, after.estimated - before.estimated];
  return billed >= LEAST_GROWTH && estimated >= LEAST_GROWTH ? billed / estimated : undefined;
};

export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

const conversationOf = ({ call }: Explained): string =>
  call.conversation?.id ?? call.sessionId ?? call.source?.file ?? '';

/** Verdicts that rest on nothing having been there to read. */
const isCold = ({ verdict }: Explained): boolean =>
  verdict.cause === 'below-floor' || (verdict.cause === 'marker-fault' && verdict.kind === 'waste');

const isMiss = ({ kind }: Verdict): boolean => kind === 'miss';

/** By model, in order of appearance. */
export const accuracyOf = (explained: readonly Explained[]): readonly Accuracy[] => {
  const rows = new Map<string, Counts>();
  const left = new Map<string, number>();
  const sizes = new Map<string, Size>();
  for (const item of explained.toSorted((a, b) => a.call.startedAt - b.call.startedAt)) {
    const { call, chain, verdict } = item;
    const row: Counts = rows.get(call.model) ?? {
      model: call.model,
      requests: 0,
      billed: 0,
      readRight: 0,
      foreign: 0,
      within: 0,
      falseMisses: 0,
      overlooked: 0,
      subAgentMisses: 0,
      coldReads: 0,
      growth: [],
    };
    rows.set(call.model, row);
    row.requests++;
    const passes = passesOf(call);
    const usage = passes.first;
    if (usage?.cacheReported !== true) continue;
    row.billed++;
    const { read } = usage;
    const expected = item.expected() ?? 0;
    if (expected > READ === read > READ) row.readRight++;
    else if (verdict.cause === 'chain-start' && read > READ) row.foreign++;
    if (Math.abs(expected - read) <= read * NEAR) row.within++;
    const key = `${conversationOf(item)} ${call.model}`;
    const before = left.get(key);
    const estimated = item.estimated();
    if (estimated !== undefined && chain.kind !== 'compaction') {
      const size = { billed: promptTokens(usage), estimated };
      const growth = verdict.kind === 'hit' ? growthOf(sizes.get(key), size) : undefined;
      if (growth !== undefined) row.growth.push(growth);
      sizes.set(key, size);
    }
    const isAll = before === undefined || read >= before * (1 - NEAR);
    if (isMiss(verdict) && isAll) row.falseMisses++;
    if (!isAll && verdict.kind === 'hit') row.overlooked++;
    if (isMiss(verdict) && before === undefined && chain.kind === 'sub-agent') row.subAgentMisses++;
    if (read > 0 && isCold(item)) row.coldReads++;
    // A compaction is asked for with the conversation and leaves nothing for it.
    if (chain.kind !== 'compaction') left.set(key, passes.left ?? read + writtenTokens(usage));
  }
  return [...rows.values()];
};
