/** What saving, operations and the store share: the state, the folder that is open, and one queue for whatever touches the disk. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createEmitter, type Emitter } from '../base/emitter.ts';
import { errorMessage } from '../base/errors.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { ChangeCheck } from '../model/files/changes.ts';
import { FileError } from '../model/files/file-error.ts';
import { isBelow, parentPath, type FileTree, type TreeEntry } from '../model/files/file-tree.ts';
import { READER_REASON, type TabClaim } from '../platform/fs/tab-guard.ts';
import { isDirty, type FileDocument, type FileProblem, type TextDocument } from './files-documents.ts';
import type { Answer, DocumentMove, FilesDeps, FilesState } from './files-types.ts';

/** What belongs to the folder that is open, and goes with it. */
export interface Opened {
  readonly id: string;
  readonly tree: FileTree;
  readonly claim: TabClaim;
  readonly changes: ChangeCheck;
  readonly readOnlyReason: string | undefined;
  readonly owned: Disposable[];
}

export const NOTHING_OPEN: FilesState = {
  folder: undefined,
  role: 'reader',
  readOnlyReason: undefined,
  folders: new Map(),
  listing: { status: 'none' },
  documents: new Map(),
  recoverable: [],
  undoLabel: undefined,
  redoLabel: undefined,
};

export const problemOf = (thrown: unknown): FileProblem => ({
  code: thrown instanceof FileError ? thrown.code : 'failed',
  message: errorMessage(thrown),
});

/** Why nothing can be saved; nothing if it can. */
export const readOnlyReasonOf = ({ claim, readOnlyReason }: Opened): string | undefined =>
  readOnlyReason ?? (claim.role() === 'writer' ? undefined : READER_REASON);

export const notWritable = (folder: Opened): Result<never, FileProblem> | undefined => {
  const message = readOnlyReasonOf(folder);
  return message === undefined ? undefined : err({ code: 'read-only', message });
};

export interface FilesCore {
  readonly store: StoreApi<FilesState>;
  readonly changed: Emitter<string>;
  readonly moves: Emitter<DocumentMove>;
  readonly opened: () => Opened | undefined;
  readonly setOpened: (folder: Opened | undefined) => void;
  /** One after the other. What an adapter rejects with is an answer. */
  readonly enqueue: <T>(work: (folder: Opened) => Answer<T>) => Answer<T>;
  /** As `enqueue`, unless the same is waiting already. */
  readonly enqueueOnce: (name: string, work: (folder: Opened) => Answer<unknown>) => void;
  /** Done once everything so far is. */
  readonly idle: () => Promise<unknown>;
  readonly documentAt: (path: string) => FileDocument | undefined;
  readonly textAt: (path: string) => TextDocument | undefined;
  readonly setDocuments: (edit: (documents: Map<string, FileDocument>) => void) => void;
  readonly put: (document: FileDocument) => void;
  /** The document may have been edited or closed since: only what is named changes. */
  readonly patch: (path: string, change: Partial<TextDocument>) => void;
  readonly keepDraft: (path: string) => void;
  /** Done once the unsaved text is on the disk as a draft, whatever becomes of the page after that. */
  readonly secureDraft: (path: string) => Promise<void>;
  readonly dropDraft: (path: string) => void;
  readonly look: (folder: Opened, path: string) => Answer<readonly TreeEntry[]>;
  /** Folders above the path that were looked into show what is in them now. */
  readonly refreshAbove: (path: string) => void;
}

export const createFilesCore = ({ drafts }: FilesDeps): FilesCore => {
  const store = createStore<FilesState>(() => NOTHING_OPEN);
  let opened: Opened | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const waiting = new Set<string>();

  const enqueue = <T>(work: (folder: Opened) => Answer<T>): Answer<T> => {
    const next = queue.then(async (): Answer<T> => {
      if (!opened) return err({ code: 'missing', message: 'No folder is open.' });
      try {
        return await work(opened);
      } catch (thrown) {
        return err(problemOf(thrown));
      }
    });
    queue = next;
    return next;
  };
  const enqueueOnce: FilesCore['enqueueOnce'] = (name, work) => {
    if (waiting.has(name)) return;
    waiting.add(name);
    void enqueue((folder) => {
      waiting.delete(name);
      return work(folder);
    }).finally(() => waiting.delete(name));
  };

  const documentAt = (path: string): FileDocument | undefined => store.getState().documents.get(path);
  const textAt = (path: string): TextDocument | undefined => {
    const document = documentAt(path);
    return document?.kind === 'text' ? document : undefined;
  };
  const setDocuments: FilesCore['setDocuments'] = (edit) => {
    const documents = new Map(store.getState().documents);
    edit(documents);
    store.setState({ documents });
  };
  const put = (document: FileDocument): void => setDocuments((documents) => documents.set(document.path, document));

  /** Drafts belong to the tab that writes: another tab's would stand for the same file. */
  const mayKeep = (): boolean => opened?.claim.role() === 'writer';
  const dropDraft = (path: string): void => {
    if (opened && mayKeep()) drafts.drop(opened.id, path);
  };

  const keepDraft = (path: string): void => {
    const document = textAt(path);
    if (!opened || !document || !mayKeep()) return;
    if (!isDirty(document)) drafts.drop(opened.id, path);
    else {
      const base = document.conflict?.base ?? document.saved ?? '';
      drafts.keep(opened.id, path, { text: document.text, base });
    }
  };

  const look: FilesCore['look'] = async ({ tree }, path) => {
    const entries = await tree.list(path);
    const folders = new Map(store.getState().folders);
    if (entries) folders.set(path, entries);
    else for (const known of folders.keys()) if (known === path || isBelow(path, known)) folders.delete(known);
    store.setState({ folders });
    return entries ? ok(entries) : err({ code: 'missing', message: `${path} no longer exists.` });
  };

  return {
    store,
    changed: createEmitter<string>(),
    moves: createEmitter<DocumentMove>(),
    opened: () => opened,
    setOpened: (folder) => {
      opened = folder;
    },
    enqueue,
    enqueueOnce,
    idle: () => queue,
    documentAt,
    textAt,
    setDocuments,
    put,
    patch: (path, change) => {
      const document = textAt(path);
      if (document) put({ ...document, ...change });
    },
    keepDraft,
    secureDraft: (path) => {
      keepDraft(path);
      return drafts.flush({ durable: true });
    },
    dropDraft,
    look,
    refreshAbove: (path) => {
      for (let at = parentPath(path); at !== undefined; at = parentPath(at)) {
        const folder = at;
        if (store.getState().folders.has(folder)) enqueueOnce(`look ${folder}`, (now) => look(now, folder));
      }
    },
  };
};
