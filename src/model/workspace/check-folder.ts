/** Every skill below a folder with all its problems: what Problems shows of a folder, and what `lathe check` prints. */
import type { FileTree } from '../files/file-tree.ts';
import { checkSkills, type CheckedSkill, type CheckOptions, type CheckResult } from '../library/check-skills.ts';
import type { Profile } from '../skill/types.ts';
import type { StarlarkEngine } from '../starlark/engine.ts';
import { findProgramProblems, hasProgramToCheck, withProgramProblems } from './program-problems.ts';

export type ProgramEngine = Pick<StarlarkEngine, 'analyse'>;

export interface FolderCheckOptions extends CheckOptions {
  /**
   * Lends the engine for some work, and is asked only if there is a program to check. Absent: programs are checked later, one by
   * one, because loading the engine would hold up the page.
   */
  readonly withEngine?: <Found>(work: (engine: ProgramEngine) => Promise<Found>) => Promise<Found>;
}

export const checkFolder = async (
  tree: FileTree,
  root: string,
  profile: Profile,
  options: FolderCheckOptions = {},
): Promise<CheckResult> => {
  const found = await checkSkills(tree, root, profile, options);
  const { withEngine } = options;
  if (!withEngine || !found.skills.some((skill) => hasProgramToCheck(skill, profile))) return found;
  const skills = await withEngine(async (engine) => {
    const checked: CheckedSkill[] = [];
    for (const skill of found.skills)
      checked.push(withProgramProblems(skill, await findProgramProblems(engine, skill)));
    return checked;
  });
  return { ...found, skills };
};
