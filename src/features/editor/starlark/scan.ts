/** Starlark as far as an editor needs it while the text is broken: tokens, and what the cursor is in. */

export interface StarToken {
  readonly kind: 'name' | 'number' | 'string' | 'comment' | 'mark' | 'line-end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** A string without its closing quotes. */
  readonly isOpen?: true;
}

const TOKEN =
  /[ \t]+|(\\\r?\n)|(\r\n|\n|\r)|(#[^\r\n]*)|([rb]{0,2}(?:"""|'''|"|'))|([A-Za-z_]\w*)|(\d[\w.]*)|([^\s\w])/y;

const stringEnd = (text: string, start: number, quotes: string): { end: number; isOpen: boolean } => {
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (text.startsWith(quotes, at)) return { end: at + quotes.length, isOpen: false };
    else if (quotes.length === 1 && (char === '\n' || char === '\r')) return { end: at, isOpen: true };
  }
  return { end: text.length, isOpen: true };
};

export const scanStarlark = (text: string): readonly StarToken[] => {
  const tokens: StarToken[] = [];
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) {
      at++;
      continue;
    }
    const [whole, , lineEnd, comment, opening, name, number, mark] = match;
    let end = at + whole.length;
    if (opening !== undefined) {
      const quotes = opening.replace(/^[rb]+/, '');
      const found = stringEnd(text, end, quotes);
      end = found.end;
      tokens.push({
        kind: 'string',
        text: text.slice(at, end),
        start: at,
        end,
        ...(found.isOpen && { isOpen: true as const }),
      });
    } else {
      const kind =
        lineEnd !== undefined
          ? 'line-end'
          : comment !== undefined
            ? 'comment'
            : name !== undefined
              ? 'name'
              : number !== undefined
                ? 'number'
                : mark !== undefined
                  ? 'mark'
                  : undefined;
      if (kind) tokens.push({ kind, text: whole, start: at, end });
    }
    at = Math.max(end, at + 1);
  }
  return tokens;
};

/** The token that the cursor is inside of, its end included for words; nothing between tokens. */
export const tokenAt = (tokens: readonly StarToken[], offset: number): StarToken | undefined =>
  tokens.find(({ kind, start, end, isOpen }) => {
    if (kind === 'line-end') return false;
    if (kind === 'string') return offset > start && (offset < end || (isOpen === true && offset === end));
    if (kind === 'comment') return offset > start && offset <= end;
    return kind === 'name' ? offset >= start && offset <= end : offset > start && offset < end;
  });

const solid = (tokens: readonly StarToken[], offset: number): readonly StarToken[] =>
  tokens.filter(({ kind, end }) => end <= offset && kind !== 'comment' && kind !== 'line-end');

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

export interface Enclosing {
  /** The bracket that is open around the cursor. */
  readonly bracket: '(' | '[' | '{';
  /** How many commas stand between it and the cursor. */
  readonly index: number;
  /** The last thing before the cursor inside it. */
  readonly last: StarToken | undefined;
  /** The name before the bracket, and the name before that one's dot. */
  readonly name: StarToken | undefined;
  readonly receiver: StarToken | undefined;
  readonly isMethod: boolean;
  readonly start: number;
}

/** The brackets around an offset, the innermost first. */
export const enclosing = (tokens: readonly StarToken[], offset: number): readonly Enclosing[] => {
  const before = solid(tokens, offset);
  const found: Enclosing[] = [];
  let depth = 0;
  let index = 0;
  let last: StarToken | undefined;
  for (let at = before.length - 1; at >= 0; at--) {
    const token = before[at];
    if (!token) continue;
    if (depth === 0 && last === undefined) last = token;
    if (token.kind !== 'mark') continue;
    if (CLOSING[token.text] !== undefined) depth++;
    else if ('([{'.includes(token.text)) {
      if (depth > 0) {
        depth--;
        continue;
      }
      const previous = before[at - 1];
      const name = previous?.kind === 'name' ? previous : undefined;
      const isMethod = name !== undefined && before[at - 2]?.text === '.';
      const receiver = isMethod ? before[at - 3] : undefined;
      const inside = last === token ? undefined : last;
      found.push({ bracket: token.text as '(', index, last: inside, name, receiver, isMethod, start: token.start });
      index = 0;
      last = undefined;
    } else if (token.text === ',' && depth === 0) index++;
  }
  return found;
};

/** The token before an offset that says something. */
export const tokenBefore = (tokens: readonly StarToken[], offset: number): StarToken | undefined =>
  solid(tokens, offset).at(-1);
