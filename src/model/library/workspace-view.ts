/** Everything that the panels show of an open folder: its skills by layer, with their files and all problems. */
import type { Log } from '../../base/log.ts';
import { codePointLength, compareCodePoints } from '../../base/text.ts';
import { discoverInstructions, type Instructions } from '../instructions/instructions.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import { findProgram } from '../skill/metaskill-package.ts';
import type { Diagnostic, Profile, SkillInput } from '../skill/types.ts';
import { checkSkills, type CheckedSkill } from './check-skills.ts';
import type { FileTree } from './file-tree.ts';
import { loadLibrary, type Library, type LibraryInput } from './load-library.ts';
import type { Dialect, Layer, RuntimeProfile } from './types.ts';

export interface SkillView {
  /** Unique in the workspace: for the project its path; elsewhere with the layer in front, such as `user:skills/a`. */
  readonly id: string;
  /** Of its folder, inside its tree. */
  readonly path: string;
  /** The folder's name: what people look for, also where the frontmatter is broken. */
  readonly name: string;
  readonly layer: Layer;
  readonly root: string;
  readonly valid: boolean;
  readonly isMetaskill: boolean;
  readonly isShadowed: boolean;
  /** Estimate for the body. */
  readonly tokens: number;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** As it was read: what checks of an edited text need of the files around it. */
  readonly input: SkillInput;
}

export interface WorkspaceView {
  readonly skills: readonly SkillView[];
  readonly library: Library;
  readonly instructions: Instructions;
}

export interface ViewOptions {
  /** What a session loads. */
  readonly profile: RuntimeProfile;
  /** By whose rules problems are shown. */
  readonly shownProfile: Profile;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly signal?: AbortSignal;
}

/** Where the library found a folder; nothing where it does not look. */
const placeOf = (library: Library, layer: Layer, path: string) =>
  library.report.find((entry) => entry.layer === layer && entry.path === path);

const idOf = (layer: Layer, tree: FileTree, path: string): string => {
  if (layer === 'project') return path;
  // Several folders and addresses may be in one of these layers.
  const top = layer === 'config' || layer === 'remote' ? tree.name : '';
  return `${layer}:${top === '' ? path : `${top}/${path}`}`;
};

const viewOf = (checked: CheckedSkill, layer: Layer, tree: FileTree, library: Library): SkillView => {
  const { path, valid, diagnostics, document, input } = checked;
  const place = placeOf(library, layer, path);
  const known = new Set(diagnostics.map(({ rule, message }) => `${rule} ${message}`));
  // What only the library can know: that a skill of the same name hides this one, for example.
  const across = (place?.diagnostics ?? []).filter(({ rule, message }) => !known.has(`${rule} ${message}`));
  return {
    id: idOf(layer, tree, path),
    path,
    name: path === '' ? tree.name : path.slice(path.lastIndexOf('/') + 1),
    layer,
    root: place?.root ?? '',
    valid,
    isMetaskill: findProgram(document).metaskill !== undefined,
    isShadowed: place?.outcome === 'shadowed',
    tokens: estimateTokens(codePointLength(document.body)),
    text: document.text,
    diagnostics: place?.outcome === 'shadowed' ? [...diagnostics, ...across] : diagnostics,
    files: [...(input.files ?? [])].map(([file, { size }]) => ({ path: file, size })),
    input,
  };
};

const treesOf = (input: LibraryInput): readonly (readonly [Layer, FileTree])[] => [
  ...(input.project ? [['project', input.project.tree] as const] : []),
  ...(input.user ? [['user', input.user] as const] : []),
  ...(input.bundled ? [['bundled', input.bundled] as const] : []),
  ...[...(input.configFolders?.values() ?? [])].map((tree) => ['config', tree] as const),
  ...(input.remote ?? []).map((tree) => ['remote', tree] as const),
];

/** Reads and judges everything. Rejects only when the signal is aborted or a tree fails as a whole. */
export const loadWorkspaceView = async (input: LibraryInput, options: ViewOptions): Promise<WorkspaceView> => {
  const { profile, shownProfile, dialect, log, signal } = options;
  const instructions = await discoverInstructions(
    { ...(input.project && { project: input.project }), ...(input.user && { user: input.user }) },
    log,
  );
  const library = await loadLibrary(input, { profile, dialect, log, ...(signal && { signal }) });
  const skills: SkillView[] = [];
  for (const [layer, tree] of treesOf(input)) {
    const checked = await checkSkills(tree, '', shownProfile, signal);
    for (const skill of checked.skills) skills.push(viewOf(skill, layer, tree, library));
  }
  return { skills: skills.toSorted((a, b) => compareCodePoints(a.path, b.path)), library, instructions };
};
