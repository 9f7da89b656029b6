/** The first request of a conversation: neutral, unless it should have shared its head with another one. */
import { writtenTokens } from '../../provider/types.ts';
import type { CacheBlock } from '../types.ts';
import type { Comparison } from './comparison.ts';
import { reachesFloor } from './comparison.ts';
import { contentFinding } from './findings.ts';
import { isBelowFloor } from './left-behind.ts';
import { isReadable } from './lookup.ts';
import { areOfTwoFolders, areOurs } from './own-causes.ts';
import { commonLength } from '../../../base/json-rescan.ts';
import { type Situation } from './situation.ts';
import { floorFinding, markerFinding } from './static-causes.ts';
import { isSameBlock, longestTtl, type Subject } from './subject.ts';
import type { CauseId, ExplainContext, Finding, Verdict } from './types.ts';
import { finish, lossVerdict, NOTHING_LOST } from './verdict.ts';
import { numberText, tokensText } from './words.ts';

const amounts = ({ call: { usage } }: Subject): string =>
  usage?.cacheReported === true
    ? ` It read ${numberText(usage.read)} and wrote ${tokensText(writtenTokens(usage))}.`
    : '';

/** Why the next request will find nothing, where that can be seen already. */
const warning = (current: Subject, context: ExplainContext): readonly string[] => {
  if ((current.usage?.read ?? 0) > 0) return [];
  const finding = markerFinding(current) ?? floorFinding(current, context);
  return finding ? finding.evidence.slice(0, 1) : [];
};

export const chainStart = (current: Subject, context: ExplainContext): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'chain-start',
      evidence: [
        `A conversation starts here. Anything it reads comes from another conversation.${amounts(current)}`,
        ...warning(current, context),
      ],
      certainty: 'sure',
    },
    current.call,
  );

export const compactionStart = (current: Subject, previous: Verdict['comparedWith']): Verdict =>
  finish(
    {
      ...NOTHING_LOST,
      cause: 'compaction',
      evidence: [
        `The conversation was compacted. It continues from a summary, after the same tools and system prompt.${amounts(current)}`,
      ],
      certainty: 'sure',
      comparedWith: previous,
    },
    current.call,
  );

/** How much of the head (tools and system prompt) two requests must have in common for it to be meant as one. */
const ALIKE = 0.8;

const headOf = ({ blocks, messagesAt }: Subject): readonly CacheBlock[] => blocks.slice(0, messagesAt);
const lengthOf = (blocks: readonly CacheBlock[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

const toolNames = (blocks: readonly CacheBlock[]): string =>
  JSON.stringify(
    blocks
      .filter(({ label }) => label.startsWith('tools['))
      .map(({ text }) => /"name"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? text)
      .toSorted(),
  );

/** The share of the later head that is in the earlier one: whole blocks, or both ends of one that was edited. */
const likeness = (before: readonly CacheBlock[], after: readonly CacheBlock[]): number => {
  const known = new Set(before.map(({ text }) => text));
  const fresh = after.filter(({ text }) => !known.has(text));
  const own = new Set(after.map(({ text }) => text));
  const gone = before.filter(({ text }) => !own.has(text));
  const edited = fresh.reduce((sum, { text, tier }, index) => {
    const old = gone[index];
    if (!old || old.tier !== tier) return sum;
    const head = commonLength(old.text, text);
    const limit = Math.min(old.text.length, text.length) - head;
    let tail = 0;
    while (tail < limit && old.text.at(-1 - tail) === text.at(-1 - tail)) tail++;
    return sum + head + tail;
  }, 0);
  const total = Math.max(lengthOf(before), lengthOf(after), 1);
  return (lengthOf(after) - lengthOf(fresh) + edited) / total;
};

/** Two conversations of one program: the same tools, and a system prompt that is nearly the same. */
const areSiblings = ({ base, current, gap }: Comparison): boolean =>
  gap <= longestTtl(base) &&
  toolNames(headOf(base)) === toolNames(headOf(current)) &&
  likeness(headOf(base), headOf(current)) >= ALIKE;

const SHARED: ReadonlySet<CauseId> = new Set([
  'volatile-value-in-system',
  'date-line',
  'late-tool-list',
  'billing-header',
  'tool-order',
  'tools-changed',
  'json-reserialised',
  'whitespace-drift',
]);
/** A matter of where a breakpoint or a key is set; the request itself could not have read anything. */
const SETTINGS: ReadonlySet<CauseId> = new Set(['breakpoint-on-unique-block', 'openai-cache-key']);

const shared = (finding: Finding): Finding => ({
  ...finding,
  cause: 'shared-prefix-differs',
  evidence: [
    'Another conversation with the same tools cached its tools and system prompt. This one starts differently.',
    ...finding.evidence,
  ],
  certainty: 'likely',
});

/** Beside another conversation of the same program: what both are meant to share differs, or cannot be found again. */
export const besideVerdict = (situation: Situation): Verdict => {
  const { current, comparison, target, context, read, entries } = situation;
  const start = (): Verdict => chainStart(current, context);
  const isRead = (current.usage?.read ?? 0) > 0 || entries().some((entry) => isReadable(current, entry));
  // Of a transcript nobody knows the tools and the system prompt.
  if (isRead || read > 0 || current.call.known === 'reconstructed') return start();
  const { base, reach, common } = comparison;
  const isWhole = current.breakpoints[0]?.origin === 'whole';
  const end = target ?? base.breakpoints.at(-1)?.index;
  // Too short to be cached, it could not have read anything, whatever it begins with.
  if (isWhole && (isBelowFloor(base) || isBelowFloor(current))) return start();
  const last = current.breakpoints.at(-1)?.index;
  if (!isWhole && (last === undefined || !reachesFloor(current, last))) return start();
  if (end === undefined || reach > end || (!isWhole && !reachesFloor(base, end))) return start();
  if (isSameBlock(base.blocks[common], current.blocks[common])) return start();
  const isInHead = common < Math.max(base.messagesAt, current.messagesAt);
  const isLate = comparison.gap > longestTtl(base);
  // A nested ask has its session's prefix without `run_metaskill`: a difference by design.
  const isNested = base.call.sessionId === current.call.sessionId;
  if (areOfTwoFolders(comparison) || (areOurs(comparison) && (isLate || isNested))) return start();
  const finding = contentFinding(comparison);
  // Only tools and system prompt are meant to be shared: what sessions say first may differ, and that is not a miss.
  if (finding.cause === 'per-user-data-first' || finding.cause === 'shared-prefix-differs')
    return lossVerdict(situation, finding, isInHead ? undefined : 'waste');
  if (isInHead)
    return SHARED.has(finding.cause) && areSiblings(comparison) ? lossVerdict(situation, shared(finding)) : start();
  return SETTINGS.has(finding.cause) && !isWhole ? lossVerdict(situation, finding, 'waste') : start();
};
