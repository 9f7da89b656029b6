/** Money that a setting would save although nothing was missed: a conversation that is paid in full with every turn. */
import { LOOKBACK } from '../anthropic-cache.ts';
import { costOf } from '../../provider/cost.ts';
import { promptTokens, type Usage } from '../../provider/types.ts';
import type { Situation } from './situation.ts';
import { promptSize, type Subject } from './subject.ts';
import type { Verdict } from './types.ts';
import { finish } from './verdict.ts';
import { tokensText } from './words.ts';

/** Breakpoints before the conversation, and none in it. */
const isStatic = ({ breakpoints, messagesAt }: Subject): boolean =>
  breakpoints.length > 0 && breakpoints.every(({ index }) => index < messagesAt);

/** Less than this share of the prompt is not worth a word. */
const WORTH_SAYING = 0.05;

/** In shares of the input price, where that is not known. */
const USUAL = { read: 0.1, write: 1.25 } as const;

interface Rolling {
  /** What would have been read beyond what was. */
  readonly tokens: number;
  /** USD; undefined where the price is unknown. */
  readonly saved: number | undefined;
}

/** The same request, had this one and the one before a breakpoint at their end. */
const rolling = ({ current, comparison, context }: Situation, usage: Usage): Rolling | undefined => {
  const { base } = comparison;
  const left = promptSize(base);
  const fresh = promptTokens(usage) - left;
  const tokens = left - usage.read;
  if (fresh < 0 || tokens < promptTokens(usage) * WORTH_SAYING || left < (current.facts.floor ?? 0)) return undefined;
  const ttl = current.breakpoints.at(-1)?.ttl ?? '5m';
  const options = context.book ? { book: context.book } : {};
  const { charged: _charged, ...own } = usage;
  const paid = costOf(own, current.request.model, options).usd;
  const would = costOf({ ...own, read: left, uncached: 0, writes: { [ttl]: fresh } }, current.request.model, options);
  if (paid === undefined || would.usd === undefined) {
    const isWorth = tokens * (1 - USUAL.read) > fresh * (USUAL.write - 1);
    return isWorth ? { tokens, saved: undefined } : undefined;
  }
  return paid > would.usd ? { tokens, saved: paid - would.usd } : undefined;
};

/** Undefined: the conversation is cached, or caching it would not have paid. */
export const uncachedConversation = (situation: Situation): Verdict | undefined => {
  const { current, comparison } = situation;
  const { base, reach, continues } = comparison;
  const { usage } = current;
  if (!continues || usage?.cacheReported !== true || current.facts.caching !== 'anthropic') return undefined;
  if (!isStatic(base) || !isStatic(current) || reach < base.blocks.length) return undefined;
  const last = current.blocks.length - 1;
  const positions = current.positions();
  const distance = (positions[last] ?? 0) - (positions[base.blocks.length - 1] ?? 0);
  if (distance >= LOOKBACK) return undefined;
  const would = rolling(situation, usage);
  if (!would) return undefined;
  const label = current.blocks[last]?.label ?? '';
  return finish(
    {
      cause: 'conversation-not-cached',
      partial: false,
      position: { label, path: '', offset: 0, before: '', after: '' },
      evidence: [
        `The conversation isn’t cached. An earlier request sent ${tokensText(would.tokens)} of it, and this one pays for them in full again. It read all ${tokensText(usage.read)} before the last breakpoint.`,
      ],
      tokensLost: Math.round(would.tokens),
      costLost: would.saved,
      repair: `Use rolling breakpoints. A marker on the last block of the last message (here ${label}) in every request keeps the conversation in the cache.`,
      certainty: 'sure',
      comparedWith: base.call,
    },
    current.call,
  );
};
