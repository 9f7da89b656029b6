/** The clock of one call. It pauses while a person decides. */

/** Calls back once after `ms`, unless the function that it gives is called before. */
export type After = (ms: number, run: () => void) => () => void;

export interface ClockDeps {
  /** Milliseconds. */
  readonly now: () => number;
  readonly after: After;
}

export interface CallClock {
  readonly setWaiting: (waiting: boolean) => void;
  readonly stop: () => void;
}

/** `Infinity` never expires. Several may wait at the same time. */
export const startCallClock = (limitMs: number, { now, after }: ClockDeps, onExpired: () => void): CallClock => {
  let left = limitMs;
  let since = 0;
  let waiters = 0;
  let stop = (): void => {};

  const start = (): void => {
    if (left === Infinity) return;
    since = now();
    stop = after(left, onExpired);
  };

  start();
  return {
    setWaiting: (waiting) => {
      if (waiting && waiters++ === 0) {
        stop();
        left = Math.max(0, left - (now() - since));
      } else if (!waiting && waiters > 0 && --waiters === 0) start();
    },
    stop: () => {
      stop();
      left = Infinity;
    },
  };
};
