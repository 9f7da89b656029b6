import { describe, expect, it } from 'vitest';
import { splitLine } from './command-line.ts';

const ROWS: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['ls -la', ['ls', '-la']],
  ['  a   b\t c ', ['a', 'b', 'c']],
  [`echo 'a b' "c d"`, ['echo', 'a b', 'c d']],
  [`a'b'"c"d`, ['abcd']],
  [`'' ""`, ['', '']],
  ['a\\ b', ['a b']],
  [`"a\\"b" "\\n" '\\'`, ['a"b', '\\n', '\\']],
  ['echo $HOME | wc > x *', ['echo', '$HOME', '|', 'wc', '>', 'x', '*']],
  ['', []],
];

describe('a typed line', () => {
  it.each(ROWS)('CL1: %j', (line, words) => {
    expect(splitLine(line)).toEqual({ ok: true, value: words });
  });

  it.each([
    [`echo 'a`, "The quote ' is not closed."],
    ['echo "a', 'The quote " is not closed.'],
    ['echo a\\', 'The line ends with a backslash.'],
  ])('CL2: %j is not a line', (line, error) => {
    expect(splitLine(line)).toEqual({ ok: false, error });
  });
});
