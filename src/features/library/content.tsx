import { type RefObject, useDeferredValue } from 'react';
import { useStore } from 'zustand';
import type { WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { type LibraryAction, type LibraryHandle, LibraryPanel, type LibraryPanelProps } from './library-panel.tsx';
import type { LibraryTarget } from './library-view.ts';

interface TargetAction {
  readonly enabled: (target: LibraryTarget) => true | string;
  readonly run: (target: LibraryTarget) => void | Promise<void>;
}

/** A command of the page, as a button needs it. */
interface ButtonCommand {
  readonly title: string;
  readonly disabledReason: string | undefined;
  readonly run: () => void;
}

interface Needs {
  readonly workspace: WorkspaceStore;
  readonly folderName: () => string | undefined;
  readonly cancelOpening: () => void;
  readonly actions: Readonly<
    Record<'newFile' | 'rename' | 'duplicate' | 'share' | 'exportSkill' | 'remove', TargetAction>
  >;
  readonly commandFor: (id: string) => ButtonCommand | undefined;
  readonly library: RefObject<LibraryHandle | null>;
  readonly copy: (text: string, what: string) => void;
  readonly inView: LibraryTarget | undefined;
  readonly goTo: LibraryPanelProps['onSelect'];
  readonly readFile: LibraryPanelProps['read'];
}

const libraryActions = ({ actions, copy }: Pick<Needs, 'actions' | 'copy'>): readonly (readonly LibraryAction[])[] => {
  const entry = (
    id: string,
    label: string,
    action: TargetAction,
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

const CommandButton = ({ id, commandFor }: { readonly id: string } & Pick<Needs, 'commandFor'>) => {
  const command = commandFor(id);
  return (
    command && (
      <Button disabledReason={command.disabledReason} onPress={command.run}>
        {command.title}
      </Button>
    )
  );
};

const Content = (page: Needs) => {
  const { workspace, folderName, inView, goTo, readFile, cancelOpening, library, commandFor } = page;
  // oxlint-disable-next-line lathe/select-from-store -- the tree draws all of it: how far it is read, why it failed, or the skills
  const state = useDeferredValue(useStore(workspace));
  return (
    <LibraryPanel
      {...(state.status === 'ready'
        ? { name: state.workspace.name, state: { status: 'ready', ...state.workspace } }
        : { name: folderName() ?? 'demo', state })}
      selected={inView}
      onSelect={goTo}
      read={readFile}
      onCancel={cancelOpening}
      onRetry={() => void workspace.open()}
      actions={libraryActions(page)}
      emptyActions={<CommandButton id="skill.new" commandFor={commandFor} />}
      handle={library}
    />
  );
};

/** The two buttons that every new folder and skill begins with. */
const Actions = ({ commandFor }: Pick<Needs, 'commandFor'>) => {
  const newSkill = commandFor('skill.new');
  return (
    <>
      <CommandButton id="workspace.open-folder" commandFor={commandFor} />
      {newSkill && (
        <IconButton label="New skill" icon="plus" disabledReason={newSkill.disabledReason} onPress={newSkill.run} />
      )}
    </>
  );
};

export const libraryContent = { Content, Actions };
