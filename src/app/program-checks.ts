/** Problems of programs before anybody opens one: found when the page is idle, and remembered as long as the texts are the same. */
import type { SkillView } from '../model/workspace/workspace-view.ts';
import { readDocument } from '../model/skill/document.ts';
import type { Diagnostic, Profile } from '../model/skill/types.ts';
import { diagnoseProgram, knowsPrograms, programOf } from '../model/starlark/diagnose-program.ts';
import type { StarlarkEngine } from '../model/starlark/engine.ts';

export interface ProgramChecksDeps {
  readonly engine: () => Promise<Pick<StarlarkEngine, 'analyse'> | undefined>;
  readonly whenIdle: () => Promise<void>;
  /** The engine failed as a whole; nothing is told about programs then. */
  readonly onFailure: (thrown: unknown) => void;
}

/** What is known of the program of a skill. */
export interface ProgramProblems {
  readonly diagnostics: readonly Diagnostic[];
  /** The text that they are about, by its file. */
  readonly program: { readonly file: string; readonly text: string };
}

export interface ProgramChecks {
  /** Nothing for a skill without a program, or with one that has not been looked at yet. */
  readonly known: (skill: SkillView) => ProgramProblems | undefined;
  /** Looks at those that are not known yet; true if there were any. A later call takes the place of this one, which is then false. */
  readonly check: (skills: readonly SkillView[], profile: Profile) => Promise<boolean>;
}

const keyOf = ({ id, text, input }: SkillView): string =>
  [
    id,
    text,
    ...[...(input.files ?? [])].flatMap(([path, file]) => (path.endsWith('.star') ? [file.text ?? ''] : [])),
  ].join('\0');

export const createProgramChecks = (deps: ProgramChecksDeps): ProgramChecks => {
  let found = new Map<string, ProgramProblems>();
  let turn = 0;
  return {
    known: (skill) => (skill.isMetaskill ? found.get(keyOf(skill)) : undefined),
    check: async (skills, profile) => {
      const own = ++turn;
      const programs = knowsPrograms(profile) ? skills.filter(({ isMetaskill }) => isMetaskill) : [];
      const keyed = programs.map((skill) => [keyOf(skill), skill] as const);
      found = new Map(
        keyed.flatMap(([key]) => (found.has(key) ? [[key, found.get(key)] as const] : [])) as [
          string,
          ProgramProblems,
        ][],
      );
      const open = keyed.filter(([key]) => !found.has(key));
      if (open.length === 0) return false;
      await deps.whenIdle();
      try {
        const engine = await deps.engine();
        for (const [key, { text, input }] of open) {
          if (!engine || own !== turn) return false;
          const skill = { document: readDocument({ ...input, content: text }), input };
          const program = programOf(skill);
          if (program) found.set(key, { program, diagnostics: await diagnoseProgram(engine, skill, program) });
        }
      } catch (thrown) {
        deps.onFailure(thrown);
        return false;
      }
      return own === turn;
    },
  };
};
