/** What a run consists of: cases with keys that stay the same when it is resumed. */
import { sha256 } from '../../../base/hash.ts';
import { compareCodePoints } from '../../../base/text.ts';
import type { CanonicalRequest } from '../../provider/types.ts';
import type { Suite, TriggerQuery } from '../suite/types.ts';

export interface EvalCase {
  readonly key: string;
  readonly query: TriggerQuery;
  /** From 0. */
  readonly repeat: number;
}

/** In order, made as they are asked for: an array is one, too. */
export interface CaseList extends Iterable<EvalCase> {
  readonly length: number;
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

export interface EvalPlan {
  readonly digest: string;
  readonly cases: CaseList;
  /** Of this part. */
  readonly queries: readonly TriggerQuery[];
  /** Whether this part has such a case. */
  readonly has: (query: string, repeat: number) => boolean;
  /** The cases of which nothing is known. */
  readonly missing: (isKnown: (query: string, repeat: number) => boolean) => CaseList;
  readonly maxTurns: number;
}

/** In the order of hashed ids, so that a shard is no matter of where in the file a query is. */
const inShard = (queries: readonly TriggerQuery[], { index, count }: Shard): readonly TriggerQuery[] => {
  const sorted = queries.toSorted((a, b) => compareCodePoints(sha256(a.id), sha256(b.id)));
  const [from, to] = [Math.floor((sorted.length * (index - 1)) / count), Math.floor((sorted.length * index) / count)];
  const chosen = new Set(sorted.slice(from, to));
  return queries.filter((query) => chosen.has(query));
};

/** Whether a result of one run can stand in for another: the same listing, tools, model, suite, and repeats. */
const digestOf = (suite: Suite, repeats: number | undefined, first: CanonicalRequest): string =>
  sha256(
    JSON.stringify([
      1,
      first.model,
      first.tools,
      first.system.stable,
      first.thinking ?? null,
      first.effort ?? null,
      first.maxOutputTokens,
      suite.defaults.maxTurns,
      repeats ?? suite.defaults.repeats,
      suite.queries.map(({ line: _line, note: _note, tags: _tags, x: _x, ...query }) => query),
    ]),
  ).slice(0, 32);

/** Round by round, so that a run that is stopped early has asked every query about as often. */
export const planEval = (
  suite: Suite,
  first: CanonicalRequest,
  options: { readonly repeats?: number; readonly shard?: Shard } = {},
): EvalPlan => {
  const digest = digestOf(suite, options.repeats, first);
  const queries = options.shard ? inShard(suite.queries, options.shard) : suite.queries;
  const repeatsOf = (query: TriggerQuery): number => options.repeats ?? query.repeats ?? suite.defaults.repeats;
  const rounds = queries.reduce((most, query) => Math.max(most, repeatsOf(query)), 0);
  const repeats = new Map(queries.map((query) => [query.id, repeatsOf(query)]));
  function* places(): Generator<readonly [TriggerQuery, number]> {
    for (let repeat = 0; repeat < rounds; repeat++)
      for (const query of queries) if (repeat < repeatsOf(query)) yield [query, repeat];
  }
  const missing: EvalPlan['missing'] = (isKnown) => {
    let length = 0;
    for (const [{ id }, repeat] of places()) if (!isKnown(id, repeat)) length++;
    return {
      length,
      *[Symbol.iterator]() {
        for (const [query, repeat] of places())
          if (!isKnown(query.id, repeat))
            yield { key: sha256(`${digest} ${query.id} ${repeat}`).slice(0, 24), query, repeat };
      },
    };
  };
  return {
    digest,
    cases: missing(() => false),
    queries,
    has: (query, repeat) => repeat < (repeats.get(query) ?? 0),
    missing,
    maxTurns: suite.defaults.maxTurns,
  };
};
