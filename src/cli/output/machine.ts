/** Formats for programs: GitHub annotations and SARIF. */
import { RULES } from '../../model/skill/catalog.ts';
import type { Severity } from '../../model/skill/types.ts';
import { VERSION } from '../version.ts';
import type { Problem } from './problem.ts';

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

/** SARIF 2.1.0; columns count code points, which the format calls unicodeCodePoints. */
export const sarifReport = (problems: readonly Problem[]): unknown => {
  const ids = [...new Set(problems.map(({ diagnostic }) => diagnostic.rule))].toSorted();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        columnKind: 'unicodeCodePoints',
        tool: {
          driver: {
            name: 'lathe',
            version: VERSION,
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: [...RULES.values()].find((rule) => rule.id === id)?.why ?? id },
            })),
          },
        },
        results: problems.map(({ diagnostic, file, line, column, endLine, endColumn }) => ({
          ruleId: diagnostic.rule,
          ruleIndex: ids.indexOf(diagnostic.rule),
          level: SARIF[diagnostic.severity],
          message: { text: diagnostic.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
                region: { startLine: line, startColumn: column, endLine, endColumn },
              },
            },
          ],
        })),
      },
    ],
  };
};
