/** Tables with rows, wherever they are: the browser's database, or memory in tests. */
import { errorMessage, errorName } from '../../base/errors.ts';
import type { Key, Row, TableName } from './schema.ts';

export type Change = { [T in TableName]: ChangeOf<T> }[TableName];

type ChangeOf<T extends TableName> =
  | { readonly kind: 'put'; readonly table: T; readonly row: Row<T> }
  /** Fails, and with it everything else, where there is such a row. */
  | { readonly kind: 'add'; readonly table: T; readonly row: Row<T> }
  /** All rows whose key starts like this. */
  | { readonly kind: 'delete'; readonly table: T; readonly key: Key }
  | { readonly kind: 'clear'; readonly table: T };

export interface WriteOptions {
  readonly durable?: boolean;
}

export interface Storage {
  /** Nothing if there is no such row, or if it is not one that this version can read. */
  readonly get: <T extends TableName>(table: T, key: Key) => Promise<Row<T> | undefined>;
  /** All rows whose key starts like this, in the order of their keys. What this version cannot read is left out, with a log line. */
  readonly list: <T extends TableName>(table: T, start?: Key) => Promise<readonly Row<T>[]>;
  readonly count: (table: TableName) => Promise<number>;
  /** All of them or none. With `durable`, done once the disk itself has them, so that not even a power cut takes them back. */
  readonly write: (changes: readonly Change[], options?: WriteOptions) => Promise<void>;
  readonly close: () => void;
}

/** The browser has no room left, or the database is gone: what a person should hear. */
export class StorageError extends Error {
  readonly code: 'full' | 'closed' | 'exists' | 'failed';

  constructor(code: StorageError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }
}

export const toStorageError = (thrown: unknown): StorageError => {
  if (thrown instanceof StorageError) return thrown;
  const options = { cause: thrown };
  switch (errorName(thrown)) {
    case 'QuotaExceededError':
      return new StorageError(
        'full',
        'The browser has no room left. Delete old sessions under Settings, My data.',
        options,
      );
    case 'ConstraintError':
      return new StorageError('exists', 'It was already written, perhaps by another tab.', options);
    case 'InvalidStateError':
      return new StorageError(
        'closed',
        'The browser closed its database. Copy anything unsaved, then reload the page.',
        options,
      );
    default:
      return new StorageError('failed', `The browser's database failed: ${errorMessage(thrown)}`, options);
  }
};
