/** Which program a skill runs, if any, by the metaskill specification. */
import type { SkillDocument } from './document.ts';
import { isAbsolutePath, normalPath } from './skill-path.ts';
import type { SkillFile } from './types.ts';
import { resolveAlias } from './yaml-tree.ts';

export const DEFAULT_PROGRAM = 'SKILL.star';
export const PROGRAM_SIZE_ADVICE = 64 * 1024;
export const PROGRAM_SIZE_LIMIT = 1024 * 1024;

/** Why a skill that names or holds a program is only text. */
export type ProgramRefusal =
  | 'path-absolute'
  | 'path-escape'
  | 'file-missing'
  | 'file-case'
  | 'program-is-skill-md'
  | 'language-unsupported';

/** Why a program that was found will not run: said again, with its reason, when somebody tries. */
export type ProgramFault = 'not-utf8' | 'own-frontmatter' | 'too-large';

export interface Metaskill {
  /** Inside the skill's folder. */
  readonly program: string;
  readonly language: 'starlark';
  readonly fault: ProgramFault | undefined;
}

export interface ProgramFinding {
  readonly metaskill: Metaskill | undefined;
  readonly refusal: ProgramRefusal | undefined;
  /** The file that the finding is about. */
  readonly path: string | undefined;
  /** Whether the field `metaskill` names it. */
  readonly declared: boolean;
}

const NOTHING: ProgramFinding = { metaskill: undefined, refusal: undefined, path: undefined, declared: false };

/** The text of a scalar field; empty for nothing, `undefined` if absent or no scalar. */
const scalarText = (document: SkillDocument, name: string): string | undefined => {
  const field = document.field(name);
  const node = field && resolveAlias(field.value);
  if (node?.kind !== 'scalar') return undefined;
  return node.style === 'plain' && /^(?:~|null|Null|NULL)?$/.test(node.text) ? '' : node.text;
};

const faultOf = (file: SkillFile | undefined): ProgramFault | undefined => {
  if (!file) return undefined;
  if (file.size > PROGRAM_SIZE_LIMIT) return 'too-large';
  if (file.notUtf8 === true) return 'not-utf8';
  return file.text !== undefined && /^\uFEFF?---[ \t]*\r?\n/.test(file.text) ? 'own-frontmatter' : undefined;
};

const locate = (document: SkillDocument): ProgramFinding => {
  const { files } = document.input;
  const declared = scalarText(document, 'metaskill');
  const refuse = (refusal: ProgramRefusal, path: string, isDeclared: boolean): ProgramFinding => ({
    metaskill: undefined,
    refusal,
    path,
    declared: isDeclared,
  });
  if (declared === undefined || declared === '') {
    if (!files) return NOTHING;
    const file = files.get(DEFAULT_PROGRAM);
    if (!file) {
      const other = [...files.keys()].find((path) => path.toLowerCase() === DEFAULT_PROGRAM.toLowerCase());
      return other === undefined ? NOTHING : refuse('file-case', other, false);
    }
    if (file.escapes === true) return refuse('path-escape', DEFAULT_PROGRAM, false);
    return {
      metaskill: { program: DEFAULT_PROGRAM, language: 'starlark', fault: faultOf(file) },
      refusal: undefined,
      path: DEFAULT_PROGRAM,
      declared: false,
    };
  }
  if (isAbsolutePath(declared)) return refuse('path-absolute', declared, true);
  const path = normalPath(declared);
  if (path === undefined || declared.includes('\0')) return refuse('path-escape', declared, true);
  if (path === document.input.fileName || path === 'SKILL.md') return refuse('program-is-skill-md', path, true);
  const file = files?.get(path);
  if (file?.escapes === true) return refuse('path-escape', path, true);
  if (path === '' || (files && !file)) return refuse('file-missing', path, true);
  return {
    metaskill: { program: path, language: 'starlark', fault: faultOf(file) },
    refusal: undefined,
    path,
    declared: true,
  };
};

export const findProgram = (document: SkillDocument): ProgramFinding => {
  const found = locate(document);
  const language = document.field('metaskill_language');
  if (!found.metaskill || !language || scalarText(document, 'metaskill_language') === 'starlark') return found;
  return { ...found, metaskill: undefined, refusal: 'language-unsupported' };
};
