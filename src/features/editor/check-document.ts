/** Finds the problems of a text as it is typed: SKILL.md by the rules of its profile, programs by the Starlark engine. */
import { errorMessage } from '../../base/errors.ts';
import { baseName } from '../../base/paths.ts';
import { diagnose } from '../../model/skill/diagnose.ts';
import { readDocument } from '../../model/skill/document.ts';
import { applyEdits, fixAll } from '../../model/skill/fix.ts';
import type { Profile, SkillFiles, SkillInput, TextEdit } from '../../model/skill/types.ts';
import type { Program, StarlarkEngine } from '../../model/starlark/engine.ts';
import { documentedInputKeys } from '../../model/starlark/input-keys.ts';
import { checkProgram } from '../../model/starlark/program-rules.ts';
import { isProgram, isSkillFile, type Checked, type EditorHost } from './host.ts';

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

const programOf = (path: string, text: string): Program => ({ file: baseName(path), text });

/** The edits of all safe fixes that do not touch one another. */
const safeEdits = ({ diagnostics }: Checked, path: string): readonly TextEdit[] => {
  const chosen: TextEdit[] = [];
  const isFree = ({ range }: TextEdit): boolean =>
    chosen.every((other) => range.end <= other.range.start || other.range.end <= range.start);
  for (const { severity, fixes } of diagnostics) {
    const fix = severity === 'hint' ? undefined : fixes.find(({ safety }) => safety === 'safe');
    if (fix?.action.kind !== 'edit' || fix.action.file !== baseName(path)) continue;
    if (fix.action.edits.every(isFree)) chosen.push(...fix.action.edits);
  }
  return chosen;
};

export const createChecker = (deps: CheckerDeps): Pick<EditorHost, 'check' | 'fixAll' | 'format'> => {
  const documentedOf = (path: string) => {
    const text = deps.skillOf(path)?.files.get('SKILL.md')?.text;
    if (text === undefined) return undefined;
    const from = readDocument({ content: text, fileName: 'SKILL.md' }).bodyRange.start;
    return { keys: documentedInputKeys(text, from), file: 'SKILL.md', text };
  };

  const checkStarlark = async (path: string, text: string): Promise<Checked> => {
    const program = programOf(path, text);
    const documented = documentedOf(path);
    try {
      const analysis = await deps.engine.analyse(program);
      const diagnostics = checkProgram({ program, analysis, ...(documented && { documented }) });
      return { text, diagnostics, analysis, ...(documented && { documented: documented.keys }) };
    } catch (thrown) {
      const reason = errorMessage(thrown);
      return {
        text,
        diagnostics: [
          {
            rule: 'engine',
            severity: 'warning',
            message: `The program was not checked: ${reason}. It is tried again when the text changes.`,
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
    return { text, diagnostics: diagnose(readDocument(inputOf(path, text, deps.skillOf(path))), deps.profile()) };
  };

  return {
    check,
    fixAll: async (path, text) => {
      if (isSkillFile(path)) {
        const options = { unsafe: false, canRenameFolder: () => false };
        const fixed = fixAll(inputOf(path, text, deps.skillOf(path)), deps.profile(), options).texts.get(
          baseName(path),
        );
        return fixed === text ? undefined : fixed;
      }
      if (!isProgram(path)) return undefined;
      const edits = safeEdits(await checkStarlark(path, text), path);
      return edits.length === 0 ? undefined : applyEdits(text, edits);
    },
    format: (path, text) => deps.engine.format(programOf(path, text)),
  };
};
