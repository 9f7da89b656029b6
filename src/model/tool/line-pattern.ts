/**
 * Regular expressions whose time is the length of the line times the length of the pattern, whatever the pattern is: all
 * ways to match are followed immediately, nothing is tried again. The page has one thread, and a pattern comes from a model, so
 * one that backtracks (`(a+)+$`) could stop it permanently. No back-references and no look-around, which cannot be had so.
 */
import { err, ok, type Result } from '../../base/result.ts';

export interface LinePattern {
  /** Whether it matches anywhere in a line without its line end. */
  readonly test: (line: string) => boolean;
  /** The pattern has nothing special: a line matches if it contains this. */
  readonly literal?: string;
}

/** Of the compiled pattern: `a{1000}` is a thousand steps. */
const MOST_STEPS = 2000;

/** Of the pattern as it is written. */
const MOST_CHARACTERS = 10_000;
const TOO_LARGE = 'it is too large: repeat less';
/** Parentheses inside parentheses. */
const MOST_DEPTH = 50;

type Node =
  | { readonly kind: 'char'; readonly accepts: (code: number) => boolean }
  | { readonly kind: 'assert'; readonly holds: (line: string, at: number) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

type Step =
  | { readonly op: 'char'; readonly accepts: (code: number) => boolean }
  | { readonly op: 'assert'; readonly holds: (line: string, at: number) => boolean }
  | { readonly op: 'split'; readonly a: number; b: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' };

class Fault extends Error {}

const isWordAt = (line: string, at: number): boolean => /\w/.test(line.charAt(at));
const isBoundary = (line: string, at: number): boolean => isWordAt(line, at - 1) !== isWordAt(line, at);
const ASSERTIONS: Readonly<Record<string, (line: string, at: number) => boolean>> = {
  '^': (_line, at) => at === 0,
  $: (line, at) => at === line.length,
  '\\b': isBoundary,
  '\\B': (line, at) => !isBoundary(line, at),
};

/** A set of characters, given as the engine of the host understands it; asked one character at a time. */
const characterSet = (source: string, flags: string): ((code: number) => boolean) => {
  let expression: RegExp;
  try {
    expression = new RegExp(`^${source}$`, flags);
  } catch {
    throw new Fault(`${source} is not a set of characters`);
  }
  const ascii = Array.from({ length: 128 }, (_, code) => expression.test(String.fromCharCode(code)));
  return (code) => ascii[code] ?? expression.test(String.fromCodePoint(code));
};

const escaped = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

class Parser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  #depth = 0;
  #chars = 0;

  constructor(source: string, ignoresCase: boolean) {
    this.#source = source;
    this.#flags = ignoresCase ? 'iu' : 'u';
  }

  whole(): Node {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Fault('there is a ")" without its "("');
    return node;
  }

  #choice(): Node {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return { kind: 'choice', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at)))
      parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Node {
    const part = this.#atom();
    const found = /^(?:[*+?]|\{(\d{1,5})(?:(,)(\d{0,5}))?\})/.exec(this.#source.slice(this.#at, this.#at + 20));
    if (!found) return part;
    this.#at += found[0].length;
    // Greedy or lazy: for a yes or no it is the same.
    if (this.#source[this.#at] === '?') this.#at++;
    if (/[*+?]/.test(this.#source[this.#at] ?? '')) throw new Fault('there is nothing to repeat');
    const [whole, low, comma, high] = found;
    const least = whole === '+' ? 1 : Number(low ?? 0);
    const isOpen = whole === '*' || whole === '+' || (comma !== undefined && high === '');
    const most = isOpen ? Infinity : whole === '?' ? 1 : comma === undefined ? least : Number(high);
    if (most < least) throw new Fault(`in ${whole} the numbers are reversed`);
    return { kind: 'repeat', part, least, most };
  }

  #atom(): Node {
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return this.#set();
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new Fault('there is nothing to repeat');
      case '.':
        this.#at++;
        return { kind: 'char', accepts: () => true };
      default: {
        this.#at += char.length;
        const holds = ASSERTIONS[char];
        return holds ? { kind: 'assert', holds } : this.#char(escaped(char));
      }
    }
  }

  #char(source: string): Node {
    // Each becomes a step: what could not be compiled is not read to its end.
    if (++this.#chars > MOST_STEPS) throw new Fault(TOO_LARGE);
    return { kind: 'char', accepts: characterSet(source, this.#flags) };
  }

  #group(): Node {
    const head = /^\((?:\?(?::|<[A-Za-z_]\w*>))?/.exec(this.#source.slice(this.#at))?.[0] ?? '(';
    this.#at += head.length;
    if (head === '(' && this.#source[this.#at] === '?')
      throw new Fault('look-around and options inside the pattern are not supported');
    if (++this.#depth > MOST_DEPTH) throw new Fault('its groups are nested too deeply');
    const node = this.#choice();
    this.#depth--;
    if (this.#source[this.#at] !== ')') throw new Fault('a "(" is not closed');
    this.#at++;
    return node;
  }

  #set(): Node {
    const start = this.#at;
    let text = '[';
    this.#at++;
    if (this.#source[this.#at] === '^') {
      text += '^';
      this.#at++;
    }
    for (let isFirst = true; ; isFirst = false) {
      if (this.#at >= this.#source.length) throw new Fault('a "[" is not closed');
      const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
      if (char === ']' && !isFirst) break;
      if (char === '\\') text += this.#escapeText();
      else {
        text += /[\]^[]/.test(char) ? `\\${char}` : char;
        this.#at += char.length;
      }
    }
    this.#at++;
    try {
      return this.#char(`${text}]`);
    } catch {
      throw new Fault(`${this.#source.slice(start, this.#at)} is not a set of characters`);
    }
  }

  /** An escape as a set of characters takes it. */
  #escapeText(): string {
    const rest = this.#source.slice(this.#at + 1);
    if (rest === '') throw new Fault('it ends with a "\\"');
    const found = ESCAPE.exec(rest)?.[0];
    if (found !== undefined) {
      this.#at += 1 + found.length;
      return `\\${found}`;
    }
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    if (/[1-9]/.test(char) || rest.startsWith('k<')) throw new Fault('back-references are not supported');
    if (/[A-Za-z]/.test(char)) throw new Fault(`\\${char} is not supported`);
    this.#at += 1 + char.length;
    return escaped(char);
  }

  #escape(): Node {
    const holds = ASSERTIONS[this.#source.slice(this.#at, this.#at + 2)];
    if (!holds) return this.#char(this.#escapeText());
    this.#at += 2;
    return { kind: 'assert', holds };
  }
}

const ESCAPE = /^(?:[pP]\{[\w=]+\}|u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[dDwWsStnrfv0])/;

const compile = (root: Node): readonly Step[] => {
  const steps: Step[] = [];
  const add = <S extends Step>(step: S): S => {
    if (steps.length >= MOST_STEPS) throw new Fault(TOO_LARGE);
    steps.push(step);
    return step;
  };
  const addSplit = () => add({ op: 'split', a: steps.length + 1, b: 0 });
  let written = 0;
  const write = (node: Node): void => {
    // What writes no step, such as an empty group, can be repeated in repetitions too.
    if (++written > 10 * MOST_STEPS) throw new Fault(TOO_LARGE);
    switch (node.kind) {
      case 'char':
        add({ op: 'char', accepts: node.accepts });
        break;
      case 'assert':
        add({ op: 'assert', holds: node.holds });
        break;
      case 'sequence':
        node.parts.forEach(write);
        break;
      case 'choice': {
        const ends = node.parts.slice(0, -1).map((part) => {
          const split = addSplit();
          write(part);
          const end = add({ op: 'jump', to: 0 });
          split.b = steps.length;
          return end;
        });
        write(node.parts.at(-1) as Node);
        for (const end of ends) end.to = steps.length;
        break;
      }
      case 'repeat':
        writeRepeat(node.part, node.least, node.most);
    }
  };
  const writeRepeat = (part: Node, least: number, most: number): void => {
    for (let index = 0; index < least; index++) write(part);
    if (most === Infinity) {
      const loop = steps.length;
      const split = addSplit();
      write(part);
      add({ op: 'jump', to: loop });
      split.b = steps.length;
      return;
    }
    const splits = [];
    for (let index = least; index < most; index++) {
      splits.push(addSplit());
      write(part);
    }
    for (const split of splits) split.b = steps.length;
  };
  write(root);
  add({ op: 'match' });
  return steps;
};

const run = (steps: readonly Step[], line: string): boolean => {
  // The step's number at which a thread was added to the list of a position: each at most once.
  const seen = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  let next: number[] = [];
  const pending: number[] = [];
  /** Follows everything that takes no character; true at the end of the pattern. */
  const add = (list: number[], first: number, at: number): boolean => {
    pending.push(first);
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (seen[index] === at) continue;
      seen[index] = at;
      const step = steps[index] as Step;
      if (step.op === 'match') {
        pending.length = 0;
        return true;
      }
      if (step.op === 'jump') pending.push(step.to);
      else if (step.op === 'split') pending.push(step.b, step.a);
      else if (step.op === 'char') list.push(index);
      else if (step.holds(line, at)) pending.push(index + 1);
    }
    return false;
  };
  for (let at = 0; ;) {
    if (add(current, 0, at)) return true;
    if (at >= line.length) return false;
    const code = line.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    next.length = 0;
    for (const index of current) {
      if ((steps[index] as { accepts: (code: number) => boolean }).accepts(code) && add(next, index + 1, at))
        return true;
    }
    [current, next] = [next, current];
  }
};

/** The error says what is wrong with the pattern, in a clause. */
export const compilePattern = (pattern: string): Result<LinePattern, string> => {
  const ignoresCase = pattern.startsWith('(?i)');
  const source = ignoresCase ? pattern.slice(4) : pattern;
  if (!ignoresCase && !/[\\^$.*+?()[\]{}|]/.test(source))
    return ok({ literal: source, test: (line) => line.includes(source) });
  if (source.length > MOST_CHARACTERS) return err(TOO_LARGE);
  try {
    const steps = compile(new Parser(source, ignoresCase).whole());
    return ok({ test: (line) => run(steps, line) });
  } catch (thrown) {
    if (thrown instanceof Fault) return err(thrown.message);
    throw thrown;
  }
};
