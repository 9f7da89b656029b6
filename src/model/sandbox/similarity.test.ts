import { describe, expect, it } from 'vitest';
import { isTooDifferent, piecesOf, similarityOf, WHOLE } from './similarity.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const compare = (before: string, after: string): number => {
  const [one, another] = [bytes(before), bytes(after)];
  return similarityOf(piecesOf(one), piecesOf(another), [one.length, another.length]);
};

describe('SM1: how much of one content is found in another', () => {
  it.each([
    ['the same', 'a\nb\nc\n', 'a\nb\nc\n', WHOLE],
    ['three of four lines of the same length', 'aa\nbb\ncc\ndd\n', 'aa\nbb\ncc\nxx\n', (WHOLE * 3) / 4],
    ['in another order', 'a\nb\n', 'b\na\n', WHOLE],
    ['half as long', 'aa\nbb\n', 'aa\nbb\ncc\ndd\n', WHOLE / 2],
    ['nothing', 'a\n', 'b\n', 0],
    ['to an empty one', 'a\n', '', 0],
    // Carriage returns count for the size only.
    ['other ends of lines', 'a\r\nb\r\n', 'a\nb\n', Math.floor((4 * WHOLE) / 6)],
  ])('%s', (_name, before, after, expected) => {
    expect(compare(before, after)).toBe(expected);
  });

  it('sizes that are too far apart need no reading', () => {
    expect(isTooDifferent(100, 49, WHOLE / 2)).toBe(true);
    expect(isTooDifferent(100, 51, WHOLE / 2)).toBe(false);
  });
});
