import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codePointLength,
  compareCodePoints,
  LineIndex,
  nounFor,
  offsetOfCodePoint,
  plural,
  takeCodePoints,
  toLineFeeds,
} from './text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('text', () => {
  it('counts code points as Array.from does, lone surrogates included', () => {
    expect(codePointLength('a😀b')).toBe(3);
    fc.assert(fc.property(anyText, (text) => codePointLength(text) === Array.from(text).length));
    const units = fc.array(fc.constantFrom('\ud83d', '\ude00', 'a'), { maxLength: 8 });
    fc.assert(fc.property(units, (parts) => codePointLength(parts.join('')) === Array.from(parts.join('')).length));
  });

  it('takes whole code points', () => {
    fc.assert(
      fc.property(anyText, fc.nat(50), (text, count) => {
        expect(takeCodePoints(text, count)).toBe(Array.from(text).slice(0, count).join(''));
        expect(offsetOfCodePoint(text, count)).toBe(takeCodePoints(text, count).length);
      }),
    );
  });

  it('orders by code point, also above U+FFFF', () => {
    expect(['😀', '\uffee', 'a', 'B'].toSorted(compareCodePoints)).toEqual(['B', 'a', '\uffee', '😀']);
    const points = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0) ?? 0);
    const reference = (a: string, b: string): number => {
      const [left, right] = [points(a), points(b)];
      for (let i = 0; i < Math.min(left.length, right.length); i++) {
        if (left[i] !== right[i]) return (left[i] ?? 0) - (right[i] ?? 0);
      }
      return left.length - right.length;
    };
    fc.assert(
      fc.property(anyText, anyText, (a, b) => Math.sign(compareCodePoints(a, b)) === Math.sign(reference(a, b))),
    );
  });

  it('finds lines and columns with every kind of line ending', () => {
    const index = new LineIndex('a\r\nb😀c\rd\n');
    expect(index.lineCount).toBe(4);
    expect(index.positionAt(0)).toEqual({ line: 1, column: 1 });
    expect(index.positionAt(6)).toEqual({ line: 2, column: 3 });
    expect(index.positionAt(8)).toEqual({ line: 3, column: 1 });
    expect(index.lineText(2)).toBe('b😀c');
    expect(index.positionAt(999)).toEqual({ line: 4, column: 1 });
  });

  it('counts columns of a long line from any place as from its start', () => {
    const line = `${'a😀'.repeat(700)}\uD83D${'b'.repeat(300)}`;
    const index = new LineIndex(`x\n${line}`);
    for (const offset of [0, 1, 2, 3, 254, 255, 256, 257, 511, 1000, 2100, 2101, line.length])
      expect(index.positionAt(offset + 2)).toEqual({ line: 2, column: codePointLength(line.slice(0, offset)) + 1 });
  });

  it('reads CRLF and CR as LF', () => {
    expect(toLineFeeds('a\r\nb\rc\n\r\n')).toBe('a\nb\nc\n\n');
  });
});

describe('a count with its noun', () => {
  it.each([
    [0, '0 skills'],
    [1, '1 skill'],
    [2, '2 skills'],
    [1200, '1,200 skills'],
    [0.6, '1 skill'],
    [1.4, '1 skill'],
  ])('%d is %s', (count, text) => {
    expect(plural(count, 'skill')).toBe(text);
  });

  it('takes the plural that is no plain s', () => {
    expect(plural(1, 'entry', 'entries')).toBe('1 entry');
    expect(plural(3, 'entry', 'entries')).toBe('3 entries');
    expect(nounFor(3, 'entry', 'entries')).toBe('entries');
    expect(nounFor(1, 'file')).toBe('file');
  });
});
