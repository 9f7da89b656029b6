/** Two recordings, request by request: what each read, wrote, and cost, and where the requests begin to differ. */
import { costOf } from '../provider/cost.ts';
import { type Usage, writtenTokens } from '../provider/types.ts';
import type { Explained } from '../traffic/explainer.ts';
import type { Verdict } from '../cache/explain/types.ts';
import { segmentsOfBody } from './body-segments.ts';
import { comparePrefixes } from './prefix-compare.ts';

export interface SideOfPair {
  readonly line: number | undefined;
  readonly model: string;
  readonly verdict: Verdict;
  /** Undefined: nothing was reported. */
  readonly usage:
    | { readonly read: number; readonly written: number; readonly uncached: number; readonly output: number }
    | undefined;
  /** USD; undefined where a price or the usage is unknown. */
  readonly usd: number | undefined;
}

export interface ComparedPair {
  readonly a: SideOfPair | undefined;
  readonly b: SideOfPair | undefined;
  /** The first part that differs; nothing where B begins as A does, or a request is not known. */
  readonly differs: { readonly title: string; readonly state: string; readonly shared: number } | undefined;
}

export interface ComparedRecordings {
  readonly pairs: readonly ComparedPair[];
  /** USD; undefined where a single one is unknown. */
  readonly usd: { readonly a: number | undefined; readonly b: number | undefined };
}

const usageOf = (usage: Usage | undefined): SideOfPair['usage'] =>
  usage && { read: usage.read, written: writtenTokens(usage), uncached: usage.uncached, output: usage.output };

const sideOf = ({ call, verdict }: Explained): SideOfPair => ({
  line: call.source?.line,
  model: call.model,
  verdict,
  usage: usageOf(call.usage),
  usd: call.usage && costOf(call.usage, call.model).usd,
});

const differenceOf = (a: Explained, b: Explained): ComparedPair['differs'] => {
  if (a.call.wire !== b.call.wire || a.call.known === 'absent' || b.call.known === 'absent') return undefined;
  const [earlier, later] = [segmentsOfBody(a.call.body, a.call.wire), segmentsOfBody(b.call.body, b.call.wire)];
  if (!earlier.ok || !later.ok) return undefined;
  const { breaksAt, shared } = comparePrefixes({ whole: earlier.value }, { whole: later.value });
  return breaksAt && { title: breaksAt.title, state: breaksAt.state, shared };
};

/** Conversations of one kind belong together: a sub-agent more must not shift all requests after it. */
const byKind = (list: readonly Explained[]): ReadonlyMap<string, readonly Explained[]> => {
  const kinds = new Map<string, Explained[]>();
  for (const item of list) kinds.set(item.chain.kind, [...(kinds.get(item.chain.kind) ?? []), item]);
  return kinds;
};

const sum = (sides: readonly (SideOfPair | undefined)[]): number | undefined => {
  const all = sides.flatMap((side) => (side ? [side.usd] : []));
  return all.includes(undefined) ? undefined : all.reduce((total: number, usd) => total + (usd ?? 0), 0);
};

export const compareRecordings = (before: readonly Explained[], after: readonly Explained[]): ComparedRecordings => {
  const [a, b] = [byKind(before), byKind(after)];
  const pairs = [...new Set([...a.keys(), ...b.keys()])].flatMap((kind): readonly ComparedPair[] => {
    const [left, right] = [a.get(kind) ?? [], b.get(kind) ?? []];
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
      const [one, other] = [left[index], right[index]];
      return {
        a: one && sideOf(one),
        b: other && sideOf(other),
        differs: one && other && differenceOf(one, other),
      };
    });
  });
  return { pairs, usd: { a: sum(pairs.map((pair) => pair.a)), b: sum(pairs.map((pair) => pair.b)) } };
};
