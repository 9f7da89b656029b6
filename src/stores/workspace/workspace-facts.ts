/**
 * All that is known of the open folder, derived in one place: its skills with the problems of saved and unsaved text, what a session
 * would load and send, and the programs that are being edited. What panels draw continues to the workspace store.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import { createRepeatedLooks, type Log } from '../../base/log.ts';
import { isTreePath } from '../../model/files/file-tree.ts';
import type { LibraryInput } from '../../model/library/load-library.ts';
import type { Pace } from '../../model/library/pace.ts';
import type { StablePrompt } from '../../model/prompt/assemble.ts';
import type { ConsentBook } from '../../model/metaskill/consent.ts';
import type { HostSkill } from '../../model/metaskill/host-types.ts';
import { planSession, type SessionPlan } from '../../model/session/start.ts';
import type { Diagnostic } from '../../model/skill/types.ts';
import type { JudgeApart } from '../../model/skill/weight.ts';
import type { ToolSpec } from '../../model/provider/types.ts';
import { contextFiles } from '../../model/workspace/context-files.ts';
import { editedMetaskills } from '../../model/workspace/edited-metaskills.ts';
import { skillHolding } from '../../model/workspace/holder.ts';
import { planOf } from '../../model/workspace/session-plan.ts';
import { withProgramProblems } from '../../model/workspace/program-problems.ts';
import { withUnsavedProblems } from '../../model/workspace/unsaved-problems.ts';
import {
  loadWorkspaceView,
  withPreloaded,
  type Keeping,
  type WorkspaceSkill,
  type WorkspaceView,
} from '../../model/workspace/workspace-view.ts';
import { trusted } from '../../model/files/kept-folder.ts';
import type { KeptFolders } from '../../platform/store/kept-folders.ts';
import type { FilesStore } from '../files-types.ts';
import type { FolderStore } from '../folder-types.ts';
import type { SessionStore } from '../session-types.ts';
import { shownProfile, type SettingsStore } from '../settings-store.ts';
import type { SourcesStore } from '../sources-store.ts';
import { createProgramChecks, type ProgramChecksDeps } from './program-checks.ts';
import { createUnsavedProblems } from './unsaved-problems.ts';
import { withUnsaved } from './unsaved-tree.ts';
import type { KnownWorkingFolder, WorkingFolders } from './working-folder.ts';
import type { WorkspaceDeps, WorkspaceStore } from './workspace-store.ts';

export interface WorkspaceFactsState {
  /** Grows whenever the folder was read again. */
  readonly version: number;
  /** The folder as it was read last. */
  readonly view: WorkspaceView | undefined;
  /** What a session that starts now would be made of. */
  readonly plan: SessionPlan | undefined;
  /** The stable prompt that it would send. */
  readonly prompt: StablePrompt | undefined;
}

export interface WorkspaceFactsDeps extends Pick<ProgramChecksDeps, 'engine' | 'whenIdle'> {
  readonly shown: Pick<WorkspaceStore, 'amend' | 'open' | 'reloadSoon'>;
  readonly folder: Pick<
    FolderStore,
    'getState' | 'subscribe' | 'library' | 'tree' | 'pending' | 'start' | 'openDemo' | 'isForeign'
  >;
  /** What large folders were when they were read last. */
  readonly kept: Pick<KeptFolders, 'get' | 'put'>;
  readonly now: () => number;
  readonly workingFolders: WorkingFolders;
  readonly sources: Pick<SourcesStore, 'read' | 'input'>;
  readonly files: Pick<FilesStore, 'getState' | 'subscribe'>;
  readonly settings: Pick<SettingsStore, 'getState'>;
  readonly sessions: Pick<SessionStore, 'getState' | 'subscribe'>;
  /** Tools of the folder beside Lathe's own. */
  readonly extraTools: () => Promise<readonly ToolSpec[]>;
  readonly book: ConsentBook;
  /** Lets the page answer while a large folder is read. */
  readonly pause: () => NonNullable<Pace['pause']>;
  /** Numbers that change a thousand times a second would keep the page drawing. */
  readonly seldom: <Figure>(tell: (figure: Figure) => void) => (figure: Figure) => void;
  readonly judgeApart: JudgeApart;
  readonly log: Log;
}

export interface WorkspaceFacts extends Pick<
  StoreApi<WorkspaceFactsState>,
  'getState' | 'getInitialState' | 'subscribe'
> {
  /** Reads and judges the open folder. */
  readonly load: WorkspaceDeps['load'];
  /** The folders that a session reads, with where it works. */
  readonly input: () => Promise<LibraryInput>;
  /** The editor has judged the text of a file as it is now. */
  readonly heard: (path: string, diagnostics: readonly Diagnostic[]) => void;
  readonly skillHolding: (path: string) => WorkspaceSkill | undefined;
  /** Metaskills of the folder as they would run now, with what is being edited. */
  readonly metaskills: () => readonly HostSkill[];
  /** Sessions work here from now on; true, or why not. */
  readonly chooseWorkingFolder: (path: string) => Promise<true | string>;
}

export const createWorkspaceFacts = (deps: WorkspaceFactsDeps): WorkspaceFacts => {
  const { shown, folder, sources, files, settings, sessions, workingFolders, log } = deps;
  const store = createStore<WorkspaceFactsState>(() => ({
    version: 0,
    view: undefined,
    plan: undefined,
    prompt: undefined,
  }));
  const { getState, setState } = store;
  const looks = createRepeatedLooks(log);
  let extra: readonly ToolSpec[] = [];
  let isRetry = false;
  /** Of a large folder of which nothing more is known yet. */
  let first: readonly WorkspaceSkill[] = [];
  /** The folder of which everything is known. */
  let whole: string | undefined;

  const programs = createProgramChecks({
    engine: deps.engine,
    whenIdle: deps.whenIdle,
    onFailure: (thrown) =>
      log({ level: 'warning', code: 'programs.unchecked', text: `can’t check programs: ${errorMessage(thrown)}` }),
  });
  const unsaved = createUnsavedProblems(files, () => amend());

  const skillsNow = (): readonly WorkspaceSkill[] => {
    const { view, prompt } = getState();
    const preloaded = new Set(prompt?.preloaded);
    const judged = unsaved.judged();
    return (view?.skills ?? []).map((skill) =>
      withUnsavedProblems(withProgramProblems(withPreloaded(skill, preloaded), programs.known(skill)), judged),
    );
  };
  const amend = (): void => {
    if (getState().view && first.length === 0) shown.amend(skillsNow());
  };
  const checkPrograms = async (view: WorkspaceView): Promise<void> => {
    const isNews = await programs.check(view.skills, shownProfile(settings.getState().settings));
    if (isNews && getState().view === view) amend();
  };

  /** The open folders, and where a session works in them. */
  const folders = async (): Promise<{ readonly input: LibraryInput; readonly working: KnownWorkingFolder }> => {
    const { current } = folder.getState();
    const { project, ...others } = folder.library();
    const working = current && project ? await workingFolders.of(current.id, project.tree) : { path: '' };
    return {
      working,
      input: {
        ...others,
        ...(project && { project: { ...project, ...(working.path !== '' && { workingFolder: working.path }) } }),
        ...sources.input(),
      },
    };
  };

  /** Tools that cannot be had keep nobody from the folder: the session that needs them says so. */
  const findExtraTools = async (): Promise<readonly ToolSpec[]> => {
    try {
      return await deps.extraTools();
    } catch (thrown) {
      log({ level: 'warning', code: 'tools.missing', text: `can’t load imported tools: ${errorMessage(thrown)}` });
      return [];
    }
  };

  const planned = (name: string, view: WorkspaceView): Pick<WorkspaceFactsState, 'plan' | 'prompt'> => {
    const plan = planOf(name, view, sessions.getState().next, extra);
    return { plan, prompt: planSession(plan).prompt };
  };
  sessions.subscribe((state, before) => {
    const { plan, view, prompt } = getState();
    if (state.next === before.next || !plan || !view) return;
    setState(planned(plan.workspaceName, view));
    if (getState().prompt?.preloaded.join('\n') !== prompt?.preloaded.join('\n')) amend();
  });
  folder.subscribe((state, before) => {
    if (state.current !== before.current) void shown.open();
    else if (state.user !== before.user) shown.reloadSoon();
  });

  /** A copy that cannot be had or written only costs time. */
  const unkept = (thrown: unknown): undefined => {
    log({ level: 'debug', code: 'folder.unkept', text: `can’t copy the folder: ${errorMessage(thrown)}` });
  };
  const keepingOf = async (id: string, onKnown: Keeping['onKnown']): Promise<Keeping | undefined> => {
    const disk = folder.tree();
    // What an agent wrote and nobody applied is not on the disk.
    if (!disk || (folder.pending()?.pending().length ?? 0) > 0) return undefined;
    const startedAt = deps.now();
    const known = await deps.kept.get(id).catch(unkept);
    return {
      disk,
      ...(known && { known }),
      onKnown,
      keep: (read) =>
        void deps
          .whenIdle()
          .then(() => deps.kept.put(id, trusted(read, startedAt)))
          .catch(unkept),
    };
  };

  const load: WorkspaceFacts['load'] = async ({ signal, onProgress, onPart }) => {
    if (!folder.getState().current) {
      signal.throwIfAborted();
      // The start was canceled, or it failed: that is reported first, and the next try is the demo.
      if (!folder.getState().problem) await folder.start();
      else if (isRetry) await folder.openDemo();
      isRetry = true;
    }
    const { current, problem } = folder.getState();
    if (!current) throw new Error(problem?.message ?? 'No folder is open.');
    first = [];
    if (whole !== current.id) whole = undefined;
    await sources.read(folder.library().project?.tree);
    const { input, working } = await folders();
    const look = looks(current.id);
    if (working.lost !== undefined) {
      const text = `the working folder ${working.lost} no longer exists; sessions work in ${current.name}`;
      look.log({ level: 'warning', code: 'working-folder.lost', text });
    }
    const chosen = settings.getState().settings;
    const { profile, dialect } = chosen;
    const opened = {
      name: current.name,
      workingFolder: working.path,
      ...(working.lost !== undefined && { lostWorkingFolder: working.lost }),
    };
    const showView = async (part: WorkspaceView, stillReading: 'files' | 'changes'): Promise<void> => {
      if (signal.aborted) return;
      first = [];
      setState(({ version }) => ({ version: version + 1, view: part, ...planned(current.name, part) }));
      onPart({ ...opened, skills: skillsNow(), context: [], stillReading });
      // Drawing gives way to reading: without a pause of its own it would come last.
      await deps.whenIdle();
    };
    const isFirst = whole !== current.id;
    const keeping = isFirst ? await keepingOf(current.id, (part) => showView(part, 'changes')) : undefined;
    const view = await loadWorkspaceView(input, {
      profile,
      shownProfile: shownProfile(chosen),
      dialect,
      log: look.log,
      signal,
      pause: deps.pause(),
      onProgress: deps.seldom(onProgress),
      judgeApart: deps.judgeApart,
      // What is known in full does not become less while it is read again.
      ...(keeping && { keeping }),
      ...(isFirst && {
        onSome: (skills: readonly WorkspaceSkill[]) => {
          first = skills;
          onPart({ ...opened, skills, context: [], stillReading: 'skills' });
        },
        onSkills: (part: WorkspaceView) => showView(part, 'files'),
      }),
    });
    const context = input.project ? await contextFiles(input.project, view.skills) : [];
    const found = await findExtraTools();
    signal.throwIfAborted();
    // A kept folder that did not change is planned already.
    const isPlanned = getState().view === view && extra.length === 0 && found.length === 0;
    extra = found;
    look.end();
    unsaved.settle();
    setState(({ version }) => ({ version: version + 1, view, ...(!isPlanned && planned(current.name, view)) }));
    void checkPrograms(view);
    first = [];
    whole = current.id;
    return { ...opened, skills: skillsNow(), context };
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    load,
    input: async () => (await folders()).input,
    heard: unsaved.heard,
    skillHolding: (path) => skillHolding(first.length > 0 ? first : (getState().view?.skills ?? []), path),
    metaskills: () =>
      editedMetaskills(getState().view?.skills ?? [], {
        isForeign: folder.isForeign,
        policy: settings.getState().settings.metaskillPolicy,
        book: deps.book,
        seen: () => {
          const tree = folder.library().project?.tree;
          return tree && withUnsaved(tree, () => files.getState().documents);
        },
        openText: (path) => {
          const document = files.getState().documents.get(path);
          return document?.kind === 'text' ? document.text : undefined;
        },
      }),
    chooseWorkingFolder: async (path) => {
      const { current } = folder.getState();
      const tree = folder.library().project?.tree;
      if (!current || !tree) return 'No folder is open.';
      if (!isTreePath(path) || !(await tree.list(path))) return `${path} isn’t a folder in ${current.name}.`;
      await workingFolders.choose(current.id, path);
      shown.reloadSoon();
      return true;
    },
  };
};
