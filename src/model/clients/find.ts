/** Finds what a client finds: its roots, with its own rules for what is below them. */
import { errorMessage } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { baseName, dirName, joinPath } from '../../base/paths.ts';
import { isRecord } from './frontmatter.ts';
import { compareCodePoints } from '../../base/text.ts';
import { parentPath, type FileTree, type TreeEntry } from '../files/file-tree.ts';
import type { ClientTrees, FoundSkill, FoundSkills, RootRule, Unread } from './types.ts';

/** Larger files are not skills; clients refuse them too. */
const MOST_BYTES = 1024 * 1024;
const MOST_FOLDERS = 2000;

interface Place {
  readonly tree: FileTree;
  readonly scope: FoundSkill['scope'];
  readonly rule: RootRule;
  readonly level: string;
  readonly root: string;
  readonly plugin?: string;
}

/** Every folder from the working folder up to the top. */
const levelsUp = (workingFolder: string): string[] => {
  const levels: string[] = [];
  for (let at: string | undefined = workingFolder; at !== undefined; at = parentPath(at)) levels.push(at);
  return levels;
};

const levelsOf = ({ levels = 'here' }: RootRule, workingFolder: string): string[] => {
  switch (levels) {
    case 'here':
      return [workingFolder];
    case 'up':
      return levelsUp(workingFolder);
    case 'down':
      return levelsUp(workingFolder).toReversed();
  }
};

const placesOf = (rule: RootRule, trees: ClientTrees): Place[] => {
  if (rule.scope === 'user')
    return trees.user ? [{ tree: trees.user, scope: 'user', rule, level: '', root: rule.path }] : [];
  return levelsOf(rule, trees.workingFolder ?? '').map((level) => ({
    tree: trees.project,
    scope: 'project',
    rule,
    level,
    root: joinPath(level, rule.path),
  }));
};

interface Collector {
  readonly skills: FoundSkill[];
  readonly unread: Unread[];
  readonly seen: Set<string>;
}

/** Scopes are trees of their own: the same path in two of them is two files. */
const keyOf = ({ scope, plugin = '' }: Place, real: string): string => `${scope} ${plugin} ${real}`;

/** A byte order mark is kept: some clients refuse it. */
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The root's path without links; nothing where one of them leaves the opened folder. */
const realRootOf = async ({ tree, root }: Place): Promise<string | undefined> => {
  let [path, real] = ['', ''];
  for (const name of root.split('/')) {
    const entries = (await tree.list(path).catch(() => undefined)) ?? [];
    const entry = entries.find((one) => one.name === name);
    if (entry?.escapes) return undefined;
    path = joinPath(path, name);
    real = entry?.target ?? joinPath(real, name);
  }
  return real;
};

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    // What is not UTF-8 is thrown.
    return false;
  }
};

const addFile = async (
  place: Place,
  found: {
    readonly file: string;
    readonly real: string;
    readonly path: string;
    readonly folder: string;
    readonly realRoot: string;
  },
  kind: FoundSkill['kind'],
  into: Collector,
): Promise<void> => {
  const { tree, scope, root, level, plugin } = place;
  const key = keyOf(place, found.real);
  if (into.seen.has(key)) return;
  into.seen.add(key);
  try {
    const bytes = await tree.read(found.file, MOST_BYTES);
    if (bytes === undefined) {
      into.unread.push({ path: found.path, scope, reason: 'Its file is too large or unreadable.' });
      return;
    }
    const text = decode(bytes);
    const isBroken = text.includes('\uFFFD') && !isUtf8(bytes);
    const beside =
      kind === 'skill' ? await tree.read(joinPath(found.path, 'agents/openai.yaml'), MOST_BYTES) : undefined;
    into.skills.push({
      path: found.path,
      real: found.real,
      scope,
      root,
      ...(found.realRoot !== root && { realRoot: found.realRoot }),
      level,
      folder: found.folder,
      kind,
      text,
      ...(isBroken && { isBroken }),
      ...(plugin !== undefined && { plugin }),
      ...(beside && { beside: decode(beside) }),
    });
  } catch (thrown) {
    into.unread.push({ path: found.path, scope, reason: `Can’t read it: ${errorMessage(thrown)}` });
  }
};

const isSkillFile = (rule: RootRule, entry: TreeEntry): boolean =>
  entry.kind === 'file' && (rule.anyCase ? /^skill\.md$/i.test(entry.name) : entry.name === 'SKILL.md');

const byName = (a: TreeEntry, b: TreeEntry): number => compareCodePoints(a.name, b.name);

const listOf = async (tree: FileTree, path: string, place: Place, into: Collector): Promise<readonly TreeEntry[]> => {
  try {
    return (await tree.list(path)) ?? [];
  } catch (thrown) {
    into.unread.push({ path, scope: place.scope, reason: `Can’t read it: ${errorMessage(thrown)}` });
    return [];
  }
};

interface Visit {
  readonly path: string;
  readonly real: string;
  readonly depth: number;
}

const escaped = (place: Place, path: string, into: Collector): void => {
  into.unread.push({ path, scope: place.scope, reason: 'It’s a link that leaves the open folder.' });
};

const searchSkills = async (place: Place, realRoot: string, into: Collector): Promise<void> => {
  const { tree, rule, root } = place;
  const visited = new Set<string>();
  const queue: Visit[] = [{ path: root, real: realRoot, depth: 0 }];
  for (let at = queue.shift(); at && visited.size < MOST_FOLDERS; at = queue.shift()) {
    const { path, real, depth } = at;
    if (visited.has(real)) continue;
    visited.add(real);
    const sorted = (await listOf(tree, path, place, into)).toSorted(byName);
    const entries = rule.fromLast ? sorted.toReversed() : sorted;
    const file = entries.find((entry) => isSkillFile(rule, entry));
    const counts = file && (depth > 0 || rule.ownSkill === true) && !(rule.noLinkedFile && file.target !== undefined);
    if (file?.escapes) escaped(place, path, into);
    else if (file && counts) {
      const inside = joinPath(path, file.name);
      const target = file.target ?? joinPath(real, file.name);
      await addFile(place, { file: inside, real: target, path, folder: baseName(path), realRoot }, 'skill', into);
      if (!rule.belowSkills) continue;
    }
    if (depth >= rule.depth) continue;
    for (const entry of entries) {
      if (entry.kind !== 'folder' || entry.name === '.git') continue;
      if (entry.name === 'node_modules' && !rule.nodeModules) continue;
      if (entry.name.startsWith('.') && !rule.dotFolders) continue;
      const child = joinPath(path, entry.name);
      if (entry.escapes) escaped(place, child, into);
      else queue.push({ path: child, real: entry.target ?? joinPath(real, entry.name), depth: depth + 1 });
    }
  }
};

/** Every Markdown file; a folder with a SKILL.md is one command. */
const searchCommands = async (place: Place, realRoot: string, into: Collector): Promise<void> => {
  const { tree, root } = place;
  const nameOf = (path: string): string =>
    path
      .slice(root.length + 1)
      .split('/')
      .join(':');
  const visited = new Set<string>();
  const queue: { readonly path: string; readonly real: string }[] = [{ path: root, real: realRoot }];
  for (let at = queue.shift(); at && visited.size < MOST_FOLDERS; at = queue.shift()) {
    if (visited.has(at.real)) continue;
    visited.add(at.real);
    const { path, real } = at;
    const entries = [...(await listOf(tree, path, place, into))].toSorted(byName);
    const isFile = ({ kind, name }: TreeEntry): boolean => kind === 'file' && name.endsWith('.md');
    const skill =
      path === root ? undefined : entries.find(({ kind, name }) => kind === 'file' && /^skill\.md$/i.test(name));
    for (const entry of skill ? [skill] : entries.filter(isFile)) {
      const file = joinPath(path, entry.name);
      if (entry.escapes) escaped(place, file, into);
      else {
        const folder = entry === skill ? nameOf(path) : nameOf(file.replace(/\.md$/, ''));
        const target = entry.target ?? joinPath(real, entry.name);
        await addFile(
          place,
          { file, real: target, path: entry === skill ? path : file, folder, realRoot },
          'command',
          into,
        );
      }
    }
    for (const entry of entries)
      if (entry.kind === 'folder' && !entry.escapes)
        queue.push({ path: joinPath(path, entry.name), real: entry.target ?? joinPath(real, entry.name) });
  }
};

const search = async (place: Place, into: Collector): Promise<void> => {
  const real = await realRootOf(place);
  if (real === undefined) escaped(place, place.root, into);
  else await (place.rule.commands ? searchCommands : searchSkills)(place, real, into);
};

const UNKNOWN_SOURCE = { source: { kind: 'unknown' } } as const;
const PLUGIN_COMMANDS: RootRule = {
  scope: 'project',
  path: 'commands',
  depth: Infinity,
  commands: true,
  ...UNKNOWN_SOURCE,
};
/** Plugins hold `skills/` and `commands/` like a root of their own. */
const PLUGIN_SKILLS: RootRule = {
  scope: 'project',
  path: 'skills',
  depth: 1,
  ownSkill: true,
  dotFolders: true,
  nodeModules: true,
  ...UNKNOWN_SOURCE,
};
const PLUGIN_ITSELF: RootRule = { scope: 'project', path: '', depth: 0, ...UNKNOWN_SOURCE };

const MANIFEST = '.claude-plugin/plugin.json';

const TEXT_FIELDS = ['version', 'description', 'license', 'repository', 'homepage'];

/** Absent, or paths that begin with `./`; commands may be a mapping as well. */
const isPaths = (value: unknown): boolean =>
  value === undefined ||
  isRecord(value) ||
  [value].flat().every((path) => typeof path === 'string' && path.startsWith('./'));

/** Nothing where none exists. One that Claude Code does not take voids the plugin. */
const manifestOf = async (tree: FileTree): Promise<Readonly<Record<string, unknown>> | undefined | 'refused'> => {
  const bytes = await tree.read(MANIFEST, MOST_BYTES).catch(() => undefined);
  if (!bytes) return undefined;
  const parsed = parseJson(decode(bytes));
  if (!parsed.ok || !isRecord(parsed.value)) return 'refused';
  const { name, commands, skills } = parsed.value;
  const { value } = parsed;
  const isTaken =
    typeof name === 'string' &&
    name !== '' &&
    !name.includes(' ') &&
    TEXT_FIELDS.every((field) => value[field] === undefined || typeof value[field] === 'string') &&
    isPaths(commands) &&
    isPaths(skills);
  return isTaken ? value : 'refused';
};

/** Paths inside the plugin. */
const pathsIn = (named: unknown): readonly string[] =>
  [named].flat().flatMap((given) => {
    const names = typeof given === 'string' ? given.split('/').filter((name) => name !== '' && name !== '.') : [];
    return names.length === 0 || names.includes('..') ? [] : [names.join('/')];
  });

/** A plugin without a folder of skills may be a skill itself. */
const addPluginItself = async (place: Place, into: Collector): Promise<void> => {
  const entries = await listOf(place.tree, '', place, into);
  const file = entries.find(({ kind, name }) => kind === 'file' && name === 'SKILL.md');
  if (!file || file.escapes || entries.some(({ name }) => name === 'skills')) return;
  const real = file.target ?? file.name;
  await addFile(place, { file: file.name, real, path: '', folder: place.plugin ?? '', realRoot: '' }, 'skill', into);
};

/** Commands that the manifest names are in place of `commands/`; skills that it names come after `skills/`. */
const searchPlugin = async (plugin: string, tree: FileTree, into: Collector): Promise<void> => {
  const manifest = await manifestOf(tree);
  if (manifest === 'refused') {
    into.unread.push({
      path: MANIFEST,
      scope: 'plugin',
      reason: 'The plugin isn’t loaded: its manifest needs a name without spaces, and paths that start with `./`.',
    });
    return;
  }
  const placeOf = (rule: RootRule): Place => ({ tree, scope: 'plugin', rule, level: '', root: rule.path, plugin });
  const named = manifest?.['commands'];
  if (isRecord(named))
    into.unread.push({
      path: MANIFEST,
      scope: 'plugin',
      reason: 'Commands that the manifest describes itself aren’t read.',
    });
  for (const path of named === undefined ? [PLUGIN_COMMANDS.path] : pathsIn(named)) {
    const place = placeOf({ ...PLUGIN_COMMANDS, path });
    if (!path.endsWith('.md')) await search(place, into);
    else
      await addFile(
        { ...place, root: dirName(path) },
        { file: path, real: path, path, folder: baseName(path).slice(0, -'.md'.length), realRoot: dirName(path) },
        'command',
        into,
      );
  }
  const skills = pathsIn(manifest?.['skills']).filter((path) => path !== PLUGIN_SKILLS.path);
  for (const path of [PLUGIN_SKILLS.path, ...skills]) await search(placeOf({ ...PLUGIN_SKILLS, path }), into);
  if (manifest?.['skills'] === undefined) await addPluginItself(placeOf(PLUGIN_ITSELF), into);
};

/** In the order of the roots. Never rejects: what cannot be read is in `unread`. */
export const findSkills = async (roots: readonly RootRule[], trees: ClientTrees): Promise<FoundSkills> => {
  const into: Collector = { skills: [], unread: [], seen: new Set() };
  for (const rule of roots) {
    if (rule.optional !== undefined) continue;
    for (const place of placesOf(rule, trees)) await search(place, into);
  }
  for (const { name, tree } of trees.plugins ?? []) await searchPlugin(name, tree, into);
  return { skills: into.skills, unread: into.unread };
};
