/**
 * Where just-bash differs from the programs of a common system: `diff` and `cmp` of our own, and small corrections around
 * others. SPEC.md lists what remains.
 */
import { defineCommand, type Command, type ExecResult, type ResolvedCommandContext } from 'just-bash/browser';
import { baseName } from '../../../base/paths.ts';
import { normalDiff, unifiedHunks, byteText, isBinary } from '../../../model/sandbox/unified-diff.ts';
import { fromByteText } from './remote-fs.ts';
import { callerCommands } from './text/callers.ts';
import { grepCommand } from './text/grep.ts';
import { lineCommands } from './text/lines.ts';
import { ls } from './text/ls.ts';
import { orderCommands } from './text/order.ts';

const said = (stdout: string, stderr = '', exitCode = 0): ExecResult => ({
  stdout,
  stdoutKind: 'bytes',
  stderr,
  exitCode,
});

const kindAt = async ({ fs, cwd }: ResolvedCommandContext, path: string): Promise<'file' | 'folder' | undefined> => {
  try {
    return (await fs.stat(fs.resolvePath(cwd, path))).isDirectory ? 'folder' : 'file';
  } catch {
    return undefined;
  }
};

const read = async (context: ResolvedCommandContext, path: string): Promise<Uint8Array> =>
  path === '-'
    ? fromByteText(context.stdin as unknown as string)
    : context.fs.readFileBuffer(context.fs.resolvePath(context.cwd, path));

const two = (value: number): string => String(value).padStart(2, '0');

const stamp = async ({ fs, cwd }: ResolvedCommandContext, path: string): Promise<string> => {
  if (path === '-') return '1970-01-01 00:00:00.000000000 +0000';
  const { mtime } = await fs.stat(fs.resolvePath(cwd, path));
  const day = `${mtime.getUTCFullYear()}-${two(mtime.getUTCMonth() + 1)}-${two(mtime.getUTCDate())}`;
  const time = `${two(mtime.getUTCHours())}:${two(mtime.getUTCMinutes())}:${two(mtime.getUTCSeconds())}`;
  return `${day} ${time}.${String(mtime.getUTCMilliseconds()).padStart(3, '0')}000000 +0000`;
};

interface DiffOptions {
  readonly isBrief: boolean;
  readonly isRecursive: boolean;
  readonly showsSame: boolean;
  readonly isNewFile: boolean;
  /** Lines around a change; nothing: the old form. */
  readonly context: number | undefined;
  readonly labels: readonly string[];
  readonly fold: (text: string) => string;
  /** As it was typed, for lines about files in folders. */
  readonly command: string;
}

const diffFiles = async (
  context: ResolvedCommandContext,
  from: string,
  to: string,
  options: DiffOptions,
  header: boolean,
): Promise<ExecResult> => {
  const isThere = async (path: string): Promise<boolean> => path === '-' || (await kindAt(context, path)) === 'file';
  const bytesAt = async (path: string): Promise<Uint8Array> =>
    (await isThere(path)) ? read(context, path) : new Uint8Array();
  const [before, after] = [await bytesAt(from), await bytesAt(to)];
  const [old, young] = [options.fold(byteText(before)), options.fold(byteText(after))];
  if (old === young) return said(options.showsSame ? `Files ${from} and ${to} are identical\n` : '');
  if (options.isBrief) return said(`Files ${from} and ${to} differ\n`, '', 1);
  if (isBinary(before) || isBinary(after)) return said(`Binary files ${from} and ${to} differ\n`, '', 1);
  const top = header ? `${options.command} ${from} ${to}\n` : '';
  if (options.context === undefined) return said(top + normalDiff(old, young), '', 1);
  const label = async (index: number, path: string): Promise<string> =>
    options.labels[index] ??
    `${path}\t${(await isThere(path)) ? await stamp(context, path) : '1970-01-01 00:00:00.000000000 +0000'}`;
  const head = `--- ${await label(0, from)}\n+++ ${await label(1, to)}\n`;
  const hunks = unifiedHunks(old, young, options.context).replace(/^(@@ .*? @@).*$/gm, '$1');
  return said(top + head + hunks, '', 1);
};

const diffFolders = async (
  context: ResolvedCommandContext,
  from: string,
  to: string,
  options: DiffOptions,
): Promise<ExecResult> => {
  const names = async (path: string): Promise<string[]> =>
    context.fs.readdir(context.fs.resolvePath(context.cwd, path));
  const all = [...new Set([...(await names(from)), ...(await names(to))])].toSorted();
  let stdout = '';
  let exitCode = 0;
  for (const name of all) {
    const [one, two_] = [`${from}/${name}`, `${to}/${name}`];
    const [first, second] = [await kindAt(context, one), await kindAt(context, two_)];
    let ran: ExecResult;
    if ((first === undefined || second === undefined) && !(options.isNewFile && (first ?? second) === 'file'))
      ran = said(`Only in ${first === undefined ? to : from}: ${name}\n`, '', 1);
    else if (first === 'folder' && second === 'folder')
      ran = options.isRecursive
        ? await diffFolders(context, one, two_, options)
        : said(`Common subdirectories: ${one} and ${two_}\n`);
    else if (first === 'folder' || second === 'folder')
      ran = said(
        `File ${one} is a ${first === 'folder' ? 'directory' : 'regular file'} while file ${two_} is a ${second === 'folder' ? 'directory' : 'regular file'}\n`,
        '',
        1,
      );
    else ran = await diffFiles(context, one, two_, options, !options.isBrief);
    stdout += ran.stdout;
    exitCode = Math.max(exitCode, ran.exitCode);
  }
  return said(stdout, '', exitCode);
};

const diff = defineCommand('diff', async (args, context) => {
  const paths: string[] = [];
  const labels: string[] = [];
  const flags = new Set<string>();
  let lines: number | undefined;
  const LONG: Readonly<Record<string, string>> = {
    '--brief': 'q',
    '--recursive': 'r',
    '--report-identical-files': 's',
    '--new-file': 'N',
    '--ignore-all-space': 'w',
    '--ignore-space-change': 'b',
    '--ignore-case': 'i',
    '--text': 'a',
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '-' || !word.startsWith('-')) paths.push(word);
    else if (word === '--unified') lines = 3;
    else if (/^--unified=\d+$/.test(word)) lines = Number(word.slice(10));
    else if (word === '--label' || word === '-L') labels.push(args[++at] ?? '');
    else if (word.startsWith('--label=')) labels.push(word.slice(8));
    else if (word === '--color=never' || word === '--normal' || word === '--') continue;
    else if (LONG[word] !== undefined) flags.add(LONG[word] ?? '');
    else if (/^-U\d+$/.test(word)) lines = Number(word.slice(2));
    else if (word === '-U') lines = Number(args[++at] ?? 3);
    else if (/^-[uqrsNwbia]+$/.test(word)) for (const letter of word.slice(1)) flags.add(letter);
    else return said('', `diff: unrecognized option '${word}'\ndiff: Try 'diff --help' for more information.\n`, 2);
  }
  if (flags.has('u')) lines ??= 3;
  const [from, to, extra] = paths;
  if (from === undefined || to === undefined || extra !== undefined)
    return said(
      '',
      `diff: ${to === undefined ? `missing operand after '${from ?? 'diff'}'` : `extra operand '${extra}'`}\ndiff: Try 'diff --help' for more information.\n`,
      2,
    );
  const [first, second] = [
    from === '-' ? 'file' : await kindAt(context, from),
    to === '-' ? 'file' : await kindAt(context, to),
  ];
  const missing = [...(first ? [] : [from]), ...(second ? [] : [to])];
  if (missing.length > 0 && !(flags.has('N') && missing.length < 2))
    return said('', missing.map((path) => `diff: ${path}: No such file or directory\n`).join(''), 2);
  const fold = (text: string): string => {
    let folded = text;
    if (flags.has('w')) folded = folded.replace(/[ \t]+/g, '');
    else if (flags.has('b')) folded = folded.replace(/[ \t]+/g, ' ').replace(/ $/gm, '');
    return flags.has('i') ? folded.toLowerCase() : folded;
  };
  const options: DiffOptions = {
    isBrief: flags.has('q'),
    isRecursive: flags.has('r'),
    showsSame: flags.has('s'),
    isNewFile: flags.has('N'),
    context: lines,
    labels,
    fold,
    command: ['diff', ...args.filter((word) => word.startsWith('-') && word !== '-')].join(' '),
  };
  if (first === 'folder' && second === 'folder')
    return diffFolders(context, from.replace(/\/$/, ''), to.replace(/\/$/, ''), options);
  const inside = (folder: string, file: string): string => `${folder.replace(/\/$/, '')}/${baseName(file)}`;
  const [one, another] = [first === 'folder' ? inside(from, to) : from, second === 'folder' ? inside(to, from) : to];
  for (const path of [one, another])
    if (path !== '-' && !flags.has('N') && (await kindAt(context, path)) === undefined)
      return said('', `diff: ${path}: No such file or directory\n`, 2);
  return diffFiles(context, one, another, options, false);
});

const cmp = defineCommand('cmp', async (args, context) => {
  const isSilent = args.some((word) => word === '-s' || word === '--quiet' || word === '--silent');
  const [from, to = '-'] = args.filter((word) => word === '-' || !word.startsWith('-'));
  if (from === undefined)
    return said('', "cmp: missing operand after 'cmp'\ncmp: Try 'cmp --help' for more information.\n", 2);
  for (const path of [from, to])
    if (path !== '-' && (await kindAt(context, path)) !== 'file')
      return said(
        '',
        `cmp: ${path}: ${(await kindAt(context, path)) === 'folder' ? 'Is a directory' : 'No such file or directory'}\n`,
        2,
      );
  const [one, another] = [await read(context, from), await read(context, to)];
  let [at, line] = [0, 1];
  for (; at < one.length && at < another.length && one[at] === another[at]; at++) if (one[at] === 10) line++;
  if (at === one.length && at === another.length) return said('');
  if (isSilent) return said('', '', 1);
  if (at < one.length && at < another.length)
    return said(`${from} ${to} differ: byte ${at + 1}, line ${line}\n`, '', 1);
  const shorter = one.length < another.length ? from : to;
  if (at === 0) return said('', `cmp: EOF on ${shorter} which is empty\n`, 1);
  const isWhole = (one.length < another.length ? one : another)[at - 1] === 10;
  return said('', `cmp: EOF on ${shorter} after byte ${at}, ${isWhole ? `line ${line - 1}` : `in line ${line}`}\n`, 1);
});

type Original = (args: string[]) => Promise<ExecResult>;

/** A command of just-bash, called through a correction. */
const corrected = (
  name: string,
  act: (args: string[], original: Original, context: ResolvedCommandContext) => Promise<ExecResult>,
): Command =>
  defineCommand(name, (args, context) => {
    const { origCommand } = context;
    if (!origCommand) throw new Error(`there is no ${name}`);
    return act(args, origCommand, context);
  });

const withErrors = (name: string, change: (stderr: string) => string, exitCode?: number): Command =>
  corrected(name, async (args, original) => {
    const ran = await original(args);
    const stderr = change(ran.stderr);
    return { ...ran, stderr, ...(stderr !== ran.stderr && exitCode !== undefined && { exitCode }) };
  });

export const plainCommands: readonly Command[] = [
  diff,
  cmp,
  ls,
  ...(['grep', 'egrep', 'fgrep'] as const).map(grepCommand),
  ...lineCommands,
  ...orderCommands,
  ...callerCommands,
  withErrors('find', (text) =>
    text.replace(/^find: (?![‘'])(.*): No such file or directory$/gm, 'find: ‘$1’: No such file or directory'),
  ),
  withErrors(
    'sed',
    (text) =>
      text.replace(
        /^sed: (?!can't|-e|couldn't)(.*): No such file or directory$/gm,
        "sed: can't read $1: No such file or directory",
      ),
    2,
  ),
];
