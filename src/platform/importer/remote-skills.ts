/**
 * The layer `remote`: skills from the addresses in `.agents/config.yaml` (D9). Each address is a SKILL.md, an archive, or a list at
 * `/.well-known/agent-skills/index.json`. What was fetched is kept by address and digest, without an end: it serves where there is no
 * network, and a skill of a list is fetched again only when its digest or version changes. Rules: `model/library/SPEC.md`, RS.
 */
import { sha256 } from '../../base/hash.ts';
import type { Log } from '../../base/log.ts';
import type { FileTree } from '../../model/library/file-tree.ts';
import { CONFIG_PATH, parseConfig } from '../../model/library/config.ts';
import { z } from '../../model/zod.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { fetchSource, type FetchedSource } from './fetch-source.ts';
import { createTreeCache } from './source-cache.ts';

export interface RemoteSkillsDeps {
  readonly get: typeof fetch;
  /** Where copies are kept. */
  readonly cache: FileTree;
  readonly log: Log;
  readonly signal?: AbortSignal;
}

export interface RemoteSkills {
  /** Asks the addresses; what cannot be reached comes from the copies, with a warning that says why. Never rejects for an address. */
  readonly fetch: (urls: readonly string[]) => Promise<readonly FileTree[]>;
  /** Asks nobody. */
  readonly kept: (urls: readonly string[]) => Promise<readonly FileTree[]>;
}

const listSchema = z.object({
  skills: z.array(
    z.object({ name: z.string(), digest: z.string().exactOptional(), version: z.string().exactOptional() }),
  ),
});
type Listed = z.infer<typeof listSchema>['skills'];

const isList = (url: string): boolean => new URL(url).pathname.endsWith('/.well-known/agent-skills/index.json');

/** The addresses in the configuration of a folder; none where there is none, or one that is ignored. */
export const remoteUrls = async (tree: FileTree): Promise<readonly string[]> => {
  const content = await tree.read(CONFIG_PATH);
  const parsed = content && parseConfig(content);
  return parsed?.ok ? parsed.value.urls : [];
};

const treeOf = ({ name, files }: Pick<FetchedSource, 'name' | 'files'>, host: string): FileTree =>
  createMemoryTree(new Map([...files].map(([path, bytes]) => [`${name}/${path}`, new Uint8Array(bytes)])), host);

export const createRemoteSkills = ({ get, cache, log, signal }: RemoteSkillsDeps): RemoteSkills => {
  // Copies have no end: without a clock none is too old.
  const copies = createTreeCache(cache, () => 0);
  const nothing = createTreeCache(createMemoryTree({}, 'nothing'), () => 0);
  const listPath = (url: string): string => `lists/${sha256(url)}.json`;
  const warn = (text: string): void => log({ level: 'warning', code: 'remote.unreachable', text });
  const hostOf = (url: string): string => new URL(url).host;

  const ask = (url: string, path?: string) =>
    fetchSource({ get, cache: nothing, ...(signal && { signal }) }, url, {
      refresh: true,
      ...(path !== undefined && { path }),
    });

  const readCopy = async (url: string, key: string): Promise<readonly FileTree[]> => {
    const copy = await copies.get(key);
    return copy ? [treeOf(copy, hostOf(url))] : [];
  };

  const keyOf = (url: string, { name, digest, version }: Listed[number]): string =>
    `${url}#${name}@${digest ?? version ?? ''}`;

  const readList = async (url: string): Promise<Listed> => {
    const bytes = await cache.read(listPath(url));
    const parsed = bytes && listSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed?.success ? parsed.data.skills : [];
  };

  const fetchList = async (url: string): Promise<Listed | string> => {
    try {
      const response = await get(url, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(signal && { signal }),
      });
      if (!response.ok) return `${hostOf(url)} answered ${response.status}.`;
      const parsed = listSchema.safeParse(await response.json());
      return parsed.success ? parsed.data.skills : 'The list of skills does not have the right form.';
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return 'The list of skills is no JSON.';
      if (!(thrown instanceof TypeError)) throw thrown;
      return `${hostOf(url)} cannot be reached, or does not allow other pages to read it (CORS).`;
    }
  };

  /** Fetched, or the copy where that fails. */
  const fetchOne = async (url: string, key: string, path?: string): Promise<readonly FileTree[]> => {
    const fetched = await ask(url, path);
    if (fetched.ok) {
      await copies.put(key, fetched.value);
      return [treeOf(fetched.value, hostOf(url))];
    }
    const copy = await readCopy(url, key);
    warn(`${url}: ${fetched.error.message}${copy.length > 0 ? ' The copy of the last visit is used.' : ''}`);
    return copy;
  };

  const fetchAddress = async (url: string): Promise<readonly FileTree[]> => {
    if (!isList(url)) return fetchOne(url, url);
    const listed = await fetchList(url);
    if (typeof listed === 'string') {
      const old = await keptAt(url);
      warn(`${url}: ${listed}${old.length > 0 ? ' The copies of the last visit are used.' : ''}`);
      return old;
    }
    await cache.write(listPath(url), new TextEncoder().encode(JSON.stringify({ skills: listed })));
    const trees: FileTree[] = [];
    for (const skill of listed) {
      const key = keyOf(url, skill);
      const isSure = skill.digest !== undefined || skill.version !== undefined;
      const copy = isSure ? await readCopy(url, key) : [];
      trees.push(...(copy.length > 0 ? copy : await fetchOne(url, key, skill.name)));
    }
    return trees;
  };

  const keptAt = async (url: string): Promise<readonly FileTree[]> => {
    if (!isList(url)) return readCopy(url, url);
    const trees: FileTree[] = [];
    for (const skill of await readList(url)) trees.push(...(await readCopy(url, keyOf(url, skill))));
    return trees;
  };

  const each = async (
    urls: readonly string[],
    one: (url: string) => Promise<readonly FileTree[]>,
  ): Promise<readonly FileTree[]> => {
    const all: FileTree[] = [];
    for (const url of urls) all.push(...(await one(url)));
    return all;
  };

  return { fetch: (urls) => each(urls, fetchAddress), kept: (urls) => each(urls, keptAt) };
};
