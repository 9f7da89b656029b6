/** The browser's database (IndexedDB): opened once, brought up to date step by step. */
import { deleteDB, openDB, type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction } from 'idb';
import { errorName, isAbort } from '../../base/errors.ts';
import { silentLog, type Log } from '../../base/log.ts';
import { readRow } from './read-row.ts';
import { TABLES, type Key, type TableName } from './schema.ts';
import { StorageError, toStorageError, type Change, type Storage } from './storage.ts';

type Upgrade = IDBPTransaction<unknown, string[], 'versionchange'>;

/**
 * Step n brings a database of version n to version n + 1. A step that was released is never changed: what comes later is
 * a step after it.
 */
export type Migration = (database: IDBPDatabase, upgrade: Upgrade) => void | Promise<void>;

const creating =
  (names: readonly TableName[]): Migration =>
  (database) => {
    for (const name of names) database.createObjectStore(name, { keyPath: [...TABLES[name].key] });
  };

export const MIGRATIONS: readonly Migration[] = [
  creating(['handles', 'settings', 'drafts', 'sessions', 'events', 'consents', 'origins', 'vault']),
  creating(['kept']),
  creating(['evals']),
];

export interface DatabaseOptions {
  readonly name?: string;
  readonly migrations?: readonly Migration[];
  readonly log?: Log;
  /** Another tab wants to bring the database up to date; this one has closed it and should be reloaded. */
  readonly onOutdated?: () => void;
  /** Another tab with an older page keeps the database from being opened: it should be closed. */
  readonly onBlocked?: () => void;
}

const DATABASE = 'lathe';

/** Keys are arrays; an array sorts behind everything that it starts with, and `[]` behind every number and text. */
const rangeOf = (start: Key): IDBKeyRange | undefined =>
  start.length === 0 ? undefined : IDBKeyRange.bound([...start], [...start, []]);

/** Gives why a step failed, if one did; the database then stays as it was. */
const bringUp = async (
  database: IDBPDatabase,
  upgrade: Upgrade,
  migrations: readonly Migration[],
): Promise<unknown> => {
  try {
    for (const migrate of migrations) await migrate(database, upgrade);
    return undefined;
  } catch (thrown) {
    // The reason is what was thrown, not that it was taken back.
    upgrade.done.catch(() => undefined);
    upgrade.abort();
    return thrown;
  }
};

type Table = IDBPObjectStore<unknown, TableName[], TableName, 'readwrite'>;

const apply = (table: Table, change: Change): Promise<unknown> => {
  switch (change.kind) {
    case 'put':
      return table.put(change.row);
    case 'add':
      return table.add(change.row);
    case 'clear':
      return table.clear();
    case 'delete':
      return change.key.length === 0 ? table.clear() : table.delete(rangeOf(change.key) ?? []);
  }
};

export const openDatabase = async (options: DatabaseOptions = {}): Promise<Storage> => {
  const { name = DATABASE, migrations = MIGRATIONS, log = silentLog, onOutdated, onBlocked } = options;
  let database: IDBPDatabase;
  let migrating: Promise<unknown> = Promise.resolve(undefined);
  try {
    database = await openDB(name, migrations.length, {
      upgrade: (opened, from, _to, upgrade) => {
        migrating = bringUp(opened, upgrade, migrations.slice(from));
      },
      blocked: () => onBlocked?.(),
      blocking: (_current, _wanted, event) => {
        (event.target as IDBDatabase).close();
        onOutdated?.();
      },
      terminated: () => log({ level: 'error', code: 'store.closed', text: 'the browser closed the database' }),
    });
  } catch (thrown) {
    const reason = (await migrating) ?? thrown;
    if (errorName(thrown) === 'VersionError') {
      throw new StorageError(
        'failed',
        'A newer version of this page has used the database. Reload to get that version.',
        { cause: thrown },
      );
    }
    throw toStorageError(reason);
  }

  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw toStorageError(thrown);
    }
  };

  return {
    get: (table, key) =>
      told(async () => {
        const row: unknown = await database.get(table, [...key]);
        return row === undefined ? undefined : readRow(table, row, log);
      }),
    list: (table, start = []) =>
      told(async () => {
        const rows: unknown[] = await database.getAll(table, rangeOf(start));
        return rows.map((row) => readRow(table, row, log)).filter((row) => row !== undefined);
      }),
    count: (table) => told(() => database.count(table)),
    write: (changes, { durable = false } = {}) =>
      told(async () => {
        if (changes.length === 0) return;
        const tables: TableName[] = [...new Set(changes.map(({ table }) => table))];
        const transaction = database.transaction(tables, 'readwrite', {
          durability: durable ? 'strict' : 'default',
        });
        const requests: Promise<unknown>[] = [transaction.done];
        try {
          for (const change of changes) requests.push(apply(transaction.objectStore(change.table), change));
          // Without being told, the browser commits when it has answered every request, and a page that is being left is gone by then.
          transaction.commit();
        } catch (thrown) {
          // What could not even be asked for takes the others back.
          transaction.abort();
          await Promise.allSettled(requests);
          throw thrown;
        }
        const results = await Promise.allSettled(requests);
        const reasons = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
        // The others failed because one did.
        const isOwn = (reason: unknown): boolean => !isAbort(reason);
        if (reasons.length > 0) throw reasons.find(isOwn) ?? reasons[0];
      }),
    close: () => database.close(),
  };
};

/** Waits until no tab has it open. */
export const deleteDatabase = (name = DATABASE, onBlocked?: () => void): Promise<void> =>
  deleteDB(name, { blocked: () => onBlocked?.() });
