/** What `lathe check` prints: a document for programs, or blocks with a sum for people. */
import type { CheckedSkill } from '../../model/library/check-skills.ts';
import type { Severity } from '../../model/skill/types.ts';
import type { FixedSkill } from '../commands/fix-skills.ts';
import { humanProblem, humanSummary, type CheckSummary } from './human.ts';
import { isFixable, publicProblem, SEVERITIES, type Problem } from './problem.ts';
import { createPaint, visible, wantsColour } from './terminal-text.ts';
import { jsonDocument } from './json-document.ts';

export interface Checked {
  readonly skill: CheckedSkill;
  readonly path: string;
  readonly problems: readonly Problem[];
}

export const summarise = (checked: readonly Checked[]): Omit<CheckSummary, 'unread'> => {
  const diagnostics = checked.flatMap(({ skill }) => skill.diagnostics);
  const count = (severity: Severity): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const fixable = diagnostics.filter((diagnostic) => diagnostic.severity !== 'hint' && isFixable(diagnostic));
  const safe = fixable.filter((diagnostic) => diagnostic.fixes.some((fix) => fix.safety === 'safe')).length;
  return {
    skills: checked.length,
    valid: checked.filter(({ skill }) => skill.valid).length,
    bySeverity: { error: count('error'), warning: count('warning'), info: count('info'), hint: count('hint') },
    fixableSafe: safe,
    fixableUnsafe: fixable.length - safe,
  };
};

export const jsonText = (
  checked: readonly Checked[],
  summary: CheckSummary,
  extra: Record<string, unknown>,
): string => {
  const document = {
    skills: checked.map(({ skill, path, problems }) => ({
      path,
      name: skill.name ?? null,
      valid: skill.valid,
      clients: skill.clients.map(({ client, from }) => ({ client, from })),
      diagnostics: problems.map(publicProblem),
    })),
    summary: {
      skills: summary.skills,
      valid: summary.valid,
      invalid: summary.skills - summary.valid,
      unread: summary.unread,
      errors: summary.bySeverity.error,
      warnings: summary.bySeverity.warning,
      infos: summary.bySeverity.info,
      hints: summary.bySeverity.hint,
      fixable: summary.fixableSafe + summary.fixableUnsafe,
    },
    ...extra,
  };
  return jsonDocument(document);
};

export const humanText = (
  checked: readonly Checked[],
  summary: CheckSummary,
  level: Severity,
  notes: readonly string[],
  fixed: readonly FixedSkill[],
  isFile: boolean,
): string => {
  const paint = createPaint(!isFile && wantsColour(process.stdout));
  const shown = new Set(SEVERITIES.slice(0, SEVERITIES.indexOf(level) + 1));
  const told = new Set<string>();
  const blocks = checked.flatMap(({ problems }) =>
    problems
      .filter(({ diagnostic }) => shown.has(diagnostic.severity))
      .map((problem) => {
        const isFirst = !told.has(problem.diagnostic.rule);
        told.add(problem.diagnostic.rule);
        return humanProblem(problem, paint, isFirst);
      }),
  );
  const lines: string[] = [];
  for (const { path, applied, failures } of fixed) {
    for (const { title, rule } of applied)
      lines.push(`${paint.green('fixed')} ${visible(path)}: ${visible(title)} ${paint.dim(`[${rule}]`)}`);
    for (const failure of failures) lines.push(`${paint.red('not fixed')} ${visible(path)}: ${visible(failure)}`);
  }
  // Of nothing there is no sum.
  const sum = summary.skills === 0 && notes.length > 0 ? '' : humanSummary(summary, paint);
  const text = [lines.join('\n'), ...blocks, notes.map(visible).join('\n'), sum]
    .filter((part) => part !== '')
    .join('\n\n');
  return `${text}\n`;
};
