/** Files of the folder that a session reads beside its skills: instructions, memory, and where more skills come from. */
import { dirName, joinPath } from '../../base/paths.ts';
import { INSTRUCTION_FILES } from '../instructions/instructions.ts';
import { MEMORY_FOLDERS } from '../prompt/volatile.ts';
import { CONFIG_PATH } from '../library/config.ts';
import { parentPath } from '../files/file-tree.ts';
import type { LibraryInput } from '../library/load-library.ts';
import { skillHolding } from './holder.ts';

export interface ContextFile {
  readonly path: string;
  readonly kind: 'instructions' | 'user' | 'memory' | 'configuration';
}

/** From the opened folder down to the working folder. */
const foldersTo = (workingFolder: string): readonly string[] => {
  const folders: string[] = [];
  for (let at: string | undefined = workingFolder; at !== undefined; at = parentPath(at)) folders.unshift(at);
  return folders;
};

/** In the order in which they are in the prompt. What cannot be listed is not there; what is in a skill belongs to it. */
export const contextFiles = async (
  { tree, workingFolder = '' }: NonNullable<LibraryInput['project']>,
  skills: Parameters<typeof skillHolding>[0],
): Promise<readonly ContextFile[]> => {
  const levels = foldersTo(workingFolder);
  const names = new Map<string, ReadonlySet<string>>();
  for (const folder of new Set([...levels, dirName(CONFIG_PATH), ...MEMORY_FOLDERS])) {
    const entries = await tree.list(folder).catch(() => undefined);
    const files = (entries ?? []).filter(({ kind, escapes }) => kind === 'file' && escapes !== true);
    names.set(folder, new Set(files.map(({ name }) => joinPath(folder, name))));
  }
  const isThere = (path: string): boolean =>
    names.get(dirName(path))?.has(path) === true && !skillHolding(skills, path);
  const firstOf = (name: string): readonly string[] =>
    MEMORY_FOLDERS.map((folder) => joinPath(folder, name))
      .filter(isThere)
      .slice(0, 1);
  const as = (kind: ContextFile['kind'], paths: readonly string[]): readonly ContextFile[] =>
    paths.map((path) => ({ path, kind }));
  return [
    ...as(
      'instructions',
      levels.flatMap((folder) => INSTRUCTION_FILES.map((name) => joinPath(folder, name))).filter(isThere),
    ),
    ...as('user', firstOf('USER.md')),
    ...as('memory', firstOf('MEMORY.md')),
    ...as('configuration', [CONFIG_PATH].filter(isThere)),
  ];
};
