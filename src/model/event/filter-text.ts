/** The words of a filter, with their places. */
import { err, ok, type Result } from '../../base/result.ts';

export interface FilterFault {
  readonly message: string;
  /** UTF-16 offsets of what is wrong. */
  readonly from: number;
  readonly to: number;
  /** What to write there instead, if it can be reported. */
  readonly suggestion: string | undefined;
}

export interface FilterValue {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface FilterWord {
  readonly from: number;
  readonly to: number;
  readonly isNegated: boolean;
  /** Of `key:value`; as it was written. */
  readonly key: FilterValue | undefined;
  /** One, or several with commas between; a word without a key has one. */
  readonly values: readonly FilterValue[];
}

const SPACE = /\s/;
/** What may be before a colon. */
const KEY = /^[A-Za-z_]+$/;

/** A value in quotes, where `\"` and `\\` are escapes, or one up to a space or comma. */
const readValue = (text: string, from: number, endsAtComma: boolean): Result<FilterValue, FilterFault> => {
  if (text[from] !== '"') {
    let to = from;
    while (to < text.length && !SPACE.test(text.charAt(to)) && !(endsAtComma && text[to] === ',')) to++;
    return ok({ text: text.slice(from, to), from, to });
  }
  let value = '';
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return ok({ text: value, from, to: at + 1 });
    if (char === '\\' && /["\\]/.test(text.charAt(at + 1))) value += text.charAt(++at);
    else value += char;
  }
  // A backslash that would escape the quote is escaped itself.
  const isOpen = /(?<!\\)(?:\\\\)*\\$/.test(text);
  return err({
    message: 'missing closing quote',
    from,
    to: text.length,
    suggestion: `${text.slice(from)}${isOpen ? '\\' : ''}"`,
  });
};

/** All words up to the first that cannot be read. */
export const readWords = (
  text: string,
): { readonly words: readonly FilterWord[]; readonly fault: FilterFault | undefined } => {
  const words: FilterWord[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && SPACE.test(text.charAt(at))) at++;
    if (at >= text.length) return { words, fault: undefined };
    const from = at;
    const isNegated = text[at] === '-' && at + 1 < text.length && !SPACE.test(text.charAt(at + 1));
    if (isNegated) at++;
    const colon = /^[A-Za-z_]*:/.exec(text.slice(at, at + 50))?.[0];
    const name = colon?.slice(0, -1);
    const key = name !== undefined && KEY.test(name) ? { text: name, from: at, to: at + name.length } : undefined;
    if (key) at = key.to + 1;
    const values: FilterValue[] = [];
    for (;;) {
      const value = readValue(text, at, key !== undefined);
      if (!value.ok) return { words, fault: value.error };
      values.push(value.value);
      at = value.value.to;
      if (key === undefined || text[at] !== ',') break;
      at++;
    }
    words.push({ from, to: at, isNegated, key, values });
  }
};
