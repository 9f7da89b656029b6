/** The programs of metaskills: what the Starlark engine and the rules on programs say. */
import { joinPath } from '../../base/paths.ts';
import type { CheckedSkill } from '../../model/library/check-skills.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { applyEdits } from '../../model/skill/fix.ts';
import type { TextEdit } from '../../model/skill/types.ts';
import { diagnoseProgram, programOf } from '../../model/starlark/diagnose-program.ts';
import { findProgramProblems, withProgramProblems } from '../../model/workspace/program-problems.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';

export const hasProgram = (skill: CheckedSkill): boolean => programOf(skill) !== undefined;

/** The same skills with the diagnostics of their programs. */
export const addProgramDiagnostics = async (
  engine: StarlarkEngine,
  skills: readonly CheckedSkill[],
): Promise<CheckedSkill[]> => {
  const checked: CheckedSkill[] = [];
  for (const skill of skills) {
    checked.push(withProgramProblems(skill, await findProgramProblems(engine, skill)));
  }
  return checked;
};

const MAX_PASSES = 10;

const overlaps = (a: TextEdit, b: TextEdit): boolean =>
  a.range.start === b.range.start || (a.range.start < b.range.end && b.range.start < a.range.end);

/** Applies the fixes of a program on disk; what was done. */
export const fixProgram = async (
  engine: StarlarkEngine,
  tree: FileTree,
  skill: CheckedSkill,
  unsafe: boolean,
): Promise<{ rule: string; title: string }[]> => {
  let program = programOf(skill);
  const applied: { rule: string; title: string }[] = [];
  const start = program?.text;
  for (let pass = 0; program && pass < MAX_PASSES; pass++) {
    const edits: TextEdit[] = [];
    for (const { rule, severity, fixes } of await diagnoseProgram(engine, skill, program)) {
      const fix =
        severity === 'hint'
          ? undefined
          : fixes.find(({ safety }) => safety === 'safe' || (unsafe && safety === 'unsafe'));
      if (fix?.action.kind !== 'edit' || fix.action.file !== program.file) continue;
      if (fix.action.edits.some((edit) => edits.some((other) => overlaps(edit, other)))) continue;
      edits.push(...fix.action.edits);
      applied.push({ rule, title: fix.title });
    }
    const text = applyEdits(program.text, edits);
    if (edits.length === 0 || text === program.text) break;
    program = { file: program.file, text };
  }
  if (program && program.text !== start)
    await tree.write(joinPath(skill.path, program.file), new TextEncoder().encode(program.text));
  return applied;
};
