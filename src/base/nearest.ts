/** Letters to insert, leave out, replace or swap with their neighbour. */
const editDistance = (a: string, b: string): number => {
  if (Math.abs(a.length - b.length) > 10 || a.length > 100) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + cost,
          isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
};

/** The nearest of `known` if it is near enough to be meant: at most a third of the letters differ. Case does not count. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  let best: string | undefined;
  let least = Math.floor(Math.max(3, word.length) / 3) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
};
