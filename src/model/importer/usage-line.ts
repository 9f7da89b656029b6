/** One line of usage: words, arguments and the types of their values. */
import type { ArgumentType } from './types.ts';

export interface UsageWord {
  readonly text: string;
  /** It stood in quotes. */
  readonly isQuoted: boolean;
  /** It stood in square brackets: it may be left out. */
  readonly isOptional: boolean;
}

/** Words by blanks, quotes kept together, a trailing comment and line continuations dropped. */
export const splitUsage = (line: string): readonly UsageWord[] => {
  const words: UsageWord[] = [];
  let text = '';
  let isQuoted = false;
  let hasWord = false;
  let quote = '';
  let brackets = 0;
  const push = (): void => {
    if (hasWord) words.push({ text, isQuoted, isOptional: brackets > 0 || wasBracket });
    text = '';
    isQuoted = false;
    hasWord = false;
    wasBracket = false;
  };
  let wasBracket = false;
  for (const [index, char] of Array.from(line).entries()) {
    if (quote !== '') {
      if (char === quote) quote = '';
      else text += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      isQuoted = true;
      hasWord = true;
    } else if (/\s/.test(char)) push();
    else if (char === '#' && !hasWord) break;
    else if (char === '[' && !hasWord) brackets++;
    else if (char === ']' && brackets > 0) {
      wasBracket = true;
      push();
      brackets--;
    } else if (char === '\\' && index === Array.from(line).length - 1) push();
    else {
      text += char;
      hasWord = true;
    }
  }
  push();
  return words;
};

const DATETIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Items without blanks: `a@x.org,b@x.org`. Prose has a blank behind its commas. */
const LIST = /^[^\s,"'[\]{}]+(?:,[^\s,"'[\]{}]+)+$/;

export const typeOfValue = (value: string): ArgumentType => {
  if (DATETIME.test(value)) return 'datetime';
  if (DATE.test(value)) return 'date';
  if (/^-?\d+$/.test(value)) return 'integer';
  if (/^-?\d+\.\d+$/.test(value)) return 'number';
  if (LIST.test(value) && !/^-?\d{1,3}(?:,\d{3})+$/.test(value) && !value.includes('://')) return 'array';
  return 'string';
};

/** The type that holds for both. */
export const joinTypes = (a: ArgumentType, b: ArgumentType): ArgumentType => {
  if (a === b) return a;
  const both = new Set([a, b]);
  if (both.has('integer') && both.has('number')) return 'number';
  if (both.has('date') && both.has('datetime')) return 'datetime';
  // One value of a list is a list of one, unless it is prose.
  if (both.has('array') && both.has('string')) return 'string';
  return 'string';
};

export interface LineArgument {
  readonly name: string;
  readonly kind: 'flag' | 'positional';
  readonly type: ArgumentType;
  readonly isOptional: boolean;
  readonly isId: boolean;
  readonly choices?: readonly string[];
}

const PLACEHOLDER = /^<([^<>]+)>$|^\{([^{}]+)\}$|^\$?\{?([A-Z][A-Z0-9_]+)\}?$/;
const RANGE = /^(?:[^!\s]+!)?[A-Z]{1,3}\d*:[A-Z]{1,3}\d*$/i;
const PATH =
  /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)|^[\w.-]+\/[\w./-]+$|^[\w-]+\.(?:txt|md|pdf|csv|json|xlsx|docx|png|jpg|zip|html)$/i;

const snake = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '') || 'value';

const isPlaceholder = (word: UsageWord): string | undefined => {
  const match = PLACEHOLDER.exec(word.text);
  return match?.[1] ?? match?.[2] ?? match?.[3];
};

/** What a bare word is called: by its placeholder, by what it looks like, by what the action does with it. */
const positionalName = (word: UsageWord, action: string): string => {
  const placeholder = isPlaceholder(word);
  if (placeholder !== undefined) return snake(placeholder);
  if (RANGE.test(word.text)) return 'range';
  if (/^https?:\/\//.test(word.text)) return 'url';
  if (PATH.test(word.text)) return 'path';
  if (/@[\w-]+\.\w/.test(word.text)) return 'address';
  if (/^(?:search|find|query|grep|lookup)$/.test(action)) return 'query';
  if (typeOfValue(word.text) === 'date' || typeOfValue(word.text) === 'datetime') return 'date';
  return 'text';
};

const choicesOf = (text: string): readonly string[] | undefined =>
  /^[\w.-]+(?:\|[\w.-]+)+$/.test(text) ? text.split('|') : undefined;

/** The arguments behind `domain action`. */
export const readArguments = (words: readonly UsageWord[], action: string): readonly LineArgument[] => {
  const found: LineArgument[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (!word) break;
    if (!word.isQuoted && /^--?[A-Za-z]/.test(word.text)) {
      const equals = word.text.indexOf('=');
      const flag = equals === -1 ? word.text : word.text.slice(0, equals);
      const next = words[index + 1];
      const hasValue =
        equals === -1 &&
        next !== undefined &&
        (next.isQuoted || !/^--?[A-Za-z]/.test(next.text)) &&
        (!next.isOptional || word.isOptional);
      const value = equals === -1 ? (hasValue ? next : undefined) : { ...word, text: word.text.slice(equals + 1) };
      if (hasValue) index++;
      const choices = value && !value.isQuoted ? choicesOf(value.text) : undefined;
      const placeholder = value && isPlaceholder(value);
      found.push({
        name: snake(flag.replace(/^-+/, '')),
        kind: 'flag',
        type: value === undefined ? 'boolean' : placeholder === undefined ? typeOfValue(value.text) : 'string',
        isOptional: word.isOptional,
        isId: false,
        ...(choices && { choices }),
      });
      continue;
    }
    const name = positionalName(word, action);
    found.push({
      name,
      kind: 'positional',
      type:
        isPlaceholder(word) === undefined && name !== 'range' && name !== 'path' && !word.isQuoted
          ? typeOfValue(word.text)
          : 'string',
      isOptional: word.isOptional,
      isId: /(?:^|_)id$/.test(name) && isPlaceholder(word) !== undefined,
    });
  }
  return found;
};

/** Flags that only limit an answer are never needed, however often the examples show them. */
const LIMITS = new Set([
  'max',
  'limit',
  'top',
  'count',
  'n',
  'page_size',
  'max_results',
  'top_k',
  'verbose',
  'format',
  'json',
]);
export const isLimit = (name: string): boolean => LIMITS.has(name);
