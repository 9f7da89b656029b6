/** The events that a table shows: the last ones that pass a filter. The journal keeps them all; this is only a view. */
import { createEmitter } from '../../base/emitter.ts';
import { createRingBuffer, type RingBuffer } from '../../base/ring-buffer.ts';
import { createEventIndex, type EventIndex } from './event-index.ts';
import type { Filter } from './filter.ts';
import type { Journal } from './journal.ts';
import type { LatheEvent } from './types.ts';

export interface EventView extends Disposable {
  /** Changes in place; `subscribe` says when. */
  readonly rows: RingBuffer<LatheEvent>;
  readonly index: EventIndex;
  readonly setFilter: (filter: Filter | undefined) => void;
  /** Rows pause; what comes meanwhile is counted. */
  readonly pause: () => void;
  /** Shows what came meanwhile. */
  readonly follow: () => void;
  readonly isPaused: () => boolean;
  /** Events of the journal that came while it was paused and pass the filter. */
  readonly waiting: () => number;
  readonly subscribe: (listener: () => void) => Disposable;
}

export const createEventView = (journal: Journal, capacity: number): EventView => {
  const rows = createRingBuffer<LatheEvent>(capacity);
  const index = createEventIndex();
  const changed = createEmitter<undefined>();
  let filter: Filter | undefined;
  /** How many events of the journal the rows have seen; while paused it pauses. */
  let seen = 0;
  let paused = false;
  let waiting = 0;

  const passes = (event: LatheEvent): boolean => filter === undefined || filter.test(event, index);
  const catchUp = (): void => {
    for (; seen < journal.events.length; seen++) {
      const event = journal.events[seen];
      if (event && passes(event)) rows.push(event);
    }
    waiting = 0;
  };

  for (const event of journal.events) index.add(event);
  catchUp();
  const following = journal.subscribe((event) => {
    index.add(event);
    if (paused) waiting += passes(event) ? 1 : 0;
    else catchUp();
    changed.emit(undefined);
  });

  return {
    rows,
    index,
    setFilter: (next) => {
      filter = next;
      const end = seen;
      rows.clear();
      seen = 0;
      waiting = 0;
      for (; seen < end; seen++) {
        const event = journal.events[seen];
        if (event && passes(event)) rows.push(event);
      }
      for (let at = end; at < journal.events.length; at++) {
        const event = journal.events[at];
        if (event && passes(event)) waiting++;
      }
      changed.emit(undefined);
    },
    pause: () => {
      paused = true;
      changed.emit(undefined);
    },
    follow: () => {
      paused = false;
      catchUp();
      changed.emit(undefined);
    },
    isPaused: () => paused,
    waiting: () => waiting,
    subscribe: changed.subscribe,
    [Symbol.dispose]: () => following[Symbol.dispose](),
  };
};
