import type { Log } from '../../base/log.ts';
import { TABLES, type Row, type TableName } from './schema.ts';

/** A row as this version knows it; nothing, and a log line, for any other. The row's content is not logged. */
export const readRow = <T extends TableName>(table: T, row: unknown, log: Log): Row<T> | undefined => {
  const parsed = TABLES[table].schema.safeParse(row);
  if (parsed.success) return parsed.data as Row<T>;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ');
  log({ level: 'warning', code: 'store.row', text: `a row of ${table} was skipped: not readable in ${fields}` });
  return undefined;
};
