// The composition root: the only file that wires things together.
import { createRef, startTransition, StrictMode, useDeferredValue, useEffect, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { errorMessage } from './base/errors.ts';
import './ui/base.css';
import { createCommands } from './app/commands/commands.ts';
import type { Desk } from './app/desk/desk-types.ts';
import type { FolderActions } from './app/actions/folder-actions.ts';
import { createFolderFiles } from './app/desk/folder-files.ts';
import { followAddress } from './app/page/follow-address.ts';
import { createGoToProblem } from './app/actions/go-to-problem.ts';
import { allInstruments } from './app/shell/instruments.tsx';
import { commandFor } from './app/commands/keyboard.ts';
import type { Platform } from './app/commands/keymap.ts';
import { createLayout } from './app/shell/layout.ts';
import { createLocalData } from './app/desk/local-data.ts';
import { createNavigation } from './app/address/navigation.ts';
import { createNetwork } from './app/shell/network.ts';
import { startOfflinePage } from './app/offline/offline-page.ts';
import { createQuestions } from './app/shell/questions.tsx';
import { focusNextRegion, focusWhenFree } from './app/shell/regions.ts';
import { type Action, shellCommands, type WorkspaceActions } from './app/actions/shell-commands.ts';
import { createShellStore } from './app/shell/shell-state.ts';
import { createSlots } from './app/page/slots.ts';
import { createStoredChoice } from './app/shell/stored-choice.ts';
import { createTheme } from './app/shell/theme.ts';
import { targetInView, Workbench, type WorkbenchDeps } from './app/page/workbench.tsx';
import type { LibraryHandle } from './features/library/library-panel.tsx';
import type { LibraryTarget } from './features/library/library-view.ts';
import { createLogStore } from './features/log/log-store.ts';
import type { Problem } from './features/problems/problems-view.ts';
import { createHostLog } from './platform/provider/host-log.ts';
import { createNextFrame } from './platform/runtime/next-frame.ts';
import type { SettingsStore } from './stores/settings-store.ts';
import { createWorkspaceStore, isInFolder, type WorkspaceStore } from './stores/workspace-store.ts';
import { DENSITIES, type Density } from './ui/density.ts';
import { createToasts } from './ui/toast.tsx';

// Each access may throw: a browser can block storage.
const storage: Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'> = {
  get length() {
    return localStorage.length;
  },
  key: (index) => localStorage.key(index),
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
};
const root = document.documentElement;
const platform: Platform = /Mac|iPhone|iPad/.test(navigator.platform) ? 'mac' : 'other';

const theme = createTheme({
  storage,
  show: (name) => {
    if (name) root.dataset['theme'] = name;
    else delete root.dataset['theme'];
  },
  moreContrast: matchMedia('(prefers-contrast: more)'),
});
const density = createStoredChoice<Density>({
  storage,
  key: 'lathe.density',
  values: DENSITIES,
  show: (value) => {
    root.dataset['density'] = value;
  },
});
const layout = createLayout(storage);
const shell = createShellStore(storage);
const toasts = createToasts();
const navigation = createNavigation({
  hash: () => location.hash,
  push: (hash) => history.pushState(null, '', hash || location.pathname + location.search),
  replace: (hash) => history.replaceState(null, '', hash || location.pathname + location.search),
  onMove: (listener) => addEventListener('popstate', listener),
});
const commands = createCommands({
  storage,
  onError: (command, thrown) =>
    shell.notify({
      id: `command ${command.id}`,
      tone: 'error',
      text: `${command.title}: ${errorMessage(thrown)}`,
    }),
});

const questions = createQuestions();
const nextFrame = createNextFrame();
const logs = createLogStore({ now: () => Date.now(), nextFrame });
const hosts = createHostLog();

// Settings, model, checks and sessions come after the first paint.
let settingsPromise: Promise<SettingsStore> | undefined;
const settings = (): Promise<SettingsStore> =>
  (settingsPromise ??= import('./stores/settings-store.ts').then(({ createSettingsStore }) =>
    createSettingsStore(storage),
  ));

let desk: Desk | undefined;
/** Another folder was opened and is still being read. */
let hasOtherFolder = false;
const takeOtherFolder = (): boolean => {
  const had = hasOtherFolder;
  hasOtherFolder = false;
  return had;
};
let folderActions: FolderActions | undefined;

const download = (name: string, content: BlobPart, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

const fail = (id: string, thrown: unknown): void => shell.notify({ id, tone: 'error', text: errorMessage(thrown) });

const workspace: WorkspaceStore = createWorkspaceStore({
  load: async (context) => (await deskPromise()).load(context),
});

let reloadTimer: ReturnType<typeof setTimeout> | undefined;
/** Many changes come at once; the folder is read once behind them. */
const reloadSoon = (): void => {
  clearTimeout(reloadTimer);
  reloadTimer = setTimeout(() => void workspace.reload(), 250);
};

/** The path of a file of the folder, as the address names it. */
const placeOf = (path: string): { readonly skill: string | undefined; readonly file: string | undefined } => {
  const skills = desk?.view()?.skills ?? [];
  const skill = skills
    .filter(({ id, layer, path: folder }) => isInFolder({ path: id, layer }) && path.startsWith(`${folder}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
  if (!skill) return { skill: undefined, file: path };
  const file = path.slice(skill.path.length + 1);
  return { skill: skill.path, file: file === 'SKILL.md' ? undefined : file };
};

const openDeskOnce = async (): Promise<Desk> => {
  const [
    { openDesk },
    { deskSlots },
    { tellOfDesk },
    { createFolderActions },
    { createIncoming },
    { deskCommands },
    store,
  ] = await Promise.all([
    import('./app/desk/desk.ts'),
    import('./app/page/desk-slots.tsx'),
    import('./app/page/desk-notices.ts'),
    import('./app/actions/folder-actions.ts'),
    import('./app/actions/incoming.ts'),
    import('./app/actions/desk-commands.ts'),
    settings(),
  ]);
  const opened = await openDesk({
    storage,
    settings: store,
    hosts,
    log: logs.log,
    demoUrl: new URL('demo/', document.baseURI),
    wasmUrl: new URL('starlark.wasm', document.baseURI).href,
    tell: (message) => shell.notify({ id: 'desk', tone: 'error', text: message }),
    confirmDiscard: (path) =>
      questions.confirm({
        title: 'Close without saving?',
        text: `${path} has changes that are not saved. They would be lost.`,
        action: 'Close without saving',
        isDanger: true,
      }),
    onActive: (path) => {
      if (path === undefined) return;
      const { skill, file } = placeOf(path);
      const place = navigation.get();
      const isSame = place.skill === skill && (place.file ?? 'SKILL.md') === (file ?? 'SKILL.md');
      if (!isSame) navigation.settle({ skill, file, at: undefined });
    },
    copy,
    download: (name, text) => download(name, text, 'application/json'),
    showInstrument: (tab) => navigation.go({ tab }),
    runMetaskill: () => navigation.go({ tab: 'metaskill-run' }),
    onAmend: workspace.amend,
    onFolderChange: reloadSoon,
  });
  desk = opened;
  folderActions = createFolderActions({
    desk: opened,
    questions,
    notify: shell.notify,
    say: toasts.say,
    copy,
    download: (name, content, type) => download(name, content.slice().buffer, type),
    goTo: ({ skill, file }) => {
      navigation.go({ skill, file });
      focusWhenFree(document, 'Editor');
    },
    pageUrl: () => location.href.replace(/#.*$/, ''),
  });
  slots.set(
    deskSlots({
      desk: opened,
      theme,
      preview: { storage, tokenizer: opened.tokenizer },
      log: logs,
      count: (texts) => opened.tokenizer.count(texts),
      show: (tab) => navigation.go({ tab }),
      save: (name, text) => download(name, text, 'application/jsonl'),
      copy,
    }),
  );
  tellOfDesk({ desk: opened, shell, questions, fail });
  opened.folder.subscribe((state, before) => {
    if (before.current && state.current && state.current.id !== before.current.id) hasOtherFolder = true;
    if (state.current !== before.current) void workspace.open();
    else if (state.user !== before.user) reloadSoon();
  });
  const incoming = createIncoming({
    folder: opened.folder,
    questions,
    fail: (message) => fail('incoming', new Error(message)),
  });
  commands.register(
    deskCommands({
      desk: opened,
      actions: folderActions,
      selected,
      chooseFolder: incoming.chooseFolder,
      chooseArchive: incoming.chooseArchive,
      confirmReset: () =>
        questions.confirm({
          title: 'Reset the demo?',
          text: 'Everything that was changed in the demo is thrown away.',
          action: 'Reset demo',
          isDanger: true,
        }),
      focusComposer: () => document.querySelector<HTMLElement>('[aria-label="Message"]')?.focus(),
    }),
  );
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!event.dataTransfer || event.dataTransfer.items.length === 0) return;
    event.preventDefault();
    void incoming.drop(event.dataTransfer.items);
  });
  const { hash } = location;
  await opened.folder.start();
  if (!opened.folder.getState().current) void workspace.open();
  const openShared = async (): Promise<void> => {
    if (await incoming.openShared(hash)) history.replaceState(null, '', location.pathname + location.search);
  };
  void openShared();
  return opened;
};
let opening: Promise<Desk> | undefined;
const deskPromise = (): Promise<Desk> => (opening ??= openDeskOnce());

const slots = createSlots();
const library = createRef<LibraryHandle>();

const copy = (text: string, what: string): void => {
  navigator.clipboard.writeText(text).then(
    () => toasts.say(what),
    (thrown: unknown) =>
      shell.notify({ id: 'copy', tone: 'error', text: `The browser did not allow copying: ${String(thrown)}` }),
  );
};

const OPENING = 'The folder is being opened.';

/** An action on the folder; while the desk is on its way it waits for it. */
const onFolder = <Args extends readonly unknown[]>(
  run: (actions: FolderActions, ...args: Args) => Promise<void>,
): Action<Args> => ({
  enabled: () => folderActions?.canChange() ?? OPENING,
  run: async (...args) => {
    await deskPromise();
    if (folderActions) await run(folderActions, ...args);
  },
});

type OnTarget = (actions: FolderActions, target: LibraryTarget) => Promise<void>;
const onTarget = (run: OnTarget): Action<readonly [LibraryTarget]> => ({
  ...onFolder(run),
  enabled: (target) => folderActions?.canChange(target) ?? OPENING,
});
const onSkill = (run: OnTarget): Action<readonly [LibraryTarget]> => ({
  ...onFolder(run),
  enabled: (target) => folderActions?.canExport(target) ?? OPENING,
});

const actions: WorkspaceActions = {
  openFolder: {
    enabled: () => true,
    run: async () => {
      if (desk) await desk.folder.openPicked();
    },
  },
  newSkill: onFolder((folder) => folder.create('skill')),
  rename: onTarget((folder, target) => folder.rename(target)),
  duplicate: onTarget((folder, target) => folder.duplicate(target)),
  remove: onTarget((folder, target) => folder.remove(target)),
  newFile: onTarget((folder, target) => folder.createFile(target)),
  exportSkill: onSkill((folder, target) => folder.exportSkill(target)),
  share: onSkill((folder, target) => folder.share(target)),
  fix: onFolder((folder, problem: Problem) => folder.fix(problem)),
  fixAll: onFolder((folder) => folder.fixAll()),
};

const selected = (): LibraryTarget | undefined => targetInView(workspace.getState(), navigation.get());

const folderFiles = createFolderFiles(() => desk);
shell.subscribe(({ dialog }, before) => {
  if (dialog === 'palette' && before.dialog !== 'palette') void folderFiles.look();
});

commands.register(
  shellCommands({
    shell,
    layout,
    navigation,
    theme,
    density,
    actions,
    instruments: allInstruments([]),
    selected,
    openDemo: () => void desk?.folder.openDemo(),
    copyPath: ({ skill, file }) => copy(file === undefined ? skill : `${skill}/${file}`, 'Path copied'),
    searchLibrary: () => {
      layout.unfold('library');
      if (navigation.get().panel !== undefined) navigation.go({ panel: 'library' });
      library.current?.focusSearch();
    },
    focusRegion: (direction) => focusNextRegion(document, direction),
    goToProblem: createGoToProblem({ workspace, navigation }),
  }),
);

const deps: WorkbenchDeps = {
  theme,
  density,
  layout,
  navigation,
  commands,
  shell,
  toasts,
  questions,
  workspace,
  folderName: () => desk?.folder.getState().current?.name,
  actions,
  files: folderFiles,
  network: createNetwork(hosts),
  settings,
  data: createLocalData({
    storage,
    estimate: () => navigator.storage.estimate(),
    stored: async () => {
      const [{ createStoredData }, opened] = await Promise.all([import('./app/desk/stored-data.ts'), deskPromise()]);
      return createStoredData(opened);
    },
    download: (name, content) => download(name, content.slice().buffer, 'application/zip'),
    startAnew: () => {
      // The address may name what is gone.
      history.replaceState(null, '', location.pathname + location.search);
      location.reload();
    },
  }),
  platform,
  library,
  copy,
  // React itself writes what was thrown to the console; the region shows it.
  onRegionError: () => {},
};

addEventListener(
  'keydown',
  (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const command = commandFor(event, commands.list(), platform, {
      isInField: target?.closest('input, textarea, [contenteditable], [role=textbox]') !== null,
      isInDialog: document.querySelector('[data-modal]') !== null,
    });
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    const answer = commands.run(command.id);
    if (answer !== true) toasts.say(answer);
  },
  { capture: true },
);

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element with the id "root".');
// What the desk brings is drawn in slices between which the page answers.
const Page = () => {
  const shown = useDeferredValue(useSyncExternalStore(slots.subscribe, slots.get));
  // Opened any earlier, the desk would hold up the first paint: an effect may run before it.
  useEffect(() => {
    nextFrame(() => setTimeout(() => void deskPromise().catch((thrown: unknown) => fail('desk', thrown))));
  }, []);
  return <Workbench deps={deps} slots={shown} />;
};
const page = createRoot(container);
startTransition(() =>
  page.render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);

followAddress({ navigation, workspace, editor: () => desk?.editor, takeOtherFolder, placeOf });

if (import.meta.env.PROD && 'serviceWorker' in navigator) startOfflinePage(navigator.serviceWorker, shell);
