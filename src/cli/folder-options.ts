/** Options for what the page asks in dialogs: which folders a session sees, and how skills there are judged (D9, D42). */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Log } from '../base/log.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import { CONFIG_PATH, configOf } from '../model/library/config.ts';
import type { LibraryInput } from '../model/library/load-library.ts';
import { RUNTIME_PROFILES, type RuntimeProfile } from '../model/library/types.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import { createRemoteSkills } from '../platform/importer/remote-skills.ts';
import { listOf, oneOf, textOf, type Values } from './arguments.ts';
import { openedFolder } from './project-folder.ts';
import type { OpenFolder } from './session-runner.ts';

export const FOLDER_OPTIONS = {
  profile: { type: 'string' },
  user: { type: 'string' },
  cwd: { type: 'string' },
  remote: { type: 'boolean' },
  'config-folder': { type: 'string', multiple: true },
} as const;

/** A host that does not answer must not keep a command from its end. */
const REMOTE_MS = 10_000;

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const remoteCache = (): FileTree =>
  createNodeTree(process.env['LATHE_CACHE'] ?? join(homedir(), '.cache', 'lathe', 'remote'));

/** `--remote` agrees to the addresses, and asks them. Without it the copies serve, and nobody is asked. */
const remoteSkills = async (urls: readonly string[], isAllowed: boolean, log: Log): Promise<readonly FileTree[]> => {
  if (urls.length === 0) return [];
  const addresses = createRemoteSkills({ get: fetch, cache: remoteCache(), log, isTerminal: true });
  const found = await Promise.all(
    [...new Set(urls)].map(async (url) => {
      if (!isAllowed) return addresses.kept(url);
      try {
        return await addresses.fetch(url, AbortSignal.timeout(REMOTE_MS));
      } catch {
        log({ level: 'warning', code: 'remote.unreachable', text: `${url}: It took too long to answer.` });
        return addresses.kept(url);
      }
    }),
  );
  for (const { url, tree } of found)
    if (!tree && !isAllowed)
      log({
        level: 'info',
        code: 'remote.not_fetched',
        text: `${CONFIG_PATH} names ${url}. Lathe hasn't fetched it. Use --remote to fetch it.`,
      });
  return found.flatMap(({ tree }) => tree ?? []);
};

/** `NAME=DIR`, or `NAME` for the folder of that path itself. */
const configFolders = (
  given: readonly string[],
  named: readonly string[],
  top: string,
): Result<ReadonlyMap<string, FileTree>, string> => {
  const folders = new Map<string, FileTree>();
  for (const text of given) {
    const name = named.find((one) => text === one || text.startsWith(`${one}=`));
    if (name === undefined)
      return err(
        `--config-folder ${text}: skills.paths in ${CONFIG_PATH} ${named.length === 0 ? 'names no folder outside' : `names ${named.join(', ')}`}`,
      );
    const path =
      text === name ? resolve(top, name.replace(/^~(?=$|\/)/, homedir())) : resolve(text.slice(name.length + 1));
    if (!isFolder(path)) return err(`folder not found: ${path}`);
    folders.set(name, createNodeTree(path));
  }
  return ok(folders);
};

/** The folder that a command names, with everything around it that its options name. An error says what is wrong. */
export const openFolder = async (
  folder: string,
  values: Values,
  log: Log,
  fallback: { readonly profile?: RuntimeProfile; readonly user?: string; readonly cwd?: string } = {},
): Promise<Result<OpenFolder, string>> => {
  const profile = oneOf('profile', values['profile'], RUNTIME_PROFILES, fallback.profile ?? 'standard');
  if (!profile.ok) return profile;
  if (!isFolder(folder)) return err(`folder not found: ${folder}`);
  const user = textOf(values, 'user') ?? fallback.user;
  if (user !== undefined && !isFolder(user)) return err(`folder not found: ${user}`);
  const opened = openedFolder(folder, textOf(values, 'cwd') ?? fallback.cwd);
  if (typeof opened === 'string') return err(opened);
  const { top, workingFolder } = opened;
  const tree = createNodeTree(top);
  const { urls, outside } = await configOf(tree);
  const folders = configFolders(listOf(values, 'config-folder'), outside, top);
  if (!folders.ok) return folders;
  const remote = await remoteSkills(urls, values['remote'] === true, log);
  const others: Omit<LibraryInput, 'project'> = {
    ...(user !== undefined && { user: createNodeTree(user) }),
    ...(folders.value.size > 0 && { configFolders: folders.value }),
    ...(remote.length > 0 && { remote }),
  };
  return ok({ tree, workingFolder, others, profile: profile.value });
};
