import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonElements } from './json-elements.ts';

const elementsOf = (text: string, path: readonly string[], size: number) => {
  const found: string[] = [];
  const elements = createJsonElements(path, (element) => found.push(element));
  for (let at = 0; at < text.length; at += size) elements.add(text.slice(at, at + size));
  return { found, isWhole: elements.end() };
};

const key = fc.constantFrom('log', 'entries', 'a', '"', '\\', '{[', '');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.constantFrom('"}', '\\"', ']\\', '{"entries":[{}]}'),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));
const entry = fc.dictionary(key, value, { maxKeys: 4 });

describe('elements of a list in a document', () => {
  it('TF15: are those that JSON.parse finds, wherever the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 5 }),
        value,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 2),
        (entries, other, size, indent) => {
          const archive = JSON.stringify(
            { a: other, log: { pages: [other], entries, b: other }, entries: [{}] },
            null,
            indent,
          );
          const { found, isWhole } = elementsOf(archive, ['log', 'entries'], size);
          expect(found.map((one): unknown => JSON.parse(one))).toEqual(entries);
          expect(isWhole).toBe(true);
          const list = JSON.stringify(entries, null, indent);
          expect(elementsOf(list, [], size).found.map((one): unknown => JSON.parse(one))).toEqual(entries);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('TF15: a document that is cut gives what is whole, and says that it is cut', () => {
    const text = JSON.stringify({ log: { entries: [{ a: '}' }, { b: [{}] }, { c: 1 }] } });
    for (let length = 0; length < text.length; length++) {
      const { found, isWhole } = elementsOf(text.slice(0, length), ['log', 'entries'], 7);
      expect(isWhole).toBe(false);
      expect(['{"a":"}"}', '{"b":[{}]}', '{"c":1}'].slice(0, found.length)).toEqual(found);
    }
  });
});
