/**
 * The layer `remote`: skills from the addresses in `.agents/config.yaml` (D9). Each address is a SKILL.md, an archive, or a list at
 * `/.well-known/agent-skills/index.json`. What was fetched is kept by address and digest, without an end: it serves where there is no
 * network, and a skill of a list is fetched again only when its digest or version changes. Rules: `model/library/SPEC.md`, RS.
 */
import { sha256 } from '../../base/hash.ts';
import type { Log } from '../../base/log.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { fetchSource, unreachable, type FetchedSource } from './fetch-source.ts';
import { LIST_PATH, readListResponse, readSkillList, type ListedSkill, type SkillList } from './skill-list.ts';
import { createTreeCache } from './source-cache.ts';

export interface RemoteSkillsDeps {
  readonly get: typeof fetch;
  /** Where copies are kept. */
  readonly cache: FileTree;
  readonly log: Log;
  readonly isTerminal?: boolean;
}

/** What an address gave, now or at an earlier visit. */
export interface RemoteAddress {
  readonly url: string;
  /** Each skill in a folder of its name; nothing where neither the address nor a copy gave one. */
  readonly tree: FileTree | undefined;
  /** Why what is there is an old copy, or nothing; with what to do. */
  readonly problem?: string;
}

export interface RemoteSkills {
  /** Asks the address; what cannot be reached comes from the copy, with a warning that says why. Rejects only when it is aborted. */
  readonly fetch: (url: string, signal?: AbortSignal) => Promise<RemoteAddress>;
  /** Asks nobody. */
  readonly kept: (url: string) => Promise<RemoteAddress>;
  /** Removes every copy of what came from there. */
  readonly forget: (url: string) => Promise<void>;
}

const isList = (url: string): boolean => new URL(url).pathname.endsWith(LIST_PATH);
const hostOf = (url: string): string => new URL(url).host;

/** What people call an address: without what all of its kind share. */
export const sourceName = (url: string): string => {
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname.replace(LIST_PATH, '').replace(/\/(?:SKILL\.md)?$/, '')}${search}`;
};

type Source = Pick<FetchedSource, 'name' | 'files'>;

interface Given {
  readonly sources: readonly Source[];
  /** Why not everything came from the address. */
  readonly problem?: string;
  /** What Lathe left out. */
  readonly note?: string;
}

const treeOf = (sources: readonly Source[], url: string): FileTree | undefined => {
  if (sources.length === 0) return undefined;
  const files = sources.flatMap(({ name, files: own }) =>
    [...own].map(([path, bytes]) => [`${name}/${path}`, new Uint8Array(bytes)] as const),
  );
  return createMemoryTree(new Map(files), sourceName(url));
};

export const createRemoteSkills = ({ get, cache, log, isTerminal = false }: RemoteSkillsDeps): RemoteSkills => {
  // Copies have no end: without a clock none is too old.
  const copies = createTreeCache(cache, () => 0);
  const nothing = createTreeCache(createMemoryTree({}, 'nothing'), () => 0);
  const listPath = (url: string): string => `lists/${sha256(url)}.json`;
  const keyOf = (url: string, { name, digest, version }: ListedSkill): string =>
    `${url}#${name}@${digest ?? version ?? ''}`;

  const readList = async (url: string): Promise<readonly ListedSkill[]> => {
    const bytes = await cache.read(listPath(url));
    const list = bytes && readSkillList(new TextDecoder().decode(bytes));
    return list?.ok ? list.value.skills : [];
  };

  const keysOf = async (url: string): Promise<readonly string[]> =>
    isList(url) ? (await readList(url)).map((skill) => keyOf(url, skill)) : [url];

  const copiesOf = async (keys: readonly string[]): Promise<readonly Source[]> => {
    const found: Source[] = [];
    for (const key of keys) {
      const copy = await copies.get(key);
      if (copy) found.push(copy);
    }
    return found;
  };

  const fetchList = async (url: string, signal: AbortSignal | undefined): Promise<SkillList | string> => {
    try {
      const response = await get(url, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(signal && { signal }),
      });
      if (!response.ok) return `${hostOf(url)} answered ${response.status}.`;
      const list = await readListResponse(response);
      return list.ok ? list.value : list.error;
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown;
      return unreachable(thrown, hostOf(url), url, isTerminal);
    }
  };

  /** Fetched, or the copy where that fails; with the reason. */
  const fetchOne = async (
    url: string,
    key: string,
    signal: AbortSignal | undefined,
    listed?: ListedSkill,
  ): Promise<Given> => {
    const fetched = await fetchSource({ get, cache: nothing, isTerminal, ...(signal && { signal }) }, url, {
      refresh: true,
      ...(listed && { listed }),
    });
    if (!fetched.ok) return { sources: await copiesOf([key]), problem: fetched.error.message };
    await copies.put(key, fetched.value);
    return { sources: [fetched.value] };
  };

  const fetchListed = async (url: string, signal: AbortSignal | undefined): Promise<Given> => {
    const list = await fetchList(url, signal);
    const old = await keysOf(url);
    if (typeof list === 'string') return { sources: await copiesOf(old), problem: list };
    const { skills: listed } = list;
    const sources: Source[] = [];
    let problem: string | undefined;
    for (const skill of listed) {
      const key = keyOf(url, skill);
      const isSure = skill.digest !== undefined || skill.version !== undefined;
      const copy = isSure ? await copiesOf([key]) : [];
      const one = copy.length > 0 ? { sources: copy } : await fetchOne(url, key, signal, skill);
      sources.push(...one.sources);
      if ('problem' in one) problem ??= `${skill.name}: ${one.problem}`;
    }
    await cache.write(listPath(url), new TextEncoder().encode(JSON.stringify({ skills: listed })));
    const current = new Set(listed.map((skill) => keyOf(url, skill)));
    for (const key of old) if (!current.has(key)) await copies.remove(key);
    return { sources, ...(problem !== undefined && { problem }), ...(list.note !== undefined && { note: list.note }) };
  };

  return {
    fetch: async (url, signal) => {
      const { sources, problem, note } = await (isList(url) ? fetchListed(url, signal) : fetchOne(url, url, signal));
      const tree = treeOf(sources, url);
      const told = [problem, problem !== undefined && tree && 'Lathe uses the saved copy.', note]
        .filter((sentence) => typeof sentence === 'string')
        .join(' ');
      if (told === '') return { url, tree };
      log({ level: 'warning', code: 'remote.unreachable', text: `${url}: ${told}` });
      return { url, tree, problem: told };
    },
    kept: async (url) => ({ url, tree: treeOf(await copiesOf(await keysOf(url)), url) }),
    forget: async (url) => {
      for (const key of await keysOf(url)) await copies.remove(key);
      if (isList(url) && (await cache.size(listPath(url))) !== undefined) await cache.remove(listPath(url));
    },
  };
};
