// What the reports of the test runners say, in the few lines that a reader of a long log needs at its end.

/**
 * @typedef {object} Sum
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures One for each test that failed: where, what, and the first words of why.
 * @property {string[]} seconds Tests that passed only at the second try.
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

/**
 * Vitest keeps what the first try said.
 *
 * @param {any} test
 */
const neededTwo = (test) => test.status === 'passed' && (test.failureMessages ?? []).length > 0;

/**
 * @param {any} unit
 * @param {(test: any) => boolean} isMeant
 */
const unitTests = (unit, isMeant) =>
  (unit.testResults ?? []).flatMap((/** @type {any} */ file) => {
    const where = String(file.name).split('/').slice(-1)[0];
    const tests = file.assertionResults ?? [];
    // A file that failed before a test of its own could.
    if (isMeant === hasFailed && file.status === 'failed' && !tests.some(hasFailed)) {
      return [`${where}: ${firstWords(file.message ?? '')}`];
    }
    return tests
      .filter(isMeant)
      .map((/** @type {any} */ test) => `${where} › ${test.fullName}: ${firstWords(test.failureMessages?.[0] ?? '')}`);
  });

/**
 * @param {any} suite
 * @returns {any[]}
 */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/**
 * @param {any} browser
 * @param {string} status
 */
const browserTests = (browser, status) =>
  (browser.suites ?? [])
    .flatMap(specsOf)
    .flatMap((/** @type {any} */ spec) =>
      spec.tests
        .filter((/** @type {any} */ test) => test.status === status)
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
  passed: (unit.numPassedTests ?? 0) + (browser.stats?.expected ?? 0) + (browser.stats?.flaky ?? 0),
  failed: (unit.numFailedTests ?? 0) + (browser.stats?.unexpected ?? 0),
  failures: [...unitTests(unit, hasFailed), ...browserTests(browser, 'unexpected')],
  seconds: [...unitTests(unit, neededTwo), ...browserTests(browser, 'flaky')],
});
