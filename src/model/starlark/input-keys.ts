/** The input keys that a SKILL.md documents. Forms: a list, a table, a line of code spans, or `Input keys: none`. */
import type { TextRange } from '../skill/types.ts';

export interface DocumentedKey {
  readonly name: string;
  readonly range: TextRange;
  /** Its text says `optional` or `default`. */
  readonly optional: boolean;
}

export interface DocumentedKeys {
  /** `listed` also when the list is in a form that cannot be read; `keys` is then empty. */
  readonly state: 'absent' | 'none' | 'listed';
  readonly keys: readonly DocumentedKey[];
  /** Where another key would be added, as lines of their own. */
  readonly insertAt: number;
}

const HEAD = /^[ \t>#*_-]*input keys?\b[*_]*[ \t]*:?[*_]*[ \t]*/im;
const ITEM =
  /^[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]+[*_]*(?:`([^`\r\n]{1,100})`|([A-Za-z_][\w-]{0,99})(?=[*_]*[ \t]*(?:[:–—(-]|$)))/;
const ROW = /^[ \t>]*\|[ \t]*`([^`|\r\n]{1,100})`[ \t]*\|/;
const SPAN = /`([A-Za-z_][\w-]{0,99})`/g;
const FENCE = /^[ \t>]*(?:```|~~~)/;

interface Line {
  readonly start: number;
  readonly text: string;
}

const linesFrom = (text: string, from: number): Line[] => {
  const lines: Line[] = [];
  for (let start = from; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    lines.push({ start, text: text.slice(start, end).replace(/\r$/, '') });
    if (newline === -1) break;
    start = newline + 1;
  }
  return lines;
};

const isOptional = (text: string): boolean => /\boptional|\bdefault/i.test(text);

/** `from` is where the body starts. */
export const documentedInputKeys = (text: string, from = 0): DocumentedKeys => {
  const head = HEAD.exec(text.slice(from));
  if (!head) return { state: 'absent', keys: [], insertAt: text.length };
  const headStart = from + head.index;
  const [headLine, ...rest] = linesFrom(text, headStart);
  const after = (headLine?.text ?? '').slice(head[0].length);
  const lineEnd = headStart + (headLine?.text.length ?? 0);
  if (/^[*_`]*none[*_`]*[ \t]*(?:\.[ \t]*)?$/i.test(after)) return { state: 'none', keys: [], insertAt: lineEnd };

  const keys: DocumentedKey[] = [];
  const add = (name: string, at: number, line: string): void => {
    if (!keys.some((key) => key.name === name)) {
      keys.push({ name, range: { start: at, end: at + name.length }, optional: isOptional(line) });
    }
  };
  for (const span of after.matchAll(SPAN)) {
    add(span[1] ?? '', headStart + head[0].length + span.index + 1, after);
  }
  let insertAt = lineEnd;
  let last: { index: number; text: string } | undefined;
  for (const line of rest) {
    const match = ITEM.exec(line.text) ?? ROW.exec(line.text);
    const name = match?.[1] ?? match?.[2];
    if (match && name !== undefined) {
      add(name, line.start + line.text.indexOf(name, match.index), line.text);
      last = { index: keys.length - 1, text: line.text };
      insertAt = line.start + line.text.length;
      continue;
    }
    if (FENCE.test(line.text)) break;
    if (line.text.trim() === '' || /^[ \t>]*\|/.test(line.text)) continue;
    // The item continues in an indented line.
    if (last && /^[ \t]/.test(line.text)) {
      const key = keys[last.index];
      if (key && isOptional(line.text)) keys[last.index] = { ...key, optional: true };
      insertAt = line.start + line.text.length;
      continue;
    }
    // A sentence may stand between the head and the list.
    if (keys.length > 0 || /^[ \t]*#/.test(line.text)) break;
  }
  return { state: 'listed', keys, insertAt };
};
