/** Applies fixes on disk. Nothing is written unless it changes something, and every file is replaced whole. */
import { basename, dirname, join, resolve } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { baseName, dirName, joinPath } from '../../base/paths.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { fixAll } from '../../model/skill/fix.ts';
import type { Profile } from '../../model/skill/types.ts';
import { programOf } from '../../model/starlark/diagnose-program.ts';
import { fixProgram } from '../../model/starlark/fix-program.ts';
import { disabledRules } from '../../model/workspace/check-disables.ts';
import { checkFolder } from '../../model/workspace/check-folder.ts';
import { hasProgramToCheck } from '../../model/workspace/program-problems.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import type { FoundConfig } from '../config-file.ts';
import { withEngine } from '../metaskill-runner.ts';

export interface FixedSkill {
  readonly path: string;
  readonly applied: readonly { readonly rule: string; readonly title: string }[];
  readonly failures: readonly string[];
}

/** Which skills below the folder nobody wants to have changed. */
export type LeftOut = (folder: string, paths: readonly string[]) => Promise<ReadonlySet<string>>;

/** Deepest first, so that renaming a folder does not move one that is still to be fixed. */
const deepestFirst = (a: { path: string }, b: { path: string }): number =>
  b.path.split('/').length - a.path.split('/').length || (a.path < b.path ? -1 : 1);

/** The folder as it is called afterwards (a skill that was named itself may have been renamed), and what was done. */
export const fixSkills = async (
  folder: string,
  prefix: string,
  profile: Profile,
  unsafe: boolean,
  config?: FoundConfig,
  leftOut: LeftOut = () => Promise.resolve(new Set()),
): Promise<{ readonly folder: string; readonly fixed: readonly FixedSkill[] }> => {
  const tree = createNodeTree(folder);
  const { skills: all } = await checkFolder(tree, '', profile, config ? { config } : {});
  const ignored = await leftOut(
    folder,
    all.map(({ path }) => path),
  );
  const skills = all.filter(({ path }) => !ignored.has(path));
  const fixed: FixedSkill[] = [];
  let current = folder;
  const outside = createNodeTree(dirname(resolve(folder)));
  for (const { path, input, document } of skills.toSorted(deepestFirst)) {
    const disabled = disabledRules({ input, document });
    const isRoot = path === '';
    const siblings = await siblingNames(isRoot ? outside : tree, isRoot ? '' : dirName(path));
    const result = fixAll(input, profile, {
      unsafe,
      canRenameFolder: (to) => !siblings.has(to),
      isOff: (rule) =>
        disabled.has(rule) || config?.file.levelOf(rule, joinPath(config.at, path, 'SKILL.md')) === 'off',
    });
    if (result.applied.length === 0) continue;
    const failures: string[] = [];
    const attempt = async (work: Promise<void>): Promise<void> => {
      try {
        await work;
      } catch (thrown) {
        failures.push(errorMessage(thrown));
      }
    };
    for (const [file, text] of result.texts)
      await attempt(tree.write(joinPath(path, file), new TextEncoder().encode(text)));
    for (const { from, to } of result.renames) await attempt(tree.rename(joinPath(path, from), joinPath(path, to)));
    const name = isRoot ? tree.name : baseName(path);
    if (result.folder !== undefined && result.folder !== name) {
      if (isRoot) {
        await attempt(outside.rename(basename(resolve(folder)), result.folder));
        if (failures.length === 0) current = join(dirname(resolve(folder)), result.folder);
      } else await attempt(tree.rename(path, joinPath(dirName(path), result.folder)));
    }
    fixed.push({
      path: [prefix, path].filter((part) => part !== '').join('/') || '.',
      // What could not be written is not fixed, whatever was tried.
      applied: failures.length === 0 ? result.applied : [],
      failures,
    });
  }
  fixed.push(...(await fixPrograms(current, prefix, profile, unsafe, config, leftOut)));
  return { folder: current, fixed };
};

const siblingNames = async (tree: FileTree, folder: string): Promise<Set<string>> =>
  new Set(((await tree.list(folder)) ?? []).map((entry) => entry.name));

const fixPrograms = async (
  folder: string,
  prefix: string,
  profile: Profile,
  unsafe: boolean,
  config: FoundConfig | undefined,
  leftOut: LeftOut,
): Promise<FixedSkill[]> => {
  const tree = createNodeTree(folder);
  const { skills: all } = await checkFolder(tree, '', profile, config ? { config } : {});
  const ignored = await leftOut(
    folder,
    all.map(({ path }) => path),
  );
  const skills = all.filter((skill) => hasProgramToCheck(skill, profile) && !ignored.has(skill.path));
  if (skills.length === 0) return [];
  return withEngine(async (engine) => {
    const fixed: FixedSkill[] = [];
    for (const { path: at, document } of skills) {
      const program = programOf(document);
      if (!program) continue;
      const path = [prefix, at].filter((part) => part !== '').join('/') || '.';
      try {
        const { text, applied } = await fixProgram(engine, program, document, unsafe);
        if (text !== program.text) await tree.write(joinPath(at, program.file), new TextEncoder().encode(text));
        if (applied.length > 0) fixed.push({ path, applied, failures: [] });
      } catch (thrown) {
        fixed.push({ path, applied: [], failures: [errorMessage(thrown)] });
      }
    }
    return fixed;
  });
};
