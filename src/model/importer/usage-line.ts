/** One line of usage: words, arguments and the types of their values. */
import type { ArgumentType } from './types.ts';

export interface UsageWord {
  readonly text: string;
  /** Some of it was in quotes. */
  readonly isQuoted: boolean;
  /** All of it did: `--to="a b"` is still an option. */
  readonly isLiteral: boolean;
  /** It was in square brackets: it may be left out. */
  readonly isOptional: boolean;
}

/** Where the command ends and another, or a file, begins. */
const CUT = /^(?:\|{1,2}|&{1,2}|;|\d*>{1,2}\S*|<<?<?)$/;

/** Words by blanks, quotes kept together; a trailing comment, a pipe and a redirection are not part of it. */
export const splitUsage = (line: string): readonly UsageWord[] => {
  const words: UsageWord[] = [];
  let text = '';
  let isQuoted = false;
  let isLiteral = false;
  let hasWord = false;
  let quote = '';
  let brackets = 0;
  const push = (): void => {
    if (hasWord) words.push({ text, isQuoted, isLiteral, isOptional: brackets > 0 || wasBracket });
    text = '';
    isQuoted = false;
    isLiteral = false;
    hasWord = false;
    wasBracket = false;
  };
  let wasBracket = false;
  const chars = Array.from(line);
  let isEscaped = false;
  for (const [index, char] of chars.entries()) {
    if (isEscaped) {
      isEscaped = false;
      text += char;
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else if (char === '\\' && quote === '"' && /["\\$`]/.test(chars[index + 1] ?? '')) isEscaped = true;
      else text += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      isQuoted = true;
      if (!hasWord) isLiteral = true;
      hasWord = true;
    } else if (/\s/.test(char)) push();
    else if (char === '#' && !hasWord) break;
    else if (char === '[' && !hasWord) brackets++;
    else if (char === ']' && brackets > 0) {
      wasBracket = true;
      push();
      brackets--;
    } else if (char === '\\' && index === chars.length - 1) push();
    else {
      text += char;
      hasWord = true;
    }
  }
  push();
  const end = words.findIndex((word) => !word.isQuoted && CUT.test(word.text));
  return words
    .slice(0, end === -1 ? undefined : end)
    .filter((word) => word.isQuoted || !/^(?:\.{2,}|…|--)$/.test(word.text))
    .map((word) => (word.isQuoted ? word : Object.assign(word, { text: word.text.replace(/(?:\.{3}|…|;)$/, '') })));
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
export const joinTypes = (a: ArgumentType | undefined, b: ArgumentType | undefined): ArgumentType | undefined => {
  if (a === b || b === undefined) return a;
  if (a === undefined) return b;
  const both = new Set([a, b]);
  if (both.has('integer') && both.has('number')) return 'number';
  if (both.has('date') && both.has('datetime')) return 'datetime';
  return 'string';
};

export interface LineArgument {
  readonly name: string;
  readonly kind: 'flag' | 'positional';
  /** Of a flag, as it is written. */
  readonly flag?: string;
  /** Nothing for a placeholder that does not say: other examples decide. */
  readonly type: ArgumentType | undefined;
  /** One word: beside a list it is a list of one; prose is none. */
  readonly isWord: boolean;
  readonly isOptional: boolean;
  readonly isId: boolean;
  readonly choices?: readonly string[];
}

const PLACEHOLDER = /^<([^<>]+)>$|^\{([^{}]+)\}$|^\$?\{?([A-Z][A-Z0-9_]+|[A-Z]|YYYY-MM-DD)\}?$/;
/** What the name of a placeholder says about its values. */
const typeOfPlaceholder = (name: string): ArgumentType | undefined => {
  const word = name.toLowerCase().replace(/[\s-]+/g, '_');
  if (/^(?:n|num|number|count|int|integer|limit|max|page|offset|days|hours|minutes|seconds)$/.test(word))
    return 'integer';
  if (/^(?:float|decimal|amount)$/.test(word)) return 'number';
  if (/^(?:date|day|yyyy_mm_dd)$|_date$/.test(word)) return 'date';
  if (/^(?:date_?time|timestamp|iso_?(?:8601|datetime)?|iso_8601)$|_datetime$/.test(word)) return 'datetime';
  if (/^(?:csv|list)$|_(?:csv|list)$/.test(word)) return 'array';
  return undefined;
};

const RANGE = /^(?:[^!\s]+!)?[A-Z]{1,3}\d*:[A-Z]{1,3}\d*$/i;
const PATH =
  /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)|^[\w.-]+\/[\w./-]+$|^[\w-]+\.(?:txt|md|pdf|csv|json|xlsx|docx|png|jpg|zip|html)$/i;

const snake = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '') || 'value';

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
  if (/^(?:search|find|query|grep|lookup|filter)$/.test(action)) return 'query';
  if (typeOfValue(word.text) === 'date' || typeOfValue(word.text) === 'datetime') return 'date';
  if (typeOfValue(word.text) === 'integer' || typeOfValue(word.text) === 'number') return 'number';
  return 'text';
};

/** `a|b`, `<a|b>`, `{a,b}`. */
const choicesOf = (text: string): readonly string[] | undefined => {
  const bare = /^<([^<>]+)>$|^\{([^{}]+)\}$/.exec(text);
  const inner = bare?.[1] ?? bare?.[2] ?? text;
  const by = bare?.[2] !== undefined && inner.includes(',') ? ',' : '|';
  const parts = inner.split(by).map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => /^[\w.-]+$/.test(part)) ? parts : undefined;
};

/** The arguments behind `domain action`. */
export const readArguments = (words: readonly UsageWord[], action: string): readonly LineArgument[] => {
  const found: LineArgument[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (!word) break;
    if (!word.isLiteral && /^--?[A-Za-z]/.test(word.text)) {
      const equals = word.text.indexOf('=');
      const flag = equals === -1 ? word.text : word.text.slice(0, equals);
      const next = words[index + 1];
      const hasValue =
        equals === -1 &&
        next !== undefined &&
        (next.isLiteral || !/^--?[A-Za-z]/.test(next.text)) &&
        (!next.isOptional || word.isOptional);
      const value = equals === -1 ? (hasValue ? next : undefined) : { ...word, text: word.text.slice(equals + 1) };
      if (hasValue) index++;
      const choices = value && !value.isQuoted ? choicesOf(value.text) : undefined;
      const placeholder = value && !choices && !value.isQuoted ? isPlaceholder(value) : undefined;
      found.push({
        name: snake(flag.replace(/^-+/, '')),
        kind: 'flag',
        flag,
        type:
          value === undefined
            ? 'boolean'
            : choices
              ? 'string'
              : placeholder === undefined
                ? typeOfValue(value.text)
                : typeOfPlaceholder(placeholder),
        isWord: value !== undefined && !/\s/.test(value.text),
        isOptional: word.isOptional,
        isId: false,
        ...(choices && { choices }),
      });
      continue;
    }
    const base = positionalName(word, action);
    // Two of a kind in one line are two arguments.
    const again = found.filter(
      ({ kind, name: own }) => kind === 'positional' && own.replace(/_\d+$/, '') === base,
    ).length;
    const name = again === 0 ? base : `${base}_${again + 1}`;
    const choices = word.isQuoted ? undefined : choicesOf(word.text);
    const placeholder = isPlaceholder(word);
    found.push({
      name,
      kind: 'positional',
      type:
        choices || base === 'range' || base === 'path' || (placeholder === undefined && word.isQuoted)
          ? 'string'
          : placeholder === undefined
            ? typeOfValue(word.text)
            : typeOfPlaceholder(placeholder),
      isWord: !/\s/.test(word.text),
      isOptional: word.isOptional,
      isId: /(?:^|_)id$/.test(name) && placeholder !== undefined,
      ...(choices && { choices }),
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
