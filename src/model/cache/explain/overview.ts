/**
 * What is looked up in the blocks of every request of a conversation. Each request repeats those before it, so what was seen
 * of the shared blocks is taken over, and only what is new is looked at.
 */
import type { ModelFacts } from '../../provider/model-book.ts';
import { blockText, forcedToolTokens, tokensOfBlock, toolPromptTokens } from '../block-tokens.ts';
import { isServerResult, type MarkedPlaces } from '../breakpoints.ts';
import { isThinking } from '../hash-chain.ts';
import type { CacheBlock, CacheRequest } from '../types.ts';

export interface Overview extends MarkedPlaces {
  readonly blocks: readonly CacheBlock[];
  /** Index of the first block of the conversation. */
  readonly messagesAt: number;
  /** Tokens of each block. */
  readonly sizes: readonly number[];
  readonly hasDeferred: boolean;
  readonly hasThinking: boolean;
}

interface Sized extends Overview {
  readonly factor: number;
}

const NONE: Sized = {
  blocks: [],
  messagesAt: 0,
  sizes: [],
  marked: [],
  serverResult: -1,
  hasDeferred: false,
  hasThinking: false,
  factor: 0,
};

export const firstMessage = (blocks: readonly CacheBlock[]): number => {
  const at = blocks.findIndex(({ tier }) => tier === 'messages');
  return at === -1 ? blocks.length : at;
};

/** Blocks of both conversations that are the same objects, from their first message on; none where they begin at other places. */
const sharedUntil = (before: Sized, blocks: readonly CacheBlock[], messagesAt: number): number => {
  if (before.messagesAt !== messagesAt) return messagesAt;
  const limit = Math.min(before.blocks.length, blocks.length);
  let at = messagesAt;
  while (at < limit && before.blocks[at] === blocks[at]) at++;
  return at;
};

/** Conversations that continue side by side. */
const MOST_RECENT = 4;

/** One after the other, as a recording goes. */
export const createOverviews = (
  count: (text: string) => number,
): ((blocks: readonly CacheBlock[], facts: ModelFacts) => Overview) => {
  let recent: readonly Sized[] = [];
  return (blocks, facts) => {
    const messagesAt = firstMessage(blocks);
    const first = blocks[messagesAt];
    const isAlike = (other: Sized): boolean => other.messagesAt === messagesAt && other.blocks[messagesAt] === first;
    const sized = recent.filter(({ factor }) => factor === facts.tokenFactor);
    const known = sized.find(isAlike) ?? NONE;
    const shared = sharedUntil(known, blocks, messagesAt);
    const marked: number[] = [];
    let { hasDeferred, hasThinking } = shared > messagesAt ? known : NONE;
    let serverResult = shared > messagesAt && known.serverResult < shared ? known.serverResult : -1;
    const sizes = known.sizes.slice(0, shared);
    const look = (index: number): void => {
      const block = blocks[index] as CacheBlock;
      const isKnown = known.blocks[index] === block;
      const size = isKnown
        ? known.sizes[index]
        : tokensOfBlock(block, block.tokens === undefined ? count(blockText(block)) : 0, facts);
      sizes[index] = size ?? 0;
      if (block.marker !== undefined) marked.push(index);
      if (block.deferred) hasDeferred = true;
      if (isThinking(block)) hasThinking = true;
      if (isServerResult(block)) serverResult = index;
    };
    for (let index = 0; index < messagesAt; index++) look(index);
    if (shared > messagesAt) {
      for (const index of known.marked) if (index >= messagesAt && index < shared) marked.push(index);
      // The last one may lie behind what is shared; then it is looked for.
      if (known.serverResult >= shared)
        serverResult = blocks.findLastIndex((block, index) => index < shared && isServerResult(block));
    }
    for (let index = shared; index < blocks.length; index++) look(index);
    const { tokenFactor: factor } = facts;
    const own: Sized = { blocks, messagesAt, sizes, marked, serverResult, hasDeferred, hasThinking, factor };
    recent = [own, ...recent.filter((other) => other !== known)].slice(0, MOST_RECENT);
    return own;
  };
};

/** Estimated tokens of every prefix of what is sent, with what the provider adds for tools. */
export const estimatesOf = (
  request: CacheRequest,
  facts: ModelFacts,
  { sizes, messagesAt, hasDeferred }: Overview,
): readonly number[] => {
  const forced = forcedToolTokens(request, facts);
  let sum = toolPromptTokens(request, facts);
  const prefix: number[] = [];
  for (let index = 0; index < sizes.length; index++) {
    sum += (sizes[index] ?? 0) + (index === messagesAt ? forced : 0);
    if (!hasDeferred || request.blocks[index]?.deferred !== true) prefix.push(sum);
  }
  return prefix;
};
