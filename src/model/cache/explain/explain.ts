/** Why a request was not read from the cache: one verdict, in the order of EX36 (`SPEC.md`). */
import { hasServerHistory } from '../openai-breakpoints.ts';
import type { RecordedCall } from '../types.ts';
import { compare } from './comparison.ts';
import { findingOf } from './findings.ts';
import { switchFinding } from './param-causes.ts';
import { choosePrevious, type Related, switchOf } from './previous.ts';
import { bondOf, relationOf } from './relation.ts';
import { isFullRead, readableTokens, sharedTokens, situationOf } from './situation.ts';
import { besideVerdict, chainStart, compactionStart } from './start.ts';
import { floorFinding, markerFinding } from './static-causes.ts';
import { createSubjectReader, longestTtl, prefixTokens, type Subject, type SubjectReader } from './subject.ts';
import type { ExplainContext, Finding, Verdict } from './types.ts';
import { finish, hitVerdict, lossVerdict, NOTHING_LOST } from './verdict.ts';
import { uncachedConversation } from './waste.ts';
import { tokensText } from './words.ts';

/** Calls further back than this are not looked at. */
const MAX_HISTORY = 200;

/** The provider keeps a part of the prompt, so there is nothing to compare; usage is all that can be told. */
const withHiddenHistory = ({ call }: Subject): Verdict => {
  const isRead = (call.usage?.read ?? 0) > 0;
  const why =
    'A part of this prompt is kept by the provider (previous_response_id, conversation or prompt) and cannot be compared';
  return finish(
    {
      ...NOTHING_LOST,
      cause: isRead ? 'hit' : 'not-recorded',
      ...(!isRead && { kind: 'unknown' as const }),
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

const withoutBody = (call: RecordedCall): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'not-recorded',
      kind: 'unknown',
      evidence: ['The body of this request was not recorded, so there is nothing to compare.'],
      repair: 'Record the bodies too.',
      certainty: 'likely',
    },
    call,
  );

const unreadable = (call: RecordedCall, error: string): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'marker-fault',
      evidence: [`${error}; no provider takes such a request.`],
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

const knownFinding = (finding: Finding, { call }: Subject, base: Subject): Finding => {
  if (call.isTimeless === true && TOLD_BY_TIME.has(finding.cause))
    return {
      cause: 'not-recorded',
      evidence: [
        'The same bytes were sent before, and less of them was read than had been left. The recording has no times, so an entry that had expired cannot be told from one that was lost.',
      ],
      repair: 'Record the time of every request, too.',
      certainty: 'likely',
    };
  const isRebuilt = call.known === 'reconstructed' || base.call.known === 'reconstructed';
  if (!isRebuilt || TOLD_WITHOUT_BODY.has(finding.cause)) return finding;
  return {
    cause: 'not-recorded',
    evidence: [
      'Less was read than the request before had left. Tools, system prompt and parameters are not in the recording, so what changed cannot be seen.',
    ],
    repair: 'Record whole requests to see what changed.',
    certainty: 'likely',
  };
};

/** A request that goes on with an earlier one. */
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
  if (fixed)
    // Of what was never marked or is too short nothing can have been missed.
    return lossVerdict({ ...situation, target: undefined, need: sharedTokens(comparison), read: 0 }, fixed, 'waste');
  const finding = switched && !isFullRead(situation) ? switchFinding(switched) : findingOf(situation);
  if (finding) return lossVerdict(situation, knownFinding(finding, current, base));
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
  const readable = readableTokens(current, others);
  // A transcript may hold a request in parts, and still say which conversation it goes on with.
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
  const related = candidates.flatMap((base): Related[] => {
    const relation = isStated && base.call === previous ? context.relation : relationOf(bondOf(base, current));
    return relation === undefined || relation === 'beside' ? [] : [{ base, relation }];
  });
  const chosen = choosePrevious(
    isStated ? related.filter(({ base }) => base.call === previous) : related,
    current,
    context.book,
  );
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
