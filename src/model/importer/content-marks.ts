/**
 * What a script and a description are without the differences that change nothing: comments, blank lines, blanks, case. A few changed lines
 * or words, or other names for everything, do not make another skill of them.
 */
import { sha256 } from '../../base/hash.ts';

/** Shorter ones say too little to be somebody's. */
const SHORTEST_DESCRIPTION = 20;
/** Scripts with fewer rows are alike by chance. */
const FEWEST_LINES = 8;
const FEWEST_SHAPES = 15;
const MOST_LINES = 20_000;
const FEWEST_TOKENS = 4;
/** Rows that every script has. */
const COMMON = /^(?:import|from) |^if __name__\b|\bArgumentParser \(|\bparse_args \(/;

export interface ScriptMark {
  readonly text: string;
  readonly lines: ReadonlySet<string>;
  /** With one name for all names, and one string for all strings; nothing where it is too short to say something. */
  readonly shape?: string;
}

export interface DescriptionMark {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

const KEYWORDS = new Set(
  'and as async await break class const continue def del elif else except export finally for from function if import in is lambda let new not or pass raise return try var while with yield'.split(
    ' ',
  ),
);

const TOKEN = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[A-Za-z_]\w*|#[^\n]*|\/\/[^\n]*|\S/g;

/** A row without its comment and its blanks. */
const plainRow = (row: string): readonly string[] =>
  Array.from(row.matchAll(TOKEN), ([token]) => token).filter((token) => !/^(?:#|\/\/)/.test(token));

const shapeOf = (tokens: readonly string[]): string =>
  tokens
    .map((token) => (/^["']/.test(token) ? '""' : /^[A-Za-z_]/.test(token) && !KEYWORDS.has(token) ? 'x' : token))
    .join(' ');

/** What stands between three quotes alone on its rows says something to people only. */
const withoutDocumentation = (text: string): string =>
  text.replace(/^[ \t]*[rRuU]?("""|''')[\s\S]*?\1[ \t]*(?:#.*)?$/gm, '');

export const scriptMark = (content: Uint8Array | undefined): ScriptMark | undefined => {
  if (!content) return undefined;
  const rows = withoutDocumentation(new TextDecoder().decode(content))
    .split('\n')
    .slice(0, MOST_LINES)
    .map(plainRow)
    .filter((tokens) => tokens.length > 0);
  if (rows.length === 0) return undefined;
  const lines = rows.map((tokens) => tokens.join(' '));
  return {
    text: sha256(lines.join('\n')),
    lines: new Set(lines.filter((line, at) => (rows[at]?.length ?? 0) >= FEWEST_TOKENS && !COMMON.test(line))),
    ...(rows.length >= FEWEST_SHAPES && { shape: sha256(rows.map(shapeOf).join('\n')) }),
  };
};

const sharedOf = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number => [...a].filter((item) => b.has(item)).length;

/** Most of what is in one is in the other: rows were added, taken away, or changed here and there. */
export const isSameScript = (a: ScriptMark | undefined, b: ScriptMark | undefined): boolean => {
  if (!a || !b) return false;
  if (a.text === b.text || (a.shape !== undefined && a.shape === b.shape)) return true;
  const fewer = Math.min(a.lines.size, b.lines.size);
  return fewer >= FEWEST_LINES && sharedOf(a.lines, b.lines) / fewer >= 0.85;
};

export const descriptionMark = (description: string): DescriptionMark | undefined => {
  const words = description.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const text = words.join(' ');
  return text.length < SHORTEST_DESCRIPTION ? undefined : { text: sha256(text), words: new Set(words) };
};

/** The same words in another order, or a few more of them. Another noun in place of one is another description. */
export const isSameDescription = (a: DescriptionMark | undefined, b: DescriptionMark | undefined): boolean => {
  if (!a || !b) return false;
  if (a.text === b.text) return true;
  const [fewer, more] = [a.words.size, b.words.size].toSorted((one, other) => one - other) as [number, number];
  const shared = sharedOf(a.words, b.words);
  return (
    fewer >= FEWEST_LINES && ((shared === fewer && more <= fewer * 1.25) || shared / (fewer + more - shared) >= 0.95)
  );
};
