/** A task of its own, at the end of the queue. A timer would do, but browsers hold back nested ones for 4 ms each. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener(
      'message',
      () => {
        // An open port keeps a terminal from ending.
        port1.close();
        resolve();
      },
      { once: true },
    );
    port1.start();
    port2.postMessage(undefined);
  });

/** Lets the page draw and answer between two pieces of long work. */
export const createPause = (everyMs = 12, now: () => number = () => performance.now()): (() => Promise<void>) => {
  let last = now();
  let pausing: Promise<void> | undefined;
  const pause = async (): Promise<void> => {
    await nextTask();
    last = now();
    pausing = undefined;
  };
  return async () => {
    // Several pieces of work may share one: all of them wait for the same pause.
    if (pausing ?? now() - last >= everyMs) await (pausing ??= pause());
  };
};
