/** Sessions beside the current one: opened again, forked, deleted and restored, exported and imported. */
import type { StoreApi } from 'zustand/vanilla';
import { createUlid } from '../base/ulid.ts';
import { importJsonl } from '../model/event/jsonl.ts';
import { exportMaskedJsonl } from '../model/event/masked-journal.ts';
import type { LatheEvent } from '../model/event/types.ts';
import { sentBodyIn } from '../model/instruments/request-bodies.ts';
import { forkEvents } from '../model/session/fork.ts';
import { awayText } from '../model/session/home.ts';
import type { SessionRow } from '../platform/store/schema.ts';
import type { CurrentSession } from './session-current.ts';
import type { SessionHome } from './session-home.ts';
import type { SessionRuntime, SessionsState, SessionStore } from './session-types.ts';

export interface SessionKeepingDeps {
  readonly runtime: () => Promise<SessionRuntime>;
  readonly store: Pick<StoreApi<SessionsState>, 'setState'>;
  readonly current: CurrentSession;
  readonly home: Pick<SessionHome, 'open' | 'adopt' | 'leave'>;
}

export type SessionKeeping = Pick<
  SessionStore,
  | 'fork'
  | 'remove'
  | 'restore'
  | 'forgetRemoved'
  | 'refreshKept'
  | 'exportJournal'
  | 'exportHar'
  | 'importJournal'
  | 'sentElsewhere'
>;

/** A deleted session with all that brings it back. */
interface Removed {
  readonly row: SessionRow;
  readonly events: readonly LatheEvent[];
  readonly wasOpen: boolean;
}

/** After the name of a fork: two sessions of one name could not be distinguished. */
const FORK = ' (fork)';

const underId = (events: readonly LatheEvent[], id: string): LatheEvent[] =>
  events.map((event) => Object.assign({}, event, { session_id: id }));

const newId = ({ now, random }: SessionRuntime): string => `sess_${createUlid({ now, random })()}`;

export const createSessionKeeping = ({ runtime, store, current, home }: SessionKeepingDeps): SessionKeeping => {
  const { setState } = store;
  let removed: Removed | undefined;

  const forgetRemoved = (): void => {
    removed = undefined;
    setState(({ removed: _gone, ...state }) => state, true);
  };

  const refreshKept = async (): Promise<void> => {
    const shared = await runtime();
    setState({ kept: await shared.sessions.list() });
  };

  return {
    fork: async (turnId) => {
      const id = newId(await runtime());
      const open = current.get();
      if (open?.away) throw new Error(awayText(open.away));
      const events = open && forkEvents(open.journal.events, turnId, id);
      if (!events) throw new Error('You can fork a session only from a finished turn.');
      const { title } = open.session.state;
      await home.adopt(events, id);
      current.get()?.session.rename(title.endsWith(FORK) ? title : `${title}${FORK}`);
      await current.get()?.writer.flush();
      await refreshKept();
    },
    remove: async (id) => {
      const shared = await runtime();
      const open = current.get();
      const wasOpen = open?.journal.sessionId === id;
      if (wasOpen) await home.leave();
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
      if (wasOpen && !current.get()) await home.open(row.id);
      await refreshKept();
    },
    forgetRemoved,
    refreshKept,
    exportHar: async () => {
      const { journalHar } = await import('../model/traffic/recording/journal-har.ts');
      return journalHar(current.get()?.journal.events ?? []);
    },
    exportJournal: (content) => exportMaskedJsonl(current.get()?.journal.events ?? [], { content }).text,
    importJournal: async (text) => {
      const read = importJsonl(text);
      if (!read.ok) return [`line ${read.error.line}: ${read.error.message}`];
      const faults = read.value.faults.map(({ line, message }) => `line ${line}: ${message}`);
      if (read.value.content !== 'all')
        return [...faults, 'This export has no content, so Lathe can’t continue its session.'];
      if (read.value.events.length === 0) return [...faults, 'This file has no events.'];
      const shared = await runtime();
      const isKnown = (await shared.sessions.list()).some(({ id }) => id === read.value.sessionId);
      const id = isKnown ? newId(shared) : read.value.sessionId;
      const { events } = read.value;
      await home.adopt(isKnown ? underId(events, id) : events, id);
      await refreshKept();
      return faults;
    },
    sentElsewhere: async (requestId) => {
      const shared = await runtime();
      const remembered = shared.shadow.neighbors.of('').find((call) => call.id === requestId);
      if (remembered) return { body: remembered.body, wire: remembered.wire };
      for (const { id } of await shared.sessions.list()) {
        const found = sentBodyIn(await shared.sessions.events(id), requestId);
        if (found) return found;
      }
      return undefined;
    },
  };
};
