/** A body as text. A conversation only grows: of a list that begins with the items of the previous one, only the new ones are written. */
import { sharedItems } from '../../base/growing-list.ts';
import type { Json } from '../../base/json.ts';
import type { WireRequest } from './types.ts';

interface WrittenList {
  readonly items: readonly Json[];
  /** Without brackets. */
  readonly text: string;
  /** Where the text of each item ends. */
  readonly ends: readonly number[];
}

const NOTHING: WrittenList = { items: [], text: '', ends: [] };

const writeList = (items: readonly Json[], old: WrittenList): WrittenList => {
  // Numbers and strings may be equal by chance, and are written the same.
  const count = sharedItems(items, old.items);
  const ends = old.ends.slice(0, count);
  let text = old.text.slice(0, ends.at(-1) ?? 0);
  for (const item of items.slice(count)) {
    text += (text === '' ? '' : ',') + JSON.stringify(item);
    ends.push(text.length);
  }
  return { items, text, ends };
};

/** Gives the same text as `JSON.stringify`. Items of lists must never change once they are in a body. */
export type BodyWriter = (body: WireRequest['body']) => string;

export const createBodyWriter = (): BodyWriter => {
  let lists = new Map<string, WrittenList>();
  return (body) => {
    const written: { readonly key: string; readonly start: number; readonly list: WrittenList }[] = [];
    let text = '';
    for (const [key, value] of Object.entries(body)) {
      if (value === undefined) continue;
      text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:`;
      if (!Array.isArray(value)) {
        text += JSON.stringify(value);
        continue;
      }
      const list = writeList(value as readonly Json[], lists.get(key) ?? NOTHING);
      written.push({ key, start: text.length + 1, list });
      text += `[${list.text}]`;
    }
    text += text === '' ? '{}' : '}';
    // Parts of the one string: a string that was joined from piece to piece in every turn is slow to walk through.
    lists = new Map(
      written.map(({ key, start, list }) => [key, { ...list, text: text.slice(start, start + list.text.length) }]),
    );
    return text;
  };
};
