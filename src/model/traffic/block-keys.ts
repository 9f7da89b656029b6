/** Cumulative keys over the messages of a request: equal keys, equal conversations up to there. */
import { isSameBlock, type Subject } from '../cache/explain/subject.ts';
import type { CacheBlock } from '../cache/types.ts';

interface Kept {
  readonly blocks: readonly CacheBlock[];
  readonly keys: readonly string[];
}

/** Conversations that continue side by side. */
const MAX_KEPT = 16;

/** Blocks that were read once are the same objects in the next request, or equal where a marker has moved. */
const sharedBlocks = (left: readonly CacheBlock[], right: readonly CacheBlock[]): number => {
  const limit = Math.min(left.length, right.length);
  let count = 0;
  while (count < limit && isSameBlock(left[count], right[count])) count++;
  return count;
};

/** One key per message block; what a request shares with a recent one is not hashed again. */
export const createBlockKeys = (): ((subject: Subject) => readonly string[]) => {
  let kept: readonly Kept[] = [];
  /** Keys are distinguished within one recording only: a number for each string does, and costs less than a digest. */
  const texts = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size);
    return texts.size - 1;
  };
  return ({ blocks, messagesAt }) => {
    const own = blocks.slice(messagesAt);
    const [best] = kept
      .map((item) => ({ item, shared: sharedBlocks(item.blocks, own) }))
      .toSorted((left, right) => right.shared - left.shared);
    const keys = best && best.shared > 0 ? best.item.keys.slice(0, best.shared) : [];
    let key = keys.at(-1) ?? '';
    for (const { role, text } of own.slice(keys.length)) {
      key = String(numberOf(`${key} ${role ?? ''} ${numberOf(text)}`));
      keys.push(key);
    }
    // One that the new request continues is of no more use.
    kept = [{ blocks: own, keys }, ...kept.filter((item) => item.keys.at(-1) !== keys[item.keys.length - 1])].slice(
      0,
      MAX_KEPT,
    );
    return keys;
  };
};
