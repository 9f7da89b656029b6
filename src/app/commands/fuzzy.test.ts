import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzyMatch } from './fuzzy.ts';

const score = (query: string, text: string) => fuzzyMatch(query, text)?.score ?? -Infinity;

describe('fuzzyMatch', () => {
  it('FZ1: every word, in any order and any case', () => {
    expect(fuzzyMatch('FOLDER open', 'Open folder')?.ranges).toEqual([
      [0, 4],
      [5, 11],
    ]);
    expect(fuzzyMatch('open zip', 'Open folder')).toBeUndefined();
    expect(fuzzyMatch('  ', 'Open folder')?.ranges).toEqual([]);
  });

  it('FZ2: the beginning of a word, then inside one, then scattered letters', () => {
    expect(score('set', 'Open settings')).toBeGreaterThan(score('set', 'Reset sizes'));
    expect(score('set', 'Reset sizes')).toBeGreaterThan(score('set', 'Show event stream'));
    expect(fuzzyMatch('se', 'reset session')?.ranges).toEqual([[6, 8]]);
  });

  it('FZ3: letters prefer the beginnings of words', () => {
    expect(fuzzyMatch('tl', 'Toggle Library')?.ranges).toEqual([
      [0, 1],
      [7, 8],
    ]);
    // Jumping to the second word would leave no letter for the end.
    expect(fuzzyMatch('og', 'log ox')?.ranges).toEqual([[1, 3]]);
    expect(fuzzyMatch('lx', 'log lox')).toBeDefined();
  });

  it('FZ3: scattered letters do not count where whole pieces are asked for', () => {
    expect(fuzzyMatch('tl', 'Toggle Library', { whole: true })).toBeUndefined();
    expect(fuzzyMatch('lib tog', 'Toggle Library', { whole: true })).toBeDefined();
  });

  it('FZ3, FZ4: every subsequence matches, with its own letters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', 'A', '-', ' ', '/', 'é'), { maxLength: 20 }),
        fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
        (letters, keep) => {
          const text = letters.join('');
          const query = letters.filter((letter, index) => keep[index] && letter !== ' ').join('');
          const match = fuzzyMatch(query, text);
          expect(match).toBeDefined();
          const ranges = match?.ranges ?? [];
          expect(
            ranges
              .map(([start, end]) => text.slice(start, end))
              .join('')
              .toLowerCase(),
          ).toBe(query.toLowerCase());
          for (const [index, [start, end]] of ranges.entries()) {
            expect(start).toBeGreaterThanOrEqual(index === 0 ? 0 : (ranges[index - 1]?.[1] ?? 0) + 1);
            expect(end).toBeGreaterThan(start);
          }
        },
      ),
    );
  });
});
