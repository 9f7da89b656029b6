/** Bodies of one conversation repeat each other: read as values whose parts are kept once, they take what is new (TF2). */
import type { Json, JsonObject } from '../../base/json.ts';

export interface SharedValue {
  readonly value: JsonObject;
  /** As it was read, byte for byte. */
  readonly text: () => string;
}

export interface SharedValues {
  /** `text` is what the value was read from. */
  readonly keep: (value: JsonObject, text: string) => SharedValue;
}

/** A shorter text takes less than a place in the list of those that are known. */
const WORTH = 64;

export const createSharedValues = (): SharedValues => {
  const known = new Map<string, Json>();
  const once = (value: Json): Json => {
    const isLong = typeof value === 'string' ? value.length >= WORTH : typeof value === 'object' && value !== null;
    if (!isLong) return value;
    const text = JSON.stringify(value);
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, value);
    return value;
  };
  // Functions of their own: whatever is made beside the text would hold on to it.
  const written = (value: JsonObject) => () => JSON.stringify(value);
  const indented = (value: JsonObject) => () => JSON.stringify(value, null, 2);
  return {
    keep: (value, text) => {
      const shared = Object.fromEntries(
        Object.entries(value).map(([key, part]): [string, Json] => [
          key,
          Array.isArray(part) ? (part as readonly Json[]).map(once) : once(part),
        ]),
      );
      if (JSON.stringify(shared) === text) return { value: shared, text: written(shared) };
      if (/^\{\n {2}"/.test(text) && JSON.stringify(shared, null, 2) === text)
        return { value: shared, text: indented(shared) };
      // Other spaces and the form of numbers are lost in values: such a body is kept as it is.
      return { value: shared, text: () => text };
    },
  };
};
