/** `cat`, `head`, `tail`, `tac`, `wc`. */
import { defineCommand, type Command } from 'just-bash/browser';
import { byteText } from '../../../../model/sandbox/unified-diff.ts';
import { linesOf, readOperand, readOptions, said, wrongUse, type Context } from './operands.ts';

/** `^A`, `M-x`: what cannot be seen. */
const visible = (line: string, showsTabs: boolean, showsRest: boolean): string =>
  line.replace(/[^\n]/g, (character) => {
    let code = character.charCodeAt(0);
    if (code === 9) return showsTabs ? '^I' : character;
    if (!showsRest) return character;
    const high = code >= 128 ? 'M-' : '';
    if (high !== '') code -= 128;
    if (code < 32) return `${high}^${String.fromCharCode(code + 64)}`;
    return code === 127 ? `${high}^?` : `${high}${String.fromCharCode(code)}`;
  });

const cat = defineCommand('cat', async (args, context) => {
  const { flags, rest, wrong } = readOptions(args, 'AbeEnstTuv', {
    'show-all': 'A',
    'number-nonblank': 'b',
    'show-ends': 'E',
    number: 'n',
    'squeeze-blank': 's',
    'show-tabs': 'T',
    'show-nonprinting': 'v',
  });
  if (wrong !== undefined) return wrongUse('cat', wrong);
  const has = (letters: string): boolean => Array.from(letters).some((letter) => flags.has(letter));
  const isPlain = !has('AbeEnstTv');
  const parts: string[] = [];
  let [stderr, number, blanks, isOpen] = ['', 0, 0, false];
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const { bytes, why } = await readOperand(context, name);
    if (!bytes) {
      stderr += `cat: ${name}: ${why}\n`;
      continue;
    }
    const text = byteText(bytes);
    if (isPlain) {
      parts.push(text);
      continue;
    }
    for (const line of linesOf(text)) {
      const isBlank = line === '\n' && !isOpen;
      blanks = isBlank ? blanks + 1 : 0;
      if (flags.has('s') && blanks > 1) continue;
      const isNumbered = !isOpen && (flags.has('b') ? !isBlank : flags.has('n'));
      if (isNumbered) parts.push(`${String(++number).padStart(6)}\t`);
      const shown = visible(line, has('AtT'), has('Aetv'));
      parts.push(has('AeE') ? shown.replace(/\n$/, '$\n') : shown);
      isOpen = !line.endsWith('\n');
    }
  }
  return said(parts.join(''), stderr, stderr === '' ? 0 : 1);
});

const SUFFIXES: Readonly<Record<string, number>> = {
  '': 1,
  b: 512,
  k: 1024,
  K: 1024,
  kB: 1000,
  m: 1 << 20,
  M: 1 << 20,
  MB: 1e6,
  G: 1 << 30,
};

/** `10`, `-3`, `+2`, `1K`. */
const countOf = (text: string): { readonly sign: string; readonly count: number } | undefined => {
  const [, sign = '', digits, suffix = ''] = /^([+-]?)(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = SUFFIXES[suffix];
  return digits === undefined || factor === undefined ? undefined : { sign, count: Number(digits) * factor };
};

const ENDS_LONG = { lines: 'n', bytes: 'c', quiet: 'q', silent: 'q', verbose: 'v' } as const;

/** `take`: of the whole text, by lines or by bytes. */
const endCommand = (
  program: 'head' | 'tail',
  take: (text: string, sign: string, count: number, isBytes: boolean) => string,
): Command =>
  defineCommand(program, async (given, context) => {
    // The old form: `head -5`, `tail +3`.
    const args = given.flatMap((word, at) => {
      const [, digits] = /^-(\d+)$/.exec(word) ?? [];
      if (digits !== undefined && given[at - 1] !== '-n' && given[at - 1] !== '-c') return ['-n', digits];
      return [word];
    });
    const { flags, values, all, rest, wrong } = readOptions(
      args,
      program === 'tail' ? 'n:c:qvfF' : 'n:c:qv',
      ENDS_LONG,
    );
    if (wrong !== undefined) return wrongUse(program, wrong);
    const isBytes = all.findLast(([letter]) => letter === 'c' || letter === 'n')?.[0] === 'c';
    const asked = isBytes ? (values.get('c') ?? '10') : (values.get('n') ?? '10');
    const count = countOf(asked);
    if (!count) return said('', `${program}: invalid number of ${isBytes ? 'bytes' : 'lines'}: ‘${asked}’\n`, 1);
    const names = rest.length === 0 ? ['-'] : rest;
    const parts: string[] = [];
    let stderr = '';
    for (const name of names) {
      const { bytes, why } = await readOperand(context, name);
      const heading = flags.has('v') || (names.length > 1 && !flags.has('q'));
      const isFolder = why === 'Is a directory';
      if ((bytes || isFolder) && heading)
        parts.push(`${parts.length > 0 ? '\n' : ''}==> ${name === '-' ? 'standard input' : name} <==\n`);
      if (bytes) parts.push(take(byteText(bytes), count.sign, count.count, isBytes));
      else
        stderr += isFolder
          ? `${program}: error reading '${name}': ${why}\n`
          : `${program}: cannot open '${name}' for reading: ${why}\n`;
    }
    return said(parts.join(''), stderr, stderr === '' ? 0 : 1);
  });

const cut = (text: string, isBytes: boolean, from: number | undefined, to: number | undefined): string =>
  isBytes ? text.slice(from, to) : linesOf(text).slice(from, to).join('');
const sizeOf = (text: string, isBytes: boolean): number => (isBytes ? text.length : linesOf(text).length);

const head = endCommand('head', (text, sign, count, isBytes) =>
  cut(text, isBytes, 0, sign === '-' ? Math.max(0, sizeOf(text, isBytes) - count) : count),
);
const tail = endCommand('tail', (text, sign, count, isBytes) =>
  cut(text, isBytes, sign === '+' ? Math.max(0, count - 1) : Math.max(0, sizeOf(text, isBytes) - count), undefined),
);

const tac = defineCommand('tac', async (args, context) => {
  const { rest, wrong } = readOptions(args, '');
  if (wrong !== undefined) return wrongUse('tac', wrong);
  const parts: string[] = [];
  let stderr = '';
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const { bytes, why } = await readOperand(context, name);
    if (bytes) parts.push(linesOf(byteText(bytes)).toReversed().join(''));
    else if (why === 'Is a directory') stderr += `tac: ${name}: read error: ${why}\n`;
    else stderr += `tac: failed to open '${name}' for reading: ${why}\n`;
  }
  return said(parts.join(''), stderr, stderr === '' ? 0 : 1);
});

interface Counts {
  readonly lines: number;
  readonly words: number;
  readonly characters: number;
  readonly bytes: number;
  readonly width: number;
}

const NO_COUNTS: Counts = { lines: 0, words: 0, characters: 0, bytes: 0, width: 0 };

/** How many columns a character takes. */
const columnsOf = (code: number): number => {
  if (code < 32 || (code >= 127 && code < 160) || (code >= 0x300 && code < 0x370)) return 0;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return isWide ? 2 : 1;
};

const measure = (bytes: Uint8Array): Counts => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let [lines, characters, width, column] = [0, 0, 0, 0];
  for (const byte of bytes) if (byte === 10) lines++;
  for (const character of text) {
    if (character !== '\uFFFD') characters++;
    if (character === '\n' || character === '\r' || character === '\f') column = 0;
    else if (character === '\t') column += 8 - (column % 8);
    else column += character === '\uFFFD' ? 0 : columnsOf(character.codePointAt(0) ?? 0);
    width = Math.max(width, column);
  }
  // A word is what can be seen between blanks; bytes that are not text are neither.
  const words = text.split(/[ \t\n\v\f\r]+/).filter((word) => /[^\p{Cc}\uFFFD]/u.test(word)).length;
  return { lines, words, characters, bytes: bytes.length, width };
};

const wc = defineCommand('wc', async (args, context: Context) => {
  const { flags, rest, wrong } = readOptions(args, 'clmwL', {
    bytes: 'c',
    chars: 'm',
    lines: 'l',
    words: 'w',
    'max-line-length': 'L',
  });
  if (wrong !== undefined) return wrongUse('wc', wrong);
  const usual = flags.size === 0;
  const numbersOf = ({ lines, words, characters, bytes, width }: Counts): readonly number[] => [
    ...(usual || flags.has('l') ? [lines] : []),
    ...(usual || flags.has('w') ? [words] : []),
    ...(flags.has('m') ? [characters] : []),
    ...(usual || flags.has('c') ? [bytes] : []),
    ...(flags.has('L') ? [width] : []),
  ];
  let [stderr, total, size, isOdd] = ['', NO_COUNTS, 0, rest.length === 0 || rest.includes('-')];
  const rows: (readonly [numbers: readonly number[], name: string])[] = [];
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const { bytes, why } = await readOperand(context, name);
    if (!bytes) {
      stderr += `wc: ${name}: ${why}\n`;
      if (why !== 'Is a directory') continue;
      isOdd = true;
    }
    const counts = bytes ? measure(bytes) : NO_COUNTS;
    size += counts.bytes;
    rows.push([numbersOf(counts), rest.length === 0 ? '' : ` ${name}`]);
    total = {
      lines: total.lines + counts.lines,
      words: total.words + counts.words,
      characters: total.characters + counts.characters,
      bytes: total.bytes + counts.bytes,
      width: Math.max(total.width, counts.width),
    };
  }
  if (rest.length > 1) rows.push([numbersOf(total), ' total']);
  // As wide as the number of all bytes; where sizes are not known before, seven columns.
  const columns = numbersOf(total).length;
  const width = rest.length <= 1 && columns === 1 ? 1 : isOdd ? 7 : String(size).length;
  const shown = rows.map(
    ([numbers, name]) => `${numbers.map((one) => String(one).padStart(width)).join(' ')}${name}\n`,
  );
  return said(shown.join(''), stderr, stderr === '' ? 0 : 1);
});

export const lineCommands: readonly Command[] = [cat, head, tail, tac, wc];
