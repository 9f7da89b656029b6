import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGrowingParser } from './json-growing.ts';
import type { JsonObject } from './json.ts';

const message = (text: string): JsonObject => ({ role: 'user', content: [{ type: 'text', text }] });
const body = (texts: readonly string[], more: JsonObject = {}): string =>
  JSON.stringify({ model: 'm', system: 'a "messages":[ b', messages: texts.map(message), stream: true, ...more });
const many = Array.from({ length: 20 }, (_, index) => `text ${index} \\" } ] , [{`);
const listOf = (value: unknown): readonly unknown[] => (value as { messages: readonly unknown[] }).messages;

describe('a parser of bodies that grow', () => {
  it('gives what JSON.parse gives, and the same objects for what was there before', () => {
    const parse = createGrowingParser('messages');
    const first = parse(body(many));
    const text = body([...many, 'one', 'two'], { stream: false });
    const second = parse(text);
    if (!first.ok || !second.ok) throw new Error('not parsed');
    expect(second.value).toEqual(JSON.parse(text));
    expect(listOf(second.value)[19]).toBe(listOf(first.value)[19]);
    const third = parse(body([...many.slice(0, 12), 'other']));
    if (!third.ok) throw new Error('not parsed');
    expect(listOf(third.value)).toHaveLength(13);
    expect(listOf(third.value)[11]).toBe(listOf(first.value)[11]);
  });

  it('refuses what JSON.parse refuses, and takes the last of two lists', () => {
    const parse = createGrowingParser('messages');
    const text = body(many);
    expect(parse(text).ok).toBe(true);
    for (const bad of [
      text.replace(/\],"stream.*/, ',]}'),
      text.replace(/\],"stream.*/, ',,{}]}'),
      text.replace(/\],"stream.*/, ' {}]}'),
      text.slice(0, -1),
      text.slice(0, text.lastIndexOf(']')),
      `${text}x`,
    ])
      expect(parse(bad).ok, bad.slice(-30)).toBe(false);
    for (const odd of [
      text.replace('"stream":true', '"messages":[]'),
      text.replace('"stream":true', '"\\u006dessages":[]'),
      text.replace('"stream":true', '"__proto__":1'),
      text.replace(/\],"stream.*/, ',1,"x",{"messages":[{}]}]}'),
    ])
      expect(parse(odd), odd.slice(-30)).toEqual({ ok: true, value: JSON.parse(odd) as unknown });
  });

  it('agrees with JSON.parse on any sequence of bodies', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ',', ':') }), {
      minLength: 6,
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 5 }), fc.nat(40), (bodies, cut) => {
        const parse = createGrowingParser('messages');
        for (const list of bodies) {
          const text = body([...many.slice(0, 10), ...list]);
          expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
          const broken = text.slice(0, text.length - cut) + text.slice(text.length - Math.floor(cut / 2));
          let expected: unknown;
          try {
            expected = JSON.parse(broken);
          } catch {
            expected = undefined;
          }
          const got = parse(broken);
          expect(got.ok ? got.value : undefined).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });
});
