/**
 * Which folder is open: the demo, one from disk, a private one, or a copy of what was dropped, uploaded or unpacked. It hands the
 * folder's tree to those who edit, check and run, and remembers what was open last.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import { err, ok, type Result } from '../base/result.ts';
import { FileError, type FileErrorCode } from '../model/files/file-error.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import type { LibraryInput } from '../model/library/load-library.ts';
import type { LibrarySkill } from '../model/library/types.ts';
import { createPendingTree, type PendingChange, type PendingTree } from '../model/tool/pending-tree.ts';
import type { PickProblem } from '../platform/fs/pick-folder.ts';
import type { PrivateProblem, PrivateWorkspaces } from '../platform/fs/private-workspace.ts';
import type { Handles, RememberedFolder } from '../platform/store/handles.ts';
import { folderIdentitySchema, type FolderIdentity, type OriginRow } from '../platform/store/schema.ts';
import type { Settings } from '../platform/store/settings.ts';
import type { Origins } from '../platform/store/trust.ts';
import type { FilesStore } from './files-types.ts';

/** Why a folder did not open: `forgotten` and `unsupported` are ours, the rest comes from whoever failed. */
export interface FolderProblem {
  readonly code: FileErrorCode | PickProblem['code'] | PrivateProblem['code'] | 'forgotten' | 'defect';
  /** What a person reads, with what to do next. */
  readonly message: string;
}

export interface FolderState {
  readonly current: FolderIdentity | undefined;
  /** Folders from disk that were opened before, newest first. */
  readonly recent: readonly Pick<RememberedFolder, 'id' | 'name' | 'usedAt'>[];
  readonly user: { readonly name: string } | undefined;
  /** What is being done, such as `Copying the demo`; with how far it is. */
  readonly work: { readonly label: string; readonly done?: number } | undefined;
  /** The folder of the last visit, which the browser lets us open only after a click. */
  readonly waiting: { readonly id: string; readonly name: string } | undefined;
  /** The user library of the last visit, likewise. */
  readonly waitingUser: { readonly name: string } | undefined;
  readonly problem: FolderProblem | undefined;
}

export interface FolderStore extends Pick<StoreApi<FolderState>, 'getState' | 'subscribe' | 'getInitialState'> {
  /** What was open at the last visit, else the demo. */
  readonly start: () => Promise<void>;
  /** When `start` has come to its end, well or not: who is quicker than the first folder waits for it. */
  readonly started: Promise<void>;
  readonly openDemo: () => Promise<void>;
  /** Throws away the copy of the demo and makes a new one. */
  readonly resetDemo: () => Promise<void>;
  /** Call these inside a click. */
  readonly openPicked: () => Promise<void>;
  readonly openRecent: (id: string) => Promise<void>;
  readonly openUser: () => Promise<void>;
  /** The one of the last visit. */
  readonly reopenUser: () => Promise<void>;
  readonly openHandle: (handle: FileSystemDirectoryHandle) => Promise<void>;
  readonly closeUser: () => Promise<void>;
  /** A copy in the browser of something that came from elsewhere; every skill in it is foreign (D27). */
  readonly openCopy: (source: FileTree, origin: Origin) => Promise<void>;
  readonly openPrivate: (name: string) => Promise<void>;
  /** Opens a folder of an earlier time again. Call it inside a click. */
  readonly reopen: (folder: FolderIdentity) => Promise<void>;
  /** Whether `reopen` can find it. */
  readonly isKnown: (folder: FolderIdentity) => Promise<boolean>;
  readonly forget: (id: string) => Promise<void>;
  readonly cancel: () => void;

  readonly tree: () => FileTree | undefined;
  /** The agent's writes over the folder. */
  readonly pending: () => PendingTree | undefined;
  readonly library: () => LibraryInput;
  readonly isForeign: (item: Pick<LibrarySkill, 'path' | 'layer'>) => boolean;
  /** Marks a folder of the current workspace as one that came from elsewhere. */
  readonly noteOrigin: (path: string, origin: Origin, from?: string) => Promise<void>;
}

/** How something came here from elsewhere. An upload counts as a drop. */
export type Origin = OriginRow['kind'];

export interface FolderDeps {
  readonly files: Pick<FilesStore, 'openFolder'>;
  /** The demo as it is served. */
  readonly demo: () => Promise<FileTree>;
  /** Nothing where the browser has no private storage. */
  readonly privates: () => Promise<PrivateWorkspaces | undefined>;
  /** Where there is no private storage, a copy that lasts as long as the page. */
  readonly inMemory: (source: FileTree) => Promise<FileTree>;
  readonly handles: Handles;
  readonly settings: Settings;
  readonly origins: Origins;
  readonly pick: (id: string) => Promise<Result<FileSystemDirectoryHandle, PickProblem>>;
  /** `mayWrite` asks the person once. */
  readonly treeOf: (handle: FileSystemDirectoryHandle) => FileTree;
}

const LAST = 'folder.last';
const DEMO = 'demo';
const DEMO_DONE = 'demo.copied';

const privateId = (name: string): string => `private:${name}`;
const DEMO_ID = privateId(DEMO);

interface Opening {
  readonly folder: FolderIdentity;
  readonly tree: FileTree;
  /** What waited for a person in the folder before belongs to files that are gone. */
  readonly isAnew?: boolean;
}

const problemOf = (thrown: unknown): FolderProblem => ({
  code: thrown instanceof FileError ? thrown.code : 'defect',
  message: errorMessage(thrown),
});

export const createFolderStore = (deps: FolderDeps): FolderStore => {
  const store = createStore<FolderState>(() => ({
    current: undefined,
    recent: [],
    user: undefined,
    work: undefined,
    waiting: undefined,
    waitingUser: undefined,
    problem: undefined,
  }));
  const { getState, setState } = store;
  let tree: FileTree | undefined;
  let pending: PendingTree | undefined;
  let user: FileTree | undefined;
  let foreign: readonly string[] = [];
  let abort = new AbortController();
  /** Ends when the folder that is being shown is open. */
  let switching: Promise<void> = Promise.resolve();
  /** By folder: what an agent wrote that nobody had applied when the folder was left. */
  const unapplied = new Map<string, readonly PendingChange[]>();

  const refresh = async (): Promise<void> => {
    const recent = await deps.handles.list('project');
    setState({ recent: recent.map(({ id, name, usedAt }) => ({ id, name, usedAt })) });
  };

  /** Shows what was opened, unless something else was wanted since. */
  const show = async ({ folder, tree: opened, isAnew }: Opening, signal: AbortSignal): Promise<void> => {
    const origins = await deps.origins.list(folder.id);
    if (signal.aborted) return;
    await deps.files.openFolder({ id: folder.id, tree: opened });
    // The files are this folder's now, so the rest is too, even if a later folder is next in line.
    const { current: last } = getState();
    if (last && pending) unapplied.set(last.id, pending.pending());
    tree = opened;
    pending = createPendingTree(opened, {
      remove: (path) => opened.remove(path),
      changes: isAnew ? [] : (unapplied.get(folder.id) ?? []),
    });
    unapplied.delete(folder.id);
    foreign = origins.map(({ path }) => path);
    setState({
      current: folder,
      waiting: undefined,
      problem: undefined,
      ...(!signal.aborted && { work: undefined }),
    });
    await deps.settings.set(LAST, folder);
    await refresh();
  };

  /**
   * Runs one opening; a failure is told where it happened and leaves what was open. A later opening takes the place of one that
   * is under way, however long that one takes. Gives whether it was still the last one wanted.
   */
  const attempt = async (
    label: string,
    open: (signal: AbortSignal) => Promise<Result<Opening, FolderProblem>>,
  ): Promise<boolean> => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    setState({ work: { label }, problem: undefined });
    try {
      const opened = await open(signal);
      if (!opened.ok) {
        if (!signal.aborted) setState({ problem: opened.error });
      } else {
        const turn = switching.then(() => (signal.aborted ? undefined : show(opened.value, signal)));
        // A failure is this opening's; the next in line does not care.
        switching = turn.catch(() => {});
        await turn;
      }
    } catch (thrown) {
      if (!signal.aborted) setState({ problem: problemOf(thrown) });
    }
    if (!signal.aborted) setState({ work: undefined });
    return !signal.aborted;
  };

  const copyInto = async (
    source: FileTree,
    name: string,
    label: string,
    signal: AbortSignal,
  ): Promise<Result<FileTree, FolderProblem>> => {
    const privates = await deps.privates();
    if (!privates) return ok(await deps.inMemory(source));
    return privates.copyIn(source, name, {
      signal,
      onProgress: ({ done }) => {
        if (!signal.aborted) setState({ work: { label, done } });
      },
    });
  };

  const openDemo = (isReset: boolean): Promise<boolean> =>
    attempt('Opening the demo', async (signal) => {
      const privates = await deps.privates();
      // A copy that was interrupted has no mark, and is thrown away.
      const isWhole = (await deps.settings.get(DEMO_DONE)) === true;
      if (privates && (isReset || !isWhole)) {
        const removed = await privates.remove(DEMO);
        if (!removed.ok && removed.error.code !== 'missing') return removed;
      }
      const kept = await privates?.open(DEMO);
      const opened = kept?.ok ? kept : await copyInto(await deps.demo(), DEMO, 'Copying the demo', signal);
      if (!opened.ok) return opened;
      await deps.settings.set(DEMO_DONE, true);
      return ok({ folder: { id: DEMO_ID, name: DEMO, kind: 'demo' }, tree: opened.value, isAnew: isReset });
    });

  const fromDisk = async (handle: FileSystemDirectoryHandle): Promise<Result<Opening, never>> => {
    const { id, name } = await deps.handles.remember(handle, 'project');
    return ok({ folder: { id, name, kind: 'disk' }, tree: deps.treeOf(handle) });
  };

  const openHandle = (handle: FileSystemDirectoryHandle): Promise<boolean> =>
    attempt(`Opening ${handle.name}`, () => fromDisk(handle));

  const openPrivate = (name: string): Promise<boolean> =>
    attempt(`Opening ${name}`, async () => {
      const opened = await (await deps.privates())?.open(name);
      if (!opened)
        return err({
          code: 'unsupported',
          message: 'This browser has no private storage for pages. Open a folder from disk instead.',
        });
      if (!opened.ok) return opened;
      return ok({
        folder: { id: privateId(name), name, kind: name === DEMO ? 'demo' : 'private' },
        tree: opened.value,
      });
    });

  const rememberedAt = async (id: string): Promise<RememberedFolder | undefined> =>
    (await deps.handles.list('project')).find((item) => item.id === id);

  const openRecent = (id: string): Promise<boolean> =>
    attempt('Opening the folder', async () => {
      const folder = await rememberedAt(id);
      if (!folder) return err({ code: 'forgotten', message: 'Lathe no longer remembers this folder. Open it again.' });
      if (!(await deps.handles.regrant(folder)))
        return err({
          code: 'denied',
          message: `The browser did not allow ${folder.name}. Try again, or open another folder.`,
        });
      return fromDisk(folder.handle);
    });

  const useUser = async (folder: RememberedFolder): Promise<void> => {
    user = deps.treeOf(folder.handle);
    setState({ user: { name: folder.name }, waitingUser: undefined });
    await refresh();
  };

  const openFirst = async (): Promise<void> => {
    const first = abort;
    await refresh();
    const library = (await deps.handles.list('user'))[0];
    if (library && (await deps.handles.isOpen(library))) await useUser(library);
    else if (library) setState({ waitingUser: { name: library.name } });
    const last = folderIdentitySchema.safeParse(await deps.settings.get(LAST)).data;
    const folder = last?.kind === 'disk' ? await rememberedAt(last.id) : undefined;
    const isOpen = folder !== undefined && (await deps.handles.isOpen(folder));
    // A person may have been quicker, and what they opened stays.
    if (abort !== first) return;
    if (isOpen) await openHandle(folder.handle);
    else if (last && (last.kind === 'private' || last.kind === 'copy')) {
      const isLast = await openPrivate(last.name);
      if (isLast && !getState().current) await openDemo(false);
    } else {
      const isLast = await openDemo(false);
      if (isLast && folder) setState({ waiting: { id: folder.id, name: folder.name } });
    }
  };

  let hasStarted = (): void => {};
  const started = new Promise<void>((resolve) => {
    hasStarted = resolve;
  });

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    started,
    start: async () => {
      try {
        await openFirst();
      } finally {
        hasStarted();
      }
    },
    openDemo: async () => void (await openDemo(false)),
    resetDemo: async () => void (await openDemo(true)),
    openPicked: async () => {
      const picked = await deps.pick('project');
      if (picked.ok) await openHandle(picked.value);
      else if (picked.error.code !== 'cancelled') setState({ problem: picked.error });
    },
    openRecent: async (id) => void (await openRecent(id)),
    openHandle: async (handle) => void (await openHandle(handle)),
    openUser: async () => {
      const picked = await deps.pick('user');
      if (!picked.ok) {
        if (picked.error.code !== 'cancelled') setState({ problem: picked.error });
        return;
      }
      await useUser(await deps.handles.remember(picked.value, 'user'));
    },
    reopenUser: async () => {
      const library = (await deps.handles.list('user'))[0];
      if (!library) return setState({ waitingUser: undefined });
      if (await deps.handles.regrant(library)) return useUser(library);
      return setState({
        problem: {
          code: 'denied',
          message: `The browser did not allow ${library.name}. Try again, or open another library.`,
        },
      });
    },
    closeUser: async () => {
      const library = (await deps.handles.list('user'))[0];
      if (library) await deps.handles.forget(library.id);
      user = undefined;
      setState({ user: undefined, waitingUser: undefined });
    },
    openCopy: async (source, origin) => {
      await attempt(`Copying ${source.name}`, async (signal) => {
        const opened = await copyInto(source, source.name, `Copying ${source.name}`, signal);
        if (!opened.ok) return opened;
        const { name } = opened.value;
        const id = privateId(name);
        await deps.origins.note({ workspace: id, path: '', kind: origin, from: source.name });
        return ok({ folder: { id, name, kind: 'copy' }, tree: opened.value });
      });
    },
    openPrivate: async (name) => void (await openPrivate(name)),
    reopen: async ({ kind, id, name }) => {
      if (kind === 'disk') await openRecent(id);
      else if (kind === 'demo') await openDemo(false);
      else await openPrivate(name);
    },
    isKnown: async ({ kind, id, name }) => {
      if (kind === 'demo') return true;
      if (kind === 'disk') return (await rememberedAt(id)) !== undefined;
      return ((await (await deps.privates())?.list()) ?? []).includes(name);
    },
    forget: async (id) => {
      await deps.handles.forget(id);
      await refresh();
    },
    cancel: () => {
      abort.abort();
      setState({ work: undefined });
    },
    tree: () => tree,
    pending: () => pending,
    library: () => ({ ...(pending && { project: { tree: pending } }), ...(user && { user }) }),
    isForeign: ({ path, layer }) =>
      layer === 'project' && foreign.some((top) => top === '' || top === path || path.startsWith(`${top}/`)),
    noteOrigin: async (path, origin, from = '') => {
      const { current } = getState();
      if (!current) return;
      await deps.origins.note({ workspace: current.id, path, kind: origin, from });
      foreign = (await deps.origins.list(current.id)).map((row) => row.path);
    },
  };
};
