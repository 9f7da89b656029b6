/** What Lathe has stored in this browser: shown, exported, deleted. Keys are never exported, not even encrypted. */
import { TABLE_NAMES, type TableName } from './schema.ts';
import type { Storage } from './storage.ts';

export type StoredName = keyof typeof LABELS | 'workspaces';

export interface StoredKind {
  readonly table: StoredName;
  readonly label: string;
  readonly count: number;
  /** Of their content, as it would be written out; what the browser keeps around it is not counted. */
  readonly bytes: number;
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
  /** Rows, private workspaces, and whatever else the deps clear. */
  readonly deleteAll: () => Promise<void>;
  readonly deleteKind: (table: StoredName) => Promise<void>;
  /** Asks the browser not to clear it by itself. */
  readonly persist: () => Promise<boolean>;
}

export interface MyDataDeps {
  readonly storage: Storage;
  readonly now: () => number;
  /** `navigator.storage`; absent where there is none. */
  readonly manager?: Pick<StorageManager, 'estimate'> & Partial<Pick<StorageManager, 'persisted' | 'persist'>>;
  /** Private workspaces: their names, and removing one. */
  readonly workspaces?: {
    readonly list: () => Promise<readonly string[]>;
    readonly remove: (name: string) => Promise<unknown>;
    /** Bytes of all files of one. */
    readonly size: (name: string) => Promise<number>;
  };
  /** Other places: `localStorage`, caches. */
  readonly clearOther?: () => Promise<void>;
}

const LABELS: Readonly<Record<Exclude<TableName, 'events'>, string>> = {
  handles: 'Folders that you opened',
  settings: 'Settings',
  drafts: 'Unsaved text',
  sessions: 'Sessions',
  consents: 'Skills that you allowed to run',
  origins: 'Skills that came from elsewhere',
  vault: 'Provider keys, encrypted',
};

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
  const { storage, now, manager, workspaces, clearOther } = deps;

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
  const removeWorkspaces = async (): Promise<void> => {
    for (const name of (await workspaces?.list()) ?? []) await workspaces?.remove(name);
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
      const names = await workspaces?.list();
      let privateBytes = 0;
      for (const name of names ?? []) privateBytes += (await workspaces?.size(name)) ?? 0;
      const estimate = await manager?.estimate();
      return {
        kinds: [
          ...counts,
          ...(names
            ? [{ table: 'workspaces', label: 'Private workspaces', count: names.length, bytes: privateBytes } as const]
            : []),
        ],
        bytes: estimate?.usage,
        quota: estimate?.quota,
        isPersistent: await manager?.persisted?.(),
      };
    },
    exportAll,
    deleteKind: async (table) => {
      if (table === 'workspaces') return removeWorkspaces();
      const tables: readonly TableName[] = table === 'sessions' ? ['sessions', 'events'] : [table];
      return storage.write(tables.map((name) => ({ kind: 'clear', table: name }) as const));
    },
    deleteAll: async () => {
      await storage.write(TABLE_NAMES.map((table) => ({ kind: 'clear', table }) as const));
      await removeWorkspaces();
      await clearOther?.();
    },
    persist: async () => (await manager?.persist?.()) ?? false,
  };
};
