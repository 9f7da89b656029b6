/** Why a request was not read from the cache: one verdict, in the order of EX36 (`SPEC.md`). */
import { hasServerHistory } from '../openai-breakpoints.ts';
import type { RecordedCall } from '../types.ts';
import { lifetimeOf } from './breakpoints.ts';
import { compare } from './comparison.ts';
import { findingOf } from './findings.ts';
import { keptOutside } from './kept-outside.ts';
import { floorOf, foundNothing, isWorthCaching } from './left-behind.ts';
import { switchFinding } from './param-causes.ts';
import { choosePrevious, type Related, switchOf } from './previous.ts';
import { bondOf, relationOf } from './relation.ts';
import { isFullRead, readableTokens, sharedTokens, type Situation, situationOf } from './situation.ts';
import { besideVerdict, chainStart, compactionStart } from './start.ts';
import { floorFinding, markerFinding } from './static-causes.ts';
import { createSubjectReader, longestTtl, prefixTokens, type Subject, type SubjectReader } from './subject.ts';
import type { ExplainContext, Finding, Verdict } from './types.ts';
import { expiredFinding } from './time-causes.ts';
import { finish, hitVerdict, lossVerdict, NOTHING_LOST, unpublishedVerdict } from './verdict.ts';
import { uncachedConversation } from './waste.ts';
import { numberText, tokensText } from './words.ts';

/** Calls further back than this are not looked at. */
const MAX_HISTORY = 200;

/** The provider keeps a part of the prompt, so there is nothing to compare; usage is all that can be reported. */
const withHiddenHistory = ({ call }: Subject): Verdict => {
  const isRead = (call.usage?.read ?? 0) > 0;
  const why =
    'The provider stores part of this prompt (previous_response_id, conversation, or prompt), so Lathe can’t compare it';
  return finish(
    {
      ...NOTHING_LOST,
      cause: isRead ? 'hit' : 'not-recorded',
      ...(!isRead && { kind: 'unknown' as const }),
      evidence: [
        isRead
          ? `The request read ${tokensText(call.usage?.read ?? 0)}. ${why}.`
          : `${why}. Whether it missed anything is unknown.`,
      ],
      certainty: 'likely',
    },
    call,
  );
};

const withoutBody = (call: RecordedCall): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'not-recorded',
      kind: 'unknown',
      evidence: ['The recording has no body for this request, so Lathe has nothing to compare.'],
      repair: 'Record request bodies too.',
      certainty: 'likely',
    },
    call,
  );

const unreadable = (call: RecordedCall, error: string): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'marker-fault',
      evidence: [`${error}; providers refuse such a request.`],
      repair: 'Send a JSON object with a model.',
      certainty: 'sure',
    },
    call,
  );

/** What the provider refuses about its markers, whatever came before. */
const refused = (current: Subject): Verdict | undefined => {
  const finding =
    current.breakpoints.length === 0 && !current.request.blocks.some((block) => block.marker)
      ? undefined
      : markerFinding(current);
  if (!finding || (current.usage?.read ?? 0) > 0) return undefined;
  const { cause, position, evidence, repair } = finding;
  return finish(
    { ...NOTHING_LOST, kind: 'waste', cause, position: position ?? null, evidence, repair, certainty: 'sure' },
    current.call,
  );
};

/** What can be told of a request whose tools and system prompt were not recorded: time and model, and nothing else. */
const TOLD_WITHOUT_BODY: ReadonlySet<Finding['cause']> = new Set([
  'ttl-expired',
  'model-or-key-switch',
  'usage-misread',
]);

/** What is judged by times. */
const TOLD_BY_TIME: ReadonlySet<Finding['cause']> = new Set(['ttl-expired', 'parallel-requests', 'provider-eviction']);

/** The pause alone explains the miss. */
const expired = ({ current, comparison }: Situation): Finding | undefined => {
  const { base, gap } = comparison;
  const breakpoint = base.breakpoints.at(-1);
  if (!breakpoint || gap <= lifetimeOf(base.request, breakpoint)) return undefined;
  const { index } = breakpoint;
  return expiredFinding(current, {
    index,
    breakpoint,
    from: comparison,
    isVisible: true,
    isVisibilityGuessed: false,
    isLive: false,
  });
};

const knownFinding = (finding: Finding, situation: Situation): Finding => {
  const {
    current: { call },
    comparison: { base },
  } = situation;
  if (call.isTimeless === true && TOLD_BY_TIME.has(finding.cause))
    return {
      cause: 'not-recorded',
      evidence: [
        'An earlier request sent the same bytes, but this one read less than that request cached. The recording has no times, so Lathe can’t tell an expired entry from a lost one.',
      ],
      repair: 'Record the time of each request too.',
      certainty: 'likely',
    };
  const isRebuilt = call.known === 'reconstructed' || base.call.known === 'reconstructed';
  if (!isRebuilt || TOLD_WITHOUT_BODY.has(finding.cause)) return finding;
  const late = expired(situation);
  if (late) return late;
  return {
    cause: 'not-recorded',
    evidence: [
      'The request read less than the previous one cached. The recording has no tools, system prompt, or parameters, so Lathe can’t see what changed.',
    ],
    repair: 'Record whole requests to see what changed.',
    certainty: 'likely',
  };
};

const NEVER_CACHED: Finding = {
  cause: 'gateway-effect',
  evidence: [
    'Neither this request nor an earlier one wrote or read anything. Caching is off, or a gateway drops the markers.',
  ],
  repair: 'Check that prompt caching is on, and that nothing between you and the provider drops cache_control.',
  certainty: 'likely',
};

/** What is said where no earlier request left anything. Of a transcript nobody knows what the request asked for. */
const emptyHanded = ({ current, comparison: { base }, context }: Situation, finding: Finding): Finding => {
  if (finding.cause === 'below-floor') return finding;
  const floor = floorFinding(base, context, 'The prefix of the earlier request');
  if (floor) return { ...floor, certainty: 'likely' };
  return current.call.known === 'reconstructed' ? NEVER_CACHED : finding;
};

/** Nothing was there to read. Whether a setting would have changed that decides between waste and nothing at all. */
const unmissed = (situation: Situation, finding: Finding): Verdict => {
  const { current, comparison, context } = situation;
  const shared = sharedTokens(comparison);
  const isUnmarked = finding.cause === 'marker-fault';
  if (current.usage?.cacheReported !== true || isWorthCaching(current, shared, !isUnmarked, context))
    return lossVerdict({ ...situation, target: undefined, need: shared, read: 0 }, finding, 'waste');
  const isStatic = isUnmarked || finding.cause === 'below-floor';
  return finish(
    {
      ...NOTHING_LOST,
      kind: 'hit',
      cause: isStatic ? finding.cause : 'below-floor',
      position: isStatic ? (finding.position ?? null) : null,
      evidence: [
        ...(isStatic ? finding.evidence : []),
        `Nothing avoidable. Both requests start with the same ${tokensText(shared)}, and the cache floor of ${current.request.model} is ${numberText(floorOf(current))}.`,
      ],
      certainty: isStatic ? (finding.certainty ?? 'sure') : 'likely',
      comparedWith: comparison.base.call,
    },
    current.call,
  );
};

/** Neither the request nor what the earlier one left is known. */
const isBlind = ({ call }: Subject, base: Subject): boolean =>
  call.known === 'reconstructed' && base.passes.left === undefined;

const unjudged = ({ call }: Subject, base: Subject): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'not-recorded',
      kind: 'unknown',
      evidence: ['The recording has neither the whole request nor the amount that the earlier one cached.'],
      repair: 'Record whole requests with their usage.',
      certainty: 'likely',
      comparedWith: base.call,
    },
    call,
  );

/** Causes that are named where nothing in the request explains what was not read. */
const UNEXPLAINED: ReadonlySet<Finding['cause']> = new Set([
  'provider-eviction',
  'gateway-effect',
  'openai-cache-key',
  'ttl-expired',
]);

/** The largest floor that any provider publishes. */
const LARGEST_FLOOR = 4_096;

const isUnpublished = ({ current, need, read }: Situation, { cause }: Finding): boolean =>
  current.facts.caching === 'unknown' &&
  current.usage?.cacheReported === true &&
  UNEXPLAINED.has(cause) &&
  need - read < LARGEST_FLOOR;

/** What was found counts as a loss only if something was lost: a switch may leave as much to read as there was. */
const lossOrHit = (situation: Situation, finding: Finding): Verdict => {
  if (isUnpublished(situation, finding)) return unpublishedVerdict(situation);
  const verdict = lossVerdict(situation, knownFinding(finding, situation));
  return verdict.kind === 'miss' && verdict.tokensLost === 0 ? hitVerdict(situation) : verdict;
};

/** A request that continues with an earlier one. */
const insideChain = (
  context: ExplainContext,
  current: Subject,
  chosen: Related,
  candidates: readonly Subject[],
): Verdict => {
  const { base, relation } = chosen;
  const switched = switchOf(base, current, context.book);
  const comparison = compare(base, current, relation);
  const situation = situationOf(
    context,
    comparison,
    candidates.filter((other) => other === base || !switchOf(other, current, context.book)),
  );
  const hasRead = (current.usage?.read ?? 0) > 0;
  const fixed = hasRead ? undefined : (markerFinding(current) ?? floorFinding(current, context));
  // Of what was never marked or is too short nothing can have been missed.
  if (fixed) return unmissed(situation, fixed);
  const finding = switched && !isFullRead(situation) ? switchFinding(switched) : findingOf(situation);
  if (finding && foundNothing(situation)) return unmissed(situation, emptyHanded(situation, finding));
  if (finding && isBlind(current, base)) return unjudged(current, base);
  if (finding) return lossOrHit(situation, finding);
  // Models that match any prefix: nothing of this one was ever sent before.
  if (situation.target === undefined && situation.read === 0) return chainStart(current, context);
  return uncachedConversation(situation) ?? hitVerdict(situation);
};

/** Recordings without times may be days apart. */
const isApart = ({ call }: Subject, current: Subject): boolean =>
  call.isTimeless === true && call.sessionId !== current.call.sessionId;

const beside = (context: ExplainContext, current: Subject, candidates: readonly Subject[]): Verdict => {
  const same = candidates.filter((other) => !isApart(other, current) && !switchOf(other, current, context.book));
  const [nearest] = same
    .map((base) => compare(base, current))
    .toSorted((left, right) => right.common - left.common || left.gap - right.gap);
  return nearest ? besideVerdict(situationOf(context, nearest, same)) : chainStart(current, context);
};

/** What came before a request and could be read, of its own conversation and of others. */
const earlierOf = (
  read: SubjectReader,
  previous: RecordedCall | undefined,
  call: RecordedCall,
  context: ExplainContext,
): readonly Subject[] => {
  const calls = new Set([...(context.history ?? []).slice(-MAX_HISTORY), ...(previous ? [previous] : [])]);
  return [...calls]
    .filter((other) => other !== call && other.failed !== true && other.startedAt <= call.startedAt)
    .flatMap((other) => {
      const earlier = other.known === 'absent' ? undefined : read(other);
      return earlier?.ok === true ? [earlier.value] : [];
    });
};

/**
 * Tokens that a request should read by what came before it, whatever its own usage says. Undefined where nobody can tell:
 * its body is not known, or the provider keeps a part of it.
 */
export const expectedRead = (
  read: SubjectReader,
  previous: RecordedCall | undefined,
  call: RecordedCall,
  context: ExplainContext,
): number | undefined => {
  const subject = call.known === 'absent' ? undefined : read(call);
  if (subject?.ok !== true || hasServerHistory(subject.value)) return undefined;
  const current = subject.value;
  const isBeside = context.relation === undefined || context.relation === 'beside';
  const others = earlierOf(read, previous, call, context)
    .filter((other) => !switchOf(other, current, context.book) && !(isBeside && isApart(other, current)))
    .map((other) => compare(other, current));
  const revived = (context.revived ?? []).flatMap((other) => {
    const earlier = read(other);
    return earlier.ok && !switchOf(earlier.value, current, context.book) ? [compare(earlier.value, current)] : [];
  });
  const readable = Math.max(readableTokens(current, others), keptOutside(revived));
  // A transcript may hold a request in parts, and still say which conversation it continues with.
  const told =
    context.relation === 'continues' && call.known === 'reconstructed'
      ? others.find(({ base }) => base.call === previous)
      : undefined;
  const isUnseen = told !== undefined && told.reach <= current.messagesAt && told.gap <= longestTtl(told.base);
  return isUnseen ? Math.max(readable, prefixTokens(told.base, told.base.blocks.length - 1)) : readable;
};

export const explainWith = (
  read: SubjectReader,
  previous: RecordedCall | undefined,
  call: RecordedCall,
  context: ExplainContext,
): Verdict => {
  if (call.known === 'absent') return withoutBody(call);
  const subject = read(call);
  if (!subject.ok) return unreadable(call, subject.error);
  const current = subject.value;
  if (hasServerHistory(current)) return withHiddenHistory(current);
  const candidates = earlierOf(read, previous, call, context);
  const isStated = context.relation !== undefined;
  // Where the relation is known, only the earlier call itself counts; looking at all the others would cost the most.
  const bases = isStated ? candidates.filter((base) => base.call === previous) : candidates;
  const related = bases.flatMap((base): Related[] => {
    const relation = isStated ? context.relation : relationOf(bondOf(base, current));
    return relation === undefined || relation === 'beside' ? [] : [{ base, relation }];
  });
  const chosen = choosePrevious(related, current, context.book);
  if (!chosen)
    return (
      refused(current) ??
      beside(context, current, context.relation === undefined || context.relation === 'beside' ? candidates : [])
    );
  if (chosen.relation === 'compacted') return compactionStart(current, chosen.base.call);
  return insideChain(context, current, chosen, candidates);
};

/** `previous` is the call that the request is held against unless the history has a better one. */
export const explain = (
  previous: RecordedCall | undefined,
  current: RecordedCall,
  context: ExplainContext = {},
): Verdict => explainWith(createSubjectReader(context), previous, current, context);
