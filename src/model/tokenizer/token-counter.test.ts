import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countablePieces, createTokenCounter } from './token-counter.ts';

describe('the token counter', () => {
  it('TK1: counts a string again without asking the encoding', () => {
    const asked: string[] = [];
    const count = createTokenCounter((text) => {
      asked.push(text);
      return text.length;
    });
    expect([count('abc'), count('abc'), count('')]).toEqual([3, 3, 0]);
    expect(asked).toEqual(['abc', '']);
  });

  it('TK2: remembers only so many characters, the latest ones', () => {
    const asked: string[] = [];
    const count = createTokenCounter((text) => {
      asked.push(text);
      return 1;
    }, 8);
    for (const text of ['aaaa', 'bbbb', 'aaaa', 'cccc', 'aaaa', 'bbbb']) count(text);
    expect(asked).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb']);
    count('longer than everything');
    count('longer than everything');
    expect(asked.slice(4)).toEqual(['longer than everything', 'longer than everything']);
  });

  it('TK3: gives a run of more than 512 letters, signs or spaces to the encoding in pieces', () => {
    expect(countablePieces('word '.repeat(1000))).toHaveLength(1);
    expect(countablePieces(`x ${'a'.repeat(1200)} y`).map((piece) => piece.length)).toEqual([2, 512, 512, 176, 2]);
    expect(countablePieces('='.repeat(600)).map((piece) => piece.length)).toEqual([512, 88]);
    expect(countablePieces('1'.repeat(5000))).toHaveLength(1);
  });

  it('TK3: the pieces are the text, and no character is cut', () => {
    const run = fc
      .tuple(fc.constantFrom('a', '𝒳', '漢', '-', ' ', '😀', '7'), fc.nat(1500))
      .map(([char, times]) => char.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 4 }), (runs) => {
        const text = runs.join('');
        const pieces = countablePieces(text);
        expect(pieces.join('')).toBe(text);
        expect(pieces.some((piece) => /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(piece))).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});
