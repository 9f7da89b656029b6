/** What the commands of `lathe eval` print, and how they end. */
import { join } from 'node:path';
import type { RunEnd } from '../model/evals/run/runner.ts';
import { githubEval, junitEval } from './output/eval-ci.ts';
import { evalJson } from './output/eval-json.ts';
import { humanEval, type SuiteReport } from './output/eval-report.ts';
import { createPaint, wantsColour } from './output/terminal-text.ts';
import { shownPath } from './shown-path.ts';

export const FORMATS = ['human', 'json', 'junit', 'github'] as const;
export type Format = (typeof FORMATS)[number];

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export const printReports = (reports: readonly SuiteReport[], format: Format, log: readonly unknown[]): void => {
  const paint = createPaint(wantsColour(process.stdout));
  const text = {
    human: () => reports.map((report) => humanEval(report, paint)).join('\n'),
    json: () => evalJson(reports, log),
    junit: () => junitEval(reports),
    github: () => githubEval(reports),
  }[format]();
  process.stdout.write(text);
};

export const pathOf = (folder: string, file: string): string => shownPath(join(folder, file));

/** Noise is not a failure: only an interval that excludes the threshold is. A run that isn't complete proves nothing good. */
export const exitCode = (reports: readonly SuiteReport[], ends: readonly RunEnd[]): number =>
  ends.some(({ kind }) => kind === 'failed')
    ? 2
    : reports.some(({ report }) => report.overall.proof === 'below')
      ? 1
      : ends.some(({ kind }) => kind !== 'done')
        ? 2
        : 0;
