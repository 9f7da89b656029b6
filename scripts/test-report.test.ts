import { describe, expect, it } from 'vitest';
import { sumUp } from './test-report.mjs';

const unit = {
  numPassedTests: 4,
  numFailedTests: 1,
  testResults: [
    {
      name: '/somewhere/src/base/hash.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'hash is stable', failureMessages: [] },
        {
          status: 'failed',
          fullName: 'hash of nothing',
          failureMessages: ['\u{1b}[31mAssertionError\u{1b}[39m: expected 1 to be 2\n\n  at hash.test.ts:3:1\n'],
        },
      ],
    },
    { name: '/somewhere/src/broken.test.ts', status: 'failed', message: 'SyntaxError: no\n', assertionResults: [] },
  ],
};

const browser = {
  stats: { expected: 6, unexpected: 1 },
  suites: [
    {
      specs: [],
      suites: [
        {
          specs: [
            {
              title: 'a folder is opened',
              file: 'files.spec.ts',
              line: 10,
              tests: [
                {
                  status: 'unexpected',
                  results: [{ status: 'failed', error: { message: 'Error: not visible', location: { line: 14 } } }],
                },
              ],
            },
            { title: 'fine', file: 'files.spec.ts', line: 40, tests: [{ status: 'expected', results: [] }] },
          ],
        },
      ],
    },
  ],
};

describe('the sum of a test run', () => {
  it('counts, and says of each failure where it is and why, without colors', () => {
    expect(sumUp(unit, browser)).toEqual({
      passed: 10,
      failed: 2,
      failures: [
        'hash.test.ts › hash of nothing: AssertionError: expected 1 to be 2 | at hash.test.ts:3:1',
        'broken.test.ts: SyntaxError: no',
        'files.spec.ts:14 › a folder is opened: Error: not visible',
      ],
    });
  });

  it('counts nothing where nothing ran', () => {
    expect(sumUp({}, {})).toEqual({ passed: 0, failed: 0, failures: [] });
  });
});
