/** The request to scale: what lies where, where the cache may stop, and what it gave last time. */
import { toolPromptTokens } from '../cache/block-tokens.ts';
import { paddingNote, paddingTarget } from '../prompt/padding.ts';
import type { PaddingPolicy } from '../prompt/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import { promptTokens, writtenTokens, type Usage, type WriteTtl } from '../provider/types.ts';
import type { Payload } from '../event/types.ts';
import { codePointLength } from '../../base/text.ts';
import type { BodySegment } from './body-segments.ts';
import { grouped } from './figures.ts';

/** Counted by the provider's own tokenizer as far as it is known, fitted to what it reported. */
export interface Calibration {
  /** One per segment. */
  readonly tokens: readonly number[];
  /** Tokens ≈ o200k × this. */
  readonly factor: number;
  /** `fitted`: to the usage of this request; `book`: from the table of models. */
  readonly origin: 'fitted' | 'book';
}

export interface PrefixSegment extends BodySegment {
  readonly calibrated: number | undefined;
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
  readonly unit: 'estimate' | 'calibrated';
  /** Of the strip, in `unit`. */
  readonly total: number;
  /** Up to and behind the last breakpoint of tools and system, in `unit`. */
  readonly before: number;
  readonly behind: number;
  readonly marks: readonly PrefixMark[];
  readonly lane: PrefixLane | undefined;
  /** One sentence about padding; nothing where nobody knows the plan. */
  readonly note: string | undefined;
  readonly isPadded: boolean;
  /** By the estimate, without padding and messages; nothing where it is not known. */
  readonly natural: number | undefined;
  /** The same with padding. */
  readonly padded: number | undefined;
  /** Which figures these are, in one sentence. */
  readonly measure: string;
}

export interface PrefixInput {
  readonly segments: readonly BodySegment[];
  readonly model: string;
  readonly calibration?: Calibration | undefined;
  /** Absent for a recording: nobody knows whether it was padded. */
  readonly padding?: PaddingPolicy | undefined;
  readonly predicted?: Payload<'cache.predicted'> | undefined;
  readonly usage?: Usage | undefined;
  /** Leaves the messages out: a long conversation would leave little room for what is cached. */
  readonly withoutMessages?: boolean;
  readonly book?: ModelBook;
}

const PRELOADED_MARK = ' [preloaded]';

/** Of tools and stable prompt as they would be without padding, and as they are: both by the estimate. */
const sizes = (segments: readonly BodySegment[]): { readonly natural: number; readonly estimate: number } => {
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

/** The share of the strip at which a cumulative figure reaches a value; nothing where it never does. */
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
  predicted: Payload<'cache.predicted'> | undefined,
): readonly PrefixMark[] => {
  const told = new Map((predicted?.breakpoints ?? []).map((point) => [point.label, point]));
  return segments.flatMap((segment, index): readonly PrefixMark[] => {
    const isLast = segments[index + 1]?.block !== segment.block;
    const point = isLast ? told.get(segment.label) : undefined;
    const ttl = segment.ttl ?? (point?.ttl as WriteTtl | undefined);
    if (ttl === undefined) return [];
    const life = ttl === 'unknown' ? '' : ` It lives ${ttl} after its last use.`;
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

/** The axis may have another figure at that place. */
const BY_ESTIMATE = 'by the estimate that decides padding: four characters are a token';
const byEstimate =
  (name: string) =>
  (figure: string): string =>
    `${name} ${figure} est.`;

const limitMarks = (segments: readonly PrefixSegment[], input: PrefixInput): readonly PrefixMark[] => {
  const facts = modelFacts(input.model, input.book);
  // Where a measurement found a higher floor than the documents name, the effective one counts.
  const floor = facts.floor === undefined ? undefined : Math.max(facts.floor, facts.observedFloor ?? 0);
  const stable = segments.filter(({ isVolatile }) => !isVolatile);
  const own = (segment: PrefixSegment): number => segment.calibrated ?? segment.estimate;
  const mark = (
    kind: PrefixMark['kind'],
    value: number | undefined,
    size: (segment: PrefixSegment) => number,
    label: (figure: string) => string,
    about: string,
  ): readonly PrefixMark[] => {
    const at = value === undefined ? undefined : shareAt(segments, size, value);
    return at === undefined ? [] : [{ kind, at, label: label(grouped(value ?? 0)), about }];
  };
  const target = input.padding === undefined ? undefined : paddingTarget(input.padding, input.model, input.book);
  const estimate = ({ estimate: tokens }: PrefixSegment): number => tokens;
  return [
    ...mark(
      'floor',
      floor,
      own,
      (figure) => `floor ${figure}`,
      `${facts.label} caches a prefix from here on: a shorter one is never kept.`,
    ),
    ...(stable.length === 0
      ? []
      : [
          ...mark(
            'min',
            target?.min,
            estimate,
            byEstimate('MIN'),
            `Padding fills the stable prompt up to here, ${BY_ESTIMATE}.`,
          ),
          ...mark('max', target?.max, estimate, byEstimate('MAX'), `Padding never goes beyond here, ${BY_ESTIMATE}.`),
        ]),
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
  { usage, predicted, model, book, segments: all }: PrefixInput,
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
    // What the provider adds for tools lies before everything, and the strip does not have it.
    const added = toolPromptTokens({ blocks: all }, modelFacts(model, book));
    const hidden = added < total ? added : 0;
    const shareOf = (tokens: number): number => Math.max(0, tokens - hidden) / (total - hidden) / part;
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

const measureOf = ({ calibration, model }: PrefixInput, book: ModelBook | undefined): string => {
  if (!calibration) return 'Widths by estimate: four characters are a token.';
  const factor = calibration.factor.toFixed(2);
  return calibration.origin === 'fitted'
    ? `Widths by count: o200k × ${factor}, fitted to what the provider reported.`
    : `Widths by count: o200k × ${factor}, the factor of ${modelFacts(model, book).label}.`;
};

export const prefixView = (input: PrefixInput): PrefixView => {
  const { calibration } = input;
  const sizeOf = (index: number, estimate: number): number => calibration?.tokens[index] ?? estimate;
  const isShown = ({ kind }: BodySegment): boolean => input.withoutMessages !== true || kind !== 'message';
  const sum = (test: (segment: BodySegment) => boolean): number =>
    input.segments.reduce(
      (tokens, segment, index) => tokens + (test(segment) ? sizeOf(index, segment.estimate) : 0),
      0,
    );
  const [whole, total] = [sum(() => true), sum(isShown)];
  let at = 0;
  const segments = input.segments.flatMap((segment, index): readonly PrefixSegment[] => {
    if (!isShown(segment)) return [];
    const from = total === 0 ? 0 : at / total;
    at += sizeOf(index, segment.estimate);
    const to = total === 0 ? 0 : at / total;
    return [Object.assign({}, segment, { calibrated: calibration?.tokens[index], from, to })];
  });
  const breakpoints = breakpointMarks(segments, input.predicted);
  const stableEnd = segments.findLast(({ isVolatile }) => !isVolatile)?.to ?? 0;
  const last = breakpoints.findLast((mark) => mark.at <= stableEnd + 1e-9)?.at ?? stableEnd;
  const { natural, estimate } = sizes(segments);
  const target = input.padding === undefined ? undefined : paddingTarget(input.padding, input.model, input.book);
  return {
    segments,
    unit: calibration ? 'calibrated' : 'estimate',
    total,
    before: Math.round(last * total),
    behind: whole - Math.round(last * total),
    marks: [...breakpoints, ...limitMarks(segments, input)],
    lane: laneOf(
      input,
      segments,
      breakpoints.map(({ at: place }) => place),
      whole === 0 ? 0 : total / whole,
    ),
    note: target && paddingNote(target, { natural, estimate }),
    isPadded: segments.some(({ isPadding }) => isPadding),
    natural: target && natural,
    padded: target && estimate,
    measure: measureOf(input, input.book),
  };
};

/** Fits o200k counts of the segments to what the provider reported of the whole request. */
export const calibrate = (
  counts: readonly number[],
  model: string,
  usage: Usage | undefined,
  book?: ModelBook,
): Calibration => {
  const facts = modelFacts(model, book);
  const counted = counts.reduce((sum, count) => sum + count, 0);
  const reported = usage && !usage.partial ? promptTokens(usage) : 0;
  const isFitted = reported > 0 && counted > 0;
  const factor = isFitted ? reported / counted : facts.tokenFactor;
  return { tokens: counts.map((count) => Math.ceil(count * factor)), factor, origin: isFitted ? 'fitted' : 'book' };
};
