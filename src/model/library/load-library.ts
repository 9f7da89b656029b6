/** From file trees to a library: layers, precedence, shadowing, and a report that explains every folder. */
import { errorMessage } from '../../base/errors.ts';
import { loadSkill } from '../skill/load-skill.ts';
import { CONFIG_PATH, NO_CONFIG, parseConfig, type SkillsConfig } from './config.ts';
import type { FileTree } from '../files/file-tree.ts';
import { createFolderSearch, type FolderSearch, type SearchLimits, type SkillFolder } from './find-skills.ts';
import { LibraryBuilder, type BuilderOptions } from './library-builder.ts';
import type { Pace } from './pace.ts';
import { READ_ALONG, readForLoading, type SkillToLoad } from './read-folder.ts';
import { libraryRoots, type LibraryInput, type Root } from './roots.ts';
import { createSkillStore, type SkillStore } from './store.ts';
import type { DiscoveryEntry, LibrarySkill } from './types.ts';

export type { LibraryInput } from './roots.ts';

/** Skills are read this many at a time. */
const READ_AT_ONCE = 32;

export interface LibraryOptions extends BuilderOptions, Pace {
  readonly limits?: SearchLimits;
  /** Called for each skill of the project when its folder is found, long before all are. */
  readonly onFound?: (folder: SkillFolder) => void;
  /** How many skills have been read so far. */
  readonly onRead?: (done: number) => void;
}

export interface Library {
  readonly store: SkillStore;
  /** Skills that a skill of the same name hides. */
  readonly shadowed: readonly LibrarySkill[];
  readonly report: readonly DiscoveryEntry[];
  readonly config: SkillsConfig;
}

const readConfig = async (input: LibraryInput, { log }: LibraryOptions): Promise<SkillsConfig> => {
  const ignore = (why: string): SkillsConfig => {
    log({ level: 'warning', code: 'config.invalid', text: `${CONFIG_PATH} is ignored: ${why}` });
    return NO_CONFIG;
  };
  try {
    const content = await input.project?.tree.read(CONFIG_PATH);
    if (!content) return NO_CONFIG;
    const parsed = parseConfig(content);
    return parsed.ok ? parsed.value : ignore(parsed.error);
  } catch (thrown) {
    return ignore(`it cannot be read: ${errorMessage(thrown)}`);
  }
};

/** What is to be loaded, or why it cannot be read. */
const readFolder = async (tree: FileTree, folder: SkillFolder): Promise<SkillToLoad | string> => {
  try {
    return (await readForLoading(tree, folder)) ?? 'its SKILL.md cannot be read';
  } catch (thrown) {
    return `it cannot be read: ${errorMessage(thrown)}`;
  }
};

/** Reads and loads the folders of one root, in their order. */
const loadFolders = async (
  root: Root,
  folders: readonly SkillFolder[],
  builder: LibraryBuilder,
  forget: FolderSearch['forget'],
  options: LibraryOptions,
): Promise<void> => {
  const readSome = (start: number): Promise<(SkillToLoad | string)[]> =>
    Promise.all(folders.slice(start, start + READ_AT_ONCE).map((folder) => readFolder(root.tree, folder)));
  let reading = readSome(0);
  for (let start = 0; start < folders.length; start += READ_AT_ONCE) {
    options.signal?.throwIfAborted();
    const items = await reading;
    // The next ones are on their way while these are parsed.
    reading = readSome(start + READ_AT_ONCE);
    items.forEach((item, index) => {
      const { path, real } = folders[start + index] ?? { path: '', real: '' };
      const place = { root, path, real };
      const loaded = typeof item === 'string' ? undefined : loadSkill(item.input, item.head, options.profile);
      // A link with another name than the skill's must not hide the skill.
      if (path !== real && !loaded?.skill) forget(real);
      if (typeof item === 'string') builder.skip(place, item);
      else if (loaded) builder.add(place, item.input, loaded);
    });
    options.onRead?.(builder.report.length);
    await options.pause?.();
  }
};

/** Missing folders are empty ones; one bad skill never hides another. Rejects only when the signal is aborted. */
export const loadLibrary = async (input: LibraryInput, options: LibraryOptions): Promise<Library> => {
  const { log, limits, signal, pause, onFound } = options;
  const config = await readConfig(input, options);
  const builder = new LibraryBuilder(options);
  const searches = new Map<FileTree, FolderSearch>();
  for (const root of libraryRoots(input, config)) {
    const search =
      searches.get(root.tree) ??
      createFolderSearch(root.tree, {
        alongWith: READ_ALONG,
        ...(limits && { limits }),
        ...(signal && { signal }),
        ...(pause && { pause }),
        ...(onFound && root.tree === input.project?.tree && { onFound }),
      });
    searches.set(root.tree, search);
    const found = await search.search(root.path, root.depth);
    if (!found.exists && root.layer === 'config') {
      log({
        level: 'info',
        code: 'config.folder',
        text: `${CONFIG_PATH} names the folder ${root.label}, which does not exist`,
      });
    }
    for (const { path, real, reason } of found.skipped) builder.skip({ root, path, real }, reason);
    await loadFolders(root, found.skills, builder, search.forget, options);
  }
  for (const name of config.outside) {
    if (input.configFolders?.has(name)) continue;
    log({
      level: 'info',
      code: 'config.folder',
      text: `${CONFIG_PATH} names the folder ${name}, which has not been opened yet`,
    });
  }
  const { shadowed, report } = builder;
  return {
    store: createSkillStore(builder.winners),
    shadowed: Object.freeze(shadowed),
    report: Object.freeze(report),
    config,
  };
};
