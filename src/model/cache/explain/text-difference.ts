/** Two versions of one block: where they part, and what kind of difference it is. */
import { type JsonNode, nodeAt, scanJson } from '../../../base/json-scan.ts';
import { canonicalJson } from '../read-parts.ts';
import { commonLength } from '../../../base/json-rescan.ts';
import type { CacheBlock } from '../types.ts';
import type { VerdictPosition } from './types.ts';

const EXCERPT = 60;
const LEAD = 20;

/** The text around an offset, on one line. */
const excerpt = (text: string, offset: number): string => {
  const from = Math.max(0, offset - LEAD);
  const to = Math.min(text.length, offset + EXCERPT - LEAD);
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
};

interface Leaf {
  readonly path: readonly (string | number)[];
  readonly node: JsonNode;
}

/** The innermost value at an offset. */
const leafAt = (root: JsonNode, offset: number): Leaf => {
  const path: (string | number)[] = [];
  let node = root;
  for (;;) {
    const inside = (child: JsonNode): boolean => child.start <= offset && offset < child.end;
    if (node.kind === 'object') {
      const member = node.members.find(({ value }) => inside(value));
      if (!member) return { path, node };
      path.push(member.key);
      node = member.value;
    } else if (node.kind === 'array') {
      const index = node.items.findIndex(inside);
      if (index === -1) return { path, node };
      path.push(index);
      node = node.items[index] as JsonNode;
    } else return { path, node };
  }
};

const stringAtPath = (
  text: string,
  root: JsonNode | undefined,
  path: readonly (string | number)[],
): string | undefined => {
  const node = root && nodeAt(root, path);
  return node?.kind === 'string' ? (JSON.parse(text.slice(node.start, node.end)) as string) : undefined;
};

const spell = (path: readonly (string | number)[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('');

export interface BlockDifference {
  readonly position: VerdictPosition;
  /** The strings at the place where they differ, if it is inside a string of both. */
  readonly texts?: { readonly before: string; readonly after: string };
}

const scanned = (text: string): JsonNode | undefined => {
  const scan = scanJson(text);
  return scan.ok ? scan.value : undefined;
};

/** The first difference of two versions of a block, named as the later request names it. */
export const differenceOf = (before: CacheBlock, after: CacheBlock): BlockDifference => {
  const raw = commonLength(before.text, after.text);
  const [oldRoot, newRoot] = [scanned(before.text), scanned(after.text)];
  // The strings may part right behind a value, as where one is longer.
  const leaf = newRoot && leafAt(newRoot, Math.min(raw, after.text.length - 1));
  const path = leaf?.path ?? [];
  const oldText = stringAtPath(before.text, oldRoot, path);
  const newText = stringAtPath(after.text, newRoot, path);
  if (oldText !== undefined && newText !== undefined && oldText !== newText) {
    const offset = commonLength(oldText, newText);
    const position = {
      label: after.label,
      path: spell(path),
      offset,
      before: excerpt(oldText, offset),
      after: excerpt(newText, offset),
    };
    return { position, texts: { before: oldText, after: newText } };
  }
  return {
    position: {
      label: after.label,
      path: '',
      offset: raw,
      before: excerpt(before.text, raw),
      after: excerpt(after.text, raw),
    },
  };
};

/** A block as a whole: it came, went or was replaced. */
export const blockPosition = (
  label: string,
  before: CacheBlock | undefined,
  after: CacheBlock | undefined,
): VerdictPosition => ({
  label,
  path: '',
  offset: 0,
  before: before ? excerpt(before.text, 0) : '',
  after: after ? excerpt(after.text, 0) : '',
});

/** The value of a block's text; a member of a message is `"key":value`, and stands for itself. */
export const parsedText = (text: string): unknown => {
  const root = scanned(text);
  return root ? (JSON.parse(text) as unknown) : text;
};

/** OpenAI's wires carry the input of a call as JSON inside a string. */
const withArguments = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (key === 'function') return [key, withArguments(member)];
    return key === 'arguments' && typeof member === 'string' ? [key, parsedText(member)] : [key, member];
  });
  return Object.fromEntries(entries);
};

/** The same values, written otherwise. */
export const isSameValue = (before: CacheBlock, after: CacheBlock): boolean => {
  const value = ({ text }: CacheBlock): string => canonicalJson(withArguments(parsedText(text)));
  return before.role === after.role && value(before) === value(after);
};

const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF\u00AD]/g;

const normalised = (text: string): string =>
  text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n+/g, '\n')
    .trim();

const normalisedValue = (value: unknown): unknown => {
  if (typeof value === 'string') return normalised(value);
  if (Array.isArray(value)) return value.map(normalisedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normalisedValue(member)]));
};

/** Equal once line ends, spaces and the composition of characters do not count. */
export const isSameButSpace = (before: CacheBlock, after: CacheBlock): boolean =>
  before.role === after.role &&
  canonicalJson(normalisedValue(parsedText(before.text))) === canonicalJson(normalisedValue(parsedText(after.text)));

const commonEnd = (left: string, right: string, limit: number): number => {
  let count = 0;
  while (count < limit && left.charCodeAt(left.length - 1 - count) === right.charCodeAt(right.length - 1 - count))
    count++;
  return count;
};

/** Two versions of one block rather than two blocks: half of it is at its beginning or end in both. */
export const isAlike = (before: CacheBlock | undefined, after: CacheBlock | undefined): boolean => {
  if (!before || !after || before.kind !== after.kind || before.tier !== after.tier || before.role !== after.role)
    return false;
  const shorter = Math.min(before.text.length, after.text.length);
  const head = commonLength(before.text, after.text);
  const longer = Math.max(before.text.length, after.text.length);
  return head + commonEnd(before.text, after.text, shorter - head) >= longer / 2;
};

/** What about the space differs, in words. */
export const spaceKind = (before: string, after: string): string => {
  if (before.replace(/\r\n?/g, '\n') === after.replace(/\r\n?/g, '\n')) return 'line endings (CRLF or LF)';
  if (before.normalize('NFC') === after.normalize('NFC')) return 'the Unicode form (composed or decomposed characters)';
  if (before.replace(INVISIBLE, '') === after.replace(INVISIBLE, '')) return 'invisible characters';
  if (
    before.replace(/(?<![^\S\n])[^\S\n]+$/gm, '').trimEnd() === after.replace(/(?<![^\S\n])[^\S\n]+$/gm, '').trimEnd()
  )
    return 'trailing spaces';
  return 'whitespace';
};
