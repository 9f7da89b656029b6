/** What is wanted where the cursor stands. Works on lines, because the YAML around a cursor is seldom whole. */
import type { TextRange } from '../types.ts';

export type Place =
  | { readonly kind: 'empty-file'; readonly range: TextRange }
  | {
      readonly kind: 'field-name';
      readonly range: TextRange;
      readonly present: ReadonlySet<string>;
      readonly hasColon: boolean;
    }
  | { readonly kind: 'field-value'; readonly field: string; readonly range: TextRange }
  | { readonly kind: 'tool'; readonly range: TextRange; readonly present: ReadonlySet<string> }
  | { readonly kind: 'skill-link'; readonly range: TextRange; readonly isClosed: boolean }
  | { readonly kind: 'path'; readonly range: TextRange }
  | { readonly kind: 'body-line'; readonly range: TextRange }
  | { readonly kind: 'none' };

const NONE: Place = { kind: 'none' };
const OPENING = /^\uFEFF?--- *(?:\r\n|\n|\r|$)/;
const KEY = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]|$)/;
const TOOL_FIELDS: ReadonlySet<string> = new Set(['allowed-tools', 'disallowed-tools']);
/** A word that is a path of the skill by its beginning. */
const PATH_WORD = /(?:^|[\s`"'(<])((?:\.\/)?(?:scripts|references|assets)\/[\w./-]*|\.\/[\w./-]*)$/;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const lineOf = (text: string, offset: number): Line => {
  const before = text.slice(0, offset);
  const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const rest = text.slice(offset).search(/[\r\n]/);
  const end = rest === -1 ? text.length : offset + rest;
  return { start, end, text: text.slice(start, end) };
};

/** After the opening line, up to the closing one or the end. */
const frontmatterRange = (text: string): TextRange | undefined => {
  const opening = OPENING.exec(text);
  if (!opening) return undefined;
  const start = opening[0].length;
  const closing = /^---[ \t]*$/m.exec(text.slice(start));
  return { start, end: closing ? start + closing.index : text.length };
};

const fieldsIn = (text: string, { start, end }: TextRange): ReadonlySet<string> =>
  new Set(
    text
      .slice(start, end)
      .split(/\r\n|\n|\r/)
      .flatMap((line) => KEY.exec(line)?.[1] ?? []),
  );

/** The field that an indented line belongs to. */
const fieldAbove = (text: string, from: number, frontStart: number): string | undefined => {
  const lines = text.slice(frontStart, from).split(/\r\n|\n|\r/);
  for (const line of lines.toReversed()) {
    const key = KEY.exec(line)?.[1];
    if (key !== undefined) return key;
    if (line !== '' && !/^[ \t-]/.test(line)) return undefined;
  }
  return undefined;
};

/** The tool before the cursor, as far as it is typed. */
const toolWord = (before: string): string => {
  let depth = 0;
  let start = 0;
  for (let index = 0; index < before.length; index++) {
    const char = before.charAt(index);
    if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && /[\s,"'[\]]/.test(char)) start = index + 1;
  }
  return before.slice(start);
};

const toolNames = (value: string): ReadonlySet<string> =>
  new Set(value.match(/[A-Za-z_][\w-]*(?![\w-])(?=[\s,)("'\]]|$)/g));

const toolPlace = (text: string, offset: number, valueStart: number, line: Line): Place => {
  const word = toolWord(text.slice(valueStart, offset));
  if (word.includes('(')) return NONE;
  const start = offset - word.length;
  const behind = /^[\w-]*/.exec(text.slice(offset, line.end))?.[0].length ?? 0;
  const others = `${text.slice(valueStart, start)} ${text.slice(offset + behind, line.end)}`;
  return { kind: 'tool', range: { start, end: offset + behind }, present: toolNames(others) };
};

const frontmatterPlace = (text: string, offset: number, front: TextRange): Place => {
  const line = lineOf(text, offset);
  const before = text.slice(line.start, offset);
  if (/^[A-Za-z_]?[\w-]*$/.test(before)) {
    const behind = /^[\w-]*/.exec(text.slice(offset, line.end))?.[0].length ?? 0;
    const range = { start: line.start, end: offset + behind };
    const rest = text.slice(range.end, line.end);
    const present = new Set(fieldsIn(text, front));
    const own = KEY.exec(line.text)?.[1];
    if (own !== undefined) present.delete(own);
    return rest.trim() === '' || rest.trimStart().startsWith(':')
      ? { kind: 'field-name', range, present, hasColon: rest.trimStart().startsWith(':') }
      : NONE;
  }
  const key = /^([A-Za-z_][\w-]*)[ \t]*:[ \t]+/.exec(before);
  if (key) {
    const field = key[1] ?? '';
    const valueStart = line.start + key[0].length;
    if (TOOL_FIELDS.has(field)) return toolPlace(text, offset, valueStart, line);
    return { kind: 'field-value', field, range: { start: valueStart, end: line.end } };
  }
  const item = /^[ \t]*(?:-[ \t]+)?/.exec(before)?.[0] ?? '';
  const field = item === '' ? undefined : fieldAbove(text, line.start, front.start);
  if (field === undefined) return NONE;
  if (TOOL_FIELDS.has(field)) return toolPlace(text, offset, line.start + item.length, line);
  return NONE;
};

const bodyPlace = (text: string, offset: number): Place => {
  const line = lineOf(text, offset);
  const before = text.slice(line.start, offset);
  const link = /\[\[([^[\]]*)$/.exec(before);
  if (link) {
    const behind = /^([\w-]*)(\]\])?/.exec(text.slice(offset, line.end));
    return {
      kind: 'skill-link',
      range: { start: offset - (link[1] ?? '').length, end: offset + (behind?.[1] ?? '').length },
      isClosed: behind?.[2] !== undefined,
    };
  }
  const target = /\]\(<?([^()\s<>]*)$/.exec(before) ?? PATH_WORD.exec(before);
  if (target) {
    const behind = /^[\w./-]*/.exec(text.slice(offset, line.end))?.[0].length ?? 0;
    return { kind: 'path', range: { start: offset - (target[1] ?? '').length, end: offset + behind } };
  }
  return /^[\w#`-]*$/.test(before) && line.end === offset
    ? { kind: 'body-line', range: { start: line.start, end: offset } }
    : NONE;
};

export const placeAt = (text: string, offset: number): Place => {
  if (text.trim() === '') return { kind: 'empty-file', range: { start: 0, end: text.length } };
  const front = frontmatterRange(text);
  if (front && offset < front.start) return NONE;
  return front && offset <= front.end ? frontmatterPlace(text, offset, front) : bodyPlace(text, offset);
};
