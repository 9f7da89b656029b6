/** The values of string literals of Python and JavaScript, as they are written. */

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  a: '\u0007',
  '\n': '',
};

const fromCode = (hex: string): string => {
  const code = Number.parseInt(hex, 16);
  return Number.isNaN(code) || code > 0x10ffff ? '' : String.fromCodePoint(code);
};

export const unescapeText = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\r\n|[\s\S]))/g,
    (_, x?: string, braces?: string, u?: string, long?: string, octal?: string, other?: string) => {
      const hex = x ?? braces ?? u ?? long;
      if (hex !== undefined) return fromCode(hex);
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return SIMPLE[other ?? ''] ?? other ?? '';
    },
  );

const PYTHON = /^([a-zA-Z]*)('''|"""|'|")([\s\S]*?)(?:\2)?$/;

/** Of a literal without replacements. */
export const pythonText = (literal: string): string => {
  const match = PYTHON.exec(literal);
  if (!match) return '';
  const inner = match[3] ?? '';
  return /r/i.test(match[1] ?? '') ? inner : unescapeText(inner);
};

/** How many characters come before the text of a Python literal, and after it. */
export const pythonQuotes = (
  literal: string,
): { readonly start: number; readonly end: number; readonly raw: boolean } => {
  const match = /^([a-zA-Z]*)('''|"""|'|")/.exec(literal);
  const quote = match?.[2] ?? '';
  return { start: match?.[0].length ?? 0, end: quote.length, raw: /r/i.test(match?.[1] ?? '') };
};

export const javascriptText = (literal: string): string => unescapeText(literal.slice(1, -1));
