/** A body as text. A conversation only grows: of a list that begins with the items of the previous one, only the new ones are written. */
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
  let count = 0;
  // Numbers and texts may be equal by chance, and are written the same.
  while (count < items.length && count < old.items.length && items[count] === old.items[count]) count++;
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
  const lists = new Map<string, WrittenList>();
  return (body) => {
    const members: string[] = [];
    for (const [key, value] of Object.entries(body)) {
      if (value === undefined) continue;
      if (!Array.isArray(value)) {
        members.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
        continue;
      }
      const list = writeList(value as readonly Json[], lists.get(key) ?? NOTHING);
      lists.set(key, list);
      members.push(`${JSON.stringify(key)}:[${list.text}]`);
    }
    return `{${members.join(',')}}`;
  };
};
