/** What every tokenizer does around its encoding: counts strings that are long, odd, or asked for again. */

/** Merging a word of n letters costs n²; past this length it is counted in pieces, with an error of a token per piece. */
const LONGEST_RUN = 512;
const LONG_RUN = new RegExp(
  `[\\p{L}\\p{M}]{${LONGEST_RUN + 1},}|[^\\s\\p{L}\\p{M}\\p{N}]{${LONGEST_RUN + 1},}|\\s{${LONGEST_RUN + 1},}`,
  'gu',
);

/** Of all strings whose counts are remembered. */
const REMEMBERED_CHARACTERS = 8_000_000;

const cut = (run: string): string[] => {
  const pieces: string[] = [];
  for (let at = 0; at < run.length;) {
    let end = Math.min(run.length, at + LONGEST_RUN);
    // Never between the halves of one character.
    if ((run.charCodeAt(end - 1) & 0xfc00) === 0xd800 && end < run.length) end++;
    pieces.push(run.slice(at, end));
    at = end;
  }
  return pieces;
};

/** The text in pieces that an encoding can count quickly; nearly always the text itself. */
export const countablePieces = (text: string): readonly string[] => {
  if (text.length <= LONGEST_RUN) return [text];
  const pieces: string[] = [];
  let done = 0;
  for (const match of text.matchAll(LONG_RUN)) {
    if (match.index > done) pieces.push(text.slice(done, match.index));
    pieces.push(...cut(match[0]));
    done = match.index + match[0].length;
  }
  if (done < text.length) pieces.push(text.slice(done));
  return pieces;
};

export type TokenCounter = (text: string) => number;

/** Counts with `encoding`, and remembers what was asked last. */
export const createTokenCounter = (encoding: TokenCounter, remembered = REMEMBERED_CHARACTERS): TokenCounter => {
  const counts = new Map<string, number>();
  let characters = 0;
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) {
      counts.delete(text);
      counts.set(text, known);
      return known;
    }
    const count = countablePieces(text).reduce((sum, piece) => sum + encoding(piece), 0);
    if (text.length > remembered) return count;
    counts.set(text, count);
    characters += text.length;
    for (const oldest of counts.keys()) {
      if (characters <= remembered) break;
      counts.delete(oldest);
      characters -= oldest.length;
    }
    return count;
  };
};
