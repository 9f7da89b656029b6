/**
 * The files of the opened folder: which are open, what is not saved, what changed on disk, and taking back what was created,
 * renamed or deleted. Rules: `model/files/SPEC.md`, FI.
 */
import { err, ok } from '../base/result.ts';
import { createChangeCheck } from '../model/files/changes.ts';
import { isCancelled } from '../model/files/file-error.ts';
import { HEAVY_FOLDERS, walkTree } from '../model/files/walk-tree.ts';
import { isDirty } from './files-documents.ts';
import { createFilesCore, NOTHING_OPEN, problemOf, readOnlyReasonOf, type Opened } from './files-core.ts';
import { createOperations } from './files-operations.ts';
import { createSaving } from './files-saving.ts';
import type { FilesDeps, FilesStore, Listing } from './files-types.ts';

const MOST_LISTED = 100_000;

export const createFilesStore = (deps: FilesDeps): FilesStore => {
  const core = createFilesCore(deps);
  const { store, enqueue, opened } = core;
  const saving = createSaving(core, deps);
  const { forgetAll, ...operations } = createOperations(core, deps);
  let listing: AbortController | undefined;

  const showRole = (folder: Opened): void =>
    store.setState({ role: folder.claim.role(), readOnlyReason: readOnlyReasonOf(folder) });

  const checkDisk = async (): Promise<void> => {
    if (!opened()) return;
    const found = await enqueue(saving.check);
    if (found.ok) found.value.forEach(core.changed.emit);
  };

  const save: FilesStore['save'] = (path) => {
    // Other work may be waiting for the disk: the draft doesn't wait with it.
    void deps.drafts.flush();
    return enqueue((folder) => saving.save(folder, path));
  };

  const hearOutside = (path: string): void => {
    core.enqueueOnce('check', saving.check);
    core.refreshAbove(path);
    const known = [...store.getState().folders.keys()];
    for (const folder of path === '' ? known : known.filter((each) => each === path)) {
      core.enqueueOnce(`look ${folder}`, (now) => core.look(now, folder));
    }
    core.changed.emit(path);
  };

  const closeFolder = async (): Promise<void> => {
    listing?.abort();
    await core.idle();
    const last = opened();
    core.setOpened(undefined);
    forgetAll();
    store.setState(NOTHING_OPEN, true);
    last?.owned.forEach((owned) => owned[Symbol.dispose]());
    await last?.claim[Symbol.asyncDispose]();
  };

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    onChange: core.changed.subscribe,
    onMove: core.moves.subscribe,
    ...operations,
    closeFolder,
    checkDisk,
    openFolder: async ({ id, tree, readOnlyReason }) => {
      await closeFolder();
      const claim = await deps.guard.claim(id);
      const folder: Opened = { id, tree, claim, changes: createChangeCheck(tree), readOnlyReason, owned: [] };
      core.setOpened(folder);
      store.setState({ folder: { id, name: tree.name } });
      showRole(folder);
      const onRole = claim.subscribe((role) => {
        showRole(folder);
        if (role === 'reader') return;
        // The other tab may have written; what is not saved here is this tab's to keep again.
        void checkDisk().then(() => [...store.getState().documents.keys()].forEach(core.keepDraft));
      });
      folder.owned.push(onRole);
      if (deps.watch) folder.owned.push(deps.watch(tree, hearOutside));
      const kept = await deps.drafts.list(id);
      store.setState({ recoverable: kept.map(({ path }) => path) });
      await enqueue((now) => core.look(now, ''));
    },
    lookInto: (path) => enqueue((folder) => core.look(folder, path)),
    listAll: async () => {
      const folder = opened();
      if (!folder) return;
      listing?.abort();
      const controller = new AbortController();
      listing = controller;
      const show = (next: Listing): void => {
        if (listing === controller && opened() === folder) store.setState({ listing: next });
      };
      show({ status: 'running', files: 0, folders: 0 });
      try {
        const { files, isCut } = await walkTree(folder.tree, '', {
          signal: controller.signal,
          skip: HEAVY_FOLDERS,
          maxFiles: MOST_LISTED,
          ...(deps.pause && { pause: deps.pause }),
          onProgress: (progress) => show({ status: 'running', ...progress }),
        });
        show({ status: 'done', paths: files, isCut });
      } catch (thrown) {
        show(isCancelled(thrown) ? { status: 'cancelled' } : { status: 'failed', problem: problemOf(thrown) });
      }
    },
    cancelListing: () => listing?.abort(),
    open: (path) => {
      const known = core.documentAt(path);
      if (known) return Promise.resolve(ok(known));
      return enqueue(async (folder) => {
        const already = core.documentAt(path);
        if (already) return ok(already);
        const loaded = await saving.load(folder, path);
        if (loaded.ok) core.put(loaded.value);
        store.setState({ recoverable: store.getState().recoverable.filter((other) => other !== path) });
        return loaded;
      });
    },
    edit: (path, text) => {
      if (core.textAt(path)?.text === text) return;
      core.patch(path, { text, problem: undefined });
      core.keepDraft(path);
    },
    save,
    saveAll: async () => {
      const paths = [...store.getState().documents.values()].filter(isDirty).map(({ path }) => path);
      const answers = await Promise.all(paths.map(async (path) => [path, await save(path)] as const));
      return new Map(answers.flatMap(([path, answer]) => (answer.ok ? [] : [[path, answer.error] as const])));
    },
    resolve: (path, choice) => enqueue((folder) => saving.resolve(folder, path, choice)),
    compare: (path, isComparing) => core.patch(path, { isComparing }),
    reload: (path) => enqueue((folder) => saving.reload(folder, path)),
    close: (path, { discard = false } = {}) => {
      const document = core.documentAt(path);
      if (!document) return ok(undefined);
      if (isDirty(document) && !discard) {
        return err({ code: 'unsaved', message: `${path} has unsaved changes. Save or discard them.` });
      }
      core.setDocuments((documents) => documents.delete(path));
      opened()?.changes.forget(path);
      core.dropDraft(path);
      return ok(undefined);
    },
    takeOver: async () => {
      const folder = opened();
      await folder?.claim.takeOver();
      if (folder) showRole(folder);
    },
  };
};
