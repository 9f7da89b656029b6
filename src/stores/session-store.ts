/**
 * Sessions of the page: one is current, others are kept. The store starts, runs, saves and reopens them; what happens in one
 * is in its journal, and views look there when `revision` grows.
 */
import { createStore } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { awayText, type Away } from '../model/session/home.ts';
import type { Session } from '../model/session/session.ts';
import type { Tool } from '../model/tool/types.ts';
import { NEW_SESSION } from '../model/workspace/session-plan.ts';
import type { TabGuard } from '../platform/fs/tab-guard.ts';
import { clockOf, createCurrentSession, type OpenSession } from './session-current.ts';
import { createSessionHome, type SessionFolders } from './session-home.ts';
import { createSessionKeeping } from './session-keeping.ts';
import { createSessionRuns } from './session-runs.ts';
import { createSessionForecasts } from './session-forecast.ts';
import { createSessionStart } from './session-start.ts';
import type { NewSession, SessionFolder, SessionRuntime, SessionsState, SessionStore } from './session-types.ts';

export interface SessionStoreDeps {
  /** Made once, when it is first needed. */
  readonly runtime: () => Promise<SessionRuntime>;
  /** The folder that is open now. */
  readonly folder: () => Promise<SessionFolder>;
  /** Folders by identity: the one that is open, and those that can be opened again. */
  readonly folders: SessionFolders;
  /** Two tabs on one session: one writes it. */
  readonly guard: TabGuard;
  /** Before the folder of a new session is read. */
  readonly beforeStart?: () => Promise<void>;
  /** Tools of the folder beside Lathe's own: imported executors. Fixed when a session starts (D36). */
  readonly extraTools?: (log: Log) => Promise<readonly Tool[]>;
  /** Calls back once before the next frame, however often it is asked. */
  readonly nextFrame: (callback: () => void) => void;
  /** Date (`2026-11-16`) and platform of a session that would start now; absent: a preview goes without them. */
  readonly environment?: () => { readonly date: string; readonly platform: string };
}

const TITLE_LENGTH = 60;

const titleOf = (text: string): string => {
  const [line = ''] = text.trim().split('\n');
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1)}…`;
};

export const createSessionStore = (deps: SessionStoreDeps): SessionStore => {
  const store = createStore<SessionsState>(() => ({
    status: 'none',
    revision: 0,
    live: [],
    approvals: [],
    printed: [],
    runs: [],
    breakpoints: {},
    pace: 0,
    selection: {},
    next: NEW_SESSION,
    typed: '',
    written: 0,
    kept: [],
  }));
  const { getState, setState } = store;
  let runtimePromise: Promise<SessionRuntime> | undefined;
  let madeRuntime: SessionRuntime | undefined;
  const runtime = (): Promise<SessionRuntime> => {
    const making = (runtimePromise ??= deps.runtime());
    making.then(
      (made) => (madeRuntime = made),
      // The next try makes another one.
      () => (runtimePromise = undefined),
    );
    return making;
  };

  const extraTools = (log: Log): Promise<readonly Tool[]> => deps.extraTools?.(log) ?? Promise.resolve([]);

  const current = createCurrentSession(store, deps.nextFrame);
  const now = (): number => {
    const open = current.get();
    return open ? clockOf(open.runtime, () => open.session.state.settings)() : 0;
  };
  const runs = createSessionRuns(getState, setState, { now });
  const starting = createSessionStart({
    runtime,
    folder: deps.folder,
    ...(deps.beforeStart && { beforeStart: deps.beforeStart }),
    extraTools,
    claim: (id) => home.claim(id),
    store,
    current,
    runs,
  });

  const fail = (thrown: unknown): string => {
    const problem = errorMessage(thrown);
    setState({ status: 'failed', problem });
    return problem;
  };

  const home = createSessionHome({
    runtime,
    store,
    current,
    starting,
    folders: deps.folders,
    guard: deps.guard,
    onFailure: fail,
  });

  const openNow = async (title: string): Promise<OpenSession> => {
    const open = current.get();
    if (open) return open;
    const started = await starting.start(title);
    home.watch(started);
    return started;
  };

  /** Why nothing can be done in a session here (D41). */
  const awayOf = ({ away, folder, session }: OpenSession): Away | undefined =>
    away ??
    (folder?.id === deps.folders.current()?.id
      ? undefined
      : { reason: 'folder', name: session.state.workspace, folder });

  /** Runs something in the current session, starting one if none exists. */
  const within = async <T>(
    title: string,
    work: (session: Session) => Promise<T>,
    refused: (why: string) => T,
  ): Promise<T> => {
    let open: OpenSession;
    try {
      open = await openNow(title);
    } catch (thrown) {
      return refused(`Can’t start the session: ${fail(thrown)}`);
    }
    const away = awayOf(open);
    if (away) return refused(awayText(away));
    setState({ status: 'running' });
    try {
      const running = work(open.session);
      home.busyWith(open, running);
      return await running;
    } finally {
      await open.writer.flush();
      if (current.get() === open) setState({ status: 'idle' });
    }
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    session: () => current.get()?.session,
    journal: () => current.get()?.journal,
    state: () => current.get()?.session.state,
    configure: (change) =>
      setState(({ next }) => ({
        next: Object.fromEntries(
          Object.entries({ ...next, ...change }).filter(([, value]) => value !== undefined),
        ) as unknown as NewSession,
      })),
    change: (change) => {
      current.get()?.session.change(change);
      setState(({ next }) => ({ next: { ...next, settings: { ...next.settings, ...change } } }));
    },
    replaceSettings: (settings) => {
      current.get()?.session.replaceSettings(settings);
      setState(({ next }) => ({ next: { ...next, settings } }));
    },
    send: (text, images) =>
      within(
        titleOf(text),
        (session) => session.send(text, images),
        (message) => ({ kind: 'refused', message }),
      ),
    stop: () => current.get()?.session.stop(),
    mentions: (text) => current.get()?.session.mentions(text) ?? [],
    runMetaskill: (args, find) =>
      within(
        'Metaskill run',
        (session) => session.runMetaskill(args, find),
        (why) => ({ result: `error: ${why}`, ok: false, steps: [], trace: [], printed: [], notes: [] }),
      ),
    findMetaskill: (name) => current.get()?.hostSkills.find(name),
    forgetApproval: (key) => current.get()?.policy.forget(key),
    runControl: runs.control,
    setBreakpoints: runs.setBreakpoints,
    stopOnEntry: runs.stopOnEntry,
    setPace: runs.setPace,
    newSession: () => {
      // Without a session it still forgets why the last one did not start.
      if (current.get()) void home.leave().catch(fail);
      else current.clear();
    },
    open: async (id) => {
      try {
        await home.open(id);
      } finally {
        if (!current.get() && getState().status === 'starting') setState({ status: 'none' });
      }
    },
    enterFolder: (folder) => home.enterFolder(folder).catch((thrown: unknown) => void fail(thrown)),
    goHome: home.goHome,
    takeOver: home.takeOver,
    ...createSessionKeeping({ runtime, store, current, home }),
    rename: (title) => {
      const open = current.get();
      if (open && !open.away) open.session.rename(title);
    },
    select: (selection) => setState({ selection }),
    ...createSessionForecasts({
      runtime,
      made: () => madeRuntime,
      folder: deps.folder,
      extraTools,
      ...(deps.environment && { environment: deps.environment }),
      store,
      current,
    }),
    advanceClock: async (ms) => {
      (await runtime()).simulator.advance(ms);
      current.bump();
    },
    cacheEntries: () => {
      const open = current.get();
      if (!open) return [];
      const { runtime: shared, session } = open;
      const entries =
        session.state.settings?.provider === 'simulator'
          ? shared.simulator.entries()
          : shared.shadow.entries(shared.now());
      return shared.shadow.ofSession(session.state.sessionId, entries);
    },
    now,
  };
};
