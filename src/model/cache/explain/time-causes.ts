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
      `This request started ${durationText(gap)} after one with the same prefix, ${answered === undefined ? 'whose answer had probably not begun' : `whose answer began only after ${durationText(answered)}`}. An entry can be read once the answer of its writer has begun.`,
      ...(before !== undefined && after !== undefined && before > 0 && after > 0 ? ['Both wrote the prefix.'] : []),
    ],
    repair: `Send one request first and the others when its first byte has come${current.facts.caching === 'anthropic' ? ', or warm the cache with max_tokens: 0 before a fan-out' : ''}.`,
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
    ? 'Ask for 1h from the first request on. What this request writes lives an hour.'
    : isShort
      ? gap <= LIFETIME_MS['1h']
        ? 'Use a TTL of 1h for this prefix (it costs twice the input price to write, once), or keep it warm with a small request before the five minutes are over.'
        : 'A pause this long is longer than every TTL. Accept the write, or keep the prefix warm if the pause is planned.'
      : current.facts.family === 'openai'
        ? 'Ask for a longer life (prompt_cache_options.ttl 12h, or prompt_cache_retention 24h on older models), or send a small request in between.'
        : 'Keep the prefix warm with a small request before the hour is over, or accept the write.';
  return {
    cause: 'ttl-expired',
    position: at(current.blocks[entry.index]?.label ?? ''),
    evidence: [
      `The entry was last used ${durationText(gap)} before, and lives ${ttl} from the start of a request.`,
      ...(isRaised
        ? ['This request asks for 1h, but the entry was written with 5m, and a read keeps the TTL of the write.']
        : []),
      ...(spent > 0 ? [`${durationText(spent)} of the pause went into generating the answer, which counts.`] : []),
    ],
    repair,
    certainty,
  };
};

const droppedFinding = (current: Subject, entry: Entry): Finding => ({
  cause: 'gateway-effect',
  position: at(current.blocks[entry.index]?.label ?? ''),
  evidence: [
    `A TTL of 1h was asked for, but usage shows that only 5m was written: the ttl was dropped on the way.`,
    `The pause of ${durationText(entry.from.gap)} would have been inside the hour.`,
  ],
  repair:
    'Look for what drops the ttl between you and the provider (a gateway, a proxy, an old SDK), or plan with five minutes.',
});

const lookbackFinding = (current: Subject, entry: Entry, distance: number): Finding => {
  const behind = current.breakpoints.find(({ index }) => index >= entry.index);
  const label = current.blocks[entry.index]?.label ?? '';
  const from = current.blocks[behind?.index ?? -1]?.label ?? '';
  return {
    cause: 'lookback-overflow',
    position: at(label),
    evidence: [
      `The bytes match up to ${label}, where an entry lies; the next breakpoint, ${from}, is ${distance} positions behind it, and it looks at ${LOOKBACK} positions, its own included (a run of tool calls counts as one, and so does a run of results).`,
    ],
    repair: `Keep a marker on ${label} (the place of the last write), or set one at least every ${LOOKBACK - 2} blocks, so that a long turn does not outrun the window.`,
  };
};

const unmarkedFinding = (current: Subject, entry: Entry): Finding => {
  const label = current.blocks[entry.index]?.label ?? '';
  if (current.readPlaces)
    return {
      cause: 'marker-fault',
      position: at(label),
      evidence: [
        `An entry lies at ${label}, and none of the breakpoints that this request looks at: this model finds an entry only where a request has a breakpoint of its own.`,
      ],
      repair: `Mark ${label} with prompt_cache_breakpoint, or leave prompt_cache_options.mode at implicit, which looks at the ends of user and tool messages too.`,
    };
  return {
    cause: 'marker-fault',
    position: at(label),
    evidence: [
      `An entry lies at ${label}, and this request has no marker there or behind it: its last one is at ${current.blocks[current.breakpoints.at(-1)?.index ?? -1]?.label ?? 'none'}.`,
    ],
    repair: `Mark ${label} or a later block; a request reads only at its own breakpoints and up to ${numberText(LOOKBACK - 1)} positions before them.`,
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
