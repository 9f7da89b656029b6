import { expect, it } from 'vitest';
import { workLines } from './work-lines.ts';

it('DBG10: the lines of run are those with code in its body, and no others', () => {
  const text = [
    'def helper(x):', // 1
    '    return x',
    '',
    'def run(',
    '    input,', // 5
    '):',
    '    # first',
    '    a = helper(1)',
    '',
    '    return a', // 10
    'after = 1',
    '    ',
  ].join('\n');
  expect(workLines(text)).toEqual([5, 8, 10]);
  expect(workLines(text.replaceAll('\n', '\r\n'))).toEqual([5, 8, 10]);
  expect(workLines('def runner(input):\n    return 1\n')).toEqual([]);
  expect(workLines('')).toEqual([]);
});
