/** What the store of files shows and can do. */
import type { StoreApi } from 'zustand/vanilla';
import type { Result } from '../base/result.ts';
import type { FileTree, TreeEntry } from '../model/files/file-tree.ts';
import type { TabGuard, TabRole } from '../platform/fs/tab-guard.ts';
import type { Drafts } from '../platform/store/drafts.ts';
import type { Origins } from '../platform/store/trust.ts';
import type { FileDocument, FileProblem } from './files-documents.ts';
import type { FollowName } from './files-undo.ts';

export interface OpenFolder {
  /** The same for the same folder in every tab and at every visit. */
  readonly id: string;
  readonly tree: FileTree;
  /** Why it cannot be written at all, if so. */
  readonly readOnlyReason?: string;
}

export type Listing =
  | { readonly status: 'none' }
  | { readonly status: 'running'; readonly files: number; readonly folders: number }
  | { readonly status: 'done'; readonly paths: readonly string[]; readonly isCut: boolean }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly problem: FileProblem };

export interface FilesState {
  readonly folder: { readonly id: string; readonly name: string } | undefined;
  readonly role: TabRole;
  /** Why nothing can be saved here; nothing if it can. */
  readonly readOnlyReason: string | undefined;
  /** Folders that were looked into. */
  readonly folders: ReadonlyMap<string, readonly TreeEntry[]>;
  readonly listing: Listing;
  readonly documents: ReadonlyMap<string, FileDocument>;
  /** Files with unsaved text from an earlier visit. */
  readonly recoverable: readonly string[];
  /** What `undo` and `redo` would do next. */
  readonly undoLabel: string | undefined;
  readonly redoLabel: string | undefined;
}

export type Answer<T = void> = Promise<Result<T, FileProblem>>;

/** What became of a document that is open, when files were renamed, deleted or restored. */
export type DocumentMove =
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  | { readonly kind: 'closed'; readonly path: string }
  | { readonly kind: 'reopened'; readonly path: string };

export interface FilesStore extends Pick<StoreApi<FilesState>, 'getState' | 'subscribe' | 'getInitialState'> {
  readonly openFolder: (folder: OpenFolder) => Promise<void>;
  readonly closeFolder: () => Promise<void>;
  /** One level, when it is looked at. */
  readonly lookInto: (path: string) => Answer<readonly TreeEntry[]>;
  /** All paths, for search; no file is read. */
  readonly listAll: () => Promise<void>;
  readonly cancelListing: () => void;
  readonly open: (path: string) => Answer<FileDocument>;
  readonly edit: (path: string, text: string) => void;
  /** Call it inside a click or a key: the first save may ask for permission. */
  readonly save: (path: string) => Answer;
  /** The problems by path. */
  readonly saveAll: () => Promise<ReadonlyMap<string, FileProblem>>;
  readonly resolve: (path: string, choice: 'merge' | 'mine' | 'disk') => Answer<{ readonly conflicts: number }>;
  readonly compare: (path: string, isComparing: boolean) => void;
  /** Drops unsaved text. */
  readonly reload: (path: string) => Answer;
  readonly close: (path: string, options?: { readonly discard?: boolean }) => Result<void, FileProblem>;
  /** Looks at what is open on disk. */
  readonly checkDisk: () => Promise<void>;
  /** A file (with the empty path inside) or a folder of files. */
  readonly create: (path: string, files: ReadonlyMap<string, string | Uint8Array>) => Answer;
  /** With `follow`, a text in the folder says the new name; taking the renaming back takes that back too. */
  readonly rename: (from: string, to: string, follow?: FollowName) => Answer;
  readonly duplicate: (from: string, to: string, follow?: FollowName) => Answer;
  /** Writes texts over those that are on disk, all or none, as one step that can be taken back. */
  readonly change: (
    title: string,
    texts: ReadonlyMap<string, { readonly before: string; readonly after: string }>,
  ) => Answer;
  readonly remove: (path: string) => Answer;
  readonly undo: () => Answer;
  readonly redo: () => Answer;
  readonly takeOver: () => Promise<void>;
  /** Called with the path of whatever changed on disk, here or outside; the empty path: anything. */
  readonly onChange: (listener: (path: string) => void) => Disposable;
  /** Called for every document that is open at such a path. */
  readonly onMove: (listener: (move: DocumentMove) => void) => Disposable;
}

export interface FilesDeps {
  readonly drafts: Pick<Drafts, 'keep' | 'drop' | 'get' | 'list' | 'flush'>;
  readonly guard: TabGuard;
  /** Hears of changes made outside. */
  readonly watch?: (tree: FileTree, onChange: (path: string) => void) => Disposable;
  readonly origins?: Pick<Origins, 'move' | 'copy' | 'forget'>;
  /** Lets the page draw. */
  readonly pause?: () => Promise<void>;
}
