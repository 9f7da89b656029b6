/** Cache breakpoints of the chosen request on the token axis: dragged, or moved by keyboard. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { grouped } from '../../model/instruments/figures.ts';
import { type AxisBreakpoint, type BreakpointAxis, placementsOf } from '../../model/whatif/axis.ts';
import type { Placement } from '../../model/whatif/types.ts';
import styles from './breakpoint-handles.module.css';

/** Stops that one press of Page Up or Page Down passes. */
const PAGE = 10;
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -PAGE,
  PageUp: PAGE,
  Home: -Infinity,
  End: Infinity,
};

type Props = {
  readonly axis: BreakpointAxis;
  /** Tokens of the whole width. */
  readonly scale: number;
  readonly onChange: (breakpoints: readonly Placement[]) => void;
};

export const BreakpointHandles = ({ axis, scale, onChange }: Props) => {
  const { stops, total } = axis;
  // What was moved, until the forecast for it is there.
  const [draft, setDraft] = useState({ of: axis, breakpoints: axis.breakpoints });
  const own = draft.of === axis ? draft.breakpoints : axis.breakpoints;
  const setOwn = (breakpoints: readonly AxisBreakpoint[]): void => setDraft({ of: axis, breakpoints });
  const box = useRef<HTMLDivElement>(null);
  const dragged = useRef<number>(undefined);

  const commit = (next: readonly AxisBreakpoint[]): void => {
    setOwn(next);
    onChange(placementsOf(axis, next));
  };
  const moved = (index: number, stop: number): readonly AxisBreakpoint[] =>
    own.map((one, at) => (at === index ? { ...one, stop } : one));
  /** Stops that no other breakpoint has. */
  const freeFor = (index: number): readonly number[] => {
    const taken = new Set(own.flatMap(({ stop }, at) => (at === index ? [] : [stop])));
    return [...stops.keys()].filter((stop) => !taken.has(stop));
  };
  const stopAt = (index: number, clientX: number): number => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    const tokens = ((clientX - left) / width) * scale;
    const far = (stop: number): number => Math.abs((stops[stop]?.tokens ?? 0) - tokens);
    return freeFor(index).reduce((best, stop) => (far(stop) < far(best) ? stop : best));
  };
  const stepFrom = (index: number, stop: number, by: number): number => {
    const free = freeFor(index);
    return free[Math.min(free.length - 1, Math.max(0, free.indexOf(stop) + by))] ?? stop;
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const current = own[index];
    const step = STEPS[event.key];
    if (!current) return;
    const toggles = event.key === 'Enter' || event.key === ' ';
    if (step === undefined && !toggles && event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    event.stopPropagation();
    if (toggles) commit(own.map((one, at) => (at === index ? { ...one, ttl: one.ttl === '1h' ? '5m' : '1h' } : one)));
    else commit(step === undefined ? own.toSpliced(index, 1) : moved(index, stepFrom(index, current.stop, step)));
  };
  const onMove = (event: PointerEvent): void => {
    const index = dragged.current;
    if (index !== undefined) setOwn(moved(index, stopAt(index, event.clientX)));
  };
  const onUp = (event: PointerEvent): void => {
    const index = dragged.current;
    dragged.current = undefined;
    if (index === undefined) return;
    const stop = stopAt(index, event.clientX);
    if (stop === axis.breakpoints[index]?.stop) setOwn(axis.breakpoints);
    else commit(moved(index, stop));
  };

  return (
    <div ref={box} className={styles['handles']} role="group" aria-label="Cache breakpoints">
      {own.map(({ stop, ttl }, index) => {
        const place = stops[stop];
        const about = place ? `after ${place.name}, ${grouped(place.tokens)} tokens, ${ttl}` : '';
        return (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- a breakpoint is its place in the order while it moves
            key={index}
            role="slider"
            tabIndex={0}
            className={styles['handle']}
            style={{ left: `${((place?.tokens ?? 0) / scale) * 100}%` }}
            aria-label={`Breakpoint ${index + 1}`}
            aria-valuemin={0}
            aria-valuemax={total}
            aria-valuenow={place?.tokens ?? 0}
            aria-valuetext={about}
            title={`Breakpoint ${about}. Drag it, or use the arrow keys. Enter changes the TTL, Delete removes it.`}
            onKeyDown={(event) => onKeyDown(event, index)}
            onPointerDown={(event) => {
              dragged.current = index;
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={onMove}
            onPointerUp={onUp}
            onPointerCancel={() => {
              dragged.current = undefined;
              setOwn(axis.breakpoints);
            }}
          >
            {ttl}
          </span>
        );
      })}
    </div>
  );
};
