/**
 * Parses bodies that begin like an earlier one. Conversations grow at their end, so nearly every item of their list was parsed with
 * the body before; those are taken over as the same objects, which must never be changed.
 */
import { type Json, isObject, parseJson } from './json.ts';
import { commonLength } from './json-rescan.ts';
import type { Result } from './result.ts';

interface Known {
  readonly text: string;
  /** Of the list, behind its bracket. */
  readonly start: number;
  readonly items: readonly Json[];
  /** Where each item ends. Shorter than the items if one of them is not an object. */
  readonly ends: readonly number[];
}

/** With fewer items there is nothing to gain. */
const LEAST_ITEMS = 8;
const MOST_KNOWN = 4;

/** The quote behind which a string ends, or the end of the text. */
const stringEnd = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
};

/** Whether the key may be in it, in any spelling: of a key that comes twice the last value counts. */
const mayName = (text: string, key: string): boolean => text.includes(`"${key}"`) || text.includes('\\u');

/** Where the list of that name begins in an object that is JSON; nothing if it has none, or not as written without blanks. */
const listStart = (text: string, key: string): number | undefined => {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (char === '"') {
      const end = stringEnd(text, at + 1);
      if (depth === 1 && end - at - 1 === key.length && text.startsWith(`${key}":[`, at + 1)) return end + 3;
      at = end;
    }
  }
  return undefined;
};

/** Ends of items that are objects, from an offset between two items on. */
const itemEnds = (text: string, from: number): readonly number[] => {
  const ends: number[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      if (depth === 0) break;
      at = stringEnd(text, at + 1);
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth < 0) break;
      if (depth === 0) ends.push(at + 1);
    } else if (depth === 0 && char !== ',') break;
  }
  return ends;
};

export type GrowingParser = (text: string) => Result<Json, string>;

/** `lists`: the keys of an object whose lists grow. */
export const createGrowingParser = (...lists: readonly string[]): GrowingParser => {
  const known = new Map<string, Known[]>();

  const keep = (key: string, entry: Known, old: Known | undefined): void => {
    const others = (known.get(key) ?? []).filter((other) => other !== old);
    known.set(key, [...others, entry].slice(-MOST_KNOWN));
  };

  /** With all that begins it taken from `old`; nothing if it cannot be reported. */
  const continued = (text: string, key: string, old: Known): Json | undefined => {
    const common = commonLength(old.text, text);
    // The same text up to an end means the same items up to there.
    let count = old.ends.length;
    while (count > 0 && (old.ends[count - 1] ?? 0) > common) count--;
    const end = old.ends[count - 1];
    if (end === undefined || count < LEAST_ITEMS) return undefined;
    const rest = text.slice(end);
    // Behind a comma there must be an item.
    if (!/^(?:,\{|\])/.test(rest) || mayName(rest, key)) return undefined;
    const parsed = parseJson(text.slice(0, old.start) + (rest.startsWith(',') ? rest.slice(1) : rest));
    if (!parsed.ok || !isObject(parsed.value)) return undefined;
    const behind = parsed.value[key];
    if (!Array.isArray(behind)) return undefined;
    const items: readonly Json[] = [...old.items.slice(0, count), ...(behind as readonly Json[])];
    const ends = [...old.ends.slice(0, count), ...itemEnds(text, end)];
    keep(key, { text, start: old.start, items, ends }, old);
    return { ...parsed.value, [key]: items };
  };

  return (text) => {
    for (const key of lists)
      for (const old of (known.get(key) ?? []).toReversed()) {
        const value = continued(text, key, old);
        if (value !== undefined) return { ok: true, value };
      }
    const parsed = parseJson(text);
    if (!parsed.ok || !isObject(parsed.value)) return parsed;
    for (const key of lists) {
      const items = parsed.value[key];
      if (!Array.isArray(items) || items.length < LEAST_ITEMS) continue;
      const start = listStart(text, key);
      const ends = start === undefined ? [] : itemEnds(text, start);
      if (start === undefined || mayName(text.slice(ends.at(-1) ?? start), key)) continue;
      keep(key, { text, start, items: items as readonly Json[], ends }, undefined);
    }
    return parsed;
  };
};
