/** Bodies of one conversation repeat each other: kept by their parts, each text once, they take what is new (TF2). */
import { isObject, type Json, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';

type Part = readonly [key: string, value: string | readonly string[]];

export interface SharedBodies {
  /** Gives the text back as it was, byte for byte. */
  readonly keep: (text: string) => () => string;
}

export const createSharedBodies = (): SharedBodies => {
  const known = new Map<string, string>();
  const once = (value: Json): string => {
    const text = JSON.stringify(value);
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, text);
    return text;
  };
  const write = (parts: readonly Part[]): string =>
    `{${parts
      .map(([key, value]) => `${JSON.stringify(key)}:${typeof value === 'string' ? value : `[${value.join(',')}]`}`)
      .join(',')}}`;
  return {
    keep: (text) => {
      const body = valueOr(parseJson(text), undefined);
      if (!isObject(body)) return () => text;
      const parts = Object.entries(body).map(([key, value]): Part => [
        key,
        Array.isArray(value) ? (value as readonly Json[]).map(once) : once(value),
      ]);
      // Spaces and the form of numbers are lost in parts: such a body is kept as it is.
      return write(parts) === text ? () => write(parts) : () => text;
    },
  };
};
