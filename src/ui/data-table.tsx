import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export type DataColumn<T> = {
  readonly id: string;
  readonly header: string;
  /** Numbers stand under each other. */
  readonly isFigure?: boolean;
  /** Monospaced, on one line. */
  readonly isMono?: boolean;
  readonly cell: (row: T) => ReactNode;
};

export type DataTableProps<T> = {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly DataColumn<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  readonly selected?: string | undefined;
  readonly onSelect?: (row: T) => void;
};

/** A plain table: the twin of a chart, for those who want numbers. A row is chosen by its first cell. */
export const DataTable = <T,>({ label, columns, rows, rowKey, selected, onSelect }: DataTableProps<T>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
  <div className={styles['scroll']} role="group" aria-label={`${label}, scrolling`} tabIndex={0}>
    <table className={styles['table']} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ id, header, isFigure }) => (
            <th key={id} scope="col" data-figure={isFigure}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = rowKey(row);
          return (
            <tr key={key} data-selected={key === selected}>
              {columns.map(({ id, cell, isFigure, isMono }, index) => (
                <td key={id} data-figure={isFigure} data-mono={isMono}>
                  {index === 0 && onSelect ? (
                    <button
                      type="button"
                      className={styles['choose']}
                      aria-pressed={key === selected}
                      onClick={() => onSelect(row)}
                    >
                      {cell(row)}
                    </button>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);
