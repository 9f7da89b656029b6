import { codePointLength, takeCodePoints } from '../../base/text.ts';

const WANTED = 300;

/** The first paragraph of prose as one line of plain text, for a description where none was written. */
export const firstParagraph = (text: string, from: number): string => {
  const paragraphs = text
    .slice(from, from + 20_000)
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1[ \t]*$/gm, '')
    .split(/(?:\r?\n[ \t]*){2,}/);
  for (const paragraph of paragraphs) {
    const prose = paragraph
      .split(/\r?\n/)
      .filter((line) => !/^\s*(?:#|[-*_]{3,}\s*$|\||>|!\[|<|---)/.test(line))
      .join(' ')
      .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*`]+|<[^>]*>/g, '')
      .replace(/^\s*(?:[-+]|\d+[.)])\s+/, '')
      .replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF\s]+/g, ' ')
      .replace(/[<>]/g, '')
      .trim();
    if (prose.length < 3) continue;
    if (codePointLength(prose) <= WANTED) return prose;
    const cut = takeCodePoints(prose, WANTED);
    const sentence = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '));
    return sentence > WANTED / 3 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' ')).trimEnd()} …`;
  }
  return '';
};
