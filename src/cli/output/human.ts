import { codePointLength, plural, takeCodePoints } from '../../base/text.ts';
import { RULES } from '../../model/skill/catalog.ts';
import { PROGRAM_RULES } from '../../model/starlark/rule-catalog.ts';
import { COMMENT_RULES } from '../../model/workspace/check-disables.ts';
import type { Severity } from '../../model/skill/types.ts';
import { SEVERITIES, type Problem } from './problem.ts';
import { visible, type Paint } from './terminal-text.ts';

const WIDTH = 100;

const painter = (severity: Severity, paint: Paint): ((text: string) => string) => {
  switch (severity) {
    case 'error':
      return paint.red;
    case 'warning':
      return paint.yellow;
    case 'info':
      return paint.blue;
    case 'hint':
      return paint.dim;
  }
};

/** Wide characters take two columns on a terminal; a caret has to know. */
const columns = (text: string): number => {
  let count = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    const isWide =
      (point >= 0x1100 && point <= 0x115f) ||
      (point >= 0x2e80 && point <= 0xa4cf) ||
      (point >= 0xac00 && point <= 0xd7a3) ||
      (point >= 0xf900 && point <= 0xfaff) ||
      (point >= 0xfe30 && point <= 0xfe6f) ||
      (point >= 0xff00 && point <= 0xff60) ||
      (point >= 0x1f300 && point <= 0x1faff);
    count += /\p{M}/u.test(char) ? 0 : isWide ? 2 : 1;
  }
  return count;
};

/** The line with a caret below the place; long lines are cut around it. */
const snippet = (problem: Problem, paint: Paint): string[] => {
  const line = problem.sourceLine.replace(/\t/g, ' ');
  if (line.trim() === '') return [];
  const start = problem.column - 1;
  const length =
    problem.endLine === problem.line ? Math.max(1, problem.endColumn - problem.column) : codePointLength(line) - start;
  const from = Math.max(0, start - WIDTH / 2);
  const shown = Array.from(line)
    .slice(from, from + WIDTH)
    .join('');
  const lead = from > 0 ? '…' : '';
  const before = lead + takeCodePoints(shown, start - from);
  const marked = Array.from(shown)
    .slice(start - from, start - from + length)
    .join('');
  const gutter = String(problem.line).padStart(5);
  const tail = codePointLength(line) > from + WIDTH ? '…' : '';
  return [
    `${paint.dim(`${gutter} │`)} ${visible(lead + shown + tail)}`,
    `${paint.dim('      │')} ${' '.repeat(columns(visible(before)))}${painter(problem.diagnostic.severity, paint)('^'.repeat(Math.max(1, columns(visible(marked)))))}`,
  ];
};

const REASONS: ReadonlyMap<string, string> = new Map(
  [...RULES.values(), ...PROGRAM_RULES.values(), ...COMMENT_RULES.values()].map(({ id, why }) => [id, why]),
);

/** Where no fix can be applied, the reason tells what is wanted; `isFirst`, because one rule may speak a hundred times. */
export const humanProblem = (problem: Problem, paint: Paint, isFirst: boolean): string => {
  const { diagnostic } = problem;
  const place = `${visible(problem.file)}:${problem.line}:${problem.column}`;
  const severity = painter(diagnostic.severity, paint)(diagnostic.severity);
  const head = `${paint.bold(place)}: ${severity}: ${visible(diagnostic.message)} ${paint.dim(`[${diagnostic.rule}]`)}`;
  const fix = diagnostic.fixes.find((candidate) => candidate.safety !== 'manual');
  const reason = isFirst ? REASONS.get(diagnostic.rule) : undefined;
  const advice = fix
    ? [
        `${paint.dim('      └')} ${paint.green('fix')}${fix.safety === 'unsafe' ? ' (unsafe)' : ''}: ${visible(fix.title)}`,
      ]
    : reason === undefined
      ? []
      : [`${paint.dim('      └')} ${reason}`];
  return [head, ...snippet(problem, paint), ...advice].join('\n');
};

export interface CheckSummary {
  readonly skills: number;
  readonly valid: number;
  /** Folders and files that nobody could look at. */
  readonly unread: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly fixableSafe: number;
  readonly fixableUnsafe: number;
}

export const humanSummary = (summary: CheckSummary, paint: Paint): string => {
  const invalid = summary.skills - summary.valid;
  const verdict =
    invalid === 0 && summary.unread > 0
      ? `${plural(summary.skills, 'skill')} checked, ${paint.red(`${summary.unread} unreadable`)}`
      : invalid === 0
        ? paint.green(`${plural(summary.skills, 'skill')} checked, all valid`)
        : `${plural(summary.skills, 'skill')} checked, ${paint.red(`${invalid} invalid`)}`;
  const words: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note', hint: 'hint' };
  const counts = SEVERITIES.filter((severity) => summary.bySeverity[severity] > 0).map((severity) =>
    plural(summary.bySeverity[severity], words[severity]),
  );
  const ways = [
    ...(summary.fixableSafe > 0 ? [`--fix to fix ${summary.fixableSafe}`] : []),
    ...(summary.fixableUnsafe > 0 ? [`--fix --unsafe to fix ${summary.fixableUnsafe}`] : []),
  ];
  const fixes = ways.length === 0 ? '' : `\nRun with ${ways.join(', or ')}.`;
  return `${verdict}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}.${fixes}`;
};
