/** Which clients load the skill in a folder: decided by where it lies, as each client's roots say. */
import { baseName, dirName } from '../../base/paths.ts';
import { clientOf } from './registry.ts';
import { CLIENT_IDS, type ClientId, type RootRule } from './types.ts';

export interface LoadedBy {
  readonly client: ClientId;
  readonly label: string;
  /** The folder in which the client has to be started; empty: the top. */
  readonly from: string;
}

/** The folder that the root belongs to, and the names from the root down to the skill. */
const insideRoot = (
  path: string,
  root: string,
): { readonly level: string; readonly names: readonly string[] } | undefined => {
  const at = `/${path}/`.indexOf(`/${root}/`);
  if (at === -1) return undefined;
  const rest = path.slice(at + root.length + 1);
  return { level: path.slice(0, Math.max(0, at - 1)), names: rest === '' ? [] : rest.split('/') };
};

const isFoundBy = (rule: RootRule, path: string, isSkill: (path: string) => boolean): string | undefined => {
  if (rule.optional !== undefined) return undefined;
  const inside = insideRoot(path, rule.path);
  if (!inside) return undefined;
  const { level, names } = inside;
  if (rule.scope === 'user' && level !== '') return undefined;
  if (names.length === 0 ? !rule.ownSkill : names.length > rule.depth) return undefined;
  if (!rule.dotFolders && !rule.commands && names.some((name) => name.startsWith('.'))) return undefined;
  if (!rule.belowSkills && !rule.commands) {
    let above = dirName(path);
    for (let left = names.length - 1; left > 0; left--, above = dirName(above)) if (isSkill(above)) return undefined;
  }
  return level;
};

/** A folder with a manifest beside it is a plugin of Claude Code, or an extension of Gemini CLI. */
export interface Packages {
  /** Folders that hold `.claude-plugin`. */
  readonly plugins: ReadonlySet<string>;
}

const NO_PACKAGES: Packages = { plugins: new Set() };

/** `isSkill` tells whether a folder above holds a skill: some clients do not look below one. */
export const loadedBy = (
  path: string,
  scope: 'project' | 'user',
  isSkill: (path: string) => boolean,
  { plugins }: Packages = NO_PACKAGES,
): readonly LoadedBy[] => {
  // A plugin holds skills, is one, or has one in its folder of skills itself.
  const above = baseName(dirName(path)) === 'skills' ? dirName(dirName(path)) : dirName(path);
  const plugin = [path, ...(baseName(path) === 'skills' || above !== dirName(path) ? [above] : [])].find((one) =>
    plugins.has(one),
  );
  return CLIENT_IDS.flatMap((client): LoadedBy[] => {
    const { label, roots } = clientOf(client);
    for (const rule of roots) {
      const from = rule.scope === scope ? isFoundBy(rule, path, isSkill) : undefined;
      if (from !== undefined) return [{ client, label, from }];
    }
    return client === 'claude-code' && plugin !== undefined ? [{ client, label, from: plugin }] : [];
  });
};

/** Whether some client looks for skills below the skill in this folder. */
export const isSearchedBelow = (path: string): boolean =>
  CLIENT_IDS.some((client) =>
    clientOf(client).roots.some((rule) => rule.belowSkills === true && insideRoot(path, rule.path) !== undefined),
  );
