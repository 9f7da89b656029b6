/** Finding a name by a few of its letters. */

export interface Match {
  /** Higher is better; only good for comparing matches of one query. */
  readonly score: number;
  /** The letters that matched, as half-open ranges of the text, in order, not overlapping. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

const isWordStart = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));

/** One word of the query as one piece of the text. */
const asPiece = (word: string, text: string): Match | undefined => {
  let best: number | undefined;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWordStart(text, at)) {
      best = at;
      break;
    }
    best ??= at;
  }
  if (best === undefined) return undefined;
  const base = isWordStart(text, best) ? 200 : 120;
  return { score: base - Math.min(best, 60), ranges: [[best, best + word.length]] };
};

const holdsInOrder = (letters: readonly string[], text: string, from: number): boolean => {
  let at = from;
  return letters.every((letter) => {
    const found = text.indexOf(letter, at);
    at = found + letter.length;
    return found >= 0;
  });
};

/** The next letter: right after the last one, else where a word begins, else anywhere; what follows must still fit. */
const nextAt = (letter: string, rest: readonly string[], text: string, from: number): number => {
  const first = text.indexOf(letter, from);
  if (first < 0 || first === from) return first;
  for (let at = first; at >= 0; at = text.indexOf(letter, at + 1)) {
    if (isWordStart(text, at) && holdsInOrder(rest, text, at + letter.length)) return at;
  }
  return first;
};

/** One word of the query as letters in order. */
const asLetters = (word: string, text: string): Match | undefined => {
  const letters = Array.from(word);
  const ranges: [number, number][] = [];
  let score = 100;
  let from = 0;
  for (const [index, letter] of letters.entries()) {
    const at = nextAt(letter, letters.slice(index + 1), text, from);
    if (at < 0) return undefined;
    const last = ranges.at(-1);
    if (last && last[1] === at) last[1] += letter.length;
    else {
      ranges.push([at, at + letter.length]);
      score -= isWordStart(text, at) ? 4 : 15;
    }
    from = at + letter.length;
  }
  return { score, ranges };
};

const joinRanges = (ranges: readonly (readonly [number, number])[]): [number, number][] => {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
};

/**
 * Every word of the query must be found, in any order. An empty query matches everything.
 * With `whole`, a word must be one piece of the text; else its letters may be scattered.
 */
export const fuzzyMatch = (query: string, text: string, { whole = false } = {}): Match | undefined => {
  // One unit per unit, so that ranges fit the text as it is shown.
  const lower = Array.from(text)
    .map((letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('');
  let score = 0;
  const ranges: (readonly [number, number])[] = [];
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const match = asPiece(word, lower) ?? (whole ? undefined : asLetters(word, lower));
    if (!match) return undefined;
    score += match.score;
    ranges.push(...match.ranges);
  }
  return { score: score - text.length / 100, ranges: joinRanges(ranges) };
};
