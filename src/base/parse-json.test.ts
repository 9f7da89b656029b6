import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test('a text that is not JSON is undefined, null is null', () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(parseJson('null')).toBeNull();
  for (const text of ['', '{', '{"a":1}x', 'undefined', "{'a':1}"]) expect(parseJson(text)).toBeUndefined();
});
