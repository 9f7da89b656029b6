import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Diagnostic } from '../model/skill/types.ts';

/** One skill as the panels show it. */
export interface WorkspaceSkill {
  /** Of its folder; unique in the workspace. */
  readonly path: string;
  readonly name: string;
  readonly valid: boolean;
  readonly isMetaskill: boolean;
  /** Estimate for the body. */
  readonly tokens: number;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface OpenedWorkspace {
  readonly name: string;
  readonly skills: readonly WorkspaceSkill[];
}

export type WorkspaceState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'ready'; readonly workspace: OpenedWorkspace; readonly selected: WorkspaceSkill | undefined };

export interface WorkspaceStore extends Pick<StoreApi<WorkspaceState>, 'getState' | 'subscribe' | 'getInitialState'> {
  readonly open: () => Promise<void>;
  readonly select: (path: string) => void;
}

/** What is open and what is looked at. Opens the first skill with a problem, because that is where the work is. */
export const createWorkspaceStore = (deps: { readonly load: () => Promise<OpenedWorkspace> }): WorkspaceStore => {
  const store = createStore<WorkspaceState>(() => ({ status: 'loading' }));
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    open: async () => {
      store.setState({ status: 'loading' }, true);
      try {
        const workspace = await deps.load();
        const selected = workspace.skills.find(({ valid }) => !valid) ?? workspace.skills[0];
        store.setState({ status: 'ready', workspace, selected }, true);
      } catch (thrown) {
        store.setState({ status: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) }, true);
      }
    },
    select: (path) => {
      const state = store.getState();
      if (state.status !== 'ready') return;
      const selected = state.workspace.skills.find((skill) => skill.path === path);
      if (selected) store.setState({ ...state, selected }, true);
    },
  };
};
