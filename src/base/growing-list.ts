/**
 * Lists that each begin like an earlier one, as the messages of a conversation do. What was worked out for the items that both begin
 * with is taken over, and only what is new is worked on.
 */

/** How many items both begin with. Objects are the same if they are the same object. */
export const sharedItems = (left: readonly unknown[], right: readonly unknown[]): number => {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left[count] === right[count]) count++;
  return count;
};

interface Kept<T, R> {
  readonly list: readonly T[];
  readonly results: readonly R[];
}

/** Conversations that continue side by side. */
const MOST_KEPT = 4;

/** With fewer items in common two lists have nothing to do with each other. */
const LEAST_SHARED = 2;

/** Gives one result per item of a list in which nothing is ever replaced. `step` gets the result before it, so that sums and counts can grow too. */
export type GrowingList<T, R> = (list: readonly T[]) => readonly R[];

export const createGrowingList = <T, R>(
  step: (item: T, index: number, before: R | undefined) => R,
): GrowingList<T, R> => {
  let all: readonly Kept<T, R>[] = [];
  return (list) => {
    const same = all.find((kept) => kept.list === list && kept.results.length === list.length);
    if (same) return same.results;
    let best: Kept<T, R> | undefined;
    let shared = 0;
    for (const kept of all) {
      // The list itself may have grown since.
      const count = Math.min(sharedItems(kept.list, list), kept.results.length);
      if (count <= shared) continue;
      [best, shared] = [kept, count];
      if (count === kept.results.length) break;
    }
    if (best && shared === list.length && shared === best.results.length) return best.results;
    const results = best ? best.results.slice(0, shared) : [];
    for (let index = shared; index < list.length; index++)
      results.push(step(list[index] as T, index, results[index - 1]));
    const isContinued = best !== undefined && shared > best.results.length - LEAST_SHARED;
    const others = isContinued ? all.filter((kept) => kept !== best) : all;
    all = [{ list, results }, ...others].slice(0, MOST_KEPT);
    return results;
  };
};
