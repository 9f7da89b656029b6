/** The lines of the log that are shown: the newest ones, with their time. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Log, LogLine } from '../../base/log.ts';

export interface ShownLine extends LogLine {
  readonly id: number;
  /** In ms since 1970. */
  readonly at: number;
}

export interface LogState {
  /** Oldest first. */
  readonly lines: readonly ShownLine[];
  /** Older ones that are no longer held. */
  readonly dropped: number;
}

export interface LogStore extends Pick<StoreApi<LogState>, 'getState' | 'getInitialState' | 'subscribe'> {
  readonly log: Log;
  readonly clear: () => void;
}

const MOST = 5000;

export interface LogStoreDeps {
  readonly now: () => number;
  /** Lines may come faster than frames. */
  readonly nextFrame: (callback: () => void) => void;
}

export const createLogStore = ({ now, nextFrame }: LogStoreDeps): LogStore => {
  const store = createStore<LogState>(() => ({ lines: [], dropped: 0 }));
  let waiting: ShownLine[] = [];
  let nextId = 0;
  const show = (): void => {
    const added = waiting;
    waiting = [];
    store.setState(({ lines, dropped }) => {
      const all = [...lines, ...added];
      const over = Math.max(0, all.length - MOST);
      return { lines: over > 0 ? all.slice(over) : all, dropped: dropped + over };
    });
  };
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    log: (line) => {
      waiting.push({ ...line, id: nextId++, at: now() });
      if (waiting.length === 1) nextFrame(show);
    },
    clear: () => store.setState({ lines: [], dropped: 0 }),
  };
};
