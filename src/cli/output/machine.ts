/** Formats for programs: GitHub annotations and SARIF. */
import { RULES } from '../../model/skill/catalog.ts';
import type { Severity } from '../../model/skill/types.ts';
import type { Problem } from './problem.ts';
import { PROGRAM_RULES } from '../../model/starlark/rule-catalog.ts';
import { COMMENT_RULES } from '../../model/workspace/check-disables.ts';
import { type RuleText, sarifLog } from './sarif.ts';

const escapeData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

const GITHUB: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
  hint: 'notice',
};

/** A workflow command: GitHub shows it beside the line. */
export const githubProblem = ({ diagnostic, file, line, column, endLine, endColumn }: Problem): string => {
  const place = `file=${escapeProperty(file)},line=${line},endLine=${endLine}${line === endLine ? `,col=${column},endColumn=${endColumn}` : ''}`;
  return `::${GITHUB[diagnostic.severity]} ${place},title=${escapeProperty(diagnostic.rule)}::${escapeData(diagnostic.message)}`;
};

const SARIF: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' };

/** Rules on skills, and those on programs. */
const TEXTS: ReadonlyMap<string, RuleText> = new Map(
  [...RULES.values(), ...PROGRAM_RULES.values(), ...COMMENT_RULES.values()].map(({ id, why, fix }) => [
    id,
    fix === '–' ? { why } : { why, fix },
  ]),
);

export const sarifReport = (problems: readonly Problem[]): unknown =>
  sarifLog(
    'lathe',
    problems.map(({ diagnostic, file, line, column, endLine, endColumn }) => ({
      rule: diagnostic.rule,
      level: SARIF[diagnostic.severity],
      text: diagnostic.message,
      file,
      region: { startLine: line, startColumn: column, endLine, endColumn },
    })),
    (id) => TEXTS.get(id),
  );
