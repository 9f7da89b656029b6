/** A clock that a test moves. */
export interface FakeClock {
  readonly now: () => number;
  readonly delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Lets time pass, and everything that waits for it happen. */
  readonly advance: (ms: number) => Promise<void>;
  /** Timers that nobody has stopped. */
  readonly running: () => number;
}

/** Lets everything that is ready happen. */
export const settle = async (): Promise<void> => {
  for (let round = 0; round < 50; round++) await Promise.resolve();
};

export const createFakeClock = (start = 1_000_000): FakeClock => {
  let time = start;
  const timers = new Set<{ readonly at: number; readonly fire: () => void }>();
  return {
    now: () => time,
    delay: (ms, signal) =>
      new Promise((resolve) => {
        const timer = {
          at: time + ms,
          fire: () => {
            timers.delete(timer);
            resolve();
          },
        };
        timers.add(timer);
        signal?.addEventListener('abort', timer.fire, { once: true });
        if (signal?.aborted === true) timer.fire();
      }),
    advance: async (ms) => {
      await settle();
      const end = time + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        time = next.at;
        next.fire();
        await settle();
      }
      time = end;
      await settle();
    },
    running: () => timers.size,
  };
};
