import { VERSION } from '../version.ts';

/** Where the package is described. */
const HOME = 'https://www.npmjs.com/package/skill-lathe';

export interface SarifRow {
  readonly rule: string;
  readonly level: string;
  readonly text: string;
  readonly file: string;
  /** Lines and columns count from 1. */
  readonly region: {
    readonly startLine: number;
    readonly startColumn: number;
    readonly endLine?: number;
    readonly endColumn?: number;
  };
}

/** SARIF 2.1.0; columns count code points, which the format calls unicodeCodePoints. `why` explains a rule. */
export const sarifLog = (
  tool: string,
  rows: readonly SarifRow[],
  why: (rule: string) => string | undefined,
): unknown => {
  const ids = [...new Set(rows.map(({ rule }) => rule))].toSorted();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        columnKind: 'unicodeCodePoints',
        tool: {
          driver: {
            name: tool,
            version: VERSION,
            informationUri: HOME,
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: why(id) ?? id },
              fullDescription: { text: why(id) ?? id },
            })),
          },
        },
        results: rows.map(({ rule, level, text, file, region }) => ({
          ruleId: rule,
          ruleIndex: ids.indexOf(rule),
          level,
          message: { text },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
                region,
              },
            },
          ],
        })),
      },
    ],
  };
};
