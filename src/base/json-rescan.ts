/**
 * Scans a body that begins like an earlier one. Conversations grow at their end, so nearly all of a body was scanned with
 * the request before it; nodes of the common part are taken over as the same objects.
 */
import { type JsonFault, type JsonMember, type JsonNode, scanJson } from './json-scan.ts';
import { err, ok, type Result } from './result.ts';

export interface Scanned {
  readonly text: string;
  readonly root: JsonNode;
}

const CHUNK = 1 << 16;

/** How many characters both strings begin with. Slices are compared whole, which is as fast as comparing memory. */
export const commonLength = (left: string, right: string): number => {
  const limit = Math.min(left.length, right.length);
  let at = 0;
  let step = CHUNK;
  while (at < limit && step > 0) {
    const end = Math.min(at + step, limit);
    if (left.slice(at, end) === right.slice(at, end)) at = end;
    else step = end - at === 1 ? 0 : Math.ceil((end - at) / 2);
  }
  return at;
};

const shifted = (node: JsonNode, by: number): JsonNode => {
  const start = node.start + by;
  const end = node.end + by;
  if (node.kind === 'array') return { kind: 'array', start, end, items: node.items.map((item) => shifted(item, by)) };
  if (node.kind === 'object')
    return {
      kind: 'object',
      start,
      end,
      members: node.members.map((member) => shiftedMember(member, by)),
    };
  return { kind: node.kind, start, end };
};

const shiftedMember = (member: JsonMember, by: number): JsonMember => ({
  key: member.key,
  start: member.start + by,
  value: shifted(member.value, by),
});

interface Cut {
  /** Everything before this offset is known. */
  readonly at: number;
  /** Stands in for it while the rest is scanned. */
  readonly head: string;
  readonly index: number;
  /** Items of the array that the cut is in. */
  readonly items?: readonly JsonNode[];
}

/** The last place inside the common part where scanning can start again. */
const cutOf = (members: readonly JsonMember[], common: number): Cut | undefined => {
  for (let index = members.length - 1; index >= 0; index--) {
    const value = members[index]?.value;
    if (value === undefined) continue;
    if (value.end < common) return { at: value.end, head: '{"":0', index };
    if (value.kind !== 'array') continue;
    const last = value.items.findLastIndex((item) => item.end < common);
    const items = value.items.slice(0, last + 1);
    const item = items.at(-1);
    if (item !== undefined) return { at: item.end, head: '{"":[0', index, items };
  }
  return undefined;
};

export const rescanJson = (text: string, before?: Scanned): Result<JsonNode, JsonFault> => {
  if (before?.root.kind !== 'object') return scanJson(text);
  const { members } = before.root;
  const cut = cutOf(members, commonLength(before.text, text));
  const known = cut && members[cut.index];
  if (!cut || !known) return scanJson(text);
  const by = cut.at - cut.head.length;
  const rest = scanJson(cut.head + text.slice(cut.at));
  if (!rest.ok) return err({ offset: Math.max(cut.at, rest.error.offset + by), message: rest.error.message });
  if (rest.value.kind !== 'object') return scanJson(text);
  const [first, ...others] = rest.value.members;
  const tail = first?.value;
  const member: JsonMember =
    cut.items && tail?.kind === 'array'
      ? {
          key: known.key,
          start: known.start,
          value: {
            kind: 'array',
            start: known.value.start,
            end: tail.end + by,
            items: [...cut.items, ...tail.items.slice(1).map((item) => shifted(item, by))],
          },
        }
      : known;
  return ok({
    kind: 'object',
    start: before.root.start,
    end: rest.value.end + by,
    members: [...members.slice(0, cut.index), member, ...others.map((other) => shiftedMember(other, by))],
  });
};

/** Conversations that continue side by side. */
const MOST_RECENT = 4;

/** A string continues with another if it has at least this share of it: tools and system prompt may come after the messages. */
const GOES_ON = 0.5;

export interface RecentTexts<T> {
  /** Of the text that this one begins like most. */
  readonly likest: (text: string) => T | undefined;
  /** Takes the place of the text that it continues with. */
  readonly add: (text: string, value: T) => void;
}

/** What was made of the latest strings of a recording; `drop` is called with what is of no more use. */
export const createRecentTexts = <T>(drop: (value: T) => void = () => {}): RecentTexts<T> => {
  let recent: readonly { readonly text: string; readonly value: T }[] = [];
  /** Who asks for the likest of a string adds it next. */
  let last: ReturnType<typeof compare> | undefined;
  const compare = (text: string) => {
    let [found, most] = [recent[0], -1];
    for (const item of recent) {
      const common = commonLength(item.text, text);
      if (common > most) [found, most] = [item, common];
      if (common > item.text.length * GOES_ON) break;
    }
    return { text, found, most };
  };
  const find = (text: string): ReturnType<typeof compare> => {
    if (last?.text !== text) last = compare(text);
    return last;
  };
  return {
    likest: (text) => find(text).found?.value,
    add: (text, value) => {
      const { found, most } = find(text);
      const before = found && most > found.text.length * GOES_ON ? found : undefined;
      const all = [{ text, value }, ...recent.filter((item) => item !== before)];
      recent = all.slice(0, MOST_RECENT);
      last = undefined;
      for (const item of [before, ...all.slice(MOST_RECENT)]) if (item) drop(item.value);
    },
  };
};
