/** What the engine and the rules on programs say about the program of a skill. */
import { findProgram } from '../skill/metaskill-package.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Diagnostic, Profile, SkillInput } from '../skill/types.ts';
import type { Program, StarlarkEngine } from './engine.ts';
import { documentedInputKeys } from './input-keys.ts';
import { checkProgram } from './program-rules.ts';

/** A skill as it was read. */
export interface SkillWithProgram {
  readonly document: SkillDocument;
  readonly input: SkillInput;
}

/** Only these profiles know programs. */
export const knowsPrograms = (profile: Profile): boolean => profile === 'standard' || profile === 'metaskill';

/** Nothing for a skill without a program, or with one that cannot be read. */
export const programOf = ({ document, input }: SkillWithProgram): Program | undefined => {
  const { metaskill } = findProgram(document);
  const text = metaskill && input.files?.get(metaskill.program)?.text;
  return text === undefined ? undefined : { file: metaskill?.program ?? '', text };
};

/** Rejects only where the engine fails as a whole. */
export const diagnoseProgram = async (
  engine: Pick<StarlarkEngine, 'analyse'>,
  { document, input }: SkillWithProgram,
  program: Program,
): Promise<Diagnostic[]> => {
  const keys = documentedInputKeys(document.text, document.bodyRange.start);
  const analysis = await engine.analyse(program);
  return checkProgram({ program, analysis, documented: { keys, file: input.fileName, text: document.text } });
};
