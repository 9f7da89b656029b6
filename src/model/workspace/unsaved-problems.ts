/** What was found in texts that are not saved takes the place of what was found on disk. */
import { joinPath } from '../../base/paths.ts';
import type { Diagnostic } from '../skill/types.ts';
import type { WorkspaceSkill } from './workspace-view.ts';

/** A text that is not saved, and what is wrong with it. */
export interface JudgedText {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Found by looking at several skills: anyone who judges one text knows nothing of these. */
const ACROSS: ReadonlySet<string> = new Set(['duplicate-name', 'duplicate-description']);

export const isSameJudgement = (a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean =>
  a.length === b.length &&
  a.every(({ rule, message, range }, at) => {
    const other = b[at];
    return other?.rule === rule && other.message === message && other.range.start === range.start;
  });

const once = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(
    diagnostics.map((one) => [[one.file, one.rule, one.range.start, one.message].join('\n'), one] as const),
  ).values(),
];

/** `judged` goes by the path inside the opened folder. */
export const withUnsavedProblems = (skill: WorkspaceSkill, judged: ReadonlyMap<string, JudgedText>): WorkspaceSkill => {
  if (!skill.isInFolder) return skill;
  const main = judged.get(joinPath(skill.path, 'SKILL.md'));
  const file = skill.program?.file ?? 'SKILL.star';
  const program = judged.get(joinPath(skill.path, file));
  if (!main && !program) return skill;
  const isKept = (diagnostic: Diagnostic): boolean =>
    diagnostic.file === file ? !program : !main || ACROSS.has(diagnostic.rule);
  return {
    ...skill,
    ...(main && { text: main.text }),
    ...(program && { program: { file, text: program.text } }),
    diagnostics: once([
      ...(main?.diagnostics ?? []),
      ...skill.diagnostics.filter(isKept),
      ...(program?.diagnostics ?? []),
    ]),
  };
};
