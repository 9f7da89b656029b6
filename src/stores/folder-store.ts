/**
 * Which folder is open: the demo, one from disk, a private one, or a copy of what was dropped, uploaded or unpacked. It hands the
 * folder's tree to those who edit, check and run, and remembers what was open last.
 */
import { createStore } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import { err, ok, type Result } from '../base/result.ts';
import { FileError } from '../model/files/file-error.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import type { LeftOut } from '../model/files/write-rules.ts';
import { createPendingTree, type PendingChange, type PendingTree } from '../model/tool/pending-tree.ts';
import type { RememberedFolder } from '../platform/store/handles.ts';
import { folderIdentitySchema, type FolderIdentity } from '../platform/store/schema.ts';
import {
  type Copy,
  type FolderDeps,
  type FolderProblem,
  type FolderState,
  type FolderStore,
  CLOSED_FOLDER,
} from './folder-types.ts';

const LAST = 'folder.last';
const DEMO = 'demo';

const privateId = (name: string): string => `private:${name}`;
const DEMO_ID = privateId(DEMO);

interface Opening {
  readonly folder: FolderIdentity;
  readonly tree: FileTree;
  readonly leftOut?: readonly LeftOut[];
  /** What waited for a person in the folder before belongs to files that are gone. */
  readonly isAnew?: boolean;
}

const problemOf = (thrown: unknown): FolderProblem => ({
  code: thrown instanceof FileError ? thrown.code : 'defect',
  message: errorMessage(thrown),
});

export const createFolderStore = (deps: FolderDeps): FolderStore => {
  const store = createStore<FolderState>(() => CLOSED_FOLDER);
  const { getState, setState } = store;
  let tree: FileTree | undefined;
  let pending: PendingTree | undefined;
  let user: FileTree | undefined;
  let foreign: readonly string[] = [];
  let abort = new AbortController();
  /** Ends when the folder that is being shown is open. */
  let switching: Promise<void> = Promise.resolve();
  /** One copy at a time: one that was canceled still tidies up when the next is wanted. */
  let copying: Promise<unknown> = Promise.resolve();
  /** By folder: what an agent wrote that nobody had applied when the folder was left. */
  const unapplied = new Map<string, readonly PendingChange[]>();

  const refresh = async (): Promise<void> => {
    const recent = await deps.handles.list('project');
    setState({ recent: recent.map(({ id, name, usedAt }) => ({ id, name, usedAt })) });
  };

  /** Shows what was opened, unless something else was wanted since. */
  const show = async ({ folder, tree: opened, isAnew, leftOut = [] }: Opening, signal: AbortSignal): Promise<void> => {
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
      leftOut,
      ...(!signal.aborted && { work: undefined }),
    });
    await deps.settings.set(LAST, folder);
    await refresh();
  };

  /**
   * Runs one opening; a failure is told where it happened and leaves what was open. A later opening takes the place of one that
   * is under way, however long that one takes, and so does a cancel. Gives whether it was still wanted at its end.
   */
  const attempt = async (
    label: string,
    open: (signal: AbortSignal) => Promise<Result<Opening, FolderProblem>>,
  ): Promise<boolean> => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    setState({ work: { label }, problem: undefined });
    const ended = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    try {
      // What does not listen to the signal, such as a server that does not answer, is not waited for.
      const opened = await Promise.race([open(signal), ended]);
      if (!opened) return false;
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
  ): Promise<Result<Copy, FolderProblem>> => {
    const privates = await deps.privates();
    if (!privates) return ok(await deps.inMemory(source));
    await copying;
    signal.throwIfAborted();
    let leftOut: readonly LeftOut[] = [];
    const copy = privates.copyIn(source, name, {
      signal,
      onLeftOut: (refused) => {
        leftOut = refused;
      },
      onProgress: ({ done }) => {
        if (!signal.aborted) setState({ work: { label, done } });
      },
    });
    copying = copy.catch(() => {});
    const copied = await copy;
    return copied.ok ? ok({ tree: copied.value, leftOut }) : copied;
  };

  const openDemo = (isReset: boolean): Promise<boolean> =>
    attempt('Opening the demo', async (signal) => {
      const privates = await deps.privates();
      if (privates && isReset) {
        await copying;
        signal.throwIfAborted();
        const removed = await privates.remove(DEMO);
        if (!removed.ok && removed.error.code !== 'missing') return removed;
      }
      const kept = await privates?.open(DEMO);
      const folder: FolderIdentity = { id: DEMO_ID, name: DEMO, kind: 'demo' };
      if (kept?.ok) return ok({ folder, tree: kept.value });
      const copied = await copyInto(await deps.demo(), DEMO, 'Copying the demo', signal);
      if (!copied.ok) return copied;
      return ok({ folder, ...copied.value, isAnew: isReset });
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
          message: 'This browser has no private storage. Open a folder from disk instead.',
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
          message: `The browser didn’t allow access to ${folder.name}. Try again, or open another folder.`,
        });
      return fromDisk(folder.handle);
    });

  const useUser = async (folder: RememberedFolder): Promise<void> => {
    user = deps.treeOf(folder.handle);
    setState({ user: { name: folder.name }, waitingUser: undefined });
    await refresh();
  };

  const openFirst = async (without: string | undefined): Promise<void> => {
    const first = abort;
    await refresh();
    const library = (await deps.handles.list('user'))[0];
    if (library && (await deps.handles.isOpen(library))) await useUser(library);
    else if (library) setState({ waitingUser: { name: library.name } });
    const kept = folderIdentitySchema.safeParse(await deps.settings.get(LAST)).data;
    const last = kept?.id === without ? undefined : kept;
    const folder = last?.kind === 'disk' ? await rememberedAt(last.id) : undefined;
    const isOpen = folder !== undefined && (await deps.handles.isOpen(folder));
    // A person may have been quicker: what they opened stays, and what they canceled does not open.
    if (abort !== first || first.signal.aborted) return;
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
    start: async (without) => {
      if (abort.signal.aborted) abort = new AbortController();
      try {
        await openFirst(without);
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
          message: `The browser didn’t allow access to ${library.name}. Try again, or open another library.`,
        },
      });
    },
    closeUser: async () => {
      const library = (await deps.handles.list('user'))[0];
      if (library) await deps.handles.forget(library.id);
      user = undefined;
      setState({ user: undefined, waitingUser: undefined });
    },
    openCopy: async (source, origin, refused = []) => {
      await attempt(`Copying ${source.name}`, async (signal) => {
        const copied = await copyInto(source, source.name, `Copying ${source.name}`, signal);
        if (!copied.ok) return copied;
        const { tree: copy, leftOut } = copied.value;
        const id = privateId(copy.name);
        await deps.origins.note({ workspace: id, path: '', kind: origin, from: source.name });
        return ok({ folder: { id, name: copy.name, kind: 'copy' }, tree: copy, leftOut: [...refused, ...leftOut] });
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
      hasStarted();
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
