/** Everything that the panels show of an open folder: its skills by layer, with their files and all problems. */
import { collectLog, type Log } from '../../base/log.ts';
import { baseName, joinPath } from '../../base/paths.ts';
import { codePointLength, compareCodePoints } from '../../base/text.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import { readDocument } from '../skill/document.ts';
import { loadSkill } from '../skill/load-skill.ts';
import { findProgram } from '../skill/metaskill-package.ts';
import type { Diagnostic, Profile, SkillInput } from '../skill/types.ts';
import type { JudgeApart } from '../skill/weight.ts';
import { loadedBy, type LoadedBy } from '../clients/loaded-by.ts';
import type { CheckedSkill } from '../library/check-skills.ts';
import type { FileTree } from '../files/file-tree.ts';
import { checkKept, type KeptFolder } from '../files/kept-folder.ts';
import { createReadOnce, type ReadOnce, type ReadOnceOptions } from '../files/read-once.ts';
import type { SkillFolder } from '../library/find-skills.ts';
import { readForLoading } from '../library/read-folder.ts';
import type { Pace, ReadProgress } from '../library/pace.ts';
import type { Library, LibraryInput } from '../library/load-library.ts';
import type { Dialect, DiscoveryEntry, Layer, RuntimeProfile } from '../library/types.ts';
import type { SessionSources } from '../session/start.ts';
import { checkFolder } from './check-folder.ts';
import { openWorkspace } from './open-workspace.ts';
import { isLoaded, type SkillOutcome } from './outcome.ts';

/** One skill of the workspace, as all panels and the terminal know it. */
export interface WorkspaceSkill {
  /** Unique in the workspace: inside the opened folder its path; elsewhere with the layer in front, such as `user:skills/a`. */
  readonly id: string;
  /** Of its folder, inside its tree. */
  readonly path: string;
  /** It is in the opened folder, whatever its layer, and can be edited. */
  readonly isInFolder: boolean;
  /** The folder's name: what people look for, also where the frontmatter is broken. */
  readonly name: string;
  readonly layer: Layer;
  /** The folder that was searched, such as `.agents/skills`; empty where none was. */
  readonly root: string;
  readonly valid: boolean;
  readonly isMetaskill: boolean;
  readonly outcome: SkillOutcome;
  /** The agents that load it, as far as the folder it is in decides that. */
  readonly clients: readonly LoadedBy[];
  /** The name by which a session knows it; nothing if no session loads it. */
  readonly loadedAs: string | undefined;
  /** Its body is part of the padding. */
  readonly isPreloaded: boolean;
  /** Estimate for the body. */
  readonly tokens: number;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Paths inside the folder, `SKILL.md` included. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Its program, where the problems of one are known. */
  readonly program?: { readonly file: string; readonly text: string };
  /** As it was read: what checks of an edited text need of the files around it. */
  readonly input: SkillInput;
}

export interface WorkspaceView extends SessionSources {
  readonly skills: readonly WorkspaceSkill[];
}

export interface ViewOptions extends Pace {
  /** What a session loads. */
  readonly profile: RuntimeProfile;
  /** By whose rules problems are shown. */
  readonly shownProfile: Profile;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly onProgress?: (progress: ReadProgress) => void;
  /** Some of a large folder: skills that were found first, with nothing said of their problems and of each other. */
  readonly onSome?: (skills: readonly WorkspaceSkill[]) => void;
  /** All of a large folder by the `SKILL.md` alone, before the files beside them are read; reading waits until it was shown. */
  readonly onSkills?: (view: WorkspaceView) => Promise<void>;
  readonly keeping?: Keeping;
  readonly judgeApart?: JudgeApart;
}

/** So that a folder that was opened before is shown immediately. */
export interface Keeping {
  /** The project on disk, without what an agent has not applied yet. */
  readonly disk: FileTree;
  /** What the project was when it was read last. */
  readonly known?: KeptFolder;
  /** All of it as it was then, before it is checked for changes. A change shows only after it. */
  readonly onKnown: (view: WorkspaceView) => Promise<void>;
  /** What was read of a large project, for the next time; not called where nothing changed. */
  readonly keep: (folder: KeptFolder) => void;
}

/** A tree that is read, and the part of it. */
interface Part {
  readonly layer: Layer;
  readonly tree: FileTree;
  readonly path: string;
  /** It is in the opened folder, whatever its layer. */
  readonly isInside: boolean;
  /** Where the library calls it by another name than the tree's. */
  readonly label?: string;
}

/**
 * What the library says of each folder: by layer, and where several trees share one, by the root too. A link may have led it there
 * by another way than ours, so folders go by the path without links.
 */
const placesOf = ({ report }: Library) => {
  const places = new Map<string, DiscoveryEntry>();
  const put = (key: string, entry: DiscoveryEntry): void => {
    if (!places.has(key)) places.set(key, entry);
  };
  for (const entry of report) {
    put(`${entry.layer} ${entry.real}`, entry);
    put(`${entry.layer} ${entry.real} ${entry.root}`, entry);
  }
  return ({ layer, tree, isInside, label }: Part, real: string): DiscoveryEntry | undefined => {
    // A folder that the configuration names may lie where the project's own skills are looked for, too.
    if (isInside) return places.get(`project ${real}`) ?? places.get(`config ${real}`);
    const isShared = layer === 'config' || layer === 'remote';
    return places.get(isShared ? `${layer} ${real} ${label ?? tree.name}` : `${layer} ${real}`);
  };
};

/** The same skill with whether its body is in the padding, which goes by the names that the session knows. */
export const withPreloaded = (skill: WorkspaceSkill, preloaded: ReadonlySet<string>): WorkspaceSkill => {
  const isPreloaded = skill.loadedAs !== undefined && preloaded.has(skill.loadedAs);
  return isPreloaded === skill.isPreloaded ? skill : { ...skill, isPreloaded };
};

const idOf = ({ layer, tree, isInside, label }: Part, path: string): string => {
  if (isInside) return path;
  // Several folders and addresses may be in one of these layers.
  const top = layer === 'config' || layer === 'remote' ? (label ?? tree.name) : '';
  return `${layer}:${joinPath(top, path)}`;
};

/** What only the library can know: that a skill of the same name hides this one, for example. */
const across = (place: DiscoveryEntry, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => {
  const known = new Set(diagnostics.map(({ rule, message }) => `${rule} ${message}`));
  return place.diagnostics.filter(({ rule, message }) => !known.has(`${rule} ${message}`));
};

const isOfName = ({ rule }: Diagnostic): boolean => rule === 'duplicate-name';

/**
 * Which of two skills of one name is loaded, the library knows, and a check of the folder alone doesn't: one warning, on the
 * one that is not loaded.
 */
const problemsOf = (
  diagnostics: readonly Diagnostic[],
  place: DiscoveryEntry | undefined,
  hidden: ReadonlySet<string>,
): readonly Diagnostic[] => {
  const others = diagnostics.filter((diagnostic) => !isOfName(diagnostic));
  if (place?.outcome === 'shadowed') return [...others, ...across(place, others)];
  const isWinner = place?.name !== undefined && isLoaded(place) && hidden.has(place.name);
  return isWinner && others.length < diagnostics.length ? others : diagnostics;
};

const NONE: ReadonlySet<string> = new Set();

const viewOf = (
  checked: CheckedSkill,
  part: Part,
  place: DiscoveryEntry | undefined,
  hidden: ReadonlySet<string> = NONE,
): WorkspaceSkill => {
  const { path, valid, diagnostics, document, input, clients } = checked;
  const { tree } = part;
  return {
    id: idOf(part, path),
    path,
    isInFolder: part.isInside,
    name: path === '' ? tree.name : baseName(path),
    layer: part.isInside ? (place?.layer ?? part.layer) : part.layer,
    root: place?.root ?? '',
    valid,
    clients,
    isMetaskill: findProgram(document).metaskill !== undefined,
    outcome: place?.outcome ?? 'not-searched',
    loadedAs: place && isLoaded(place) ? place.name : undefined,
    isPreloaded: false,
    tokens: estimateTokens(codePointLength(document.body)),
    text: document.text,
    diagnostics: problemsOf(diagnostics, place, hidden),
    files: [...(input.files ?? [])].map(([file, { size }]) => ({ path: file, size })),
    input,
  };
};

const partsOf = (input: LibraryInput, { config }: Library): readonly Part[] => {
  const whole = (layer: Layer, tree: FileTree, label?: string): Part => ({
    layer,
    tree,
    path: '',
    isInside: layer === 'project',
    ...(label !== undefined && { label }),
  });
  const { project } = input;
  return [
    ...(project ? [whole('project', project.tree)] : []),
    ...(input.user ? [whole('user', input.user)] : []),
    ...(input.bundled ? [whole('bundled', input.bundled)] : []),
    ...(project
      ? config.inside.map((path): Part => ({ layer: 'config', tree: project.tree, path, isInside: true }))
      : []),
    // A folder that the configuration does not name any more may still be open.
    ...[...(input.configFolders ?? [])].flatMap(([name, tree]) =>
      config.outside.includes(name) ? [whole('config', tree, name)] : [],
    ),
    ...(input.remote ?? []).map((tree) => whole('remote', tree)),
  ];
};

/** A folder with fewer skills is shown when all of it was read. */
const MANY = 48;
/** How many are shown before all are found. */
const FIRST = 4 * MANY;

/** Skills of a project as they are found: shown from the first few on, and then whenever there are twice as many. */
const createFirstSkills = (
  tree: FileTree,
  { profile, signal }: ViewOptions,
  show: NonNullable<ViewOptions['onSome']>,
) => {
  const found: WorkspaceSkill[] = [];
  const part: Part = { layer: 'project', tree, path: '', isInside: true };
  let next = MANY;
  let isOver = false;
  const read = async (folder: SkillFolder): Promise<void> => {
    // Read ahead: who asks for it next does not wait.
    if (found.length >= FIRST) return void (await tree.read(joinPath(folder.real, 'SKILL.md')));
    const item = await readForLoading(tree, folder);
    if (!item || isOver || signal?.aborted === true) return;
    const { input, head } = item;
    const { skill } = loadSkill(input, head, profile);
    const checked = {
      ...folder,
      name: skill?.name,
      input,
      document: readDocument(input),
      diagnostics: [],
      valid: skill !== undefined,
      clients: loadedBy(folder.path, 'project', () => false),
    };
    found.push({
      ...viewOf(checked, part, undefined),
      outcome: skill ? 'loaded' : 'skipped',
      loadedAs: skill?.name,
    });
    if (found.length < next) return;
    next *= 2;
    show(found.toSorted((a, b) => compareCodePoints(a.path, b.path)));
  };
  return {
    // What cannot be read is reported by anyone who reads it permanently.
    take: (folder: SkillFolder) => void read(folder).catch(() => {}),
    end: () => {
      isOver = true;
    },
  };
};

/** Every folder is listed once and every file is read once, although the library and the checks both ask for them. */
const readingOnce = (input: LibraryInput, ofProject: ReadOnceOptions = {}) => {
  const known = new Map<FileTree, ReadOnce>();
  const of = (tree: FileTree): FileTree => {
    const kept = known.get(tree) ?? createReadOnce(tree, tree === input.project?.tree ? ofProject : {});
    known.set(tree, kept);
    return kept.tree;
  };
  const { project, user, bundled, configFolders, remote } = input;
  return {
    once: {
      ...(project && { project: { ...project, tree: of(project.tree) } }),
      ...(user && { user: of(user) }),
      ...(bundled && { bundled: of(bundled) }),
      ...(configFolders && { configFolders: new Map([...configFolders].map(([name, tree]) => [name, of(tree)])) }),
      ...(remote && { remote: remote.map(of) }),
    } satisfies LibraryInput,
    kept: () => project && known.get(project.tree)?.kept(),
    end: () => known.forEach((kept) => kept.end()),
  };
};

/** Shows a folder as it was when it was read last, then checks it. Gives the view if nothing changed, else what still holds. */
const showKnown = async (
  input: LibraryInput,
  options: ViewOptions,
  { disk, onKnown }: Keeping,
  known: KeptFolder,
): Promise<{ readonly view?: WorkspaceView; readonly known: KeptFolder }> => {
  const { signal, pause } = options;
  const { onSkills: _skills, onProgress: _progress, ...quiet } = options;
  // What is wrong with files that are there no more concerns nobody.
  const { log, lines } = collectLog();
  const { once, end } = readingOnce(input, { disk, known });
  let view: WorkspaceView;
  try {
    view = await loadOnce(once, { ...quiet, log });
  } finally {
    end();
  }
  // The disk is asked while the page draws.
  const [checked] = await Promise.all([
    checkKept(disk, known, { ...(signal && { signal }), ...(pause && { pause }) }),
    onKnown(view),
  ]);
  if (!checked.isSame) return { known: checked.known };
  for (const line of lines) options.log(line);
  return { view, known };
};

/** Reads and judges everything. Rejects only when the signal is aborted or a tree fails as a whole. */
export const loadWorkspaceView = async (input: LibraryInput, options: ViewOptions): Promise<WorkspaceView> => {
  const { keeping, onSome, onSkills, ...others } = options;
  const before = keeping?.known && (await showKnown(input, options, keeping, keeping.known));
  if (before?.view) return before.view;
  const { once, kept, end } = readingOnce(input, {
    ...(keeping && { disk: keeping.disk }),
    ...(before && { known: before.known }),
  });
  try {
    // What is shown already does not become less while it is read again.
    const parts = before ? {} : { ...(onSome && { onSome }), ...(onSkills && { onSkills }) };
    const view = await loadOnce(once, { ...others, ...parts });
    const folder = view.library.report.length >= MANY ? await kept() : undefined;
    if (folder) keeping?.keep(folder);
    return view;
  } finally {
    end();
  }
};

const loadOnce = async (input: LibraryInput, options: ViewOptions): Promise<WorkspaceView> => {
  const { profile, shownProfile, dialect, log, signal, pause, onProgress, onSome, onSkills, judgeApart } = options;
  const pace: Pace = { ...(signal && { signal }), ...(pause && { pause }) };
  const first = input.project && onSome && createFirstSkills(input.project.tree, options, onSome);
  const { instructions, library } = await openWorkspace(input, {
    profile,
    dialect,
    log,
    ...pace,
    ...(first && { onFound: first.take }),
    onRead: (done) => onProgress?.({ done }),
  });
  first?.end();
  const placeOf = placesOf(library);
  const hidden = new Set(library.report.flatMap(({ outcome, name }) => (outcome === 'shadowed' ? (name ?? []) : [])));
  const parts = partsOf(input, library);
  const skillsByPart = new Map<Part, readonly CheckedSkill[]>();
  const viewNow = (): WorkspaceView => {
    const skills = new Map<string, WorkspaceSkill>();
    for (const [part, checked] of skillsByPart) {
      for (const skill of checked) {
        const view = viewOf(skill, part, placeOf(part, skill.real), hidden);
        // What the configuration names may have been found in the project already.
        if (!skills.has(view.id)) skills.set(view.id, view);
      }
    }
    return {
      skills: [...skills.values()].toSorted((a, b) => compareCodePoints(a.path, b.path)),
      library,
      instructions,
    };
  };
  const isLarge = library.report.length >= MANY;
  for (const part of parts) {
    const checked = await checkFolder(part.tree, part.path, shownProfile, {
      ...pace,
      scope: part.layer === 'user' ? 'user' : 'project',
      ...(onProgress && { onProgress }),
      ...(judgeApart && { judgeApart }),
      ...(onSkills &&
        isLarge && {
          onFirst: (skills: readonly CheckedSkill[]) => {
            skillsByPart.set(part, skills);
            return onSkills(viewNow());
          },
        }),
    });
    skillsByPart.set(part, checked.skills);
  }
  return viewNow();
};
