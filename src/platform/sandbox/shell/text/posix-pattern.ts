/** Patterns of grep as those of JavaScript: the basic form, the extended one, and plain text. */
import { errorMessage } from '../../../../base/errors.ts';

const CLASSES: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{N}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  print: '\\x20-\\x7e\\u00a0-\\u{10ffff}',
  graph: '\\x21-\\x7e\\u00a1-\\u{10ffff}',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
};

const WORD = '[\\p{L}\\p{N}_]';

/** A bracket from its `[`; how long it is. */
const bracketAt = (text: string, from: number): { readonly source: string; readonly length: number } => {
  let at = from + 1;
  let source = '[';
  if (text[at] === '^') {
    source += '^';
    at++;
  }
  for (let isFirst = true; ; isFirst = false) {
    const character = text[at];
    if (character === undefined) throw new SyntaxError('Unmatched [, [^, [:, [., or [=');
    if (character === ']' && !isFirst) return { source: `${source}]`, length: at + 1 - from };
    const named = /^\[:(\w+):\]/.exec(text.slice(at));
    if (named) {
      const found = CLASSES[named[1] ?? ''];
      if (found === undefined) throw new SyntaxError('Invalid character class name');
      source += found;
      at += named[0].length;
      continue;
    }
    const code = text.codePointAt(at) ?? 0;
    const whole = String.fromCodePoint(code);
    source += /[\\[\]^&~!#$%*+,.:;<=>?@`{|}()/"']/.test(whole) ? `\\u{${code.toString(16)}}` : whole;
    at += whole.length;
  }
};

const literal = (character: string): string => (/[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character);

const BEHIND_BACKSLASH: Readonly<Record<string, string>> = {
  '<': `(?<!${WORD})(?=${WORD})`,
  '>': `(?<=${WORD})(?!${WORD})`,
  b: `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`,
  B: '\\B',
  w: WORD,
  W: '[^\\p{L}\\p{N}_]',
  s: '\\s',
  S: '\\S',
  '`': '^',
  "'": '$',
};

const fromPosix = (text: string, isExtended: boolean): string => {
  let source = '';
  /** Nothing is before: here a star is a star and `^` an anchor. */
  let isStart = true;
  for (let at = 0; at < text.length;) {
    const whole = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const isEscaped = whole === '\\';
    const sign = isEscaped ? (text[at + 1] ?? '') : whole;
    if (isEscaped && sign === '') throw new SyntaxError('Trailing backslash');
    const length = isEscaped ? 2 : whole.length;
    /** In the basic form these need a backslash to mean something, in the extended one to mean nothing. */
    const isSpecial = '+?|(){}'.includes(sign) && isEscaped !== isExtended;
    const rest = text.slice(at + length);
    let next = false;
    if (isSpecial && sign === '{' && !/^\d*(?:,\d*)?\\?\}/.test(rest)) source += '\\{';
    else if (isSpecial && sign === '{') {
      const [interval = ''] = /^\d*(?:,\d*)?\\?\}/.exec(rest) ?? [];
      source += `{${interval.replace('\\', '').replace(/^,/, '0,')}`;
      at += length + interval.length;
      continue;
    } else if (isSpecial && sign === '}') source += '\\}';
    else if (isSpecial && '+?'.includes(sign)) source += isStart ? `\\${sign}` : sign;
    else if (isSpecial) {
      source += sign === '(' ? '(' : sign;
      next = sign !== ')';
    } else if (isEscaped && /[1-9]/.test(sign)) source += `(?:\\${sign})`;
    else if (isEscaped && BEHIND_BACKSLASH[sign] !== undefined) source += BEHIND_BACKSLASH[sign];
    else if (isEscaped) source += literal(sign);
    else if (sign === '[') {
      const bracket = bracketAt(text, at);
      source += bracket.source;
      at += bracket.length;
      isStart = false;
      continue;
    } else if (sign === '.') source += '.';
    else if (sign === '*') source += isStart ? (isExtended ? '' : '\\*') : '*';
    else if (sign === '^') {
      const isAnchor: boolean = isExtended || isStart;
      source += isAnchor ? '^' : '\\^';
      next = isAnchor;
    } else if (sign === '$') {
      const isAnchor = isExtended || rest === '' || /^\\[)|]/.test(rest);
      source += isAnchor ? '$' : '\\$';
    } else source += literal(sign);
    isStart = next;
    at += length;
  }
  return source;
};

export type PatternKind = 'basic' | 'extended' | 'fixed' | 'perl';

export interface PatternOptions {
  readonly kind: PatternKind;
  readonly ignoresCase: boolean;
  readonly isWord: boolean;
  readonly isLine: boolean;
}

/** Throws a `SyntaxError` with what grep would say. */
export const grepPattern = (patterns: readonly string[], options: PatternOptions): RegExp => {
  const sources = patterns.map((pattern) => {
    switch (options.kind) {
      case 'fixed':
        return Array.from(pattern, literal).join('');
      case 'perl':
        return pattern;
      default:
        return fromPosix(pattern, options.kind === 'extended');
    }
  });
  const [only = ''] = sources;
  let source = sources.length === 1 ? only : sources.map((one) => `(?:${one})`).join('|');
  if (options.isWord) source = `(?<!${WORD})(?:${source})(?!${WORD})`;
  if (options.isLine) source = `^(?:${source})$`;
  let flags = options.ignoresCase ? 'gsi' : 'gs';
  if (options.kind === 'perl' && source.startsWith('(?i)')) {
    source = source.slice(4);
    flags = 'gsi';
  }
  const said = (thrown: unknown): string => {
    const words = errorMessage(thrown);
    if (/group|parenthes/i.test(words))
      return /unmatched '?\)/i.test(words) ? 'Unmatched ) or \\)' : 'Unmatched ( or \\(';
    if (/class/i.test(words)) return 'Unmatched [, [^, [:, [., or [=';
    return 'Invalid regular expression';
  };
  try {
    return new RegExp(source, `${flags}u`);
  } catch (thrown) {
    // Perl's form allows escapes that the strict one refuses.
    if (options.kind !== 'perl') throw new SyntaxError(said(thrown), { cause: thrown });
  }
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    throw new SyntaxError(said(thrown), { cause: thrown });
  }
};
