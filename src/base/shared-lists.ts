/** Lists that each begin like the previous one, as conversations do: each is kept by what it adds. */

interface Kept<T> {
  readonly before: Kept<T> | undefined;
  /** How many items it has in common with `before`. */
  readonly shared: number;
  readonly own: readonly T[];
}

export interface SharedLists<T> {
  /** Gives the list back. Items count as the same if they are the same object. */
  readonly keep: (list: readonly T[]) => () => readonly T[];
}

export const createSharedLists = <T extends object>(): SharedLists<T> => {
  type Recent = { readonly list: readonly T[]; readonly kept: Kept<T> };
  // The newest two are asked for most: a list and the one before it.
  let last: Recent | undefined;
  let second: Recent | undefined;

  const whole = (kept: Kept<T>): readonly T[] => {
    if (kept === last?.kept) return last.list;
    if (kept === second?.kept) return second.list;
    const parts: (readonly T[])[] = [];
    let most = Infinity;
    for (let at: Kept<T> | undefined = kept; at && most > 0; at = at.before) {
      // Only what is after the part that a later one took over is new.
      if (most > at.shared) {
        parts.push(at.own.slice(0, most - at.shared));
        most = at.shared;
      }
    }
    return parts.toReversed().flat();
  };

  return {
    keep: (list) => {
      const before = last;
      let shared = 0;
      while (before && shared < list.length && list[shared] === before.list[shared]) shared++;
      // A list that shares little would hold the other one for nothing.
      const isContinued = before !== undefined && shared > list.length / 2;
      const kept: Kept<T> = isContinued
        ? { before: before.kept, shared, own: list.slice(shared) }
        : { before: undefined, shared: 0, own: list };
      second = last;
      last = { list, kept };
      return () => whole(kept);
    },
  };
};
