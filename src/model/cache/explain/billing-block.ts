/** The block that Claude Code puts before its system prompt for accounting. */
import type { CacheBlock, RecordedCall } from '../types.ts';

const BILLING =
  /^\{"type"\s*:\s*"text"\s*,\s*"text"\s*:\s*"x-anthropic-billing-header\b|^\{"text"\s*:\s*"x-anthropic-billing-header\b/;

export const isBilling = ({ tier, text }: CacheBlock): boolean => tier === 'system' && BILLING.test(text);

const NEUTRAL = '{"type":"text","text":"x-anthropic-billing-header"}';

/**
 * Claude Code's accounting line differs on every request. Anthropic still reads the cache after it, so there it counts as no
 * difference unless the bill shows that nothing was read. Other providers see a string like any other.
 */
export const withoutBilling = (blocks: readonly CacheBlock[], { provider }: RecordedCall): readonly CacheBlock[] => {
  if (provider !== 'anthropic') return blocks;
  const at = blocks.findIndex(({ tier }) => tier === 'system');
  const block = blocks[at];
  return block && isBilling(block) ? blocks.with(at, { ...block, text: NEUTRAL }) : blocks;
};
