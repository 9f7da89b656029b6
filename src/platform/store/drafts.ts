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
  /** Written as soon as the write before it is done; a large text at the latest 300 ms from now, or when the page is hidden. */
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
  /** A write that failed is told here, and tried again with the next one. */
  readonly onError: (thrown: unknown) => void;
}

const DRAFT_DELAY = 300;
/** In UTF-16 units. Larger texts would be copied to the database with every key. */
const LARGE = 256 * 1024;

export const createDrafts = (deps: DraftsDeps): Drafts => {
  const { storage, now, setTimer, clearTimer, page, onError } = deps;
  /** By key; nothing stands for a draft to be dropped. */
  const open = new Map<string, { readonly key: [string, string]; readonly row: DraftRow | undefined }>();
  /** Those of this visit that have not been dropped. */
  const kept = new Set<string>();
  let timer: unknown;
  let writing: Promise<void> = Promise.resolve();
  /** A write that has not begun takes along what comes until then. */
  let queued: Promise<void> | undefined;
  let isDurable = false;
  /** Nobody wants to hear of a full disk with every key. */
  let hasFailed = false;

  const writeOpen = async (): Promise<void> => {
    const batch = new Map(open);
    const options = { durable: isDurable };
    open.clear();
    queued = undefined;
    isDurable = false;
    if (batch.size === 0) return;
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
      for (const [id, change] of batch) if (!open.has(id)) open.set(id, change);
      onError(thrown);
    }
  };
  const flush: Drafts['flush'] = ({ durable = false } = {}) => {
    if (timer !== undefined) clearTimer(timer);
    timer = undefined;
    isDurable ||= durable;
    // One after the other, so that an older text never overtakes a newer one.
    queued ??= writing.then(writeOpen);
    writing = queued;
    return writing;
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
      await writing;
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
