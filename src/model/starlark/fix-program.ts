/** All fixes of a program that may be applied without asking, for the editor and for `lathe check --fix`. */
import type { SkillDocument } from '../skill/document.ts';
import { applyEdits, bulkFix, ChosenEdits, type AppliedFix } from '../skill/fix.ts';
import type { TextEdit } from '../skill/types.ts';
import { diagnoseProgram } from './diagnose-program.ts';
import type { Program, StarlarkEngine } from './engine.ts';

/** A fix may uncover another one. */
const MAX_PASSES = 10;

export interface FixedProgram {
  readonly text: string;
  readonly applied: readonly AppliedFix[];
}

/** Changes the program only, never the SKILL.md beside it. Rejects where the engine fails as a whole. */
export const fixProgram = async (
  engine: Pick<StarlarkEngine, 'analyse'>,
  program: Program,
  skillFile: SkillDocument | undefined,
  unsafe: boolean,
): Promise<FixedProgram> => {
  const { file } = program;
  const applied: AppliedFix[] = [];
  let { text } = program;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const chosen = new ChosenEdits();
    const edits: TextEdit[] = [];
    const done: AppliedFix[] = [];
    for (const diagnostic of (await diagnoseProgram(engine, { file, text }, skillFile)).diagnostics) {
      const fix = bulkFix(diagnostic, unsafe);
      if (fix?.action.kind !== 'edit' || fix.action.file !== file || !chosen.take(fix.action.edits)) continue;
      edits.push(...fix.action.edits);
      done.push({ rule: diagnostic.rule, title: fix.title });
    }
    const next = applyEdits(text, edits);
    if (next === text) break;
    text = next;
    applied.push(...done);
  }
  return { text, applied };
};
