import type { After } from '../call-clock.ts';

/** A clock that a test moves. */
export interface FakeClock {
  readonly now: () => number;
  readonly after: After;
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
    after: (ms, run) => {
      const timer = {
        at: time + ms,
        fire: () => {
          timers.delete(timer);
          run();
        },
      };
      timers.add(timer);
      return () => timers.delete(timer);
    },
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
