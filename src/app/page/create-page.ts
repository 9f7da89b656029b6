/** A page put together: the shell immediately, and the desk after it when it is opened. */
import { createRef } from 'react';
import { errorMessage } from '../../base/errors.ts';
import type { LibraryHandle } from '../../features/library/library-panel.tsx';
import type { LibraryTarget } from '../../features/library/library-view.ts';
import { createLogStore } from '../../features/log/log-store.ts';
import { createHostLog } from '../../platform/provider/host-log.ts';
import { createLocalTwin } from '../../platform/store/local-twin.ts';
import type { SettingsStore } from '../../stores/settings-store.ts';
import { createWorkspaceStore, type WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import { DENSITIES, type Density } from '../../ui/density.ts';
import { createToasts } from '../../ui/toast.tsx';
import { createGoToProblem } from '../actions/go-to-problem.ts';
import { shellCommands } from '../actions/shell-commands.ts';
import { waitingActions } from '../actions/waiting-actions.ts';
import { createNavigation } from '../address/navigation.ts';
import { addressOfPanel, viewAt } from '../address/panel-address.ts';
import { createCommands } from '../commands/commands.ts';
import { commandFor } from '../commands/keyboard.ts';
import type { Desk } from '../desk/desk-types.ts';
import { createFolderFiles } from '../desk/folder-files.ts';
import { createLocalData } from '../desk/local-data.ts';
import { createLayout, isFoldable } from '../shell/layout.ts';
import { createNetwork } from '../shell/network.ts';
import { createQuestions } from '../shell/questions.tsx';
import { createShellStore } from '../shell/shell-state.ts';
import { createStoredChoice } from '../shell/stored-choice.ts';
import { createTheme } from '../shell/theme.ts';
import type { Browser } from './browser.ts';
import { createDeskOpening } from './desk-opening.ts';
import { followAddress } from './follow-address.ts';
import { holderOf, isBottomId, VIEWS } from '../views/registry.ts';
import { placeOfPanel } from '../views/views.ts';
import { createSlots, type Slots } from './slots.ts';
import { targetInView, type WorkbenchDeps } from './workbench.tsx';

export interface Page {
  readonly workbench: WorkbenchDeps;
  readonly slots: Slots;
  /** Nothing while it is on its way. */
  readonly desk: () => Desk | undefined;
  /** Opens what is inside the shell. What goes wrong is reported on the page. */
  readonly open: () => Promise<void>;
  /** The same, when the first paint is done: any earlier it would hold it up. */
  readonly openAfterPaint: () => void;
}

export const createPage = (outer: Browser): Page => {
  const twin = createLocalTwin(outer.storage);
  const browser: Browser = { ...outer, storage: twin };
  const { storage, address, platform } = browser;
  const theme = createTheme({ storage, show: browser.showTheme, moreContrast: browser.moreContrast });
  const density = createStoredChoice<Density>({
    storage,
    key: 'lathe.density',
    values: DENSITIES,
    show: browser.showDensity,
  });
  const layout = createLayout(storage);
  const shell = createShellStore(storage);
  const toasts = createToasts();
  const questions = createQuestions();
  const navigation = createNavigation(address);
  const fail = (id: string, thrown: unknown, what = ''): void =>
    shell.notify({ id, tone: 'error', text: `${what}${errorMessage(thrown)}` });
  const commands = createCommands({
    storage,
    onError: ({ id, title }, thrown) => fail(`command ${id}`, thrown, `${title}: `),
  });
  const copy = (text: string, what: string): void =>
    void browser.copy(text).then(
      () => toasts.say(what),
      (thrown: unknown) => fail('copy', thrown, 'The browser didn’t allow copying: '),
    );
  const logs = createLogStore({ now: browser.now, nextFrame: browser.nextFrame });
  const hosts = createHostLog();
  const slots = createSlots();
  const library = createRef<LibraryHandle>();

  // Settings, model, checks and sessions come after the first paint.
  let settingsPromise: Promise<SettingsStore> | undefined;
  const settings = (): Promise<SettingsStore> =>
    (settingsPromise ??= import('../../stores/settings-store.ts').then(({ createSettingsStore }) =>
      createSettingsStore(storage),
    ));

  const workspace: WorkspaceStore = createWorkspaceStore({
    load: async (context) => (await opening.open()).desk.workspace.load(context),
    after: browser.after,
  });
  /** What comes from the folder, and the opening of the folder itself. */
  const cancelOpening = (): void => {
    workspace.cancel();
    opening.now()?.desk.folder.cancel();
  };
  const selected = (): LibraryTarget | undefined => targetInView(workspace.getState(), navigation.get());
  const opening = createDeskOpening({
    twin,
    browser,
    settings,
    hosts,
    logs,
    theme,
    shell,
    toasts,
    questions,
    navigation,
    commands,
    workspace,
    slots,
    copy,
    fail,
    show: (panel) => {
      const place = navigation.get();
      const column = placeOfPanel(VIEWS, holderOf(panel), viewAt(place))?.column.id ?? 'center';
      const part = isBottomId(panel) ? 'bottom' : column;
      navigation.go(addressOfPanel(panel, place));
      if (isFoldable(part)) layout.unfold(part);
    },
    selected,
  });
  const actions = waitingActions({
    now: () => opening.now()?.actions,
    whenThere: async () => (await opening.open()).actions,
    reason: opening.reason,
    openFolder: async () => opening.now()?.openFolder(),
  });

  const files = createFolderFiles(
    () => opening.now()?.desk,
    () => navigation.go(addressOfPanel('editor', navigation.get())),
  );
  shell.subscribe(({ dialog }, before) => {
    if (dialog === 'palette' && before.dialog !== 'palette') void files.look();
  });
  commands.register(
    shellCommands({
      shell,
      layout,
      navigation,
      theme,
      density,
      actions,
      selected,
      openDemo: () => void opening.now()?.desk.folder.openDemo(),
      copyPath: ({ skill, file }) => copy(file === undefined ? skill : `${skill}/${file}`, 'Path copied'),
      searchLibrary: () => {
        navigation.go(addressOfPanel('library', navigation.get()));
        layout.unfold('left');
        // The view may come only with the next frame.
        if (library.current) library.current.focusSearch();
        else browser.nextFrame(() => void browser.after(0, () => library.current?.focusSearch()));
      },
      focusRegion: browser.focus.nextRegion,
      focus: browser.focus.region,
      goToProblem: createGoToProblem({ workspace, navigation }),
      say: toasts.say,
    }),
  );
  browser.onKey((press, situation) => {
    const command = commandFor(press, commands.list(), platform, situation);
    if (!command) return false;
    const answer = commands.run(command.id);
    if (answer !== true) toasts.say(answer);
    return true;
  });
  followAddress({
    navigation,
    workspace,
    editor: () => opening.now()?.desk.editor,
    takeOtherFolder: opening.takeOtherFolder,
  });
  browser.keepOffline((reload) =>
    shell.notify({
      id: 'update',
      tone: 'info',
      text: 'A new version is ready. Reload to use it. This version works until then.',
      action: { label: 'Reload', run: reload },
    }),
  );

  const open = async (): Promise<void> => {
    try {
      await opening.open();
    } catch (thrown) {
      fail('no-desk', thrown, 'Can’t load Lathe: ');
      // Once more; if it fails again, the Library says so and offers another try.
      if (!opening.now()) await workspace.open();
    }
  };

  return {
    workbench: {
      theme,
      density,
      layout,
      navigation,
      commands,
      shell,
      toasts,
      questions,
      workspace,
      cancelOpening,
      folderName: () => opening.now()?.desk.folder.getState().current?.name,
      actions,
      files,
      network: createNetwork(hosts),
      settings,
      data: createLocalData({
        storage,
        estimate: browser.estimate,
        stored: async () => {
          const [{ createStoredData }, { keptCopies }, { desk }] = await Promise.all([
            import('../desk/stored-data.ts'),
            import('../desk/kept-copies.ts'),
            opening.open(),
          ]);
          return createStoredData({
            database: desk.database,
            privates: desk.privates,
            now: browser.now,
            copies: keptCopies(() => navigator.storage.getDirectory()),
          });
        },
        download: (name, content) => browser.download(name, content, 'application/zip'),
        startAnew: () => {
          // The address may name what is gone.
          address.replace('');
          address.reload();
        },
      }),
      platform,
      library,
      copy,
      // React itself writes what was thrown to the console; the region shows it.
      onRegionError: () => {},
    },
    slots,
    desk: () => opening.now()?.desk,
    open,
    openAfterPaint: () => browser.nextFrame(() => void browser.after(0, () => void open())),
  };
};
