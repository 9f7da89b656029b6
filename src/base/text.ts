/** Lengths and limits count code points, never UTF-16 units. */
export const codePointLength = (text: string): number => {
  let count = text.length;
  // Most text has no surrogates, and a regular expression finds that out several times faster than a loop.
  const first = text.search(/[\uD800-\uDBFF]/);
  if (first === -1) return count;
  for (let index = first; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
};

/** The first `count` code points of `text`. */
export const takeCodePoints = (text: string, count: number): string => text.slice(0, offsetOfCodePoint(text, count));

/** The UTF-16 offset at which code point number `count` starts (the text's length if it has fewer). */
export const offsetOfCodePoint = (text: string, count: number): number => {
  let offset = 0;
  for (let seen = 0; seen < count && offset < text.length; seen++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
};

/** The order of everything that reaches the wire. `<` on strings compares UTF-16 units, which differs above U+FFFF. */
export const compareCodePoints = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      // A surrogate stands for a code point above every other unit.
      const leftRank = (left & 0xf800) === 0xd800 ? left + 0x10000 : left;
      const rightRank = (right & 0xf800) === 0xd800 ? right + 0x10000 : right;
      return leftRank - rightRank;
    }
  }
  return a.length - b.length;
};

/** CRLF and lone CR become LF. */
export const toLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

export interface Position {
  /** Both count from 1; the column counts code points. */
  readonly line: number;
  readonly column: number;
}

const PAIR_BLOCK = 256;

const endsPair = (text: string, index: number): boolean =>
  (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;

/** Surrogate pairs that end before each block; empty for a string without any. */
const countPairs = (text: string): readonly number[] => {
  if (text.search(/[\uD800-\uDBFF]/) === -1) return [];
  const pairs: number[] = [];
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    if (index % PAIR_BLOCK === 0) pairs.push(count);
    if (endsPair(text, index)) count++;
  }
  return pairs;
};

/** Finds line and column of an offset. LF, CRLF and lone CR end a line. */
export class LineIndex {
  readonly #text: string;
  readonly #starts: number[] = [0];
  #pairs: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) this.#starts.push(index + 1);
    }
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  positionAt(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= clamped) low = middle;
      else high = middle - 1;
    }
    const start = this.#starts[low] ?? 0;
    return { line: low + 1, column: clamped - start - (this.#pairsBefore(clamped) - this.#pairsBefore(start)) + 1 };
  }

  /** How many surrogate pairs end before an offset. Counted once per block: a long line may have many places. */
  #pairsBefore(offset: number): number {
    this.#pairs ??= countPairs(this.#text);
    if (this.#pairs.length === 0) return 0;
    const block = Math.floor(offset / PAIR_BLOCK);
    let count = this.#pairs[block] ?? 0;
    for (let index = block * PAIR_BLOCK; index < offset; index++) if (endsPair(this.#text, index)) count++;
    return count;
  }

  /** The text of a line (from 1) without its line ending. */
  lineText(line: number): string {
    const start = this.#starts[line - 1];
    if (start === undefined) return '';
    let end = this.#starts[line] ?? this.#text.length;
    while (end > start && /[\r\n]/.test(this.#text.charAt(end - 1))) end--;
    return this.#text.slice(start, end);
  }
}

/** 12,345. Never by locale: the same number looks the same everywhere. */
export const groupDigits = (value: number): string => {
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

/** `999 ms`, `1.5 s`, `1 min 1 s`, `4 h 11 min`: rounded first, so that no unit ever counts to its own limit. */
export const durationText = (ms: number): string => {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  if (Math.round(ms / 100) < 600) return `${(Math.round(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
};

/** The noun alone, for a number that another writes. */
export const nounFor = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** `1 skill`, `1,200 skills`, `2 entries`. An estimate is rounded: things are counted whole. */
export const plural = (count: number, one: string, many?: string): string =>
  `${groupDigits(Math.round(count))} ${nounFor(Math.round(count), one, many)}`;

/** A slice keeps the whole text that it was cut from in memory; a copy does not. */
export const copied = (text: string): string => ` ${text}`.slice(1);
