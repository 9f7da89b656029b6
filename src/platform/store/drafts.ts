/** Text that is not saved yet, kept so that a crash does not lose it. */
import { sha256 } from '../../base/hash.ts';
import type { DraftRow } from './schema.ts';
import type { Storage, WriteOptions } from './storage.ts';

export interface Draft {
  readonly text: string;
  /** The text on disk that it was made of. */
  readonly base: string;
}

export interface Drafts extends AsyncDisposable {
  /** Handed to the database without waiting; a large text at the latest 300 ms from now, or when the page is hidden. */
  readonly keep: (workspace: string, path: string, draft: Draft) => void;
  readonly drop: (workspace: string, path: string) => void;
  readonly get: (workspace: string, path: string) => Promise<DraftRow | undefined>;
  readonly list: (workspace: string) => Promise<readonly DraftRow[]>;
  /** Done once everything so far is written, with `durable` to the disk itself. */
  readonly flush: (options?: WriteOptions) => Promise<void>;
}

interface PageEvents {
  readonly addEventListener: (type: string, listener: () => void) => void;
  readonly removeEventListener: (type: string, listener: () => void) => void;
}

export interface DraftsDeps {
  readonly storage: Storage;
  readonly now: () => number;
  readonly setTimer: (work: () => void, ms: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  /** `window` for `pagehide`, `document` for `visibilitychange`. */
  readonly page?: { readonly window: PageEvents; readonly document: PageEvents };
  /** A write that failed is reported here, and tried again with the next one. */
  readonly onError: (thrown: unknown) => void;
}

const DRAFT_DELAY = 300;
/** In UTF-16 units. Larger texts would be copied to the database with every key. */
const LARGE = 256 * 1024;

/** Writes that may be under way together. A key never waits for the one before it, and a slow disk still gets a bounded queue. */
const MOST_WRITES = 16;

interface DraftChange {
  readonly key: [string, string];
  /** Nothing stands for a draft to be dropped. */
  readonly row: DraftRow | undefined;
}

export const createDrafts = (deps: DraftsDeps): Drafts => {
  const { storage, now, setTimer, clearTimer, page, onError } = deps;
  /** By key. */
  const open = new Map<string, DraftChange>();
  /** What was handed to the database last, by key, while that is under way. */
  const newest = new Map<string, DraftChange>();
  /** Those of this visit that have not been dropped. */
  const kept = new Set<string>();
  let timer: unknown;
  const underWay = new Set<Promise<void>>();
  /** A write that has not begun takes along what comes until then. */
  let queued: Promise<void> | undefined;
  let isDurable = false;
  /** Nobody wants to hear of a full disk with every key. */
  let hasFailed = false;

  const write = async (batch: ReadonlyMap<string, DraftChange>, options: WriteOptions): Promise<void> => {
    try {
      await storage.write(
        [...batch.values()].map(({ key, row }) =>
          row ? { kind: 'put', table: 'drafts', row } : { kind: 'delete', table: 'drafts', key },
        ),
        options,
      );
      hasFailed = false;
    } catch (thrown) {
      hasFailed = true;
      for (const [id, change] of batch) if (!open.has(id) && newest.get(id) === change) open.set(id, change);
      onError(thrown);
    } finally {
      for (const [id, change] of batch) if (newest.get(id) === change) newest.delete(id);
    }
  };
  const writeOpen = async (): Promise<void> => {
    const batch = new Map(open);
    const options = { durable: isDurable };
    open.clear();
    queued = undefined;
    isDurable = false;
    if (batch.size === 0) return;
    for (const [id, change] of batch) newest.set(id, change);
    // The database carries out writes of one table in the order in which they were asked for: none has to wait here for another.
    const writing = write(batch, options);
    underWay.add(writing);
    await writing;
    underWay.delete(writing);
  };
  const flush: Drafts['flush'] = async ({ durable = false } = {}) => {
    if (timer !== undefined) clearTimer(timer);
    timer = undefined;
    isDurable ||= durable;
    queued ??= (underWay.size < MOST_WRITES ? Promise.resolve() : Promise.race(underWay)).then(writeOpen);
    await Promise.all([...underWay, queued]);
  };
  const note = (key: [string, string], row: DraftRow | undefined): void => {
    open.set(JSON.stringify(key), { key, row });
    if (row && row.text.length <= LARGE && !hasFailed) void flush();
    else timer ??= setTimer(() => void flush(), DRAFT_DELAY);
  };
  const onHide = (): void => void flush();
  page?.window.addEventListener('pagehide', onHide);
  page?.document.addEventListener('visibilitychange', onHide);

  return {
    keep: (workspace, path, { text, base }) => {
      kept.add(JSON.stringify([workspace, path]));
      note([workspace, path], { workspace, path, text, base, baseHash: sha256(base), savedAt: now() });
    },
    drop: (workspace, path) => {
      const key: [string, string] = [workspace, path];
      note(key, undefined);
      // The text is saved. A draft that outlived it would look like unsaved text at the next visit.
      if (kept.delete(JSON.stringify(key))) void flush();
    },
    get: async (workspace, path) => {
      const waiting = open.get(JSON.stringify([workspace, path]));
      if (waiting) return waiting.row;
      await Promise.all(underWay);
      return storage.get('drafts', [workspace, path]);
    },
    list: async (workspace) => {
      await flush();
      return storage.list('drafts', [workspace]);
    },
    flush,
    [Symbol.asyncDispose]: async () => {
      page?.window.removeEventListener('pagehide', onHide);
      page?.document.removeEventListener('visibilitychange', onHide);
      await flush();
    },
  };
};
