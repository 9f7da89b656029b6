/** Every skill below a folder with all its problems: what Problems shows of a folder, and what `lathe check` prints. */
import type { FileTree } from '../files/file-tree.ts';
import { checkSkills, type CheckedSkill, type CheckOptions, type CheckResult } from '../library/check-skills.ts';
import type { Profile } from '../skill/types.ts';
import type { StarlarkEngine } from '../starlark/engine.ts';
import { CONFIG_FILE, configured, parseCheckConfig, type CheckConfig } from './check-config.ts';
import { withoutDisabled } from './check-disables.ts';
import { findProgramProblems, hasProgramToCheck, withProgramProblems } from './program-problems.ts';

export type ProgramEngine = Pick<StarlarkEngine, 'analyse'>;

export interface FolderCheckOptions extends CheckOptions {
  /**
   * Lends the engine for some work, and is asked only if there is a program to check. Absent: programs are checked later, one by
   * one, because loading the engine would hold up the page.
   */
  readonly withEngine?: <Found>(work: (engine: ProgramEngine) => Promise<Found>) => Promise<Found>;
  /** Of a folder around the tree; `at` leads from there to the tree. Absent: the one at the top of the tree. */
  readonly config?: { readonly file: CheckConfig; readonly at: string };
}

/** What `lathe.yaml` at the top of the tree says; a text where it has mistakes. */
const configIn = async (tree: FileTree): Promise<CheckConfig | string | undefined> => {
  const bytes = await tree.read(CONFIG_FILE);
  if (!bytes) return undefined;
  const read = parseCheckConfig(new TextDecoder().decode(bytes));
  if (read.ok) return read.value;
  return read.error.map(({ line, message }) => `line ${line}: ${message}`).join('; ');
};

export const checkFolder = async (
  tree: FileTree,
  root: string,
  profile: Profile,
  options: FolderCheckOptions = {},
): Promise<CheckResult> => {
  const own = options.config?.file ?? (await configIn(tree));
  const config = typeof own === 'string' ? undefined : own;
  const judged = (skills: readonly CheckedSkill[], hasPrograms = false): readonly CheckedSkill[] => {
    const wanted = skills.map((skill) => withoutDisabled(skill, hasPrograms));
    return config ? configured(wanted, config, options.config?.at) : wanted;
  };
  const { onFirst } = options;
  const checked = await checkSkills(tree, root, profile, {
    ...options,
    ...(onFirst && { onFirst: (skills) => onFirst(judged(skills)) }),
  });
  const found: CheckResult =
    typeof own === 'string'
      ? { ...checked, skipped: [...checked.skipped, { path: CONFIG_FILE, reason: own, isUnread: true }] }
      : checked;
  const { withEngine } = options;
  if (!withEngine || !found.skills.some((skill) => hasProgramToCheck(skill, profile)))
    return { ...found, skills: judged(found.skills) };
  const skills = await withEngine(async (engine) => {
    const withPrograms: CheckedSkill[] = [];
    for (const skill of found.skills)
      withPrograms.push(withProgramProblems(skill, await findProgramProblems(engine, skill)));
    return withPrograms;
  });
  return { ...found, skills: judged(skills, true) };
};
