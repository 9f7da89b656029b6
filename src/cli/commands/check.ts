import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { collectLog } from '../../base/log.ts';
import type { CheckedSkill } from '../../model/library/check-skills.ts';
import { PROFILES, type Profile, type Severity } from '../../model/skill/types.ts';
import { checkFolder } from '../../model/workspace/check-folder.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { oneOf, parseArguments, wrongUse } from '../arguments.ts';
import { humanProblem, humanSummary, type CheckSummary } from '../output/human.ts';
import { githubProblem, sarifReport } from '../output/machine.ts';
import { isFixable, problemsOf, SEVERITIES, type Problem } from '../output/problem.ts';
import { createPaint, visible, wantsColour } from '../output/terminal-text.ts';
import { shownPath } from '../shown-path.ts';
import { withEngine } from '../metaskill-runner.ts';
import { fixSkills, type FixedSkill } from './fix-skills.ts';

const FORMATS = ['human', 'json', 'sarif', 'github'] as const;
type Format = (typeof FORMATS)[number];

interface CheckOptions {
  readonly folders: readonly string[];
  readonly profile: Profile;
  readonly format: Format;
  readonly level: Severity;
  readonly fix: boolean;
  readonly unsafe: boolean;
}

/** A folder, a SKILL.md in any spelling, or another file beside one. */
const standsForSkill = (path: string): boolean =>
  statSync(path).isDirectory() ||
  basename(path).toLowerCase() === 'skill.md' ||
  existsSync(join(dirname(path), 'SKILL.md'));

const readOptions = (args: readonly string[]): CheckOptions | string => {
  const parsed = parseArguments(args, {
    profile: { type: 'string' },
    format: { type: 'string' },
    level: { type: 'string' },
    json: { type: 'boolean' },
    fix: { type: 'boolean' },
    unsafe: { type: 'boolean' },
  });
  if (!parsed.ok) return parsed.error;
  const { values, positionals } = parsed.value;
  const profile = oneOf('profile', values['profile'], PROFILES, 'standard');
  const format = oneOf('format', values['json'] === true ? 'json' : values['format'], FORMATS, 'human');
  const level = oneOf('level', values['level'], SEVERITIES, 'info');
  for (const result of [profile, format, level]) if (!result.ok) return result.error;
  if (values['json'] === true && values['format'] !== undefined && values['format'] !== 'json')
    return '--json and --format contradict each other';
  if (values['unsafe'] === true && values['fix'] !== true) return '--unsafe goes with --fix';
  if (positionals.length === 0) return 'which folder? `lathe check DIR…`';
  const missing = positionals.find((folder) => !existsSync(folder));
  if (missing !== undefined) return `there is no folder ${missing}`;
  const other = positionals.find((path) => !standsForSkill(path));
  if (other !== undefined) return `${other} is neither a folder nor a file of a skill`;
  return {
    // The file of a skill stands for its folder.
    folders: positionals.map((path) => (statSync(path).isDirectory() ? path : dirname(path))),
    profile: profile.ok ? profile.value : 'standard',
    format: format.ok ? format.value : 'human',
    level: level.ok ? level.value : 'info',
    fix: values['fix'] === true,
    unsafe: values['unsafe'] === true,
  };
};

interface Checked {
  readonly skill: CheckedSkill;
  readonly path: string;
  readonly problems: readonly Problem[];
}

const summarise = (checked: readonly Checked[]): CheckSummary => {
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

const writeJson = (checked: readonly Checked[], summary: CheckSummary, extra: Record<string, unknown>): void => {
  const document = {
    skills: checked.map(({ skill, path, problems }) => ({
      path,
      name: skill.name ?? null,
      valid: skill.valid,
      diagnostics: problems.map(({ diagnostic, file, line, column, endLine, endColumn }) => ({
        rule: diagnostic.rule,
        severity: diagnostic.severity,
        message: diagnostic.message,
        file,
        line,
        column,
        endLine,
        endColumn,
        fixable: isFixable(diagnostic),
      })),
    })),
    summary: {
      skills: summary.skills,
      valid: summary.valid,
      invalid: summary.skills - summary.valid,
      errors: summary.bySeverity.error,
      warnings: summary.bySeverity.warning,
      infos: summary.bySeverity.info,
      hints: summary.bySeverity.hint,
      fixable: summary.fixableSafe + summary.fixableUnsafe,
    },
    ...extra,
  };
  process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
};

const writeHuman = (
  checked: readonly Checked[],
  summary: CheckSummary,
  level: Severity,
  notes: readonly string[],
  fixed: readonly FixedSkill[],
): void => {
  const paint = createPaint(wantsColour(process.stdout));
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
  process.stdout.write(`${text}\n`);
};

export const check = async (args: readonly string[]): Promise<number> => {
  const options = readOptions(args);
  if (typeof options === 'string') return wrongUse('check', options);
  const { log, lines } = collectLog();
  const checked: Checked[] = [];
  const fixed: FixedSkill[] = [];
  for (const argument of options.folders) {
    let folder = argument;
    if (options.fix) {
      const result = await fixSkills(folder, shownPath(folder), options.profile, options.unsafe);
      fixed.push(...result.fixed);
      folder = result.folder;
    }
    const prefix = shownPath(folder);
    const result = await checkFolder(createNodeTree(folder), '', options.profile, { withEngine });
    for (const skill of result.skills) {
      const path = [prefix, skill.path].filter((part) => part !== '').join('/') || '.';
      checked.push({ skill, path, problems: problemsOf(skill, prefix) });
    }
    for (const { path, reason } of result.skipped) {
      log({
        level: 'warning',
        code: 'check.skipped',
        text: `${[prefix, path].filter(Boolean).join('/') || basename(resolve(folder))}: ${reason}`,
      });
    }
    if (result.skills.length === 0)
      log({
        level: 'error',
        code: 'check.empty',
        text: `there is no skill in ${folder}: no folder with a file SKILL.md`,
      });
  }
  const summary = summarise(checked);
  const problems = checked.flatMap((item) => item.problems);
  switch (options.format) {
    case 'json':
      writeJson(checked, summary, { ...(options.fix && { fixed }), log: lines });
      break;
    case 'sarif':
      process.stdout.write(`${JSON.stringify(sarifReport(problems), undefined, 2)}\n`);
      break;
    case 'github':
      process.stdout.write(
        problems
          .filter(({ diagnostic }) => diagnostic.severity !== 'hint')
          .map((problem) => `${githubProblem(problem)}\n`)
          .join(''),
      );
      break;
    case 'human':
      writeHuman(
        checked,
        summary,
        options.level,
        lines.map(({ text }) => text),
        fixed,
      );
      break;
  }
  const failed = fixed.some(({ failures }) => failures.length > 0);
  return summary.valid === summary.skills && summary.skills > 0 && !failed ? 0 : 1;
};
