import { expect, it } from 'vitest';
import { collectLog, createRepeatedLooks } from './log.ts';

const line = (text: string) => ({ level: 'warning', code: 'skill.large', text }) as const;

it('tells in each look what the look before did not', () => {
  const { log, lines } = collectLog();
  const look = createRepeatedLooks(log);
  const told = (subject: string, texts: readonly string[], isWhole = true): readonly string[] => {
    const before = lines.length;
    const { log: say, end } = look(subject);
    for (const text of texts) say(line(text));
    if (isWhole) end();
    return lines.slice(before).map(({ text }) => text);
  };
  expect(told('a', ['one', 'two', 'one'])).toEqual(['one', 'two']);
  expect(told('a', ['one', 'two', 'three'])).toEqual(['three']);
  expect(told('a', ['two'])).toEqual([]);
  expect(told('a', ['one', 'two'])).toEqual(['one']);
  expect(told('a', ['four'], false)).toEqual(['four']);
  expect(told('a', ['one', 'four'])).toEqual([]);
  expect(told('b', ['one'])).toEqual(['one']);
});
