import { describe, expect, it } from 'vitest';
import { isObject, parseJson } from './json.ts';
import { valueOr } from './result.ts';

describe('JSON of others', () => {
  it('is its value, null included', () => {
    expect(parseJson('{"a":[1,null]}')).toEqual({ ok: true, value: { a: [1, null] } });
    expect(parseJson('null')).toEqual({ ok: true, value: null });
  });

  it.each(['', '{', '{"a":1}x', 'undefined', "{'a':1}"])('%j is none, and says why', (text) => {
    const parsed = parseJson(text);
    expect(parsed.ok).toBe(false);
    expect(!parsed.ok && parsed.error).toMatch(/JSON/);
    expect(valueOr(parsed, undefined)).toBeUndefined();
  });

  it('keeps what was read over the fallback', () => {
    expect(valueOr(parseJson('null'), 'nothing')).toBeNull();
  });

  it('is an object only with keys', () => {
    expect(isObject({})).toBe(true);
    for (const value of [null, [], 'text', 1, true, undefined]) expect(isObject(value)).toBe(false);
  });
});
