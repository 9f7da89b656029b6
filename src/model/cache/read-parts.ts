/** What the readers of all wires share. */
import { createGrowingList, sharedItems } from '../../base/growing-list.ts';
import { copied } from '../../base/text.ts';
import { itemsOf, type JsonNode, memberOf, valueOf } from '../../base/json-scan.ts';
import type { CacheBlock, RequestFault } from './types.ts';

/** What one item of a body's array (a tool, a message) adds to the request. */
export interface ReadItem {
  readonly blocks: readonly CacheBlock[];
  readonly faults: readonly RequestFault[];
  readonly role: string;
}

/**
 * Items that were read, by array and index. An item that was taken over from an earlier scan is the same node at the same
 * index, and is not read again.
 */
export class ItemCache {
  readonly #before: ReadonlyMap<string, Known>;
  readonly kept = new Map<string, Known>();

  constructor(before?: ItemCache) {
    this.#before = before?.kept ?? new Map<string, Known>();
  }

  /** One item per node; `scope` must be equal for what was read to be valid still. */
  read(
    name: string,
    nodes: readonly JsonNode[],
    scope: string,
    read: (node: JsonNode, index: number) => ReadItem,
  ): readonly ReadItem[] {
    const known = this.#before.get(name);
    const shared = known?.scope === scope ? sharedItems(known.nodes, nodes) : 0;
    const items = known?.items.slice(0, shared) ?? [];
    for (let index = shared; index < nodes.length; index++) {
      const item = read(nodes[index] as JsonNode, index);
      items.push({ ...item, blocks: item.blocks.map(uniform) });
    }
    this.kept.set(name, { nodes, scope, items });
    return items;
  }
}

interface Known {
  readonly nodes: readonly JsonNode[];
  readonly scope: string;
  readonly items: readonly ReadItem[];
}

const NONE: readonly RequestFault[] = [];

/** One shape for all: thousands of blocks are walked through at every turn, and that is several times faster if they are alike. */
const uniform = (block: CacheBlock): CacheBlock => {
  const { tier, label, kind, role, text, start, end, marker, message, unmarkable, deferred, images, citations } = block;
  const all = { tier, label, kind, role, text, start, end, marker, message, unmarkable, deferred, images, citations };
  return all as CacheBlock;
};

/** All blocks of items, in order. */
export const blocksOf = (items: readonly ReadItem[]): CacheBlock[] => {
  const blocks: CacheBlock[] = [];
  for (const item of items) {
    const [only] = item.blocks;
    if (item.blocks.length === 1 && only) blocks.push(only);
    else blocks.push(...item.blocks);
  }
  return blocks;
};

/** Whether any block up to here has an image, and whether any has citations. */
export const extrasOf = createGrowingList<CacheBlock, { readonly images: boolean; readonly citations: boolean }>(
  (block, _, before = { images: false, citations: false }) => {
    const images = before.images || block.images !== undefined;
    const citations = before.citations || block.citations === true;
    return images === before.images && citations === before.citations ? before : { images, citations };
  },
);

export const faultsOf = (items: readonly ReadItem[]): readonly RequestFault[] =>
  items.some((item) => item.faults.length > 0) ? items.flatMap((item) => item.faults) : NONE;

/** Keys sorted, no spaces: two strings are equal if and only if the values are. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
};

export const stringAt = (body: string, node: JsonNode | undefined, key: string): string | undefined => {
  const member = memberOf(node, key);
  return member?.kind === 'string' ? (valueOf(body, member) as string) : undefined;
};

const isNull = (body: string, node: JsonNode): boolean => node.kind === 'literal' && body[node.start] === 'n';

/** A member that is there and not `null`. */
export const presentMember = (body: string, node: JsonNode | undefined, key: string): JsonNode | undefined => {
  const member = memberOf(node, key);
  return member && !isNull(body, member) ? member : undefined;
};

type Range = readonly [from: number, to: number];

/** Where blocks can have blocks of their own. Nothing else is searched: a tool may well have a parameter of that name. */
const NESTED = ['content', 'source', 'output'];

const rangesWithout = (node: JsonNode, keys: ReadonlySet<string>, isOuter: boolean, ranges: Range[]): void => {
  if (node.kind === 'array') for (const item of node.items) rangesWithout(item, keys, false, ranges);
  if (node.kind !== 'object') return;
  const { members } = node;
  let kept: number | undefined;
  members.forEach((member, index) => {
    // Only the block itself has other keys to lose; deeper down it is markers alone.
    const isDropped = isOuter ? keys.has(member.key) : MARKER_KEYS.has(member.key);
    if (!isDropped) {
      kept = member.value.end;
      if (NESTED.includes(member.key)) rangesWithout(member.value, keys, false, ranges);
      return;
    }
    const next = members[index + 1];
    ranges.push(next ? [member.start, next.start] : [kept ?? members[0]?.start ?? member.start, member.value.end]);
  });
};

/** Markers are not part of a prompt, on any wire. */
export const MARKER_KEYS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);

/** The raw text of a block without some of its members, and without markers of blocks inside it. */
export const textWithout = (body: string, node: JsonNode, keys: ReadonlySet<string> = MARKER_KEYS): string => {
  const ranges: Range[] = [];
  rangesWithout(node, keys, true, ranges);
  if (ranges.length === 0) return copied(body.slice(node.start, node.end));
  let text = '';
  let at = node.start;
  for (const [from, to] of ranges.toSorted((left, right) => left[0] - right[0])) {
    if (from > at) text += body.slice(at, from);
    at = Math.max(at, to);
  }
  return copied(text + body.slice(at, node.end));
};

/** A string in place of a list of blocks stands for one text block; providers say that both mean the same. */
export const asTextBlock = (type: string, body: string, node: JsonNode): string =>
  copied(`{"type":"${type}","text":${body.slice(node.start, node.end)}}`);

export const isEmptyString = (node: JsonNode | undefined): boolean =>
  node?.kind === 'string' && node.end - node.start === 2;

const IMAGES: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);

export const countImages = (body: string, node: JsonNode): number => {
  if (IMAGES.has(stringAt(body, node, 'type') ?? '')) return 1;
  return NESTED.flatMap((key) => itemsOf(memberOf(node, key))).reduce(
    (sum, item) => sum + (item.kind === 'object' ? countImages(body, item) : 0),
    0,
  );
};

/** `messages[0].content[1]` as providers write it in messages: `messages.0.content.1`. */
export const dotted = (label: string): string => label.replace(/\[(\d+)\]/g, '.$1');

export const fault = (rule: string, message: string): RequestFault => ({ rule, message, status: 400 });

/** Canonical text of parameters; a dot in a name leads into an object. `null` counts as absent. */
export const readParams = (
  body: string,
  root: JsonNode,
  names: readonly string[],
  into = new Map<string, string>(),
): Map<string, string> => {
  for (const name of names) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    const parent = path.reduce<JsonNode | undefined>((node, key) => memberOf(node, key), root);
    const member = presentMember(body, parent, last);
    if (member) into.set(name, canonicalJson(valueOf(body, member)));
  }
  return into;
};
