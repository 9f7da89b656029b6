export interface FrameDeps {
  readonly isHidden: () => boolean;
  readonly requestFrame: (callback: () => void) => unknown;
  readonly setTimer: (callback: () => void, ms: number) => unknown;
}

/** A page in the background draws no frames; what it holds goes on all the same. */
const HIDDEN_MS = 100;

const page: FrameDeps = {
  isHidden: () => document.visibilityState === 'hidden',
  requestFrame: (callback) => requestAnimationFrame(callback),
  setTimer: (callback, ms) => setTimeout(callback, ms),
};

/** All callbacks run in the next frame, in their order. One that throws takes none of the others with it. */
export const createNextFrame = (deps: FrameDeps = page): ((callback: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const schedule = (): void => {
    if (deps.isHidden()) deps.setTimer(run, HIDDEN_MS);
    else deps.requestFrame(run);
  };
  const run = (): void => {
    const callbacks = waiting;
    waiting = [];
    try {
      while (callbacks.length > 0) callbacks.shift()?.();
    } finally {
      if (callbacks.length > 0) {
        waiting = [...callbacks, ...waiting];
        schedule();
      }
    }
  };
  return (callback) => {
    waiting.push(callback);
    if (waiting.length === 1) schedule();
  };
};
