import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('the nearest word', () => {
  it('is one of which most is the same', () => {
    expect(nearest('pathh', ['argv', 'path'])).toBe('path');
    expect(nearest('mian.ts', ['index.ts', 'main.ts'])).toBe('main.ts');
    expect(nearest('tpye', ['tool', 'type'])).toBe('type');
    expect(nearest('LIMIT', ['limit'])).toBe('limit');
  });

  it('is none if nothing is near', () => {
    expect(nearest('zzz', ['path', 'limit'])).toBeUndefined();
    expect(nearest('a'.repeat(500), ['a'])).toBeUndefined();
    expect(nearest('x', [])).toBeUndefined();
  });
});
