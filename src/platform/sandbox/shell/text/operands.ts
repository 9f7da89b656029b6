/** What the commands of text have in common: operands that are read, options, and results in bytes. */
import type { ExecResult, ResolvedCommandContext } from 'just-bash/browser';
import { errorMessage } from '../../../../base/errors.ts';
import { byteText } from '../../../../model/sandbox/unified-diff.ts';
import { fromByteText } from '../remote-fs.ts';

export type Context = ResolvedCommandContext;

export const said = (stdout: string, stderr = '', exitCode = 0): ExecResult => ({
  stdout,
  stdoutKind: 'bytes',
  stdoutEncoding: 'binary',
  stderr,
  exitCode,
});

const encoder = new TextEncoder();
/** Text as bytes, a character each. */
export const asBytes = (text: string): string => byteText(encoder.encode(text));

export const kindAt = async ({ fs, cwd }: Context, path: string): Promise<'file' | 'folder' | undefined> => {
  try {
    return (await fs.stat(fs.resolvePath(cwd, path))).isDirectory ? 'folder' : 'file';
  } catch {
    return undefined;
  }
};

/** What is in a folder, by name. */
export const entriesOf = async (
  { fs }: Context,
  path: string,
): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]> => {
  if (fs.readdirWithFileTypes) return fs.readdirWithFileTypes(path);
  const names = await fs.readdir(path);
  const stats = await Promise.all(names.map((name) => fs.stat(`${path}/${name}`).catch(() => undefined)));
  return names.map((name, at) => ({ name, isDirectory: stats[at]?.isDirectory === true }));
};

export interface Operand {
  readonly name: string;
  /** Nothing if it cannot be read; then `why` says so as the system does. */
  readonly bytes: Uint8Array | undefined;
  readonly why: string;
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  ENOTDIR: 'Not a directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
};

/** A file, or standard input for `-`. */
export const readOperand = async (context: Context, name: string): Promise<Operand> => {
  if (name === '-') return { name, bytes: fromByteText(context.stdin as unknown as string), why: '' };
  const path = context.fs.resolvePath(context.cwd, name);
  try {
    return { name, bytes: await context.fs.readFileBuffer(path), why: '' };
  } catch (thrown) {
    const isFolder = (await kindAt(context, name)) === 'folder';
    const code = isFolder ? 'EISDIR' : (/^[A-Z]+(?=:)/.exec(errorMessage(thrown))?.[0] ?? 'ENOENT');
    return { name, bytes: undefined, why: WHY[code] ?? WHY['ENOENT'] ?? '' };
  }
};

export interface Options {
  readonly flags: ReadonlySet<string>;
  /** Of options that take one; the last one of each counts. */
  readonly values: ReadonlyMap<string, string>;
  /** Of options that may come several times, in order. */
  readonly all: readonly (readonly [letter: string, value: string])[];
  readonly rest: readonly string[];
  readonly wrong: string | undefined;
}

/** `known`: letters; one with a colon takes a value. `long`: names and their letters. */
export const readOptions = (
  args: readonly string[],
  known: string,
  long: Readonly<Record<string, string>> = {},
  stopsAtOperand = false,
): Options => {
  const flags = new Set<string>();
  const all: [string, string][] = [];
  const rest: string[] = [];
  const takes = (letter: string): boolean => known[known.indexOf(letter) + 1] === ':';
  const done = (wrong?: string): Options => ({ flags, values: new Map(all), all, rest, wrong });
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') {
      rest.push(...args.slice(at + 1));
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      if (stopsAtOperand) {
        rest.push(...args.slice(at));
        break;
      }
      rest.push(word);
    } else if (word.startsWith('--')) {
      const [name = '', glued] = word.slice(2).split(/=(.*)/s);
      const names = Object.keys(long).filter((one) => one === name || one.startsWith(name));
      const full = Object.hasOwn(long, name) ? name : names.length === 1 ? (names[0] ?? '') : '';
      const letter = long[full];
      if (full === '' || letter === undefined) return done(`unrecognized option '${word}'`);
      if (letter === '') continue;
      if (!takes(letter)) flags.add(letter);
      else {
        const value = glued ?? args[++at];
        if (value === undefined) return done(`option '--${full}' requires an argument`);
        all.push([letter, value]);
      }
    } else
      for (let place = 1; place < word.length; place++) {
        const letter = word[place] ?? '';
        if (letter === ':' || !known.includes(letter)) return done(`invalid option -- '${letter}'`);
        if (!takes(letter)) {
          flags.add(letter);
          continue;
        }
        const glued = word.slice(place + 1);
        const value = glued === '' ? args[++at] : glued;
        if (value === undefined) return done(`option requires an argument -- '${letter}'`);
        all.push([letter, value]);
        break;
      }
  }
  return done();
};

export const wrongUse = (program: string, why: string, exitCode = 1): ExecResult =>
  said('', `${program}: ${why}\nTry '${program} --help' for more information.\n`, exitCode);

/** With their ends; the last may have none. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** A pattern of names (`*.py`), of a whole name. */
export const namePattern = (pattern: string): RegExp => {
  const source = pattern.replace(/\[[!^]?[^\]]*\]|[*?]|[^\w\s]/g, (sign) => {
    if (sign === '*') return '.*';
    if (sign === '?') return '.';
    if (sign.length > 1 && sign.startsWith('[')) return sign.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    return `\\${sign}`;
  });
  return new RegExp(`^${source}$`, 's');
};

export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
