/**
 * Where the current session is at home (D41): in one folder, and in one tab. Opens sessions, leaves them when their folder is
 * left, and comes back to them.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { LatheEvent } from '../model/event/types.ts';
import { isAtHome, type Away } from '../model/session/home.ts';
import type { TabClaim, TabGuard } from '../platform/fs/tab-guard.ts';
import type { FolderIdentity, SessionRow } from '../platform/store/schema.ts';
import type { CurrentSession, OpenSession } from './session-current.ts';
import type { Resumed, SessionStart } from './session-start.ts';
import type { SessionRuntime, SessionsState } from './session-types.ts';

/** The folders that a session can belong to. */
export interface SessionFolders {
  readonly current: () => FolderIdentity | undefined;
  /** Whether it can be opened again without the user picking it. */
  readonly isKnown: (folder: FolderIdentity) => Promise<boolean>;
  /** Opens it inside a click; nothing: the user picks one. */
  readonly reopen: (folder: FolderIdentity | undefined) => Promise<void>;
}

export interface SessionHomeDeps {
  readonly runtime: () => Promise<SessionRuntime>;
  readonly store: Pick<StoreApi<SessionsState>, 'setState'>;
  readonly current: CurrentSession;
  readonly starting: Pick<SessionStart, 'resume' | 'overtake'>;
  readonly folders: SessionFolders;
  readonly guard: TabGuard;
  readonly onFailure: (thrown: unknown) => void;
}

export interface SessionHome {
  readonly open: (id: string) => Promise<void>;
  /** Begins a session that is not kept yet, in the folder that is open. */
  readonly adopt: (events: readonly LatheEvent[], id: string) => Promise<void>;
  readonly claim: (id: string) => Promise<TabClaim>;
  /** Follows the claim of a session that is shown. */
  readonly watch: (open: OpenSession) => void;
  /** Remembers what runs in a session, so that nothing is lost when it is left. */
  readonly busyWith: (open: OpenSession, work: Promise<unknown>) => void;
  /** Stops and saves the current session, and shows none. */
  readonly leave: () => Promise<void>;
  /** Another folder is open, or the same one again. */
  readonly enterFolder: (folder: FolderIdentity) => Promise<void>;
  readonly goHome: (id: string) => Promise<void>;
  readonly takeOver: () => Promise<void>;
}

const GONE = 'This session no longer exists. You may have deleted it in another tab.';

export const createSessionHome = (deps: SessionHomeDeps): SessionHome => {
  const { current, folders } = deps;
  const { setState } = deps.store;
  /** By folder: the session that was open when it was left. */
  const lastOpen = new Map<string, string>();
  const work = new WeakMap<OpenSession, Promise<unknown>>();
  /** By session: ends when it is saved and let go of. */
  const leaving = new Map<string, Promise<void>>();

  const rowOf = async (id: string): Promise<SessionRow | undefined> =>
    (await (await deps.runtime()).sessions.list()).find((row) => row.id === id);

  const isHere = async (row: SessionRow): Promise<boolean> =>
    isAtHome(row, folders.current(), row.folder !== undefined && !(await folders.isKnown(row.folder)));

  const awayOf = async (row: SessionRow, claim: TabClaim): Promise<Away | undefined> => {
    if (!(await isHere(row))) {
      const folder = row.folder && (await folders.isKnown(row.folder)) ? row.folder : undefined;
      return { reason: 'folder', name: row.folder?.name ?? row.workspace, folder };
    }
    return claim.role() === 'reader' ? { reason: 'tab' } : undefined;
  };

  const letGo = async (open: OpenSession, kept: TabClaim | undefined): Promise<void> => {
    try {
      await work.get(open);
    } catch {
      // Told where it was asked for.
    }
    await open.writer.flush();
    if (open.claim !== kept) await open.claim[Symbol.asyncDispose]();
  };

  /** Another tab in line would get a claim that is given up; one that is kept serves the same session again. */
  const leaveKeeping = (kept: TabClaim | undefined): Promise<void> => {
    const open = current.get();
    if (!open) return Promise.resolve();
    if (open.session.isRunning()) open.session.stop();
    current.clear();
    const gone = letGo(open, kept);
    leaving.set(open.journal.sessionId, gone);
    return gone;
  };
  const leave = (): Promise<void> => leaveKeeping(undefined);

  const claim = (id: string): Promise<TabClaim> => deps.guard.claim(`session:${id}`);

  const watch = (open: OpenSession): void => {
    open.claim.subscribe(() => {
      // Taken over by another tab, or free again: as a reader or a writer it is another session object.
      if (current.get() === open) void show(open.journal.sessionId, open.claim).catch(deps.onFailure);
    });
  };

  /** Resumes, follows the claim, and gives it up where that came to nothing. */
  const begin = async (resumed: Resumed): Promise<boolean> => {
    try {
      const shown = await deps.starting.resume(resumed);
      if (shown) watch(shown);
      else await resumed.claim[Symbol.asyncDispose]();
      return shown !== undefined;
    } catch (thrown) {
      await resumed.claim[Symbol.asyncDispose]();
      throw thrown;
    }
  };

  const showNow = async (id: string, kept?: TabClaim): Promise<void> => {
    // Its last events are written before they are read.
    if (current.get()?.journal.sessionId === id) await leaveKeeping(kept);
    await leaving.get(id);
    const { sessions } = await deps.runtime();
    const [row, events] = await Promise.all([rowOf(id), sessions.events(id)]);
    if (!row || events.length === 0) throw new Error(GONE);
    await leave();
    setState({ status: 'starting' });
    const claimed = kept ?? (await claim(id));
    const away = await awayOf(row, claimed);
    if (await begin({ events, sessionId: id, away, claim: claimed, home: row.folder }))
      setState(({ left, ...state }) => (left && left.id !== id ? { ...state, left } : state), true);
  };

  let showing: Promise<void> = Promise.resolve();
  let wanted = {};
  /** One at a time: two that claim one session would take each other for another tab. Of several in line only the last is shown. */
  const show = (id: string, kept?: TabClaim): Promise<void> => {
    const mine = (wanted = {});
    const turn = showing.then(() => (wanted === mine ? showNow(id, kept) : undefined));
    // A failure is this one's; the next in line does not care.
    showing = turn.catch(() => {});
    return turn;
  };

  return {
    open: (id) => show(id),
    adopt: async (events, id) => {
      await leave();
      await begin({ events, sessionId: id, isNew: true, away: undefined, claim: await claim(id), home: undefined });
    },
    claim,
    watch,
    busyWith: (open, promise) => void work.set(open, promise),
    leave,
    enterFolder: async (folder) => {
      deps.starting.overtake();
      wanted = {};
      const open = current.get();
      const id = open?.journal.sessionId;
      if (open && id !== undefined) {
        const home = open.folder;
        if (home) lastOpen.set(home.id, id);
        const { title } = open.session.state;
        const left = leave();
        if (home?.id !== folder.id) setState({ left: { id, title, name: home?.name ?? open.session.state.workspace } });
        await left;
      }
      const last = lastOpen.get(folder.id) ?? id;
      const row = last === undefined ? undefined : await rowOf(last);
      // Something else may have been opened or sent while this was looked up.
      if (!row || current.get() || folders.current()?.id !== folder.id || !(await isHere(row))) return;
      await show(row.id);
      lastOpen.delete(folder.id);
    },
    goHome: async (id) => {
      const row = await rowOf(id);
      if (!row) throw new Error(GONE);
      if (await isHere(row)) return show(id);
      const folder = row.folder && (await folders.isKnown(row.folder)) ? row.folder : undefined;
      if (folder) lastOpen.set(folder.id, id);
      return folders.reopen(folder);
    },
    takeOver: async () => {
      await current.get()?.claim.takeOver();
    },
  };
};
