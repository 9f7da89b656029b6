/** Which rows of a long list are in view, where rows may have different heights. */

export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** Where every row begins; the last number is where the last one ends. */
export const rowOffsets = (heights: readonly number[]): readonly number[] => {
  const offsets = [0];
  let at = 0;
  for (const height of heights) offsets.push((at += height));
  return offsets;
};

/** The last row that begins at or before a place. */
export const rowAt = (offsets: readonly number[], place: number): number => {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
};

export const rowWindow = (offsets: readonly number[], top: number, height: number, spare: number): RowWindow => {
  const count = offsets.length - 1;
  if (count <= 0) return { first: 0, end: 0 };
  const first = rowAt(offsets, top);
  const last = rowAt(offsets, top + height);
  return { first: Math.max(0, first - spare), end: Math.min(count, last + 1 + spare) };
};
