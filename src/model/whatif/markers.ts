/** Cache breakpoints and their TTLs (WIF4 to WIF6). */
import { blockText } from '../cache/block-tokens.ts';
import { positionsOf } from '../cache/breakpoints.ts';
import type { CacheBlock, Tier } from '../cache/types.ts';
import type { BreakpointMode, Ttl } from '../provider/types.ts';
import type { Item, Placement, Policy, Step } from './types.ts';

/** Blocks with another marker, made once: blocks that requests share are compared by identity. */
const MARKED = new WeakMap<CacheBlock, Map<string, CacheBlock>>();

const withMarker = (block: CacheBlock, ttl: Ttl | undefined): CacheBlock => {
  if (block.marker?.ttl === ttl) return block;
  const known = MARKED.get(block) ?? new Map<string, CacheBlock>();
  MARKED.set(block, known);
  const key = ttl ?? '';
  const found = known.get(key);
  if (found) return found;
  const { marker: _marker, ...plain } = block;
  const made: CacheBlock = ttl ? { ...plain, marker: { ttl } } : plain;
  known.set(key, made);
  return made;
};

const anthropicTtl = (ttl: string | undefined): Ttl | undefined => (ttl === '5m' || ttl === '1h' ? ttl : undefined);

/** The last system block that says the same in every request of its conversation. */
const stableTexts = (steps: readonly Step[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const shared = new Map<string, Set<string>>();
  for (const { chain, items } of steps) {
    const own = new Set(items.flatMap(({ block }) => (block.tier === 'system' ? [block.text] : [])));
    const before = shared.get(chain.id);
    shared.set(chain.id, before ? new Set([...before].filter((text) => own.has(text))) : own);
  }
  return shared;
};

const isOwnStable = ({ call }: Step, block: CacheBlock): boolean =>
  call.own !== undefined && blockText(block) === call.own.parts.map(({ text }) => text).join('');

const systemPlace = (step: Step, stable: ReadonlySet<string> | undefined): number => {
  const last = (fits: (item: Item) => boolean): number =>
    step.items.findLastIndex(
      (item) => item.block.tier === 'system' && !item.block.label.startsWith('tools[') && fits(item),
    );
  const marked = last(({ block }) => block.marker !== undefined);
  if (marked !== -1) return marked;
  const own = last(({ block }) => isOwnStable(step, block));
  return own === -1 ? last(({ block }) => stable?.has(block.text) === true) : own;
};

export const canHave = ({ block }: Item): boolean => block.unmarkable === undefined && block.deferred !== true;

const placeOf = (step: Step, at: Placement['at'], stable: ReadonlySet<string> | undefined): number => {
  const { items } = step;
  if (at === 'tools') return items.findLastIndex((item) => item.block.label.startsWith('tools[') && canHave(item));
  if (at === 'system') return systemPlace(step, stable);
  if (at === 'last') return items.findLastIndex((item) => item.block.tier === 'messages' && canHave(item));
  const back = /^last-(\d+)$/.exec(at)?.[1];
  if (back === undefined) return items.findIndex((item) => item.block.label === at && canHave(item));
  const positions = positionsOf(items.map(({ block }) => block));
  const wanted = (positions.at(-1) ?? 0) - Number(back);
  return items.findLastIndex(
    (item, index) => (positions[index] ?? 0) <= wanted && item.block.tier === 'messages' && canHave(item),
  );
};

/** Where each placement comes to lie in a request; -1 where the request has no such place. */
export const placesIn = (step: Step, steps: readonly Step[]): ((at: Placement['at']) => number) => {
  const stable = stableTexts(steps).get(step.chain.id);
  return (at) => placeOf(step, at, stable);
};

const MODES: Readonly<Record<BreakpointMode, readonly Placement[]>> = {
  static: [{ at: 'tools' }, { at: 'system' }],
  rolling: [{ at: 'tools' }, { at: 'system' }, { at: 'last' }],
  automatic: [],
  off: [],
};

const ttlOf = (ttl: Policy['ttl'], tier: Tier): Ttl | undefined => (typeof ttl === 'string' ? ttl : ttl?.[tier]);

type Ttls = ReadonlyMap<Tier, Ttl>;

const recordedTtls = ({ items, request }: Step): Ttls => {
  const ttls = new Map<Tier, Ttl>();
  const automatic = anthropicTtl(request.automatic?.ttl);
  if (automatic) ttls.set('messages', automatic);
  for (const { block } of items) {
    const ttl = anthropicTtl(block.marker?.ttl);
    if (ttl) ttls.set(block.tier, ttl);
  }
  return ttls;
};

const markStep = (step: Step, { breakpoints, ttl }: Policy, stable: ReadonlySet<string> | undefined): Step => {
  const recorded = recordedTtls(step);
  const [any] = recorded.values();
  const lifetime = (tier: Tier): Ttl => ttlOf(ttl, tier) ?? recorded.get(tier) ?? any ?? '5m';
  const markers = new Map<number, Ttl>();
  let automatic: Ttl | undefined;
  if (breakpoints === undefined) {
    step.items.forEach(({ block }, index) => {
      if (anthropicTtl(block.marker?.ttl)) markers.set(index, ttlOf(ttl, block.tier) ?? (block.marker?.ttl as Ttl));
    });
    automatic = step.request.automatic && lifetime('messages');
  } else {
    const placements = typeof breakpoints === 'string' ? MODES[breakpoints] : breakpoints;
    for (const placement of placements) {
      const index = placeOf(step, placement.at, stable);
      const block = step.items[index]?.block;
      if (block) markers.set(index, placement.ttl ?? lifetime(block.tier));
    }
    if (breakpoints === 'automatic') automatic = lifetime('messages');
  }
  // A longer TTL comes before a shorter one: what is in front of an hour is kept for an hour.
  let isLong = automatic === '1h';
  for (const index of [...markers.keys()].toSorted((a, b) => b - a)) {
    isLong ||= markers.get(index) === '1h';
    if (isLong) markers.set(index, '1h');
  }
  const { automatic: _automatic, ...request } = step.request;
  return {
    ...step,
    request: { ...request, ...(automatic && { automatic: { ttl: automatic } }) },
    items: step.items.map((item, index) => {
      const block = withMarker(item.block, markers.get(index));
      return block === item.block ? item : { ...item, block };
    }),
  };
};

/** Only Anthropic's rules know markers of these TTLs; other requests stay as they are. */
export const withBreakpoints = (
  steps: readonly Step[],
  policy: Policy,
  isMarked: (step: Step) => boolean,
): readonly Step[] => {
  if (policy.breakpoints === undefined && policy.ttl === undefined) return steps;
  const stable = stableTexts(steps);
  return steps.map((step) => (isMarked(step) ? markStep(step, policy, stable.get(step.chain.id)) : step));
};
