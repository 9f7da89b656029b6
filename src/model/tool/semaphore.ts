/** Lets `limit` through at a time, in the order in which they came. */
export interface Semaphore {
  /** Resolves with the way out; nothing if the signal was aborted while waiting. */
  readonly acquire: (signal: AbortSignal) => Promise<(() => void) | undefined>;
}

export const createSemaphore = (limit: number): Semaphore => {
  let free = limit;
  const queue: (() => void)[] = [];
  const releaseOnce = (): (() => void) => {
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      const next = queue.shift();
      if (next) next();
      else free++;
    };
  };
  return {
    acquire: async (signal) => {
      if (signal.aborted) return undefined;
      if (free > 0) {
        free--;
        return releaseOnce();
      }
      return new Promise((resolve) => {
        const enter = (): void => {
          signal.removeEventListener('abort', leave);
          resolve(releaseOnce());
        };
        const leave = (): void => {
          queue.splice(queue.indexOf(enter), 1);
          resolve(undefined);
        };
        queue.push(enter);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
};
