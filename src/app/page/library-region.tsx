import { type RefObject, useDeferredValue } from 'react';
import { useStore } from 'zustand';
import {
  type LibraryAction,
  type LibraryHandle,
  LibraryPanel,
  type LibraryPanelProps,
} from '../../features/library/library-panel.tsx';
import type { WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { type CommandRegistry, disabledReason } from '../commands/commands.ts';
import type { WorkspaceActions } from '../actions/shell-commands.ts';
import type { PanelSlot } from '../shell/panel-region.tsx';

export interface LibraryDeps {
  readonly commands: CommandRegistry;
  readonly workspace: WorkspaceStore;
  readonly folderName: () => string | undefined;
  readonly cancelOpening: () => void;
  readonly actions: WorkspaceActions;
  readonly library: RefObject<LibraryHandle | null>;
  readonly copy: (text: string, what: string) => void;
}

const libraryActions = ({ actions, copy }: LibraryDeps): readonly (readonly LibraryAction[])[] => {
  const entry = (
    id: string,
    label: string,
    action: WorkspaceActions['rename'],
    more?: Pick<LibraryAction, 'isDanger'>,
  ): LibraryAction => ({
    id,
    label,
    disabledReason: (target) => {
      const answer = action.enabled(target);
      return answer === true ? undefined : answer;
    },
    run: (target) => void action.run(target),
    ...more,
  });
  return [
    [
      entry('new-file', 'New file', actions.newFile),
      entry('rename', 'Rename', actions.rename),
      entry('duplicate', 'Duplicate', actions.duplicate),
    ],
    [
      {
        id: 'copy-path',
        label: 'Copy path',
        run: ({ skill, file }) => copy(file === undefined ? skill : `${skill}/${file}`, 'Path copied'),
      },
      entry('share', 'Copy share link', actions.share),
      entry('export', 'Export as zip', actions.exportSkill),
    ],
    [entry('delete', 'Delete', actions.remove, { isDanger: true })],
  ];
};

/** A command as a button in the head of a region. */
const CommandButton = ({ id, commands }: { readonly id: string; readonly commands: CommandRegistry }) => {
  const command = commands.list().find((item) => item.id === id);
  if (!command) return null;
  return (
    <Button disabledReason={disabledReason(command)} onPress={() => void commands.run(id)}>
      {command.title}
    </Button>
  );
};

const NewSkillButton = ({ commands }: { readonly commands: CommandRegistry }) => {
  const command = commands.list().find(({ id }) => id === 'skill.new');
  if (!command) return null;
  return (
    <IconButton
      label="New skill"
      icon="plus"
      disabledReason={disabledReason(command)}
      onPress={() => void commands.run('skill.new')}
    />
  );
};

type LibraryProps = Omit<LibraryPanelProps, 'name' | 'state'> & { readonly deps: LibraryDeps };

const Library = ({ deps, ...props }: LibraryProps) => {
  // oxlint-disable-next-line lathe/select-from-store -- the tree draws all of it: how far it is read, why it failed, or the skills
  const state = useDeferredValue(useStore(deps.workspace));
  return state.status === 'ready' ? (
    <LibraryPanel {...props} name={state.workspace.name} state={{ status: 'ready', ...state.workspace }} />
  ) : (
    <LibraryPanel {...props} name={deps.folderName() ?? 'demo'} state={state} />
  );
};

/** What the Library region holds: the tree, and the two buttons that every new folder and skill begins with. */
export const librarySlot = (
  deps: LibraryDeps,
  { selected, onSelect, read }: Pick<LibraryPanelProps, 'selected' | 'onSelect' | 'read'>,
): PanelSlot => ({
  content: (
    <Library
      deps={deps}
      selected={selected}
      onSelect={onSelect}
      read={read}
      onCancel={deps.cancelOpening}
      onRetry={() => void deps.workspace.open()}
      actions={libraryActions(deps)}
      emptyActions={<CommandButton id="skill.new" commands={deps.commands} />}
      handle={deps.library}
    />
  ),
  actions: (
    <>
      <CommandButton id="workspace.open-folder" commands={deps.commands} />
      <NewSkillButton commands={deps.commands} />
    </>
  ),
});
