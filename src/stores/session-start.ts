/** How a session comes to be: from the folder that is open now, new or from the events of an earlier one. */
import type { StoreApi } from 'zustand/vanilla';
import { silentLog, type Log } from '../base/log.ts';
import { createUlid } from '../base/ulid.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import { createJournal, type Journal } from '../model/event/journal.ts';
import type { LatheEvent } from '../model/event/types.ts';
import { planIn } from '../model/workspace/session-plan.ts';
import type { SkillStore } from '../model/library/store.ts';
import type { SessionDeps } from '../model/session/core.ts';
import { snapshotMetaskills } from '../model/session/host-skills.ts';
import { reopenSession, startSession, type Session, type SessionTools } from '../model/session/session.ts';
import type { SessionPlan } from '../model/session/start.ts';
import { replay } from '../model/session/state.ts';
import type { Away } from '../model/session/home.ts';
import { createPendingTree } from '../model/tool/pending-tree.ts';
import { createPolicy } from '../model/tool/policy.ts';
import type { Approval, ApprovalRequest, Tool } from '../model/tool/types.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import type { TabClaim } from '../platform/fs/tab-guard.ts';
import type { FolderIdentity } from '../platform/store/schema.ts';
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
  /** Makes this tab the one that writes a session, or the next in line. */
  readonly claim: (id: string) => Promise<TabClaim>;
  readonly store: Pick<StoreApi<SessionsState>, 'getState' | 'setState'>;
  readonly current: CurrentSession;
  readonly runs: SessionRuns;
}

export interface Resumed {
  readonly events: readonly LatheEvent[];
  readonly sessionId: string;
  /** It is not kept yet. */
  readonly isNew?: boolean;
  /** Why it is only shown; nothing: it continues in the folder that is open now. */
  readonly away: Away | undefined;
  /** The folder that it belongs to, as far as is known. */
  readonly home: FolderIdentity | undefined;
  readonly claim: TabClaim;
}

export interface SessionStart {
  readonly start: (title: string) => Promise<OpenSession>;
  /** Shows a session again. Nothing if another session or folder was wanted meanwhile. */
  readonly resume: (resumed: Resumed) => Promise<OpenSession | undefined>;
  /** Whatever is being started or resumed is not wanted any longer. */
  readonly overtake: () => void;
}

const OVERTAKEN = 'You opened another folder meanwhile. Send your message again to start a session there.';

/** Of a session that is only shown: nothing of it is written. */
const SILENT_WRITER: SessionWriter = {
  append: () => {},
  update: () => {},
  flush: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** In place of a folder that is not open: a session can be shown over it, and nothing can be found or run. */
const emptyFolder = (home: FolderIdentity | undefined): SessionFolder => ({
  identity: home ?? { id: '', name: '', kind: 'private' },
  library: {},
  files: createPendingTree(createMemoryTree({})),
  profile: 'standard',
  isForeign: () => true,
  book: { isTrusted: () => Promise.resolve(false) },
});

interface Prepared {
  /** Filled once there is a session: its settings may change, and with them its clock. */
  readonly made: { session?: Session };
  readonly deps: SessionDeps;
  readonly tools: SessionTools;
  readonly journal: Journal;
}

/** Without a word of the folder: reading it for the panels has told what there is to tell. */
export const planFor = (folder: SessionFolder, next: NewSession, extra: readonly Tool[]): Promise<SessionPlan> =>
  planIn({ name: folder.identity.name, library: folder.library, profile: folder.profile }, next, silentLog, extra);

const keep = async (
  shared: SessionRuntime,
  session: Session,
  journal: Journal,
  folder: FolderIdentity,
): Promise<SessionWriter> => {
  const writer = await shared.sessions.create({
    id: journal.sessionId,
    title: session.state.title,
    workspace: session.state.workspace,
    folder,
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
  let wanted = {};
  /** Says later whether this is still what was wanted last. */
  const want = (): (() => boolean) => {
    const mine = (wanted = {});
    return () => wanted === mine;
  };

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
    const made: { session?: Session } = {};
    const now = clockOf(shared, () => made.session?.state.settings ?? settings);
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
      onStream: (news) => {
        if (made.session && current.get()?.session === made.session) current.onStream(news);
      },
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
    return { deps: sessionDeps, tools, journal, made };
  };

  const show = (
    shared: SessionRuntime,
    { journal, made, tools: { hostSkills, policy } }: Prepared,
    session: Session,
    more: Pick<OpenSession, 'writer' | 'folder' | 'away' | 'claim'>,
  ): OpenSession => {
    made.session = session;
    const opened: OpenSession = { session, journal, runtime: shared, hostSkills, policy, ...more };
    current.show(opened);
    return opened;
  };

  return {
    overtake: () => void want(),
    start: async (title) => {
      const isWanted = want();
      setState({ status: 'starting' });
      await deps.beforeStart?.();
      const [shared, folder] = await Promise.all([deps.runtime(), deps.folder()]);
      const extra = await deps.extraTools(shared.log);
      const { next } = getState();
      const plan = await planFor(folder, next, extra);
      const prepared = await prepare(shared, folder, plan.workspace.library.store, next, extra, []);
      if (!isWanted()) throw new Error(OVERTAKEN);
      const session = startSession({ ...plan, title }, prepared.deps, prepared.tools);
      const claim = await deps.claim(session.id);
      const writer = await keep(shared, session, prepared.journal, folder.identity);
      if (!isWanted()) {
        await writer[Symbol.asyncDispose]();
        await Promise.all([shared.sessions.remove(session.id), claim[Symbol.asyncDispose]()]);
        throw new Error(OVERTAKEN);
      }
      return show(shared, prepared, session, { writer, folder: folder.identity, away: undefined, claim });
    },
    resume: async ({ events, sessionId, isNew = false, away, home, claim }) => {
      const isWanted = want();
      const [shared, folder] = await Promise.all([deps.runtime(), away ? emptyFolder(home) : deps.folder()]);
      const extra = away ? [] : await deps.extraTools(shared.log);
      const { next } = getState();
      const plan = await planFor(folder, next, extra);
      const { store: skills } = plan.workspace.library;
      const prepared = await prepare(shared, folder, skills, next, extra, events, sessionId);
      const kept = isNew || away ? undefined : await shared.sessions.resume(sessionId);
      if (!isWanted()) return undefined;
      const session = reopenSession(prepared.deps, prepared.tools, skills);
      if (away) return show(shared, prepared, session, { writer: SILENT_WRITER, folder: home, away, claim });
      const { identity } = folder;
      const writer = kept ?? (await keep(shared, session, prepared.journal, identity));
      if (kept) writer.append(prepared.journal.events.slice(events.length));
      if (kept && home?.id !== identity.id) writer.update({ folder: identity });
      return show(shared, prepared, session, { writer, folder: identity, away: undefined, claim });
    },
  };
};
