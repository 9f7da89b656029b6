/** Causes 8, 9 and 10: the right bytes at the wrong time or out of reach. */
import { LOOKBACK } from '../anthropic-cache.ts';
import { LIFETIME_MS } from '../store.ts';
import { lifetimeOf } from './breakpoints.ts';
import { distanceTo, type Entry, isInReach, isTtlDropped } from './lookup.ts';
import { coveredTokens, type Subject } from './subject.ts';
import type { Finding, VerdictPosition } from './types.ts';
import { durationText, numberText } from './words.ts';

const at = (label: string): VerdictPosition => ({ label, path: '', offset: 0, before: '', after: '' });

export const parallelFinding = (current: Subject, entry: Entry): Finding => {
  const { base, gap } = entry.from;
  const { firstByteAt, startedAt } = base.call;
  const answered = firstByteAt === undefined ? undefined : firstByteAt - startedAt;
  const [before, after] = [coveredTokens(base), coveredTokens(current)];
  return {
    cause: 'parallel-requests',
    position: at(current.blocks[entry.index]?.label ?? ''),
    evidence: [
      `This request started ${durationText(gap)} after one with the same prefix, ${answered === undefined ? 'whose response had probably not started' : `whose response started only after ${durationText(answered)}`}. An entry is readable once the response to its writer has started.`,
      ...(before !== undefined && after !== undefined && before > 0 && after > 0 ? ['Both wrote the prefix.'] : []),
    ],
    repair: `Send one request first, and the others when its first byte arrives${current.facts.caching === 'anthropic' ? ', or warm the cache with max_tokens: 0 before a fan-out' : ''}.`,
    certainty: entry.isVisibilityGuessed ? 'likely' : 'sure',
  };
};

export const expiredFinding = (current: Subject, entry: Entry, certainty: 'sure' | 'likely' = 'sure'): Finding => {
  const { base, gap } = entry.from;
  const { breakpoint } = entry;
  const lifetime = certainty === 'likely' ? LIFETIME_MS.unknown : lifetimeOf(base.request, breakpoint);
  const { endedAt, startedAt } = base.call;
  const spent = endedAt === undefined ? 0 : endedAt - startedAt;
  const ttl = breakpoint.ttl === 'unknown' ? durationText(lifetime) : breakpoint.ttl;
  const isShort = breakpoint.ttl === '5m';
  const isRaised = isShort && current.breakpoints.some((own) => own.index === entry.index && own.ttl === '1h');
  const repair = isRaised
    ? 'Ask for 1h starting with the first request. What this request writes lasts an hour.'
    : isShort
      ? gap <= LIFETIME_MS['1h']
        ? 'Use a TTL of 1h for this prefix (its write costs twice the input price, once), or keep it warm with a small request within five minutes.'
        : 'This pause is longer than every TTL. Accept the write, or keep the prefix warm if you plan the pause.'
      : current.facts.family === 'openai'
        ? 'Ask for a longer TTL (prompt_cache_options.ttl 12h, or prompt_cache_retention 24h on older models), or send a small request in between.'
        : 'Keep the prefix warm with a small request within the hour, or accept the write.';
  return {
    cause: 'ttl-expired',
    position: at(current.blocks[entry.index]?.label ?? ''),
    evidence: [
      `The entry was last used ${durationText(gap)} earlier. It lasts ${ttl} from the start of a request.`,
      ...(isRaised
        ? ['This request asks for 1h, but the entry was written with 5m, and a read keeps the write’s TTL.']
        : []),
      ...(spent > 0 ? [`${durationText(spent)} of the pause went into generating the response, which counts.`] : []),
    ],
    repair,
    certainty,
  };
};

const droppedFinding = (current: Subject, entry: Entry): Finding => ({
  cause: 'gateway-effect',
  position: at(current.blocks[entry.index]?.label ?? ''),
  evidence: [
    `The request asked for a TTL of 1h, but usage shows a 5m write. Something dropped the ttl on the way.`,
    `The pause of ${durationText(entry.from.gap)} was within the hour.`,
  ],
  repair:
    'Find what drops the ttl on the way to the provider (a gateway, a proxy, an old SDK), or plan for five minutes.',
});

const lookbackFinding = (current: Subject, entry: Entry, distance: number): Finding => {
  const behind = current.breakpoints.find(({ index }) => index >= entry.index);
  const label = current.blocks[entry.index]?.label ?? '';
  const from = current.blocks[behind?.index ?? -1]?.label ?? '';
  return {
    cause: 'lookback-overflow',
    position: at(label),
    evidence: [
      `The bytes match up to ${label}, where an entry ends. The next breakpoint, ${from}, is ${distance} positions later, and it finds entries within ${LOOKBACK} positions, its own included. A run of tool calls counts as one, and so does a run of results.`,
    ],
    repair: `Keep a marker on ${label} (where the last write ended), or set one at least every ${LOOKBACK - 2} blocks, so a long turn stays within reach.`,
  };
};

const unmarkedFinding = (current: Subject, entry: Entry): Finding => {
  const label = current.blocks[entry.index]?.label ?? '';
  if (current.readPlaces)
    return {
      cause: 'marker-fault',
      position: at(label),
      evidence: [
        `An entry ends at ${label}, where this request has no breakpoint. This model finds an entry only at a request’s own breakpoints.`,
      ],
      repair: `Mark ${label} with prompt_cache_breakpoint, or set prompt_cache_options.mode to implicit, which also checks the ends of user and tool messages.`,
    };
  return {
    cause: 'marker-fault',
    position: at(label),
    evidence: [
      `An entry ends at ${label}, but this request has no marker there or later. Its last one is at ${current.blocks[current.breakpoints.at(-1)?.index ?? -1]?.label ?? 'none'}.`,
    ],
    repair: `Mark ${label} or a later block. A request reads only at its own breakpoints, and up to ${numberText(LOOKBACK - 1)} positions before them.`,
  };
};

/** Why none of the entries that match could be read; undefined if one could. */
export const timeFinding = (current: Subject, entries: readonly Entry[]): Finding | undefined => {
  const isDropped = ({ from, breakpoint }: Entry): boolean =>
    isTtlDropped(from.base, breakpoint) && from.gap > LIFETIME_MS['5m'];
  const live = entries.filter((entry) => entry.isLive && !isDropped(entry));
  const near = live.filter((entry) => isInReach(current, entry.index));
  if (near.some((entry) => entry.isVisible)) return undefined;
  const [hidden] = near;
  if (hidden) return parallelFinding(current, hidden);
  const [far] = live;
  if (far) {
    const distance = distanceTo(current, far.index);
    return distance === undefined || current.readPlaces
      ? unmarkedFinding(current, far)
      : lookbackFinding(current, far, distance);
  }
  const latest = entries.toSorted((left, right) => left.from.gap - right.from.gap)[0];
  if (!latest) return undefined;
  return latest.isLive ? droppedFinding(current, latest) : expiredFinding(current, latest);
};
