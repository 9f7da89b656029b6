/** From file trees to a library: layers, precedence, shadowing, and a report that explains every folder. */
import { loadSkill, type LoadedSkill } from '../skill/load-skill.ts';
import type { SkillInput } from '../skill/types.ts';
import { mapAtOnce } from './at-once.ts';
import { CONFIG_PATH, NO_CONFIG, parseConfig, type SkillsConfig } from './config.ts';
import type { FileTree } from './file-tree.ts';
import { createFolderSearch, reasonOf, type FolderSearch, type SearchLimits, type SkillFolder } from './find-skills.ts';
import { LibraryBuilder, type BuilderOptions } from './library-builder.ts';
import { readForLoading } from './read-folder.ts';
import { libraryRoots, type LibraryInput } from './roots.ts';
import { createSkillStore, type SkillStore } from './store.ts';
import type { DiscoveryEntry, LibrarySkill, RuntimeProfile } from './types.ts';

export type { LibraryInput } from './roots.ts';

/** Skills are read this many at a time. */
const READ_AT_ONCE = 32;

export interface LibraryOptions extends BuilderOptions {
  readonly limits?: SearchLimits;
  readonly signal?: AbortSignal;
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
    return ignore(`it cannot be read: ${reasonOf(thrown)}`);
  }
};

interface Found {
  readonly input: SkillInput;
  readonly loaded: LoadedSkill;
}

/** The skill, or why it cannot be read. */
const loadFolder = async (tree: FileTree, folder: SkillFolder, profile: RuntimeProfile): Promise<Found | string> => {
  try {
    const item = await readForLoading(tree, folder);
    if (!item) return 'its SKILL.md cannot be read';
    return { input: item.input, loaded: loadSkill(item.input, item.head, profile) };
  } catch (thrown) {
    return `it cannot be read: ${reasonOf(thrown)}`;
  }
};

/** Missing folders are empty ones; one bad skill never hides another. Rejects only when the signal is aborted. */
export const loadLibrary = async (input: LibraryInput, options: LibraryOptions): Promise<Library> => {
  const { log, limits, signal } = options;
  const config = await readConfig(input, options);
  const builder = new LibraryBuilder(options);
  const searches = new Map<FileTree, FolderSearch>();
  for (const root of libraryRoots(input, config)) {
    const search =
      searches.get(root.tree) ??
      createFolderSearch(root.tree, { ...(limits && { limits }), ...(signal && { signal }) });
    searches.set(root.tree, search);
    const found = await search.search(root.path, root.depth);
    if (!found.exists && root.layer === 'config') {
      log({
        level: 'info',
        code: 'config.folder',
        text: `${CONFIG_PATH} names the folder ${root.label}, which does not exist`,
      });
    }
    for (const { path, reason } of found.skipped) builder.skip(root, path, reason);
    const load = (folder: SkillFolder) => loadFolder(root.tree, folder, options.profile);
    const loaded = await mapAtOnce(found.skills, READ_AT_ONCE, load, signal);
    found.skills.forEach(({ path, real }, index) => {
      const item = loaded[index] ?? '';
      // A link with another name than the skill's must not hide the skill.
      if (path !== real && (typeof item === 'string' || !item.loaded.skill)) search.forget(real);
      if (typeof item === 'string') builder.skip(root, path, item);
      else builder.add(root, path, item.input, item.loaded);
    });
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
