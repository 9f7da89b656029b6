/** Skills that a plugin, a list of plugins, or an extension hands to an agent, wherever they lie. */
import { isObject, parseJson } from '../../base/json.ts';
import { dirName, joinPath } from '../../base/paths.ts';
import type { LoadedBy } from '../clients/loaded-by.ts';
import { clientOf } from '../clients/registry.ts';
import type { ClientId } from '../clients/types.ts';
import { parentPath, type FileTree, type TreeEntry } from '../files/file-tree.ts';
import { configOf, NO_CONFIG } from './config.ts';

const MOST_BYTES = 1_000_000;
const PLUGIN = '.claude-plugin/plugin.json';
const PLUGINS = '.claude-plugin/marketplace.json';
const EXTENSION = 'gemini-extension.json';

/** A folder of skills, or a skill. */
interface Claim {
  readonly client: ClientId;
  readonly path: string;
  readonly from: string;
  /** Folders at any depth below it, too. */
  readonly isDeep?: true;
}

/** Inside `folder`; nothing where it leads out of it, or elsewhere. */
const inside = (folder: string, given: unknown): string | undefined => {
  if (typeof given !== 'string') return undefined;
  const names = given.split('/').filter((name) => name !== '' && name !== '.');
  return given.startsWith('/') || given.includes(':') || names.includes('..')
    ? undefined
    : joinPath(folder, names.join('/'));
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

/** `skills/` of the plugin and what its manifest names beside it. */
const claimsOfPlugin = (folder: string, manifest: Readonly<Record<string, unknown>>): readonly Claim[] =>
  [joinPath(folder, 'skills'), folder, ...listOf(manifest['skills']).map((path) => inside(folder, path))].flatMap(
    (path) => (path === undefined ? [] : [{ client: 'claude-code' as const, path, from: folder }]),
  );

const jsonAt = async (tree: FileTree, path: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const bytes = await tree.read(path, MOST_BYTES).catch(() => undefined);
  const json = bytes && parseJson(new TextDecoder().decode(bytes));
  return json?.ok === true && isObject(json.value) ? json.value : undefined;
};

const claimsAt = async (
  tree: FileTree,
  folder: string,
  entries: readonly Pick<TreeEntry, 'name'>[],
): Promise<readonly Claim[]> => {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  const claims: Claim[] = [];
  if (has('.claude-plugin')) {
    const plugin = await jsonAt(tree, joinPath(folder, PLUGIN));
    if (plugin) claims.push(...claimsOfPlugin(folder, plugin));
    const list = await jsonAt(tree, joinPath(folder, PLUGINS));
    for (const each of list ? listOf(list['plugins']) : []) {
      const source = isObject(each) ? inside(folder, each['source']) : undefined;
      if (isObject(each) && source !== undefined) claims.push(...claimsOfPlugin(source, each));
    }
  }
  if (has(EXTENSION)) claims.push({ client: 'gemini', path: joinPath(folder, 'skills'), from: folder });
  return claims;
};

/** What the project's own configuration names for sessions. */
const configured = async (tree: FileTree): Promise<readonly Claim[]> => {
  const config = await configOf(tree).catch(() => NO_CONFIG);
  return config.inside.map((path) => ({ client: 'metis', path, from: '', isDeep: true }));
};

const isClaimed = ({ path: claimed, isDeep }: Claim, path: string): boolean =>
  claimed === path || (path !== '' && claimed === dirName(path)) || (isDeep === true && path.startsWith(`${claimed}/`));

/** Of folders that no agent's roots lead to: who loads them all the same. `entries`: of the folder. */
export const packagedSkills = async (
  tree: FileTree,
  skills: readonly { readonly path: string; readonly entries: readonly Pick<TreeEntry, 'name'>[] }[],
): Promise<ReadonlyMap<string, LoadedBy>> => {
  if (skills.length === 0) return new Map();
  const claims = [...(await configured(tree))];
  const above = new Set<string>();
  for (const { path, entries } of skills) {
    claims.push(...(await claimsAt(tree, path, entries)));
    for (let at = parentPath(path); at !== undefined && !above.has(at); at = parentPath(at)) above.add(at);
  }
  for (const folder of above)
    claims.push(...(await claimsAt(tree, folder, (await tree.list(folder).catch(() => undefined)) ?? [])));
  return new Map(
    skills.flatMap(({ path }) => {
      const claim = claims.find((one) => isClaimed(one, path));
      return claim ? [[path, { client: claim.client, label: clientOf(claim.client).label, from: claim.from }]] : [];
    }),
  );
};
