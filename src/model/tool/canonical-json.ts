import { type Json, isObject } from '../../base/json.ts';
import { compareCodePoints } from '../../base/text.ts';

/** Compact, keys sorted by code point: equal inputs give equal text. */
export const sortedJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(sortedJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => compareCodePoints(a, b));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${sortedJson(item)}`).join(',')}}`;
};
