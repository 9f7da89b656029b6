import { expect, it } from 'vitest';
import { createSharedValues } from './shared-values.ts';

const body = (turns: number) => ({
  model: 'claude-opus-4-6',
  system: 'A system prompt that is long enough to be worth a place in the list of what is known.',
  messages: Array.from({ length: turns }, (_, turn) => ({ role: 'user', content: `${'Words. '.repeat(20)}${turn}` })),
});

it.each([
  ['compact', JSON.stringify(body(3))],
  ['indented', JSON.stringify(body(3), null, 2)],
  ['with other spaces', '{ "model":"m",  "messages": [] }'],
  ['with another form of a number', '{"model":"m","max_tokens":1e2,"messages":[]}'],
  ['with an escape', '{"model":"m","messages":["\\u0041"]}'],
])('TF2: gives a body back byte for byte: %s', (_, text) => {
  expect(
    createSharedValues()
      .keep(JSON.parse(text) as never, text)
      .text(),
  ).toBe(text);
});

it('TF21: what bodies repeat is kept once', () => {
  const { keep } = createSharedValues();
  const read = (turns: number) => {
    const text = JSON.stringify(body(turns));
    return keep(JSON.parse(text) as never, text).value as unknown as ReturnType<typeof body>;
  };
  const [first, second] = [read(2), read(3)];
  expect(second.messages[1]).toBe(first.messages[1]);
  expect(second.messages).toHaveLength(3);
});
