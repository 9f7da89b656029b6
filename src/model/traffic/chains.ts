/**
 * Which call continues with which. A request continues the conversation whose last body and answer are at the head of its
 * messages; an answer that is found word for word outweighs everything else. Else it starts a chain (`SPEC.md`, TF1 to TF9).
 */
import {
  BONDS,
  answerMarks,
  type Bond,
  blockMarks,
  bondOf,
  heldBehindQuestion,
  relationOf,
} from '../cache/explain/relation.ts';
import type { Subject, SubjectReader } from '../cache/explain/subject.ts';
import type { Relation } from '../cache/explain/types.ts';
import { modelFacts } from '../provider/model-book.ts';
import { createBlockKeys } from './block-keys.ts';
import type { Call, ChainKind } from './call.ts';
import { kindOfRequest } from './harness.ts';

export interface Chain {
  readonly id: string;
  readonly kind: ChainKind;
  /** The chain that this one was started from. */
  readonly parent?: string;
}

export interface Place {
  readonly chain: Chain;
  /** The call that this one continues with, or begins again from. */
  readonly previous?: Call;
  readonly relation: Relation;
}

interface Node {
  readonly call: Call;
  readonly chain: ChainState;
  /** Messages of its body, in blocks. */
  readonly length: number;
  isContinued: boolean;
}

interface ChainState extends Chain {
  tip?: Node;
}

export interface Chains {
  /** Calls come in the order of their time. */
  readonly place: (call: Call, subject: Subject) => Place;
  /** One whose body cannot be read or is not known: its source alone tells. */
  readonly placeUnread: (call: Call) => Place;
}

/** Chains whose last call is compared where nothing else tells. */
const RECENT = 16;

const rank = (bond: Bond): number => BONDS.length - BONDS.indexOf(bond);

interface Found {
  readonly node: Node;
  readonly bond: Bond;
  /** Messages that both begin with; where equal, other things decide. */
  readonly common: number;
}

const isSameModel = (left: Call, right: Call): boolean => modelFacts(left.model).id === modelFacts(right.model).id;

/** The strongest bond; then the longest beginning, the same model, one that nobody has continued yet, the latest. */
const isBetter = (left: Found, right: Found, call: Call): boolean => {
  const order = [
    rank(left.bond) - rank(right.bond),
    left.common - right.common,
    Number(isSameModel(left.node.call, call)) - Number(isSameModel(right.node.call, call)),
    Number(right.node.isContinued) - Number(left.node.isContinued),
    left.node.call.startedAt - right.node.call.startedAt,
  ];
  return (order.find((value) => value !== 0) ?? 1) > 0;
};

/** Calls that begin or answer alike, of which the newest are weighed: one request can be sent 20,000 times in a recording. */
const MOST_ALIKE = 64;

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const known = map.get(key);
  if (!known) {
    map.set(key, [value]);
    return;
  }
  known.push(value);
  if (known.length > 2 * MOST_ALIKE) known.splice(0, known.length - MOST_ALIKE);
};

/** Calls that stand alone: nothing continues from them. */
const isSingle = (kind: ChainKind | undefined): boolean => kind === 'compaction' || kind === 'side-call';

/** A title begins like the conversation that it is for; only a compaction really continues with it. */
const areKin = (before: ChainKind, after: ChainKind | undefined, bond: Bond): boolean => {
  if (isSingle(before)) return before === after && bond === 'same';
  if (after === 'compaction' || after === undefined) return true;
  return before === after || bond === 'answer';
};

/** The blocks of the last message of the model. */
const lastAnswer = ({ blocks }: Subject): Subject['blocks'] => {
  const at = blocks.findLastIndex((block) => {
    const { ids, texts } = blockMarks(block);
    return ids.length + texts.length > 0;
  });
  if (at === -1) return [];
  const message = blocks[at]?.message;
  let [from, to] = [at, at + 1];
  while (from > 0 && blocks[from - 1]?.message === message) from--;
  while (to < blocks.length && blocks[to]?.message === message) to++;
  return blocks.slice(from, to);
};

/** `read` gives the subject of a call that was placed before. */
export const createChains = (read: SubjectReader): Chains => {
  const keysOf = createBlockKeys();
  const byHead = new Map<string, Node[]>();
  const byAnswerId = new Map<string, Node[]>();
  const byAnswerText = new Map<string, Node[]>();
  const byConversation = new Map<string, ChainState>();
  let recent: readonly ChainState[] = [];
  let count = 0;

  const open = (call: Call, kind: ChainKind, parent?: string): ChainState => {
    const id = call.conversation?.id ?? `chain-${++count}`;
    const chain: ChainState = { id, kind, ...(parent !== undefined && { parent }) };
    if (call.conversation) byConversation.set(id, chain);
    return chain;
  };

  const candidatesOf = (subject: Subject, keys: readonly string[]): Set<Node> => {
    const nodes = new Set<Node>();
    const add = (found: readonly Node[] | undefined): void => found?.forEach((node) => nodes.add(node));
    for (const block of lastAnswer(subject)) {
      const { ids, texts } = blockMarks(block);
      for (const id of ids) add(byAnswerId.get(id));
      for (const text of texts) add(byAnswerText.get(text));
    }
    for (let at = keys.length - 1; at >= 0; at--) {
      const found = byHead.get(keys[at] ?? '');
      if (!found) continue;
      add(found);
      break;
    }
    return nodes;
  };

  /** The call that a request continues with, by content. */
  const previousOf = (
    call: Call,
    subject: Subject,
    keys: readonly string[],
    kind: ChainKind | undefined,
  ): Found | undefined => {
    const conversation = call.conversation?.id;
    const isOpen = ({ call: other }: Node): boolean =>
      conversation === undefined || other.conversation === undefined || other.conversation.id === conversation;
    const nodes = candidatesOf(subject, keys);
    const weigh = (node: Node): Found[] => {
      const before = read(node.call);
      const bond = before.ok ? bondOf(before.value, subject) : 'none';
      // Sent again behind its own continuation, it is a conversation of its own.
      if (bond === 'none' || (bond === 'same' && node.isContinued)) return [];
      // A sub-agent doesn't ask again what was answered: another one was started with the same words.
      if (bond === 'same' && kind === 'sub-agent') return [];
      // An answer that is there word for word outweighs what the sources say.
      if (bond !== 'answer' && !isOpen(node)) return [];
      if (!areKin(node.chain.kind, kind, bond)) return [];
      return [{ node, bond, common: node.length }];
    };
    const strong = [...nodes].flatMap(weigh);
    const found = strong.length > 0 ? strong : recent.flatMap(({ tip }) => (tip && !nodes.has(tip) ? weigh(tip) : []));
    return found.reduce<Found | undefined>((top, next) => (top && !isBetter(next, top, call) ? top : next), undefined);
  };

  /** Of a request whose beginning changed only the first calls are at its head; the one that it continues with asks last. */
  const outrun = (found: Found | undefined, call: Call, subject: Subject): Found | undefined => {
    if (found?.bond !== 'head' || !found.node.isContinued) return found;
    const tips = recent.flatMap(({ tip }): Found[] => {
      const before =
        tip && tip !== found.node && areKin(tip.chain.kind, found.node.chain.kind, 'most') && read(tip.call);
      if (!tip || !before || !before.ok || bondOf(before.value, subject) !== 'most') return [];
      return [{ node: tip, bond: 'most', common: heldBehindQuestion(before.value, subject) }];
    });
    return tips
      .filter(({ common }) => common > found.common)
      .reduce((top, next) => (top !== found && !isBetter(next, top, call) ? top : next), found);
  };

  const keep = (call: Call, subject: Subject, keys: readonly string[], chain: ChainState, previous?: Node): void => {
    recent = [chain, ...recent.filter((other) => other !== chain)].slice(0, RECENT);
    // What failed has left nothing, and nobody continues from it.
    if (call.failed === true) return;
    if (previous) previous.isContinued = true;
    const length = subject.blocks.length - subject.messagesAt;
    const node: Node = { call, chain, length, isContinued: false };
    chain.tip = node;
    const head = keys.at(-1);
    if (head !== undefined) push(byHead, head, node);
    const { ids, texts } = answerMarks(call.response?.content);
    for (const id of ids) push(byAnswerId, id, node);
    for (const text of texts) push(byAnswerText, text, node);
  };

  const told = ({ id, kind, parent }: ChainState): Chain => ({ id, kind, ...(parent !== undefined && { parent }) });

  /** The source says which conversation it is; content says from which of its calls it continues. */
  const placeTold = (
    call: Call,
    found: Found | undefined,
  ): { chain: ChainState; previous?: Node; relation: Relation } => {
    const { conversation } = call;
    const known = conversation && byConversation.get(conversation.id);
    const chain = known ?? open(call, conversation?.kind ?? 'main', conversation?.parent);
    const tip =
      chain.tip ?? (conversation?.parent === undefined ? undefined : byConversation.get(conversation.parent)?.tip);
    if (conversation?.isCompacted && tip) return { chain, previous: tip, relation: 'compacted' };
    // A compaction is asked for with the conversation that it sums up.
    const isOwn = known !== undefined || conversation?.kind === 'compaction';
    if (found && (found.node.chain === chain || found.bond === 'answer' || isOwn))
      return { chain, previous: found.node, relation: relationOf(found.bond) };
    return tip && isOwn ? { chain, previous: tip, relation: 'continues' } : { chain, relation: 'beside' };
  };

  return {
    place: (call, subject) => {
      const keys = keysOf(subject);
      const kind = call.conversation?.kind ?? kindOfRequest(subject.request);
      const found = outrun(previousOf(call, subject, keys, kind), call, subject);
      if (call.conversation) {
        const { chain, previous, relation } = placeTold(call, found);
        keep(call, subject, keys, chain, previous);
        return { chain: told(chain), relation, ...(previous && { previous: previous.call }) };
      }
      // A compaction and a side call have a chain of their own, even where they begin like the conversation.
      const isApart = isSingle(kind);
      const isFork = found !== undefined && found.node.isContinued && found.bond !== 'same';
      const chain =
        found && !isApart && !isFork
          ? found.node.chain
          : open(call, kind ?? found?.node.chain.kind ?? 'main', found?.node.chain.id);
      keep(call, subject, keys, chain, isApart ? undefined : found?.node);
      return found
        ? { chain: told(chain), previous: found.node.call, relation: relationOf(found.bond) }
        : { chain: told(chain), relation: 'beside' };
    },
    placeUnread: (call) => {
      const known = call.conversation && byConversation.get(call.conversation.id);
      const chain = known ?? open(call, call.conversation?.kind ?? 'main', call.conversation?.parent);
      const tip = known?.tip;
      return tip
        ? { chain: told(chain), previous: tip.call, relation: 'continues' }
        : { chain: told(chain), relation: 'beside' };
    },
  };
};
