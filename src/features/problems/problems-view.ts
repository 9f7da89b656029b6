/** The diagnostics of the workspace as rows of a table. */
import { joinPath } from '../../base/paths.ts';
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
  /** An error because of which no session loads the skill. */
  readonly willNotLoad?: true;
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
  ...(skill.outcome === 'skipped' && diagnostic.severity === 'error' && { willNotLoad: true }),
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

/** Errors of a skill that no session loads weigh most: nothing else of it matters until they are gone. */
const weightOf = ({ problems }: FileProblems): number =>
  Math.min(...problems.map(({ diagnostic, willNotLoad }) => (willNotLoad === true ? -1 : rankOf(diagnostic.severity))));

export type Grouping = 'skill' | 'rule';

/** Of one file, or of one rule in all files; the heaviest first, then in the order of the workspace. */
export interface ProblemGroup {
  readonly id: string;
  readonly title: string;
  readonly willNotLoad: boolean;
  readonly problems: readonly Problem[];
}

const byRule = (files: readonly FileProblems[]): readonly ProblemGroup[] => {
  const rules = new Map<string, Problem[]>();
  for (const problem of files.flatMap(({ problems }) => problems)) {
    const known = rules.get(problem.diagnostic.rule);
    if (known) known.push(problem);
    else rules.set(problem.diagnostic.rule, [problem]);
  }
  return [...rules].map(([rule, problems]) => ({
    id: `rule ${rule}`,
    title: rule,
    willNotLoad: problems.some(({ willNotLoad }) => willNotLoad === true),
    problems,
  }));
};

export const groupProblems = (files: readonly FileProblems[], grouping: Grouping): readonly ProblemGroup[] => {
  const groups =
    grouping === 'rule'
      ? byRule(files)
      : files.map(({ skill, file, problems }): ProblemGroup => ({
          id: joinPath(skill, file),
          title: joinPath(skill, file),
          willNotLoad: problems.some(({ willNotLoad }) => willNotLoad === true),
          problems,
        }));
  const weights = new Map(groups.map((group) => [group, weightOf({ skill: '', file: '', problems: group.problems })]));
  return groups.toSorted(
    (a, b) =>
      (weights.get(a) ?? 0) - (weights.get(b) ?? 0) ||
      (grouping === 'rule' ? b.problems.length - a.problems.length : 0),
  );
};

/** Problems whose message, rule, or place holds every word. */
export const withWords = (files: readonly FileProblems[], query: string): readonly FileProblems[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return files;
  return files.flatMap((file) => {
    const problems = file.problems.filter(({ diagnostic: { message, rule } }) => {
      const text = `${file.skill}/${file.file} ${rule} ${message}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return problems.length === 0 ? [] : { ...file, problems };
  });
};

/** How many a bulk fix would touch: the first fix counts, and hints are advice. */
export const countSafeFixes = (files: readonly FileProblems[]): number =>
  files
    .flatMap(({ problems }) => problems)
    .filter(
      ({ diagnostic, isElsewhere }) =>
        isElsewhere !== true && diagnostic.severity !== 'hint' && diagnostic.fixes[0]?.safety === 'safe',
    ).length;
