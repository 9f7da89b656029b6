import { describe, expect, it } from 'vitest';
import type { RunOutcome } from './host.ts';
import { compareRun, parseSkillTests } from './skill-tests.ts';

const testsOf = (lines: string) => {
  const parsed = parseSkillTests(`tests:\n  - name: t\n    input: {}\n${lines}`);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};
const outcome = (result: string, more?: Partial<RunOutcome>): RunOutcome => ({
  result,
  ok: !result.startsWith('error:'),
  steps: [],
  trace: [],
  printed: [],
  notes: [],
  ...more,
});
const envelope = (members: Readonly<Record<string, unknown>>): RunOutcome =>
  outcome(`[Metaskill: t completed]\n${JSON.stringify(members)}`);
const differences = (lines: string, run: RunOutcome): readonly string[] =>
  testsOf(lines).flatMap((test) => compareRun(test, run));

describe('a file of tests', () => {
  it.each([
    ['an unknown key', 'tests:\n  - name: t\n    input: {}\n    expected: {}\n', /^line 4: tests\.0: .*expected/],
    ['a wrong type', 'tests:\n  - name: t\n    input: {}\n    asks: many\n', /^line 4: tests\.0\.asks: /],
    ['broken YAML', 'tests:\n  - name: "t\n', /^line \d+: \S/],
    ['both ends', 'tests:\n  - name: t\n    input: {}\n    expect: {}\n    error: x\n', /exclude each other/],
  ])('TST1: %s is reported with its line', (_what, text, told) => {
    expect(parseSkillTests(text)).toMatchObject({ ok: false, error: expect.stringMatching(told) as string });
  });
});

describe('a run beside its test', () => {
  it('TST2: what is named is compared whole, the order of keys aside; a part of a string is enough where the test says so', () => {
    const run = envelope({ answer: 'hello there', data: { a: 1, b: [1, 2] }, status: 'ok' });
    expect(differences('    expect: {answer: {contains: hello}, data: {b: [1, 2], a: 1}}\n', run)).toEqual([]);
    expect(differences('    expect: {answer: hello, data: {a: 1}, more: 5}\n', run)).toEqual([
      'answer: expected "hello", got "hello there"',
      'data: expected {"a":1}, got {"a":1,"b":[1,2]}',
      'more: expected 5, got nothing',
    ]);
  });

  it('TST3: a failure fails the test, unless the test expects one with these words', () => {
    const failed = outcome('error: the budget is used up');
    expect(differences('    asks: 0\n', failed)).toEqual(['expected a result, got "error: the budget is used up"']);
    expect(differences('    error: used up\n', failed)).toEqual([]);
    expect(differences('    error: boom\n', failed)).toEqual([
      'expected an error with "boom", got "error: the budget is used up"',
    ]);
    expect(differences('    error: used up\n', envelope({ answer: 'used up' }))).toHaveLength(1);
  });
});
