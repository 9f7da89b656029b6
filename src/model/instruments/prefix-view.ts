/** The request to scale: what lies where, where the cache may stop, and what it gave last time. */
import { toolPromptTokens } from '../cache/block-tokens.ts';
import { paddingNote, paddingTarget } from '../prompt/padding.ts';
import type { PaddingPolicy } from '../prompt/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import { promptTokens, writtenTokens, type Usage, type WriteTtl } from '../provider/types.ts';
import { codePointLength } from '../../base/text.ts';
import type { BodySegment } from './body-segments.ts';
import { grouped } from './figures.ts';
import type { SegmentSizes } from './segment-sizes.ts';

export interface PrefixSegment extends BodySegment {
  /** In tokens of the model, as the forecast counts them. */
  readonly counted: number | undefined;
  /** Shares of the whole strip, 0 to 1. */
  readonly from: number;
  readonly to: number;
}

export interface PrefixMark {
  readonly kind: 'breakpoint' | 'floor' | 'min' | 'max';
  /** Share of the strip. */
  readonly at: number;
  readonly label: string;
  /** One sentence. */
  readonly about: string;
  readonly ttl?: WriteTtl;
}

export interface PrefixLane {
  /** `actual`: reported; `predicted`: by our model, before the answer. */
  readonly origin: 'actual' | 'predicted';
  /** Shares of the strip; what is left is uncached. */
  readonly read: number;
  readonly written: number;
  readonly tokens: { readonly read: number; readonly written: number; readonly uncached: number };
}

export interface PrefixView {
  readonly segments: readonly PrefixSegment[];
  /** Of the whole axis. */
  readonly unit: 'estimate' | 'tokens';
  /** Of the strip, in `unit`. */
  readonly total: number;
  /** Up to and after the last breakpoint of tools and system, in `unit`. */
  readonly before: number;
  readonly behind: number;
  readonly marks: readonly PrefixMark[];
  readonly lane: PrefixLane | undefined;
  /** One sentence about padding; nothing where nobody knows the plan. */
  readonly note: string | undefined;
  /** How much of the strip is padding, in `unit`. */
  readonly padding: number;
  /** Which numbers these are, in one sentence. */
  readonly measure: string;
}

/** Of `cache.predicted`, or of a forecast of what was not sent. */
export interface PrefixPrediction {
  readonly read: number;
  readonly uncached: number;
  readonly writes: Readonly<Partial<Record<string, number>>>;
  readonly breakpoints: readonly {
    readonly label: string;
    readonly ttl: string;
    readonly outcome: string;
    readonly reason: string;
  }[];
}

export interface PrefixInput {
  readonly segments: readonly BodySegment[];
  readonly model: string;
  /** Absent: nothing was counted, and the axis has estimates. */
  readonly sizes?: SegmentSizes | undefined;
  /** Absent for a recording: nobody knows whether it was padded. */
  readonly padding?: PaddingPolicy | undefined;
  readonly predicted?: PrefixPrediction | undefined;
  readonly usage?: Usage | undefined;
  /** Leaves the messages out: a long conversation would leave little room for what is cached. */
  readonly withoutMessages?: boolean;
  readonly book?: ModelBook;
}

const PRELOADED_MARK = ' [preloaded]';

/** Of tools and stable prompt as they would be without padding, and as they are: both by the estimate. */
const estimatedSizes = (segments: readonly BodySegment[]): { readonly natural: number; readonly estimate: number } => {
  let all = 0;
  let padding = 0;
  for (const { kind, text, isPadding, isVolatile, codePoints } of segments) {
    if (isVolatile) continue;
    const length = codePoints ?? codePointLength(text);
    all += length;
    if (isPadding) padding += length;
    // A body that is in the prompt is marked in the index too.
    if (kind === 'preloaded') padding += PRELOADED_MARK.length;
  }
  const tokens = (length: number): number => Math.max(1, Math.floor(length / 4));
  return { natural: tokens(all - padding), estimate: tokens(all) };
};

/** The share of the strip at which a cumulative number reaches a value; nothing where it never does. */
const shareAt = (
  segments: readonly PrefixSegment[],
  size: (segment: PrefixSegment) => number,
  value: number,
): number | undefined => {
  let sum = 0;
  for (const segment of segments) {
    const own = size(segment);
    if (sum + own >= value) return segment.from + (segment.to - segment.from) * (own === 0 ? 0 : (value - sum) / own);
    sum += own;
  }
  return undefined;
};

const NAMES: Readonly<Record<string, string>> = { tool: 'tools', message: 'messages' };
const breakpointName = ({ kind, isVolatile }: BodySegment): string =>
  NAMES[kind] ?? (isVolatile ? 'volatile system' : 'stable system');

const OUTCOMES: Readonly<Record<string, string>> = {
  read: 'It was read from here.',
  written: 'It was written up to here.',
  'below-floor': 'The prefix up to here is too short for this model.',
  covered: 'A longer prefix was read.',
  'not-written': 'Nothing was written here.',
};

const breakpointMarks = (
  segments: readonly PrefixSegment[],
  predicted: PrefixPrediction | undefined,
): readonly PrefixMark[] => {
  const told = new Map((predicted?.breakpoints ?? []).map((point) => [point.label, point]));
  return segments.flatMap((segment, index): readonly PrefixMark[] => {
    const isLast = segments[index + 1]?.block !== segment.block;
    const point = isLast ? told.get(segment.label) : undefined;
    const ttl = segment.ttl ?? (point?.ttl as WriteTtl | undefined);
    if (ttl === undefined) return [];
    const life = ttl === 'unknown' ? '' : ` It expires ${ttl} after its last use.`;
    const outcome = point ? ` ${point.reason === '' ? (OUTCOMES[point.outcome] ?? '') : point.reason}` : '';
    return [
      {
        kind: 'breakpoint',
        at: segment.to,
        label: breakpointName(segment),
        about: `Breakpoint: the provider may keep everything before it.${life}${outcome}`,
        ttl,
      },
    ];
  });
};

const limitMarks = (segments: readonly PrefixSegment[], total: number, input: PrefixInput): readonly PrefixMark[] => {
  const facts = modelFacts(input.model, input.book);
  // Where a measurement found a higher floor than the documents name, the effective one counts.
  const floor = facts.floor === undefined ? undefined : Math.max(facts.floor, facts.observedFloor ?? 0);
  const hasStable = segments.some(({ isVolatile, kind }) => !isVolatile && kind !== 'hidden');
  const target =
    input.padding === undefined || !hasStable ? undefined : paddingTarget(input.padding, input.model, input.book);
  const floorAt = floor === undefined ? undefined : shareAt(segments, sizeOf, floor);
  // Padding is decided by the estimate; its limits are reported in the unit of the axis, at the place where the estimate reaches them.
  const limit = (kind: 'min' | 'max', estimate: number | undefined, about: string): readonly PrefixMark[] => {
    const at = estimate === undefined ? undefined : shareAt(segments, (segment) => segment.estimate, estimate);
    if (at === undefined) return [];
    const because = `${grouped(estimate ?? 0)} by the estimate for padding, which counts four characters per token.`;
    return [{ kind, at, label: `${kind.toUpperCase()} ${grouped(at * total)}`, about: `${about}: ${because}` }];
  };
  return [
    ...(floorAt === undefined
      ? []
      : [
          {
            kind: 'floor' as const,
            at: floorAt,
            label: `floor ${grouped(floor ?? 0)}`,
            about: `${facts.label} caches prefixes from this length. It never caches a shorter one.`,
          },
        ]),
    ...limit('min', target?.min, 'Padding fills the stable prompt up to here'),
    ...limit('max', target?.max, 'Padding never goes beyond here'),
  ];
};

/** As near as the error of an estimate. */
const NEAR = 0.03;

/**
 * Where an end is drawn, before `limit`. An entry ends at a breakpoint: of this request, or of an earlier one, which was at
 * the end of a message. Only where none is near, any end of a segment will do.
 */
const drawnEnd = (
  share: number,
  segments: readonly PrefixSegment[],
  stops: readonly number[],
  limit = Infinity,
): number => {
  if (share >= 1) return 1;
  const ends = (test: (segment: PrefixSegment) => boolean): readonly number[] =>
    segments.filter((segment) => test(segment)).map(({ to }) => to);
  for (const places of [[...stops, ...ends(({ kind }) => kind === 'message')], ends(() => true)]) {
    const near = places.filter((place) => place < limit && Math.abs(place - share) <= NEAR);
    if (near.length > 0)
      return near.reduce((best, place) => (Math.abs(place - share) < Math.abs(best - share) ? place : best));
  }
  return Math.min(share, limit);
};

/** `part` of the whole prompt is what the strip shows. */
const laneOf = (
  { usage, predicted }: PrefixInput,
  segments: readonly PrefixSegment[],
  stops: readonly number[],
  part: number,
): PrefixLane | undefined => {
  const lane = (
    origin: PrefixLane['origin'],
    read: number,
    written: number,
    uncached: number,
  ): PrefixLane | undefined => {
    const total = read + written + uncached;
    if (total === 0 || part === 0) return undefined;
    const shareOf = (tokens: number): number => tokens / total / part;
    const covered = shareOf(read + written);
    const coveredEnd = read + written === 0 ? 0 : drawnEnd(covered, segments, stops);
    // What was written begins where reading ended: both never end at one place inside the strip.
    const limit = written === 0 || covered > 1 ? Infinity : coveredEnd;
    const readEnd = read === 0 ? 0 : drawnEnd(shareOf(read), segments, stops, limit);
    return { origin, read: readEnd, written: coveredEnd - readEnd, tokens: { read, written, uncached } };
  };
  if (usage?.cacheReported === true && promptTokens(usage) > 0)
    return lane('actual', usage.read, writtenTokens(usage), usage.uncached);
  if (!predicted) return undefined;
  const written = Object.values(predicted.writes).reduce((sum: number, tokens) => sum + (tokens ?? 0), 0);
  return lane('predicted', predicted.read, written, predicted.uncached);
};

const measureOf = ({ sizes, model, book }: PrefixInput): string => {
  if (!sizes) return 'Estimated widths: four characters per token.';
  const { label, tokenFactor } = modelFacts(model, book);
  return `Widths in model tokens: the billed count if known, otherwise o200k × ${tokenFactor.toFixed(2)}, the factor of ${label}.`;
};

const sizeOf = ({ counted, estimate }: Pick<PrefixSegment, 'counted' | 'estimate'>): number => counted ?? estimate;

type Sized = BodySegment & Pick<PrefixSegment, 'counted'>;

/** What the provider adds for tools: in no body, and before everything else (CA16). */
const hiddenSegment = (tokens: number): Sized => ({
  kind: 'hidden',
  id: 'hidden',
  title: 'tool prompt',
  label: '',
  block: -1,
  text: '',
  estimate: 0,
  codePoints: 0,
  counted: tokens,
  isVolatile: false,
  isPadding: false,
  start: 0,
  end: 0,
  byteStart: 0,
  byteEnd: 0,
  shown: { start: 0, end: 0, isString: false },
});

/** All segments with the tokens that the axis gives them. */
const sizedSegments = ({ segments, sizes, model, book }: PrefixInput): readonly Sized[] => {
  const hidden = sizes?.hidden ?? toolPromptTokens({ blocks: segments }, modelFacts(model, book));
  return [
    ...(hidden > 0 ? [hiddenSegment(hidden)] : []),
    ...segments.map((segment, index) => Object.assign({}, segment, { counted: sizes?.tokens[index] })),
  ];
};

export const prefixView = (input: PrefixInput): PrefixView => {
  const all = sizedSegments(input);
  const sum = (segments: readonly Sized[]): number => segments.reduce((tokens, segment) => tokens + sizeOf(segment), 0);
  const shown = all.filter(({ kind }) => input.withoutMessages !== true || kind !== 'message');
  const [whole, total] = [sum(all), sum(shown)];
  const share = (tokens: number): number => (total === 0 ? 0 : tokens / total);
  let at = 0;
  const segments = shown.map((segment): PrefixSegment => {
    const from = share(at);
    at += sizeOf(segment);
    return Object.assign({}, segment, { from, to: share(at) });
  });
  const breakpoints = breakpointMarks(segments, input.predicted);
  const stableEnd = segments.findLast(({ isVolatile }) => !isVolatile)?.to ?? 0;
  const last = breakpoints.findLast((mark) => mark.at <= stableEnd + 1e-9)?.at ?? stableEnd;
  const before = sum(segments.filter(({ to }) => to <= last + 1e-9));
  const target = input.padding === undefined ? undefined : paddingTarget(input.padding, input.model, input.book);
  return {
    segments,
    unit: input.sizes ? 'tokens' : 'estimate',
    total,
    before,
    behind: whole - before,
    marks: [...breakpoints, ...limitMarks(segments, total, input)],
    lane: laneOf(
      input,
      segments,
      breakpoints.map(({ at: place }) => place),
      whole === 0 ? 0 : total / whole,
    ),
    note: target && paddingNote(target, estimatedSizes(segments)),
    padding: sum(segments.filter(({ isPadding }) => isPadding)),
    measure: measureOf(input),
  };
};
