/** What the engine and the rules on programs say about the program of a skill: in the editor, in Problems, and in the terminal. */
import { findProgram } from '../skill/metaskill-package.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Diagnostic, Profile } from '../skill/types.ts';
import type { Program, StarlarkEngine } from './engine.ts';
import { documentedInputKeys, type DocumentedKeys } from './input-keys.ts';
import type { Analysis } from './messages.ts';
import { checkProgram } from './program-rules.ts';

export interface DiagnosedProgram {
  readonly diagnostics: readonly Diagnostic[];
  readonly analysis: Analysis;
  /** The input keys that SKILL.md documents; absent without a SKILL.md. */
  readonly documented?: DocumentedKeys;
}

/** Only these profiles know programs. */
export const knowsPrograms = (profile: Profile): boolean => profile === 'standard' || profile === 'metaskill';

/** Nothing for a skill without a program, or with one that cannot be read. */
export const programOf = (document: SkillDocument): Program | undefined => {
  const { metaskill } = findProgram(document);
  const text = metaskill && document.input.files?.get(metaskill.program)?.text;
  return text === undefined ? undefined : { file: metaskill?.program ?? '', text };
};

/** `skillFile` is the SKILL.md beside the program, if there is one. Rejects only where the engine fails as a whole. */
export const diagnoseProgram = async (
  engine: Pick<StarlarkEngine, 'analyse'>,
  program: Program,
  skillFile: SkillDocument | undefined,
): Promise<DiagnosedProgram> => {
  const analysis = await engine.analyse(program);
  if (!skillFile) return { analysis, diagnostics: checkProgram({ program, analysis }) };
  const { text, bodyRange, input } = skillFile;
  const keys = documentedInputKeys(text, bodyRange.start);
  const diagnostics = checkProgram({ program, analysis, documented: { keys, file: input.fileName, text } });
  return { analysis, diagnostics, documented: keys };
};
