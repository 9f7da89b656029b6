/** How a session comes to be: from the folder that is open now, new or from the events of an earlier one. */
import type { StoreApi } from 'zustand/vanilla';
import type { Log } from '../base/log.ts';
import { createUlid } from '../base/ulid.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import { createJournal, type Journal } from '../model/event/journal.ts';
import type { LatheEvent } from '../model/event/types.ts';
import { openWorkspace } from '../model/workspace/open-workspace.ts';
import { planOf } from '../model/workspace/session-plan.ts';
import type { SkillStore } from '../model/library/store.ts';
import type { SessionDeps } from '../model/session/core.ts';
import { snapshotMetaskills } from '../model/session/host-skills.ts';
import { reopenSession, startSession, type Session, type SessionTools } from '../model/session/session.ts';
import type { SessionPlan } from '../model/session/start.ts';
import { replay } from '../model/session/state.ts';
import { createPolicy } from '../model/tool/policy.ts';
import type { Approval, ApprovalRequest, Tool } from '../model/tool/types.ts';
import type { SessionWriter } from '../platform/store/sessions.ts';
import { clockOf, totalsOf, type CurrentSession, type OpenSession } from './session-current.ts';
import type { SessionRuns } from './session-runs.ts';
import type { NewSession, SessionFolder, SessionRuntime, SessionsState } from './session-types.ts';

const MOST_PRINTED = 2000;

export interface SessionStartDeps {
  readonly runtime: () => Promise<SessionRuntime>;
  readonly folder: () => Promise<SessionFolder>;
  readonly beforeStart?: () => Promise<void>;
  readonly extraTools: (log: Log) => Promise<readonly Tool[]>;
  readonly store: Pick<StoreApi<SessionsState>, 'getState' | 'setState'>;
  readonly current: CurrentSession;
  readonly runs: SessionRuns;
}

export interface SessionStart {
  readonly start: (title: string) => Promise<OpenSession>;
  /** Goes on with a journal, in the folder that is open now. */
  readonly resume: (events: readonly LatheEvent[], sessionId: string, isNew: boolean) => Promise<void>;
}

interface Prepared {
  readonly deps: SessionDeps;
  readonly tools: SessionTools;
  readonly journal: Journal;
}

export const planFor = async (
  log: Log,
  folder: SessionFolder,
  next: NewSession,
  extra: readonly Tool[],
): Promise<SessionPlan> =>
  planOf(
    folder.name,
    await openWorkspace(folder.library, { profile: folder.profile, dialect: next.dialect, log }),
    next,
    extra,
  );

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

export const createSessionStart = (deps: SessionStartDeps): SessionStart => {
  const { current, runs } = deps;
  const { getState, setState } = deps.store;

  const ask = (request: ApprovalRequest): Promise<Approval> =>
    new Promise((resolve) => {
      const answer = (approval: Approval): void => {
        setState(({ approvals }) => ({ approvals: approvals.filter((item) => item.request !== request) }));
        resolve(approval);
      };
      request.signal.addEventListener('abort', () => answer({ decision: 'timeout' }), { once: true });
      setState(({ approvals }) => ({ approvals: [...approvals, { request, answer }] }));
    });

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
    const now = clockOf(shared, () => current.get()?.session.state.settings ?? settings);
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
      onStream: current.onStream,
    };
    const tools: SessionTools = {
      files: folder.files,
      policy: createPolicy({ rules: shared.approvalRules(), onRemember: shared.rememberApproval }),
      approve: ask,
      ...(folder.runCommand && { runCommand: folder.runCommand }),
      hostSkills: await snapshotMetaskills(skills, {
        policy: next.policy,
        isForeign: folder.isForeign,
        book: folder.book,
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

  const show = (
    shared: SessionRuntime,
    { journal, tools: { hostSkills, policy } }: Prepared,
    session: Session,
    writer: SessionWriter,
  ): OpenSession => {
    const made: OpenSession = { session, journal, writer, runtime: shared, hostSkills, policy };
    current.show(made);
    return made;
  };

  return {
    start: async (title) => {
      setState({ status: 'starting' });
      await deps.beforeStart?.();
      const [shared, folder] = await Promise.all([deps.runtime(), deps.folder()]);
      const extra = await deps.extraTools(shared.log);
      const { next } = getState();
      const plan = await planFor(shared.log, folder, next, extra);
      const prepared = await prepare(shared, folder, plan.workspace.library.store, next, extra, []);
      const session = startSession({ ...plan, title }, prepared.deps, prepared.tools);
      return show(shared, prepared, session, await keep(shared, session, prepared.journal));
    },
    resume: async (events, sessionId, isNew) => {
      const [shared, folder] = await Promise.all([deps.runtime(), deps.folder()]);
      const extra = await deps.extraTools(shared.log);
      const plan = await planFor(shared.log, folder, getState().next, extra);
      const { store: skills } = plan.workspace.library;
      current.leave();
      const prepared = await prepare(shared, folder, skills, getState().next, extra, events, sessionId);
      const session = reopenSession(prepared.deps, prepared.tools, skills);
      const kept = isNew ? undefined : await shared.sessions.resume(sessionId);
      const writer = kept ?? (await keep(shared, session, prepared.journal));
      if (kept) writer.append(prepared.journal.events.slice(events.length));
      show(shared, prepared, session, writer);
    },
  };
};
