/** The session that is open: shown in the state, followed through its journal and its streams, at most once per frame. */
import type { StoreApi } from 'zustand/vanilla';
import type { SessionSettings } from '../model/event/catalog.ts';
import type { LatheEvent } from '../model/event/types.ts';
import type { Journal } from '../model/event/journal.ts';
import type { StreamNews } from '../model/session/core.ts';
import type { Session, SessionTools } from '../model/session/session.ts';
import type { SessionState } from '../model/session/state.ts';
import type { Away } from '../model/session/home.ts';
import type { TabClaim } from '../platform/fs/tab-guard.ts';
import type { FolderIdentity } from '../platform/store/schema.ts';
import type { SessionWriter } from '../platform/store/sessions.ts';
import { applyNews, withoutCall } from './live-calls.ts';
import type { SessionRuntime, SessionsState } from './session-types.ts';

export interface OpenSession {
  readonly session: Session;
  readonly journal: Journal;
  readonly writer: SessionWriter;
  readonly runtime: SessionRuntime;
  readonly hostSkills: SessionTools['hostSkills'];
  readonly policy: SessionTools['policy'];
  /** The folder that it belongs to; nothing where that is not known. */
  readonly folder: FolderIdentity | undefined;
  /** Why it is only shown. */
  readonly away: Away | undefined;
  /** Of this tab, to write it. */
  readonly claim: TabClaim;
}

export interface CurrentSession {
  readonly get: () => OpenSession | undefined;
  readonly show: (next: OpenSession) => void;
  /** No session is current any more. */
  readonly clear: () => void;
  /** Says in the next frame that there is something new to see. */
  readonly bump: () => void;
  readonly onStream: (news: StreamNews) => void;
}

export const totalsOf = ({ totals, turns }: SessionState) => ({
  turns: turns.filter(({ nestedIn }) => nestedIn === undefined).length,
  inputTokens: totals.uncached + totals.read + totals.written,
  outputTokens: totals.output,
  ...(totals.unpriced === 0 && { cost: totals.costUsd }),
});

/** The simulator has its own clock, and a session with it lives in that time. */
export const clockOf = (shared: SessionRuntime, settings: () => SessionSettings | undefined) => (): number =>
  settings()?.provider === 'simulator' ? shared.simulator.now() : shared.now();

/** What a person wrote or decided, and what was paid for: a page that dies right after must not take it along. */
const KEPT_FIRST: ReadonlySet<LatheEvent['type']> = new Set([
  'turn.started',
  'message.appended',
  'response.received',
  'tool.confirmation_resolved',
  'metaskill.finished',
  'session.settings_changed',
  'session.renamed',
]);

export const createCurrentSession = (
  { setState }: Pick<StoreApi<SessionsState>, 'setState'>,
  nextFrame: (callback: () => void) => void,
): CurrentSession => {
  let open: OpenSession | undefined;

  let isBumping = false;
  const bump = (): void => {
    if (isBumping) return;
    isBumping = true;
    nextFrame(() => {
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
    nextFrame(() => {
      isShowing = false;
      setState({ live });
    });
  };

  const follow = (opened: OpenSession): void => {
    const { journal, session, writer } = opened;
    const keepFirst = async (event: LatheEvent): Promise<void> => {
      await writer.flush();
      const isMessage = event.type === 'message.appended' && event.payload.role === 'user';
      if (isMessage) setState(({ written }) => ({ written: written + 1 }));
    };
    journal.subscribe((event) => {
      writer.append([event]);
      if (
        open === opened &&
        (event.type === 'llm.call_completed' || (event.type === 'llm.call_failed' && event.payload.final))
      )
        showLive(withoutCall(live, event.payload.request_id));
      if (event.type === 'turn.completed' || event.type === 'turn.cancelled')
        writer.update({ totals: totalsOf(session.state), model: session.state.settings?.model ?? '' });
      if (event.type === 'session.renamed') writer.update({ title: event.payload.title });
      if (KEPT_FIRST.has(event.type)) void keepFirst(event);
      bump();
    });
  };

  /** What was shown of one session does not stay for another. */
  const replace = (next: OpenSession | undefined): void => {
    open = next;
    live = [];
    setState(
      ({ revision, next: following, typed, written, kept, approvals, breakpoints, pace, removed, left }) => ({
        status: next ? 'idle' : 'none',
        ...(next && { currentId: next.journal.sessionId }),
        ...(next?.away && { away: next.away }),
        ...(left && { left }),
        revision: revision + 1,
        live: [],
        approvals: next ? approvals : [],
        printed: [],
        runs: [],
        breakpoints,
        pace,
        selection: {},
        next: following,
        typed,
        written,
        kept,
        ...(removed && { removed }),
      }),
      true,
    );
  };

  return {
    get: () => open,
    show: (next) => {
      replace(next);
      follow(next);
    },
    clear: () => replace(undefined),
    bump,
    onStream: (news) => showLive(applyNews(live, news)),
  };
};
