/**
 * The frontmatter that nearly all skills have, read in one pass: scalars in the usual forms, and one level of mappings or
 * lists below a key. Anything else is left to the real parser. A property test holds that both give the same tree.
 */
import type { MapEntry, MapNode, ScalarNode, ScalarStyle, SeqNode, YamlNode } from './yaml-nodes.ts';

const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
const isKeyChar = (unit: number): boolean => isLetter(unit) || unit === 45 || (unit >= 48 && unit <= 57);

/** What cannot start a plain scalar, or starts one only under conditions. */
const INDICATORS = new Set(Array.from('-?:,[]{}#&*!|>\'"%@`<=~', (char) => char.charCodeAt(0)));

const scalar = (style: ScalarStyle, text: string, start: number, end: number): ScalarNode => ({
  range: { start, end },
  tag: undefined,
  anchor: undefined,
  kind: 'scalar',
  style,
  text,
});

const block = (entries: readonly MapEntry[]): MapNode => ({
  range: { start: entries[0]?.key.range.start ?? 0, end: entries.at(-1)?.value.range.end ?? 0 },
  tag: undefined,
  anchor: undefined,
  kind: 'map',
  flow: false,
  entries,
});

const isPlainText = (content: string): boolean =>
  !content.includes(': ') && !content.includes(' #') && !content.endsWith(':');

const isFlowWord = (unit: number): boolean => isKeyChar(unit) || unit === 46 || unit === 47 || unit === 32;

/** `{…}` and `[…]` on one line, with plain words and simple quotes. */
class FlowReader {
  readonly #text: string;
  readonly #end: number;
  #at: number;
  #depth = 0;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
  }

  #skipSpaces(): number {
    while (this.#at < this.#end && this.#text.charCodeAt(this.#at) === 32) this.#at++;
    return this.#at < this.#end ? this.#text.charCodeAt(this.#at) : 0;
  }

  value(): YamlNode | undefined {
    const first = this.#skipSpaces();
    if (first !== 123 && first !== 91) return this.#scalar();
    // The parser has a limit for depth, and says so.
    if (++this.#depth > 8) return undefined;
    const node = first === 123 ? this.#map() : this.#seq();
    this.#depth--;
    return node;
  }

  #scalar(): ScalarNode | undefined {
    const text = this.#text;
    const start = this.#at;
    const first = text.charCodeAt(start);
    if (first === 34 || first === 39) {
      const close = text.indexOf(first === 34 ? '"' : "'", start + 1);
      if (close === -1 || close >= this.#end) return undefined;
      const content = text.slice(start + 1, close);
      // Two single quotes in a row are one inside the text.
      if (content.includes('\\') || text.charCodeAt(close + 1) === first) return undefined;
      this.#at = close + 1;
      return scalar(first === 34 ? 'double' : 'single', content, start, this.#at);
    }
    if (!isLetter(first) && !(first >= 48 && first <= 57)) return undefined;
    while (this.#at < this.#end && isFlowWord(text.charCodeAt(this.#at))) this.#at++;
    let end = this.#at;
    while (text.charCodeAt(end - 1) === 32) end--;
    return scalar('plain', text.slice(start, end), start, end);
  }

  #map(): MapNode | undefined {
    const start = this.#at++;
    const entries: MapEntry[] = [];
    for (let next = this.#skipSpaces(); next !== 125; next = this.#skipSpaces()) {
      if (entries.length > 0) {
        if (next !== 44) return undefined;
        this.#at++;
        this.#skipSpaces();
      }
      const key = this.#scalar();
      if (!key || this.#text.charCodeAt(this.#at) !== 58 || this.#text.charCodeAt(this.#at + 1) !== 32)
        return undefined;
      this.#at++;
      const value = this.value();
      if (!value) return undefined;
      entries.push({ key, name: key.text, value });
    }
    this.#at++;
    return { range: { start, end: this.#at }, tag: undefined, anchor: undefined, kind: 'map', flow: true, entries };
  }

  #seq(): SeqNode | undefined {
    const start = this.#at++;
    const items: YamlNode[] = [];
    for (let next = this.#skipSpaces(); next !== 93; next = this.#skipSpaces()) {
      if (items.length > 0) {
        if (next !== 44) return undefined;
        this.#at++;
      }
      const item = this.value();
      if (!item) return undefined;
      items.push(item);
      // `[a: b]` is a mapping inside a list.
      if (this.#skipSpaces() === 58) return undefined;
    }
    this.#at++;
    return { range: { start, end: this.#at }, tag: undefined, anchor: undefined, kind: 'seq', flow: true, items };
  }
}

/** Reads line by line; `undefined` from any method means: not simple. */
class SimpleReader {
  readonly #text: string;
  readonly #end: number;
  hasFlow = false;
  /** Where the next line starts. */
  #at: number;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
  }

  #lineEnd(): number {
    const found = this.#text.indexOf('\n', this.#at);
    return found === -1 || found > this.#end ? this.#end : found;
  }

  #indent(): number {
    let at = this.#at;
    while (at < this.#end && this.#text.charCodeAt(at) === 32) at++;
    return at - this.#at;
  }

  /** Whether the next line is empty; one of spaces only counts too. */
  #isBlank(): boolean {
    const at = this.#at + this.#indent();
    return at === this.#end || this.#text.charCodeAt(at) === 10;
  }

  document(): MapNode | undefined {
    const entries: MapEntry[] = [];
    while (this.#at < this.#end) {
      const end = this.#lineEnd();
      if (this.#at === end || this.#text.charCodeAt(this.#at) === 35) {
        this.#at = end + 1;
        continue;
      }
      const entry = this.#entry(0, true);
      if (!entry) return undefined;
      entries.push(entry);
    }
    return entries.length === 0 ? undefined : block(entries);
  }

  /** One `key: value`, with all lines that belong to it. */
  #entry(indent: number, mayNest: boolean): MapEntry | undefined {
    const text = this.#text;
    const lineEnd = this.#lineEnd();
    const keyStart = this.#at + indent;
    let at = keyStart;
    if (!isLetter(text.charCodeAt(at))) return undefined;
    while (at < lineEnd && isKeyChar(text.charCodeAt(at))) at++;
    const keyEnd = at;
    if (text.charCodeAt(at) !== 58) return undefined;
    at++;
    if (at < lineEnd && text.charCodeAt(at) !== 32) return undefined;
    while (at < lineEnd && text.charCodeAt(at) === 32) at++;
    this.#at = lineEnd + 1;
    const name = text.slice(keyStart, keyEnd);
    const value = at === lineEnd ? this.#nested(indent, keyEnd + 1, mayNest) : this.#value(at, lineEnd, indent);
    return value && { key: scalar('plain', name, keyStart, keyEnd), name, value };
  }

  /** A value that starts behind its key. */
  #value(start: number, lineEnd: number, indent: number): YamlNode | undefined {
    const text = this.#text;
    let end = lineEnd;
    while (end > start && text.charCodeAt(end - 1) === 32) end--;
    const first = text.charCodeAt(start);
    if (first === 34 || first === 39) {
      const close = text.indexOf(first === 34 ? '"' : "'", start + 1);
      if (close !== end - 1) return undefined;
      const content = text.slice(start + 1, close);
      if (first === 34 && content.includes('\\')) return undefined;
      return this.#isFollowed(indent) ? undefined : scalar(first === 34 ? 'double' : 'single', content, start, end);
    }
    if (first === 123 || first === 91) {
      this.hasFlow = true;
      const flow = new FlowReader(text, start, end).value();
      return flow && flow.range.end === end && !this.#isFollowed(indent) ? flow : undefined;
    }
    if (first === 124 || first === 62) return indent === 0 ? this.#blockScalar(start, end, first === 124) : undefined;
    if (INDICATORS.has(first)) return undefined;
    let content = text.slice(start, end);
    if (!isPlainText(content)) return undefined;
    // Further lines of a plain scalar are indented more than its key.
    while (this.#isFollowed(indent)) {
      const from = this.#at + this.#indent();
      let stop = this.#lineEnd();
      this.#at = stop + 1;
      while (stop > from && text.charCodeAt(stop - 1) === 32) stop--;
      const more = text.slice(from, stop);
      if (text.charCodeAt(from) === 35 || !isPlainText(more)) return undefined;
      content += ` ${more}`;
      end = stop;
    }
    return this.#at < this.#end && this.#isBlank() && this.#continuesAfterBlank(indent)
      ? undefined
      : scalar('plain', content, start, end);
  }

  /** Whether the next line is indented more than `indent` and not blank. */
  #isFollowed(indent: number): boolean {
    return this.#at < this.#end && !this.#isBlank() && this.#indent() > indent;
  }

  /** Whether, behind blank lines, something more indented follows: then the blank lines may be part of a value. */
  #continuesAfterBlank(indent: number): boolean {
    const from = this.#at;
    while (this.#at < this.#end && this.#isBlank()) this.#at = this.#lineEnd() + 1;
    const followed = this.#isFollowed(indent);
    this.#at = from;
    return followed;
  }

  #blockScalar(start: number, headerEnd: number, isLiteral: boolean): ScalarNode | undefined {
    const text = this.#text;
    const header = text.slice(start, headerEnd);
    const strips = header.length === 2 && header.endsWith('-');
    if (header.length !== 1 && !strips) return undefined;
    if (!this.#isFollowed(0)) return undefined;
    const indent = this.#indent();
    const lines: string[] = [];
    let end = this.#at;
    while (this.#at < this.#end) {
      const lineEnd = this.#lineEnd();
      if (this.#at === lineEnd) lines.push('');
      else if (this.#indent() === 0) break;
      else if (this.#indent() < indent || this.#isBlank()) return undefined;
      else lines.push(text.slice(this.#at + indent, lineEnd));
      if (!isLiteral && lines.at(-1)?.startsWith(' ')) return undefined;
      this.#at = Math.min(lineEnd + 1, this.#end);
      end = this.#at;
    }
    // Blank lines at the end belong to the scalar or not, depending on what follows.
    if (lines.at(-1) === '') return undefined;
    const body = isLiteral ? lines.join('\n') : fold(lines);
    return scalar(isLiteral ? 'literal' : 'folded', strips ? body : `${body}\n`, start, end);
  }

  /** What stands below a key without a value: nothing, a mapping, or a list. */
  #nested(parentIndent: number, emptyAt: number, mayNest: boolean): YamlNode | undefined {
    const empty = scalar('plain', '', emptyAt, emptyAt);
    const text = this.#text;
    if (this.#at >= this.#end) return empty;
    if (this.#isBlank()) return this.#continuesAfterBlank(parentIndent) ? undefined : empty;
    const indent = this.#indent();
    const isList = text.charCodeAt(this.#at + indent) === 45;
    if (indent <= parentIndent && !(isList && indent === parentIndent)) return empty;
    if (!mayNest) return undefined;
    if (isList) return this.#list(indent);
    const entries: MapEntry[] = [];
    while (this.#at < this.#end && !this.#isBlank() && this.#indent() === indent) {
      const entry = this.#entry(indent, false);
      if (!entry) return undefined;
      entries.push(entry);
    }
    return this.#endsBelow(indent) ? block(entries) : undefined;
  }

  #list(indent: number): SeqNode | undefined {
    const text = this.#text;
    const items: YamlNode[] = [];
    const start = this.#at + indent;
    while (
      this.#at < this.#end &&
      !this.#isBlank() &&
      this.#indent() === indent &&
      text.charCodeAt(this.#at + indent) === 45
    ) {
      const dash = this.#at + indent;
      const lineEnd = this.#lineEnd();
      if (text.charCodeAt(dash + 1) !== 32) return undefined;
      let at = dash + 1;
      while (at < lineEnd && text.charCodeAt(at) === 32) at++;
      if (at === lineEnd) return undefined;
      this.#at = lineEnd + 1;
      const item = this.#value(at, lineEnd, indent);
      if (item?.kind !== 'scalar' || item.style === 'literal' || item.style === 'folded') return undefined;
      items.push(item);
    }
    if (indent > 0 && !this.#endsBelow(indent)) return undefined;
    const end = items.at(-1)?.range.end ?? start;
    return { range: { start, end }, tag: undefined, anchor: undefined, kind: 'seq', flow: false, items };
  }

  /** Whether the collection that was just read really ends here: what follows is at column 0. */
  #endsBelow(indent: number): boolean {
    if (this.#at >= this.#end) return true;
    if (this.#isBlank()) return !this.#continuesAfterBlank(0);
    return this.#indent() === 0 && indent > 0;
  }
}

/** Lines become one line, blank lines become line breaks. */
const fold = (lines: readonly string[]): string => {
  let out = lines[0] ?? '';
  let blanks = 0;
  for (const line of lines.slice(1)) {
    if (line === '') blanks++;
    else {
      out += blanks === 0 ? ` ${line}` : '\n'.repeat(blanks) + line;
      blanks = 0;
    }
  }
  return out;
};

export interface SimpleYaml {
  readonly root: MapNode;
  readonly hasFlow: boolean;
}

/** The top-level mapping of `text.slice(start, end)`, or nothing if the YAML is not simple. */
export const parseSimpleYaml = (text: string, start: number, end: number): SimpleYaml | undefined => {
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    // Tabs, line breaks other than LF, controls and everything beyond the common planes: the parser knows.
    if (unit < 32 ? unit !== 10 : unit > 126 && (unit < 0xa1 || unit === 0x2028 || unit === 0x2029 || unit >= 0xd800)) {
      return undefined;
    }
  }
  const reader = new SimpleReader(text, start, end);
  const root = reader.document();
  return root && { root, hasFlow: reader.hasFlow };
};
