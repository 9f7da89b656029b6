/** What Lathe has stored in this browser: shown, exported, deleted. Keys are never exported, not even encrypted. */
import { TABLE_NAMES, type TableName } from './schema.ts';
import type { Storage } from './storage.ts';

export interface StoredKind {
  readonly table: keyof typeof LABELS | 'workspaces';
  readonly label: string;
  readonly count: number;
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

  return {
    facts: async () => {
      const kinds = Object.entries(LABELS) as [keyof typeof LABELS, string][];
      const counts = await Promise.all(
        kinds.map(async ([table, label]) => ({ table, label, count: await storage.count(table) })),
      );
      const names = await workspaces?.list();
      const estimate = await manager?.estimate();
      return {
        kinds: [
          ...counts,
          ...(names ? [{ table: 'workspaces', label: 'Private workspaces', count: names.length } as const] : []),
        ],
        bytes: estimate?.usage,
        quota: estimate?.quota,
        isPersistent: await manager?.persisted?.(),
      };
    },
    exportAll,
    deleteAll: async () => {
      await storage.write(TABLE_NAMES.map((table) => ({ kind: 'clear', table }) as const));
      for (const name of (await workspaces?.list()) ?? []) await workspaces?.remove(name);
      await clearOther?.();
    },
    persist: async () => (await manager?.persist?.()) ?? false,
  };
};
