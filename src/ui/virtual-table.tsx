import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from './cx.ts';
import { useRowHeight } from './density.ts';
import styles from './virtual-table.module.css';
import { ROW_STEPS } from './row-steps.ts';

export type Column<T> = {
  readonly id: string;
  readonly header: string;
  /** Of a grid track: `80px`, `minmax(0, 1fr)`. */
  readonly width: string;
  /** Numbers stand under each other. */
  readonly isFigure?: boolean;
  readonly cell: (row: T) => ReactNode;
};

/** An array, or anything else that can be asked for one row, such as a ring buffer. */
export type Rows<T> = { readonly length: number; readonly at: (index: number) => T | undefined };

export type VirtualTableProps<T> = {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: Rows<T>;
  readonly rowKey: (row: T) => string;
  /** A row that stands above others and spans all columns, or undefined for a plain one. */
  readonly renderHeading?: (row: T) => ReactNode | undefined;
  readonly selected?: string | undefined;
  /** Rows that belong to what is chosen elsewhere. */
  readonly isMarked?: ((row: T) => boolean) | undefined;
  /** Makes it a grid: a click or the arrows choose a row. */
  readonly onSelect?: (row: T) => void;
  /** Enter on the chosen row. */
  readonly onOpen?: (row: T) => void;
  /** The last row stays in view. */
  readonly isFollowing?: boolean;
  /** The person scrolled away from the end, or back to it. */
  readonly onAtEnd?: (isAtEnd: boolean) => void;
  /** Brings this row into view whenever it changes. */
  readonly shown?: number | undefined;
  /** Long texts take more lines, and their row more height, in place of being cut. */
  readonly isWrapped?: boolean;
  /** Narrower than this the table scrolls sideways, in pixels. */
  readonly leastWidth?: number;
};

/** Rows beside those in view. */
const SPARE = 4;

type PlainRowProps<T> = {
  readonly columns: readonly Column<T>[];
  readonly onSelect: ((row: T) => void) | undefined;
  readonly onOpen: ((row: T) => void) | undefined;
  readonly id: string;
  readonly index: number;
  readonly row: T;
  readonly tracks: string;
  readonly height: number;
  readonly top: number;
  /** Tells the height that the row came to, where that is its own. */
  readonly measure: ((element: Element | null) => void) | undefined;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
};

const AnyRow = <T,>(props: PlainRowProps<T>) => {
  const { id, index, row, columns, tracks, height, top, measure, isSelected, isMarked, onSelect, onOpen } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={cx(styles['row'], styles['placed'])}
      data-selected={isSelected}
      data-marked={isMarked}
      style={{ gridTemplateColumns: tracks, top, ...(measure ? { minHeight: height } : { height }) }}
      {...(measure && { ref: measure, 'data-index': index, 'data-wrapped': true })}
      {...(onSelect && {
        id,
        'aria-selected': isSelected,
        onClick: () => onSelect(row),
        onDoubleClick: () => onOpen?.(row),
      })}
    >
      {columns.map(({ id: column, cell, isFigure }) => (
        <span key={column} role={onSelect ? 'gridcell' : 'cell'} className={styles['cell']} data-figure={isFigure}>
          {cell(row)}
        </span>
      ))}
    </div>
  );
};
/** A row that stays in view is not drawn again while others come and go. */
const PlainRow = memo(AnyRow) as typeof AnyRow;

/** A table for any number of rows, each of them one line high unless it wraps; only those in view are in the page. */
export const VirtualTable = <T,>(props: VirtualTableProps<T>) => {
  const { label, columns, rows, rowKey, renderHeading, selected, onSelect, onOpen, isFollowing, onAtEnd, shown } =
    props;
  const scroll = useRef<HTMLDivElement>(null);
  const id = useId();
  const rowHeight = useRowHeight();
  const keyAt = (index: number): string | number => {
    const row = rows.at(index);
    return row === undefined ? index : rowKey(row);
  };
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: SPARE,
    // A height that was measured belongs to its row, wherever that moves.
    ...(props.isWrapped === true && { getItemKey: (index: number) => keyAt(index) }),
    // The head, which is as high as a row and its line, stands over the rows that are scrolled to.
    scrollPaddingEnd: rowHeight + 1,
  });
  const tracks = columns.map(({ width }) => width).join(' ');
  const isGrid = onSelect !== undefined;
  const items = virtual.getVirtualItems();
  // Rows of a grid hold nothing that takes the focus, so one that leaves the view can become the one that enters it:
  // changing texts is cheaper than making elements.
  const slots = Math.max(items.length, Math.ceil((virtual.scrollRect?.height ?? 0) / rowHeight) + 2 * SPARE + 1);

  useEffect(() => {
    if (isFollowing && rows.length > 0) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [isFollowing, rows.length, virtual]);
  useEffect(() => {
    if (shown !== undefined) virtual.scrollToIndex(shown, { align: 'auto' });
  }, [shown, virtual]);

  const isChosen = (row: T | undefined): boolean => row !== undefined && rowKey(row) === selected;
  const indexOfSelected = (): number => {
    const inView = items.find(({ index }) => isChosen(rows.at(index)));
    if (inView) return inView.index;
    for (let index = rows.length - 1; index >= 0; index--) if (isChosen(rows.at(index))) return index;
    return -1;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = ROW_STEPS[event.key];
    const from = step === undefined && event.key !== 'Enter' ? -1 : indexOfSelected();
    if (event.key === 'Enter') {
      const row = rows.at(from);
      if (from >= 0 && row !== undefined) onOpen?.(row);
      return;
    }
    if (step === undefined || !onSelect || rows.length === 0) return;
    event.preventDefault();
    const to = Math.min(rows.length - 1, Math.max(0, from === -1 ? rows.length - 1 : from + step));
    const row = rows.at(to);
    if (row === undefined) return;
    virtual.scrollToIndex(to, { align: 'auto' });
    onSelect(row);
  };

  const onScroll = (): void => {
    const box = scroll.current;
    if (box) onAtEnd?.(box.scrollTop + box.clientHeight >= box.scrollHeight - rowHeight);
  };

  const active = isGrid ? items.find(({ index }) => isChosen(rows.at(index))) : undefined;
  return (
    <div
      ref={scroll}
      className={styles['scroll']}
      {...(onAtEnd && { onScroll })}
      {...(!isGrid && { role: 'group', 'aria-label': `${label}, scrolling`, tabIndex: 0 })}
    >
      <div
        role={isGrid ? 'grid' : 'table'}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className={styles['table']}
        style={props.leastWidth === undefined ? undefined : { minWidth: props.leastWidth }}
        {...(isGrid && {
          tabIndex: 0,
          onKeyDown,
          'aria-activedescendant': active && `${id}-${active.index}`,
        })}
      >
        <div role="rowgroup" className={styles['head']}>
          <div role="row" aria-rowindex={1} className={styles['row']} style={{ gridTemplateColumns: tracks }}>
            {columns.map(({ id: column, header, isFigure }) => (
              <span key={column} role="columnheader" className={styles['cell']} data-figure={isFigure}>
                {header}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows.at(index);
            if (row === undefined) return null;
            const key = rowKey(row);
            const slot = isGrid ? `slot ${index % slots}` : key;
            const title = renderHeading?.(row);
            const place = { height: rowHeight, top: start };
            return title === undefined ? (
              <PlainRow
                key={slot}
                id={`${id}-${index}`}
                index={index}
                row={row}
                columns={columns}
                tracks={tracks}
                height={rowHeight}
                top={start}
                measure={props.isWrapped === true ? virtual.measureElement : undefined}
                isSelected={key === selected}
                isMarked={props.isMarked?.(row) ?? false}
                onSelect={onSelect}
                onOpen={onOpen}
              />
            ) : (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={cx(styles['placed'], styles['heading'])}
                style={place}
              >
                <span role="rowheader" aria-colspan={columns.length} className={styles['cell']}>
                  {title}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
};
