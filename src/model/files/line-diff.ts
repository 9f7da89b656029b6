/**
 * Which lines changed, found as git finds it (Myers' algorithm in linear space with git's clean-up before and its alignment of
 * groups after), so that a merge made of it is the merge that git would make.
 */

export interface LineChange {
  /** From 0: where the lines stood, and where those stand that came instead. */
  readonly start: number;
  readonly count: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** Above this many differences the shortest answer is no longer looked for. */
const LEAST_COST_LIMIT = 256;
const MOST_REPEATS = 1024;
const REPEAT_WINDOW = 100;
const REPEAT_SHARE = 4;
const FAR = Number.MAX_SAFE_INTEGER;

interface Side {
  /** One number per line; equal lines have equal numbers. */
  readonly lines: Int32Array;
  /** One beyond each end stays 0: read at -1 and at the length. */
  readonly changed: Uint8Array;
}

const isChanged = (side: Side, line: number): boolean => line >= 0 && side.changed[line] === 1;
const at = (numbers: { readonly [index: number]: number }, index: number): number => numbers[index] as number;

/** A power of two near the square root. */
const roughRoot = (value: number): number => {
  let root = 1;
  for (let rest = value; rest > 0; rest >>= 2) root <<= 1;
  return root;
};

interface Split {
  readonly first: number;
  readonly second: number;
}

/** Walks from both ends until the two walks meet. */
const findSplit = (
  [a, fromA, toA]: readonly [Int32Array, number, number],
  [b, fromB, toB]: readonly [Int32Array, number, number],
  costLimit: number,
): Split => {
  const least = fromA - toB;
  const most = toA - fromB;
  const base = -least + 1;
  const forward = new Float64Array(most - least + 3);
  const backward = new Float64Array(most - least + 3);
  const [forwardMiddle, backwardMiddle] = [fromA - fromB, toA - toB];
  const isOdd = ((forwardMiddle - backwardMiddle) & 1) !== 0;
  let [forwardLow, forwardHigh] = [forwardMiddle, forwardMiddle];
  let [backwardLow, backwardHigh] = [backwardMiddle, backwardMiddle];
  forward[base + forwardMiddle] = fromA;
  backward[base + backwardMiddle] = toA;

  for (let cost = 1; ; cost++) {
    if (forwardLow > least) forward[base + --forwardLow - 1] = -1;
    else forwardLow++;
    if (forwardHigh < most) forward[base + ++forwardHigh + 1] = -1;
    else forwardHigh--;
    for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
      const [below, above] = [at(forward, base + diagonal - 1), at(forward, base + diagonal + 1)];
      let first = below >= above ? below + 1 : above;
      let second = first - diagonal;
      while (first < toA && second < toB && a[first] === b[second]) {
        first++;
        second++;
      }
      forward[base + diagonal] = first;
      const meets = isOdd && backwardLow <= diagonal && diagonal <= backwardHigh;
      if (meets && at(backward, base + diagonal) <= first) return { first, second };
    }

    if (backwardLow > least) backward[base + --backwardLow - 1] = FAR;
    else backwardLow++;
    if (backwardHigh < most) backward[base + ++backwardHigh + 1] = FAR;
    else backwardHigh--;
    for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
      const [below, above] = [at(backward, base + diagonal - 1), at(backward, base + diagonal + 1)];
      let first = below < above ? below : above - 1;
      let second = first - diagonal;
      while (first > fromA && second > fromB && a[first - 1] === b[second - 1]) {
        first--;
        second--;
      }
      backward[base + diagonal] = first;
      const meets = !isOdd && forwardLow <= diagonal && diagonal <= forwardHigh;
      if (meets && first <= at(forward, base + diagonal)) return { first, second };
    }
    if (cost < costLimit) continue;

    // Too different: whichever walk came further decides.
    let [furthest, furthestFirst] = [-1, -1];
    for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
      const reached = Math.min(at(forward, base + diagonal), toA);
      const first = reached - diagonal > toB ? toB + diagonal : reached;
      if (first + first - diagonal > furthest) [furthest, furthestFirst] = [first + first - diagonal, first];
    }
    let [nearest, nearestFirst] = [FAR, FAR];
    for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
      const reached = Math.max(fromA, at(backward, base + diagonal));
      const first = reached - diagonal < fromB ? fromB + diagonal : reached;
      if (first + first - diagonal < nearest) [nearest, nearestFirst] = [first + first - diagonal, first];
    }
    return toA + toB - nearest < furthest - (fromA + fromB)
      ? { first: furthestFirst, second: furthest - furthestFirst }
      : { first: nearestFirst, second: nearest - nearestFirst };
  }
};

/** Lines of one side that take part in the search, and where they are in the file. */
interface Candidates {
  readonly lines: Int32Array;
  readonly index: readonly number[];
}

const compare = (one: Side, two: Side, a: Candidates, b: Candidates): void => {
  const costLimit = Math.max(roughRoot(a.lines.length + b.lines.length + 3), LEAST_COST_LIMIT);
  // A list of work instead of recursion: a text of many lines must not exhaust the stack.
  const open: [number, number, number, number][] = [[0, a.lines.length, 0, b.lines.length]];
  for (let box = open.pop(); box; box = open.pop()) {
    let [fromA, toA, fromB, toB] = box;
    while (fromA < toA && fromB < toB && a.lines[fromA] === b.lines[fromB]) {
      fromA++;
      fromB++;
    }
    while (fromA < toA && fromB < toB && a.lines[toA - 1] === b.lines[toB - 1]) {
      toA--;
      toB--;
    }
    if (fromA === toA) for (; fromB < toB; fromB++) two.changed[at(b.index, fromB)] = 1;
    else if (fromB === toB) for (; fromA < toA; fromA++) one.changed[at(a.index, fromA)] = 1;
    else {
      const { first, second } = findSplit([a.lines, fromA, toA], [b.lines, fromB, toB], costLimit);
      open.push([fromA, first, fromB, second], [first, toA, second, toB]);
    }
  }
};

/** Whether a line that repeats often stands among lines that match nothing, so that it is noise. */
const isNoise = (marks: Uint8Array, line: number, first: number, last: number): boolean => {
  const count = (step: number, end: number): [none: number, many: number] => {
    let [none, many] = [0, 1];
    for (let other = line + step; step < 0 ? other >= end : other <= end; other += step) {
      if (marks[other] === 0) none++;
      else if (marks[other] === 2) many++;
      else break;
    }
    return [none, many];
  };
  const [noneBefore, manyBefore] = count(-1, Math.max(first, line - REPEAT_WINDOW));
  if (noneBefore === 0) return false;
  const [noneAfter, manyAfter] = count(1, Math.min(last, line + REPEAT_WINDOW));
  if (noneAfter === 0) return false;
  const many = manyBefore + manyAfter;
  return many * REPEAT_SHARE < many + noneBefore + noneAfter;
};

/** Leaves out what both have at their ends, lines that the other side does not have, and noise. */
const candidates = (side: Side, first: number, end: number, inOther: Int32Array): Candidates => {
  const limit = Math.min(roughRoot(side.lines.length), MOST_REPEATS);
  const marks = new Uint8Array(side.lines.length);
  for (let line = first; line < end; line++) {
    const repeats = at(inOther, at(side.lines, line));
    marks[line] = repeats === 0 ? 0 : repeats >= limit ? 2 : 1;
  }
  const index: number[] = [];
  for (let line = first; line < end; line++) {
    if (marks[line] === 1 || (marks[line] === 2 && !isNoise(marks, line, first, end - 1))) index.push(line);
    else side.changed[line] = 1;
  }
  return { lines: Int32Array.from(index, (line) => at(side.lines, line)), index };
};

/** A run of changed lines, perhaps empty, between two unchanged ones. */
class Group {
  start = 0;
  end = 0;
  readonly #side: Side;

  constructor(side: Side) {
    this.#side = side;
    this.#extend();
  }
  #extend(): void {
    while (isChanged(this.#side, this.end)) this.end++;
  }
  get isEmpty(): boolean {
    return this.start === this.end;
  }
  next(): boolean {
    if (this.end === this.#side.lines.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    this.#extend();
    return true;
  }
  previous(): void {
    this.end = this.start - 1;
    this.start = this.end;
    while (isChanged(this.#side, this.start - 1)) this.start--;
  }
  slideDown(): boolean {
    const { lines, changed } = this.#side;
    if (this.end >= lines.length || lines[this.start] !== lines[this.end]) return false;
    changed[this.start++] = 0;
    changed[this.end++] = 1;
    this.#extend();
    return true;
  }
  slideUp(): boolean {
    const { lines, changed } = this.#side;
    if (this.start === 0 || lines[this.start - 1] !== lines[this.end - 1]) return false;
    changed[--this.start] = 1;
    changed[--this.end] = 0;
    while (isChanged(this.#side, this.start - 1)) this.start--;
    return true;
  }
}

/** Where a group of `size` lines reads best, of all ends between these two. */
export type Placing = (side: 'before' | 'after', size: number, earliestEnd: number, latestEnd: number) => number;

/** A group that may stand higher or lower stands as low as it can, or where the other side changed as well, or is placed. */
const align = (side: Side, other: Side, place?: (size: number, earliest: number, latest: number) => number): void => {
  const group = new Group(side);
  const beside = new Group(other);
  do {
    if (!group.isEmpty) {
      let size: number;
      let earliestEnd: number;
      let hasMatch: boolean;
      do {
        size = group.end - group.start;
        while (group.slideUp()) beside.previous();
        earliestEnd = group.end;
        hasMatch = !beside.isEmpty;
        while (group.slideDown()) {
          beside.next();
          hasMatch ||= !beside.isEmpty;
        }
      } while (size !== group.end - group.start);
      if (group.end !== earliestEnd && hasMatch) {
        while (beside.isEmpty) {
          group.slideUp();
          beside.previous();
        }
      } else if (group.end !== earliestEnd && place) {
        const end = place(size, earliestEnd, group.end);
        while (group.end > end && group.slideUp()) beside.previous();
      }
    }
    beside.next();
  } while (group.next());
};

/** The changes that make `after` of `before`, in order. `place` chooses among equally short ones. */
export const diffLines = (
  before: readonly string[],
  after: readonly string[],
  place?: Placing,
): readonly LineChange[] => {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  const sideOf = (lines: readonly string[]): Side => ({
    lines: Int32Array.from(lines, numberOf),
    changed: new Uint8Array(lines.length + 1),
  });
  const [one, two] = [sideOf(before), sideOf(after)];
  const countsOf = (side: Side): Int32Array => {
    const counts = new Int32Array(numbers.size);
    for (const line of side.lines) counts[line] = at(counts, line) + 1;
    return counts;
  };

  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && one.lines[first] === two.lines[first]) first++;
  let same = 0;
  while (same < shorter - first && one.lines[before.length - 1 - same] === two.lines[after.length - 1 - same]) same++;
  const a = candidates(one, first, before.length - same, countsOf(two));
  const b = candidates(two, first, after.length - same, countsOf(one));
  compare(one, two, a, b);
  align(one, two, place && ((size, earliest, latest) => place('before', size, earliest, latest)));
  align(two, one, place && ((size, earliest, latest) => place('after', size, earliest, latest)));

  const changes: LineChange[] = [];
  for (let [line, newLine] = [0, 0]; line <= before.length || newLine <= after.length; line++, newLine++) {
    const [start, newStart] = [line, newLine];
    while (isChanged(one, line)) line++;
    while (isChanged(two, newLine)) newLine++;
    if (line > start || newLine > newStart) {
      changes.push({ start, count: line - start, newStart, newCount: newLine - newStart });
    }
  }
  return changes;
};
