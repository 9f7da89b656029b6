import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLineSplitter } from './lines.ts';

const linesOf = (pieces: readonly string[]): readonly string[] => {
  const lines: string[] = [];
  const { add, end } = createLineSplitter((line) => lines.push(line));
  pieces.forEach(add);
  end();
  return lines;
};

it('RL1: lines end with LF, CR, or both', () => {
  expect(linesOf(['a\nb\r\nc\rd'])).toEqual(['a', 'b', 'c', 'd']);
  expect(linesOf(['a\r', '\nb\r', 'c'])).toEqual(['a', 'b', 'c']);
  expect(linesOf(['a\n'])).toEqual(['a', '']);
  expect(linesOf([])).toEqual(['']);
});

it('RL1: however the text is cut, the lines are the same', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', '\r', '\n') });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(linesOf(pieces)).toEqual(pieces.join('').split(/\r\n|\n|\r/));
    }),
  );
});
