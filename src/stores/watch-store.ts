/** Folders that an agent writes into, watched while it works: each fills a recording. Their handles are kept, so one click resumes. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import type { Result } from '../base/result.ts';
import type { Handles, RememberedFolder } from '../platform/store/handles.ts';
import type { NamedFile } from '../platform/worker/recording-messages.ts';
import type { RecordingsStore } from './recordings-store.ts';

export interface WatchedSource {
  readonly id: string;
  readonly name: string;
  /** `asleep`: known from before, and not looked at. */
  readonly status: 'asleep' | 'watching' | 'failed';
  /** Why it is no longer watched. */
  readonly problem?: string;
  /** The recording that it fills. */
  readonly recording?: string;
}

export interface WatchState {
  /** Newest first. */
  readonly sources: readonly WatchedSource[];
  /** Why a folder could not be chosen. */
  readonly problem: string | undefined;
}

/** Gives the files there are, at the start and after each change, until it is aborted. */
export type Watch = (options: {
  /** False: they could not be read now, so they are to come again. */
  readonly onFiles: (files: readonly NamedFile[]) => Promise<boolean>;
  readonly onFault: (thrown: unknown) => void;
  readonly signal: AbortSignal;
}) => Promise<void>;

export interface WatchStore extends Pick<StoreApi<WatchState>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Call it inside a click. */
  readonly pick: () => Promise<void>;
  /** Call it inside a click: the browser may ask. */
  readonly resume: (id: string) => Promise<void>;
  readonly pause: (id: string) => void;
  readonly forget: (id: string) => Promise<void>;
  /** Something that is no folder, such as a capture that serves this page. */
  readonly follow: (name: string, watch: Watch) => Promise<void>;
}

export interface WatchDeps {
  readonly handles: Pick<Handles, 'list' | 'remember' | 'forget' | 'regrant'>;
  readonly pick: () => Promise<Result<FileSystemDirectoryHandle, { readonly code: string; readonly message: string }>>;
  /** Where the browser can't watch a folder: its files as they are now; empty if the user chose nothing. */
  readonly choose?: () => Promise<readonly File[]>;
  readonly watch: (folder: FileSystemDirectoryHandle) => Watch;
  readonly recordings: Pick<RecordingsStore, 'openAll' | 'openDropped' | 'update' | 'getState'>;
}

/** A file that is written while it is read can't be read; the next look finds it whole. */
const MOST_FAILURES = 5;

const READ_ONCE =
  'This browser can’t watch folders, so Lathe read this one once. Choose it again to see newer requests.';

export const createWatchStore = ({ handles, pick, choose, watch, recordings }: WatchDeps): WatchStore => {
  const store = createStore<WatchState>(() => ({ sources: [], problem: undefined }));
  const { getState, setState } = store;
  const running = new Map<string, AbortController>();
  const folders = new Map<string, RememberedFolder>();

  const change = (id: string, facts: Partial<WatchedSource>): void =>
    setState(({ sources }) => ({
      sources: sources.map((source) => (source.id === id ? Object.assign({}, source, facts) : source)),
    }));
  const put = (source: WatchedSource): void =>
    setState(({ sources }) => ({
      sources: [source, ...sources.filter(({ id }) => id !== source.id)],
      problem: undefined,
    }));
  const pause = (id: string): void => {
    running.get(id)?.abort();
    running.delete(id);
    change(id, { status: 'asleep' });
  };

  const run = async (id: string, name: string, looking: Watch): Promise<void> => {
    running.get(id)?.abort();
    const own = new AbortController();
    running.set(id, own);
    const { signal } = own;
    const known = getState().sources.find((source) => source.id === id)?.recording;
    let recording = recordings.getState().recordings.some((item) => item.id === known) ? known : undefined;
    put({ id, name, status: 'watching', ...(recording !== undefined && { recording }) });
    let failures = 0;
    await looking({
      signal,
      onFiles: async (files) => {
        try {
          if (recording === undefined) {
            recording = await recordings.openAll(name, files);
            if (recording === undefined) throw new Error(recordings.getState().problem ?? 'it was canceled');
            change(id, { recording });
          } else if (recordings.getState().recordings.some((item) => item.id === recording))
            await recordings.update(recording, files);
          // Its recording was closed.
          else pause(id);
          failures = 0;
          return true;
        } catch (thrown) {
          failures++;
          if (failures >= MOST_FAILURES) throw thrown;
          return false;
        }
      },
      onFault: (thrown) => {
        running.delete(id);
        change(id, { status: 'failed', problem: errorMessage(thrown) });
      },
    });
  };

  const start = (folder: RememberedFolder): void => {
    folders.set(folder.id, folder);
    void run(folder.id, folder.name, watch(folder.handle));
  };

  const load = async (): Promise<void> => {
    const list = await handles.list('watched');
    for (const folder of list) folders.set(folder.id, folder);
    setState(({ sources }) => ({
      sources: [
        ...sources,
        ...list
          .filter(({ id }) => !sources.some((source) => source.id === id))
          .map(({ id, name }): WatchedSource => ({ id, name, status: 'asleep' })),
      ],
    }));
  };
  const loading = load().catch((thrown: unknown) => setState({ problem: errorMessage(thrown) }));

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    pick: async () => {
      if (choose) {
        const files = await choose();
        if (files.length === 0) return;
        setState({ problem: READ_ONCE });
        const named = files.map((file) => ({ name: file.webkitRelativePath || file.name, file }));
        await recordings.openDropped(Promise.resolve(named));
        return;
      }
      const picked = await pick();
      if (picked.ok) {
        await loading;
        start(await handles.remember(picked.value, 'watched'));
      } else setState({ problem: picked.error.code === 'cancelled' ? undefined : picked.error.message });
    },
    resume: async (id) => {
      const folder = folders.get(id);
      if (!folder) return;
      if (await handles.regrant(folder)) start(folder);
      else change(id, { status: 'failed', problem: 'the browser has no permission to read it. Allow it when asked' });
    },
    pause,
    forget: async (id) => {
      running.get(id)?.abort();
      running.delete(id);
      folders.delete(id);
      setState(({ sources }) => ({ sources: sources.filter((source) => source.id !== id) }));
      await handles.forget(id);
    },
    follow: (name, looking) => run(name, name, looking),
  };
};
