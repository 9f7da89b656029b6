/** Tokens of a strip's segments: those that the forecast gives each block, shared out among the segments of the block. */
import { blockTexts, blockTokens } from '../cache/block-tokens.ts';
import type { RequestSizes } from '../cache/engine.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import type { BodySegments } from './body-segments.ts';

export interface SegmentSizes {
  /** What the provider adds for tools, before the first segment. */
  readonly hidden: number;
  /** One per segment. */
  readonly tokens: readonly number[];
}

/** What a tokenizer should count: the blocks, then the segments. */
export const textsToCount = ({ request, segments }: BodySegments): readonly string[] => [
  ...blockTexts(request),
  ...segments.map(({ text }) => text),
];

/** The tokens of the blocks, from the counts of `textsToCount`. */
export const countedBlocks = (
  { request }: BodySegments,
  counts: readonly number[],
  model: string,
  book?: ModelBook,
): readonly number[] => blockTokens(request, counts.slice(0, request.blocks.length), modelFacts(model, book));

/** Whole tokens in proportion to the weights; they add up to `total`. */
const shareOut = (total: number, weights: readonly number[]): readonly number[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let [weight, given] = [0, 0];
  return weights.map((own, index) => {
    weight += own;
    const upTo = index === weights.length - 1 ? total : Math.round(sum === 0 ? 0 : (total * weight) / sum);
    const share = upTo - given;
    given = upTo;
    return share;
  });
};

/** `sizes` is what the forecast says of the request; `counts` are those of `textsToCount`. */
export const segmentSizes = (
  { request, segments }: BodySegments,
  counts: readonly number[],
  sizes: RequestSizes,
): SegmentSizes => {
  const tokens: number[] = [];
  const first = request.blocks.length;
  for (let at = 0; at < segments.length;) {
    const block = segments[at]?.block ?? 0;
    const next = segments.findIndex((segment, index) => index > at && segment.block !== block);
    const end = next === -1 ? segments.length : next;
    tokens.push(...shareOut(sizes.blocks[block] ?? 0, counts.slice(first + at, first + end)));
    at = end;
  }
  return { hidden: sizes.hidden, tokens };
};
