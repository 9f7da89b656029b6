/** From file trees to a library: layers, precedence, shadowing, and a report that explains every folder. */
import type { Log } from '../../base/log.ts';
import { RULES, type RuleId } from '../skill/catalog.ts';
import { pythonRepr } from '../skill/python-text.ts';
import { readSkill, type ReadSkill } from '../skill/skill.ts';
import type { Diagnostic } from '../skill/types.ts';
import { CONFIG_PATH, NO_CONFIG, parseConfig, type SkillsConfig } from './config.ts';
import { joinPath, parentPath, type FileTree } from './file-tree.ts';
import { DEFAULT_LIMITS, findSkillFolders, type SearchLimits, type SkillFolder } from './find-skills.ts';
import { readForLoading } from './read-folder.ts';
import { createSkillStore, type SkillStore } from './store.ts';
import { sourceOf, type Dialect, type DiscoveryEntry, type Layer, type LibrarySkill, type RuntimeProfile } from './types.ts';

/** At one level, in this order; then the level's own folders. */
const SKILL_ROOTS = ['.agents/skills', '.claude/skills', '.metis/skills', '.swival/skills'];
const READ_AT_ONCE = 32;

export interface LibraryInput {
  readonly project?: { readonly tree: FileTree; readonly workingFolder?: string };
  readonly user?: FileTree;
  readonly bundled?: FileTree;
  /** Folders that `.agents/config.yaml` names and the user has opened, by the name given there. */
  readonly configFolders?: ReadonlyMap<string, FileTree>;
  /** What was fetched from the addresses of the configuration. */
  readonly remote?: readonly FileTree[];
}

export interface LibraryOptions {
  readonly profile: RuntimeProfile;
  readonly dialect: Dialect;
  readonly log: Log;
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

interface Root {
  readonly tree: FileTree;
  readonly layer: Layer;
  readonly path: string;
  /** What a person calls it. */
  readonly label: string;
  readonly depth?: number;
}

/** The folders to search at one level of a tree. Above the working folder only its own skills and `skills/` count. */
const rootsOfLevel = (tree: FileTree, layer: Layer, level: string, isWorkingFolder: boolean): Root[] => {
  const here = level === '' ? tree.name : level;
  return [
    ...SKILL_ROOTS.map((path) => ({ tree, layer, path: joinPath(level, path), label: joinPath(level, path) })),
    { tree, layer, path: level, label: here, ...(!isWorkingFolder && { depth: 1 }) },
    ...(isWorkingFolder ? [] : [{ tree, layer, path: joinPath(level, 'skills'), label: joinPath(level, 'skills') }]),
  ];
};

const projectRoots = (tree: FileTree, workingFolder: string): Root[] => {
  const roots: Root[] = [];
  for (let level: string | undefined = workingFolder; level !== undefined; level = parentPath(level)) {
    roots.push(...rootsOfLevel(tree, 'project', level, level === workingFolder));
  }
  return roots;
};

const readConfig = async (input: LibraryInput, options: LibraryOptions): Promise<SkillsConfig> => {
  const content = await input.project?.tree.read(CONFIG_PATH);
  if (!content) return NO_CONFIG;
  const parsed = parseConfig(new TextDecoder().decode(content));
  if (parsed.ok) return parsed.value;
  options.log({ level: 'warning', code: 'config.invalid', text: `${CONFIG_PATH} is ignored: ${parsed.error}` });
  return NO_CONFIG;
};

const allRoots = (input: LibraryInput, config: SkillsConfig): Root[] => {
  const whole = (tree: FileTree, layer: Layer): Root[] => rootsOfLevel(tree, layer, '', true);
  const { project } = input;
  return [
    ...(project ? projectRoots(project.tree, project.workingFolder ?? '') : []),
    ...(input.user ? whole(input.user, 'user') : []),
    ...(input.bundled ? whole(input.bundled, 'bundled') : []),
    ...(project ? config.inside.map((path) => ({ tree: project.tree, layer: 'config' as const, path, label: path })) : []),
    ...config.outside.flatMap((name) => {
      const tree = input.configFolders?.get(name);
      return tree ? [{ tree, layer: 'config' as const, path: '', label: name }] : [];
    }),
    ...(input.remote ?? []).flatMap((tree) => whole(tree, 'remote')),
  ];
};

/** A diagnostic of a rule that looks at more than one skill. */
export const libraryDiagnostic = (rule: RuleId, profile: RuntimeProfile, message: string): Diagnostic => ({
  rule,
  severity: RULES.get(rule)?.severity[profile] ?? 'warning',
  message,
  file: 'SKILL.md',
  range: { start: 0, end: 0 },
  fixes: [],
});

interface Candidate {
  readonly root: Root;
  readonly path: string;
  readonly read: ReadSkill;
}

const readFolders = async (root: Root, folders: readonly SkillFolder[], options: LibraryOptions): Promise<Candidate[]> => {
  const found: Candidate[] = [];
  for (let start = 0; start < folders.length; start += READ_AT_ONCE) {
    options.signal?.throwIfAborted();
    const chunk = folders.slice(start, start + READ_AT_ONCE);
    const inputs = await Promise.all(
      chunk.map(async ({ path, entries }) => {
        const content = await root.tree.read(joinPath(path, 'SKILL.md'));
        return content && readForLoading(root.tree, path, entries, content);
      }),
    );
    inputs.forEach((input, index) => {
      const path = chunk[index]?.path ?? '';
      if (input) found.push({ root, path, read: readSkill(input, options.profile) });
    });
  }
  return found;
};

/** Why a skill that names a program is only text. */
const downgradeReason = (read: ReadSkill): string | undefined => {
  if (read.skill?.metaskill && read.skill.metaskill.fault === undefined) return undefined;
  return read.diagnostics.find(({ rule }) => /^MS-(?:path|file|program|language|not-utf8|own|size)/.test(rule))?.message;
};

class LibraryBuilder {
  readonly #options: LibraryOptions;
  readonly #winners = new Map<string, LibrarySkill>();
  readonly #descriptions = new Map<string, string>();
  readonly shadowed: LibrarySkill[] = [];
  readonly report: DiscoveryEntry[] = [];

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  get winners(): Iterable<LibrarySkill> {
    return this.#winners.values();
  }

  skip(root: Root, path: string, reason: string, diagnostics: readonly Diagnostic[] = []): void {
    this.report.push({ path, layer: root.layer, root: root.label, outcome: 'skipped', reason, name: undefined, diagnostics });
  }

  add({ root, path, read }: Candidate): void {
    const { log, profile } = this.#options;
    const { skill } = read;
    if (!skill) {
      const errors = read.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').map((diagnostic) => diagnostic.message);
      log({ level: 'warning', code: 'skill.invalid', text: `skipping invalid skill at ${path}: ${errors.join('; ')}` });
      this.skip(root, path, errors.join(' '), read.diagnostics);
      return;
    }
    const winner = this.#winners.get(skill.name);
    const base = { skill, layer: root.layer, source: sourceOf(root.layer), root: root.label, path };
    const entry = { path, layer: root.layer, root: root.label, name: skill.name };
    if (winner) {
      const message = `The skill \`${skill.name}\` at ${winner.path || winner.root} comes first, so this one is not loaded.`;
      const diagnostics = [...read.diagnostics, libraryDiagnostic('duplicate-name', profile, message)];
      this.shadowed.push({ ...base, diagnostics });
      this.report.push({ ...entry, outcome: 'shadowed', reason: message, diagnostics });
      this.#logShadow(skill.name, winner, root, path);
      return;
    }
    if (skill.overBodyTokenWarn) {
      const text = `skill ${pythonRepr(skill.name)} body is ~${skill.estimatedBodyTokens} tokens (recommendation: <=5000); split into separate files under references/ if possible`;
      log({ level: 'warning', code: 'skill.large', text });
    }
    const diagnostics = [...read.diagnostics, ...this.#sameDescription(skill.name, skill.description)];
    this.#winners.set(skill.name, { ...base, diagnostics });
    const downgrade = downgradeReason(read);
    this.report.push({ ...entry, outcome: downgrade === undefined ? 'loaded' : 'downgraded', reason: downgrade ?? '', diagnostics });
  }

  #sameDescription(name: string, description: string): Diagnostic[] {
    const key = description.trim().toLowerCase();
    const other = this.#descriptions.get(key);
    this.#descriptions.set(key, other ?? name);
    return other === undefined
      ? []
      : [libraryDiagnostic('duplicate-description', this.#options.profile, `The skill \`${other}\` has the same description.`)];
  }

  #logShadow(name: string, winner: LibrarySkill, root: Root, path: string): void {
    const { dialect, log } = this.#options;
    const overrides = dialect === 'metis' && winner.source === 'workspace' && sourceOf(root.layer) === 'global';
    const text = overrides
      ? `skill ${pythonRepr(name)} in workspace overrides global definition`
      : `[skills] duplicate skill "${name}" at ${path} ignored; first definition (${winner.path}) wins`;
    log({ level: dialect === 'metis' ? 'info' : 'warning', code: 'skill.shadowed', text });
  }
}

/** Links between skills can only be judged once all names are known. */
const judgeLinks = (candidates: readonly Candidate[], options: LibraryOptions): Candidate[] => {
  const knownSkills = new Set(candidates.flatMap(({ read }) => read.skill?.name ?? []));
  return candidates.map((candidate) =>
    candidate.read.document.bodyFacts.wikiLinks.length === 0
      ? candidate
      : { ...candidate, read: readSkill({ ...candidate.read.document.input, knownSkills }, options.profile) },
  );
};

/** Missing folders are empty ones; one bad skill never hides another. */
export const loadLibrary = async (input: LibraryInput, options: LibraryOptions): Promise<Library> => {
  const config = await readConfig(input, options);
  const builder = new LibraryBuilder(options);
  const limits = options.limits ?? DEFAULT_LIMITS;
  const seenByTree = new Map<FileTree, Set<string>>();
  const candidates: Candidate[] = [];
  for (const root of allRoots(input, config)) {
    const seen = seenByTree.get(root.tree) ?? new Set<string>();
    seenByTree.set(root.tree, seen);
    const depth = root.depth ?? limits.depth;
    const found = await findSkillFolders(root.tree, root.path, { ...limits, depth }, seen, options.signal ? { signal: options.signal } : {});
    for (const { path, reason } of found.skipped) builder.skip(root, path, reason);
    candidates.push(...(await readFolders(root, found.skills, options)));
  }
  for (const candidate of judgeLinks(candidates, options)) builder.add(candidate);
  for (const name of config.outside) {
    if (!input.configFolders?.has(name)) {
      options.log({ level: 'info', code: 'config.folder', text: `${CONFIG_PATH} names the folder ${name}, which has not been opened yet` });
    }
  }
  return { store: createSkillStore(builder.winners), shadowed: builder.shadowed, report: builder.report, config };
};
