import type { TextEdit } from '../../model/skill/types.ts';

const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** The one edit that turns a text into another; nothing if they are equal. Never cuts a character in half. */
export const differenceOf = (before: string, after: string): TextEdit | undefined => {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  if (start > 0 && (isLowSurrogate(before.charCodeAt(start)) || isLowSurrogate(after.charCodeAt(start)))) start--;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  if (tail > 0 && isLowSurrogate(before.charCodeAt(before.length - tail))) tail--;
  return { range: { start, end: before.length - tail }, text: after.slice(start, after.length - tail) };
};
