/** Numbers and excerpts in sentences. */
import { groupDigits } from '../../../base/text.ts';

export const tokensText = (tokens: number): string => `${groupDigits(Math.round(tokens))} tokens`;
export const numberText = (value: number): string => groupDigits(Math.round(value));

const MAX_QUOTE = 80;

/** On one line, between quotation marks. */
export const quote = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').trim();
  return `“${flat.length > MAX_QUOTE ? `${flat.slice(0, MAX_QUOTE)}…` : flat}”`;
};

/** What was there before and what is now; a value may have come or gone. */
export const changeText = (before: string, after: string): string =>
  before === ''
    ? `${quote(after)} (new)`
    : after === ''
      ? `${quote(before)} (removed)`
      : `${quote(before)} then ${quote(after)}`;

export const durationText = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return `${Math.max(0, Math.round(ms))} ms`;
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
};

/** With its article. */
export const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

export const listText = (names: readonly string[]): string => {
  const shown = names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
};
