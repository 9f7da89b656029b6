import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { grouped, money, percent, short, ticks } from '../../model/instruments/figures.ts';
import { requestName, requestTitle } from '../../model/instruments/request-names.ts';
import { rowOffsets, rowWindow } from '../../model/instruments/row-window.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import { witnessText } from '../../model/instruments/witness-words.ts';
import {
  OUTPUT_GAP,
  splitTotal,
  type TokenSplit,
  type WaterfallItem,
  type WaterfallRow,
  waterfallItems,
  waterfallScale,
} from '../../model/instruments/waterfall-view.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './waterfall-rows.module.css';
import { ROW_STEPS } from '../../ui/row-steps.ts';

export type WaterfallRowsProps = {
  readonly rows: readonly WaterfallRow[];
  readonly selected: string | undefined;
  readonly onSelect: (row: WaterfallRow) => void;
  /** A press on a row, after it was selected: keys select without it. */
  readonly onClick?: (() => void) | undefined;
  /** Enter, a second click, or one on the notch or the verdict. */
  readonly onOpen: (row: WaterfallRow) => void;
  /** Tokens of output that have come of requests that are on their way. */
  readonly streaming?: ReadonlyMap<string, number>;
  /** Keeps the newest row in view. */
  readonly isFollowing?: boolean;
  /** Stands behind the verdict of a row. */
  readonly renderAction?: (row: WaterfallRow) => ReactNode;
};

const ROW = 27;
const VERDICT = 44;

const heightOf = (item: WaterfallItem): number => (item.kind === 'request' ? ROW : VERDICT);

const two = (value: number): string => String(value).padStart(2, '0');
/** By hand: the first date that a browser writes by itself costs it tens of milliseconds. */
const clockText = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
};

const nameOf = (row: WaterfallRow): string => {
  const { actual, number, verdict, costUsd } = row;
  const split = actual
    ? `${grouped(actual.read)} read, ${grouped(actual.written)} written, ${grouped(actual.uncached)} uncached, ${grouped(actual.output)} output`
    : row.status;
  const said = verdict ? `, ${verdictWords(verdict.cause, verdict.position?.label).title}` : '';
  return `${requestTitle(number)}: ${split}${said}, ${money(costUsd)}`;
};

type BarProps = {
  readonly row: WaterfallRow;
  readonly scale: number;
  readonly bridge: number;
  readonly streaming: number | undefined;
};

const PARTS = ['read', 'written', 'uncached'] as const;

/** Prompt and output on one line, what was expected below it, and the notch where the prefix stopped matching. */
const Bar = ({ row, scale, bridge, streaming }: BarProps) => {
  const width = (tokens: number): string => `${(tokens / scale) * 100}%`;
  const isOpen = row.actual === undefined;
  const split: TokenSplit | undefined = row.actual ?? (row.status === 'running' ? row.predicted : undefined);
  const output = row.actual?.output ?? streaming ?? 0;
  const total = split ? splitTotal(split) : 0;
  return (
    <div className={styles['bar']} role="presentation">
      {bridge > 0 && <span className={styles['bridge']} style={{ width: width(bridge) }} />}
      {split && (
        <span className={styles['prompt']} data-open={isOpen} style={{ width: width(total) }}>
          {PARTS.map((part) =>
            split[part] === 0 ? null : (
              <span
                key={part}
                className={styles['part']}
                data-part={part}
                style={{ width: `${(split[part] / total) * 100}%` }}
              />
            ),
          )}
        </span>
      )}
      {output > 0 && (
        <span
          className={styles['output']}
          data-open={isOpen}
          style={{ left: `${(total / scale + OUTPUT_GAP) * 100}%`, width: `max(3px, ${width(output)})` }}
        />
      )}
      {row.predicted && (
        <span className={styles['predicted']} style={{ width: width(splitTotal(row.predicted)) }}>
          {PARTS.map((part) =>
            row.predicted?.[part] ? (
              <span
                key={part}
                className={styles['part']}
                data-part={part}
                style={{ width: `${(row.predicted[part] / splitTotal(row.predicted)) * 100}%` }}
              />
            ) : null,
          )}
        </span>
      )}
      {row.notch !== undefined && <span className={styles['notch']} data-notch style={{ left: width(row.notch) }} />}
      {row.status === 'failed' && !split && <span className={styles['failed']}>{row.failure ?? 'failed'}</span>}
    </div>
  );
};

const share = ({ actual }: WaterfallRow): string => {
  const total = actual ? splitTotal(actual) : 0;
  return actual && total > 0 ? percent(actual.read / total) : '';
};

const Verdict = ({ row, children }: { readonly row: WaterfallRow; readonly children?: ReactNode }) => {
  const { verdict } = row;
  if (!verdict) return null;
  const words = verdictWords(verdict.cause, verdict.position?.label);
  const lost =
    verdict.lost_tokens > 0
      ? ` ${grouped(verdict.lost_tokens)} tokens could have been read${verdict.lost_usd === null ? '' : ` (${money(verdict.lost_usd)} more)`}.`
      : '';
  return (
    <div className={styles['verdict']}>
      <p title={[...verdict.evidence, verdict.repair].join(' ')}>
        <b>{words.title}.</b> {verdict.evidence[0] ?? words.about}
        {lost} {verdict.repair}
      </p>
      {children}
    </div>
  );
};

/** One row per request, aligned at token 0. Only the rows in view are in the page. */
export const WaterfallRows = (props: WaterfallRowsProps) => {
  const { rows, selected, onSelect, onClick, onOpen, streaming, isFollowing = false, renderAction } = props;
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

  const fold = (row: WaterfallRow, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(row.key);
    else next.delete(row.key);
    setFolded(next);
  };

  const reveal = (key: string): void => {
    const index = items.findIndex((item) => item.row.key === key);
    const box = scroller.current;
    if (index === -1 || !box) return;
    // With the verdict below it.
    const rowsOfIt = items[index + 1]?.row.key === key ? 2 : 1;
    const [from, to] = [offsets[index] ?? 0, offsets[index + rowsOfIt] ?? 0];
    if (from < box.scrollTop) box.scrollTo({ top: from });
    else if (to > box.scrollTop + box.clientHeight) box.scrollTo({ top: to - box.clientHeight });
  };

  useEffect(() => {
    if (selected !== undefined) reveal(selected);
    // oxlint-disable-next-line react/exhaustive-deps -- only another selection moves the view, not another row
  }, [selected]);

  const at = requests.findIndex(({ row }) => row.key === selected);
  const onKeyDown = (event: KeyboardEvent): void => {
    const current = requests[at]?.row;
    const step = ROW_STEPS[event.key];
    if (event.key === 'Enter' && current) onOpen(current);
    if (event.key === 'ArrowRight' && current && current.nested > 0) fold(current, false);
    if (event.key === 'ArrowLeft' && current && current.nested > 0) fold(current, true);
    if (step === undefined) return;
    event.preventDefault();
    const next = requests[Math.min(requests.length - 1, Math.max(0, at === -1 ? requests.length - 1 : at + step))];
    if (!next) return;
    onSelect(next.row);
  };

  const marks = ticks(scale * (1 - OUTPUT_GAP), 5);
  return (
    <div className={styles['waterfall']}>
      <div className={styles['axis']} aria-hidden="true">
        <span className={styles['axis-name']}>tokens</span>
        <div className={styles['scale']}>
          {marks.map((tick) => (
            <span key={tick} style={{ left: `${(tick / scale) * 100}%` }}>
              {short(tick)}
            </span>
          ))}
        </div>
        <span className={styles['figure']}>read</span>
        <span className={styles['figure']}>cost</span>
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
            items.slice(first, end).some(({ row }) => row.key === selected) ? `${id}-${selected}` : undefined
          }
          className={styles['grid']}
          style={{ height: total }}
          onKeyDown={onKeyDown}
        >
          {items.slice(first, end).map((item, index) => {
            const { row } = item;
            const place = { top: offsets[first + index] ?? 0, height: heightOf(item) };
            if (item.kind === 'verdict')
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- its button does the same by keyboard
                <div
                  key={`${row.key} verdict`}
                  role="row"
                  className={styles['verdict-row']}
                  style={place}
                  onClick={() => onOpen(row)}
                >
                  <div role="gridcell" className={styles['verdict-cell']}>
                    <Verdict row={row}>{renderAction?.(row)}</Verdict>
                  </div>
                </div>
              );
            return (
              <div
                key={row.key}
                id={`${id}-${row.key}`}
                role="row"
                tabIndex={-1}
                aria-level={row.depth + 1}
                aria-selected={row.key === selected}
                {...(row.nested > 0 && { 'aria-expanded': !item.isFolded })}
                className={styles['row']}
                style={place}
                title={witnessText(row)}
                onClick={({ target }) => {
                  if (target instanceof Element && target.hasAttribute('data-notch')) {
                    onOpen(row);
                    return;
                  }
                  onSelect(row);
                  onClick?.();
                }}
                onDoubleClick={() => onOpen(row)}
                onKeyDown={() => {}}
              >
                <span role="gridcell" className={styles['label']} data-depth={row.depth}>
                  {row.nested > 0 && (
                    <button
                      type="button"
                      tabIndex={-1}
                      className={styles['fold']}
                      aria-label={item.isFolded ? `Show ${row.nested} nested requests` : 'Hide nested requests'}
                      onClick={(event) => {
                        event.stopPropagation();
                        fold(row, !item.isFolded);
                      }}
                    >
                      <Icon name={item.isFolded ? 'chevron-right' : 'chevron-down'} />
                    </button>
                  )}
                  <b>{row.depth === 0 ? requestName(row.number) : row.number}</b>{' '}
                  <span className={styles['time']}>{item.isFolded ? `+${row.nested}` : clockText(row.startedAt)}</span>
                </span>
                <span role="gridcell" aria-label={nameOf(row)} className={styles['bar-cell']}>
                  <Bar row={row} scale={scale} bridge={item.bridge} streaming={streaming?.get(row.key)} />
                </span>
                <span role="gridcell" className={styles['figure']}>
                  {share(row)}
                </span>
                <span role="gridcell" className={styles['figure']}>
                  {row.actual ? money(row.costUsd) : row.status === 'failed' ? 'failed' : '…'}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
};
