/** `sort`, `uniq`, `cut`. All by bytes, whatever the language is: the same on every machine. */
import { defineCommand, type Command } from 'just-bash/browser';
import { byteText } from '../../../../model/sandbox/unified-diff.ts';
import { fromByteText } from '../remote-fs.ts';
import { readOperand, readOptions, said, wrongUse } from './operands.ts';

interface Key {
  readonly field: number;
  readonly character: number;
  readonly endField: number | undefined;
  readonly endCharacter: number;
  readonly letters: string;
}

const keyOf = (text: string): Key | undefined => {
  const found = /^(\d+)(?:\.(\d+))?([bdfghinMRrV]*)(?:,(\d+)(?:\.(\d+))?([bdfghinMRrV]*))?$/.exec(text);
  if (!found || found[1] === '0') return undefined;
  const [, field = '1', character = '1', letters = '', endField, endCharacter = '0', endLetters = ''] = found;
  return {
    field: Number(field),
    character: Number(character),
    endField: endField === undefined ? undefined : Number(endField),
    endCharacter: Number(endCharacter),
    letters: letters + endLetters,
  };
};

/** Fields with the blanks before them, if no separator was given. */
const fieldsOf = (line: string, separator: string | undefined): readonly { from: number; to: number }[] => {
  const fields: { from: number; to: number }[] = [];
  if (separator !== undefined) {
    let from = 0;
    for (let at = line.indexOf(separator); at !== -1; at = line.indexOf(separator, from)) {
      fields.push({ from, to: at });
      from = at + 1;
    }
    fields.push({ from, to: line.length });
    return fields;
  }
  for (const { index, 0: field } of line.matchAll(/[ \t]*[^ \t]+|[ \t]+$/g))
    fields.push({ from: index, to: index + field.length });
  return fields;
};

const partOf = (line: string, key: Key, separator: string | undefined, letters: string): string => {
  const fields = fieldsOf(line, separator);
  const skip = (at: number): number =>
    letters.includes('b') ? at + (/^[ \t]*/.exec(line.slice(at))?.[0].length ?? 0) : at;
  const first = fields[key.field - 1];
  if (!first) return '';
  const start = skip(first.from) + key.character - 1;
  if (key.endField === undefined) return line.slice(Math.min(start, line.length));
  const last = fields[key.endField - 1];
  const end = !last ? line.length : key.endCharacter === 0 ? last.to : skip(last.from) + key.endCharacter;
  return line.slice(start, Math.max(start, Math.min(end, line.length)));
};

const SIZES = 'KMGTPEZY';
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const numberOf = (text: string): number => Number(/^\s*(-?(?:\d+(?:\.\d*)?|\.\d+))/.exec(text)?.[1] ?? 0);
const sizeOf = (text: string): readonly [rank: number, value: number] => {
  const [, digits = '0', letter = ''] = /^\s*(-?(?:\d+(?:\.\d*)?|\.\d+))([a-zA-Z]?)/.exec(text) ?? [];
  const value = Number(digits);
  const rank = value === 0 ? 0 : SIZES.indexOf(letter.toUpperCase() || '-') + 1;
  return [value < 0 ? -rank : rank, value];
};
const byBytes = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Versions: digits as numbers, everything else by bytes. */
const byVersion = (a: string, b: string): number => {
  const [one, another] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let at = 0; at < Math.max(one.length, another.length); at++) {
    const [x = '', y = ''] = [one[at], another[at]];
    const isNumber = /^\d/.test(x) && /^\d/.test(y);
    const order = isNumber ? Number(x) - Number(y) : byBytes(x, y);
    if (order !== 0) return order;
  }
  return 0;
};

const compareBy = (a: string, b: string, letters: string): number => {
  const has = (letter: string): boolean => letters.includes(letter);
  let [one, another] = [a, b];
  if (has('n')) return numberOf(one) - numberOf(another);
  if (has('g')) return numberOf(one) - numberOf(another);
  if (has('h')) {
    const [[rank, value], [otherRank, otherValue]] = [sizeOf(one), sizeOf(another)];
    return rank - otherRank || value - otherValue;
  }
  if (has('M')) {
    const month = (text: string): number => MONTHS.indexOf(text.trimStart().slice(0, 3).toUpperCase());
    return month(one) - month(another);
  }
  if (has('d')) [one, another] = [one, another].map((text) => text.replace(/[^a-zA-Z0-9 \t]/g, '')) as [string, string];
  if (has('i')) [one, another] = [one, another].map((text) => text.replace(/[^\x20-\x7e]/g, '')) as [string, string];
  if (has('f')) [one, another] = [one.toUpperCase(), another.toUpperCase()];
  return has('V') ? byVersion(one, another) : byBytes(one, another);
};

const SORT_LONG = {
  'ignore-leading-blanks': 'b',
  'dictionary-order': 'd',
  'ignore-case': 'f',
  'general-numeric-sort': 'g',
  'human-numeric-sort': 'h',
  'month-sort': 'M',
  'numeric-sort': 'n',
  reverse: 'r',
  'version-sort': 'V',
  check: 'c',
  key: 'k',
  merge: 'm',
  output: 'o',
  stable: 's',
  'field-separator': 't',
  unique: 'u',
  'zero-terminated': 'z',
} as const;

const sort = defineCommand('sort', async (args, context) => {
  const { flags, values, all, rest, wrong } = readOptions(args, 'bcCdfghik:Mmno:rRsS:t:T:uVz', SORT_LONG);
  if (wrong !== undefined) return wrongUse('sort', wrong, 2);
  const end = flags.has('z') ? '\0' : '\n';
  const separator = values.get('t') === '\\0' ? '\0' : values.get('t');
  if (separator !== undefined && separator.length !== 1)
    return said('', separator === '' ? 'sort: empty tab\n' : `sort: multi-character tab ‘${separator}’\n`, 2);
  const usual = Array.from('bdfghiMnRrV')
    .filter((letter) => flags.has(letter))
    .join('');
  const keys: Key[] = [];
  for (const [letter, text] of all) {
    if (letter !== 'k') continue;
    const key = keyOf(text);
    if (!key) return said('', `sort: -k ${text}: invalid field specification\n`, 2);
    keys.push(key);
  }
  const texts: string[][] = [];
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const { bytes, why } = await readOperand(context, name);
    if (!bytes)
      return said('', `sort: ${why === 'Is a directory' ? 'read failed' : 'cannot read'}: ${name}: ${why}\n`, 2);
    const lines = byteText(bytes).split(end);
    if (lines.at(-1) === '') lines.pop();
    texts.push(lines);
  }
  const byKeys = (a: string, b: string): number => {
    for (const key of keys) {
      const letters = key.letters === '' ? usual : key.letters;
      const order = compareBy(partOf(a, key, separator, letters), partOf(b, key, separator, letters), letters);
      if (order !== 0) return letters.includes('r') ? -order : order;
    }
    if (keys.length > 0) return 0;
    const [one, another] = usual.includes('b') ? [a.replace(/^[ \t]+/, ''), b.replace(/^[ \t]+/, '')] : [a, b];
    const order = compareBy(one, another, usual);
    return flags.has('r') ? -order : order;
  };
  const isLast = !flags.has('s') && !flags.has('u');
  const compare = (a: string, b: string): number =>
    byKeys(a, b) || (isLast ? (flags.has('r') ? -byBytes(a, b) : byBytes(a, b)) : 0);
  if (flags.has('c') || flags.has('C')) {
    const lines = texts[0] ?? [];
    const at = lines.findIndex((line, index) => {
      const order = index === 0 ? -1 : compare(lines[index - 1] ?? '', line);
      return flags.has('u') ? order >= 0 && index > 0 : order > 0;
    });
    if (at === -1) return said('');
    const name = rest[0] ?? '-';
    return said('', flags.has('C') ? '' : `sort: ${name}:${at + 1}: disorder: ${lines[at]}\n`, 1);
  }
  let lines: string[];
  if (flags.has('m')) {
    const queues = texts.map((one) => one.toReversed());
    lines = [];
    for (;;) {
      let best: string[] | undefined;
      for (const queue of queues)
        if (queue.length > 0 && (!best || compare(queue.at(-1) ?? '', best.at(-1) ?? '') < 0)) best = queue;
      if (!best) break;
      lines.push(best.pop() ?? '');
    }
  } else lines = texts.flat().toSorted(compare);
  if (flags.has('u')) lines = lines.filter((line, at) => at === 0 || byKeys(lines[at - 1] ?? '', line) !== 0);
  const text = lines.map((line) => `${line}${end}`).join('');
  const target = values.get('o');
  if (target === undefined) return said(text);
  await context.fs.writeFile(context.fs.resolvePath(context.cwd, target), fromByteText(text));
  return said('');
});

const uniq = defineCommand('uniq', async (args, context) => {
  const { flags, values, rest, wrong } = readOptions(args, 'cdDif:s:uw:z', {
    count: 'c',
    repeated: 'd',
    'ignore-case': 'i',
    'skip-fields': 'f',
    'skip-chars': 's',
    unique: 'u',
    'check-chars': 'w',
    'zero-terminated': 'z',
  });
  if (wrong !== undefined) return wrongUse('uniq', wrong);
  const [name = '-', target] = rest;
  const { bytes, why } = await readOperand(context, name);
  if (!bytes) return said('', `uniq: ${why === 'Is a directory' ? `error reading '${name}'` : name}: ${why}\n`, 1);
  const end = flags.has('z') ? '\0' : '\n';
  const lines = byteText(bytes).split(end);
  if (lines.at(-1) === '') lines.pop();
  const [fields, skipped] = [Number(values.get('f') ?? 0), Number(values.get('s') ?? 0)];
  const width = values.has('w') ? Number(values.get('w')) : Infinity;
  const partIn = (line: string): string => {
    let part = line;
    for (let left = fields; left > 0; left--) part = part.replace(/^[ \t]*[^ \t]*/, '');
    part = part.slice(skipped).slice(0, width);
    return flags.has('i') ? part.toLowerCase() : part;
  };
  const groups: string[][] = [];
  let last: string | undefined;
  for (const line of lines) {
    const part = partIn(line);
    if (part === last) groups.at(-1)?.push(line);
    else groups.push([line]);
    last = part;
  }
  const chosen = groups.filter(
    ({ length }) => !((flags.has('d') || flags.has('D')) && length < 2) && !(flags.has('u') && length > 1),
  );
  const shown = chosen.flatMap((group) =>
    flags.has('D') ? group : [`${flags.has('c') ? `${String(group.length).padStart(7)} ` : ''}${group[0] ?? ''}`],
  );
  const text = shown.map((line) => `${line}${end}`).join('');
  if (target === undefined || target === '-') return said(text);
  await context.fs.writeFile(context.fs.resolvePath(context.cwd, target), fromByteText(text));
  return said('');
});

/** `1,3-5,7-`: from 1, both ends included. */
const rangesOf = (text: string): readonly (readonly [from: number, to: number])[] | undefined => {
  const ranges = text.split(/[, ]/).map((part) => {
    const [, from, dash, to] = /^(\d*)(-?)(\d*)$/.exec(part) ?? [];
    if (from === undefined || (from === '' && to === '')) return undefined;
    const first = from === '' ? 1 : Number(from);
    return [first, dash === '' ? first : to === '' ? Infinity : Number(to)] as const;
  });
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
};

const cut = defineCommand('cut', async (args, context) => {
  const { flags, values, rest, wrong } = readOptions(args, 'b:c:d:f:snzO:X', {
    bytes: 'b',
    characters: 'c',
    delimiter: 'd',
    fields: 'f',
    'only-delimited': 's',
    complement: 'X',
    'output-delimiter': 'O',
    'zero-terminated': 'z',
  });
  if (wrong !== undefined) return wrongUse('cut', wrong);
  const lists = ['b', 'c', 'f'].filter((letter) => values.has(letter));
  if (lists.length === 0) return wrongUse('cut', 'you must specify a list of bytes, characters, or fields');
  if (lists.length > 1) return wrongUse('cut', 'only one list may be specified');
  const [kind = 'f'] = lists;
  const list = values.get(kind) ?? '';
  const ranges = rangesOf(list);
  const what = kind === 'f' ? 'field' : 'byte/character';
  if (!ranges) return wrongUse('cut', `invalid ${what} ${kind === 'f' ? 'value' : 'position'} ‘${list}’`);
  if (ranges.some(([from]) => from === 0))
    return wrongUse(
      'cut',
      kind === 'f' ? 'fields are numbered from 1' : 'byte/character positions are numbered from 1',
    );
  if (ranges.some(([from, to]) => to < from)) return wrongUse('cut', 'invalid decreasing range');
  const delimiter = values.get('d') ?? '\t';
  if (values.has('d') && kind !== 'f')
    return wrongUse('cut', 'an input delimiter may be specified only when operating on fields');
  if (delimiter.length !== 1) return wrongUse('cut', 'the delimiter must be a single character');
  const isWanted = (number: number): boolean =>
    ranges.some(([from, to]) => number >= from && number <= to) !== flags.has('X');
  const end = flags.has('z') ? '\0' : '\n';
  const between = values.get('O') ?? (kind === 'f' ? delimiter : '');
  const parts: string[] = [];
  let stderr = '';
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const { bytes, why } = await readOperand(context, name);
    if (!bytes) {
      stderr += `cut: ${name}: ${why}\n`;
      continue;
    }
    const lines = byteText(bytes).split(end);
    if (lines.at(-1) === '') lines.pop();
    for (const line of lines) {
      if (kind !== 'f') {
        const kept = Array.from({ length: line.length }, (_unused, at) => at + 1).filter(isWanted);
        const shown = kept.map(
          (at, index) =>
            (between !== '' && index > 0 && kept[index - 1] !== at - 1 ? between : '') + (line[at - 1] ?? ''),
        );
        parts.push(`${shown.join('')}${end}`);
      } else if (!line.includes(delimiter)) {
        if (!flags.has('s')) parts.push(`${line}${end}`);
      } else {
        const kept = line.split(delimiter).filter((_field, at) => isWanted(at + 1));
        parts.push(`${kept.join(between)}${end}`);
      }
    }
  }
  return said(parts.join(''), stderr, stderr === '' ? 0 : 1);
});

export const orderCommands: readonly Command[] = [sort, uniq, cut];
