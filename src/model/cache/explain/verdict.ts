/** From findings to verdicts: what was lost, what it cost, and how much it matters. */
import { extraCost } from '../../provider/cost.ts';
import { promptTokens, writtenTokens, type Usage } from '../../provider/types.ts';
import type { RecordedCall } from '../types.ts';
import { passesOf } from './passes.ts';
import { providerSaid } from './provider-said.ts';
import type { Situation } from './situation.ts';
import { promptSize, type Subject } from './subject.ts';
import type { CauseId, ExplainContext, Finding, Verdict, VerdictKind } from './types.ts';
import { numberText, tokensText } from './words.ts';

const usageText = (usage: Usage, passes: number): string => {
  if (!usage.cacheReported) return `${numberText(usage.uncached)} input tokens, no cache counters.`;
  const many = passes > 1 ? ` in ${passes} passes, added up (server tools or a compaction)` : '';
  return `${numberText(usage.read)} read, ${numberText(writtenTokens(usage))} written, ${numberText(usage.uncached)} uncached: ${tokensText(promptTokens(usage))} of prompt${many}.`;
};

type Draft = Omit<Verdict, 'providerSaid' | 'usageSays' | 'kind'> & {
  /** Where the cause alone does not tell. */
  readonly kind?: VerdictKind;
};

const KINDS: Readonly<Partial<Record<CauseId, VerdictKind>>> = {
  hit: 'hit',
  'chain-start': 'start',
  compaction: 'start',
  'conversation-not-cached': 'waste',
  // Nothing was ever written, so nothing was missed.
  'below-floor': 'waste',
  'usage-misread': 'unknown',
};

/** Without usage nobody knows what was read, whatever the bytes say. */
const kindOf = ({ kind, cause }: Draft, { usage }: RecordedCall): VerdictKind =>
  usage?.cacheReported === true ? (kind ?? KINDS[cause] ?? 'miss') : 'unknown';

const untold = ({ usage, failed }: RecordedCall): readonly string[] => {
  if (usage?.cacheReported === true) return [];
  if (usage) return ['The provider reported no cache counters, so the read tokens are unknown.'];
  return failed === true
    ? ['The request failed, and the provider reported no usage.']
    : ['The provider reported no usage, so the read tokens are unknown.'];
};

const REBUILT = 'Lathe rebuilt this request from the recorded conversation. The bytes aren’t the ones that were sent.';

export const finish = (draft: Draft, call: RecordedCall): Verdict => {
  const kind = kindOf(draft, call);
  const isRebuilt = call.known === 'reconstructed' || draft.comparedWith?.known === 'reconstructed';
  const isFine = kind === 'hit' || kind === 'start';
  const evidence = [
    ...draft.evidence,
    ...untold(call),
    ...(isFine ? [] : [...(isRebuilt ? [REBUILT] : []), ...(call.notes ?? [])]),
  ];
  const verdict: Verdict = {
    ...draft,
    kind,
    certainty: isRebuilt ? 'likely' : draft.certainty,
    evidence,
    providerSaid: null,
    usageSays: call.usage ? usageText(call.usage, passesOf(call).count) : null,
  };
  const said = providerSaid(call.diagnosis, verdict);
  return { ...verdict, providerSaid: said, evidence: said === null ? evidence : [...evidence, said] };
};

export const NOTHING_LOST = {
  partial: false,
  position: null,
  tokensLost: 0,
  costLost: 0,
  repair: '',
  comparedWith: null,
} as const;

const lossOf = (current: Subject, need: number, read: number, target: number | undefined, context: ExplainContext) => {
  const tokensLost = Math.max(0, Math.round(Math.min(need, promptSize(current)) - read));
  const { usage } = current;
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

const UNPUBLISHED =
  'This provider doesn’t publish how it caches, so a difference this small proves nothing about the request.';

/** Nobody knows from which size on, and in which steps, such a provider caches: what it left out says nothing. */
export const unpublishedVerdict = ({ current, comparison, read }: Situation): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'hit',
      evidence: [`${tokensText(read)} were read. ${UNPUBLISHED}`],
      certainty: 'likely',
      comparedWith: comparison.base.call,
    },
    current.call,
  );

export const hitVerdict = ({ current, comparison, read }: Situation): Verdict => {
  const isReported = current.usage?.cacheReported === true;
  return finish(
    {
      ...NOTHING_LOST,
      cause: 'hit',
      evidence: [
        isReported
          ? `The request read ${tokensText(read)}, everything the earlier request cached for it.`
          : `The bytes match the earlier request, so about ${tokensText(read)} are readable.`,
      ],
      certainty: isReported ? 'sure' : 'likely',
      comparedWith: comparison.base.call,
    },
    current.call,
  );
};

export const lossVerdict = (situation: Situation, finding: Finding, kind?: VerdictKind): Verdict => {
  const { current, comparison, need, read, target, context } = situation;
  const { cause, position, evidence, repair, certainty } = finding;
  const isMisread = cause === 'usage-misread';
  const loss = isMisread ? { tokensLost: 0, costLost: 0 } : lossOf(current, need, read, target, context);
  const isPartial = !isMisread && read > 0;
  return finish(
    {
      ...(kind && { kind }),
      cause,
      partial: isPartial,
      position: position ?? null,
      evidence: [
        ...evidence,
        ...(isPartial
          ? [
              `The request still read ${tokensText(read)} of about ${tokensText(Math.min(need, promptSize(current)))} that it could have read.`,
            ]
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
