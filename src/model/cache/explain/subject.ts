/** A recorded call, read for an explanation. */
import { once } from '../../../base/once.ts';
import { ok, type Result } from '../../../base/result.ts';
import { modelFacts, type ModelFacts } from '../../provider/model-book.ts';
import { promptTokens, type Usage } from '../../provider/types.ts';
import { forgetsThinking, renderedBlocks, tierParams, type TierParam } from '../hash-chain.ts';
import { createRequestReading } from '../read-request.ts';
import type { CacheBlock, CacheRequest, RecordedCall } from '../types.ts';
import { type Passes, passesOf } from './passes.ts';
import { type SentBreakpoint, breakpointsOf, lifetimeOf, readPlacesOf, sentPositions } from './breakpoints.ts';
import { withoutBilling } from './billing-block.ts';
import { createOverviews, estimatesOf, firstMessage, type Overview } from './overview.ts';
import type { ExplainContext } from './types.ts';

export interface Subject {
  readonly call: RecordedCall;
  /** Of the request as it was sent: where its answer took several passes, of the first one. */
  readonly usage: Usage | undefined;
  readonly passes: Passes;
  readonly request: CacheRequest;
  readonly facts: ModelFacts;
  /** What is sent, in render order; deferred tools are not part of it. */
  readonly blocks: readonly CacheBlock[];
  /** Blocks (by index) that are sent and that the model forgets. */
  readonly forgotten: ReadonlySet<number>;
  readonly positions: () => readonly number[];
  readonly breakpoints: readonly SentBreakpoint[];
  /** Where alone it can find an entry; undefined where it walks back or matches any prefix. */
  readonly readPlaces: ReadonlySet<number> | undefined;
  readonly params: readonly TierParam[];
  /** Index of the first block of the conversation. */
  readonly messagesAt: number;
  /** Estimated tokens of the prefix that ends with a block, before usage corrects it. */
  readonly estimates: () => readonly number[];
}

const CHARACTERS_PER_TOKEN = 4;
const quickCount = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

const NOTHING: ReadonlySet<number> = new Set();

interface Seen {
  readonly sent: readonly CacheBlock[];
  /** Of those, by index; undefined: all of them. */
  readonly rendered: readonly number[] | undefined;
  readonly forgotten: ReadonlySet<number>;
}

/** Of the blocks that are sent: which the model sees, and which it forgets. Nearly always it sees all. */
const seenOf = (request: CacheRequest, facts: ModelFacts, { hasDeferred, hasThinking }: Overview): Seen => {
  const { blocks } = request;
  const all: Seen = { sent: blocks, rendered: undefined, forgotten: NOTHING };
  if (!hasDeferred && !(hasThinking && forgetsThinking(facts))) return all;
  const seen = renderedBlocks(request, facts);
  if (seen.length === blocks.length) return all;
  const isSeen = new Set(seen);
  const kept = blocks.flatMap((block, index) => (block.deferred ? [] : [index]));
  return {
    sent: kept.length === blocks.length ? blocks : blocks.filter(({ deferred }) => !deferred),
    rendered: kept.flatMap((original, index) => (isSeen.has(original) ? [index] : [])),
    forgotten: new Set(kept.flatMap((original, index) => (isSeen.has(original) ? [] : [index]))),
  };
};

const createSubject = (
  call: RecordedCall,
  request: CacheRequest,
  context: ExplainContext,
  overviewOf: ReturnType<typeof createOverviews>,
): Subject => {
  const facts = modelFacts(request.model, context.book);
  const overview = overviewOf(request.blocks, facts);
  const { sent, rendered, forgotten } = seenOf(request, facts, overview);
  const blocks = withoutBilling(sent, call);
  const isWhole = rendered === undefined;
  const passes = passesOf(call);
  return {
    call,
    usage: passes.first,
    passes,
    request,
    facts,
    blocks,
    forgotten,
    positions: once(() => sentPositions(blocks, rendered)),
    breakpoints: breakpointsOf(request, blocks, rendered, facts, isWhole ? overview : undefined),
    readPlaces: readPlacesOf(request, blocks, rendered, facts),
    params: tierParams(request, facts, call.betas),
    messagesAt: isWhole ? overview.messagesAt : firstMessage(blocks),
    estimates: once(() => estimatesOf(request, facts, overview)),
  };
};

export type SubjectReader = (call: RecordedCall) => Result<Subject, string>;

/** Blocks of all subjects that are kept: what every request of a long conversation needs grows with its square. */
const MOST_KEPT_BLOCKS = 100_000;
/** However long they are: a call is held against this many others. */
const LEAST_KEPT = 64;

const sizeOf = (subject: Result<Subject, string>): number => (subject.ok ? subject.value.blocks.length : 0) + 1;

/** Reads a call once while it is new, and again where an old one is asked for; one that begins like one read right before it shares its blocks. */
export const createSubjectReader = (context: ExplainContext): SubjectReader => {
  const known = new Map<RecordedCall, Result<Subject, string>>();
  const readBody = createRequestReading();
  const overviewOf = createOverviews(context.tokens ?? quickCount);
  let kept = 0;
  return (call) => {
    const found = known.get(call);
    if (found) return found;
    const request = call.request ? ok(call.request()) : readBody(call.body, call.wire);
    const subject = request.ok ? ok(createSubject(call, request.value, context, overviewOf)) : request;
    known.set(call, subject);
    kept += sizeOf(subject);
    for (const [oldest, its] of known) {
      if (kept <= MOST_KEPT_BLOCKS || known.size <= LEAST_KEPT) break;
      known.delete(oldest);
      kept -= sizeOf(its);
    }
    return subject;
  };
};

/** Tokens that went through the cache; undefined where the provider said nothing about it. */
export const coveredTokens = ({ passes }: Subject): number | undefined => passes.left;

const lastIndex = ({ breakpoints }: Subject): number | undefined => breakpoints.at(-1)?.index;

/** Usage that is far below what the body must have counts as misreported. */
const PLAUSIBLE = 0.4;

/** Tokens of the prefix that ends with a block: the estimate, made to agree with what usage says. */
export const prefixTokens = (subject: Subject, index: number): number => {
  const estimates = subject.estimates();
  const at = (place: number): number => estimates[Math.min(place, estimates.length - 1)] ?? 0;
  const own = at(index);
  const covered = coveredTokens(subject) ?? 0;
  const last = lastIndex(subject);
  const whole = at(estimates.length - 1);
  const { usage } = subject;
  if (covered > 0 && last !== undefined && at(last) > 0 && subject.breakpoints[0]?.origin !== 'whole') {
    if (index <= last) {
      // What is known is not stretched with the rest.
      const known = Math.min(subject.request.blocks[0]?.tokens ?? 0, covered);
      return known + Math.round((Math.max(0, own - known) * (covered - known)) / Math.max(1, at(last) - known));
    }
    // What is after the last breakpoint is what was not cached.
    return covered + Math.round(((usage?.uncached ?? 0) * (own - at(last))) / Math.max(1, whole - at(last)));
  }
  const said = usage?.cacheReported === true ? promptTokens(usage) : 0;
  return said > whole * PLAUSIBLE ? Math.round((own * said) / Math.max(1, whole)) : own;
};

export const promptSize = (subject: Subject): number => prefixTokens(subject, subject.blocks.length - 1);

/** How long anything that a call leaves behind can live. */
export const longestTtl = (subject: Subject): number =>
  Math.max(0, ...subject.breakpoints.map((breakpoint) => lifetimeOf(subject.request, breakpoint)));

export const isSameBlock = (left: CacheBlock | undefined, right: CacheBlock | undefined): boolean =>
  left === right ||
  (left !== undefined && right !== undefined && left.text === right.text && (left.role ?? '') === (right.role ?? ''));
