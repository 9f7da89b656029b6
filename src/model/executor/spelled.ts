/** Finds a value in a string that writes it in another way: with signs between its letters, in letters of another size, or as their codes. */

/** Signs, escapes, and blanks that may stand between two letters. */
const WIDEST_GAP = 12;
/** Fewer letters would also be found in strings that have nothing to do with the value. */
const FEWEST = 8;
const TAGS = 0xe0000;
/** Bounds the work: files of credentials are masked by the long strings in them. */
const LONGEST = 2000;

/** A letter's code, as programs and pages write it; or a line end as JSON writes it. */
const ESCAPE =
  /\\+u00([0-9a-f]{2})|\\+x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|(?<![0-9a-z])0x([0-9a-f]{2})(?![0-9a-z])|\\+[nrt]/giy;

interface Folded {
  readonly text: string;
  /** Of each letter: where it starts and where it ends in the text that was given. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Letters and digits alone, in small letters. */
const foldText = (text: string): Folded => {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  const add = (letters: string, start: number, end: number): void => {
    for (const letter of letters) {
      folded += letter;
      starts.push(start);
      ends.push(end);
    }
  };
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (char === '\\' || char === '%' || char === '&' || char === '0') {
      ESCAPE.lastIndex = at;
      const match = ESCAPE.exec(text);
      if (match) {
        const [whole, u, x, percent, pageHex, page, hex] = match;
        const digits = u ?? x ?? percent ?? pageHex ?? hex;
        const code = digits === undefined ? Number(page ?? 0) : Number.parseInt(digits, 16);
        if (code > 0 && code < 0x80) add(lettersOf(String.fromCharCode(code)), at, at + whole.length);
        at += whole.length;
        continue;
      }
    }
    const code = text.codePointAt(at) ?? 0;
    const size = code > 0xffff ? 2 : 1;
    if (code < 0x80) add(lettersOf(char), at, at + 1);
    else if (code >= TAGS && code < TAGS + 0x80) add(lettersOf(String.fromCharCode(code - TAGS)), at, at + size);
    else add(lettersOf(String.fromCodePoint(code)), at, at + size);
    at += size;
  }
  return { text: folded, starts, ends };
};

type Range = readonly [start: number, end: number];

const findFolded = ({ text, starts, ends }: Folded, form: string): readonly Range[] => {
  const wanted = lettersOf(form.slice(0, LONGEST));
  if (wanted.length < FEWEST) return [];
  const found: Range[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const last = at + wanted.length - 1;
    let isClose = true;
    for (let index = at; index < last && isClose; index++)
      isClose = (starts[index + 1] ?? 0) - (ends[index] ?? 0) <= WIDEST_GAP;
    if (isClose) found.push([starts[at] ?? 0, ends[last] ?? 0]);
  }
  return found;
};

/** Codes of the letters as numbers in a row: decimal, octal, or binary. */
const findNumbers = (text: string, value: string): readonly Range[] => {
  const bytes = Array.from(new TextEncoder().encode(value.slice(0, LONGEST)));
  if (bytes.length < FEWEST) return [];
  return [10, 8, 2].flatMap((base) => {
    const codes = bytes.map((byte) => `0*${byte.toString(base)}`);
    const pattern = new RegExp(String.raw`(?<!\d)${codes.join(String.raw`\D{1,12}`)}(?!\d)`, 'g');
    return [...text.matchAll(pattern)].map((match): Range => [match.index, match.index + match[0].length]);
  });
};

/** Where a string writes one of the forms in another way, in order, without overlaps. */
export const findSpelled = (text: string, values: readonly string[], forms: readonly string[]): readonly Range[] => {
  const folded = foldText(text);
  const ranges = [
    ...forms.flatMap((form) => findFolded(folded, form)),
    ...values.flatMap((value) => findNumbers(text, value)),
  ].toSorted((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
};
