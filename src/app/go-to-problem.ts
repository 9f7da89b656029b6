import { problemsByFile } from '../features/problems/problems-view.ts';
import type { WorkspaceStore } from '../stores/workspace-store.ts';
import type { Navigation } from './navigation.ts';

export interface GoToProblemDeps {
  readonly workspace: Pick<WorkspaceStore, 'getState'>;
  readonly navigation: Pick<Navigation, 'go'>;
}

/** From one problem of the folder to the next or the one before, around its ends; hints are advice. */
export const createGoToProblem = ({ workspace, navigation }: GoToProblemDeps): ((direction: 1 | -1) => void) => {
  let problemAt: string | undefined;
  return (direction) => {
    const state = workspace.getState();
    if (state.status !== 'ready') return;
    const all = problemsByFile(state.workspace.skills)
      .flatMap(({ problems }) => problems)
      .filter(({ diagnostic }) => diagnostic.severity !== 'hint');
    const index = all.findIndex(({ id }) => id === problemAt);
    const start = index < 0 && direction < 0 ? 0 : index;
    const next = all[(start + direction + all.length) % all.length];
    if (!next) return;
    problemAt = next.id;
    const { skill, diagnostic, line, column } = next;
    navigation.go({ skill, file: diagnostic.file, at: line === undefined ? undefined : `${line}:${column}` });
  };
};
