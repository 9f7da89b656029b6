import { collectLog, type LogLine } from '../../../base/log.ts';
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import type { FileTree } from '../../files/file-tree.ts';
import { loadLibrary, type Library, type LibraryInput, type LibraryOptions } from '../load-library.ts';

/** A skill that no rule has an error for. */
export const skillText = (
  name: string,
  description = `Does ${name} well. Use when ${name} is needed.`,
  more = '',
): string => `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# ${name}\n\nInput keys: none\n`;

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** `{ 'a/b': 'name' }` is a skill of that name in that folder; a path with a dot in its last part is a file. */
export const skillsAt = (folders: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(folders).map(([folder, name]) => [
      folder === '' ? 'SKILL.md' : `${folder}/SKILL.md`,
      skillText(name),
    ]),
  );

export interface Loaded extends Library {
  readonly lines: readonly LogLine[];
}

export const load = async (input: LibraryInput, options: Partial<LibraryOptions> = {}): Promise<Loaded> => {
  const { log, lines } = collectLog();
  return { ...(await loadLibrary(input, { profile: 'standard', dialect: 'metis', log, ...options })), lines };
};

export const loadProject = (
  files: Files,
  options: Partial<LibraryOptions> & { readonly workingFolder?: string } = {},
): Promise<Loaded> => {
  const { workingFolder, ...rest } = options;
  const tree = createMemoryTree(files, 'project');
  return load({ project: { tree, ...(workingFolder !== undefined && { workingFolder }) } }, rest);
};

/** Where each loaded skill was found, by name. */
export const places = ({ store }: Library): Record<string, string> =>
  Object.fromEntries(store.list().map(({ skill, path }) => [skill.name, path]));

/** The report without diagnostics, by path. */
export const outcomes = ({ report }: Library): Record<string, string> =>
  Object.fromEntries(
    report.map(({ path, outcome, reason }) => [path, reason === '' ? outcome : `${outcome}: ${reason}`]),
  );

/** A tree in which some paths cannot be read, as on a disk without permission. */
export const withFaults = (tree: FileTree, faulty: ReadonlySet<string>): FileTree => {
  const guard =
    <T>(work: (path: string) => Promise<T>) =>
    async (path: string): Promise<T> => {
      if (faulty.has(path)) throw new Error('permission denied');
      return work(path);
    };
  return { ...tree, list: guard(tree.list), read: guard(tree.read), size: guard(tree.size) };
};
