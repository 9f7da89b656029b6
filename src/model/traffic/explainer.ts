/** Verdicts over calls of any source, each held against the call that it continues with. */
import { expectedRead, explainWith } from '../cache/explain/explain.ts';
import { isRevived } from '../cache/explain/kept-outside.ts';
import { createSubjectReader } from '../cache/explain/subject.ts';
import type { ExplainContext, Verdict } from '../cache/explain/types.ts';
import { LIFETIME_MS } from '../cache/store.ts';
import type { Call } from './call.ts';
import { createChains, type Chain, type Place } from './chains.ts';

export interface Explained {
  readonly call: Call;
  readonly chain: Chain;
  readonly verdict: Verdict;
  /** Tokens that it should have read by what came before it, whatever its own usage says; undefined where nobody can tell. */
  readonly expected: () => number | undefined;
  /** Tokens of its prompt by the estimate alone, without its bill; undefined where its body is not known. */
  readonly estimated: () => number | undefined;
}

export interface Explainer {
  /** Calls come in the order of their time. */
  readonly add: (call: Call) => Explained;
}

export interface ExplainerOptions extends Pick<ExplainContext, 'tokens' | 'book'> {
  /** Calls of elsewhere that a new conversation may be meant to begin like. */
  readonly neighbors?: () => readonly Call[];
}

/** Of its own conversation, and of others: calls whose entries a request may have found. */
const MATES = 24;
const OTHERS = 24;
/** Of one conversation. */
const REVIVED = 4;

export const createExplainer = (options: ExplainerOptions = {}): Explainer => {
  const read = createSubjectReader(options);
  const chains = createChains(read);
  const mates = new Map<string, Call[]>();
  let others: readonly Call[] = [];

  const historyOf = ({ chain, relation }: Place): readonly Call[] => {
    const own = mates.get(chain.id) ?? [];
    const parents = chain.parent === undefined ? [] : (mates.get(chain.parent) ?? []);
    // Only conversations of one kind are meant to begin alike.
    const beside = others.filter((other) => relation !== 'beside' || kinds.get(other) === chain.kind);
    const neighbors = relation === 'beside' && chain.kind === 'main' ? (options.neighbors?.() ?? []) : [];
    return [...new Set([...neighbors, ...beside, ...parents, ...own])];
  };
  const kinds = new WeakMap<Call, Chain['kind']>();
  const revived = new Map<string, readonly Call[]>();

  const remember = (call: Call, { chain }: Place): void => {
    kinds.set(call, chain.kind);
    const own = mates.get(chain.id) ?? [];
    // Bodies are looked at only after a pause that is longer than the shortest lifetime.
    if (call.startedAt - (own.at(-1)?.startedAt ?? Infinity) > LIFETIME_MS['5m']) {
      const [current, ...earlier] = [call, ...own].flatMap((one) => {
        const subject = one.known === 'absent' || one.failed === true ? undefined : read(one);
        return subject?.ok === true ? [subject.value] : [];
      });
      if (current?.call === call && isRevived(current, earlier))
        revived.set(chain.id, [...(revived.get(chain.id) ?? []), call].slice(-REVIVED));
    }
    mates.set(chain.id, [...own, call].slice(-MATES));
    others = [...others, call].slice(-OTHERS);
  };

  return {
    add: (call) => {
      const subject = call.known === 'absent' ? undefined : read(call);
      const place = subject?.ok === true ? chains.place(call, subject.value) : chains.placeUnread(call);
      const context: ExplainContext = {
        ...options,
        relation: place.relation,
        history: historyOf(place),
        revived: revived.get(place.chain.id) ?? [],
      };
      const verdict = explainWith(read, place.previous, call, context);
      remember(call, place);
      const isTold = verdict.cause === 'chain-start' && call.told !== undefined;
      return {
        call,
        chain: place.chain,
        verdict: isTold ? call.told : verdict,
        expected: () => expectedRead(read, place.previous, call, context),
        estimated: () => (subject?.ok === true ? subject.value.estimates().at(-1) : undefined),
      };
    },
  };
};

/** One for every call, in the order of the recording. */
export const explainCalls = (calls: readonly Call[], options: ExplainerOptions = {}): readonly Explained[] => {
  const explainer = createExplainer(options);
  const inTime = calls
    .map((call, index) => ({ call, index }))
    .toSorted((a, b) => a.call.startedAt - b.call.startedAt || a.index - b.index);
  const explained: Explained[] = [];
  for (const { call, index } of inTime) explained[index] = explainer.add(call);
  return explained;
};

export const explainAll = (calls: readonly Call[], options: ExplainerOptions = {}): readonly Verdict[] =>
  explainCalls(calls, options).map(({ verdict }) => verdict);
