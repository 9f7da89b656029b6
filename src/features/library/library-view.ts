/** The library as a tree of rows, and the search in it. */
import { compareCodePoints, plural } from '../../base/text.ts';
import type { ContextFile } from '../../model/workspace/context-files.ts';
import type { Layer } from '../../model/library/types.ts';
import { countLoaded } from '../../model/workspace/outcome.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import type { TreeNode } from '../../ui/tree.tsx';

/** In order of precedence. */
const LAYER_NAMES: Readonly<Record<Layer, string>> = {
  project: 'Project',
  user: 'User library',
  bundled: 'Bundled',
  config: 'Configured',
  remote: 'Remote',
};

type Base = Omit<TreeNode, 'children'>;

export type LayerNode<Child = SkillNode | FileNode> = Base & {
  readonly kind: 'layer';
  /** What kind of place it is, and which, if that is one. */
  readonly label: string;
  readonly place: string | undefined;
  /** The place is an address. */
  readonly isRemote?: boolean;
  readonly count: number;
  readonly children: readonly Child[];
};
export type SkillNode = Base & {
  readonly kind: 'skill';
  readonly skill: WorkspaceSkill;
  readonly errors: number;
  readonly warnings: number;
  readonly children: readonly FileNode[];
};
export type FileNode = Base & {
  readonly kind: 'file';
  readonly path: string;
  /** What a session takes it for, where it is in no skill. */
  readonly use?: string;
};
export type LibraryNode = LayerNode | SkillNode | FileNode;

/** What a row stands for. A skill without a file is its folder; a file with the empty skill is in the opened folder itself. */
export interface LibraryTarget {
  readonly skill: string;
  readonly file?: string;
}

export const rowId = ({ skill, file }: LibraryTarget): string =>
  file === undefined ? `skill ${skill}` : `file ${skill}\n${file}`;

export const targetOf = (id: string): LibraryTarget | undefined => {
  const [, kind, rest = ''] = /^(skill|file) ([^]*)$/.exec(id) ?? [];
  if (kind === 'skill') return { skill: rest };
  const at = rest.indexOf('\n');
  return kind === 'file' && at >= 0 ? { skill: rest.slice(0, at), file: rest.slice(at + 1) } : undefined;
};

const isMain = (path: string): boolean => path === 'SKILL.md';

const filesOf = (skill: WorkspaceSkill): FileNode[] =>
  skill.files
    .map(({ path }) => path)
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)) || compareCodePoints(a, b))
    .map((path) => ({
      kind: 'file',
      look: 'leaf',
      id: rowId({ skill: skill.id, file: path }),
      text: path,
      path,
    }));

/** Why no session loads it, where no other badge says so. */
export const whyNotLoaded = ({ outcome }: Pick<WorkspaceSkill, 'outcome'>): string | undefined => {
  if (outcome === 'skipped') return 'Sessions don’t load it because it has errors';
  return outcome === 'not-searched' ? 'Sessions in the working folder don’t look here' : undefined;
};

/** Which agents load it, as far as the folder it is in decides that. */
export const agentsWords = ({ clients }: Pick<WorkspaceSkill, 'clients'>): string =>
  clients.length === 0
    ? 'No known agent loads this folder'
    : `Loaded by ${clients.map(({ label, from }) => (from === '' ? label : `${label} (started in ${from})`)).join(', ')}`;

/** It lies in the opened folder, where no agent looks, nor a session. */
export const isNoAgents = ({ clients, isInFolder, outcome }: WorkspaceSkill): boolean =>
  isInFolder && clients.length === 0 && outcome === 'not-searched';

/** How many skills there are, how many of them a session would load, and where it works if that is not the opened folder. */
export const librarySummary = (
  skills: readonly WorkspaceSkill[],
  workingFolder: string,
  lostWorkingFolder?: string,
): string => {
  const loaded = countLoaded(skills);
  const lost = skills.filter(isNoAgents).length;
  const counts = [
    `${plural(skills.length, 'skill')}, ${loaded} ${loaded === 1 ? 'loads' : 'load'}`,
    ...(lost === 0 ? [] : [`${lost} outside every agent’s folders`]),
  ].join(' · ');
  if (lostWorkingFolder !== undefined)
    return `${counts} · The working folder ${lostWorkingFolder} no longer exists. Sessions use the open folder.`;
  return workingFolder === '' ? counts : `${counts} · Working folder: ${workingFolder}`;
};

const skillNode = (skill: WorkspaceSkill): SkillNode => {
  const countOf = (severity: string): number =>
    skill.diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const errors = countOf('error');
  const warnings = countOf('warning');
  const facts = [
    skill.isMetaskill && 'metaskill',
    skill.isPreloaded && 'preloaded',
    skill.outcome === 'shadowed' && 'shadowed',
    whyNotLoaded(skill) !== undefined && 'not loaded',
    isNoAgents(skill) && 'no agent looks there',
    errors > 0 && plural(errors, 'error'),
    warnings > 0 && plural(warnings, 'warning'),
    plural(skill.tokens, 'token'),
  ].filter((fact) => fact !== false);
  return {
    kind: 'skill',
    look: 'item',
    id: rowId({ skill: skill.id }),
    text: skill.name,
    name: [skill.name, ...facts].join(', '),
    isMuted: skill.outcome === 'shadowed',
    skill,
    errors,
    warnings,
    children: filesOf(skill),
  };
};

/** Skills from outside are shown by their source; those of one folder together, wherever they lie in it. */
const groupsOf = (layer: string, found: readonly WorkspaceSkill[]): readonly (readonly WorkspaceSkill[])[] => {
  if (layer !== 'config' && layer !== 'remote') return found.length === 0 ? [] : [found];
  const groups = new Map<string, WorkspaceSkill[]>();
  for (const skill of found) {
    const { root } = skill;
    groups.set(root, [...(groups.get(root) ?? []), skill]);
  }
  return [...groups].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, skills]) => skills);
};

export const libraryTree = (skills: readonly WorkspaceSkill[]): readonly LayerNode<SkillNode>[] =>
  Object.entries(LAYER_NAMES).flatMap(([layer, label]) => {
    const all = skills.filter((skill) => skill.layer === layer);
    return groupsOf(layer, all).map((found, index): LayerNode<SkillNode> => {
      const roots = new Set(found.map(({ root }) => root));
      const [root] = roots;
      const place = roots.size === 1 && root !== '' ? root : undefined;
      const text = place === undefined ? label : `${label} · ${place}`;
      return {
        kind: 'layer',
        label,
        place,
        isRemote: layer === 'remote',
        look: 'group',
        id: index === 0 ? `layer ${layer}` : `layer ${layer} ${root ?? ''}`,
        text,
        name: `${text}, ${plural(found.length, 'skill')}`,
        count: found.length,
        children: found.map(skillNode).toSorted((a, b) => compareCodePoints(a.text, b.text)),
      };
    });
  });

const USES: Readonly<Record<ContextFile['kind'], string>> = {
  instructions: 'instructions',
  user: 'about you',
  memory: 'memory',
  configuration: 'sources',
};

/** What a session reads beside the skills, as the last group. */
export const contextGroup = (files: readonly ContextFile[]): readonly LayerNode<FileNode>[] =>
  files.length === 0
    ? []
    : [
        {
          kind: 'layer',
          label: 'Instructions and memory',
          place: undefined,
          look: 'group',
          id: 'layer context',
          text: 'Instructions and memory',
          name: `Instructions and memory, ${plural(files.length, 'file')}`,
          count: files.length,
          children: files.map(({ path, kind }) => ({
            kind: 'file',
            look: 'leaf',
            id: rowId({ skill: '', file: path }),
            text: path,
            name: `${USES[kind]}: ${path}`,
            path,
            use: USES[kind],
          })),
        },
      ];

/** Only these skills; files that lie in none are left out, too. */
export const onlySkills = (layers: readonly LayerNode[], ids: ReadonlySet<string>): readonly LayerNode[] =>
  layers.flatMap((layer) => {
    const children = layer.children.filter((node) => node.kind === 'skill' && ids.has(node.skill.id));
    return children.length === 0 ? [] : { ...layer, count: children.length, children };
  });

export interface LibrarySearch {
  readonly nodes: readonly LayerNode[];
  /** How many skills are left. */
  readonly found: number;
  /** What is open while the search is on. */
  readonly open: ReadonlySet<string>;
}

export const searchLibrary = (layers: readonly LayerNode[], query: string): LibrarySearch => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const open = new Set<string>();
  const nodes = layers.flatMap((layer) => {
    const children = layer.children.flatMap((skill) => {
      if (matches(skill.text)) return skill;
      if (skill.kind === 'file') return [];
      const files = skill.children.filter((file) => matches(`${skill.text} ${file.text}`));
      if (files.length === 0) return [];
      open.add(skill.id);
      return { ...skill, children: files };
    });
    if (children.length === 0) return [];
    open.add(layer.id);
    return { ...layer, children };
  });
  const found = nodes.reduce((sum, { children }) => sum + children.filter(({ kind }) => kind === 'skill').length, 0);
  return { nodes, open, found };
};
