/** Problems of programs before anybody opens one: found when the page is idle, and remembered as long as the texts are the same. */
import { readDocument } from '../../model/skill/document.ts';
import type { Profile } from '../../model/skill/types.ts';
import { knowsPrograms } from '../../model/starlark/diagnose-program.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import { findProgramProblems, type ProgramProblems } from '../../model/workspace/program-problems.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';

export interface ProgramChecksDeps {
  readonly engine: () => Promise<Pick<StarlarkEngine, 'analyse'> | undefined>;
  readonly whenIdle: () => Promise<void>;
  /** The engine failed as a whole; nothing is told about programs then. */
  readonly onFailure: (thrown: unknown) => void;
}

export interface ProgramChecks {
  /** Nothing for a skill without a program, or with one that has not been looked at yet. */
  readonly known: (skill: WorkspaceSkill) => ProgramProblems | undefined;
  /** Looks at those that are not known yet; true if there were any. A later call takes the place of this one, which is then false. */
  readonly check: (skills: readonly WorkspaceSkill[], profile: Profile) => Promise<boolean>;
}

const keyOf = ({ id, text, input }: WorkspaceSkill): string =>
  [
    id,
    text,
    ...[...(input.files ?? [])].flatMap(([path, file]) => (path.endsWith('.star') ? [file.text ?? ''] : [])),
  ].join('\0');

export const createProgramChecks = (deps: ProgramChecksDeps): ProgramChecks => {
  let found: ReadonlyMap<string, ProgramProblems> = new Map();
  let turn = 0;
  return {
    known: (skill) => (skill.isMetaskill ? found.get(keyOf(skill)) : undefined),
    check: async (skills, profile) => {
      const own = ++turn;
      const programs = knowsPrograms(profile) ? skills.filter(({ isMetaskill }) => isMetaskill) : [];
      const keyed = programs.map((skill) => [keyOf(skill), skill] as const);
      const kept = new Map<string, ProgramProblems>();
      for (const [key] of keyed) {
        const known = found.get(key);
        if (known) kept.set(key, known);
      }
      found = kept;
      const open = keyed.filter(([key]) => !kept.has(key));
      if (open.length === 0) return false;
      await deps.whenIdle();
      try {
        const engine = await deps.engine();
        for (const [key, { text, input }] of open) {
          if (!engine || own !== turn) return false;
          const document = readDocument({ ...input, content: text });
          const problems = await findProgramProblems(engine, { document });
          if (problems) kept.set(key, problems);
        }
      } catch (thrown) {
        deps.onFailure(thrown);
        return false;
      }
      return own === turn;
    },
  };
};
