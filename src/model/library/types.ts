import type { FileTree } from '../files/file-tree.ts';
import type { Metaskill } from '../skill/metaskill-package.ts';
import type { Skill } from '../skill/skill.ts';
import type { Diagnostic } from '../skill/types.ts';

export { RUNTIME_PROFILES, type RuntimeProfile } from '../skill/types.ts';

/** In order of precedence: of two skills with one name, the earlier layer's is loaded. */
export const LAYERS = ['project', 'user', 'bundled', 'config', 'remote'] as const;
export type Layer = (typeof LAYERS)[number];

export const DIALECTS = ['metis', 'agents'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Who may run metaskills: `local`, those of the project and the bundled ones. */
export const METASKILL_POLICIES = ['local', 'all', 'off'] as const;
export type MetaskillPolicy = (typeof METASKILL_POLICIES)[number];

export interface LibrarySkill {
  readonly skill: Skill;
  readonly layer: Layer;
  /** As `skill.loaded` calls it (D7): the project is the workspace, everything else is global. */
  readonly source: 'workspace' | 'global';
  /** Which folder was searched, such as `.agents/skills`. */
  readonly root: string;
  /** The skill's folder, inside its tree. */
  readonly path: string;
  /** Where it was found; absent for a skill that is in no folder. */
  readonly tree?: FileTree;
  /** All rules under the runtime profile. Found when somebody asks: loading needs only the errors. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What became of a folder that holds a skill or nearly one, and why. */
export interface DiscoveryEntry {
  readonly path: string;
  /** The path without links: anyone who reaches the folder by another way finds it by this one. */
  readonly real: string;
  readonly layer: Layer;
  readonly root: string;
  readonly outcome: 'loaded' | 'downgraded' | 'shadowed' | 'skipped';
  /** One sentence; empty for a skill that was loaded. */
  readonly reason: string;
  readonly name: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export const sourceOf = (layer: Layer): 'workspace' | 'global' => (layer === 'project' ? 'workspace' : 'global');

/** Whether the policy lets a metaskill run (consent and hashes are asked for elsewhere). */
export const isExecutable = (metaskill: Metaskill | undefined, layer: Layer, policy: MetaskillPolicy): boolean => {
  if (!metaskill || metaskill.fault !== undefined || policy === 'off') return false;
  return policy === 'all' || layer === 'project' || layer === 'bundled';
};
