/** The clock of one call. It stands still while a person decides. */

export interface ClockDeps {
  /** Milliseconds. */
  readonly now: () => number;
  /** Resolves early when the signal is aborted; never rejects. */
  readonly delay: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallClock {
  readonly setWaiting: (waiting: boolean) => void;
  readonly stop: () => void;
}

/** `Infinity` never expires. Several may wait at once. */
export const startCallClock = (limitMs: number, { now, delay }: ClockDeps, onExpired: () => void): CallClock => {
  let left = limitMs;
  let since = 0;
  let waiters = 0;
  let running: AbortController | undefined;

  const start = (): void => {
    if (left === Infinity) return;
    const own = new AbortController();
    running = own;
    since = now();
    const watch = async (): Promise<void> => {
      await delay(left, own.signal);
      if (!own.signal.aborted) onExpired();
    };
    void watch();
  };
  // With a reason: without one every stop would make an exception with its stack.
  const stop = (): void => running?.abort('stopped');

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
