/** What panels draw of the open folder. Light: it is there with the first paint, and what it shows is worked out elsewhere. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import type { ReadProgress } from '../../model/library/pace.ts';
import type { ContextFile } from '../../model/workspace/context-files.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';

export interface OpenedWorkspace {
  readonly name: string;
  /** Where a session works: a path inside the opened folder, empty for the folder itself. */
  readonly workingFolder: string;
  /** One that was chosen and no longer exists. */
  readonly lostWorkingFolder?: string;
  readonly skills: readonly WorkspaceSkill[];
  /** What a session reads of the folder beside its skills. */
  readonly context: readonly ContextFile[];
  /**
   * What of a large folder is still being read: more skills, or the files beside each `SKILL.md`. `changes`: this is the folder as it
   * was last time, and whether it still is that is being checked.
   */
  readonly stillReading?: 'skills' | 'files' | 'changes';
}

export type WorkspaceState =
  | { readonly status: 'loading'; readonly progress?: ReadProgress }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'ready'; readonly workspace: OpenedWorkspace };

/** None until the folder was read. */
export const skillsIn = (state: WorkspaceState): readonly WorkspaceSkill[] =>
  state.status === 'ready' ? state.workspace.skills : [];

export interface WorkspaceStore extends Pick<StoreApi<WorkspaceState>, 'getState' | 'subscribe' | 'getInitialState'> {
  /** Opening again takes the place of an opening that is under way. */
  readonly open: () => Promise<void>;
  /** Reads again what is open; what is shown stays until the new is there. */
  readonly reload: () => Promise<void>;
  /** Something in the folder is other than it was. Many changes come at the same time: the folder is read once, after them. */
  readonly reloadSoon: () => void;
  readonly cancel: () => void;
  /** More has been found out about what is open. */
  readonly amend: (skills: readonly WorkspaceSkill[]) => void;
}

export interface WorkspaceDeps {
  readonly load: (context: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: ReadProgress) => void;
    /** What can be used of a large folder before all of it was read. */
    readonly onPart: (workspace: OpenedWorkspace) => void;
  }) => Promise<OpenedWorkspace>;
  /** Calling the answer takes it back. */
  readonly after: (ms: number, work: () => void) => () => void;
}

/** In milliseconds. */
const SOON = 250;

export const createWorkspaceStore = ({ load, after }: WorkspaceDeps): WorkspaceStore => {
  const store = createStore<WorkspaceState>(() => ({ status: 'loading' }));
  let opening = new AbortController();
  let forget = (): void => {};

  const read = async (
    onProgress: (progress: ReadProgress) => void,
    onPart: (workspace: OpenedWorkspace) => void,
  ): Promise<void> => {
    opening.abort();
    const controller = new AbortController();
    const { signal } = controller;
    opening = controller;
    try {
      const workspace = await load({
        signal,
        onProgress: (progress) => signal.aborted || onProgress(progress),
        onPart: (part) => signal.aborted || onPart(part),
      });
      if (!signal.aborted) store.setState({ status: 'ready', workspace }, true);
    } catch (thrown) {
      if (signal.aborted) return;
      store.setState({ status: 'failed', reason: errorMessage(thrown) }, true);
    }
  };
  const showPart = (workspace: OpenedWorkspace): void => store.setState({ status: 'ready', workspace }, true);
  const reload = async (): Promise<void> => {
    const state = store.getState();
    if (state.status !== 'ready') return;
    // What is shown in full gives way only to the same in full.
    await read(() => {}, state.workspace.stillReading === undefined ? () => {} : showPart);
  };

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    open: () => {
      store.setState({ status: 'loading' }, true);
      return read((progress) => {
        if (store.getState().status === 'loading') store.setState({ status: 'loading', progress }, true);
      }, showPart);
    },
    reload,
    reloadSoon: () => {
      forget();
      forget = after(SOON, () => void reload());
    },
    amend: (skills) => {
      const state = store.getState();
      if (state.status === 'ready')
        store.setState({ status: 'ready', workspace: { ...state.workspace, skills } }, true);
    },
    cancel: () => {
      const state = store.getState();
      if (state.status !== 'loading' && !(state.status === 'ready' && state.workspace.stillReading)) return;
      opening.abort();
      store.setState({ status: 'cancelled' }, true);
    },
  };
};
