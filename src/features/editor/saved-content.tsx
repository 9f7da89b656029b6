/** The editor's panel before the editor is there, and for files that it does not know: those outside the open folder are only read. */
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import type { WorkspaceState } from '../../stores/workspace/workspace-store.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { SkillView } from './skill-view.tsx';

interface Needs {
  readonly state: WorkspaceState;
  readonly selected: WorkspaceSkill | undefined;
  /** What the address names, whether it is there or not. */
  readonly target: { readonly skill: string; readonly file?: string };
}

const Content = ({ state, selected, target }: Needs) => {
  const file = target.file ?? 'SKILL.md';
  if (state.status !== 'ready') return <EmptyState title="No open file">Select a skill to view its files.</EmptyState>;
  if (!selected)
    return (
      <EmptyState title={target.skill === '' ? 'No skill to show' : 'Skill not found'}>
        {target.skill === ''
          ? 'The folder has no skills.'
          : `${target.skill} isn’t in ${state.workspace.name}. It may have been renamed or deleted. Select another skill in the Library.`}
      </EmptyState>
    );
  if (file !== 'SKILL.md')
    return (
      <EmptyState title={file}>This file isn't in the open folder. Open its folder to read and edit it.</EmptyState>
    );
  return (
    <Scroll label={`${selected.id}/SKILL.md`}>
      <SkillView skill={selected} />
    </Scroll>
  );
};

export const savedFileContent = { Content };
