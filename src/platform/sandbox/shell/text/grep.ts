/** `grep`, `egrep`, `fgrep`. */
import { defineCommand, type Command, type ExecResult } from 'just-bash/browser';
import { errorMessage } from '../../../../base/errors.ts';
import { baseName } from '../../../../base/paths.ts';
import { byteText } from '../../../../model/sandbox/unified-diff.ts';
import {
  asBytes,
  entriesOf,
  kindAt,
  namePattern,
  readOperand,
  readOptions,
  said,
  type Context,
  type Options,
} from './operands.ts';
import { grepPattern, type PatternKind } from './posix-pattern.ts';

const LONG: Readonly<Record<string, string>> = {
  'extended-regexp': 'E',
  'fixed-strings': 'F',
  'basic-regexp': 'G',
  'perl-regexp': 'P',
  regexp: 'e',
  file: 'f',
  'ignore-case': 'i',
  'no-ignore-case': '',
  'word-regexp': 'w',
  'line-regexp': 'x',
  'null-data': 'z',
  'no-messages': 's',
  'invert-match': 'v',
  'max-count': 'm',
  'byte-offset': 'b',
  'line-number': 'n',
  'with-filename': 'H',
  'no-filename': 'h',
  'only-matching': 'o',
  quiet: 'q',
  silent: 'q',
  text: 'a',
  recursive: 'r',
  'dereference-recursive': 'R',
  include: '1',
  exclude: '2',
  'exclude-dir': '3',
  'files-without-match': 'L',
  'files-with-matches': 'l',
  count: 'c',
  'initial-tab': 'T',
  null: 'Z',
  'before-context': 'B',
  'after-context': 'A',
  context: 'C',
  'binary-files': '4',
  label: '5',
};
/** Numbers are long options that have no letter. */
const KNOWN = 'EFGPe:f:iywxzsvm:bnHhoqarRILlcTZB:A:C:U1:2:3:4:5:';
const BATCH = 64;

interface Plan {
  readonly pattern: RegExp;
  readonly isAnything: boolean;
  readonly flags: ReadonlySet<string>;
  readonly before: number;
  readonly after: number;
  readonly most: number;
  readonly showsName: boolean;
  readonly isText: boolean;
}

interface Found {
  readonly text: string;
  readonly isHit: boolean;
  readonly note: string;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text if it is some; bytes as characters otherwise. */
const decode = (bytes: Uint8Array): { readonly text: string; readonly isText: boolean } => {
  try {
    return { text: strict.decode(bytes), isText: !bytes.includes(0) };
  } catch {
    return { text: byteText(bytes), isText: false };
  }
};

const isWorth = (name: string, { all }: Options): boolean => {
  const own = baseName(name);
  const included = all.filter(([letter]) => letter === '1');
  if (included.length > 0 && !included.some(([, pattern]) => namePattern(pattern).test(own))) return false;
  return !all.some(([letter, pattern]) => letter === '2' && namePattern(pattern).test(own));
};

const filesBelow = async (context: Context, folder: string, options: Options): Promise<string[]> => {
  const { fs, cwd } = context;
  const path = fs.resolvePath(cwd, folder === '' ? '.' : folder);
  const found: string[] = [];
  const entries = await entriesOf(context, path);
  for (const { name, isDirectory } of entries) {
    const child = folder === '' ? name : `${folder.replace(/\/$/, '')}/${name}`;
    if (!isDirectory) {
      if (isWorth(child, options)) found.push(child);
      continue;
    }
    const isLeftOut = options.all.some(
      ([letter, pattern]) => letter === '3' && namePattern(pattern.replace(/\/$/, '')).test(name),
    );
    if (!isLeftOut) found.push(...(await filesBelow(context, child, options)));
  }
  return found;
};

/** One file. `isFirst`: nothing has been written before, so no line of dashes is needed. */
const search = (name: string, bytes: Uint8Array, plan: Plan, isFirst: boolean): Found => {
  const { flags, pattern } = plan;
  const has = (letter: string): boolean => flags.has(letter);
  const end = has('z') ? '\0' : '\n';
  const decoded = decode(bytes);
  const isBinary = !decoded.isText && !plan.isText && !has('z');
  const inBytes = decoded.isText || !bytes.some((byte) => byte > 127) ? asBytes : (text: string): string => text;
  const lines = decoded.text.split(end);
  if (lines.at(-1) === '') lines.pop();
  const shownName = asBytes(name === '-' ? '(standard input)' : name);
  const prefix = (sign: string, number: number, offset: number): string => {
    const file = plan.showsName ? shownName + (has('Z') ? '\0' : sign) : '';
    const line = has('n') ? `${has('T') ? String(number).padStart(4) : number}${sign}` : '';
    const place = has('b') ? `${offset}${sign}` : '';
    return file + line + place + (has('T') && file + line + place !== '' ? '\t' : '');
  };
  const isListing = has('l') || has('L') || has('c') || has('q');
  const parts: string[] = [];
  let [hits, offset, shownUpTo, pending] = [0, 0, -1, 0];
  const offsets: number[] = [];
  for (const [index, line] of lines.entries()) {
    offsets.push(offset);
    if (has('b')) offset += inBytes(line).length + 1;
    pattern.lastIndex = 0;
    const isHit = hits < plan.most && (plan.isAnything || pattern.test(line)) !== has('v');
    if (isHit) {
      hits++;
      if (has('q') || has('l') || has('L')) break;
      if (isListing || isBinary) continue;
      if (has('o')) {
        if (has('v')) continue;
        pattern.lastIndex = 0;
        for (const match of line.matchAll(pattern)) {
          if (match[0] === '') continue;
          const start = (offsets[index] ?? 0) + (has('b') ? inBytes(line.slice(0, match.index)).length : 0);
          parts.push(`${prefix(':', index + 1, start)}${inBytes(match[0])}${end}`);
        }
        continue;
      }
      const from = Math.max(shownUpTo + 1, index - plan.before);
      const hasContext = plan.before + plan.after > 0;
      if (hasContext && from > shownUpTo + 1 && (parts.length > 0 || !isFirst)) parts.push('--\n');
      else if (hasContext && parts.length === 0 && !isFirst) parts.push('--\n');
      for (let at = from; at < index; at++)
        parts.push(`${prefix('-', at + 1, offsets[at] ?? 0)}${inBytes(lines[at] ?? '')}${end}`);
      parts.push(`${prefix(':', index + 1, offsets[index] ?? 0)}${inBytes(line)}${end}`);
      shownUpTo = index;
      pending = plan.after;
    } else if (pending > 0 && !isListing && !isBinary && !has('o')) {
      parts.push(`${prefix('-', index + 1, offsets[index] ?? 0)}${inBytes(line)}${end}`);
      shownUpTo = index;
      pending--;
    }
    if (hits >= plan.most && pending === 0) break;
  }
  const isHit = hits > 0;
  if (has('q')) return { text: '', isHit, note: '' };
  if (has('l') || has('L'))
    return { text: isHit === has('l') ? `${shownName}${has('Z') ? '\0' : '\n'}` : '', isHit, note: '' };
  if (has('c'))
    return { text: `${plan.showsName ? shownName + (has('Z') ? '\0' : ':') : ''}${hits}\n`, isHit, note: '' };
  const note = isBinary && isHit ? `grep: ${name === '-' ? '(standard input)' : name}: binary file matches\n` : '';
  return { text: parts.join(''), isHit, note };
};

const lengthOf = (value: string | undefined): number =>
  value !== undefined && /^\d+$/.test(value) ? Number(value) : NaN;

export const grepCommand = (program: 'grep' | 'egrep' | 'fgrep'): Command =>
  defineCommand(program, async (given, context): Promise<ExecResult> => {
    // `-3` is `-C 3`; colors mean nothing here; these have values that are often glued.
    const args = given
      .filter((word) => !/^--colou?r(?:=.*)?$|^--line-buffered$|^-U$/.test(word))
      .map((word) => (/^-\d+$/.test(word) ? `-C${word.slice(1)}` : word));
    const options = readOptions(args, KNOWN, LONG);
    const { flags, values, rest, all, wrong } = options;
    const usage = `Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n`;
    if (wrong !== undefined) return said('', `grep: ${wrong}\n${usage}`, 2);
    const operands = [...rest];
    const patterns: string[] = [];
    for (const [letter, value] of all) {
      if (letter === 'e') patterns.push(...value.split('\n'));
      if (letter !== 'f') continue;
      const { bytes, why } = await readOperand(context, value);
      if (!bytes) return said('', `grep: ${value}: ${why}\n`, 2);
      const text = decode(bytes).text.replace(/\n$/, '');
      if (bytes.length > 0) patterns.push(...text.split('\n'));
    }
    if (!values.has('e') && !values.has('f')) {
      const first = operands.shift();
      if (first === undefined) return said('', usage, 2);
      patterns.push(...first.split('\n'));
    }
    const kind: PatternKind = flags.has('P')
      ? 'perl'
      : flags.has('F') || (program === 'fgrep' && !flags.has('E'))
        ? 'fixed'
        : flags.has('E') || program === 'egrep'
          ? 'extended'
          : 'basic';
    let pattern: RegExp;
    try {
      pattern = grepPattern(patterns, {
        kind,
        ignoresCase: flags.has('i') || flags.has('y'),
        isWord: flags.has('w'),
        isLine: flags.has('x'),
      });
    } catch (thrown) {
      return said('', `grep: ${errorMessage(thrown)}\n`, 2);
    }
    const around = values.has('C') ? lengthOf(values.get('C')) : 0;
    const before = values.has('B') ? lengthOf(values.get('B')) : around;
    const after = values.has('A') ? lengthOf(values.get('A')) : around;
    const most = values.has('m') ? Number(values.get('m')) : Infinity;
    if ([before, after, around].some(Number.isNaN))
      return said(
        '',
        `grep: ${values.get('C') ?? values.get('A') ?? values.get('B')}: invalid context length argument\n`,
        2,
      );
    if (Number.isNaN(most)) return said('', 'grep: invalid max count\n', 2);

    const isRecursive = flags.has('r') || flags.has('R');
    let [stderr, hasFault, isFolder] = ['', false, false];
    const complain = (name: string, why: string): void => {
      hasFault = true;
      if (!flags.has('s')) stderr += `grep: ${name}: ${why}\n`;
    };
    const names: string[] = [];
    if (operands.length === 0 && isRecursive) {
      isFolder = true;
      names.push(...(await filesBelow(context, '', options)));
    }
    for (const operand of operands.length === 0 && !isRecursive ? ['-'] : operands) {
      if (operand === '-' || (await kindAt(context, operand)) !== 'folder') {
        if (operand === '-' || isWorth(operand, options)) names.push(operand);
      } else if (isRecursive) {
        isFolder = true;
        names.push(...(await filesBelow(context, operand, options)));
      } else if (values.get('d') !== 'skip') complain(operand, 'Is a directory');
    }
    const plan: Plan = {
      pattern,
      isAnything: patterns.includes('') && !flags.has('w') && !flags.has('x'),
      flags,
      before,
      after,
      most,
      showsName: flags.has('H') || (!flags.has('h') && (operands.length > 1 || isFolder)),
      isText: flags.has('a') || values.get('4') === 'text',
    };
    const parts: string[] = [];
    let isHit = false;
    if (patterns.length === 0 && !flags.has('v')) return said('', stderr, hasFault ? 2 : 1);
    for (let at = 0; at < names.length; at += BATCH) {
      const operandsHere = await Promise.all(names.slice(at, at + BATCH).map((name) => readOperand(context, name)));
      for (const { name, bytes, why } of operandsHere) {
        if (!bytes) {
          complain(name, why);
          continue;
        }
        if (flags.has('I') && !decode(bytes).isText) continue;
        const found = search(name, bytes, plan, parts.length === 0);
        isHit ||= flags.has('L') ? found.text !== '' : found.isHit;
        if (found.text !== '') parts.push(found.text);
        if (found.note !== '') stderr += found.note;
        if (flags.has('q') && isHit) return said('', stderr, 0);
      }
    }
    return said(parts.join(''), stderr, hasFault ? 2 : isHit ? 0 : 1);
  });
