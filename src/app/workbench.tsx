import { useStore } from 'zustand';
import { SkillView } from '../features/editor/skill-view.tsx';
import { LibraryPanel } from '../features/library/library-panel.tsx';
import { ProblemsPanel } from '../features/problems/problems-panel.tsx';
import type { WorkspaceStore } from '../stores/workspace-store.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Shell } from './shell.tsx';
import type { ThemeStore } from './theme.ts';

/** The shell with what is open in it. */
export const Workbench = ({
  theme,
  workspace: store,
}: {
  readonly theme: ThemeStore;
  readonly workspace: WorkspaceStore;
}) => {
  const state = useStore(store);
  if (state.status === 'loading') {
    return (
      <Shell theme={theme} library={<EmptyState title="Opening the demo">Its skills are being read.</EmptyState>} />
    );
  }
  if (state.status === 'failed') {
    const failure = (
      <EmptyState title="The demo could not be opened">
        {state.reason} <Button onClick={() => void store.open()}>Try again</Button>
      </EmptyState>
    );
    return <Shell theme={theme} library={failure} />;
  }
  const { workspace, selected } = state;
  const { skills } = workspace;
  const problemCount = skills
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ severity }) => severity !== 'hint').length;
  return (
    <Shell
      theme={theme}
      workspace={{ name: workspace.name, summary: `${skills.length} skills` }}
      library={<LibraryPanel skills={skills} selected={selected?.path} onSelect={store.select} />}
      editor={selected && <SkillView skill={selected} />}
      problems={<ProblemsPanel skills={skills} onSelect={store.select} />}
      problemCount={problemCount}
    />
  );
};
