/** What Lathe has stored in this browser: shown, exported, deleted. Keys are never exported, not even encrypted. */
import { err, ok, type Result } from '../../base/result.ts';
import { TABLE_NAMES, type TableName } from './schema.ts';
import type { Storage } from './storage.ts';

export type StoredName = keyof typeof LABELS | keyof typeof PLACES;

export interface StoredKind {
  readonly table: StoredName;
  readonly label: string;
  readonly count: number;
  /** Of their content, as it would be written out; what the browser keeps around it is not counted. Absent: it could not be read. */
  readonly bytes?: number;
}

export interface MyDataFacts {
  readonly kinds: readonly StoredKind[];
  /** Of the whole address, as the browser estimates it. */
  readonly bytes: number | undefined;
  readonly quota: number | undefined;
  /** Whether the browser has promised not to clear it by itself. */
  readonly isPersistent: boolean | undefined;
}

export interface MyData {
  readonly facts: () => Promise<MyDataFacts>;
  /** One JSON document, in pieces: sessions may be large. */
  readonly exportAll: () => AsyncIterable<string>;
  /** Rows, private workspaces, and whatever else the deps clear. What cannot be deleted is named, and keeps no other. */
  readonly deleteAll: () => Promise<Result<void, StoredProblem>>;
  readonly deleteKind: (table: StoredName) => Promise<Result<void, StoredProblem>>;
  /** Asks the browser not to clear it by itself. */
  readonly persist: () => Promise<boolean>;
}

export interface StoredProblem {
  readonly message: string;
}

export interface StoredFolders {
  readonly list: () => Promise<readonly string[]>;
  readonly remove: (name: string) => Promise<Result<unknown, StoredProblem>>;
  /** Bytes of all files of one. */
  readonly size: (name: string) => Promise<Result<number, StoredProblem>>;
}

export interface MyDataDeps {
  readonly storage: Storage;
  readonly now: () => number;
  /** `navigator.storage`; absent where none exists. */
  readonly manager?: Pick<StorageManager, 'estimate'> & Partial<Pick<StorageManager, 'persisted' | 'persist'>>;
  /** Private workspaces. */
  readonly workspaces?: StoredFolders;
  /** What was fetched from addresses. */
  readonly copies?: StoredFolders;
  /** Other places: `localStorage`, caches. */
  readonly clearOther?: () => Promise<void>;
}

const LABELS: Readonly<Record<Exclude<TableName, 'events'>, string>> = {
  handles: 'Opened folders',
  settings: 'Settings',
  drafts: 'Unsaved text',
  sessions: 'Sessions',
  consents: 'Skills allowed to run',
  origins: 'Third-party skills',
  vault: 'Keys and credentials, encrypted',
  kept: 'Cached contents of large folders',
  evals: 'Results of trigger tests',
};

const PLACES = { workspaces: 'Private workspaces', copies: 'Copies of skills from URLs' } as const;
type PlaceName = keyof typeof PLACES;
const PLACE_NAMES = Object.keys(PLACES) as PlaceName[];
const isPlace = (name: StoredName): name is PlaceName => Object.hasOwn(PLACES, name);

/** Bytes count as they are, everything else as JSON. */
const sizeOf = (row: object): number => {
  let binary = 0;
  const text = JSON.stringify(row, (_key, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    binary += value.length;
    return undefined;
  });
  return binary + new TextEncoder().encode(text).length;
};

const EXPORT_FORMAT = 'lathe-data';
const EXPORT_VERSION = 1;

export const createMyData = (deps: MyDataDeps): MyData => {
  const { storage, now, manager, clearOther } = deps;

  const exportAll = async function* exportAll(): AsyncIterable<string> {
    const head = { format: EXPORT_FORMAT, version: EXPORT_VERSION, exportedAt: new Date(now()).toISOString() };
    yield JSON.stringify(head).slice(0, -1);
    const folders = (await storage.list('handles')).map(({ id, role, name, usedAt }) => ({ id, role, name, usedAt }));
    for (const [name, rows] of [
      ['folders', folders],
      ['settings', await storage.list('settings')],
      ['drafts', await storage.list('drafts')],
      ['consents', await storage.list('consents')],
      ['origins', await storage.list('origins')],
    ] as const) {
      yield `,\n"${name}":${JSON.stringify(rows)}`;
    }
    yield ',\n"sessions":[';
    let isFirst = true;
    for (const session of await storage.list('sessions')) {
      const events = (await storage.list('events', [session.id])).flatMap((chunk) => chunk.events);
      yield `${isFirst ? '' : ','}\n${JSON.stringify({ ...session, events })}`;
      isFirst = false;
    }
    yield ']}\n';
  };

  const bytesOf = async (table: TableName): Promise<number> =>
    (await storage.list(table)).reduce((sum, row) => sum + sizeOf(row), 0);
  const clearPlaces = async (places: readonly PlaceName[]): Promise<Result<void, StoredProblem>> => {
    const left: string[] = [];
    for (const place of places) {
      const folders = deps[place];
      for (const name of (await folders?.list()) ?? []) {
        const removed = await folders?.remove(name);
        if (removed?.ok === false) left.push(`${name} couldn’t be deleted: ${removed.error.message}`);
      }
    }
    return left.length === 0 ? ok(undefined) : err({ message: left.join(' ') });
  };
  const factsOf = async (place: PlaceName): Promise<readonly StoredKind[]> => {
    const folders = deps[place];
    if (!folders) return [];
    const names = await folders.list();
    let bytes: number | undefined = 0;
    for (const name of names) {
      const size = await folders.size(name);
      bytes = size.ok && bytes !== undefined ? bytes + size.value : undefined;
    }
    return [{ table: place, label: PLACES[place], count: names.length, ...(bytes !== undefined && { bytes }) }];
  };

  return {
    facts: async () => {
      const kinds = Object.entries(LABELS) as [keyof typeof LABELS, string][];
      const counts = await Promise.all(
        kinds.map(async ([table, label]) => ({
          table,
          label,
          count: await storage.count(table),
          bytes: (await bytesOf(table)) + (table === 'sessions' ? await bytesOf('events') : 0),
        })),
      );
      const places = await Promise.all(PLACE_NAMES.map(factsOf));
      const estimate = await manager?.estimate();
      return {
        kinds: [...counts, ...places.flat()],
        bytes: estimate?.usage,
        quota: estimate?.quota,
        isPersistent: await manager?.persisted?.(),
      };
    },
    exportAll,
    deleteKind: async (table) => {
      if (isPlace(table)) return clearPlaces([table]);
      const tables: readonly TableName[] = table === 'sessions' ? ['sessions', 'events'] : [table];
      await storage.write(tables.map((name) => ({ kind: 'clear', table: name }) as const));
      return ok(undefined);
    },
    deleteAll: async () => {
      await storage.write(TABLE_NAMES.map((table) => ({ kind: 'clear', table }) as const));
      const cleared = await clearPlaces(PLACE_NAMES);
      await clearOther?.();
      return cleared;
    },
    persist: async () => (await manager?.persist?.()) ?? false,
  };
};
