import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSharedTexts } from './shared-texts.ts';

it('TF2: gives every string back as it was, whatever they have in common', () => {
  const part = fc.constantFrom('a'.repeat(600), 'b'.repeat(600), 'é\u{1F600}'.repeat(300), 'x', '"]}', '–'.repeat(700));
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 6 }), { maxLength: 12 }), (all) => {
      const { keep } = createSharedTexts();
      const texts = all.map((parts) => parts.join(''));
      expect(texts.map(keep).map((read) => read())).toEqual(texts);
    }),
  );
});

it('TF2: a conversation is given back where tools come after its messages, and where two continue side by side', () => {
  const { keep } = createSharedTexts();
  const body = (of: string, turns: number): string =>
    `{"messages":[${Array.from({ length: turns }, (_, turn) => `"${of} ${turn} ${'said '.repeat(200)}"`).join(',')}],"tools":["${'a tool '.repeat(500)}"]}`;
  const texts = Array.from({ length: 40 }, (_, index) => body(index % 2 === 0 ? 'one' : 'two', 1 + (index >> 1)));
  expect(texts.map(keep).map((read) => read())).toEqual(texts);
});
