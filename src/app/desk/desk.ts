/**
 * Everything behind the shell: the open folder, its files, the editor, sessions. It is loaded after the first paint, because the
 * model, its checks and the simulator are most of the page.
 */
import { createStore } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import { joinPath } from '../../base/paths.ts';
import { createEditor } from '../../features/editor/editor.ts';
import type { SessionHost } from '../../features/session/host.ts';
import { createSessionUi } from '../../features/session/session-ui.ts';
import { createTerminalStore } from '../../features/sandbox/terminal-store.ts';
import { EXECUTORS_FOLDER } from '../../model/executor/folders.ts';
import { contextFiles } from '../../model/workspace/context-files.ts';
import { isBelow } from '../../model/files/file-tree.ts';
import { isExecutable } from '../../model/library/types.ts';
import type { LibraryInput } from '../../model/library/load-library.ts';
import { loadWorkspaceView, type WorkspaceView } from '../../model/workspace/workspace-view.ts';
import { EXAMPLES } from '../../model/session-view/examples.ts';
import { planSession, type SessionPlan } from '../../model/session/start.ts';
import type { Profile } from '../../model/skill/types.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import { createHandleTree } from '../../platform/fs/handle-tree.ts';
import { createPause } from '../../platform/fs/pause.ts';
import type { PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';
import type { SessionServices } from '../../platform/runtime/session-services.ts';
import { createSandboxSwitch } from '../../platform/sandbox/sandbox-switch.ts';
import { createDrafts } from '../../platform/store/drafts.ts';
import { createHandles } from '../../platform/store/handles.ts';
import { createSettings } from '../../platform/store/settings.ts';
import { createConsents, createOrigins } from '../../platform/store/trust.ts';
import { createConsentStore } from '../../stores/consent-store.ts';
import { createFilesStore } from '../../stores/files-store.ts';
import { createSourcesStore } from '../../stores/sources-store.ts';
import { createFolderStore } from '../../stores/folder-store.ts';
import { createSessionStore } from '../../stores/session-store.ts';
import { createWriteThrough, type WriteThrough } from '../../stores/write-through.ts';
import { isInFolder, type WorkspaceSkill } from '../../stores/workspace-store.ts';
import { editedMetaskills } from '../edited-metaskills.ts';
import { createEditorBreakpoints, followPauses } from './editor-breakpoints.ts';
import { createEditorHost } from './editor-host.ts';
import { createLiveProblems } from '../live-problems.ts';
import { openRemoteSkills } from './remote-skills.ts';
import type { ImportDesk } from './import-desk.ts';
import { createProgramChecks } from '../program-checks.ts';
import { inMemory, treeOf } from './desk-storage.ts';
import type { Desk, DeskDeps, ImportState } from './desk-types.ts';

/** How long the start of a session waits for addresses. */
const SOURCES_MS = 10_000;

/** Figures that change a thousand times a second would keep the page drawing. */
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
  const { now, newId, timers, demo, tokenizer, nextFrame } = outside;
  const database = await outside.database(log);
  const onError = (thrown: unknown): void => deps.tell(`Something could not be kept: ${errorMessage(thrown)}`);
  const consents = createConsentStore(createConsents({ storage: database, now }));
  const origins = createOrigins({ storage: database, now });
  let privatesPromise: Promise<PrivateWorkspaces | undefined> | undefined;
  const privates = (): Promise<PrivateWorkspaces | undefined> => (privatesPromise ??= outside.privates(log));

  const files = createFilesStore({
    drafts: createDrafts({
      storage: database,
      now,
      ...timers,
      ...(outside.leaving && { page: outside.leaving }),
      onError,
    }),
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
      deps.onFolderChange();
      void sessions.checkFolder();
    },
  });
  const library = (): LibraryInput => ({ ...folder.library(), ...sources.input() });

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

  const sessions = createSessionStore({
    runtime: async () => (await services()).runtime,
    folder: async () => {
      await folder.started;
      const pending = folder.pending();
      const { current } = folder.getState();
      if (!pending || !current) throw new Error('No folder is open.');
      return {
        name: current.name,
        library: library(),
        files: pending,
        profile: settings.getState().settings.profile,
        isForeign: folder.isForeign,
        book: consents,
        runCommand: sandbox.runOver(pending),
      };
    },
    // A host that does not answer must not keep a session from starting: the copies serve.
    beforeStart: () => sources.refresh(AbortSignal.timeout(SOURCES_MS)),
    extraTools: async (sessionLog) => {
      const found = await folder.tree()?.list(EXECUTORS_FOLDER);
      return found && found.length > 0 ? (await imports()).tools(sessionLog) : [];
    },
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
      skills: () =>
        (view?.library.store.list() ?? []).flatMap(({ skill, path, layer }) =>
          layer === 'project' ? [{ name: skill.name, path }] : [],
        ),
      tell: deps.tell,
      onWritten: () => {
        void files.checkDisk();
        deps.onFolderChange();
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

  let view: WorkspaceView | undefined;
  const version = createStore(() => ({ version: 0 }));
  const wantedRun = createStore(() => ({ times: 0 }));
  let plan: SessionPlan | undefined;
  let preloaded: ReadonlySet<string> = new Set();
  let natural = 0;
  let isRetry = false;
  const programs = createProgramChecks({
    engine: loadEngine,
    whenIdle: outside.whenIdle,
    onFailure: (thrown) =>
      log({
        level: 'warning',
        code: 'programs.unchecked',
        text: `programs were not checked: ${errorMessage(thrown)}`,
      }),
  });
  const live = createLiveProblems(files, () => {
    if (view) deps.onAmend(skillsOf(view));
  });
  const skillsOf = ({ skills }: WorkspaceView): readonly WorkspaceSkill[] =>
    skills.map((skill) => {
      const isPreloaded = !skill.isShadowed && skill.valid && preloaded.has(skill.name);
      const known = programs.known(skill);
      const more = known && { program: known.program, diagnostics: [...skill.diagnostics, ...known.diagnostics] };
      return live.amend(Object.assign({}, skill, { path: skill.id, isPreloaded }, more));
    });
  const amendPrograms = async (loaded: WorkspaceView, profile: Profile): Promise<void> => {
    const isNews = await programs.check(loaded.skills, profile);
    if (isNews && view === loaded) deps.onAmend(skillsOf(loaded));
  };
  const load: Desk['load'] = async ({ signal, onProgress }) => {
    // The start failed, which is told first; whoever asks again gets another try.
    if (!folder.getState().current && isRetry) await folder.openDemo();
    isRetry = true;
    const { current, problem } = folder.getState();
    if (!current) throw new Error(problem ?? 'No folder is open.');
    const { profile, dialect, simulatorPadding, providerPadding, metaskillPolicy } = settings.getState().settings;
    await sources.read(folder.library().project?.tree);
    const loaded = await loadWorkspaceView(library(), {
      profile,
      shownProfile: profile,
      dialect,
      log,
      signal,
      pause: createPause(),
      onProgress: everySoOften(onProgress),
    });
    const { next } = sessions.getState();
    const padding = next.settings.provider === 'simulator' ? simulatorPadding : providerPadding;
    plan = {
      workspaceName: current.name,
      workspace: { library: loaded.library, instructions: loaded.instructions },
      dialect,
      policy: metaskillPolicy,
      padding,
      settings: next.settings,
    };
    view = loaded;
    live.settle();
    version.setState((state) => ({ version: state.version + 1 }));
    const { prompt } = planSession(plan);
    natural = prompt.natural;
    preloaded = new Set(prompt.preloaded);
    void amendPrograms(loaded, profile);
    const { project } = folder.library();
    const isInSkill = (path: string): boolean =>
      loaded.skills.some(({ id, layer, path: root }) => isInFolder({ path: id, layer }) && isBelow(root, path));
    const context = project ? (await contextFiles(project.tree)).filter(({ path }) => !isInSkill(path)) : [];
    return { name: current.name, skills: skillsOf(loaded), context };
  };

  files.onChange(() => {
    deps.onFolderChange();
    void sessions.checkFolder();
  });
  /** What new sessions start with. */
  const useSettings = (): void => {
    const { dialect, metaskillPolicy, simulatorPadding, providerPadding } = settings.getState().settings;
    const isSimulated = sessions.getState().next.settings.provider === 'simulator';
    sessions.configure({ dialect, policy: metaskillPolicy, padding: isSimulated ? simulatorPadding : providerPadding });
  };
  useSettings();
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
        onFailure: (message) => deps.tell(`What was written waits in Changes: ${message}`),
      });
  });
  settings.subscribe(() => {
    writeThrough?.check();
    useSettings();
    deps.onFolderChange();
  });
  sessions.subscribe((state, before) => {
    if (state.next.settings.provider !== before.next.settings.provider) useSettings();
  });

  const editor = createEditor({
    storage: deps.storage,
    host: createEditorHost({
      files,
      view: () => view,
      plan: () => plan,
      engine: loadEngine,
      profile: () => settings.getState().settings.profile,
      runtimeProfile: () => settings.getState().settings.profile,
      confirmDiscard: deps.confirmDiscard,
      onActive: deps.onActive,
      onFailure: deps.tell,
      onChecked: live.heard,
      breakpoints: createEditorBreakpoints({ view: () => view, sessions }),
      runMetaskill: (path) => {
        wantedRun.setState(({ times }) => ({ times: times + 1 }));
        deps.runMetaskill(path);
      },
      runObjection: () => undefined,
      log,
    }),
  });

  // A link to a skill that was just made or deleted, or another profile: the open texts are judged anew.
  version.subscribe(editor.checkAgain);
  followPauses({ view: () => view, sessions }, editor.showLine);
  // Where a program stops, it is looked at; whoever steps is there already.
  sessions.subscribe(({ runs }, before) => {
    if (runs === before.runs) return;
    const stopped = runs.find(({ status, pause }) => status === 'paused' && pause?.reason !== 'step');
    const known = before.runs.find(({ toolUseId }) => toolUseId === stopped?.toolUseId);
    if (stopped && known?.status !== 'paused') deps.showInstrument('metaskill-run');
  });

  const sessionHost: SessionHost = {
    skills: () =>
      (view?.library.store.list() ?? []).map(({ skill, layer }) => ({
        name: skill.name,
        description: skill.description,
        tokens: skill.estimatedBodyTokens,
        isPreloaded: preloaded.has(skill.name),
        isMetaskill: isExecutable(skill.metaskill, layer, settings.getState().settings.metaskillPolicy),
      })),
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
    writesAtOnce: () => settings.getState().settings.appliesWrites,
    services,
    copy: deps.copy,
    download: deps.download,
    openFile: (path) => editor.open(path),
    openSkill: (name) => {
      const item = view?.library.store.get(name);
      if (item) editor.open(joinPath(item.path, 'SKILL.md'));
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
    sessionHost,
    terminal,
    services,
    imports,
    importState,
    database,
    privates,
    engine: loadEngine,
    view: () => view,
    version,
    wantedRun,
    tokenizer,
    natural: () => natural,
    metaskills: () => editedMetaskills(view, files, folder, settings, consents),
    load,
  };
};
