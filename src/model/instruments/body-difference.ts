/** Where two requests part, as an excerpt of both around the first character that differs. */
import type { CacheBlock } from '../cache/types.ts';
import type { BodySegments } from './body-segments.ts';
import { bytePlaces } from './byte-places.ts';

/** A string in three parts: what both have, what differs, what both have again. */
export interface Excerpt {
  readonly lead: string;
  readonly middle: string;
  readonly tail: string;
  /** There is more before or behind. */
  readonly isCutBefore: boolean;
  readonly isCutBehind: boolean;
  /** Of the first difference, in the body. */
  readonly byte: number;
}

export type BodyDifference =
  /** The later request begins with the whole of the earlier one. */
  | { readonly kind: 'none'; readonly added: number }
  | {
      readonly kind: 'block';
      readonly label: string;
      readonly before: Excerpt | undefined;
      readonly after: Excerpt | undefined;
    };

const AROUND = 280;
const MOST = 1200;

const sharedStart = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // Never between the halves of a pair.
  return at > 0 && (a.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
};

const sharedEnd = (a: string, b: string, start: number): number => {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count > 0 && (a.charCodeAt(a.length - count) & 0xfc00) === 0xdc00 ? count - 1 : count;
};

const excerpt = ({ body }: BodySegments, block: CacheBlock, text: string, start: number, end: number): Excerpt => {
  const from = Math.max(0, start - AROUND);
  const middleEnd = Math.min(text.length - end, start + MOST);
  const to = Math.min(text.length, middleEnd + AROUND);
  // A marker may be in the block; it is the same place in the body unless it comes first, which no writer does.
  const place = Math.min(block.end, block.start + start);
  return {
    lead: text.slice(from, start),
    middle: text.slice(start, middleEnd),
    tail: middleEnd < text.length - end ? '' : text.slice(middleEnd, to),
    isCutBefore: from > 0,
    isCutBehind: to < text.length || middleEnd < text.length - end,
    byte: bytePlaces(body, [place])(place),
  };
};

/** A backslash before this place belongs to the sign after it, which must not lose it. */
const splitsEscape = (text: string, at: number): boolean => {
  let count = 0;
  while (text.charCodeAt(at - 1 - count) === 92) count++;
  return count % 2 === 1;
};

/** Blocks in the order in which a cache reads them; markers are not content. */
export const bodyDifference = (before: BodySegments, after: BodySegments): BodyDifference => {
  const [old, now] = [before.request.blocks, after.request.blocks];
  let index = 0;
  while (index < old.length && index < now.length && old[index]?.text === now[index]?.text) index++;
  if (index === old.length) return { kind: 'none', added: now.length - old.length };
  const [one, other] = [old[index], now[index]];
  const [oneText, otherText] = [one?.text ?? '', other?.text ?? ''];
  const shared = one && other ? sharedStart(oneText, otherText) : 0;
  const start = splitsEscape(oneText, shared) ? shared - 1 : shared;
  let end = one && other ? sharedEnd(oneText, otherText, start) : 0;
  while (end > 0 && [oneText, otherText].some((text) => splitsEscape(text, text.length - end))) end--;
  return {
    kind: 'block',
    label: other?.label ?? one?.label ?? '',
    before: one && excerpt(before, one, oneText, start, end),
    after: other && excerpt(after, other, otherText, start, end),
  };
};
