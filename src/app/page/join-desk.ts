/** Joins the desk with the page: slots, commands, notices, what is dropped or shared. Loaded with the desk. */
import { baseName } from '../../base/paths.ts';
import type { LibraryTarget } from '../../features/library/library-view.ts';
import type { CountTokens } from '../../features/prefix/use-prefix.ts';
import type { LogStore } from '../../features/log/log-store.ts';
import type { HostLog } from '../../platform/provider/host-log.ts';
import { openRecording } from '../../platform/worker/recording-browser.ts';
import { watchAgents } from './watch-agents.ts';
import { createRecordingsStore, type RecordingsDeps } from '../../stores/recordings-store.ts';
import { createTriggerLab } from '../../stores/trigger-lab-store.ts';
import { agentListing } from '../../model/workspace/session-plan.ts';
import type { LibraryInput } from '../../model/library/load-library.ts';
import type { PreviewSettings } from '../../features/preview/preview-settings.ts';
import { withUnsaved } from '../../stores/workspace/unsaved-tree.ts';
import { createEvalResults } from '../../platform/store/eval-results.ts';
import { createWhatIfStore } from '../../stores/what-if-store.ts';
import type { SettingsStore } from '../../stores/settings-store.ts';
import { addressOf, addressOfPath } from '../../model/workspace/holder.ts';
import { skillsIn, type WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import type { Toasts } from '../../ui/toast.tsx';
import { deskCommands } from '../actions/desk-commands.ts';
import { createFolderActions, type FolderActions } from '../actions/folder-actions.ts';
import { createIncoming } from '../actions/incoming.ts';
import type { Navigation } from '../address/navigation.ts';
import type { CommandRegistry } from '../commands/commands.ts';
import type { Desk } from '../desk/desk-types.ts';
import { openDesk } from '../desk/desk.ts';
import type { Outside } from '../desk/outside.ts';
import type { Questions } from '../shell/questions.tsx';
import type { ShellStore } from '../shell/shell-state.ts';
import type { ThemeStore } from '../shell/theme.ts';
import type { LocalTwin } from '../../platform/store/local-twin.ts';
import { createSettings } from '../../platform/store/settings.ts';
import type { PanelId } from '../views/registry.ts';
import type { Browser } from './browser.ts';
import { tellOfDesk } from './desk-notices.ts';
import { deskSlots } from './desk-slots.tsx';
import { leaveFrozenClosed, tellWatch } from './frozen-page.ts';
import { followSession } from './follow-session.ts';
import type { Slots } from './slots.ts';

/** What the page has without a desk. */
export interface PageParts {
  readonly browser: Browser;
  /** `browser.storage`, with its copy in the database. */
  readonly twin: Pick<LocalTwin, 'follow'>;
  readonly hosts: HostLog;
  readonly logs: LogStore;
  readonly theme: ThemeStore;
  readonly shell: ShellStore;
  readonly toasts: Toasts;
  readonly questions: Questions;
  readonly navigation: Navigation;
  readonly commands: CommandRegistry;
  readonly workspace: WorkspaceStore;
  readonly slots: Slots;
  readonly copy: (text: string, what: string) => void;
  readonly fail: (id: string, thrown: unknown) => void;
  /** Goes to a panel, in whichever view it is. */
  readonly show: (panel: PanelId) => void;
  /** What is selected in the Library. */
  readonly selected: () => LibraryTarget | undefined;
}

export interface JoinDeps extends PageParts {
  readonly settings: SettingsStore;
  readonly outside: Outside;
  /** Another folder is open, and is still to be read. */
  readonly onOtherFolder: () => void;
}

export interface JoinedDesk {
  readonly desk: Desk;
  readonly actions: FolderActions;
  readonly openFolder: () => Promise<void>;
  /** Opens the folder of the last visit, then what the address carries. */
  readonly start: () => Promise<void>;
}

/** The desk with the page as its surroundings. */
const deskFor = (parts: JoinDeps): Promise<Desk> => {
  const { browser, settings, outside, shell, questions, navigation, workspace, copy } = parts;
  return openDesk({
    outside,
    storage: browser.storage,
    settings,
    hosts: parts.hosts,
    log: parts.logs.log,
    tell: (message) => shell.notify({ id: 'desk', tone: 'error', text: message }),
    confirmDiscard: (path) =>
      questions.confirm({
        title: 'Close without saving?',
        text: `${path} has unsaved changes. Closing discards them.`,
        action: 'Close without saving',
        isDanger: true,
      }),
    onActive: (path) => {
      if (path === undefined) return;
      const { skill, file } = addressOfPath(skillsIn(workspace.getState()), path);
      const place = navigation.get();
      const isSame = place.skill === skill && (place.file ?? 'SKILL.md') === (file ?? 'SKILL.md');
      if (!isSame) navigation.settle({ skill, file, at: undefined });
    },
    copy,
    download: (name, text) => browser.download(name, text, 'application/json'),
    showInstrument: parts.show,
    runMetaskill: () => parts.show('metaskill-run'),
    workspace,
  });
};

/** In milliseconds. A folder that can no longer be read says so itself. */
const READ_LIMIT = 3000;

/** Resolves once the panels know a skill of the open folder, or after a while. */
const whenRead = (workspace: WorkspaceStore, path: string): Promise<void> =>
  new Promise((resolve) => {
    const isThere = (): boolean =>
      skillsIn(workspace.getState()).some((skill) => skill.isInFolder && skill.path === path);
    const stop = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const unsubscribe = workspace.subscribe(() => {
      if (isThere()) stop();
    });
    const timer = setTimeout(stop, READ_LIMIT);
    if (isThere()) stop();
  });

export const joinDesk = async (parts: JoinDeps): Promise<JoinedDesk> => {
  const { browser, shell, questions, navigation, workspace, copy, fail } = parts;
  const write = (): void => {
    parts.show('session');
    browser.focus.composer();
  };
  const desk = await deskFor(parts);
  // Before anything else is looked at: Metaskills opens the program that it shows.
  const { skill: addressed } = navigation.get();
  if (addressed !== undefined) desk.runDesk.chooseSkill(baseName(addressed));
  // What was drawn so far follows choices from before the browser died: it is drawn again with the newest.
  const onError = (thrown: unknown): void => fail('local-twin', thrown);
  const stored = createSettings(desk.database);
  const isNewer = await parts.twin.follow(stored, onError);
  if (isNewer) browser.address.reload();
  const actions = createFolderActions({
    desk,
    questions,
    notify: shell.notify,
    say: parts.toasts.say,
    copy,
    download: browser.download,
    whenRead: (skill) => whenRead(workspace, skill),
    goTo: (target) => {
      navigation.go({ view: 'skills', ...addressOf(target) });
      browser.focus.whenFree('Editor');
    },
    pageUrl: browser.address.page,
  });
  const unsaved = ({ project, ...input }: LibraryInput): LibraryInput => ({
    ...input,
    ...(project && {
      project: { ...project, tree: withUnsaved(project.tree, () => desk.files.getState().documents) },
    }),
  });
  const preview: PreviewSettings = {
    storage: browser.storage,
    tokenizer: desk.tokenizer,
    compare: desk.sessions.compareStarts,
    listing: async (client) =>
      agentListing(unsaved(await desk.workspace.input()), client, desk.sessions.getState().next.settings),
  };
  const count: CountTokens = (texts) => desk.tokenizer.count(texts);
  const openFile: RecordingsDeps['open'] = (files, options) => openRecording(files, { count, ...options });
  const recordings = createRecordingsStore({ open: openFile });
  desk.sessions.subscribe(({ currentId, status }, before) => {
    // A range is about what has been: another session, or a new turn, is to be seen whole.
    const isNew = currentId !== before.currentId || (status === 'running' && before.status !== 'running');
    if (isNew && !recordings.getState().shown) recordings.look(undefined);
  });
  recordings.subscribe(({ shown }, before) => {
    if (shown?.id === before.shown?.id) return;
    // A recording has no message to write, only requests to read. A watched folder comes in front by itself.
    if (shown) navigation.settle({ side: 'request' });
    else if (desk.sessions.getState().currentId === undefined) navigation.settle({ side: undefined });
  });
  const watch = watchAgents({
    desk,
    outside: parts.outside,
    browser,
    recordings,
    isCaptured: new URL(browser.address.page()).searchParams.has('capture'),
  });
  parts.slots.set(
    deskSlots({
      ...desk,
      theme: parts.theme,
      log: parts.logs,
      count,
      preview,
      recordings,
      watch,
      whatIf: createWhatIfStore({ sessions: desk.sessions, recordings, open: openFile }),
      lab: createTriggerLab({
        services: desk.services,
        settings: () => desk.sessions.getState().next.settings,
        volatile: desk.sessions.volatileText,
        input: desk.workspace.input,
        unsaved,
        results: createEvalResults(desk.database),
        fail: (thrown) => fail('trigger-lab', thrown),
      }),
      show: parts.show,
      write,
      save: (name, text, type = 'application/jsonl') => browser.download(name, text, type),
      copy,
    }),
  );
  tellOfDesk({ desk, shell, questions, fail, after: browser.after, show: parts.show });
  desk.folder.subscribe((state, before) => {
    if (before.current && state.current && state.current.id !== before.current.id) parts.onOtherFolder();
  });
  const incoming = createIncoming({
    folder: desk.folder,
    canPickFolders: browser.canPickFolders,
    questions,
    choose: browser.choose,
    fail: (message) => fail('incoming', new Error(message)),
  });
  parts.commands.register(
    deskCommands({
      desk,
      actions,
      selected: parts.selected,
      chooseFolder: incoming.chooseFolder,
      chooseArchive: incoming.chooseArchive,
      confirmReset: () =>
        questions.confirm({
          title: 'Reset the demo?',
          text: 'Lathe discards all changes in the demo.',
          action: 'Reset demo',
          isDanger: true,
        }),
      focusComposer: write,
    }),
  );
  browser.onDrop((items) => void incoming.drop(items));
  const frozenPage = {
    folder: desk.folder,
    navigation,
    address: browser.address,
    settings: stored,
    shell,
    fail,
    opening: parts.outside.watchForFreezes(),
  };
  tellWatch(frozenPage);
  const followed = followSession({ navigation, sessions: desk.sessions, fail });
  return {
    desk,
    actions,
    openFolder: incoming.openFolder,
    start: async () => {
      const { address } = browser;
      // Whatever the page settles while the folder is opened takes its place.
      const hash = address.hash();
      const without = await leaveFrozenClosed(frozenPage);
      const isCanceled = (): boolean => workspace.getState().status === 'cancelled';
      if (isCanceled()) desk.folder.cancel();
      else await desk.folder.start(without);
      if (!desk.folder.getState().current && !isCanceled()) void workspace.open();
      void followed.start();
      const openShared = async (): Promise<void> => {
        const shared = await incoming.openShared(hash);
        if (shared !== 'none') address.replace('');
        if (shared === 'opened') parts.show('library');
      };
      // A question to the person: nothing waits for the answer.
      void openShared();
    },
  };
};
