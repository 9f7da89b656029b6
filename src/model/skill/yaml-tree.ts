/**
 * YAML with positions, as a small tree of our own. Scalars keep their text and their source: what type a plain scalar has
 * depends on who reads it (`scalar-types.ts`). Aliases are never expanded, so that an alias bomb stays small.
 */
import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument, type Node } from 'yaml';
import type { TextRange } from './types.ts';
import type { MapEntry, NodeBase, ScalarStyle, YamlNode } from './yaml-nodes.ts';
import { parseSimpleYaml } from './yaml-simple.ts';

export interface YamlProblem {
  readonly kind: 'syntax' | 'control-character' | 'too-large' | 'too-deep' | 'unknown-alias';
  readonly message: string;
  readonly range: TextRange;
}

export interface YamlTree {
  /** `undefined` for an empty document and for one that could not be read at all. */
  readonly root: YamlNode | undefined;
  /** In order of position. */
  readonly problems: readonly YamlProblem[];
  readonly hasProperties: boolean;
  /** Some key is not a scalar. */
  readonly hasOddKeys: boolean;
  readonly hasFlow: boolean;
  /** There are mappings below the top-level one. */
  readonly hasNestedMaps: boolean;
  /** Where a quoted text continues at the start of a line: not YAML, but Python's readers take it. */
  readonly unindentedQuotes: readonly number[];
}

/**
 * Frontmatter is a few lines. Beyond this nobody wrote it by hand, and parsing it would only cost time: the library needs
 * some 15 µs for every error, and every second character can be one.
 */
const MAX_LENGTH = 64 * 1024;
const MAX_DEPTH = 64;
/** Each of them is work for the parser, or an error of its own: so many take a tenth of a second, and no skill has a quarter of them. */
const MAX_SIGNS = 4000;
const SIGNS = /[[\]{}"'*&!%\n]|[-?:,][ \t]/g;
/** So many errors do not come from one unindented quote. */
const HOPELESS = 1000;
const TOO_DEEP = `The frontmatter is nested more than ${MAX_DEPTH} levels deep.`;

class TooDeep extends Error {
  readonly range: TextRange;

  constructor(range: TextRange) {
    super(TOO_DEEP);
    this.range = range;
  }
}

/** How many of the ascending `values` are smaller than `limit`. */
const countBelow = (values: readonly number[], limit: number): number => {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** What a YAML stream may not contain: everything but tab, line breaks, printable characters. */
const CONTROL = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+/gu;

/** Where they are, those in a row as one range. */
export const controlCharacters = (text: string, range: TextRange): TextRange[] =>
  Array.from(text.slice(range.start, range.end).matchAll(CONTROL), (match) => {
    const start = range.start + match.index;
    return { start, end: start + match[0].length };
  });

type MapOffset = (offset: number) => number;

/** Offsets into the text with LF, back to offsets into the text as it is. */
const withoutCarriageReturns = (source: string): { text: string; toSource: MapOffset } => {
  if (!source.includes('\r')) return { text: source, toSource: (offset) => offset };
  const dropped: number[] = [];
  let text = '';
  let copied = 0;
  for (let index = source.indexOf('\r'); index !== -1; index = source.indexOf('\r', index + 1)) {
    text += source.slice(copied, index);
    if (source.charCodeAt(index + 1) === 10) dropped.push(text.length);
    else text += '\n';
    copied = index + 1;
  }
  text += source.slice(copied);
  return { text, toSource: (offset) => offset + countBelow(dropped, offset) };
};

/** Compact nesting (`- - -`, `[[[`, `? ?`) is the only way to be deep in little space; a parser recurses on it. */
const tooDeepAt = (text: string): number | undefined => {
  let flow = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '[' || char === '{') {
      if (++flow > MAX_DEPTH) return index;
    } else if ((char === ']' || char === '}') && flow > 0) flow--;
  }
  const compact = /(?:^|\n)[ \t]*(?:[-?:][ \t]+){65}/.exec(text);
  if (compact) return compact.index;
  const indent = /(?:^|\n) {2000}/.exec(text);
  return indent?.index;
};

const hasTooManySigns = (text: string): boolean => {
  let count = 0;
  SIGNS.lastIndex = 0;
  while (SIGNS.test(text)) if (++count > MAX_SIGNS) return true;
  return false;
};

const OPENS_QUOTE = /^[ ]*(?:- +)*(?:[^\s#'"[\]{}][^#'"]*?:[ ]+)?(["'])/;

/** Where in `line` the quoted text ends that is open at `from`; -1 if it continues. */
const closingQuote = (line: string, from: number, quote: string): number => {
  for (let index = from; index < line.length; index++) {
    if (quote === '"' && line[index] === '\\') index++;
    else if (line[index] === quote) {
      if (quote === "'" && line[index + 1] === "'") index++;
      else return index;
    }
  }
  return -1;
};

/** The same text with a space before every line at column 0 that continues with a quoted text. */
const indentQuotes = (text: string): { text: string; insertions: readonly number[]; toText: MapOffset } => {
  const insertions: number[] = [];
  /** The same places in the text with the spaces. */
  const inserted: number[] = [];
  let quote: string | undefined;
  let offset = 0;
  const lines = text.split('\n').map((line) => {
    const start = offset;
    offset += line.length + 1;
    if (quote !== undefined) {
      if (closingQuote(line, 0, quote) !== -1) quote = undefined;
      if (line === '' || line.startsWith(' ')) return line;
      inserted.push(start + insertions.length);
      insertions.push(start);
      return ` ${line}`;
    }
    const match = OPENS_QUOTE.exec(line);
    const opening = match?.[1];
    if (match && opening !== undefined && closingQuote(line, match[0].length, opening) === -1) quote = opening;
    return line;
  });
  const toText = (at: number): number => at - countBelow(inserted, at);
  return { text: lines.join('\n'), insertions, toText };
};

const OPTIONS = { prettyErrors: false, uniqueKeys: false, schema: 'failsafe' } as const;

const styleOf = (type: string | undefined): ScalarStyle => {
  switch (type) {
    case 'QUOTE_SINGLE':
      return 'single';
    case 'QUOTE_DOUBLE':
      return 'double';
    case 'BLOCK_LITERAL':
      return 'literal';
    case 'BLOCK_FOLDED':
      return 'folded';
    default:
      return 'plain';
  }
};

class TreeBuilder {
  readonly #text: string;
  readonly #offset: number;
  readonly #toSource: MapOffset;
  readonly #anchors = new Map<string, YamlNode>();
  readonly problems: YamlProblem[] = [];
  hasProperties = false;
  hasOddKeys = false;
  hasFlow = false;
  maps = 0;
  #depth = 0;

  constructor(text: string, offset: number, toSource: MapOffset) {
    this.#text = text;
    this.#offset = offset;
    this.#toSource = toSource;
  }

  range(start: number, end: number): TextRange {
    return { start: this.#offset + this.#toSource(start), end: this.#offset + this.#toSource(end) };
  }

  build(node: Node | null, at: number): YamlNode {
    if (node === null) return this.#empty(at);
    const [start, end] = node.range ?? [at, at];
    const anchor = 'anchor' in node ? node.anchor : undefined;
    if (anchor !== undefined || node.tag !== undefined) this.hasProperties = true;
    const base = { range: this.range(start, end), tag: node.tag, anchor };
    // Anyone who walks the tree may recurse: it is never deeper than this.
    if (++this.#depth > MAX_DEPTH) throw new TooDeep(base.range);
    const built = this.#content(node, base, end);
    this.#depth--;
    if (anchor !== undefined) this.#anchors.set(anchor, built);
    return built;
  }

  #content(node: Node, base: NodeBase, end: number): YamlNode {
    if (isScalar(node)) {
      const text = typeof node.value === 'string' ? node.value : (node.source ?? '');
      return { range: base.range, tag: base.tag, anchor: base.anchor, kind: 'scalar', style: styleOf(node.type), text };
    }
    if (isAlias(node)) {
      this.hasProperties = true;
      const target = this.#anchors.get(node.source);
      if (!target) {
        const message = `The alias \`*${node.source}\` doesn’t match an anchor above it.`;
        this.problems.push({ kind: 'unknown-alias', message, range: base.range });
      }
      return { ...base, kind: 'alias', name: node.source, target };
    }
    if (isMap(node) || isSeq(node)) this.hasFlow ||= node.flow === true;
    if (isMap(node)) {
      this.maps++;
      const entries: MapEntry[] = [];
      for (const pair of node.items) {
        const key = this.build(pair.key as Node | null, end);
        const value = this.#value(pair.value as Node | null, this.#keyEnd(pair.key as Node | null, end));
        if (key.kind !== 'scalar') this.hasOddKeys = true;
        entries.push({ key, name: key.kind === 'scalar' ? key.text : undefined, value });
      }
      return {
        ...base,
        range: this.#blockRange(node.flow, base.range, entries.at(-1)?.value),
        kind: 'map',
        flow: node.flow === true,
        entries,
      };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => (isPair(item) ? this.#empty(end) : this.build(item as Node | null, end)));
      return {
        ...base,
        range: this.#blockRange(node.flow, base.range, items.at(-1)),
        kind: 'seq',
        flow: node.flow === true,
        items,
      };
    }
    return this.#empty(end);
  }

  /** A block collection ends with its last value, not with the comments and blank lines after it. */
  #blockRange(flow: boolean | undefined, range: TextRange, last: YamlNode | undefined): TextRange {
    return flow === true || !last ? range : { start: range.start, end: last.range.end };
  }

  #keyEnd(key: Node | null, fallback: number): number {
    return key?.range?.[1] ?? fallback;
  }

  /** An empty value stands right behind its colon. */
  #value(node: Node | null, keyEnd: number): YamlNode {
    const isEmpty =
      node === null ||
      (isScalar(node) &&
        node.source === '' &&
        styleOf(node.type) === 'plain' &&
        node.anchor === undefined &&
        node.tag === undefined);
    if (!isEmpty) return this.build(node, keyEnd);
    const gap = /^\s*:/.exec(this.#text.slice(keyEnd, keyEnd + 100))?.[0].length ?? 0;
    return this.#empty(keyEnd + gap);
  }

  #empty(at: number): YamlNode {
    return { kind: 'scalar', style: 'plain', text: '', range: this.range(at, at), tag: undefined, anchor: undefined };
  }
}

const PLAIN_SHAPE = {
  hasProperties: false,
  hasOddKeys: false,
  hasFlow: false,
  hasNestedMaps: false,
  unindentedQuotes: [] as readonly number[],
} as const;

/** For other files of a few lines: more than anybody wrote by hand, and too much to be parsed while a page waits. */
export const isTooMuchYaml = (text: string): boolean =>
  text.length > MAX_LENGTH || tooDeepAt(text) !== undefined || hasTooManySigns(text);

/** Parses the YAML at `source.slice(start, end)`; all ranges are offsets into `source`. Never throws. */
export const parseYaml = (source: string, start: number, end: number): YamlTree => {
  const simple = end - start <= MAX_LENGTH ? parseSimpleYaml(source, start, end) : undefined;
  if (simple) {
    const hasNestedMaps = simple.hasFlow || simple.root.entries.some((entry) => entry.value.kind === 'map');
    return { ...PLAIN_SHAPE, root: simple.root, problems: [], hasFlow: simple.hasFlow, hasNestedMaps };
  }
  return parseFullYaml(source, start, end);
};

/** The same by the real parser alone. */
export const parseFullYaml = (source: string, start: number, end: number): YamlTree => {
  const slice = source.slice(start, end);
  const failed = (kind: YamlProblem['kind'], message: string, range: TextRange): YamlTree => ({
    root: undefined,
    problems: [{ kind, message, range }],
    ...PLAIN_SHAPE,
  });
  if (slice.length > MAX_LENGTH) {
    const message = `The frontmatter is larger than ${MAX_LENGTH / 1024} KiB. Is a closing \`---\` missing?`;
    return failed('too-large', message, { start, end: start });
  }
  const { text, toSource } = withoutCarriageReturns(slice);
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const at = start + toSource(deep);
    return failed('too-deep', TOO_DEEP, { start: at, end: at + 1 });
  }
  if (hasTooManySigns(text)) {
    const message = `The frontmatter has more than ${MAX_SIGNS.toLocaleString('en-US')} lines, brackets, and quotes. Is a closing \`---\` missing?`;
    return failed('too-large', message, { start, end: start });
  }
  const [control] = controlCharacters(source, { start, end });

  try {
    let document = parseDocument(text, OPTIONS);
    let builder = new TreeBuilder(text, start, toSource);
    let unindentedQuotes: readonly number[] = [];
    if (document.errors.length > 0 && document.errors.length < HOPELESS) {
      const indented = indentQuotes(text);
      const again = indented.insertions.length > 0 ? parseDocument(indented.text, OPTIONS) : undefined;
      if (again?.errors.length === 0) {
        document = again;
        builder = new TreeBuilder(indented.text, start, (offset) => toSource(indented.toText(offset)));
        unindentedQuotes = indented.insertions.map((offset) => start + toSource(offset));
      }
    }
    const problems: YamlProblem[] = document.errors.map((error) => ({
      kind: 'syntax',
      message: error.message,
      range: builder.range(error.pos[0], Math.max(error.pos[0], Math.min(error.pos[1], text.length))),
    }));
    if (control) {
      const code = (source.codePointAt(control.start) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      problems.push({
        kind: 'control-character',
        message: `YAML can’t contain the control character U+${code}.`,
        range: control,
      });
    }
    const root = document.contents === null ? undefined : builder.build(document.contents, 0);
    problems.push(...builder.problems);
    return {
      root,
      problems: problems.toSorted((a, b) => a.range.start - b.range.start),
      hasProperties: builder.hasProperties,
      hasOddKeys: builder.hasOddKeys,
      hasFlow: builder.hasFlow,
      hasNestedMaps: builder.maps > 1,
      unindentedQuotes,
    };
  } catch (thrown) {
    // The library overflows the stack on forms that `tooDeepAt` does not know.
    const range = thrown instanceof TooDeep ? thrown.range : { start, end: Math.min(end, start + 1) };
    return failed('too-deep', TOO_DEEP, range);
  }
};

/** The node that an alias stands for. */
export const resolveAlias = (node: YamlNode): YamlNode | undefined => {
  let current: YamlNode | undefined = node;
  for (let hops = 0; hops < MAX_DEPTH && current?.kind === 'alias'; hops++) current = current.target;
  return current?.kind === 'alias' ? undefined : current;
};
