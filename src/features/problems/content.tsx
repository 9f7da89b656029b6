import { lazy, Suspense } from 'react';
import { skillsIn, type WorkspaceState } from '../../stores/workspace/workspace-store.ts';
import type { Problem } from './problems-view.ts';

interface Needs {
  readonly state: WorkspaceState;
  readonly actions: {
    readonly fix: { readonly run: (problem: Problem) => Promise<void> | void };
    readonly fixAll: { readonly run: () => Promise<void> | void; readonly enabled: () => true | string };
  };
  readonly goToProblem: (problem: Problem) => void;
}

/** Its table is not needed to draw the page, and the desk brings the same one for Events and Log. */
const LazyProblems = lazy(async () => ({ default: (await import('./problems-panel.tsx')).ProblemsPanel }));

const Content = ({ state, actions: { fix, fixAll }, goToProblem }: Needs) => {
  const reason = fixAll.enabled();
  const fixEach = async (group: readonly Problem[]): Promise<void> => {
    // From the end: a fix moves what stands after it.
    for (const problem of group.toReversed()) await fix.run(problem);
  };
  return (
    <Suspense fallback={null}>
      <LazyProblems
        skills={skillsIn(state)}
        onGoTo={goToProblem}
        onFix={(problem) => void fix.run(problem)}
        onFixAll={() => void fixAll.run()}
        onFixGroup={(group) => void fixEach(group)}
        fixReason={reason === true ? undefined : reason}
      />
    </Suspense>
  );
};

const Count = ({ state }: Pick<Needs, 'state'>) =>
  skillsIn(state)
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ severity }) => severity !== 'hint').length;

export const problemsContent = {
  Content,
  Count,
  isReady: ({ state }: Pick<Needs, 'state'>): boolean => state.status === 'ready',
};
