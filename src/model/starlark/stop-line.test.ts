import { expect, it } from 'vitest';
import type { Analysis } from './messages.ts';
import { stopLine } from './stop-line.ts';

const analysis = (stopLines: number[]): Analysis => ({
  diagnostics: [],
  outline: { symbols: [], bindings: [], references: [], stopLines },
  facts: null,
});

it('a breakpoint is in its line, or in the next one that runs', () => {
  const program = analysis([9, 3, 5]);
  expect(stopLine(program, 3)).toBe(3);
  expect(stopLine(program, 4)).toBe(5);
  expect(stopLine(program, 1)).toBe(3);
});

it('after the last line that runs none exists', () => {
  expect(stopLine(analysis([3, 9]), 10)).toBeUndefined();
});

it('with nothing known of the program the line is kept', () => {
  expect(stopLine(undefined, 10)).toBe(10);
  expect(stopLine(analysis([]), 10)).toBe(10);
});
