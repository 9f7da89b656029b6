/** The diagnostics of the workspace as rows of a table. */
import { LineIndex } from '../../base/text.ts';
import type { Diagnostic, Severity } from '../../model/skill/types.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';

export const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const satisfies readonly Severity[];

export interface Problem {
  readonly id: string;
  /** The skill's id. */
  readonly skill: string;
  readonly diagnostic: Diagnostic;
  readonly line?: number;
  readonly column?: number;
  /** It does not lie in the open folder, and cannot be fixed here. */
  readonly isElsewhere?: true;
}

export interface FileProblems {
  readonly skill: string;
  /** Inside the skill's folder. */
  readonly file: string;
  readonly problems: readonly Problem[];
}

const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);

const textOf = (skill: WorkspaceSkill, file: string): string | undefined =>
  file === 'SKILL.md' ? skill.text : skill.program?.file === file ? skill.program.text : undefined;

const problemOf = (
  skill: WorkspaceSkill,
  diagnostic: Diagnostic,
  number: number,
  index: LineIndex | undefined,
): Problem => ({
  id: `${skill.id}/${diagnostic.file} ${number} ${diagnostic.rule}`,
  skill: skill.id,
  diagnostic,
  ...index?.positionAt(diagnostic.range.start),
  ...(!skill.isInFolder && { isElsewhere: true }),
});

export const problemsByFile = (skills: readonly WorkspaceSkill[]): readonly FileProblems[] =>
  skills.flatMap((skill) => {
    const files = new Map<string, Diagnostic[]>();
    for (const diagnostic of skill.diagnostics) {
      const known = files.get(diagnostic.file);
      if (known) known.push(diagnostic);
      else files.set(diagnostic.file, [diagnostic]);
    }
    return [...files].map(([file, diagnostics]): FileProblems => {
      const text = textOf(skill, file);
      const index = text === undefined ? undefined : new LineIndex(text);
      const problems = diagnostics
        .toSorted((a, b) => a.range.start - b.range.start || rankOf(a.severity) - rankOf(b.severity))
        .map((diagnostic, number) => problemOf(skill, diagnostic, number, index));
      return { skill: skill.id, file, problems };
    });
  });

export const countBySeverity = (files: readonly FileProblems[]): Readonly<Record<Severity, number>> => {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { problems } of files) for (const { diagnostic } of problems) counts[diagnostic.severity] += 1;
  return counts;
};

export const withSeverities = (files: readonly FileProblems[], shown: ReadonlySet<Severity>): readonly FileProblems[] =>
  files.flatMap((file) => {
    const problems = file.problems.filter(({ diagnostic }) => shown.has(diagnostic.severity));
    return problems.length === 0 ? [] : { ...file, problems };
  });

/** How many a bulk fix would touch: the first fix counts, and hints are advice. */
export const countSafeFixes = (files: readonly FileProblems[]): number =>
  files
    .flatMap(({ problems }) => problems)
    .filter(
      ({ diagnostic, isElsewhere }) =>
        isElsewhere !== true && diagnostic.severity !== 'hint' && diagnostic.fixes[0]?.safety === 'safe',
    ).length;
