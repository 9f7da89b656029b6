/** Results of earlier runs: put together, or held against each other. */
import { existsSync, statSync } from 'node:fs';
import { err, ok, type Result } from '../base/result.ts';
import { plural } from '../base/text.ts';
import { compareRuns } from '../model/evals/compare-runs.ts';
import { reportEval } from '../model/evals/report.ts';
import { mergeJournals, type JournalPart } from '../model/evals/run/merge-journals.ts';
import { tallyOf } from '../model/evals/run/tally.ts';
import { textOf, wrongUse, type Values } from './arguments.ts';
import { exitCode, pathOf, printReports, say, type Format } from './eval-print.ts';
import { findSuites, type SuiteFile } from './eval-suites.ts';
import { openJournalFile } from './journal-file.ts';
import { comparisonJson, humanComparison } from './output/eval-comparison.ts';
import { byWords } from './output/eval-report.ts';
import { jsonDocument } from './output/json-document.ts';
import { createPaint, visible, wantsColour } from './output/terminal-text.ts';

const openParts = (files: readonly string[]): Result<readonly JournalPart[], string> => {
  const parts: JournalPart[] = [];
  for (const file of files) {
    if (!existsSync(file) || !statSync(file).isFile()) return err(`file not found: ${file}`);
    const opened = openJournalFile(file);
    if (!opened.ok) return opened;
    if (!opened.value) return err(`${file}: The file isn’t a journal of \`lathe eval\`.`);
    const { head, records } = opened.value;
    parts.push({ head, records: { [Symbol.iterator]: records } });
  }
  return ok(parts);
};

/** The suite that a journal names. */
const suiteIn = (folder: string | undefined, name: string): Result<SuiteFile, string> => {
  const found = findSuites(folder ?? '.').suites.find(({ file }) => file === name);
  return found ? ok(found) : err(`suite not found: ${name} in ${folder ?? 'this folder'}. Set its folder with --dir.`);
};

export const mergeRuns = (files: readonly string[], values: Values, format: Format, threshold: number): number => {
  const parts = openParts(files);
  if (!parts.ok) return wrongUse('eval merge', parts.error);
  const merged = mergeJournals(parts.value, values['partial'] === true);
  if (!merged.ok) return wrongUse('eval merge', merged.error);
  const { head, tally } = merged.value;
  const found = suiteIn(textOf(values, 'dir'), head.suite);
  if (!found.ok) return wrongUse('eval merge', found.error);
  const { file, suite } = found.value;
  const known = new Set(suite.queries.map(({ id }) => id));
  const strange = [...tally.queries].filter((query) => !known.has(query));
  if (strange.length > 0)
    say(
      `warning: ${visible(file)} no longer has ${plural(strange.length, 'query', 'queries')} of this run. They are left out.`,
    );
  const report = reportEval(suite, tally, head.cases ?? tally.runs, threshold);
  const by = byWords(head.provider, head.model, head.noise !== undefined);
  const path = pathOf(textOf(values, 'dir') ?? '.', file);
  const reports = [{ file, path, skill: suite.skill, report, threshold, by }];
  printReports(reports, format, []);
  return exitCode(reports, []);
};

/** Exit 1 only where the second is proven to be worse. */
export const compareJournals = (files: readonly string[], values: Values, format: Format): number => {
  if (files.length !== 2)
    return wrongUse('eval compare', 'expected two journals', 'eval compare BEFORE.jsonl AFTER.jsonl');
  const read = openParts(files);
  if (!read.ok) return wrongUse('eval compare', read.error);
  const [before, after] = read.value as [JournalPart, JournalPart];
  if (before.head.suite !== after.head.suite)
    return wrongUse(
      'eval compare',
      `the journals are of different suites: ${before.head.suite} and ${after.head.suite}`,
    );
  const found = suiteIn(textOf(values, 'dir'), after.head.suite);
  if (!found.ok) return wrongUse('eval compare', found.error);
  const comparison = compareRuns(found.value.suite, tallyOf(before.records), tallyOf(after.records));
  process.stdout.write(
    format === 'json'
      ? jsonDocument({ comparison: comparisonJson(comparison) })
      : humanComparison(comparison, createPaint(wantsColour(process.stdout))),
  );
  return comparison.overall?.verdict === 'worse' ? 1 : 0;
};
