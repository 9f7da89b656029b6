import { type Problem, problemsByFile } from '../../features/problems/problems-view.ts';
import { addressOf } from '../../model/workspace/holder.ts';
import type { WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import type { Navigation } from '../address/navigation.ts';

export interface GoToProblemDeps {
  readonly workspace: Pick<WorkspaceStore, 'getState'>;
  readonly navigation: Pick<Navigation, 'get' | 'go'>;
}

const numbersOf = (at: string | undefined): readonly [number, number] => {
  const [line = 0, column = 0] = (at ?? '').split(':').map(Number);
  return [line, column];
};

/** From one problem of the folder to the next or the previous one, around its ends; hints are advice. LP3. */
export const createGoToProblem = ({ workspace, navigation }: GoToProblemDeps): ((direction: 1 | -1) => void) => {
  let problemAt: string | undefined;

  /** Where to continue from: the last one, unless the person has gone to another file since. */
  const startOf = (all: readonly Problem[], direction: 1 | -1): number => {
    const { skill, file = 'SKILL.md', at } = navigation.get();
    const isHere = (problem: Problem | undefined): boolean =>
      problem !== undefined && addressOf(problem).skill === skill && problem.diagnostic.file === file;
    const last = all.findIndex(({ id }) => id === problemAt);
    if (isHere(all[last])) return last;
    const first = all.findIndex(isHere);
    if (first < 0) return last < 0 && direction < 0 ? 0 : last;
    const [line, column] = numbersOf(at);
    const fromPlace = (problem: Problem): number => (problem.line ?? 0) - line || (problem.column ?? 0) - column;
    if (direction > 0) {
      const passed = all.findLastIndex((problem) => isHere(problem) && fromPlace(problem) <= 0);
      return passed < 0 ? first - 1 : passed;
    }
    const ahead = all.findIndex((problem) => isHere(problem) && fromPlace(problem) >= 0);
    return ahead < 0 ? all.findLastIndex(isHere) + 1 : ahead;
  };

  return (direction) => {
    const state = workspace.getState();
    if (state.status !== 'ready') return;
    const all = problemsByFile(state.workspace.skills)
      .flatMap(({ problems }) => problems)
      .filter(({ diagnostic }) => diagnostic.severity !== 'hint');
    const next = all[(startOf(all, direction) + direction + all.length) % all.length];
    if (!next) return;
    problemAt = next.id;
    const { skill, diagnostic, line, column } = next;
    navigation.go({
      view: 'skills',
      ...addressOf({ skill, file: diagnostic.file }),
      at: line === undefined ? undefined : `${line}:${column}`,
    });
  };
};
