import { type CSSProperties, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { grouped, money, percent, short, ticks } from '../../model/instruments/figures.ts';
import { requestName, requestTitle } from '../../model/instruments/request-names.ts';
import { rowOffsets, rowWindow } from '../../model/instruments/row-window.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import { witnessText } from '../../model/instruments/witness-words.ts';
import {
  OUTPUT_GAP,
  splitTotal,
  type WaterfallItem,
  type WaterfallRow,
  waterfallItems,
  waterfallScale,
  type TokenSplit,
} from '../../model/instruments/waterfall-view.ts';
import type { BreakpointAxis } from '../../model/whatif/axis.ts';
import type { Placement } from '../../model/whatif/types.ts';
import { Icon } from '../../ui/icon.tsx';
import { ROW_STEPS } from '../../ui/row-steps.ts';
import type { Avoidable } from '../../model/instruments/avoidable.ts';
import { BreakpointHandles } from './breakpoint-handles.tsx';
import { Bar } from './waterfall-bar.tsx';
import { ChainLine, clockText, PauseLine, VerdictLine } from './waterfall-lines.tsx';
import styles from './waterfall-rows.module.css';

export type WaterfallRowsProps = {
  readonly rows: readonly WaterfallRow[];
  readonly selected: string | undefined;
  readonly onSelect: (row: WaterfallRow) => void;
  /** A press on a row or its verdict, after it was selected: keys select without it. */
  readonly onClick?: (() => void) | undefined;
  /** Enter, a second click, or one on the notch. */
  readonly onOpen: (row: WaterfallRow) => void;
  /** Tokens of output that have come of requests that are on their way. */
  readonly streaming?: ReadonlyMap<string, number>;
  /** What a row would have been under another policy, in place of what was predicted. */
  readonly ghosts?: ReadonlyMap<string, TokenSplit> | undefined;
  /** Breakpoints to drag on the token axis. */
  readonly axis?: BreakpointAxis | undefined;
  readonly onBreakpoints?: (breakpoints: readonly Placement[]) => void;
  readonly avoidable: (row: WaterfallRow) => Avoidable;
  /** Keeps the newest row in view. */
  readonly isFollowing?: boolean;
};

const HEIGHTS: Readonly<Record<WaterfallItem['kind'], number>> = { request: 22, verdict: 20, pause: 18, chain: 24 };
const heightOf = ({ kind }: WaterfallItem): number => HEIGHTS[kind];

const nameOf = (row: WaterfallRow): string => {
  const { actual, number, verdict, costUsd } = row;
  const split = actual
    ? `${grouped(actual.read)} read, ${grouped(actual.written)} written, ${grouped(actual.uncached)} uncached, ${grouped(actual.output)} output`
    : row.status;
  const said = verdict ? `, ${verdictWords(verdict.cause, verdict.position?.label).title}` : '';
  return `${requestTitle(number)}: ${split}${said}, ${money(costUsd)}`;
};

const share = ({ actual }: WaterfallRow): string => {
  const total = actual ? splitTotal(actual) : 0;
  return actual && total > 0 ? percent(actual.read / total) : '';
};

const costText = ({ actual, costUsd, status }: WaterfallRow): string => {
  if (actual) return money(costUsd);
  if (status === 'failed') return 'failed';
  return status === 'running' ? '…' : 'unknown';
};

const labelOf = ({ source, depth, number }: WaterfallRow): string => {
  if (source === 'earlier') return 'before';
  return depth === 0 ? requestName(number) : number;
};

/** What is folded by a press on it: asks below a request, or a whole conversation. */
const foldKey = (item: WaterfallItem): string | undefined => {
  if (item.kind === 'chain') return item.chain.id;
  return item.kind === 'request' && item.row.nested > 0 ? item.row.key : undefined;
};

/** One row per request, aligned at token 0. Only the rows in view are in the page. */
export const WaterfallRows = (props: WaterfallRowsProps) => {
  const {
    rows,
    selected,
    onSelect,
    onClick,
    onOpen,
    streaming,
    ghosts,
    axis,
    onBreakpoints,
    avoidable,
    isFollowing = false,
  } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [view, setView] = useState({ top: 0, height: 400 });
  const items = useMemo(() => waterfallItems(rows, folded), [rows, folded]);
  const offsets = useMemo(() => rowOffsets(items.map(heightOf)), [items]);
  const scale = useMemo(() => waterfallScale(rows), [rows]);
  const requests = useMemo(() => items.filter((item) => item.kind === 'request'), [items]);
  const { first, end } = rowWindow(offsets, view.top, view.height, 6);
  const total = offsets.at(-1) ?? 0;

  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const observer = new ResizeObserver(() => setView({ top: box.scrollTop, height: box.clientHeight }));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (isFollowing) scroller.current?.scrollTo({ top: total });
  }, [isFollowing, total]);

  const fold = (key: string, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(key);
    else next.delete(key);
    setFolded(next);
  };

  const placeOf = (key: string | undefined): readonly [top: number, bottom: number] | undefined => {
    const index = items.findIndex((item) => item.kind === 'request' && item.row.key === key);
    if (index === -1) return undefined;
    const next = items[index + 1];
    // With the verdict below it.
    const rowsOfIt = next?.kind === 'verdict' && next.row.key === key ? 2 : 1;
    return [offsets[index] ?? 0, offsets[index + rowsOfIt] ?? 0];
  };

  useEffect(() => {
    const box = scroller.current;
    const place = placeOf(selected);
    if (!place || !box) return;
    const [from, to] = place;
    if (from < box.scrollTop) box.scrollTo({ top: from });
    else if (to > box.scrollTop + box.clientHeight) box.scrollTo({ top: to - box.clientHeight });
    // oxlint-disable-next-line react/exhaustive-deps -- another selection or another height moves the view, not another row
  }, [selected, view.height]);

  const at = requests.findIndex(({ row }) => row.key === selected);
  const onKeyDown = (event: KeyboardEvent): void => {
    const current = requests[at]?.row;
    const step = ROW_STEPS[event.key];
    if (event.key === 'Enter' && current) onOpen(current);
    if (event.key === 'ArrowRight' && current && current.nested > 0) fold(current.key, false);
    if (event.key === 'ArrowLeft' && current && current.nested > 0) fold(current.key, true);
    if (step === undefined) return;
    event.preventDefault();
    const next = requests[Math.min(requests.length - 1, Math.max(0, at === -1 ? requests.length - 1 : at + step))];
    if (!next) return;
    onSelect(next.row);
  };
  const choose = (row: WaterfallRow): void => {
    onSelect(row);
    onClick?.();
  };

  const marks = ticks(scale * (1 - OUTPUT_GAP), 5);
  const cause = requests[at]?.row;
  const causePlace = cause?.notch === undefined ? undefined : placeOf(cause.key);

  const drawn = (item: WaterfallItem, place: CSSProperties) => {
    const { row } = item;
    if (item.kind === 'pause') return <PauseLine key={`${row.key} pause`} ms={item.ms} style={place} />;
    if (item.kind === 'chain')
      return (
        <ChainLine
          key={item.chain.id}
          chain={item.chain}
          isFolded={item.isFolded}
          onFold={() => fold(item.chain.id, !item.isFolded)}
          style={place}
        />
      );
    if (item.kind === 'verdict')
      return (
        <VerdictLine
          key={`${row.key} verdict`}
          row={row}
          avoidable={avoidable(row)}
          onClick={() => choose(row)}
          style={place}
        />
      );
    const key = foldKey(item);
    return (
      <div
        key={row.key}
        id={`${id}-${row.key}`}
        role="row"
        tabIndex={-1}
        aria-level={row.depth + 1}
        aria-selected={row.key === selected}
        {...(key !== undefined && { 'aria-expanded': !item.isFolded })}
        className={styles['row']}
        data-source={row.source}
        style={place}
        title={witnessText(row)}
        onClick={({ target }) => {
          if (target instanceof Element && target.hasAttribute('data-notch')) onOpen(row);
          else choose(row);
        }}
        onDoubleClick={() => onOpen(row)}
        onKeyDown={() => {}}
      >
        <span role="gridcell" className={styles['label']} data-depth={row.depth}>
          {key !== undefined && (
            <button
              type="button"
              tabIndex={-1}
              className={styles['fold']}
              aria-label={item.isFolded ? `Show ${row.nested} nested requests` : 'Hide nested requests'}
              onClick={(event) => {
                event.stopPropagation();
                fold(key, !item.isFolded);
              }}
            >
              <Icon name={item.isFolded ? 'chevron-right' : 'chevron-down'} />
            </button>
          )}
          <b>{labelOf(row)}</b>{' '}
          <span className={styles['time']}>{item.isFolded ? `+${row.nested}` : clockText(row.startedAt)}</span>
        </span>
        <span role="gridcell" aria-label={nameOf(row)} className={styles['bar-cell']}>
          <Bar
            row={row}
            scale={scale}
            bridge={item.bridge}
            streaming={streaming?.get(row.key)}
            ghost={ghosts?.get(row.key)}
          />
        </span>
        <span role="gridcell" className={styles['figure']}>
          {share(row)}
        </span>
        <span role="gridcell" className={styles['figure']} data-part="cost">
          {costText(row)}
        </span>
      </div>
    );
  };

  return (
    <div className={styles['waterfall']}>
      <div className={styles['axis']}>
        <span aria-hidden="true" className={styles['axis-name']}>
          tokens
        </span>
        <div className={styles['scale']}>
          {marks.map((tick) => (
            <span key={tick} aria-hidden="true" className={styles['tick']} style={{ left: `${(tick / scale) * 100}%` }}>
              {short(tick)}
            </span>
          ))}
          {axis && onBreakpoints && <BreakpointHandles axis={axis} scale={scale} onChange={onBreakpoints} />}
        </div>
        <span aria-hidden="true" className={styles['figure']}>
          read
        </span>
        <span aria-hidden="true" className={styles['figure']}>
          cost
        </span>
      </div>
      <div
        ref={scroller}
        className={styles['scroll']}
        onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
      >
        <div
          role="treegrid"
          aria-label="Requests"
          aria-rowcount={rows.length}
          tabIndex={0}
          aria-activedescendant={
            items.slice(first, end).some((item) => item.kind === 'request' && item.row.key === selected)
              ? `${id}-${selected}`
              : undefined
          }
          className={styles['grid']}
          style={{ height: `max(${total}px, 100%)` }}
          onKeyDown={onKeyDown}
        >
          {items
            .slice(first, end)
            .map((item, index) => drawn(item, { top: offsets[first + index] ?? 0, height: heightOf(item) }))}
          {causePlace && cause?.notch !== undefined && (
            <div className={styles['cause']} style={{ top: causePlace[1] }} role="presentation">
              <span style={{ left: `${(cause.notch / scale) * 100}%` }} />
            </div>
          )}
        </div>
      </div>
    </div>
  );
};
