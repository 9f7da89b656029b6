/**
 * Sessions of the page: one is current, others are kept. The store starts, runs, saves and reopens them; what happens in one
 * is in its journal, and views look there when `revision` grows.
 */
import { createStore } from 'zustand/vanilla';
import { silentLog, type Log } from '../base/log.ts';
import { createUlid } from '../base/ulid.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import { createJournal, type Journal } from '../model/event/journal.ts';
import { exportJsonl, importJsonl } from '../model/event/jsonl.ts';
import type { LatheEvent } from '../model/event/types.ts';
import { sentBodyIn } from '../model/instruments/request-bodies.ts';
import { openWorkspace } from '../model/library/open-workspace.ts';
import type { SkillStore } from '../model/library/store.ts';
import { changesSince } from '../model/session/changes.ts';
import type { SessionDeps } from '../model/session/core.ts';
import { forkEvents } from '../model/session/fork.ts';
import { snapshotMetaskills } from '../model/session/host-skills.ts';
import { reopenSession, startSession, type Session, type SessionTools } from '../model/session/session.ts';
import {
  DEFAULT_MAX_CALLS,
  DEFAULT_SETTINGS,
  DEFAULT_TURN_SECONDS,
  planSession,
  type SessionPlan,
} from '../model/session/start.ts';
import { replay, type SessionState } from '../model/session/state.ts';
import { findMemory, volatileSegments } from '../model/prompt/volatile.ts';
import { createPolicy } from '../model/tool/policy.ts';
import type { Approval, ApprovalRequest, Tool } from '../model/tool/types.ts';
import type { SessionRow } from '../platform/store/schema.ts';
import type { SessionWriter } from '../platform/store/sessions.ts';
import { applyNews, withoutCall } from './live-calls.ts';
import { createSessionRuns } from './session-runs.ts';
import type { NewSession, SessionFolder, SessionRuntime, SessionsState, SessionStore } from './session-types.ts';

export interface SessionStoreDeps {
  /** Made once, when it is first needed. */
  readonly runtime: () => Promise<SessionRuntime>;
  /** The folder that is open now. */
  readonly folder: () => Promise<SessionFolder>;
  /** Before the folder of a new session is read. */
  readonly beforeStart?: () => Promise<void>;
  /** Tools of the folder beside Lathe's own: imported executors. Fixed when a session starts (D36). */
  readonly extraTools?: (log: Log) => Promise<readonly Tool[]>;
  /** Calls back once before the next frame, however often it is asked. */
  readonly nextFrame: (callback: () => void) => void;
  /** Date (`2026-11-16`) and platform of a session that would start now; absent: a preview goes without them. */
  readonly environment?: () => { readonly date: string; readonly platform: string };
}

interface Open {
  readonly session: Session;
  readonly journal: Journal;
  readonly writer: SessionWriter;
  readonly runtime: SessionRuntime;
  readonly hostSkills: SessionTools['hostSkills'];
  readonly policy: SessionTools['policy'];
}

/** A deleted session with all that brings it back. */
interface Removed {
  readonly row: SessionRow;
  readonly events: readonly LatheEvent[];
  readonly wasOpen: boolean;
}

const FIRST: NewSession = {
  settings: DEFAULT_SETTINGS,
  dialect: 'metis',
  policy: 'local',
  maxCalls: DEFAULT_MAX_CALLS,
  turnSeconds: DEFAULT_TURN_SECONDS,
};

const TITLE_LENGTH = 60;
const MOST_PRINTED = 2000;

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const titleOf = (text: string): string => {
  const [line = ''] = text.trim().split('\n');
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1)}…`;
};

const underId = (events: readonly LatheEvent[], id: string): LatheEvent[] =>
  events.map((event) => Object.assign({}, event, { session_id: id }));

const totalsOf = ({ totals, turns }: SessionState) => ({
  turns: turns.filter(({ nestedIn }) => nestedIn === undefined).length,
  inputTokens: totals.uncached + totals.read + totals.written,
  outputTokens: totals.output,
  ...(totals.unpriced === 0 && { cost: totals.costUsd }),
});

export const createSessionStore = (deps: SessionStoreDeps): SessionStore => {
  const store = createStore<SessionsState>(() => ({
    status: 'none',
    revision: 0,
    live: [],
    approvals: [],
    printed: [],
    runs: [],
    breakpoints: {},
    selection: {},
    next: FIRST,
    kept: [],
  }));
  const { getState, setState } = store;
  let open: Open | undefined;
  let removed: Removed | undefined;
  let runtimePromise: Promise<SessionRuntime> | undefined;
  const runtime = (): Promise<SessionRuntime> => {
    const made = (runtimePromise ??= deps.runtime());
    // The next try makes another one.
    made.catch(() => (runtimePromise = undefined));
    return made;
  };

  let isBumping = false;
  const bump = (): void => {
    if (isBumping) return;
    isBumping = true;
    deps.nextFrame(() => {
      isBumping = false;
      setState(({ revision }) => ({ revision: revision + 1 }));
    });
  };

  // Deltas come faster than frames: they are kept here, and shown once per frame.
  let live: SessionsState['live'] = [];
  let isShowing = false;
  const showLive = (next: SessionsState['live']): void => {
    if (next === live) return;
    live = next;
    if (isShowing) return;
    isShowing = true;
    deps.nextFrame(() => {
      isShowing = false;
      setState({ live });
    });
  };

  /** The simulator has its own clock, and a session with it lives in that time. */
  const clockOf = (shared: SessionRuntime, settings: () => SessionSettings | undefined) => (): number =>
    settings()?.provider === 'simulator' ? shared.simulator.now() : shared.now();

  const ask = (request: ApprovalRequest): Promise<Approval> =>
    new Promise((resolve) => {
      const answer = (approval: Approval): void => {
        setState(({ approvals }) => ({ approvals: approvals.filter((item) => item.request !== request) }));
        resolve(approval);
      };
      request.signal.addEventListener('abort', () => answer({ decision: 'timeout' }), { once: true });
      setState(({ approvals }) => ({ approvals: [...approvals, { request, answer }] }));
    });

  const runs = createSessionRuns(getState, setState);

  interface Prepared {
    readonly deps: SessionDeps;
    readonly tools: SessionTools;
    readonly journal: Journal;
  }

  const prepare = async (
    shared: SessionRuntime,
    folder: SessionFolder,
    skills: SkillStore,
    next: NewSession,
    extra: readonly Tool[],
    events: readonly LatheEvent[],
    sessionId?: string,
  ): Promise<Prepared> => {
    let settings: SessionSettings | undefined = next.settings;
    const now = clockOf(shared, () => open?.session.state.settings ?? settings);
    const ulid = createUlid({ now, random: shared.random });
    const journal = createJournal({
      sessionId: sessionId ?? `sess_${ulid()}`,
      now,
      ulid,
      validation: 'lenient',
      log: shared.log,
      events,
    });
    if (events.length > 0) settings = replay(journal.sessionId, events).settings;
    const sessionDeps: SessionDeps = {
      journal,
      client: shared.client,
      scope: shared.scope,
      now,
      newId: ulid,
      after: shared.after,
      shadow: shared.shadow,
      log: shared.log,
      onStream: (news) => showLive(applyNews(live, news)),
    };
    const tools: SessionTools = {
      files: folder.files,
      policy: createPolicy({ rules: shared.approvalRules(), onRemember: shared.rememberApproval }),
      approve: ask,
      ...(folder.runCommand && { runCommand: folder.runCommand }),
      hostSkills: await snapshotMetaskills(skills, {
        policy: next.policy,
        isForeign: folder.isForeign,
        consents: folder.consents,
      }),
      extra,
      engine: shared.engine,
      onPrint: (text, range, toolUseId) =>
        setState(({ printed }) => ({
          printed: [...printed.slice(-MOST_PRINTED + 1), { toolUseId, text, line: range?.line }],
        })),
      watchRuns: runs.watch,
      platform: shared.platform,
    };
    return { deps: sessionDeps, tools, journal };
  };

  const follow = (journal: Journal, session: Session, writer: SessionWriter): void => {
    journal.subscribe((event) => {
      writer.append([event]);
      if (event.type === 'llm.call_completed' || (event.type === 'llm.call_failed' && event.payload.final))
        showLive(withoutCall(live, event.payload.request_id));
      if (event.type === 'turn.completed' || event.type === 'turn.cancelled')
        writer.update({ totals: totalsOf(session.state), model: session.state.settings?.model ?? '' });
      if (event.type === 'session.renamed') writer.update({ title: event.payload.title });
      bump();
    });
  };

  const extraTools = (log: Log): Promise<readonly Tool[]> => deps.extraTools?.(log) ?? Promise.resolve([]);

  const planFor = async (
    shared: Pick<SessionRuntime, 'log'>,
    folder: SessionFolder,
    next: NewSession,
    extra: readonly Tool[],
  ): Promise<SessionPlan> => ({
    workspaceName: folder.name,
    extraTools: extra.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    workspace: await openWorkspace(folder.library, { profile: folder.profile, dialect: next.dialect, log: shared.log }),
    dialect: next.dialect,
    policy: next.policy,
    settings: next.settings,
    limits: { max_turns: next.maxCalls, wall_clock_seconds: next.turnSeconds },
    ...(next.padding && { padding: next.padding }),
    ...(next.persona !== undefined && { persona: next.persona }),
  });

  const keep = async (shared: SessionRuntime, session: Session, journal: Journal): Promise<SessionWriter> => {
    const writer = await shared.sessions.create({
      id: journal.sessionId,
      title: session.state.title,
      workspace: session.state.workspace,
      model: session.state.settings?.model ?? '',
      createdAt: shared.now(),
      totals: totalsOf(session.state),
    });
    writer.append(journal.events);
    return writer;
  };

  const show = (next: Open): void => {
    open = next;
    live = [];
    setState(
      ({ revision, next: following, kept, approvals, breakpoints, removed: gone }) => ({
        status: 'idle',
        currentId: next.journal.sessionId,
        revision: revision + 1,
        live: [],
        approvals,
        printed: [],
        runs: [],
        breakpoints,
        selection: {},
        next: following,
        kept,
        ...(gone && { removed: gone }),
      }),
      true,
    );
    follow(next.journal, next.session, next.writer);
  };

  /** No session is current any more. */
  const clear = (): void => {
    open = undefined;
    live = [];
    setState(
      ({ revision, next, kept, breakpoints, removed: gone }) => ({
        status: 'none',
        revision: revision + 1,
        live: [],
        approvals: [],
        printed: [],
        runs: [],
        breakpoints,
        selection: {},
        next,
        kept,
        ...(gone && { removed: gone }),
      }),
      true,
    );
  };

  const start = async (title: string): Promise<Open> => {
    setState({ status: 'starting' });
    await deps.beforeStart?.();
    const [shared, folder] = await Promise.all([runtime(), deps.folder()]);
    const extra = await extraTools(shared.log);
    const { next } = getState();
    const plan = await planFor(shared, folder, next, extra);
    const prepared = await prepare(shared, folder, plan.workspace.library.store, next, extra, []);
    const session = startSession({ ...plan, title }, prepared.deps, prepared.tools);
    const writer = await keep(shared, session, prepared.journal);
    const { journal, tools } = prepared;
    const made: Open = {
      session,
      journal,
      writer,
      runtime: shared,
      hostSkills: tools.hostSkills,
      policy: tools.policy,
    };
    show(made);
    return made;
  };

  /** Goes on with a journal, in the folder that is open now. */
  const resume = async (events: readonly LatheEvent[], sessionId: string, isNew: boolean): Promise<void> => {
    const [shared, folder] = await Promise.all([runtime(), deps.folder()]);
    const extra = await extraTools(shared.log);
    const plan = await planFor(shared, folder, getState().next, extra);
    const { store: skills } = plan.workspace.library;
    open = undefined;
    const prepared = await prepare(shared, folder, skills, getState().next, extra, events, sessionId);
    const session = reopenSession(prepared.deps, prepared.tools, skills);
    const kept = isNew ? undefined : await shared.sessions.resume(sessionId);
    const writer = kept ?? (await keep(shared, session, prepared.journal));
    if (kept) writer.append(prepared.journal.events.slice(events.length));
    const { journal, tools } = prepared;
    show({ session, journal, writer, runtime: shared, hostSkills: tools.hostSkills, policy: tools.policy });
  };

  const fail = (thrown: unknown): string => {
    const problem = reasonOf(thrown);
    setState({ status: 'failed', problem });
    return problem;
  };

  /** Runs something in the current session, starting one if there is none. */
  const within = async <T>(
    title: string,
    work: (session: Session) => Promise<T>,
    refused: (why: string) => T,
  ): Promise<T> => {
    let current: Open;
    try {
      current = open ?? (await start(title));
    } catch (thrown) {
      return refused(`The session could not be started: ${fail(thrown)}`);
    }
    setState({ status: 'running' });
    try {
      return await work(current.session);
    } finally {
      await current.writer.flush();
      if (open === current) setState({ status: 'idle' });
    }
  };

  const forgetRemoved = (): void => {
    removed = undefined;
    setState(({ removed: _gone, ...state }) => state, true);
  };

  /** Opens a kept session. */
  const reopen = async (id: string): Promise<void> => {
    const shared = await runtime();
    const events = await shared.sessions.events(id);
    if (events.length === 0)
      throw new Error('This session has no events any more. It may have been deleted in another tab.');
    await resume(events, id, false);
  };

  const refreshKept = async (): Promise<void> => {
    const shared = await runtime();
    setState({ kept: await shared.sessions.list() });
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    session: () => open?.session,
    journal: () => open?.journal,
    state: () => open?.session.state,
    configure: (change) => setState(({ next }) => ({ next: { ...next, ...change } })),
    change: (change) => {
      open?.session.change(change);
      setState(({ next }) => ({ next: { ...next, settings: { ...next.settings, ...change } } }));
    },
    replaceSettings: (settings) => {
      open?.session.replaceSettings(settings);
      setState(({ next }) => ({ next: { ...next, settings } }));
    },
    send: (text, images) =>
      within(
        titleOf(text),
        (session) => session.send(text, images),
        (message) => ({ kind: 'refused', message }),
      ),
    stop: () => open?.session.stop(),
    mentions: (text) => open?.session.mentions(text) ?? [],
    runMetaskill: (args, find) =>
      within(
        'Metaskill run',
        (session) => session.runMetaskill(args, find),
        (why) => ({ result: `error: ${why}`, ok: false, steps: [], trace: [], printed: [] }),
      ),
    needsConsent: (name) => open?.hostSkills.needsConsent(name),
    forgetApproval: (key) => open?.policy.forget(key),
    runControl: runs.control,
    setBreakpoints: runs.setBreakpoints,
    stopOnEntry: runs.stopOnEntry,
    newSession: () => {
      if (open?.session.isRunning()) open.session.stop();
      clear();
    },
    open: reopen,
    fork: async (turnId) => {
      const shared = await runtime();
      const id = `sess_${createUlid({ now: shared.now, random: shared.random })()}`;
      const events = open && forkEvents(open.journal.events, turnId, id);
      if (!events) throw new Error('A session can be forked from a turn that has ended.');
      await resume(events, id, true);
      await refreshKept();
    },
    rename: (title) => open?.session.rename(title),
    remove: async (id) => {
      const shared = await runtime();
      const wasOpen = open?.journal.sessionId === id;
      if (open && wasOpen) {
        if (open.session.isRunning()) open.session.stop();
        await open.writer[Symbol.asyncDispose]();
        clear();
      }
      const row = (await shared.sessions.list()).find((item) => item.id === id);
      const events = await shared.sessions.events(id);
      await shared.sessions.remove(id);
      if (row) {
        removed = { row, events, wasOpen };
        setState({ removed: { id, title: row.title } });
      }
      await refreshKept();
    },
    restore: async () => {
      if (!removed) return;
      const { row, events, wasOpen } = removed;
      const shared = await runtime();
      const { events: _count, chunks: _chunks, updatedAt: _updatedAt, ...facts } = row;
      const writer = await shared.sessions.create(facts);
      writer.append(events);
      await writer.flush();
      forgetRemoved();
      if (wasOpen && !open) await reopen(row.id);
      await refreshKept();
    },
    forgetRemoved,
    refreshKept,
    exportJournal: (content) => exportJsonl(open?.journal.events ?? [], { content }),
    importJournal: async (text) => {
      const read = importJsonl(text);
      if (!read.ok) return [`line ${read.error.line}: ${read.error.message}`];
      const faults = read.value.faults.map(({ line, message }) => `line ${line}: ${message}`);
      if (read.value.content !== 'all')
        return [...faults, 'This export has no content, so there is no session in it to go on with.'];
      if (read.value.events.length === 0) return [...faults, 'There is no event in this file.'];
      const shared = await runtime();
      const isKnown = (await shared.sessions.list()).some(({ id }) => id === read.value.sessionId);
      const id = isKnown ? `sess_${createUlid({ now: shared.now, random: shared.random })()}` : read.value.sessionId;
      const { events } = read.value;
      await resume(isKnown ? underId(events, id) : events, id, true);
      await refreshKept();
      return faults;
    },
    select: (selection) => setState({ selection }),
    sentElsewhere: async (requestId) => {
      const shared = await runtime();
      const remembered = shared.shadow.history.find((record) => record.requestId === requestId)?.call;
      if (remembered) return { body: remembered.body, wire: remembered.wire };
      for (const { id } of await shared.sessions.list()) {
        const found = sentBodyIn(await shared.sessions.events(id), requestId);
        if (found) return found;
      }
      return undefined;
    },
    checkFolder: async () => {
      const config = open?.session.state.config;
      const settings = open?.session.state.settings;
      if (!open || !config || !settings) return;
      const folder = await deps.folder();
      const next: NewSession = {
        ...getState().next,
        dialect: config.dialect,
        padding: config.padding,
        policy: config.metaskill_policy,
        settings,
      };
      const plan = await planFor(open.runtime, folder, next, await extraTools(silentLog));
      const changes = changesSince(config, planSession(plan), settings.model);
      // What was changed back is no change any more.
      setState(({ changes: _before, ...state }) => ({ ...state, ...(changes && { changes }) }), true);
    },
    preview: async () => {
      const folder = await deps.folder();
      const { next } = getState();
      const environment = deps.environment?.();
      // Whoever only looks on writes no log: the same lines come when the session starts.
      const [plan, { user, memory }] = await Promise.all([
        planFor({ log: silentLog }, folder, next, await extraTools(silentLog)),
        findMemory(folder.files, silentLog),
      ]);
      return {
        planned: planSession(plan),
        settings: next.settings,
        volatile: environment
          ? volatileSegments({
              environment: { ...environment, workspace: folder.name },
              user: user.text,
              memory: memory.text,
            })
          : [],
      };
    },
    advanceClock: async (ms) => {
      (await runtime()).simulator.advance(ms);
      bump();
    },
    cacheEntries: () => {
      if (!open) return [];
      const { runtime: shared, session } = open;
      return session.state.settings?.provider === 'simulator'
        ? shared.simulator.entries()
        : shared.shadow.entries(shared.now());
    },
    now: () => (open ? clockOf(open.runtime, () => open?.session.state.settings)() : 0),
  };
};
