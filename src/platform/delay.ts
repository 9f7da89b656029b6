/** Resolves after `ms`, or early when the signal is aborted; never rejects. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    // Timers count in 32 bits; whoever waits longer looks again.
    const timer = setTimeout(end, Math.min(ms, 2 ** 31 - 1));
    signal?.addEventListener('abort', end, { once: true });
  });
