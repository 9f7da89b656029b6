/**
 * Strings that come one after the other and begin like one before, as the bodies of a conversation do: each is kept as what is
 * new in it (TF2). Unlike `shared-values.ts` it reads no JSON, and needs them in their order.
 */
import { copied } from '../../../base/text.ts';
import { commonLength } from '../../../base/json-rescan.ts';

/** The text is `head` characters of the previous one, then `own`, then `end`. */
interface Kept {
  readonly before?: Kept;
  readonly head: number;
  readonly own: string;
  /** Tools and system prompt may come after the messages: one string for all that end alike. */
  readonly end: string;
}

interface Recent {
  readonly text: string;
  readonly kept: Kept;
}

export interface SharedTexts {
  /** Gives the text back as it was. */
  readonly keep: (text: string) => () => string;
}

/** Conversations that continue side by side. */
const MOST_RECENT = 4;
/** Less is not worth a link to another text. */
const WORTH = 512;

const write = (kept: Kept): string => {
  const parts: string[] = [];
  let wanted = Infinity;
  for (let node: Kept | undefined = kept; node && wanted > 0; node = node.before) {
    if (wanted > node.head) parts.push((node.own + node.end).slice(0, wanted - node.head));
    wanted = Math.min(wanted, node.head);
  }
  return parts.toReversed().join('');
};

/** How many characters both strings end with, at most so many. */
const commonEnd = (left: string, right: string, most: number): number => {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (left.slice(-middle) === right.slice(-middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

const endOf = (text: string, { text: other, kept }: Recent, head: number): string => {
  const most = Math.min(text.length, other.length) - head;
  if (kept.end !== '' && kept.end.length <= most && text.endsWith(kept.end)) return kept.end;
  const length = commonEnd(text, other, most);
  return length < WORTH ? '' : copied(text.slice(-length));
};

export const createSharedTexts = (): SharedTexts => {
  let recent: readonly Recent[] = [];
  const linked = (text: string, base: Recent, head: number): Kept => {
    const end = endOf(text, base, head);
    let before = base.kept;
    // Where all of it was there earlier already, the strings between are of no use.
    while (before.before && before.head >= head) before = before.before;
    return { before, head, own: copied(text.slice(head, text.length - end.length)), end };
  };
  const add = (text: string): Kept => {
    let [base, head] = [recent[0], 0];
    for (const candidate of recent) {
      const common = text.length < WORTH ? 0 : commonLength(candidate.text, text);
      if (common > head) [base, head] = [candidate, common];
    }
    const kept = base && head >= WORTH ? linked(text, base, head) : { head: 0, own: text, end: '' };
    // One that the new text continues with is of no more use.
    const rest = recent.filter((item) => item !== base || kept.head * 2 < item.text.length);
    if (text.length >= WORTH) recent = [{ text, kept }, ...rest].slice(0, MOST_RECENT);
    return kept;
  };
  // A function of its own: whatever is made beside the text would hold on to it.
  const reading = (kept: Kept) => () => write(kept);
  return { keep: (text) => reading(add(text)) };
};
