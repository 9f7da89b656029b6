/** Commands for folders, files and sessions: what the desk can do, for palette, menus and shortcuts. */
import { toggleFollowing } from '../../features/instruments/requests.ts';
import type { LibraryTarget } from '../../features/library/library-view.ts';
import type { Command } from '../commands/commands.ts';
import type { Desk } from '../desk/desk-types.ts';
import type { FolderActions } from './folder-actions.ts';

export interface DeskCommandDeps {
  readonly desk: Desk;
  readonly actions: FolderActions;
  readonly selected: () => LibraryTarget | undefined;
  /** Lets the person choose files; nothing if they did not. */
  readonly chooseFolder: () => Promise<void>;
  readonly chooseArchive: () => Promise<void>;
  readonly confirmReset: () => Promise<boolean>;
  readonly focusComposer: () => void;
}

export const deskCommands = (deps: DeskCommandDeps): readonly Command[] => {
  const { desk, actions, selected } = deps;
  const { folder, files, editor, sessions, sessionUi, sessionNeeds } = desk;
  const ready = (): true | string => actions.canChange();
  const hasSession = (): true | string => (sessions.getState().currentId === undefined ? 'No session yet.' : true);
  const hasFile = (): true | string => (editor.active() ? true : 'No file is open.');
  const withSelected = (run: (target: LibraryTarget) => Promise<void>) => async (): Promise<void> => {
    const target = selected();
    if (target) await run(target);
  };
  return [
    {
      id: 'skill.new-metaskill',
      title: 'New metaskill',
      category: 'File',
      keywords: 'create template program',
      enabled: ready,
      run: () => actions.create('metaskill'),
    },
    {
      id: 'file.new-instructions',
      title: 'New project instructions',
      category: 'File',
      keywords: 'AGENTS.md create template',
      enabled: ready,
      run: () => actions.create('instructions'),
    },
    {
      id: 'file.new',
      title: 'New file',
      category: 'File',
      keywords: 'create reference script',
      enabled: ready,
      run: () => actions.createFile(selected()),
    },
    {
      id: 'file.new-test',
      title: 'New test file',
      category: 'File',
      keywords: 'SKILL.test.yaml create template metaskill',
      enabled: () => {
        const isSkill = actions.canExport(selected());
        return isSkill === true ? ready() : isSkill;
      },
      run: withSelected(actions.createTest),
    },
    {
      id: 'workspace.upload',
      title: 'Open folder copy',
      category: 'File',
      keywords: 'upload',
      run: deps.chooseFolder,
    },
    {
      id: 'workspace.open-zip',
      title: 'Open zip or .skill',
      category: 'File',
      keywords: 'import archive unpack',
      run: deps.chooseArchive,
    },
    {
      id: 'workspace.export',
      title: 'Export the folder as zip',
      category: 'File',
      keywords: 'download archive',
      run: actions.exportFolder,
    },
    {
      id: 'workspace.open-user',
      title: 'Open user library',
      category: 'File',
      keywords: 'second folder own skills',
      run: folder.openUser,
    },
    {
      id: 'workspace.close-user',
      title: 'Close user library',
      category: 'File',
      enabled: () => (folder.getState().user ? true : 'No user library is open.'),
      run: folder.closeUser,
    },
    {
      id: 'workspace.working-folder',
      title: 'Set working folder',
      category: 'File',
      keywords: 'cwd monorepo session subfolder',
      enabled: () => (folder.getState().current ? true : 'No folder is open.'),
      run: actions.chooseWorkingFolder,
    },
    {
      id: 'workspace.reset-demo',
      title: 'Reset demo',
      category: 'File',
      keywords: 'restore original',
      run: async () => {
        if (await deps.confirmReset()) await folder.resetDemo();
      },
    },
    { id: 'file.save', title: 'Save', category: 'File', shortcut: 'Mod+S', enabled: hasFile, run: () => editor.save() },
    {
      id: 'file.save-all',
      title: 'Save all',
      category: 'File',
      run: async () => {
        await files.saveAll();
      },
    },
    {
      id: 'file.undo',
      title: 'Undo file change',
      category: 'File',
      keywords: 'rename delete create',
      enabled: () => (files.getState().undoLabel === undefined ? 'Nothing to undo.' : true),
      run: actions.undo,
    },
    {
      id: 'file.redo',
      title: 'Redo file change',
      category: 'File',
      enabled: () => (files.getState().redoLabel === undefined ? 'Nothing to redo.' : true),
      run: actions.redo,
    },
    {
      id: 'skill.share',
      title: 'Copy share link',
      category: 'Skill',
      keywords: 'send url',
      enabled: () => actions.canExport(selected()),
      run: withSelected(actions.share),
    },
    { id: 'session.new', title: 'New session', category: 'Session', run: () => sessions.newSession() },
    {
      id: 'session.focus',
      title: 'Write a message',
      category: 'Session',
      keywords: 'composer prompt',
      run: deps.focusComposer,
    },
    {
      id: 'session.stop',
      title: 'Stop turn',
      category: 'Session',
      enabled: () => (sessions.getState().status === 'running' ? true : 'Nothing is running.'),
      run: () => sessions.stop(),
    },
    {
      id: 'session.follow',
      title: 'Follow or pin the latest request',
      category: 'Session',
      shortcut: 'F4',
      keywords: 'pin selection',
      enabled: () => (sessions.getState().currentId === undefined ? 'No session has started.' : true),
      run: () => toggleFollowing(sessions),
    },
    {
      id: 'session.settings',
      title: 'Session settings',
      category: 'Session',
      keywords: 'padding dialect thinking effort ttl',
      run: () => sessionNeeds.openSettings?.(),
    },
    {
      id: 'session.keys',
      title: 'Provider keys',
      category: 'Session',
      keywords: 'api key anthropic openai',
      run: () => sessionUi.show({ kind: 'keys' }),
    },
    {
      id: 'session.list',
      title: 'Open saved session',
      category: 'Session',
      keywords: 'history reopen',
      run: () => sessionUi.show({ kind: 'sessions' }),
    },
    {
      id: 'session.rename',
      title: 'Rename session',
      category: 'Session',
      enabled: hasSession,
      run: () => sessionUi.show({ kind: 'rename' }),
    },
    {
      id: 'session.import',
      title: 'Import session',
      category: 'Session',
      keywords: 'jsonl journal',
      run: () => sessionUi.show({ kind: 'import' }),
    },
    {
      id: 'session.clock',
      title: 'Advance the simulator’s clock by six minutes',
      category: 'Session',
      keywords: 'ttl lapse expire',
      run: () => sessions.advanceClock(6 * 60_000),
    },
  ];
};
