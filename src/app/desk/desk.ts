/**
 * Everything inside the shell: the open folder, its files, the editor, sessions. It is loaded after the first paint, because the
 * model, its checks and the simulator are most of the page.
 */
import { createStore } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import { silentLog, type Log } from '../../base/log.ts';
import { joinPath } from '../../base/paths.ts';
import { createEditor } from '../../features/editor/editor.ts';
import type { SessionNeeds } from '../../features/session/needs.ts';
import { createRunDesk } from '../../features/metaskill-run/run-desk.ts';
import { createSessionUi } from '../../features/session/session-ui.ts';
import { createTerminalStore } from '../../features/sandbox/terminal-store.ts';
import { EXECUTORS_FOLDER } from '../../model/executor/folders.ts';
import { isExecutable } from '../../model/library/types.ts';
import type { WorkspaceView } from '../../model/workspace/workspace-view.ts';
import type { Tool } from '../../model/tool/types.ts';
import { EXAMPLES } from '../../model/session-view/examples.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import { createHandleTree } from '../../platform/fs/handle-tree.ts';
import { createPause } from '../../platform/fs/pause.ts';
import type { PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';
import type { SessionServices } from '../../platform/runtime/session-services.ts';
import { createSandboxSwitch } from '../../platform/sandbox/sandbox-switch.ts';
import { createDrafts } from '../../platform/store/drafts.ts';
import { createHandles } from '../../platform/store/handles.ts';
import { createKeptFolders } from '../../platform/store/kept-folders.ts';
import { createSettings } from '../../platform/store/settings.ts';
import { createConsents, createOrigins } from '../../platform/store/trust.ts';
import { createConsentStore } from '../../stores/consent-store.ts';
import { createFilesStore } from '../../stores/files-store.ts';
import { createSourcesStore } from '../../stores/sources-store.ts';
import { createFolderStore } from '../../stores/folder-store.ts';
import { createSessionStore } from '../../stores/session-store.ts';
import { shownProfile } from '../../stores/settings-store.ts';
import { createWriteThrough, type WriteThrough } from '../../stores/write-through.ts';
import { createWorkingFolders } from '../../stores/workspace/working-folder.ts';
import { createWorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import { createEditorBreakpoints, followPauses, programName } from './editor-breakpoints.ts';
import { createEditorNeeds } from './editor-needs.ts';
import { openRemoteSkills } from './remote-skills.ts';
import type { ImportDesk } from './import-desk.ts';
import { keepMessage } from './keep-message.ts';
import { followForecasts } from './follow-forecasts.ts';
import { inMemory, treeOf } from './desk-storage.ts';
import type { Desk, DeskDeps, ImportState } from './desk-types.ts';

/** How long the start of a session waits for addresses. */
const SOURCES_MS = 10_000;

/** Numbers that change a thousand times a second would keep the page drawing. */
const everySoOften = <Figure>(tell: (figure: Figure) => void, ms = 100): ((figure: Figure) => void) => {
  let last = -Infinity;
  return (figure) => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    tell(figure);
  };
};

/** In milliseconds; only sizes and times of open files are read. */
const LOOK_EVERY = 5000;

export const openDesk = async (deps: DeskDeps): Promise<Desk> => {
  const { log, settings, outside } = deps;
  const { now, newId, timers, demo, tokenizer, nextFrame, apart } = outside;
  const database = await outside.database(log);
  const onError = (thrown: unknown): void => deps.tell(`Can’t save to this browser: ${errorMessage(thrown)}`);
  const consents = createConsentStore(createConsents({ storage: database, now }));
  const origins = createOrigins({ storage: database, now });
  let privatesPromise: Promise<PrivateWorkspaces | undefined> | undefined;
  const privates = (): Promise<PrivateWorkspaces | undefined> => (privatesPromise ??= outside.privates(log));

  const drafts = createDrafts({
    storage: database,
    now,
    ...timers,
    ...(outside.leaving && { page: outside.leaving }),
    onError,
  });
  const files = createFilesStore({
    drafts,
    guard: outside.guard,
    watch: outside.watch,
    origins,
    pause: createPause(),
  });
  // Chromium's observer of folders sometimes stays silent from the start: what is open is looked at anyway.
  outside.whileInView(() => void files.checkDisk(), LOOK_EVERY);
  const handles = createHandles({ storage: database, now, newId });
  const folder = createFolderStore({
    files,
    demo,
    privates,
    inMemory,
    handles,
    settings: createSettings(database),
    origins,
    pick: (id) => outside.pick(`lathe-${id}`),
    treeOf: (handle) => treeOf(handle, log),
  });

  let remotePromise: ReturnType<typeof openRemoteSkills> | undefined;
  const sources = createSourcesStore({
    remote: () => (remotePromise ??= openRemoteSkills({ hosts: deps.hosts, log, now })),
    settings: createSettings(database),
    handles,
    pick: () => outside.pick('lathe-config'),
    treeOf: (handle) => createHandleTree(handle, { log }),
    onChange: () => {
      deps.workspace.reloadSoon();
      void sessions.checkFolder();
    },
  });

  let engine: StarlarkEngine | undefined;
  const loadEngine = (): Promise<StarlarkEngine | undefined> => Promise.resolve((engine ??= outside.engine()));

  let servicesPromise: Promise<SessionServices> | undefined;
  const services = (): Promise<SessionServices> =>
    (servicesPromise ??= outside.services({
      storage: database,
      hosts: deps.hosts,
      log,
      engine: loadEngine,
      tokenizer,
      onStorageError: onError,
    }));

  const sandbox = createSandboxSwitch({
    files: folder.pending,
    make: (open) => outside.sandbox(open, { isDemo: folder.getState().current?.kind === 'demo' }),
  });

  const extraTools = async (sessionLog: Log): Promise<readonly Tool[]> => {
    const found = await folder.tree()?.list(EXECUTORS_FOLDER);
    return found && found.length > 0 ? (await imports()).tools(sessionLog) : [];
  };

  const sessions = createSessionStore({
    runtime: async () => (await services()).runtime,
    folder: async () => {
      await folder.started;
      const pending = folder.pending();
      const { current } = folder.getState();
      if (!pending || !current) throw new Error('No folder is open.');
      // Its own, not those of the folder that was open before it.
      await sources.read(pending);
      return {
        identity: current,
        library: await workspace.input(),
        files: pending,
        profile: settings.getState().settings.profile,
        isForeign: folder.isForeign,
        book: consents,
        runCommand: sandbox.runOver(pending),
      };
    },
    // A host that does not answer must not keep a session from starting: the copies serve.
    beforeStart: async () => {
      await folder.started;
      await sources.read(folder.pending());
      await sources.refresh(AbortSignal.timeout(SOURCES_MS));
    },
    folders: {
      current: () => folder.getState().current,
      isKnown: folder.isKnown,
      reopen: (home) => (home ? folder.reopen(home) : folder.openPicked()),
    },
    guard: outside.guard,
    extraTools,
    nextFrame,
    environment: () => ({ date: new Date(now()).toISOString().slice(0, 10), platform: 'web' }),
  });
  const terminal = createTerminalStore(sandbox);

  const importState = createStore<ImportState>(() => ({ imports: undefined, problem: undefined }));
  const openImports = async (): Promise<ImportDesk> => {
    const { openImportDesk } = await import('./import-desk.ts');
    const opened = await openImportDesk({
      services: await services(),
      settings: createSettings(database),
      folder,
      sessions,
      hosts: deps.hosts,
      log,
      base: outside.base,
      scan: apart.scan,
      skills: () =>
        (workspace.getState().view?.library.store.list() ?? []).flatMap(({ skill, path, layer }) =>
          layer === 'project' ? [{ name: skill.name, path }] : [],
        ),
      tell: deps.tell,
      onWritten: () => {
        void files.checkDisk();
        deps.workspace.reloadSoon();
        void sessions.checkFolder();
      },
    });
    importState.setState({ imports: opened, problem: undefined });
    return opened;
  };
  let importsPromise: Promise<ImportDesk> | undefined;
  const imports = (): Promise<ImportDesk> => {
    const opening = (importsPromise ??= openImports());
    opening.catch((thrown: unknown) => {
      // The next one who asks tries again.
      importsPromise = undefined;
      importState.setState({ problem: errorMessage(thrown) });
    });
    return opening;
  };

  const sessionUi = createSessionUi({ storage: deps.storage, firstDraft: EXAMPLES[0].prompt });
  folder.subscribe(({ current }) => {
    // The example belongs to the demo.
    if (current === undefined || current.kind === 'demo' || sessionUi.getState().draft !== EXAMPLES[0].prompt) return;
    sessionUi.write('');
    sessionUi.startExample(undefined);
  });
  keepMessage({ drafts, ui: sessionUi, sessions }).catch(onError);

  const workspace = createWorkspaceFacts({
    shown: deps.workspace,
    folder,
    kept: createKeptFolders(database, now),
    now,
    workingFolders: createWorkingFolders(createSettings(database)),
    sources,
    files,
    settings,
    sessions,
    extraTools: () => extraTools(silentLog),
    engine: loadEngine,
    whenIdle: outside.whenIdle,
    book: consents,
    pause: createPause,
    seldom: everySoOften,
    judgeApart: apart.judge,
    log,
  });

  files.onChange(() => {
    deps.workspace.reloadSoon();
    void sessions.checkFolder();
  });
  /** What new sessions start with. */
  const useSettings = (): void => {
    const { dialect, metaskillPolicy, simulatorPadding, providerPadding } = settings.getState().settings;
    const isSimulated = sessions.getState().next.settings.provider === 'simulator';
    sessions.configure({ dialect, policy: metaskillPolicy, padding: isSimulated ? simulatorPadding : providerPadding });
  };
  useSettings();
  const followFiles = followForecasts(sessions, sessionUi);
  let writeThrough: WriteThrough | undefined;
  folder.subscribe((state, before) => {
    if (state.current === before.current) return;
    writeThrough?.[Symbol.dispose]();
    const pending = folder.pending();
    writeThrough =
      pending &&
      createWriteThrough({
        files: pending,
        isOn: () => settings.getState().settings.appliesWrites,
        onApplied: () => void files.checkDisk(),
        onFailure: (message) => deps.tell(`Your changes wait in Changes: ${message}`),
      });
    followFiles(pending);
    if (state.current) void sessions.enterFolder(state.current);
  });
  settings.subscribe(() => {
    writeThrough?.check();
    useSettings();
    deps.workspace.reloadSoon();
  });
  sessions.subscribe((state, before) => {
    if (state.next.settings.provider !== before.next.settings.provider) useSettings();
  });

  const view = (): WorkspaceView | undefined => workspace.getState().view;
  const runDesk = createRunDesk({ sessions, skills: workspace.metaskills });
  const editor = createEditor({
    storage: deps.storage,
    needs: createEditorNeeds({
      files,
      workspace,
      engine: loadEngine,
      apart,
      profile: () => shownProfile(settings.getState().settings),
      runtimeProfile: () => settings.getState().settings.profile,
      confirmDiscard: deps.confirmDiscard,
      onActive: deps.onActive,
      onFailure: deps.tell,
      breakpoints: createEditorBreakpoints({ view, sessions }),
      runMetaskill: (path) => {
        const name = programName(view(), path);
        deps.runMetaskill(path);
        if (name !== undefined) void runDesk.start(name);
      },
      runObjection: () => undefined,
      log,
    }),
  });

  // A link to a skill that was just made or deleted, or another profile: the open texts are judged again.
  workspace.subscribe((state, before) => {
    if (state.version !== before.version) editor.checkAgain();
  });
  followPauses({ view, sessions }, editor.showLine);
  // The program that was opened last is the one that Metaskills shows.
  let inFront: string | undefined;
  editor.needs.subscribe(() => {
    const { active } = editor.needs.getState();
    if (active === inFront) return;
    inFront = active;
    const name = active === undefined ? undefined : programName(view(), active);
    if (name !== undefined) runDesk.chooseSkill(name);
  });
  // Where a program stops, it is looked at; anyone who steps is there already.
  sessions.subscribe(({ runs }, before) => {
    if (runs === before.runs) return;
    const stopped = runs.find(({ status, pause }) => status === 'paused' && pause?.reason !== 'step');
    const known = before.runs.find(({ toolUseId }) => toolUseId === stopped?.toolUseId);
    if (stopped && known?.status !== 'paused') deps.showInstrument('metaskill-run');
  });

  const sessionNeeds: SessionNeeds = {
    skills: () =>
      (view()?.library.store.list() ?? []).map(({ skill, layer }) => ({
        name: skill.name,
        description: skill.description,
        tokens: skill.estimatedBodyTokens,
        isPreloaded: workspace.getState().prompt?.preloaded.includes(skill.name) === true,
        isMetaskill: isExecutable(skill.metaskill, layer, settings.getState().settings.metaskillPolicy),
      })),
    folder: {
      isDemo: () => folder.getState().current?.kind === 'demo',
      version: () => `${folder.getState().current?.kind} ${workspace.getState().version}`,
      subscribe: (listener) => workspace.subscribe(listener),
    },
    files: async () => {
      if (files.getState().listing.status === 'none') await files.listAll();
      const { listing } = files.getState();
      return listing.status === 'done' ? listing.paths : [];
    },
    pending: folder.pending,
    progress: {
      get: () => sandbox.state().progress,
      subscribe: (listener) => {
        const subscription = sandbox.subscribe(listener);
        return () => subscription[Symbol.dispose]();
      },
    },
    openSettings: () => deps.showInstrument('settings'),
    writesAtOnce: () => settings.getState().settings.appliesWrites,
    services,
    copy: deps.copy,
    download: deps.download,
    openFile: (path) => {
      deps.showInstrument('editor');
      editor.open(path);
    },
    openSkill: (name) => {
      const item = view()?.library.store.get(name);
      if (!item) return;
      deps.showInstrument('editor');
      editor.open(joinPath(item.path, 'SKILL.md'));
    },
    showInstrument: deps.showInstrument,
  };

  return {
    folder,
    consents,
    sources,
    files,
    editor,
    sessions,
    sessionUi,
    sessionNeeds,
    terminal,
    services,
    imports,
    importState,
    database,
    privates,
    engine: loadEngine,
    workspace,
    runDesk,
    tokenizer,
  };
};
