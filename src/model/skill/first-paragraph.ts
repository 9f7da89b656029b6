import { codePointLength, takeCodePoints } from '../../base/text.ts';

const WANTED = 300;
/** A description is made of the first lines; more is never looked at. */
const SEARCHED = 20_000;
const LONGEST_PARAGRAPH = 4000;

/** A comment that is never closed stays: it is text. */
export const withoutComments = (text: string): string => {
  let out = '';
  let copied = 0;
  for (let open = text.indexOf('<!--'); open !== -1; open = text.indexOf('<!--', copied)) {
    const close = text.indexOf('-->', open + 4);
    if (close === -1) break;
    out += text.slice(copied, open);
    copied = close + 3;
  }
  return out + text.slice(copied);
};

/** Blocks of lines between blank lines, without code. */
const paragraphsOf = function* (text: string): Generator<string[]> {
  let lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    const marker = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence)) fence = undefined;
    } else if (marker !== undefined || line.trim() === '') {
      fence = marker;
      if (lines.length > 0) yield lines;
      lines = [];
    } else lines.push(line);
  }
  if (lines.length > 0) yield lines;
};

const proseOf = (lines: readonly string[]): string => {
  const text = lines.filter((line) => !/^\s*(?:#|[-*_]{3,}\s*$|\||>|!\[|<|---)/.test(line)).join(' ');
  return takeCodePoints(text, LONGEST_PARAGRAPH)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]+|<[^>]*>/g, '')
    .replace(/^\s*(?:[-+]|\d+[.)])\s+/, '')
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF\s]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();
};

/** The first paragraph of prose as one line of plain text, for a description where none was written. */
export const firstParagraph = (text: string, from: number): string => {
  for (const lines of paragraphsOf(withoutComments(text.slice(from, from + SEARCHED)))) {
    const prose = proseOf(lines);
    if (prose.length < 3) continue;
    if (codePointLength(prose) <= WANTED) return prose;
    const cut = takeCodePoints(prose, WANTED);
    const sentence = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '));
    return sentence > WANTED / 3 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' ')).trimEnd()} …`;
  }
  return '';
};
