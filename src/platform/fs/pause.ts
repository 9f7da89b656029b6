/** Lets the page draw and answer between two pieces of long work. */
export const createPause = (everyMs = 12, now: () => number = () => performance.now()): (() => Promise<void>) => {
  let last = now();
  return async () => {
    if (now() - last < everyMs) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    last = now();
  };
};
