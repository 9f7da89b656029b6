export interface RingBuffer<T> extends Iterable<T> {
  readonly capacity: number;
  readonly length: number;
  /** How many were pushed out by later ones since the start or the last `clear`. */
  readonly dropped: number;
  readonly push: (item: T) => void;
  /** From the oldest that is still here; nothing outside. */
  readonly at: (index: number) => T | undefined;
  readonly clear: () => void;
}

/** The last `capacity` items. Everything but iterating costs the same however many there are. */
export const createRingBuffer = <T>(capacity: number): RingBuffer<T> => {
  if (!Number.isInteger(capacity) || capacity < 1) throw new Error('a ring buffer holds at least one item');
  let items: T[] = [];
  let start = 0;
  let dropped = 0;
  const at = (index: number): T | undefined =>
    index >= 0 && index < items.length ? items[(start + index) % capacity] : undefined;
  return {
    capacity,
    get length() {
      return items.length;
    },
    get dropped() {
      return dropped;
    },
    push: (item) => {
      if (items.length < capacity) items.push(item);
      else {
        items[start] = item;
        start = (start + 1) % capacity;
        dropped++;
      }
    },
    at,
    clear: () => {
      items = [];
      start = 0;
      dropped = 0;
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < items.length; index++) yield at(index) as T;
    },
  };
};
