import { compareCodePoints } from '../../base/text.ts';
import type { Json } from '../provider/types.ts';

export const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compact, keys sorted by code point: equal inputs give equal text. */
export const sortedJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(sortedJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => compareCodePoints(a, b));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${sortedJson(item)}`).join(',')}}`;
};
