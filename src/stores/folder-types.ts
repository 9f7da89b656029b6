/** What the open folder is to the rest of the page. The store itself is `folder-store.ts`. */
import type { StoreApi } from 'zustand/vanilla';
import type { Result } from '../base/result.ts';
import type { FileErrorCode } from '../model/files/file-error.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import type { LeftOut } from '../model/files/write-rules.ts';
import type { LibraryInput } from '../model/library/load-library.ts';
import type { LibrarySkill } from '../model/library/types.ts';
import type { PendingTree } from '../model/tool/pending-tree.ts';
import type { PickProblem } from '../platform/fs/pick-folder.ts';
import type { PrivateProblem, PrivateWorkspaces } from '../platform/fs/private-workspace.ts';
import type { Handles, RememberedFolder } from '../platform/store/handles.ts';
import type { FolderIdentity, OriginRow } from '../platform/store/schema.ts';
import type { Settings } from '../platform/store/settings.ts';
import type { Origins } from '../platform/store/trust.ts';
import type { FilesStore } from './files-types.ts';

/** Why a folder did not open: `forgotten` and `unsupported` are ours, the rest comes from anyone who failed. */
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
  /** What Lathe did not copy when it made the open copy. Empty at later visits. */
  readonly leftOut: readonly LeftOut[];
}

export const CLOSED_FOLDER: FolderState = {
  current: undefined,
  recent: [],
  user: undefined,
  work: undefined,
  waiting: undefined,
  waitingUser: undefined,
  problem: undefined,
  leftOut: [],
};

export interface FolderStore extends Pick<StoreApi<FolderState>, 'getState' | 'subscribe' | 'getInitialState'> {
  /** What was open at the last visit, unless it has that id, else the demo. Again after a cancel. */
  readonly start: (without?: string) => Promise<void>;
  /** When `start` has come to its end, well, not, or canceled: who is quicker than the first folder waits for it. */
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
  /** A copy in the browser of something that came from outside; every skill in it is foreign (D27). `leftOut`: what its reader refused already. */
  readonly openCopy: (source: FileTree, origin: Origin, leftOut?: readonly LeftOut[]) => Promise<void>;
  readonly openPrivate: (name: string) => Promise<void>;
  /** Opens a folder of an earlier time again. Call it inside a click. */
  readonly reopen: (folder: FolderIdentity) => Promise<void>;
  /** Whether `reopen` can find it. */
  readonly isKnown: (folder: FolderIdentity) => Promise<boolean>;
  readonly forget: (id: string) => Promise<void>;
  /** Ends an opening that is under way, also one that is still to start; the folder that was open stays open. */
  readonly cancel: () => void;

  readonly tree: () => FileTree | undefined;
  /** The agent's writes over the folder. */
  readonly pending: () => PendingTree | undefined;
  readonly library: () => LibraryInput;
  readonly isForeign: (item: Pick<LibrarySkill, 'path' | 'layer'>) => boolean;
  /** Marks a folder of the current workspace as one that came from outside. */
  readonly noteOrigin: (path: string, origin: Origin, from?: string) => Promise<void>;
}

/** How something came here from outside. An upload counts as a drop. */
export type Origin = OriginRow['kind'];

export interface FolderDeps {
  readonly files: Pick<FilesStore, 'openFolder'>;
  /** The demo as it is served. */
  readonly demo: () => Promise<FileTree>;
  /** Nothing where the browser has no private storage. */
  readonly privates: () => Promise<PrivateWorkspaces | undefined>;
  /** Where there is no private storage, a copy that lasts as long as the page. */
  readonly inMemory: (source: FileTree) => Promise<Copy>;
  readonly handles: Handles;
  readonly settings: Settings;
  readonly origins: Origins;
  readonly pick: (id: string) => Promise<Result<FileSystemDirectoryHandle, PickProblem>>;
  /** `mayWrite` asks the person once. */
  readonly treeOf: (handle: FileSystemDirectoryHandle) => FileTree;
}

/** A copy as it was made. */
export interface Copy {
  readonly tree: FileTree;
  /** What may not be written. */
  readonly leftOut: readonly LeftOut[];
}
