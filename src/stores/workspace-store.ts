import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import type { ContextFile } from '../model/workspace/context-files.ts';
import type { Layer } from '../model/library/types.ts';
import type { ReadProgress } from '../model/library/pace.ts';
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
  /** Without one it belongs to the project. */
  readonly layer?: Layer;
  /** The folder that was searched, such as `.agents/skills`. */
  readonly root?: string;
  /** Paths inside the folder, `SKILL.md` included. */
  readonly files?: readonly { readonly path: string; readonly size: number }[];
  /** Its program, where the problems of one are known. */
  readonly program?: { readonly file: string; readonly text: string };
  /** A skill of the same name hides it. */
  readonly isShadowed?: boolean;
  /** Its body is part of the padding. */
  readonly isPreloaded?: boolean;
}

export interface OpenedWorkspace {
  readonly name: string;
  readonly skills: readonly WorkspaceSkill[];
  /** What a session reads of the folder beside its skills. */
  readonly context?: readonly ContextFile[];
}

export type WorkspaceState =
  | { readonly status: 'loading'; readonly progress?: ReadProgress }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'ready'; readonly workspace: OpenedWorkspace };

export interface WorkspaceStore extends Pick<StoreApi<WorkspaceState>, 'getState' | 'subscribe' | 'getInitialState'> {
  /** Opening again takes the place of an opening that is under way. */
  readonly open: () => Promise<void>;
  /** Reads again what is open; what is shown stays until the new is there. */
  readonly reload: () => Promise<void>;
  readonly cancel: () => void;
  /** More has been found out about what is open. */
  readonly amend: (skills: readonly WorkspaceSkill[]) => void;
}

export interface WorkspaceDeps {
  readonly load: (context: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: ReadProgress) => void;
  }) => Promise<OpenedWorkspace>;
}

/** Whether it lies in the opened folder, and can be edited; the configuration may name folders inside it, too. */
export const isInFolder = ({ path, layer = 'project' }: Pick<WorkspaceSkill, 'path' | 'layer'>): boolean =>
  layer === 'project' || (layer === 'config' && !path.startsWith('config:'));

/** What to look at before the user has chosen: a skill without a fault, rather one that runs. */
export const firstToShow = (skills: readonly WorkspaceSkill[]): WorkspaceSkill | undefined => {
  const isClean = ({ diagnostics, isShadowed }: WorkspaceSkill): boolean =>
    isShadowed !== true && diagnostics.every(({ severity }) => severity === 'hint' || severity === 'info');
  return skills.find((skill) => isClean(skill) && skill.isMetaskill) ?? skills.find(isClean) ?? skills[0];
};

export const createWorkspaceStore = ({ load }: WorkspaceDeps): WorkspaceStore => {
  const store = createStore<WorkspaceState>(() => ({ status: 'loading' }));
  let opening = new AbortController();
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    open: async () => {
      opening.abort();
      const controller = new AbortController();
      const { signal } = controller;
      opening = controller;
      store.setState({ status: 'loading' }, true);
      const onProgress = (progress: ReadProgress): void => {
        if (!signal.aborted) store.setState({ status: 'loading', progress }, true);
      };
      try {
        const workspace = await load({ signal, onProgress });
        if (!signal.aborted) store.setState({ status: 'ready', workspace }, true);
      } catch (thrown) {
        if (signal.aborted) return;
        store.setState({ status: 'failed', reason: errorMessage(thrown) }, true);
      }
    },
    reload: async () => {
      if (store.getState().status !== 'ready') return;
      opening.abort();
      const controller = new AbortController();
      const { signal } = controller;
      opening = controller;
      try {
        const workspace = await load({ signal, onProgress: () => {} });
        if (!signal.aborted) store.setState({ status: 'ready', workspace }, true);
      } catch (thrown) {
        if (!signal.aborted) store.setState({ status: 'failed', reason: errorMessage(thrown) }, true);
      }
    },
    amend: (skills) => {
      const state = store.getState();
      if (state.status === 'ready')
        store.setState({ status: 'ready', workspace: { ...state.workspace, skills } }, true);
    },
    cancel: () => {
      if (store.getState().status !== 'loading') return;
      opening.abort();
      store.setState({ status: 'cancelled' }, true);
    },
  };
};
