import type { After } from '../model/tool/call-clock.ts';

/** Timers count in 32 bits. */
const LONGEST_MS = 2 ** 31 - 1;

export const after: After = (ms, run) => {
  const timer = setTimeout(run, Math.min(ms, LONGEST_MS));
  return () => clearTimeout(timer);
};

/** Resolves after `ms`, or early when the signal is aborted; never rejects. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
