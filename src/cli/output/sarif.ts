import { HOMEPAGE, VERSION } from '../version.ts';

/** Where the tool is described. Without a home page its package URL names it, which promises no page. */
const INFORMATION = HOMEPAGE ?? `pkg:npm/skill-lathe@${VERSION}`;

/** What is known of a rule. */
export interface RuleText {
  /** One sentence. */
  readonly why: string;
  readonly fix?: string;
}

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

/** SARIF 2.1.0; columns count code points, which the format calls unicodeCodePoints. `textOf` explains a rule. */
export const sarifLog = (
  tool: string,
  rows: readonly SarifRow[],
  textOf: (rule: string) => RuleText | undefined,
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
            informationUri: INFORMATION,
            rules: ids.map((id) => {
              const { why, fix } = textOf(id) ?? { why: id };
              return {
                id,
                shortDescription: { text: why },
                fullDescription: { text: fix === undefined ? why : `${why} Fix: ${fix}` },
                help: { text: `${why}${fix === undefined ? '' : `\n\nFix: ${fix}`}\n\nMore: lathe explain-rule ${id}` },
              };
            }),
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
