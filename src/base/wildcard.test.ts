import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY, isChar, matchesWildcard, simpleWildcard, type WildcardPiece } from './wildcard.ts';

describe('wildcards', () => {
  it('match like the regular expression of the same meaning', () => {
    const kinds: readonly (readonly [string, WildcardPiece])[] = [
      ['a', { kind: 'one', accepts: isChar('a') }],
      ['[^]', { kind: 'one', accepts: ANY }],
      ['[^/]*', { kind: 'many', accepts: (char) => char !== '/' }],
      ['[^]*', { kind: 'many', accepts: ANY }],
      ['(?:[^]*/)?', { kind: 'folders' }],
      ['/', { kind: 'one', accepts: isChar('/') }],
    ];
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 9 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 7 }), text, (pieces, name) => {
        const expected = new RegExp(`^${pieces.map(([source]) => source).join('')}$`).test(name);
        expect(
          matchesWildcard(
            pieces.map(([, piece]) => piece),
            name,
          ),
        ).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('never try again: thousands of stars meet a long name', () => {
    const stars = simpleWildcard(`${'*a'.repeat(500)}*b`, { question: false });
    expect(matchesWildcard(stars, 'a'.repeat(4000))).toBe(false);
    expect(matchesWildcard(stars, `${'a'.repeat(4000)}b`)).toBe(true);
  });

  it('take a question mark as it is meant', () => {
    expect(matchesWildcard(simpleWildcard('a?c', { question: true }), 'abc')).toBe(true);
    expect(matchesWildcard(simpleWildcard('a?c', { question: false }), 'abc')).toBe(false);
  });
});
