/**
 * Skills from outside that the configuration of the open folder names (D9): addresses, and folders that a person opens once. An address is
 * asked only after somebody agreed to it, then and whenever a session starts; until then, and without a network, copies serve.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import type { Result } from '../base/result.ts';
import { configOf } from '../model/library/config.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import type { LibraryInput } from '../model/library/load-library.ts';
import type { PickProblem } from '../platform/fs/pick-folder.ts';
import type { RemoteAddress, RemoteSkills } from '../platform/importer/remote-skills.ts';
import type { Handles } from '../platform/store/handles.ts';
import type { Settings } from '../platform/store/settings.ts';

export interface SourceAddress {
  readonly url: string;
  /** Somebody agreed that it is asked. */
  readonly isAllowed: boolean;
  readonly isAsking: boolean;
  /** Something came from there, now or earlier. */
  readonly isHere: boolean;
  /** Why nothing came at the last question, and what to do. */
  readonly problem: string | undefined;
}

export interface SourceFolder {
  /** As the configuration writes it. */
  readonly name: string;
  readonly isOpen: boolean;
}

export interface SourcesState {
  readonly addresses: readonly SourceAddress[];
  readonly folders: readonly SourceFolder[];
  readonly problem: string | undefined;
}

export interface SourcesStore extends Pick<StoreApi<SourcesState>, 'getState' | 'subscribe' | 'getInitialState'> {
  /** Follows the configuration of this folder. Asks nobody. */
  readonly read: (tree: FileTree | undefined) => Promise<void>;
  /** Agrees to the addresses, and asks them. */
  readonly allow: (urls: readonly string[]) => Promise<void>;
  /** Asks every address that was agreed to. */
  readonly refresh: (signal?: AbortSignal) => Promise<void>;
  /** Takes the agreement back and removes the copies. */
  readonly forget: (url: string) => Promise<void>;
  /** Call it inside a click. */
  readonly openFolder: (name: string) => Promise<void>;
  readonly closeFolder: (name: string) => Promise<void>;
  readonly input: () => Pick<LibraryInput, 'remote' | 'configFolders'>;
}

export interface SourcesDeps {
  readonly remote: () => Promise<RemoteSkills>;
  readonly settings: Settings;
  readonly handles: Handles;
  readonly pick: () => Promise<Result<FileSystemDirectoryHandle, PickProblem>>;
  readonly treeOf: (handle: FileSystemDirectoryHandle) => FileTree;
  /** Other skills are there than before. */
  readonly onChange: () => void;
}

const ALLOWED = 'sources.allowed';

const readAllowed = (value: unknown): ReadonlySet<string> =>
  new Set(Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

export const createSourcesStore = (deps: SourcesDeps): SourcesStore => {
  const store = createStore<SourcesState>(() => ({ addresses: [], folders: [], problem: undefined }));
  const { getState, setState } = store;
  /** Of addresses that the open folder names. */
  const trees = new Map<string, FileTree>();
  const folders = new Map<string, FileTree>();

  const allowed = async (): Promise<ReadonlySet<string>> => readAllowed(await deps.settings.get(ALLOWED));
  const change = (url: string, more: Partial<SourceAddress>): void =>
    setState(({ addresses }) => ({
      addresses: addresses.map((item) => (item.url === url ? { ...item, ...more } : item)),
    }));
  const isNamed = (url: string): boolean => getState().addresses.some((item) => item.url === url);

  const take = ({ url, tree, problem }: RemoteAddress): void => {
    // Another folder may have been opened meanwhile.
    if (!isNamed(url)) return;
    if (tree) trees.set(url, tree);
    else trees.delete(url);
    change(url, { isAsking: false, isHere: tree !== undefined, problem });
  };

  const fetchAll = async (urls: readonly string[], signal?: AbortSignal): Promise<void> => {
    if (urls.length === 0) return;
    const remote = await deps.remote();
    for (const url of urls) change(url, { isAsking: true });
    await Promise.all(
      urls.map(async (url) => {
        try {
          take(await remote.fetch(url, signal));
        } catch (thrown) {
          const why = errorMessage(thrown);
          change(url, {
            isAsking: false,
            problem: signal?.aborted ? 'It didn’t respond in time. Refresh to try again.' : why,
          });
        }
      }),
    );
    deps.onChange();
  };

  let reading = {};

  const openNamed = async (names: readonly string[]): Promise<void> => {
    const known = await deps.handles.list('config');
    for (const name of names) {
      if (folders.has(name)) continue;
      const folder = known.find((item) => item.name === name);
      if (folder && (await deps.handles.isOpen(folder))) folders.set(name, deps.treeOf(folder.handle));
    }
    for (const name of folders.keys()) if (!names.includes(name)) folders.delete(name);
    setState({ folders: names.map((name) => ({ name, isOpen: folders.has(name) })) });
  };

  /** What a person asked for and could not be done is reported, not thrown. */
  const told =
    <Arguments extends readonly unknown[]>(work: (...given: Arguments) => Promise<void>) =>
    async (...given: Arguments): Promise<void> => {
      try {
        setState({ problem: undefined });
        await work(...given);
      } catch (thrown) {
        setState({ problem: errorMessage(thrown) });
      }
    };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    read: async (tree) => {
      // Anyone who loads the folder tells that its configuration cannot be read.
      const mine = (reading = {});
      const config = tree && (await configOf(tree).catch(() => undefined));
      // Another folder was opened meanwhile, and this one is slower.
      if (reading !== mine) return;
      const urls = [...new Set(config?.urls)];
      const names = [...new Set(config?.outside)];
      const before = getState();
      if (names.length > 0 || before.folders.length > 0) await openNamed(names);
      if (urls.join('\n') === before.addresses.map(({ url }) => url).join('\n')) return;
      const yes = await allowed();
      setState({
        addresses: urls.map(
          (url) =>
            before.addresses.find((item) => item.url === url) ?? {
              url,
              isAllowed: yes.has(url),
              isAsking: false,
              isHere: false,
              problem: undefined,
            },
        ),
      });
      for (const url of trees.keys()) if (!urls.includes(url)) trees.delete(url);
      const missing = urls.filter((url) => yes.has(url) && !trees.has(url));
      if (missing.length === 0) return;
      const remote = await deps.remote();
      for (const url of missing) {
        const { tree: kept } = await remote.kept(url);
        if (!kept || !isNamed(url)) continue;
        trees.set(url, kept);
        change(url, { isHere: true });
      }
    },
    allow: told(async (urls: readonly string[]) => {
      await deps.settings.set(ALLOWED, [...new Set([...(await allowed()), ...urls])]);
      for (const url of urls) change(url, { isAllowed: true });
      await fetchAll(urls);
    }),
    refresh: (signal) =>
      fetchAll(
        getState().addresses.flatMap(({ url, isAllowed }) => (isAllowed ? [url] : [])),
        signal,
      ),
    forget: told(async (url: string) => {
      await deps.settings.set(
        ALLOWED,
        [...(await allowed())].filter((item) => item !== url),
      );
      await (await deps.remote()).forget(url);
      trees.delete(url);
      change(url, { isAllowed: false, isHere: false, problem: undefined });
      deps.onChange();
    }),
    openFolder: told(async (name: string) => {
      const known = (await deps.handles.list('config')).find((item) => item.name === name);
      if (known && (await deps.handles.regrant(known))) folders.set(name, deps.treeOf(known.handle));
      else {
        const picked = await deps.pick();
        if (!picked.ok) {
          if (picked.error.code !== 'cancelled') setState({ problem: picked.error.message });
          return;
        }
        await deps.handles.remember(picked.value, 'config', name);
        folders.set(name, deps.treeOf(picked.value));
      }
      await openNamed(getState().folders.map((item) => item.name));
      deps.onChange();
    }),
    closeFolder: told(async (name: string) => {
      const known = (await deps.handles.list('config')).find((item) => item.name === name);
      if (known) await deps.handles.forget(known.id);
      folders.delete(name);
      await openNamed(getState().folders.map((item) => item.name));
      deps.onChange();
    }),
    input: () => ({
      ...(folders.size > 0 && { configFolders: new Map(folders) }),
      // In the order of the configuration: the first of two skills with one name wins.
      ...(trees.size > 0 && { remote: getState().addresses.flatMap(({ url }) => trees.get(url) ?? []) }),
    }),
  };
};
