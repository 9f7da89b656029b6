// What the reports of the test runners say, in the few lines that a reader of a long log needs at its end.

/**
 * @typedef {object} Sum
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures One for each test that failed: where, what, and the first words of why.
 */

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** @param {string} text */
const firstWords = (text) => {
  const lines = text
    .replaceAll(COLOURS, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(0, 4).join(' | ').slice(0, 300);
};

/** @param {any} test */
const hasFailed = (test) => test.status === 'failed';

/** @param {any} unit */
const unitFailures = (unit) =>
  (unit.testResults ?? []).flatMap((/** @type {any} */ file) => {
    const where = String(file.name).split('/').slice(-1)[0];
    const tests = file.assertionResults ?? [];
    // A file that failed before a test of its own could.
    if (file.status === 'failed' && !tests.some(hasFailed)) {
      return [`${where}: ${firstWords(file.message ?? '')}`];
    }
    return tests
      .filter(hasFailed)
      .map((/** @type {any} */ test) => `${where} › ${test.fullName}: ${firstWords(test.failureMessages?.[0] ?? '')}`);
  });

/**
 * @param {any} suite
 * @returns {any[]}
 */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/** @param {any} browser */
const browserFailures = (browser) =>
  (browser.suites ?? [])
    .flatMap(specsOf)
    .flatMap((/** @type {any} */ spec) =>
      spec.tests
        .filter((/** @type {any} */ test) => test.status === 'unexpected')
        .map((/** @type {any} */ test) => ({ spec, test })),
    )
    .map((/** @type {any} */ { spec, test }) => {
      const error = test.results.find((/** @type {any} */ result) => result.status !== 'passed')?.error;
      const line = error?.location?.line ?? spec.line;
      return `${spec.file}:${line} › ${spec.title}: ${firstWords(error?.message ?? '')}`;
    });

/**
 * @param {any} unit The report of vitest.
 * @param {any} browser The report of Playwright.
 * @returns {Sum}
 */
export const sumUp = (unit, browser) => ({
  passed: (unit.numPassedTests ?? 0) + (browser.stats?.expected ?? 0),
  failed: (unit.numFailedTests ?? 0) + (browser.stats?.unexpected ?? 0),
  failures: [...unitFailures(unit), ...browserFailures(browser)],
});
