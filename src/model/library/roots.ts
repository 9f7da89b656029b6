/** Which folders are searched, in order of precedence (D7–D9). */
import { joinPath } from '../../base/paths.ts';
import type { SkillsConfig } from './config.ts';
import { parentPath, type FileTree } from '../files/file-tree.ts';
import type { Layer } from './types.ts';

/** At one level, in this order; then the level's own folders. */
const SKILL_ROOTS = ['.agents/skills', '.claude/skills', '.metis/skills', '.swival/skills'];

export interface LibraryInput {
  readonly project?: { readonly tree: FileTree; readonly workingFolder?: string };
  readonly user?: FileTree;
  readonly bundled?: FileTree;
  /** Folders that `.agents/config.yaml` names and the user has opened, by the name given there. */
  readonly configFolders?: ReadonlyMap<string, FileTree>;
  /** What was fetched from the addresses of the configuration. */
  readonly remote?: readonly FileTree[];
}

export interface Root {
  readonly tree: FileTree;
  readonly layer: Layer;
  readonly path: string;
  /** What a person calls it. */
  readonly label: string;
  /** Levels below it, where they are fewer than usual. */
  readonly depth?: number;
}

/** The folders to search at one level of a tree. Above the working folder only its own skills and `skills/` count. */
const rootsOfLevel = (tree: FileTree, layer: Layer, level: string, isWorkingFolder: boolean): Root[] => {
  const rootAt = (path: string): Root => ({ tree, layer, path, label: path || tree.name });
  const inner = SKILL_ROOTS.map((path) => rootAt(joinPath(level, path)));
  if (isWorkingFolder) return [...inner, rootAt(level)];
  return [...inner, { ...rootAt(level), depth: 1 }, rootAt(joinPath(level, 'skills'))];
};

const projectRoots = (tree: FileTree, workingFolder: string): Root[] => {
  const roots: Root[] = [];
  for (let level: string | undefined = workingFolder; level !== undefined; level = parentPath(level)) {
    roots.push(...rootsOfLevel(tree, 'project', level, level === workingFolder));
  }
  return roots;
};

export const libraryRoots = (input: LibraryInput, config: SkillsConfig): Root[] => {
  const whole = (tree: FileTree, layer: Layer): Root[] => rootsOfLevel(tree, layer, '', true);
  const { project } = input;
  return [
    ...(project ? projectRoots(project.tree, project.workingFolder ?? '') : []),
    ...(input.user ? whole(input.user, 'user') : []),
    ...(input.bundled ? whole(input.bundled, 'bundled') : []),
    ...(project
      ? config.inside.map((path): Root => ({
          tree: project.tree,
          layer: 'config',
          path,
          label: path || project.tree.name,
        }))
      : []),
    ...config.outside.flatMap((name): Root[] => {
      const tree = input.configFolders?.get(name);
      return tree ? [{ tree, layer: 'config', path: '', label: name }] : [];
    }),
    ...(input.remote ?? []).flatMap((tree) => whole(tree, 'remote')),
  ];
};
