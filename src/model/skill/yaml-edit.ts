/** Edits of frontmatter that leave everything else as it is: comments, the order of keys, the body. */
import type { Field, SkillDocument } from './document.ts';
import { typeOfPlain } from './scalar-types.ts';
import type { Fix, FixSafety, TextEdit, TextRange } from './types.ts';
import { resolveAlias, type YamlNode } from './yaml-tree.ts';

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
  PLAIN.test(text) && !/: |:$| #|[ \t]$/.test(text) && typeOfPlain(text, '1.1') === 'string' && typeOfPlain(text, '1.2') === 'string'
    ? text
    : quoteScalar(text);

/** Where the line of `offset` starts. */
export const lineStart = (text: string, offset: number): number => {
  let at = offset;
  while (at > 0 && text.charCodeAt(at - 1) !== 10 && text.charCodeAt(at - 1) !== 13) at--;
  return at;
};

/** Behind the line ending of the line of `offset`, unless `offset` is already at the start of a line after `from`. */
const lineEndAfter = (text: string, offset: number, from: number): number => {
  if (offset > from && (text.charCodeAt(offset - 1) === 10 || text.charCodeAt(offset - 1) === 13)) return offset;
  let at = offset;
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++;
  if (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10) return at + 2;
  return Math.min(at + 1, text.length);
};

/** The lines of a top-level entry, line endings included. Nothing if it shares a line with another one. */
export const entryLines = (document: SkillDocument, field: Field): TextRange | undefined => {
  const { text, root } = document;
  if (root?.flow !== false) return undefined;
  const start = lineStart(text, field.key.range.start);
  const end = lineEndAfter(text, Math.max(field.value.range.end, field.key.range.end), field.key.range.end);
  if (text.slice(start, field.key.range.start).trim() !== '') return undefined;
  return { start, end };
};

/** Replaces a value by a scalar on the key's line; a comment behind the value stays. */
export const setValue = (document: SkillDocument, field: Field, text: string): TextEdit => {
  const { value, key } = field;
  const source = document.text;
  const isBlock =
    (value.kind === 'scalar' && (value.style === 'literal' || value.style === 'folded')) ||
    ((value.kind === 'map' || value.kind === 'seq') && !value.flow);
  if (value.range.start === value.range.end || isBlock) {
    const colon = source.indexOf(':', key.range.end);
    const at = colon === -1 ? key.range.end : colon + 1;
    if (!isBlock) return replaceRange({ start: at, end: value.range.end > at ? value.range.end : at }, ` ${text}`);
    const end = value.range.end;
    const endsLine = end > at && (source.charCodeAt(end - 1) === 10 || source.charCodeAt(end - 1) === 13);
    return replaceRange({ start: at, end }, ` ${text}${endsLine ? document.eol : ''}`);
  }
  return replaceRange(value.range, text);
};

/** Inserts an entry as the last one of the frontmatter. */
export const appendEntry = (document: SkillDocument, lines: string): TextEdit | undefined => {
  const { split, root, text } = document;
  if (split.closingLineStart === undefined || root?.flow === true) return undefined;
  const at = split.closingLineStart;
  const before = text.charCodeAt(at - 1);
  const glue = at > 0 && before !== 10 && before !== 13 ? document.eol : '';
  return replaceRange({ start: at, end: at }, glue + lines.replace(/\n/g, document.eol));
};

/** Inserts an entry as the first one. */
export const prependEntry = (document: SkillDocument, line: string): TextEdit | undefined => {
  const { split, root } = document;
  if (!split.yaml || root?.flow === true || split.closingLineStart === undefined) return undefined;
  const indent = root ? lineIndent(document, root.range.start) : '';
  return replaceRange({ start: split.yaml.start, end: split.yaml.start }, indent + line + document.eol);
};

export const lineIndent = (document: SkillDocument, offset: number): string => {
  const start = lineStart(document.text, offset);
  return /^[ ]*/.exec(document.text.slice(start, offset))?.[0] ?? '';
};

const hasProperties = (node: YamlNode): boolean =>
  node.kind === 'alias' ||
  node.anchor !== undefined ||
  node.tag !== undefined ||
  (node.kind === 'map' && node.entries.some((entry) => hasProperties(entry.key) || hasProperties(entry.value))) ||
  (node.kind === 'seq' && node.items.some(hasProperties));

const scalarInBlock = (document: SkillDocument, node: YamlNode): string | undefined => {
  if (node.kind !== 'scalar') return undefined;
  const source = document.text.slice(node.range.start, node.range.end);
  if (node.style === 'plain') {
    if (source.trim() === '') return '';
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

const commentsInside = (source: string): string[] =>
  source.split(/\r\n?|\n/).flatMap((line) => /(?:^|\s)(#.*)$/.exec(line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ''))?.[1] ?? []);

/** Rewrites a flow collection that is the value of a top-level entry; an empty one goes away with its key. */
export const flowToBlock = (document: SkillDocument, field: Field): TextEdit[] | undefined => {
  const { value } = field;
  if ((value.kind !== 'map' && value.kind !== 'seq') || hasProperties(value)) return undefined;
  const lines = entryLines(document, field);
  if (!lines) return undefined;
  const empty = value.kind === 'map' ? value.entries.length === 0 : value.items.length === 0;
  if (empty) return [replaceRange(lines, '')];
  const indent = lineIndent(document, field.key.range.start);
  const block = blockLines(document, value, `${indent}  `);
  if (!block) return undefined;
  const colon = document.text.indexOf(':', field.key.range.end);
  const after = document.text.slice(value.range.end, lines.end).replace(/[\r\n]+$/, '');
  const comments = commentsInside(document.text.slice(value.range.start, value.range.end));
  const head = document.text.slice(lines.start, colon + 1) + (after.trim() === '' ? '' : ` ${after.trim()}`);
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
  if (Array.isArray(data) && data.every((item) => typeof item === 'string' && !item.includes(','))) return data.join(', ');
  return toJson(data);
};

/** Moves a top-level field below `metadata`, as a string. */
export const moveToMetadata = (document: SkillDocument, field: Field): TextEdit[] | undefined => {
  const metadata = document.field('metadata');
  const lines = entryLines(document, field);
  if (!lines || field.value.kind === 'alias' || hasProperties(field.value)) return undefined;
  const taken = new Set<string>();
  let indent = '  ';
  let insertAt: number | undefined;
  if (metadata) {
    const { value } = metadata;
    const whole = entryLines(document, metadata);
    const isEmpty = value.kind === 'scalar' && value.text === '' && value.style === 'plain';
    if (!whole || (!isEmpty && (value.kind !== 'map' || value.flow))) return undefined;
    insertAt = whole.end;
    if (value.kind === 'map') {
      for (const entry of value.entries) if (entry.name !== undefined) taken.add(entry.name);
      const first = value.entries[0];
      if (first) indent = lineIndent(document, first.key.range.start);
    }
  }
  let name = field.name;
  for (let count = 2; taken.has(name); count++) name = `${field.name}-${count}`;
  const text = valueAsText(field.value);
  const comment = /[ \t]#[^\r\n]*$/.exec(document.text.slice(field.value.range.end, lines.end).replace(/[\r\n]+$/, ''))?.[0] ?? '';
  const line = `${indent}${writeScalar(name)}: ${writeScalar(text)}${comment}${document.eol}`;
  const removal = replaceRange(lines, '');
  if (insertAt === undefined) {
    const insertion = appendEntry(document, `metadata:\n${line.replace(/\r?\n$/, '')}\n`);
    return insertion && [removal, insertion];
  }
  const needsBreak = insertAt > 0 && !/[\r\n]/.test(document.text[insertAt - 1] ?? '');
  return [removal, replaceRange({ start: insertAt, end: insertAt }, (needsBreak ? document.eol : '') + line)];
};
