/** Words of one line of Starlark by what they are. For reading only: text over several lines is not followed. */

export type WordKind = 'plain' | 'keyword' | 'string' | 'comment' | 'number' | 'host' | 'name';

export type Word = { readonly kind: WordKind; readonly text: string };

const WORDS =
  /(?<comment>#.*$)|(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(?<number>\b\d+(?:\.\d+)?\b)|(?<host>\b(?:ask|command|trace)\b(?=\s*\())|(?<keyword>\b(?:def|return|for|in|if|elif|else|not|and|or|break|continue|pass|lambda|load|True|False|None)\b)|(?<name>\b[A-Za-z_]\w*(?=\s*\())/g;

export const colourLine = (line: string): readonly Word[] => {
  const words: Word[] = [];
  let at = 0;
  for (const match of line.matchAll(WORDS)) {
    if (match.index > at) words.push({ kind: 'plain', text: line.slice(at, match.index) });
    const [kind = 'plain'] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    words.push({ kind: kind as WordKind, text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < line.length) words.push({ kind: 'plain', text: line.slice(at) });
  return words;
};
