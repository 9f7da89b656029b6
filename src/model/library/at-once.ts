/**
 * `work` for every item, at most `limit` of them at a time, and the results in the order of the items. A slow one does not
 * hold up the others. Rejects with the first failure, or when the signal is aborted; nothing new is started then.
 */
export const mapAtOnce = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> => {
  const results = Array.from<R>({ length: items.length });
  const queue = items.entries();
  let isFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (isFailed) return;
      try {
        signal?.throwIfAborted();
        results[index] = await work(item);
      } catch (thrown) {
        isFailed = true;
        throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
};
