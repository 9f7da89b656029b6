import { describe, expect, it } from 'vitest';
import { functionIn, readFailure, repairFor, sourcesOf } from './repair.ts';

const OUTPUT = `F
======================================================================
FAIL: test_child (tests.test_fares.FareTest.test_child)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/workspace/tests/test_fares.py", line 14, in test_child
    self.assertEqual(child_fare(1275), 637)
    ~~~~~~~~~~~~~~~~^^^^^^^^^^^^^^^^^^^^^^^
AssertionError: 638 != 637
`;

const PYTEST = `    def test_it():
>       assert child_fare(5) == 2
E       assert 3 == 2
E        +  where 3 = child_fare(5)

tests/test_x.py:4: AssertionError
`;

describe('a repair', () => {
  it('SI49: the failing comparison is read, of unittest and of pytest', () => {
    expect(readFailure(OUTPUT)).toEqual({
      testFile: 'tests/test_fares.py',
      check: 'self.assertEqual(child_fare(1275), 637)',
      actual: '638',
      expected: '637',
    });
    expect(readFailure(PYTEST)).toEqual({
      testFile: 'tests/test_x.py',
      check: 'assert child_fare(5) == 2',
      actual: '3',
      expected: '2',
    });
    expect(readFailure('ModuleNotFoundError: x')).toBeUndefined();
  });

  it('SI49: the function and its file come from the test', () => {
    expect(functionIn('self.assertEqual(child_fare(1275), 637)')).toBe('child_fare');
    expect(functionIn('assert len(rows(x)) == 2')).toBe('rows');
    const test = 'import unittest\nfrom harbour.fares import child_fare, other\n';
    expect(sourcesOf(test, 'tests/test_fares.py', 'child_fare')).toEqual([
      'harbour/fares.py',
      'tests/harbour/fares.py',
    ]);
    expect(sourcesOf(test, 'tests/test_fares.py', 'nothing')).toEqual([]);
  });

  const failing = (actual: string, expected: string) => ({ testFile: 't.py', check: '', actual, expected });
  const ROWS: readonly (readonly [line: string, actual: string, expected: string, becomes: string])[] = [
    ['return round(cents / 2)', '638', '637', 'return cents // 2'],
    ['return round(cents / 2)', '6', '7', 'return -(-(cents) // 2)'],
    ['return math.ceil(a / b)', '4', '3', 'return a // b'],
    ['return int(a / b)', '3', '4', 'return -(-(a) // b)'],
    ['if people > 9:', '100', '90', 'if people >= 9:'],
    ['for day in range(days):', '2', '3', 'for day in range(days + 1):'],
    ['return total - 1', '4', '5', 'return total'],
    ['return total + 1', '6', '5', 'return total'],
  ];
  it.each(ROWS)('SI49: %s gives %s, not %s', (line, actual, expected, becomes) => {
    const source = `def f(x):\n    """Says / nothing."""\n    ${line}\n\n\ndef g(x):\n    return x\n`;
    expect(repairFor(source, 'f', failing(actual, expected))).toMatchObject({
      old: `    ${line}`,
      new: `    ${becomes}`,
    });
  });

  it('SI49: what it cannot place it leaves', () => {
    expect(repairFor('def f(x):\n    return table[x]\n', 'f', failing('1', '2'))).toBeUndefined();
    expect(repairFor('def g(x):\n    return x - 1\n', 'f', failing('1', '2'))).toBeUndefined();
    expect(repairFor('def f(x):\n    y = x - 1\n    y = x - 1\n', 'f', failing('1', '2'))).toBeUndefined();
  });
});
