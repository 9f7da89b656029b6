import { type KeyboardEvent, memo, useId, useMemo } from 'react';
import type { SegmentState } from '../../model/instruments/prefix-compare.ts';
import type { PrefixMark, PrefixSegment, PrefixView } from '../../model/instruments/prefix-view.ts';
import { grouped, short, ticks } from '../../model/instruments/figures.ts';
import { CHARACTER, originOf, placeLabels, stripGroups } from '../../model/instruments/strip-layout.ts';
import { cx } from '../../ui/cx.ts';
import { useWidth } from '../../ui/use-width.ts';
import styles from './prefix-strip.module.css';

export type PrefixStripProps = {
  readonly label: string;
  readonly view: PrefixView;
  readonly active: string | undefined;
  readonly onActive: (id: string | undefined) => void;
  readonly onOpen: (id: string) => void;
  /** Of a comparison: what became of each segment. */
  readonly states?: ReadonlyMap<string, SegmentState>;
  /** Token count of the whole width, where several strips share one scale. */
  readonly scale?: number;
  /** Where the request stopped matching the previous one: a share of the strip, and what comes from there. */
  readonly cause?: { readonly at: number; readonly label: string } | undefined;
  /** What was written though it could have been read: a share of the strip, hatched as in the waterfall. */
  readonly wasted?: number;
};

const percent = (share: number): string => `${share * 100}%`;

const nameOf = ({ title, kind, estimate, counted, isPadding }: PrefixSegment): string =>
  `${title}, ${kind}, ${counted === undefined ? `about ${grouped(estimate)}` : grouped(counted)} tokens${isPadding ? ', padding' : ''}`;

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

const Segments = memo(function Segments({
  id,
  segments,
  active,
  states,
  onActive,
  onOpen,
}: Pick<PrefixStripProps, 'active' | 'onActive' | 'onOpen' | 'states'> & {
  readonly id: string;
  readonly segments: readonly PrefixSegment[];
}) {
  return segments.map((segment, index) => (
    <div
      key={segment.id}
      id={`${id}-${index}`}
      role="option"
      aria-selected={segment.id === active}
      aria-label={nameOf(segment)}
      tabIndex={-1}
      className={cx(styles['segment'], segment.isPadding && styles['padding'])}
      data-origin={originOf(segment)}
      data-state={states?.get(segment.id)}
      style={{ left: percent(segment.from), width: percent(segment.to - segment.from) }}
      onPointerEnter={() => onActive(segment.id)}
      onClick={() => onOpen(segment.id)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onOpen(segment.id);
      }}
    />
  ));
});

type Mark = Pick<PrefixMark, 'at' | 'label' | 'about' | 'ttl'> & { readonly kind: PrefixMark['kind'] | 'cause' };

const MarkLabels = ({
  marks,
  width,
  text,
  side,
}: {
  readonly marks: readonly Mark[];
  readonly width: number;
  readonly text: (mark: Mark) => string;
  readonly side: 'above' | 'below';
}) => {
  const places = placeLabels(
    marks.map((mark) => ({ at: mark.at, text: text(mark) })),
    width,
  );
  const rows = places.reduce((most, { row }) => Math.max(most, row + 1), 0);
  return (
    <div className={styles['labels']} data-side={side} style={{ height: rows * 17 }}>
      {marks.map((mark, index) => {
        const place = places[index];
        const offset = { [side === 'above' ? 'bottom' : 'top']: (place?.row ?? 0) * 17 };
        return (
          <span
            key={`${mark.kind} ${mark.label}`}
            className={styles['mark-label']}
            data-kind={mark.kind}
            title={mark.about}
            style={{ left: place?.left ?? 0, ...offset }}
          >
            {text(mark)}
          </span>
        );
      })}
    </div>
  );
};

const aboveText = ({ kind, label, ttl }: Mark): string =>
  kind === 'cause' ? label : `▼ ${label}${ttl === undefined || ttl === 'unknown' ? '' : ` ${ttl}`}`;

/** The request as a strip: one box per segment, as wide as its tokens, in the order in which a cache reads them. */
export const PrefixStrip = ({
  label,
  view,
  active,
  onActive,
  onOpen,
  states,
  scale,
  cause,
  wasted = 0,
}: PrefixStripProps) => {
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>();
  const { segments, marks, lane } = view;
  const share = scale === undefined || scale === 0 ? 1 : view.total / scale;
  const own = width * share;
  const groups = useMemo(() => stripGroups(segments), [segments]);
  const breakpoints = marks.filter(({ kind }) => kind === 'breakpoint');
  // Beside the line that comes down from the row, and never over the names of segments.
  const above: readonly Mark[] = cause
    ? [{ kind: 'cause', at: Math.min(1, cause.at), label: cause.label, about: 'The first difference.' }, ...breakpoints]
    : breakpoints;
  const limits = marks.filter(({ kind }) => kind !== 'breakpoint');
  const at = segments.findIndex((segment) => segment.id === active);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (event.key === 'Enter' && active !== undefined) onOpen(active);
    if (step === undefined) return;
    event.preventDefault();
    const next = segments[Math.min(segments.length - 1, Math.max(0, at === -1 && step === 1 ? 0 : at + step))];
    onActive(next?.id);
  };

  return (
    <div ref={box} className={styles['box']}>
      <div style={{ width: percent(share) }}>
        <MarkLabels marks={above} width={own} side="above" text={aboveText} />
        <div
          className={styles['strip']}
          role="listbox"
          aria-label={label}
          aria-orientation="horizontal"
          tabIndex={0}
          aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
          onKeyDown={onKeyDown}
          onPointerLeave={() => onActive(undefined)}
        >
          <Segments
            id={id}
            segments={segments}
            active={active}
            onActive={onActive}
            onOpen={onOpen}
            {...(states && { states })}
          />
          {groups.map((group) =>
            (group.to - group.from) * own < group.label.length * CHARACTER + 16 ? null : (
              <span
                key={group.key}
                role="presentation"
                className={styles['plate']}
                style={{ left: percent((group.from + group.to) / 2) }}
              >
                {group.label}
              </span>
            ),
          )}
          {breakpoints.map((mark) => (
            <span key={mark.at} role="presentation" className={styles['stop']} style={{ left: percent(mark.at) }} />
          ))}
          {limits.map((mark) => (
            <span
              key={mark.kind}
              role="presentation"
              className={styles['limit']}
              data-kind={mark.kind}
              style={{ left: percent(mark.at) }}
            />
          ))}
          {cause && (
            <span className={styles['cause']} style={{ left: percent(Math.min(1, cause.at)) }} role="presentation" />
          )}
        </div>
        {lane && (
          <div className={styles['lane']} data-origin={lane.origin} role="presentation">
            <span className={styles['read']} style={{ width: percent(lane.read) }} />
            <span className={styles['wasted']} style={{ width: percent(wasted) }} />
            <span className={styles['written']} style={{ width: percent(Math.max(0, lane.written - wasted)) }} />
            <span className={styles['uncached']} style={{ width: percent(1 - lane.read - lane.written) }} />
          </div>
        )}
        <MarkLabels marks={limits} width={own} side="below" text={(mark) => mark.label} />
      </div>
      {scale === undefined && (
        <div className={styles['ruler']} aria-hidden="true">
          {ticks(view.total, Math.max(1, Math.floor(width / 110))).map((tick) => (
            <span key={tick} style={{ left: percent(view.total === 0 ? 0 : tick / view.total) }}>
              {short(tick)}
            </span>
          ))}
        </div>
      )}
    </div>
  );
};
