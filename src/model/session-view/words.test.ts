import { describe, expect, it } from 'vitest';
import { durationText, plural } from '../../base/text.ts';
import { modelWords } from './model-words.ts';
import { briefTokens, groupDigits, listed, shortTokens, usdText } from './words.ts';

describe('words', () => {
  it('SV70: numbers', () => {
    expect([0, 999, 1000, 1_234_567, 1234.5].map(groupDigits)).toEqual(['0', '999', '1,000', '1,234,567', '1,234.5']);
    expect([950, 4994, 22_700, 100_000, 999_499, 999_500, 1_050_000].map(shortTokens)).toEqual([
      '950',
      '4,994',
      '22.7k',
      '100k',
      '999k',
      '1M',
      '1.05M',
    ]);
    expect([999, 1000, 5869, 9999, 10_000].map(briefTokens)).toEqual(['999', '1k', '5.9k', '10k', '10k']);
    expect([undefined, 0, 0.00001, 0.0017, 2.5].map(usdText)).toEqual([
      'cost unknown',
      '$0',
      '<$0.0001',
      '$0.0017',
      '$2.50',
    ]);
    expect([4, 999, 1300, 61_000].map(durationText)).toEqual(['4 ms', '999 ms', '1.3 s', '1 min 1 s']);
    expect([plural(1, 'token'), plural(2000, 'token')]).toEqual(['1 token', '2,000 tokens']);
    expect([
      listed([]),
      listed(['a']),
      listed(['a', 'b']),
      listed(['a', 'b', 'c']),
      listed(['a', 'b', 'c', 'd']),
    ]).toEqual(['', 'a', 'a and b', 'a, b and c', 'a, b and 2 more']);
  });

  it('SV33: a model says what it costs and from where it caches, and what is not known', () => {
    expect(modelWords('claude-haiku-4-5')).toEqual({
      line: '$1 in, $5 out per M · caches from 4,096 tokens · 200k window',
      unknown: undefined,
    });
    const mine = modelWords('my-own-model');
    expect(mine.line).toBe('price unknown · caching unknown');
    expect(mine.unknown).toContain('price, cache floor, context window');
  });
});
