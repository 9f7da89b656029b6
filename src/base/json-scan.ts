/**
 * JSON with positions. A cache compares bytes, so anyone who wants to know what a provider will find needs the raw text of
 * every part, not values that were parsed and written again.
 */
import { err, ok, type Result } from './result.ts';

export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string' | 'number' | 'literal'; readonly start: number; readonly end: number };

export interface JsonMember {
  readonly key: string;
  /** Of the key's opening quote. */
  readonly start: number;
  readonly value: JsonNode;
}

export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

const MAX_DEPTH = 500;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const CLEAN_STRING = /"[^"\\\u0000-\u001F]*"/y;
const STRING = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERAL = /true|false|null/y;

class Fault extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonNode {
    this.#space();
    const node = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) this.#fail('unexpected text after the JSON value');
    return node;
  }

  #fail(message: string): never {
    throw new Fault(this.#at, message);
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #space(): void {
    const unit = this.#text.charCodeAt(this.#at);
    if (unit === 32 || (unit >= 9 && unit <= 13)) this.#match(SPACE);
  }

  #string(): void {
    if (this.#match(CLEAN_STRING)) return;
    const start = this.#at;
    let end = start;
    // Long strings with escapes are common (a prompt has line ends), and a regular expression with alternatives is slow there.
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end === -1) this.#fail('a string does not end');
    } while (this.#isEscaped(end, start));
    if (end - start > 10_000) {
      this.#checkLong(start, end);
      this.#at = end + 1;
    } else if (!this.#match(STRING)) this.#fail('a string with a wrong escape or a raw control character');
  }

  #isEscaped(quote: number, start: number): boolean {
    let backslashes = 0;
    for (let at = quote - 1; at > start && this.#text.charCodeAt(at) === 92; at--) backslashes++;
    return backslashes % 2 === 1;
  }

  #checkLong(start: number, end: number): void {
    const text = this.#text.slice(start + 1, end);
    if (/[\u0000-\u001F]/.test(text) || /\\(?:[^"\\/bfnrtu]|u(?![0-9a-fA-F]{4}))/.test(text.replace(/\\\\/g, '')))
      this.#fail('a string with a wrong escape or a raw control character');
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.#fail('the JSON is nested too deeply');
    const start = this.#at;
    switch (this.#text[start]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        this.#string();
        return { kind: 'string', start, end: this.#at };
      default:
        if (this.#match(LITERAL)) return { kind: 'literal', start, end: this.#at };
        if (this.#match(NUMBER)) return { kind: 'number', start, end: this.#at };
        return this.#fail(start >= this.#text.length ? 'the JSON ends too early' : 'a JSON value was expected');
    }
  }

  #object(depth: number): JsonNode {
    const start = this.#at++;
    const members: JsonMember[] = [];
    this.#space();
    if (this.#text[this.#at] === '}') return { kind: 'object', start, end: ++this.#at, members };
    for (;;) {
      const keyStart = this.#at;
      if (this.#text[keyStart] !== '"') this.#fail('a key in double quotes was expected');
      this.#string();
      const key = JSON.parse(this.#text.slice(keyStart, this.#at)) as string;
      this.#space();
      if (this.#text[this.#at] !== ':') this.#fail('a colon was expected');
      this.#at++;
      this.#space();
      members.push({ key, start: keyStart, value: this.#value(depth + 1) });
      this.#space();
      const next = this.#text[this.#at];
      if (next === '}') return { kind: 'object', start, end: ++this.#at, members };
      if (next !== ',') this.#fail('a comma or a closing brace was expected');
      this.#at++;
      this.#space();
    }
  }

  #array(depth: number): JsonNode {
    const start = this.#at++;
    const items: JsonNode[] = [];
    this.#space();
    if (this.#text[this.#at] === ']') return { kind: 'array', start, end: ++this.#at, items };
    for (;;) {
      items.push(this.#value(depth + 1));
      this.#space();
      const next = this.#text[this.#at];
      if (next === ']') return { kind: 'array', start, end: ++this.#at, items };
      if (next !== ',') this.#fail('a comma or a closing bracket was expected');
      this.#at++;
      this.#space();
    }
  }
}

/** Offsets are UTF-16. Accepts what `JSON.parse` accepts, to a depth of 500. */
export const scanJson = (text: string): Result<JsonNode, JsonFault> => {
  try {
    return ok(new Scanner(text).whole());
  } catch (thrown) {
    if (thrown instanceof Fault) return err({ offset: thrown.offset, message: thrown.message });
    throw thrown;
  }
};

/** The last member of that name, as `JSON.parse` takes it. */
export const memberOf = (node: JsonNode | undefined, key: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;

export const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] => (node?.kind === 'array' ? node.items : []);

export const nodeAt = (root: JsonNode, path: readonly (string | number)[]): JsonNode | undefined => {
  let node: JsonNode | undefined = root;
  for (const step of path) node = typeof step === 'number' ? itemsOf(node)[step] : memberOf(node, step);
  return node;
};

/** The value of a node. Only call it for text that was scanned without a fault. */
export const valueOf = (text: string, node: JsonNode | undefined): unknown =>
  node === undefined ? undefined : (JSON.parse(text.slice(node.start, node.end)) as unknown);
