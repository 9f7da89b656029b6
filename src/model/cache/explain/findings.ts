/** What is wrong with a request that continues with an earlier one: the first that applies, in the order of EX36. */
import type { Comparison } from './comparison.ts';
import { inHarness } from './harness-causes.ts';
import type { Entry } from './lookup.ts';
import { isReadable } from './lookup.ts';
import { messageFinding } from './message-causes.ts';
import { ownFinding } from './own-causes.ts';
import { cacheKeyFinding, paramFinding } from './param-causes.ts';
import { isFullRead, type Situation } from './situation.ts';
import { floorFinding, markerFinding } from './static-causes.ts';
import { coveredTokens } from './subject.ts';
import { systemFinding } from './system-causes.ts';
import { misreadFinding, strippedFinding, tailFinding } from './tail-causes.ts';
import { timeFinding } from './time-causes.ts';
import { toolFinding } from './tool-causes.ts';
import type { Finding } from './types.ts';

const plainContentFinding = (comparison: Comparison): Finding => {
  const { base, current, common, params, reach, stripped } = comparison;
  const key = cacheKeyFinding(comparison);
  if (key) return key;
  // A parameter loses what is after it; what differs before it comes first.
  const param = params.find(({ from }) => from === Math.min(...params.map((other) => other.from)) && from <= common);
  if (param) return paramFinding(comparison, param);
  if (stripped !== undefined && reach === stripped && stripped < common) return strippedFinding(comparison);
  const own = ownFinding(comparison);
  if (own) return own;
  const first = [base.blocks[common], current.blocks[common]];
  // By its label: web search and web fetch are tools at the head of the system tier.
  if (first.some((block) => block?.label.startsWith('tools['))) return toolFinding(comparison);
  return first.some((block) => block?.tier === 'system') ? systemFinding(comparison) : messageFinding(comparison);
};

/** The first difference in content or parameters. */
export const contentFinding = (comparison: Comparison): Finding =>
  inHarness(comparison, plainContentFinding(comparison));

/** The earlier call left nothing at all. */
const emptyFinding = ({ context, current, comparison: { base } }: Situation): Finding | undefined => {
  if (base.breakpoints.length === 0) {
    const fault = markerFinding(base);
    return (
      fault && {
        ...fault,
        evidence: ['The previous request had no marker, so it wrote nothing.'],
        repair: 'Use the same markers in every request, starting with the first.',
        certainty: 'likely',
      }
    );
  }
  const floor = floorFinding(base, context, 'The prefix of the previous request');
  if (floor) return { ...floor, certainty: 'likely' };
  if (coveredTokens(base) !== 0 || (coveredTokens(current) ?? 0) === 0) return undefined;
  return {
    cause: 'gateway-effect',
    evidence: ['The previous request had markers on a prefix above the cache floor, but both of its counters are 0.'],
    repair: 'Find what drops the markers on the way to the provider. Some requests arrive with them, and some without.',
    certainty: 'likely',
  };
};

/** Nothing of the previous request is marked. */
const untargeted = (situation: Situation): Finding | undefined => {
  const { comparison, current, read } = situation;
  if (read > 0) return undefined;
  if (current.breakpoints[0]?.origin === 'whole') return undefined;
  if (comparison.base.breakpoints.length === 0) return emptyFinding(situation);
  return contentFinding(comparison);
};

/** Nothing was written before and nothing now, though it should have been. */
const lost = ({ comparison, others, target }: Situation): Finding => {
  const breakpoint = comparison.base.breakpoints.find(({ index }) => index === target);
  const entry: Entry = {
    index: target ?? 0,
    breakpoint: breakpoint ?? { index: target ?? 0, ttl: 'unknown', origin: 'explicit' },
    from: comparison,
    isVisible: true,
    isVisibilityGuessed: false,
    isLive: true,
  };
  return tailFinding(comparison, entry, others());
};

/** Undefined: nothing is wrong. */
export const findingOf = (situation: Situation): Finding | undefined => {
  const { current, comparison, target } = situation;
  const isReported = current.usage?.cacheReported === true;
  if (isFullRead(situation)) return misreadFinding(current);
  if (target === undefined) return untargeted(situation);
  const there = situation.entries().filter(({ index }) => index >= target);
  if (there.length === 0) {
    if (comparison.reach <= target) return contentFinding(comparison);
    return emptyFinding(situation) ?? (isReported ? lost(situation) : undefined);
  }
  const late = timeFinding(current, there);
  if (late) return late;
  const misread = misreadFinding(current);
  if (misread) return misread;
  const readable = there.find((entry) => isReadable(current, entry));
  if (!isReported || !readable) return undefined;
  return tailFinding(comparison, readable, situation.others());
};
