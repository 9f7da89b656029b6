/** A long text in pieces that are rendered one by one, so that typing in one leaves the others alone. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Definitions and footnotes reach from one piece into another. */
const REACHES = /^ {0,3}\[[^\]\n]+\]:/m;

/** Characters. A text with a heading in every line must not become thousands of pieces. */
const LEAST_BLOCK = 400;

/** From here on a blank line is an end too: a long text may have no headings, and a piece that is too long is not rendered. */
const LONG_BLOCK = 20_000;

/** Split before headings, and a long part at a blank line, outside code. Joined by nothing, the pieces are the text. */
export const markdownBlocks = (text: string): readonly string[] => {
  if (REACHES.test(text)) return [text];
  const blocks: string[] = [];
  let start = 0;
  let fence = '';
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(at, next);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (mark !== undefined) fence = mark;
    else if (at - start >= LEAST_BLOCK && /^#{1,6}[ \t]/.test(line)) {
      blocks.push(text.slice(start, at));
      start = at;
    } else if (at - start >= LONG_BLOCK && line.trim() === '') {
      blocks.push(text.slice(start, next));
      start = next;
    }
    at = next;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
};

/** Of one paragraph. The renderer compares marks with each other, so its time is their number squared. */
const MOST_MARKS = 400;
/** Quotes and lists inside each other, in one line. */
const MOST_LEVELS = 30;
const MOST_IN_PIECE = 60_000;
const MOST_IN_ALL = 150_000;

const STARTS_PARAGRAPH = /^[ \t]*(?:[-*+#|]|\d{1,9}[.)]|$)/;

/** Whether rendering a piece would hold the page. Read once, line by line. */
const isCostly = (block: string): boolean => {
  if (block.length > MOST_IN_PIECE) return true;
  let marks = 0;
  for (const line of block.split('\n')) {
    if (STARTS_PARAGRAPH.test(line)) marks = 0;
    marks += line.match(/[[\]*_`~<&\\:@]/g)?.length ?? 0;
    const levels = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/.exec(line)?.[0] ?? '';
    if (marks > MOST_MARKS || levels.replace(/[\s\d]/g, '').length > MOST_LEVELS) return true;
  }
  return false;
};

export interface MarkdownPiece {
  readonly text: string;
  /** Too long or too intricate to be rendered without holding the page. */
  readonly isLeftOut: boolean;
}

/** The pieces of a text, and which of them stay unrendered; of these, neighbors are one piece. */
export const markdownPieces = (text: string): readonly MarkdownPiece[] => {
  let rendered = 0;
  const pieces: MarkdownPiece[] = [];
  for (const block of markdownBlocks(text)) {
    const isLeftOut = rendered + block.length > MOST_IN_ALL || isCostly(block);
    if (!isLeftOut) rendered += block.length;
    const before = pieces.at(-1);
    if (isLeftOut && before?.isLeftOut === true)
      pieces[pieces.length - 1] = { text: before.text + block, isLeftOut: true };
    else pieces.push({ text: block, isLeftOut });
  }
  return pieces;
};
