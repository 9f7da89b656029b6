import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { LatheEvent } from '../../model/event/types.ts';
import { witnessText } from '../../model/instruments/witness-words.ts';
import {
  panned,
  spanAt,
  timeLanes,
  type TimeRange,
  type TimeSpan,
  timeTicks,
  wholeRange,
  zoomed,
} from '../../model/instruments/time-axis.ts';
import type { WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { durationText } from '../../base/text.ts';
import { Button } from '../../ui/button.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { type Colors, drawTime, lanePlaces, levelAt, readColors } from './draw-time.ts';
import styles from './time-view.module.css';
import { clockText } from './waterfall-lines.tsx';

export type TimeViewProps = {
  readonly rows: readonly WaterfallRow[];
  readonly events: readonly LatheEvent[];
  /** Where what still runs has got to. */
  readonly now: number;
  readonly selected: string | undefined;
  readonly onSelect: (row: WaterfallRow) => void;
  readonly brushed: TimeRange | undefined;
  readonly onBrush: (range: TimeRange | undefined) => void;
};

/** A drag that is shorter is a click. */
const CLICK = 4;
const ZOOM = 1.5;
/** Of the time at a tick, in pixels. */
const TICK_ROOM = 66;

const tickText = (at: number, step: number): string =>
  step < 1000 ? `${clockText(at)}.${String(Math.floor(at % 1000)).padStart(3, '0')}` : clockText(at);

const spanText = ({ label, from, to, row, kind }: TimeSpan): string =>
  `${row ? witnessText(row) : kind === 'tool' ? `Tool ${label}` : label}\n${clockText(from)}, ${durationText(to - from)}`;

/** Colors are read again when the theme is another one. */
const useColors = (place: HTMLElement | null): Colors | undefined => {
  const [colors, setColors] = useState<Colors>();
  useEffect(() => {
    if (!place) return undefined;
    const read = (): void => setColors(readColors(place));
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const media = matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', read);
    return () => {
      observer.disconnect();
      media.removeEventListener('change', read);
    };
  }, [place]);
  return colors;
};

/** The same requests by time: conversations as lanes, tools and waiting inside. Zoomed and panned like a profiler. */
export const TimeView = ({ rows, events, now, selected, onSelect, brushed, onBrush }: TimeViewProps) => {
  const [box, width] = useWidth<HTMLDivElement>();
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const colors = useColors(place);
  const lanes = useMemo(() => timeLanes({ rows, events, now }), [rows, events, now]);
  const whole = useMemo(() => wholeRange(lanes), [lanes]);
  const { places, height } = useMemo(() => lanePlaces(lanes), [lanes]);
  // Nothing: all of it, also while it grows.
  const [near, setNear] = useState<TimeRange>();
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const [hint, setHint] = useState<string>();
  const range = near ?? whole;
  const draft = drag && {
    from: range.from + (Math.min(drag.from, drag.to) / width) * (range.to - range.from),
    to: range.from + (Math.max(drag.from, drag.to) / width) * (range.to - range.from),
  };

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !colors || width === 0) return;
    drawTime({ canvas: element, colors, places, range, width, height, selected, brushed: draft ?? brushed });
  });

  const timeOf = (x: number): number => range.from + (x / Math.max(1, width)) * (range.to - range.from);
  const look = (next: TimeRange): void => setNear(next.from <= whole.from && next.to >= whole.to ? undefined : next);
  const zoom = (factor: number, at = (range.from + range.to) / 2): void => look(zoomed(range, whole, at, factor));
  const pan = (share: number): void => look(panned(range, whole, share * (range.to - range.from)));

  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const left = canvas.current?.getBoundingClientRect().left ?? 0;
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY)) pan(sideways / Math.max(1, width));
    else zoom(Math.exp(-event.deltaY * 0.0022), timeOf(event.clientX - left));
  };
  useEffect(() => {
    const element = canvas.current;
    // React listens passively, and the page would scroll along.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  });

  const xOf = (event: PointerEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const found = (event: PointerEvent): TimeSpan | undefined => {
    const { top } = event.currentTarget.getBoundingClientRect();
    const level = levelAt(places, event.clientY - top);
    const slack = ((range.to - range.from) / Math.max(1, width)) * 3;
    return level && spanAt(level.lane, timeOf(xOf(event)), level.level, slack);
  };
  const onPointerUp = (event: PointerEvent): void => {
    if (!drag) return;
    setDrag(undefined);
    if (Math.abs(drag.to - drag.from) >= CLICK && draft) {
      onBrush(draft);
      return;
    }
    const span = found(event);
    if (span?.row) onSelect(span.row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => pan(-0.1),
      ArrowRight: () => pan(0.1),
      '+': () => zoom(ZOOM),
      '=': () => zoom(ZOOM),
      '-': () => zoom(1 / ZOOM),
      '0': () => setNear(undefined),
      Enter: () => onBrush(range),
      Escape: () => onBrush(undefined),
    };
    const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : act[event.key];
    if (!run || (event.key === 'Escape' && !brushed)) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };

  const { step, at } = timeTicks(range, Math.max(2, Math.floor(width / 110)));
  return (
    <div className={styles['time']}>
      <div className={styles['head']}>
        <p className={styles['about']}>
          {durationText(range.to - range.from)} in view. Drag to filter, scroll to zoom.
        </p>
        <Button look="quiet" onPress={() => zoom(ZOOM)} tip="Zoom in (+)">
          Zoom in
        </Button>
        <Button look="quiet" onPress={() => zoom(1 / ZOOM)} tip="Zoom out (−)">
          Zoom out
        </Button>
        <Button look="quiet" onPress={() => setNear(undefined)} tip="Show everything (0)">
          Fit
        </Button>
        <Button look="quiet" onPress={() => onBrush(range)} tip="Hide everything outside the view (Enter)">
          Filter to view
        </Button>
      </div>
      <div ref={box} className={styles['axis']} aria-hidden="true">
        {at.map((tick) => {
          const share = (tick - range.from) / (range.to - range.from);
          return (
            <span key={tick} style={{ left: `${share * 100}%` }}>
              {/* Near the end, there is no room for its time. */}
              {(1 - share) * width > TICK_ROOM && tickText(tick, step)}
            </span>
          );
        })}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is zoomed and panned by keyboard */}
      <div
        ref={setPlace}
        className={styles['scroll']}
        role="group"
        aria-label="Time axis: arrows pan, plus and minus zoom, Enter filters to the view"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is zoomed and panned by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas
          ref={canvas}
          className={styles['canvas']}
          style={{ width, height }}
          aria-hidden="true"
          title={hint}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag({ from: xOf(event), to: xOf(event) });
          }}
          onPointerMove={(event) => {
            if (drag) setDrag({ from: drag.from, to: xOf(event) });
            else {
              const span = found(event);
              setHint(span && spanText(span));
            }
          }}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setDrag(undefined)}
        />
      </div>
    </div>
  );
};
