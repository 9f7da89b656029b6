import { silentLog, type Log } from '../../base/log.ts';
import { readRow } from './read-row.ts';
import { keyOf, type Key, type TableName } from './schema.ts';
import { StorageError, type Storage } from './storage.ts';

const compareParts = (a: string | number, b: string | number): number => {
  // As in the database: numbers before texts.
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
};

const compareKeys = (a: Key, b: Key): number => {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
};

const startsLike = (key: Key, start: Key): boolean => start.every((part, index) => key[index] === part);

export interface MemoryStorage extends Storage {
  /** As they are kept, for tests that look at what is at rest. */
  readonly rows: (table: TableName) => readonly unknown[];
  /** Puts anything into a table, as an older version of the page could have. */
  readonly plant: (table: TableName, key: Key, row: unknown) => void;
}

/** The twin of the database: rows are copied in and out, and a write is all or nothing. */
export const createMemoryStorage = (log: Log = silentLog): MemoryStorage => {
  let tables = new Map<TableName, Map<string, { readonly key: Key; readonly row: unknown }>>();
  const rowsOf = (table: TableName, from = tables) =>
    [...(from.get(table)?.values() ?? [])].toSorted((a, b) => compareKeys(a.key, b.key));
  // Handles cannot be cloned outside a browser, and are never changed.
  const copy = <T>(row: T): T => {
    try {
      return structuredClone(row);
    } catch {
      return { ...row };
    }
  };
  return {
    get: (table, key) => {
      const found = tables.get(table)?.get(JSON.stringify(key));
      return Promise.resolve(found && readRow(table, copy(found.row), log));
    },
    list: (table, start = []) =>
      Promise.resolve(
        rowsOf(table)
          .filter(({ key }) => startsLike(key, start))
          .map(({ row }) => readRow(table, copy(row), log))
          .filter((row) => row !== undefined),
      ),
    count: (table) => Promise.resolve(tables.get(table)?.size ?? 0),
    write: (changes) => {
      const next = new Map([...tables].map(([name, rows]) => [name, new Map(rows)]));
      for (const change of changes) {
        const rows = next.get(change.table) ?? new Map<string, { key: Key; row: unknown }>();
        next.set(change.table, rows);
        if (change.kind === 'clear') rows.clear();
        else if (change.kind === 'delete') {
          for (const [id, { key }] of rows) if (startsLike(key, change.key)) rows.delete(id);
        } else {
          const key = keyOf(change.table, change.row);
          const id = JSON.stringify(key);
          if (change.kind === 'add' && rows.has(id)) {
            return Promise.reject(new StorageError('exists', 'It was already written, perhaps by another tab.'));
          }
          rows.set(id, { key, row: copy(change.row) });
        }
      }
      tables = next;
      return Promise.resolve();
    },
    close: () => undefined,
    rows: (table) => rowsOf(table).map(({ row }) => row),
    plant: (table, key, row) => {
      const rows = tables.get(table) ?? new Map<string, { key: Key; row: unknown }>();
      tables.set(table, rows);
      rows.set(JSON.stringify(key), { key, row });
    },
  };
};
