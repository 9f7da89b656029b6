/** Why a request was not read from the cache: one verdict, in the order of EX36 (`SPEC.md`). */
import { extraCost } from '../../provider/cost.ts';
import { promptTokens, writtenTokens, type Usage } from '../../provider/types.ts';
import { hasServerHistory } from '../openai-breakpoints.ts';
import type { RecordedCall } from '../types.ts';
import { compare, type Comparison, reachesFloor, targetOf } from './comparison.ts';
import { type Entry, isReadable, matchingEntries } from './lookup.ts';
import { messageFinding } from './message-causes.ts';
import { cacheKeyFinding, paramFinding, switchFinding } from './param-causes.ts';
import { choosePrevious, previousOf, switchOf } from './previous.ts';
import { providerSaid } from './provider-said.ts';
import { floorFinding, markerFinding } from './static-causes.ts';
import {
  coveredTokens,
  createSubjectReader,
  prefixTokens,
  promptSize,
  type Subject,
  type SubjectReader,
} from './subject.ts';
import { systemFinding } from './system-causes.ts';
import { misreadFinding, strippedFinding, tailFinding } from './tail-causes.ts';
import { coveredFinding, timeFinding } from './time-causes.ts';
import { toolFinding } from './tool-causes.ts';
import type { ExplainContext, Finding, Verdict } from './types.ts';
import { numberText, tokensText } from './words.ts';

/** Calls further back than this are not looked at. */
const MAX_HISTORY = 200;

/**
 * How much of what was expected counts as all of it: generous where it is an estimate. Where usage gave the size and the
 * model expects a miss, every token counts.
 */
const EXACT = 0.95;
const ESTIMATED = 0.7;

const usageText = (usage: Usage): string => {
  if (!usage.cacheReported) return `${numberText(usage.uncached)} input tokens; nothing about the cache.`;
  return `${numberText(usage.read)} read, ${numberText(writtenTokens(usage))} written, ${numberText(usage.uncached)} uncached: ${tokensText(promptTokens(usage))} of prompt.`;
};

/** The first difference in content or parameters. */
const contentFinding = (comparison: Comparison): Finding => {
  const { base, current, common, params, reach, stripped } = comparison;
  const key = cacheKeyFinding(comparison);
  if (key) return key;
  // A parameter loses what lies behind it; what differs before it comes first.
  const param = params.find(({ from }) => from === Math.min(...params.map((other) => other.from)) && from <= common);
  if (param) return paramFinding(comparison, param);
  if (stripped !== undefined && reach === stripped && stripped < common) return strippedFinding(comparison);
  const first = [base.blocks[common], current.blocks[common]];
  // By its label: web search and web fetch are tools at the head of the system tier.
  if (first.some((block) => block?.label.startsWith('tools['))) return toolFinding(comparison);
  return first.some((block) => block?.tier === 'system') ? systemFinding(comparison) : messageFinding(comparison);
};

interface Situation {
  readonly context: ExplainContext;
  readonly current: Subject;
  readonly comparison: Comparison;
  /** Everything that could share a cache with the call. */
  readonly others: readonly Comparison[];
  /** Of the breakpoint that should have been read. */
  readonly target: number | undefined;
  /** Tokens that could have been read. */
  readonly need: number;
  readonly entries: readonly Entry[];
  /** Tokens that were read, or would be by the model. */
  readonly read: number;
}

const situationOf = (
  context: ExplainContext,
  current: Subject,
  comparison: Comparison,
  others: readonly Comparison[],
): Situation => {
  const target = targetOf(comparison);
  const { base, common } = comparison;
  const entries = matchingEntries(others);
  const found = entries.filter((entry) => isReadable(current, entry)).toSorted((a, b) => b.index - a.index)[0];
  const predicted = found ? prefixTokens(found.from.base, found.index) : 0;
  const { usage } = current.call;
  const isWhole = current.breakpoints[0]?.origin === 'whole';
  // With no breakpoint to go by, what both are meant to share could have had one.
  const shared = Math.max(common, current.messagesAt) - 1;
  const need = target === undefined ? (shared < 0 ? 0 : prefixTokens(current, shared)) : prefixTokens(base, target);
  return {
    context,
    current,
    comparison,
    others,
    target,
    // Models that match any prefix count in steps of 128.
    need: isWhole ? Math.max(0, Math.floor(need / 128) * 128) : need,
    entries,
    read: usage?.cacheReported === true ? usage.read : predicted,
  };
};

const isFullRead = ({ current, comparison, target, need, read, entries }: Situation): boolean => {
  if (current.call.usage?.cacheReported !== true || read === 0 || target === undefined) return false;
  const { base } = comparison;
  const isExact = target === base.breakpoints.at(-1)?.index && (coveredTokens(base) ?? 0) > 0;
  const isExpected = entries.some((entry) => entry.index >= target && isReadable(current, entry));
  return read >= need * (isExact ? (isExpected ? EXACT : 1) : ESTIMATED);
};

/** The earlier call left nothing at all. */
const emptyFinding = ({ context, current, comparison: { base }, target }: Situation): Finding | undefined => {
  if (base.breakpoints.length === 0) {
    const fault = markerFinding(base);
    return (
      fault && {
        ...fault,
        evidence: ['The request before had no marker, so it wrote nothing.'],
        repair: 'Mark every request alike, from the first one on.',
        certainty: 'likely',
      }
    );
  }
  const floor = floorFinding(base, context, 'The prefix of the request before');
  if (floor) return { ...floor, certainty: 'likely' };
  if (coveredTokens(base) !== 0 && target !== undefined && reachesFloor(base, target))
    return coveredFinding(base.blocks[target]?.label ?? '');
  if (coveredTokens(base) !== 0 || (coveredTokens(current) ?? 0) === 0) return undefined;
  return {
    cause: 'gateway-effect',
    evidence: ['The request before had markers on a prefix above the floor, and both of its counters are 0.'],
    repair:
      'Look for what drops the markers on the way to the provider; some requests get through with them and some without.',
    certainty: 'likely',
  };
};

/** Another conversation over the same prefix, of which nothing is marked. */
const untargeted = (situation: Situation): Finding | undefined => {
  const { comparison, current, read } = situation;
  if (read > 0) return undefined;
  if (current.breakpoints[0]?.origin === 'whole') return undefined;
  if (comparison.base.breakpoints.length === 0) return emptyFinding(situation);
  return contentFinding(comparison);
};

/** Undefined: nothing is wrong. */
const findingOf = (situation: Situation): Finding | undefined => {
  const { current, comparison, others, target, entries } = situation;
  const isReported = current.call.usage?.cacheReported === true;
  if (isFullRead(situation)) return misreadFinding(current);
  if (target === undefined) return untargeted(situation);
  const there = entries.filter(({ index }) => index >= target);
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
  return tailFinding(comparison, readable, others);
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
  return tailFinding(comparison, entry, others);
};

const lossOf = (current: Subject, need: number, read: number, target: number | undefined, context: ExplainContext) => {
  const tokensLost = Math.max(0, Math.round(Math.min(need, promptSize(current)) - read));
  const { usage } = current.call;
  const written = usage?.cacheReported === true ? writtenTokens(usage) : 0;
  const covering = current.breakpoints.find(({ index }) => index >= (target ?? 0));
  const share = Math.min(1, tokensLost / Math.max(1, written));
  const writes =
    usage?.cacheReported === true
      ? Object.fromEntries(Object.entries(usage.writes).map(([ttl, tokens]) => [ttl, tokens * share]))
      : covering && covering.origin !== 'whole'
        ? { [covering.ttl]: tokensLost }
        : {};
  const paid = Object.values(writes).reduce((sum, tokens) => sum + tokens, 0);
  const costLost = extraCost(
    { written: writes, uncached: Math.max(0, tokensLost - paid) },
    current.request.model,
    promptSize(current),
    context.book ? { book: context.book } : {},
  );
  return { tokensLost, costLost };
};

const isFine = (cause: Verdict['cause']): boolean => cause === 'hit' || cause === 'cold';

const finish = (draft: Omit<Verdict, 'providerSaid' | 'usageSays'>, current: RecordedCall): Verdict => {
  const verdict: Verdict = {
    ...draft,
    evidence: isFine(draft.cause) ? draft.evidence : [...draft.evidence, ...(current.notes ?? [])],
    providerSaid: null,
    usageSays: current.usage ? usageText(current.usage) : null,
  };
  const said = providerSaid(current.diagnosis, verdict);
  return { ...verdict, providerSaid: said, evidence: said === null ? verdict.evidence : [...verdict.evidence, said] };
};

const NOTHING = { partial: false, position: null, tokensLost: 0, costLost: 0, repair: '', comparedWith: null } as const;

const withoutPrevious = (subject: Subject, finding: Finding | undefined): Verdict => {
  const { call } = subject;
  if (!finding)
    return finish(
      {
        ...NOTHING,
        cause: 'cold',
        evidence: ['There is no earlier request to the same provider, model and key that it could have read from.'],
        certainty: 'sure',
      },
      call,
    );
  const { cause, position, evidence, repair, certainty } = finding;
  return finish(
    { ...NOTHING, cause, position: position ?? null, evidence, repair, certainty: certainty ?? 'sure' },
    call,
  );
};

/** The provider keeps a part of the prompt, so there is nothing to compare; usage is all that can be told. */
const withHiddenHistory = ({ call }: Subject): Verdict => {
  const isRead = (call.usage?.read ?? 0) > 0;
  const why =
    'A part of this prompt is kept by the provider (previous_response_id, conversation or prompt) and cannot be compared';
  return finish(
    {
      ...NOTHING,
      cause: isRead ? 'hit' : 'cold',
      evidence: [
        isRead
          ? `${tokensText(call.usage?.read ?? 0)} were read. ${why}.`
          : `${why}: whether anything was missed is not known.`,
      ],
      certainty: 'likely',
    },
    call,
  );
};

const hitVerdict = (situation: Situation): Verdict => {
  const { current, comparison, read } = situation;
  const isReported = current.call.usage?.cacheReported === true;
  return finish(
    {
      ...NOTHING,
      cause: 'hit',
      evidence: [
        isReported
          ? `${tokensText(read)} were read, all that the earlier request had left for it.`
          : `The bytes match what the earlier request left: about ${tokensText(read)} can be read.`,
      ],
      certainty: isReported ? 'sure' : 'likely',
      comparedWith: comparison.base.call,
    },
    current.call,
  );
};

const missVerdict = (situation: Situation, finding: Finding): Verdict => {
  const { current, comparison, need, read, target, context } = situation;
  const { cause, position, evidence, repair, certainty } = finding;
  const isMisread = cause === 'usage-misread';
  const loss = isMisread ? { tokensLost: 0, costLost: 0 } : lossOf(current, need, read, target, context);
  const isPartial = !isMisread && read > 0;
  return finish(
    {
      cause,
      partial: isPartial,
      position: position ?? null,
      evidence: [
        ...evidence,
        ...(isPartial
          ? [`${tokensText(read)} were read all the same; about ${tokensText(need)} could have been.`]
          : []),
      ],
      ...loss,
      repair,
      certainty: certainty ?? 'sure',
      comparedWith: comparison.base.call,
    },
    current.call,
  );
};

const explainWith = (
  read: SubjectReader,
  previous: RecordedCall | undefined,
  call: RecordedCall,
  context: ExplainContext,
): Verdict => {
  const calls = new Set([...(context.history ?? []).slice(-MAX_HISTORY), ...(previous ? [previous] : [])]);
  const candidates = [...calls]
    .filter((other) => other !== call && other.failed !== true && other.startedAt <= call.startedAt)
    .flatMap((other) => {
      const subject = read(other);
      return subject.ok ? [subject.value] : [];
    });
  const subject = read(call);
  if (!subject.ok)
    return finish(
      {
        ...NOTHING,
        cause: 'marker-fault',
        evidence: [`${subject.error}; no provider takes such a request.`],
        repair: 'Send a JSON object with a model.',
        certainty: 'sure',
      },
      call,
    );
  const current = subject.value;
  const hasRead = (call.usage?.read ?? 0) > 0;
  if (hasServerHistory(current)) return withHiddenHistory(current);
  const chosen = choosePrevious(candidates, current, context.book);
  const fixed = hasRead ? undefined : (markerFinding(current) ?? floorFinding(current, context));
  if (!chosen) return withoutPrevious(current, fixed);
  const others = candidates
    .filter((base) => !switchOf(base, current, context.book))
    .map((base) => compare(base, current));
  const situation = situationOf(context, current, chosen.comparison, others);
  if (fixed)
    return missVerdict({ ...situation, target: undefined, need: sharedTokens(chosen.comparison), read: 0 }, fixed);
  const finding = chosen.switched && !isFullRead(situation) ? switchFinding(chosen.switched) : findingOf(situation);
  if (finding) return missVerdict(situation, finding);
  // Models that match any prefix: nothing of this one was ever sent before.
  if (situation.target === undefined && situation.read === 0) return withoutPrevious(current, undefined);
  return hitVerdict(situation);
};

/** What both requests begin with: what a cache could have saved. */
const sharedTokens = ({ current, reach }: Comparison): number => (reach > 0 ? prefixTokens(current, reach - 1) : 0);

/** `previous` is the call that the request is held against unless the history has a better one. */
export const explain = (
  previous: RecordedCall | undefined,
  current: RecordedCall,
  context: ExplainContext = {},
): Verdict => explainWith(createSubjectReader(context), previous, current, context);

/** A verdict for every call of a recording, in its order. */
export const explainAll = (calls: readonly RecordedCall[], context: ExplainContext = {}): readonly Verdict[] => {
  const read = createSubjectReader(context);
  const inTime = calls
    .map((call, index) => ({ call, index }))
    .toSorted((a, b) => a.call.startedAt - b.call.startedAt || a.index - b.index);
  const verdicts: Verdict[] = [];
  const history: RecordedCall[] = [];
  for (const { call, index } of inTime) {
    verdicts[index] = explainWith(read, previousOf(history, call, context.book), call, { ...context, history });
    history.push(call);
  }
  return verdicts;
};
