/** Breakpoints of one request on the token axis: where they are, and where they could be (WIF20). */
import { plural } from '../../base/text.ts';
import { positionsOf } from '../cache/breakpoints.ts';
import { LOOKBACK } from '../cache/anthropic-cache.ts';
import { toolPromptTokens } from '../cache/block-tokens.ts';
import { MAX_MARKERS } from '../cache/validate.ts';
import { modelFacts } from '../provider/model-book.ts';
import type { Ttl } from '../provider/types.ts';
import { canHave, placesIn } from './markers.ts';
import type { Prepared } from './prepare.ts';
import { requestOf, tokensOf } from './run.ts';
import type { Placement, Policy, Step } from './types.ts';
import { stepsUnder } from './whatif.ts';

/** A place that a breakpoint can have. */
export interface AxisStop {
  readonly at: Placement['at'];
  /** In words: behind which block. */
  readonly name: string;
  /** Tokens of the prompt that end here. */
  readonly tokens: number;
}

export interface AxisBreakpoint {
  /** Index of its stop. */
  readonly stop: number;
  readonly ttl: Ttl;
}

export interface BreakpointAxis {
  /** Of the request that is shown. */
  readonly key: string;
  /** Tokens of its prompt. */
  readonly total: number;
  /** In the order of their tokens. */
  readonly stops: readonly AxisStop[];
  readonly breakpoints: readonly AxisBreakpoint[];
  /** No provider takes more. */
  readonly most: number;
}

const ttlOf = (ttl: string | undefined): Ttl => (ttl === '1h' ? '1h' : '5m');

/** The conversation grows: what is near its end counts from there, and what is not is found by its label. */
const placements = (step: Step, steps: readonly Step[]): readonly Placement['at'][] => {
  const places = placesIn(step, steps);
  const named = new Map<number, Placement['at']>();
  for (const at of ['last', 'system', 'tools'] as const) {
    const index = places(at);
    if (index !== -1) named.set(index, at);
  }
  const positions = positionsOf(step.items.map((item) => item.block));
  return step.items.map(({ block }, index) => {
    const back = (positions.at(-1) ?? 0) - (positions[index] ?? 0);
    const known = named.get(index);
    if (known !== undefined) return known;
    const isNear = block.tier === 'messages' && block.message !== 0 && back > 0 && back < LOOKBACK;
    return isNear && places(`last-${back}`) === index ? `last-${back}` : block.label;
  });
};

const NAMES: Readonly<Record<string, string>> = {
  tools: 'the tools',
  system: 'the stable system prompt',
  last: 'the last message',
};

const nameOf = (at: Placement['at'], label: string): string => {
  const back = /^last-(\d+)$/.exec(at)?.[1];
  return back === undefined ? (NAMES[at] ?? label) : `${label}, ${plural(Number(back), 'block')} before the end`;
};

/** Nothing where the body of the request is not known, or its provider sets breakpoints itself. */
export const breakpointAxis = async (
  prepared: Prepared,
  policy: Policy,
  key: string,
): Promise<BreakpointAxis | undefined> => {
  const { breakpoints: _breakpoints, ttl: _ttl, ...rest } = policy;
  // Places are found by the recorded markers, whatever the policy has made of them.
  const recorded = await stepsUnder(prepared, rest);
  const isAsked = (one: Step): boolean => one.key === key;
  const [before, step] = [recorded.find(isAsked), (await stepsUnder(prepared, policy)).find(isAsked)];
  const { book } = prepared;
  if (!before || !step || step.call.known === 'reconstructed') return undefined;
  const facts = modelFacts(step.request.model, book);
  if (facts.caching !== 'anthropic') return undefined;
  const places = placements(before, recorded);
  let sum = toolPromptTokens(requestOf(step), facts);
  const tokens = tokensOf(step, book);
  const stops: AxisStop[] = [];
  const breakpoints: AxisBreakpoint[] = [];
  const lastTool = step.items.findLastIndex(({ block }) => block.label.startsWith('tools['));
  step.items.forEach((item, index) => {
    sum += tokens[index] ?? 0;
    const { marker, label } = item.block;
    // A list of tools is one place unless a request marks another.
    const isInside = label.startsWith('tools[') && index !== lastTool && !marker;
    if (isInside || !canHave(item)) return;
    const at = places[index] ?? label;
    stops.push({ at, name: nameOf(at, label), tokens: sum });
    if (marker) breakpoints.push({ stop: stops.length - 1, ttl: ttlOf(marker.ttl) });
  });
  // The provider puts it after the last block.
  const { automatic } = step.request;
  const last = stops.length - 1;
  if (automatic && last >= 0 && !breakpoints.some(({ stop }) => stop === last))
    breakpoints.push({ stop: last, ttl: ttlOf(automatic.ttl) });
  return { key, total: sum, stops, breakpoints, most: MAX_MARKERS };
};

/** What is asked for once breakpoints were dragged, added, or removed. */
export const placementsOf = (
  { stops }: Pick<BreakpointAxis, 'stops'>,
  breakpoints: readonly AxisBreakpoint[],
): readonly Placement[] =>
  breakpoints
    .toSorted((a, b) => a.stop - b.stop)
    .flatMap(({ stop, ttl }, index, all) => {
      const at = all[index - 1]?.stop === stop ? undefined : stops[stop]?.at;
      return at === undefined ? [] : [{ at, ttl }];
    });

/** Where one more goes: at the end, else in the middle of what is farthest from any. Nothing where no more fits. */
export const withOneMore = ({ stops, breakpoints, most }: BreakpointAxis): readonly AxisBreakpoint[] | undefined => {
  if (breakpoints.length >= most || stops.length <= breakpoints.length) return undefined;
  const taken = new Set(breakpoints.map(({ stop }) => stop));
  const ttl = breakpoints.at(-1)?.ttl ?? '5m';
  const end = stops.length - 1;
  if (!taken.has(end)) return [...breakpoints, { stop: end, ttl }];
  const sizes = breakpoints.map(({ stop }) => stops[stop]?.tokens ?? 0);
  const distance = (tokens: number): number => Math.min(...[0, ...sizes].map((size) => Math.abs(size - tokens)));
  const free = stops.flatMap(({ tokens }, stop) => (taken.has(stop) ? [] : [{ stop, far: distance(tokens) }]));
  const [best] = free.toSorted((a, b) => b.far - a.far);
  return best && [...breakpoints, { stop: best.stop, ttl }];
};
