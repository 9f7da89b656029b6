import { joinPath } from '../../base/paths.ts';
import { LineIndex } from '../../base/text.ts';
import type { CheckedSkill } from '../../model/library/check-skills.ts';
import type { Diagnostic, Severity } from '../../model/skill/types.ts';

/** One diagnostic with its place, as every format needs it. */
export interface Problem {
  readonly diagnostic: Diagnostic;
  /** From the working folder. */
  readonly file: string;
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly sourceLine: string;
}

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

const textOf = (skill: CheckedSkill, file: string): string =>
  file === skill.input.fileName ? skill.document.text : (skill.input.files?.get(file)?.text ?? '');

/** In the order of files and places. `prefix` leads from the working folder to the tree. */
export const problemsOf = (skill: CheckedSkill, prefix: string): Problem[] => {
  const lines = new Map<string, LineIndex>();
  const problems = skill.diagnostics.map((diagnostic): Problem => {
    const index = lines.get(diagnostic.file) ?? new LineIndex(textOf(skill, diagnostic.file));
    lines.set(diagnostic.file, index);
    const start = index.positionAt(diagnostic.range.start);
    const end = index.positionAt(diagnostic.range.end);
    return {
      diagnostic,
      file: joinPath(prefix, skill.path, diagnostic.file),
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      sourceLine: index.lineText(start.line),
    };
  });
  return problems.toSorted((a, b) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
  );
};

export const isFixable = (diagnostic: Diagnostic): boolean => diagnostic.fixes.some((fix) => fix.safety !== 'manual');

/** As the library and `--json` give it. */
export const publicProblem = ({ diagnostic, file, line, column, endLine, endColumn }: Problem) => ({
  rule: diagnostic.rule,
  severity: diagnostic.severity,
  message: diagnostic.message,
  file,
  line,
  column,
  endLine,
  endColumn,
  fixable: isFixable(diagnostic),
});
