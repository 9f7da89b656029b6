/** Sessions with all their events. A journal only grows: events are added in pieces, and never changed. */
import type { LatheEvent } from '../../model/event/types.ts';
import type { SessionRow } from './schema.ts';
import type { Storage } from './storage.ts';

export type SessionFacts = Omit<SessionRow, 'events' | 'chunks' | 'updatedAt'>;
export type SessionChange = Partial<Pick<SessionRow, 'title' | 'totals' | 'model' | 'folder'>>;

export interface SessionWriter extends AsyncDisposable {
  /** Written soon, many at a time. */
  readonly append: (events: readonly LatheEvent[]) => void;
  readonly update: (change: SessionChange) => void;
  /** Done once everything so far is written. */
  readonly flush: () => Promise<void>;
}

export interface Sessions {
  /** Newest first. */
  readonly list: () => Promise<readonly SessionRow[]>;
  readonly create: (facts: SessionFacts) => Promise<SessionWriter>;
  /** To continue with a session. Nothing if none exists. */
  readonly resume: (id: string) => Promise<SessionWriter | undefined>;
  readonly events: (id: string) => Promise<readonly LatheEvent[]>;
  readonly rename: (id: string, title: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

export interface SessionsDeps {
  readonly storage: Storage;
  readonly now: () => number;
  readonly setTimer: (work: () => void, ms: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  /** A write that failed is reported here, and tried again with the next one. */
  readonly onError: (thrown: unknown) => void;
}

const WRITE_DELAY = 250;
const MOST_WAITING = 500;

const createWriter = (deps: SessionsDeps, started: SessionRow): SessionWriter => {
  const { storage, now, setTimer, clearTimer, onError } = deps;
  let row = started;
  let change: SessionChange | undefined;
  let waiting: LatheEvent[] = [];
  let timer: unknown;
  let writing: Promise<void> = Promise.resolve();

  const writeWaiting = async (): Promise<void> => {
    if (waiting.length === 0 && !change) return;
    const [events, changed] = [waiting, change];
    waiting = [];
    change = undefined;
    try {
      // A title that was given meanwhile by `rename` stays.
      const kept = await storage.get('sessions', [row.id]);
      const next: SessionRow = {
        ...row,
        ...(kept && { title: kept.title }),
        ...changed,
        updatedAt: now(),
        events: row.events + events.length,
        chunks: row.chunks + (events.length > 0 ? 1 : 0),
      };
      await storage.write([
        // `add`: two tabs that continue with one session must not write over each other.
        ...(events.length > 0
          ? [{ kind: 'add', table: 'events', row: { session: row.id, chunk: row.chunks, events } } as const]
          : []),
        { kind: 'put', table: 'sessions', row: next },
      ]);
      row = next;
    } catch (thrown) {
      waiting = [...events, ...waiting];
      // It may have been set again while this was written.
      change = { ...changed, ...(change as SessionChange | undefined) };
      onError(thrown);
    }
  };
  const flush = (): Promise<void> => {
    if (timer !== undefined) clearTimer(timer);
    timer = undefined;
    writing = writing.then(writeWaiting);
    return writing;
  };
  const soon = (): void => {
    if (waiting.length >= MOST_WAITING) void flush();
    else timer ??= setTimer(() => void flush(), WRITE_DELAY);
  };
  return {
    append: (events) => {
      waiting.push(...events);
      soon();
    },
    update: (given) => {
      change = { ...change, ...given };
      soon();
    },
    flush,
    [Symbol.asyncDispose]: flush,
  };
};

export const createSessions = (deps: SessionsDeps): Sessions => {
  const { storage, now } = deps;
  return {
    list: async () => (await storage.list('sessions')).toSorted((a, b) => b.updatedAt - a.updatedAt),
    create: async (facts) => {
      const row: SessionRow = { ...facts, updatedAt: now(), events: 0, chunks: 0 };
      await storage.write([{ kind: 'add', table: 'sessions', row }]);
      return createWriter(deps, row);
    },
    resume: async (id) => {
      const row = await storage.get('sessions', [id]);
      return row && createWriter(deps, row);
    },
    events: async (id) => (await storage.list('events', [id])).flatMap(({ events }) => events),
    rename: async (id, title) => {
      const row = await storage.get('sessions', [id]);
      if (row) await storage.write([{ kind: 'put', table: 'sessions', row: { ...row, title } }]);
    },
    remove: (id) =>
      storage.write([
        { kind: 'delete', table: 'sessions', key: [id] },
        { kind: 'delete', table: 'events', key: [id] },
      ]),
  };
};
