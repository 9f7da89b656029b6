/** What the tools share: inputs that the dispatcher has checked, text in files, and failures in words. */
import { type Json, isObject } from '../../base/json.ts';
import { ToolError } from './types.ts';
import { workspacePath } from './workspace-path.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const encode = (text: string): Uint8Array => encoder.encode(text);
export const byteLength = (text: string): number => encoder.encode(text).length;

const field = (input: Json, key: string): Json | undefined => (isObject(input) ? input[key] : undefined);

/** The schema has made sure of the types; these only read. */
export const textField = (input: Json, key: string, fallback = ''): string => {
  const value = field(input, key);
  return typeof value === 'string' ? value : fallback;
};

export const numberField = (input: Json, key: string): number | undefined => {
  const value = field(input, key);
  return typeof value === 'number' ? value : undefined;
};

export const pathField = (input: Json, fallback?: string): string => {
  const read = workspacePath(textField(input, 'path', fallback));
  if (!read.ok) throw new ToolError(read.error, 'permission_denied');
  return read.value;
};

/** Text with its byte order mark, if it is text: UTF-8 without NUL. */
export const decodeText = (content: Uint8Array): string | undefined => {
  if (content.includes(0)) return undefined;
  try {
    return decoder.decode(content);
  } catch {
    return undefined;
  }
};

export const quoted = (path: string): string => JSON.stringify(path === '' ? '.' : path);

/** A tree throws for what a model can do wrong (a folder where a file should be): words for the model. */
export const inWords = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof ToolError || !(thrown instanceof Error)) throw thrown;
    throw new ToolError(thrown.message);
  }
};

/** The longest beginning of at most `limit` bytes that ends between two characters; nothing if all of it fits. */
export const cutBytes = (
  text: string,
  limit: number,
): { readonly text: string; readonly total: number } | undefined => {
  if (text.length * 3 <= limit) return undefined;
  const content = encoder.encode(text);
  if (content.length <= limit) return undefined;
  let end = limit;
  while (end > 0 && ((content[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: decoder.decode(content.subarray(0, end)), total: content.length };
};

/** Every place where `part` starts; overlapping ones count. */
const occurrences = (text: string, part: string): readonly number[] => {
  const found: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
};

const lineAt = (text: string, offset: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
};

/** The text with every run of white space as one space, and where each of its characters comes from. */
const collapse = (text: string): { readonly text: string; readonly from: readonly number[] } => {
  const from: number[] = [];
  let out = '';
  for (const { 0: run, index } of text.matchAll(/\s+|\S/g)) {
    out += /\s/.test(run) ? ' ' : run;
    from.push(index);
  }
  return { text: out, from };
};

/** Where a passage stands that differs from `part` only in white space: its line. */
const lineOfSimilar = (text: string, part: string): number | undefined => {
  const wanted = collapse(part).text.trim();
  if (wanted === '') return undefined;
  const { text: collapsed, from } = collapse(text);
  const at = collapsed.indexOf(wanted);
  return at === -1 ? undefined : lineAt(text, from[at] ?? 0);
};

/** Of so many places an error tells the lines, each once. */
const MOST_LINES = 10;

/** Replaces the one occurrence of `old`, or says how often it occurs and what to do. */
export const replaceOnce = (text: string, old: string, by: string, where: string): string => {
  if (old === by) throw new ToolError('old and new are the same: nothing to change', 'validation_error');
  const found = occurrences(text, old);
  const [first] = found;
  if (found.length === 1 && first !== undefined) return text.slice(0, first) + by + text.slice(first + old.length);
  if (found.length > 1) {
    const lines = [...new Set(found.slice(0, MOST_LINES).map((offset) => lineAt(text, offset)))];
    const more = found.length > MOST_LINES ? ', …' : '';
    throw new ToolError(
      `old occurs ${found.length} times in ${where} (lines ${lines.join(', ')}${more}), it must occur exactly once: add text around it`,
    );
  }
  const similar = lineOfSimilar(text, old);
  const lineEnds = text.includes('\r\n') && !old.includes('\r') ? ' (its line ends are CRLF)' : '';
  const hint =
    similar === undefined
      ? 'read it again, it may have changed'
      : `a passage that differs only in white space${lineEnds} starts at line ${similar}: copy it exactly`;
  throw new ToolError(`old occurs 0 times in ${where}, it must occur exactly once: ${hint}`);
};
