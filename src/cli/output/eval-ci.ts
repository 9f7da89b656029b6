/** The results of `lathe eval` for CI: JUnit and GitHub. */
import { percent } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import type { QueryReport } from '../../model/evals/report.ts';
import { exactInterval } from '../../model/evals/statistics/rates.ts';
import { rateWords } from '../../model/evals/words.ts';
import { expectation, picked, type SuiteReport } from './eval-report.ts';

/** What XML 1.0 cannot hold is left out. */
const xml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- the control characters that XML forbids
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const isBelow = ({ rate, cannotTell }: QueryReport, threshold: number): boolean =>
  rate !== undefined && !cannotTell && rate.high < threshold;

/** What the exit code says of a suite, in one sentence; nothing where it says nothing. */
const suiteFault = ({ report: { overall }, threshold }: SuiteReport): string | undefined => {
  if (overall.proof !== 'below') return undefined;
  const { low, high } = exactInterval(overall.right);
  return `Right in ${overall.right.hits} of ${plural(overall.right.runs, 'run')} (exactly ${percent(low)}–${percent(high)}), below ${percent(threshold)}`;
};

const stopWords = ({ stopped, report: { missing } }: SuiteReport): string | undefined =>
  stopped === undefined ? undefined : `${stopped} ${plural(missing, 'case')} not run.`;

export const junitEval = (suites: readonly SuiteReport[]): string => {
  const parts = suites.map((suite) => {
    const {
      file,
      report: { queries },
      threshold,
    } = suite;
    const rows = queries.map((row) => {
      const { query, rate, cannotTell, runs } = row;
      const isUnclear = rate === undefined || cannotTell || (rate.low < threshold && rate.high >= threshold);
      const verdict = isBelow(row, threshold)
        ? `<failure message="${xml(`right in ${rateWords(rate)}; expected ${expectation(row)}; picked ${picked(row)}`)}"/>`
        : isUnclear
          ? `<skipped message="${xml(`cannot tell: ${rateWords(rate)} in ${plural(runs, 'run')}`)}"/>`
          : '';
      const values = { runs, rate: rate?.rate, low: rate?.low, high: rate?.high };
      const properties = Object.entries(values)
        .map(([name, value]) => `<property name="${name}" value="${value ?? 'unknown'}"/>`)
        .join('');
      return {
        isFailure: isBelow(row, threshold),
        isUnclear,
        text: `    <testcase classname="${xml(file)}" name="${xml(query.query)}" time="0"><properties>${properties}</properties>${verdict}</testcase>`,
      };
    });
    const [fault, stop] = [suiteFault(suite), stopWords(suite)];
    const more = [
      ...(fault === undefined ? [] : [['all queries', `<failure message="${xml(fault)}"/>`] as const]),
      ...(stop === undefined ? [] : [['the whole run', `<error message="${xml(stop)}"/>`] as const]),
    ].map(([name, verdict]) => `    <testcase classname="${xml(file)}" name="${name}" time="0">${verdict}</testcase>`);
    const failures = rows.filter(({ isFailure }) => isFailure).length + (fault === undefined ? 0 : 1);
    const skipped = rows.filter(({ isFailure, isUnclear }) => !isFailure && isUnclear).length;
    const lines = [...rows.map(({ text }) => text), ...more];
    const counts = { tests: lines.length, failures, errors: stop === undefined ? 0 : 1, skipped };
    const attributes = Object.entries(counts)
      .map(([name, count]) => `${name}="${count}"`)
      .join(' ');
    return `  <testsuite name="${xml(file)}" ${attributes} time="0">\n${lines.join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${parts.join('\n')}\n</testsuites>\n`;
};

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotation = (level: 'error' | 'warning', file: string, line: number, title: string, text: string): string =>
  `::${level} file=${property(file)},line=${line},title=${property(title)}::${escaped(text)}\n`;

/** What decides the exit code, then the worst queries, because GitHub shows about ten of a step. */
export const githubEval = (suites: readonly SuiteReport[]): string =>
  suites
    .flatMap((suite) => {
      const { path, report, threshold } = suite;
      const [fault, stop] = [suiteFault(suite), stopWords(suite)];
      return [
        ...(fault === undefined ? [] : [annotation('error', path, 1, 'Trigger rate below the threshold', `${fault}.`)]),
        ...(stop === undefined ? [] : [annotation('warning', path, 1, 'Run not complete', stop)]),
        ...report.queries
          .filter((row) => isBelow(row, threshold))
          .map((row) =>
            annotation(
              'error',
              path,
              row.query.line,
              'Not picked as expected',
              `Right in ${rateWords(row.rate)}. Expected ${expectation(row)}, picked ${picked(row)}: ${row.query.query}`,
            ),
          ),
      ];
    })
    .join('');
