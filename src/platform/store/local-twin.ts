/**
 * Small choices are in `localStorage`, because the first paint needs them. A browser writes that to the disk seconds later, and one that is
 * killed before takes them along: so the database has a second copy, and the newer of the two counts at the next start.
 */
import type { Settings } from './settings.ts';

type LocalStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

export interface LocalTwin extends LocalStorage {
  /**
   * From now on every change goes to the database, too. Gives whether the database had newer values, which are in the storage now: who has
   * read it before has old ones.
   */
  readonly follow: (settings: Settings, onError: (thrown: unknown) => void) => Promise<boolean>;
}

const PREFIX = 'lathe.';
/** Not below the prefix: it is not a choice of anybody. */
const REVISION = 'lathe-revision';
const ROW = 'local';

interface Row {
  readonly revision: number;
  readonly values: ReadonlyMap<string, string>;
}

/** By hand: the first paint has no room for a library of checks. */
const readRow = (value: unknown): Row | undefined => {
  if (typeof value !== 'object' || value === null || !('version' in value) || value.version !== 1) return undefined;
  if (!('revision' in value) || typeof value.revision !== 'number') return undefined;
  if (!('values' in value) || typeof value.values !== 'object' || value.values === null) return undefined;
  const values = new Map<string, string>();
  for (const [key, text] of Object.entries(value.values)) {
    if (typeof text !== 'string') return undefined;
    if (key.startsWith(PREFIX)) values.set(key, text);
  }
  return { revision: value.revision, values };
};

export const createLocalTwin = (storage: LocalStorage): LocalTwin => {
  let settings: Settings | undefined;
  let onError: (thrown: unknown) => void = () => undefined;

  const values = (): Record<string, string> => {
    const found: Record<string, string> = {};
    for (let index = 0; index < storage.length; index++) {
      const key = storage.key(index);
      if (key?.startsWith(PREFIX)) found[key] = storage.getItem(key) ?? '';
    }
    return found;
  };
  const revision = (): number => Number(storage.getItem(REVISION) ?? 0) || 0;
  const copy = (): void => {
    const all = values();
    const isEmpty = Object.keys(all).length === 0;
    if (isEmpty) storage.removeItem(REVISION);
    else storage.setItem(REVISION, String(revision() + 1));
    const writing = isEmpty
      ? settings?.remove(ROW)
      : settings?.set(ROW, { version: 1, revision: revision(), values: all });
    writing?.catch(onError);
  };

  return {
    get length() {
      return storage.length;
    },
    key: (index) => storage.key(index),
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => {
      if (storage.getItem(key) === value) return;
      storage.setItem(key, value);
      copy();
    },
    removeItem: (key) => {
      storage.removeItem(key);
      copy();
    },
    follow: async (kept, tell) => {
      onError = tell;
      let row: Row | undefined;
      try {
        row = readRow(await kept.get(ROW));
      } catch (thrown) {
        tell(thrown);
      }
      settings = kept;
      if (!row || row.revision <= revision()) return false;
      for (const [key, value] of row.values) storage.setItem(key, value);
      storage.setItem(REVISION, String(row.revision));
      return true;
    },
  };
};
