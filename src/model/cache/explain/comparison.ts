/** Two calls side by side: how much of the later one the earlier one can have left in the cache, going by content alone. */
import type { CacheBlock } from '../types.ts';
import { isSameBlock, prefixTokens, type Subject } from './subject.ts';
import type { Relation } from './types.ts';

export interface ParamDifference {
  readonly name: string;
  /** Canonical; empty: absent or the default. */
  readonly before: string;
  readonly after: string;
  /** The first block that the change takes with it. */
  readonly from: number;
}

export interface Comparison {
  readonly base: Subject;
  readonly current: Subject;
  /** Blocks that both begin with. */
  readonly common: number;
  /** The first of them that one call renders and the other does not. */
  readonly stripped: number | undefined;
  readonly params: readonly ParamDifference[];
  /** Blocks that both begin with once parameters and forgotten thinking count too. */
  readonly reach: number;
  readonly relation: Relation;
  /** The later call continues with the conversation of the earlier one. */
  readonly continues: boolean;
  /** From start to start, in ms. */
  readonly gap: number;
}

/** Blocks that both have from given places on. */
export const commonBlocks = (left: Subject, right: Subject, fromLeft = 0, fromRight = 0): number => {
  const limit = Math.min(left.blocks.length - fromLeft, right.blocks.length - fromRight);
  let count = 0;
  while (count < limit && isSameBlock(left.blocks[fromLeft + count], right.blocks[fromRight + count])) count++;
  return count;
};

const paramDifferences = (base: Subject, current: Subject): ParamDifference[] => {
  const firstOf = (tier: CacheBlock['tier']): number => {
    if (tier === 'tools') return 0;
    if (tier === 'messages') return current.messagesAt;
    const index = current.blocks.findIndex((block) => block.tier !== 'tools');
    return index === -1 ? current.blocks.length : index;
  };
  const before = new Map(base.params.map(({ name, value }) => [name, value]));
  return current.params.flatMap(({ name, tier, value }) => {
    const old = before.get(name) ?? '';
    return old === value ? [] : [{ name, before: old, after: value, from: firstOf(tier) }];
  });
};

const strippedAt = (base: Subject, current: Subject, common: number): number | undefined => {
  if (base.forgotten.size === 0 && current.forgotten.size === 0) return undefined;
  for (let index = 0; index < common; index++)
    if (base.forgotten.has(index) !== current.forgotten.has(index)) return index;
  return undefined;
};

/** OpenAI since 5.6: the key is part of the match; before, it only routes. */
export const isKeyChanged = (base: Subject, current: Subject): boolean =>
  current.facts.caching === 'openai-breakpoints' && base.request.cacheKey !== current.request.cacheKey;

/** Where matching goes by breakpoints the list of tools counts as a whole. */
const areToolsChanged = (base: Subject, current: Subject, common: number): boolean =>
  (current.facts.caching === 'anthropic' || current.facts.caching === 'openai-breakpoints') &&
  (base.blocks[common]?.tier === 'tools' || current.blocks[common]?.tier === 'tools');

export const compare = (base: Subject, current: Subject, relation: Relation = 'beside'): Comparison => {
  const common = commonBlocks(base, current);
  const stripped = strippedAt(base, current, common);
  const params = paramDifferences(base, current);
  const isLost = isKeyChanged(base, current) || areToolsChanged(base, current, common);
  return {
    base,
    current,
    common,
    stripped,
    params,
    reach: isLost ? 0 : Math.min(common, stripped ?? common, ...params.map(({ from }) => from)),
    relation,
    continues: relation === 'continues',
    gap: current.call.startedAt - base.call.startedAt,
  };
};

/** Where two requests of different sessions are distinguished even though their content continues. */
export const isOtherSession = ({ base, current, continues }: Comparison): boolean => {
  const [before, after] = [base.call.sessionId, current.call.sessionId];
  return !continues || (before !== undefined && after !== undefined && before !== after);
};

/** Within this much below the floor an estimate still counts as written. */
const FLOOR_MARGIN = 0.85;

/** Whether a prefix is long enough for an entry, as far as an estimate tells. */
export const reachesFloor = (subject: Subject, index: number): boolean =>
  prefixTokens(subject, index) >= (subject.facts.floor ?? 0) * FLOOR_MARGIN;

/**
 * The breakpoint of the earlier call whose entry the later one should have read: the last, or in another conversation the
 * last one of what both are meant to share.
 */
export const targetOf = ({ base, current, common, continues }: Comparison): number | undefined => {
  if (continues) return base.breakpoints.at(-1)?.index;
  const marked = current.breakpoints
    .filter(({ origin }) => origin === 'explicit')
    .map(({ index }) => current.blocks[index]);
  const target = base.breakpoints.findLast(
    ({ index, origin }) =>
      index < common ||
      index < base.messagesAt ||
      (origin === 'explicit' && marked.some((block) => isSameBlock(block, base.blocks[index]))),
  )?.index;
  // Nothing was written where the prefix is too short for it; what was written lies further on.
  const last = base.breakpoints.at(-1)?.index;
  const isTooShort = target !== undefined && target !== last && !reachesFloor(base, target);
  return isTooShort && last !== undefined && reachesFloor(base, last) ? undefined : target;
};
