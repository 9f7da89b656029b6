/** Finds the problems of a text as it is typed: SKILL.md by the rules of its profile, programs by the Starlark engine. */
import { errorMessage } from '../../base/errors.ts';
import { baseName, dirName } from '../../base/paths.ts';
import { diagnose } from '../../model/skill/diagnose.ts';
import { readDocument, type SkillDocument } from '../../model/skill/document.ts';
import { fixAll } from '../../model/skill/fix.ts';
import type { Profile, SkillFiles, SkillInput } from '../../model/skill/types.ts';
import { isWeighty, notJudged } from '../../model/skill/weight.ts';
import { diagnoseProgram, knowsPrograms } from '../../model/starlark/diagnose-program.ts';
import type { Program, StarlarkEngine } from '../../model/starlark/engine.ts';
import { fixProgram } from '../../model/starlark/fix-program.ts';
import type { Apart } from '../../platform/worker/apart.ts';
import { isProgram, isSkillFile, type Checked, type EditorNeeds } from './needs.ts';

/** The skill around a file. */
export interface CheckedSkill {
  /** Its folder; the empty path for the opened folder itself. */
  readonly root: string;
  /** The name of its folder. */
  readonly folder?: string;
  /** Paths inside the folder. Texts that are open and not saved count. */
  readonly files: SkillFiles;
  readonly knownSkills: ReadonlySet<string>;
}

export interface CheckerDeps {
  readonly profile: () => Profile;
  readonly skillOf: (path: string) => CheckedSkill | undefined;
  readonly engine: Pick<StarlarkEngine, 'analyse' | 'format'>;
  /** For skills that would hold up the page. */
  readonly apart: Pick<Apart, 'judge' | 'fix'>;
}

const inputOf = (path: string, text: string, skill: CheckedSkill | undefined): SkillInput => ({
  content: text,
  fileName: baseName(path),
  ...(skill && {
    files: skill.files,
    knownSkills: skill.knownSkills,
    ...(skill.folder !== undefined && { folder: skill.folder }),
  }),
});

export const createChecker = (deps: CheckerDeps): Pick<EditorNeeds, 'check' | 'fixAll' | 'format'> => {
  const programOf = (path: string, text: string): Program => {
    const root = deps.skillOf(path)?.root ?? dirName(path);
    return { file: root === '' ? path : path.slice(root.length + 1), text };
  };
  /** The SKILL.md beside a program, as it is being edited. */
  const skillFileOf = (path: string): SkillDocument | undefined => {
    const content = deps.skillOf(path)?.files.get('SKILL.md')?.text;
    return content === undefined ? undefined : readDocument({ content, fileName: 'SKILL.md' });
  };

  const checkStarlark = async (path: string, text: string): Promise<Checked> => {
    const program = programOf(path, text);
    try {
      const found = await diagnoseProgram(deps.engine, program, skillFileOf(path));
      // Completions and the outline serve under every profile; problems are those that Problems and the terminal have.
      return { text, ...found, ...(!knowsPrograms(deps.profile()) && { diagnostics: [] }) };
    } catch (thrown) {
      const reason = errorMessage(thrown);
      return {
        text,
        diagnostics: [
          {
            rule: 'engine',
            severity: 'warning',
            message: `Can’t check the program: ${reason}. Lathe tries again when the text changes.`,
            file: program.file,
            range: { start: 0, end: 0 },
            fixes: [],
          },
        ],
      };
    }
  };

  const check = async (path: string, text: string): Promise<Checked> => {
    if (isProgram(path)) return checkStarlark(path, text);
    if (!isSkillFile(path)) return { text, diagnostics: [] };
    const input = inputOf(path, text, deps.skillOf(path));
    const profile = deps.profile();
    if (!isWeighty(input)) return { text, diagnostics: diagnose(readDocument(input), profile) };
    return { text, diagnostics: (await deps.apart.judge(input, profile)) ?? [notJudged(input.fileName)] };
  };

  return {
    check,
    fixAll: async (path, text) => {
      if (isSkillFile(path)) {
        const input = inputOf(path, text, deps.skillOf(path));
        const options = { unsafe: false, canRenameFolder: () => false };
        const fixed = isWeighty(input)
          ? await deps.apart.fix(input, deps.profile())
          : fixAll(input, deps.profile(), options).texts.get(baseName(path));
        return fixed === text || fixed === null ? undefined : fixed;
      }
      if (!isProgram(path) || !knowsPrograms(deps.profile())) return undefined;
      try {
        const fixed = await fixProgram(deps.engine, programOf(path, text), skillFileOf(path), false);
        return fixed.text === text ? undefined : fixed.text;
      } catch {
        // The check of the same text shows that the engine failed, and why.
        return undefined;
      }
    },
    format: (path, text) => deps.engine.format(programOf(path, text)),
  };
};
