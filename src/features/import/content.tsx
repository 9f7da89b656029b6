import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ImportPanelProps } from './import-panel.tsx';

type State = {
  readonly imports: Omit<ImportPanelProps, 'copy'> | undefined;
  readonly problem: string | undefined;
};
type Needs = Pick<ImportPanelProps, 'copy'> & {
  readonly imports: () => Promise<unknown>;
  readonly importState: Pick<StoreApi<State>, 'getState' | 'getInitialState' | 'subscribe'>;
};

const LazyImport = lazy(async () => ({ default: (await import('./import-panel.tsx')).ImportPanel }));

const Content = ({ imports: load, importState, copy }: Needs) => {
  const imports = useStore(importState, (state) => state.imports);
  const problem = useStore(importState, (state) => state.problem);
  useEffect(() => {
    // What goes wrong is in the state.
    load().catch(() => {});
  }, [load]);
  if (problem !== undefined) return <EmptyState title="Can’t load the importer">{problem}</EmptyState>;
  const loading = <EmptyState title="Loading the importer">One moment.</EmptyState>;
  return imports ? (
    <Suspense fallback={loading}>
      <LazyImport store={imports.store} routing={imports.routing} keys={imports.keys} copy={copy} />
    </Suspense>
  ) : (
    loading
  );
};

export const importContent = { Content };
