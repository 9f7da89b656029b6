/** What the Starlark engine and the rules on programs say about the program of a skill. */
import { isValid } from '../skill/diagnose.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Diagnostic, Profile } from '../skill/types.ts';
import { diagnoseProgram, knowsPrograms, programOf } from '../starlark/diagnose-program.ts';
import type { Program, StarlarkEngine } from '../starlark/engine.ts';

export interface ProgramProblems {
  /** The text that they are about. */
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
}

interface Readable {
  readonly document: SkillDocument;
}

/** Whether there is a program that the rules of this profile have something to say about. */
export const hasProgramToCheck = ({ document }: Readable, profile: Profile): boolean =>
  knowsPrograms(profile) && programOf(document) !== undefined;

/** Nothing for a skill without a program, or with one that cannot be read. Rejects where the engine fails as a whole. */
export const findProgramProblems = async (
  engine: Pick<StarlarkEngine, 'analyse'>,
  { document }: Readable,
): Promise<ProgramProblems | undefined> => {
  const program = programOf(document);
  if (!program) return undefined;
  const { diagnostics } = await diagnoseProgram(engine, program, document);
  return { program, diagnostics };
};

/** The same skill with what is wrong with its program. */
export const withProgramProblems = <Skill extends { readonly diagnostics: readonly Diagnostic[] }>(
  skill: Skill,
  problems: ProgramProblems | undefined,
): Skill => {
  if (!problems) return skill;
  const diagnostics = [...skill.diagnostics, ...problems.diagnostics];
  return { ...skill, program: problems.program, diagnostics, valid: isValid(diagnostics) };
};
