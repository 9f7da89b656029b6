/** Edits of frontmatter that leave everything else as it is: comments, the order of keys, the body. */
import type { Field, SkillDocument } from './document.ts';
import { typeOfPlain } from './scalar-types.ts';
import type { Fix, FixSafety, TextEdit, TextRange } from './types.ts';
import type { YamlNode } from './yaml-nodes.ts';
import { resolveAlias } from './yaml-tree.ts';

export const editFix = (title: string, safety: FixSafety, edits: readonly TextEdit[], file: string): Fix => ({
  title,
  safety,
  action: { kind: 'edit', file, edits },
});

export const replaceRange = (range: TextRange, text: string): TextEdit => ({ range, text });

/** A scalar on one line that every YAML reader takes for this text. Prefers a form without escapes. */
export const quoteScalar = (text: string): string => {
  if (/^[^"\\\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]*$/.test(text)) return `"${text}"`;
  if (/^[^\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]*$/.test(text)) return `'${text.replace(/'/g, "''")}'`;
  const escaped = text.replace(/["\\\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/g, (char) => {
    if (char === '"' || char === '\\') return `\\${char}`;
    if (char === '\n') return '\\n';
    if (char === '\t') return '\\t';
    const code = char.charCodeAt(0);
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
};

const PLAIN = /^[A-Za-z0-9_(/.][^\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]*$/;

/** Plain where plain is a string in every YAML, quoted otherwise. */
export const writeScalar = (text: string): string =>
  PLAIN.test(text) &&
  !/: |:$| #|[ \t]$/.test(text) &&
  typeOfPlain(text, '1.1') === 'string' &&
  typeOfPlain(text, '1.2') === 'string'
    ? text
    : quoteScalar(text);

/** Where the line of `offset` starts. */
const lineStart = (text: string, offset: number): number => {
  let at = offset;
  while (at > 0 && text.charCodeAt(at - 1) !== 10 && text.charCodeAt(at - 1) !== 13) at--;
  return at;
};

/** After the line ending of the line of `offset`, unless `offset` is already at the start of a line after `from`. */
const lineEndAfter = (text: string, offset: number, from: number): number => {
  if (offset > from && (text.charCodeAt(offset - 1) === 10 || text.charCodeAt(offset - 1) === 13)) return offset;
  let at = offset;
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++;
  if (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10) return at + 2;
  return Math.min(at + 1, text.length);
};

/** The lines of a top-level entry, line endings included. Nothing if it shares a line with another one. */
const entryLines = (document: SkillDocument, field: Field): TextRange | undefined => {
  const { text, root } = document;
  if (root?.flow !== false) return undefined;
  let start = field.key.range.start;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  if (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') return undefined;
  const end = lineEndAfter(text, Math.max(field.value.range.end, field.key.range.end), field.key.range.end);
  return { start, end };
};

/** Something that an edit cannot write again: an alias elsewhere may need the anchor, a tag changes what is written. */
const hasProperties = (node: YamlNode): boolean =>
  node.kind === 'alias' ||
  node.anchor !== undefined ||
  node.tag !== undefined ||
  (node.kind === 'map' && node.entries.some((entry) => hasProperties(entry.key) || hasProperties(entry.value))) ||
  (node.kind === 'seq' && node.items.some(hasProperties));

const isBlockScalar = (node: YamlNode): boolean =>
  node.kind === 'scalar' && (node.style === 'literal' || node.style === 'folded');

/** Where a `#` is text. The header of a block scalar is not part of its text. */
const textRanges = (source: string, node: YamlNode): TextRange[] => {
  if (node.kind === 'map')
    return node.entries.flatMap((entry) => [...textRanges(source, entry.key), ...textRanges(source, entry.value)]);
  if (node.kind === 'seq') return node.items.flatMap((item) => textRanges(source, item));
  if (!isBlockScalar(node)) return [node.range];
  const header = /^[^\r\n]*/.exec(source.slice(node.range.start, node.range.end))?.[0].length ?? 0;
  return [{ start: node.range.start + header, end: node.range.end }];
};

/** The comments of a range that holds one node, in order. */
const commentsIn = (source: string, range: TextRange, node: YamlNode): string[] => {
  const comments: string[] = [];
  const texts = textRanges(source, node);
  let next = 0;
  let at = source.indexOf('#', range.start);
  while (at !== -1 && at < range.end) {
    while ((texts[next]?.end ?? Infinity) <= at) next++;
    const text = texts[next];
    if (text && text.start <= at) {
      at = source.indexOf('#', text.end);
    } else if (at > 0 && !/\s/.test(source[at - 1] ?? '')) {
      at = source.indexOf('#', at + 1);
    } else {
      const comment = /^[^\r\n]*/.exec(source.slice(at, range.end))?.[0] ?? '';
      comments.push(comment.trimEnd());
      at = source.indexOf('#', at + comment.length);
    }
  }
  return comments;
};

/** After the colon of an entry; nothing for an explicit key (`? name`), whose colon is a line of its own or missing. */
const behindColon = (source: string, key: YamlNode): number | undefined => {
  const colon = /^[ \t]*:/.exec(source.slice(key.range.end, key.range.end + 100));
  return colon ? key.range.end + colon[0].length : undefined;
};

/** Replaces a value by a scalar on the key's line. Comments stay, those inside the value after it. */
export const setValue = (document: SkillDocument, field: Field, text: string): TextEdit | undefined => {
  const { value, key } = field;
  const source = document.text;
  const isScalar = value.kind === 'scalar' || value.kind === 'alias';
  if (value.tag !== undefined || (!isScalar && hasProperties(value))) return undefined;
  const isEmpty = value.range.start === value.range.end;
  const isBlock = isBlockScalar(value) || ((value.kind === 'map' || value.kind === 'seq') && !value.flow);
  if (!isEmpty && !isBlock && isScalar) return replaceRange(value.range, text);
  const colon = behindColon(source, key);
  if (colon === undefined || value.anchor !== undefined) return undefined;
  if (isEmpty) return replaceRange({ start: colon, end: colon }, ` ${text}`);
  const { end } = value.range;
  const comments = commentsIn(source, { start: colon, end }, value).map((comment) => ` ${comment}`);
  const endsLine = end > colon && (source.charCodeAt(end - 1) === 10 || source.charCodeAt(end - 1) === 13);
  // Behind a comment there is nothing but the end of the line.
  if (comments.length > 0 && !endsLine && !/^[ \t]*(?:#|[\r\n])/.test(source.slice(end, end + 1000))) return undefined;
  return replaceRange({ start: colon, end }, ` ${text}${comments.join('')}${endsLine ? document.eol : ''}`);
};

/** The same as a fix, where it can be done. */
export const setValueFix = (
  title: string,
  safety: FixSafety,
  document: SkillDocument,
  field: Field,
  text: string,
): Fix | undefined => {
  const edit = setValue(document, field, text);
  return edit && editFix(title, safety, [edit], document.input.fileName);
};

/** Gives an entry the name that was meant. Where only the case differs, nothing else can be meant. */
export const renameKeyFix = (document: SkillDocument, field: Field, name: string): Fix =>
  editFix(
    `Rename \`${field.name}\` to \`${name}\``,
    field.name.toLowerCase() === name ? 'safe' : 'unsafe',
    [replaceRange(field.key.range, name)],
    document.input.fileName,
  );

/** Removes a top-level entry but not its comments. Never the only one: nothing could be said about what is left. */
export const removeEntry = (document: SkillDocument, field: Field): TextEdit | undefined => {
  const lines = entryLines(document, field);
  if (!lines || document.root?.entries.length === 1 || hasProperties(field.key) || hasProperties(field.value))
    return undefined;
  const indent = lineIndent(document, field.key.range.start);
  const behindKey = { start: field.key.range.end, end: lines.end };
  const comments = commentsIn(document.text, behindKey, field.value);
  return replaceRange(lines, comments.map((comment) => indent + comment + document.eol).join(''));
};

/** A mapping in block style takes another line, and so does nothing at all; beside a value such as `null` it is not YAML. */
const takesEntries = ({ root, yaml }: SkillDocument): boolean => {
  if (root) return !root.flow;
  const other = yaml?.root?.range;
  return other === undefined || other.start === other.end;
};

/** Inserts an entry as the last one of the frontmatter. */
export const appendEntry = (document: SkillDocument, lines: readonly string[]): TextEdit | undefined => {
  const { split, root, text } = document;
  if (!split.yaml || split.closingLineStart === undefined || !takesEntries(document)) return undefined;
  // Behind `...` a second document would begin.
  const yaml = text.slice(split.yaml.start, split.yaml.end);
  if (yaml.includes('...') && /^\.\.\.(?:\s|$)/m.test(yaml)) return undefined;
  const at = split.closingLineStart;
  const before = text.charCodeAt(at - 1);
  const glue = at > 0 && before !== 10 && before !== 13 ? document.eol : '';
  const indent = root ? lineIndent(document, root.range.start) : '';
  return replaceRange({ start: at, end: at }, glue + lines.map((line) => indent + line + document.eol).join(''));
};

/** Inserts an entry as the first one. */
export const prependEntry = (document: SkillDocument, line: string): TextEdit | undefined => {
  const { split, root } = document;
  if (!split.yaml || split.closingLineStart === undefined || !takesEntries(document)) return undefined;
  if (root && (root.anchor !== undefined || root.tag !== undefined)) return undefined;
  const indent = root ? lineIndent(document, root.range.start) : '';
  return replaceRange({ start: split.yaml.start, end: split.yaml.start }, indent + line + document.eol);
};

const lineIndent = (document: SkillDocument, offset: number): string => {
  const start = lineStart(document.text, offset);
  return /^[ ]*/.exec(document.text.slice(start, offset))?.[0] ?? '';
};

const scalarInBlock = (document: SkillDocument, node: YamlNode): string | undefined => {
  if (node.kind !== 'scalar') return undefined;
  const source = document.text.slice(node.range.start, node.range.end);
  if (node.style === 'plain') {
    if (source.trim() === '') return '';
    // Alone in a flow collection it is text, behind a colon it is an indicator.
    if (/^[-?:]$/.test(source)) return quoteScalar(source);
    return /[\r\n]/.test(source) || /: |:$| #/.test(node.text) ? quoteScalar(node.text) : source;
  }
  return /[\r\n]/.test(source) ? quoteScalar(node.text) : source;
};

/** The lines of a collection in block style, each with `indent`, without a final line ending. */
const blockLines = (document: SkillDocument, node: YamlNode, indent: string): string[] | undefined => {
  const lines: string[] = [];
  const child = (value: YamlNode, head: string): boolean => {
    if (value.kind === 'scalar') {
      const text = scalarInBlock(document, value) ?? '';
      lines.push(indent + head + (text === '' ? '' : ` ${text}`));
      return true;
    }
    if (value.kind === 'map' || value.kind === 'seq') {
      const empty = value.kind === 'map' ? value.entries.length === 0 : value.items.length === 0;
      if (empty) {
        lines.push(`${indent}${head} ""`);
        return true;
      }
      const nested = blockLines(document, value, `${indent}  `);
      if (!nested) return false;
      lines.push(indent + head, ...nested);
      return true;
    }
    return false;
  };
  if (node.kind === 'map') {
    for (const entry of node.entries) {
      const key = scalarInBlock(document, entry.key);
      if (key === undefined || !child(entry.value, `${key === '' ? '""' : key}:`)) return undefined;
    }
    return lines;
  }
  if (node.kind === 'seq') {
    for (const item of node.items) if (!child(item, '-')) return undefined;
    return lines;
  }
  return undefined;
};

/** Rewrites a flow collection that is the value of a top-level entry; an empty one goes away with its key. */
export const flowToBlock = (document: SkillDocument, field: Field): TextEdit[] | undefined => {
  const { value } = field;
  if ((value.kind !== 'map' && value.kind !== 'seq') || hasProperties(value)) return undefined;
  const lines = entryLines(document, field);
  if (!lines) return undefined;
  const empty = value.kind === 'map' ? value.entries.length === 0 : value.items.length === 0;
  if (empty) {
    const removal = removeEntry(document, field);
    return removal && [removal];
  }
  const indent = lineIndent(document, field.key.range.start);
  const block = blockLines(document, value, `${indent}  `);
  if (!block) return undefined;
  const colon = behindColon(document.text, field.key);
  if (colon === undefined) return undefined;
  const after = document.text.slice(value.range.end, lines.end).replace(/(?<![\r\n])[\r\n]+$/, '');
  const comments = commentsIn(document.text, { start: colon, end: value.range.end }, value);
  const head = document.text.slice(lines.start, colon) + (after.trim() === '' ? '' : ` ${after.trim()}`);
  const all = [...comments.map((comment) => indent + comment), head, ...block];
  const endsWithBreak = /[\r\n]$/.test(document.text.slice(lines.start, lines.end));
  return [replaceRange(lines, all.join(document.eol) + (endsWithBreak ? document.eol : ''))];
};

/** Plain data of a node, for writing it as one string. Never deeper than the tree itself. */
const plainData = (node: YamlNode): unknown => {
  const real = resolveAlias(node);
  if (real === undefined || node.kind === 'alias') return node.kind === 'alias' ? `*${node.name}` : '';
  if (real.kind === 'scalar') return real.text;
  if (real.kind === 'seq') return real.items.map(plainData);
  return real.kind === 'map' ? new Map(real.entries.map((entry) => [entry.name ?? '', plainData(entry.value)])) : '';
};

const toJson = (data: unknown): string => {
  if (data instanceof Map) {
    return `{${[...(data as Map<string, unknown>)].map(([key, value]) => `${JSON.stringify(key)}:${toJson(value)}`).join(',')}}`;
  }
  if (Array.isArray(data)) return `[${data.map(toJson).join(',')}]`;
  return JSON.stringify(data);
};

/** Any value as one string: scalars as they are, lists of scalars with commas, the rest as JSON. */
export const valueAsText = (node: YamlNode): string => {
  const data = plainData(node);
  if (typeof data === 'string') return data;
  if (Array.isArray(data) && data.every((item) => typeof item === 'string' && !item.includes(',')))
    return data.join(', ');
  return toJson(data);
};

const NOTHING = /^(?:~|null|Null|NULL|)$/;

/** Moves a top-level field below `metadata`, as a string. */
export const moveToMetadata = (document: SkillDocument, field: Field): TextEdit[] | undefined => {
  const metadata = document.field('metadata');
  const lines = entryLines(document, field);
  if (!lines || hasProperties(field.key) || hasProperties(field.value)) return undefined;
  const value = metadata?.value;
  const entries = value?.kind === 'map' ? value.entries : [];
  const isTaken = (name: string): boolean =>
    entries.some((entry) => entry.name === name) || (name !== field.name && document.field(name) !== undefined);
  let name = field.name;
  for (let count = 2; isTaken(name); count++) name = `${field.name}-${count}`;
  const comments = commentsIn(document.text, { start: field.key.range.end, end: lines.end }, field.value).map(
    (comment) => ` ${comment}`,
  );
  const line = `${writeScalar(name)}: ${writeScalar(valueAsText(field.value))}${comments.join('')}`;
  const removal = replaceRange(lines, '');
  if (!metadata) {
    const insertion = appendEntry(document, ['metadata:', `  ${line}`]);
    return insertion && [removal, insertion];
  }
  const whole = entryLines(document, metadata);
  const isNothing =
    value?.kind === 'scalar' && value.style === 'plain' && NOTHING.test(value.text) && !hasProperties(value);
  if (!whole || (!isNothing && (value?.kind !== 'map' || value.flow))) return undefined;
  const [first] = entries;
  const indent = first
    ? lineIndent(document, first.key.range.start)
    : `${lineIndent(document, metadata.key.range.start)}  `;
  const insertion: TextEdit = {
    range: { start: whole.end, end: whole.end },
    text: indent + line + document.eol,
    joins: !isNothing,
  };
  const emptied = isNothing && value.range.end > value.range.start ? [replaceRange(value.range, '')] : [];
  return [removal, ...emptied, insertion];
};
