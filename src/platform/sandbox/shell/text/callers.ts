/** Commands that run others: `xargs`, `env`. */
import { defineCommand, type Command, type ExecResult } from 'just-bash/browser';
import { quoted, readOptions, said, wrongUse, type Context } from './operands.ts';

const call = (
  context: Context,
  words: readonly string[],
  more: { readonly before?: string; readonly stdin?: string; readonly isBare?: boolean } = {},
): Promise<ExecResult> => {
  if (!context.exec) throw new Error('there is no shell to ask');
  const { before = '', stdin = '', isBare = false } = more;
  return context.exec(before + words.map(quoted).join(' '), {
    cwd: context.cwd,
    stdin,
    stdinKind: 'bytes',
    ...(context.signal && { signal: context.signal }),
    ...(isBare && { replaceEnv: true, env: { PATH: '/usr/bin:/bin' } }),
  });
};

/** Blanks and newlines separate, quotes and backslashes keep together. */
const wordsOf = (text: string): readonly string[] | undefined => {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1);
      if (end === -1 || text.slice(at, end).includes('\n')) return undefined;
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (character === '\\') word = (word ?? '') + (text[++at] ?? '');
    else if (/[ \t\n]/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words;
};

const xargs = defineCommand('xargs', async (given, context) => {
  const { flags, values, rest, wrong } = readOptions(
    given,
    '0a:d:E:I:L:n:P:prs:tx',
    {
      null: '0',
      delimiter: 'd',
      replace: 'I',
      'max-lines': 'L',
      'max-args': 'n',
      'max-procs': 'P',
      'no-run-if-empty': 'r',
      verbose: 't',
      exit: 'x',
      'max-chars': 's',
    },
    true,
  );
  if (wrong !== undefined) return wrongUse('xargs', wrong);
  const [program = 'echo', ...first] = rest;
  const text = context.stdin as unknown as string;
  const place = values.get('I');
  const escape = (sign: string): string => sign.replace('\\n', '\n').replace('\\t', '\t').replace('\\0', '\0');
  const separator = flags.has('0') ? '\0' : values.has('d') ? escape(values.get('d') ?? '') : undefined;
  let items: readonly (readonly string[])[];
  const chunks = (words: readonly string[], size: number): (readonly string[])[] => {
    const groups: (readonly string[])[] = [];
    for (let at = 0; at < words.length; at += size) groups.push(words.slice(at, at + size));
    return groups;
  };
  const size = values.has('n') ? Number(values.get('n')) : Infinity;
  if (separator !== undefined) {
    const words = text.split(separator);
    if (words.at(-1) === '') words.pop();
    items = place === undefined ? (size === Infinity ? [words] : chunks(words, size)) : words.map((word) => [word]);
  } else if (place !== undefined || values.has('L')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const count = Number(values.get('L') ?? 1);
    items =
      place === undefined
        ? chunks(lines, count).map((group) => group.flatMap((line) => wordsOf(line) ?? [line]))
        : lines.map((line) => [line.replace(/^[ \t]+/, '')]);
  } else {
    const words = wordsOf(text);
    if (!words)
      return said(
        '',
        'xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option\n',
        1,
      );
    items = size === Infinity ? [words] : chunks(words, size);
  }
  const isEmpty = items.every((group) => group.length === 0);
  if (isEmpty && (flags.has('r') || place !== undefined || values.has('L'))) return said('');
  if (items.length === 0) items = [[]];
  const parts: string[] = [];
  let [stderr, exitCode] = ['', 0];
  for (const group of items) {
    const words =
      place === undefined
        ? [program, ...first, ...group]
        : [program, ...first.map((word) => word.replaceAll(place, () => group[0] ?? ''))];
    if (flags.has('t')) stderr += `${words.join(' ')}\n`;
    const ran = await call(
      context,
      words.map((word) => fromBytes(word)),
    );
    parts.push(ran.stdoutKind === 'bytes' || ran.stdoutEncoding === 'binary' ? ran.stdout : toBytes(ran.stdout));
    if (ran.exitCode === 127 && ran.stderr.endsWith('command not found\n'))
      return said(parts.join(''), `${stderr}xargs: ${program}: No such file or directory\n`, 127);
    stderr += ran.stderr;
    if (ran.exitCode === 255)
      return said(parts.join(''), `${stderr}xargs: ${program}: exited with status 255; aborting\n`, 124);
    if (ran.exitCode !== 0) exitCode = 123;
  }
  return said(parts.join(''), stderr, exitCode);
});

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const fromBytes = (text: string): string => decoder.decode(Uint8Array.from(text, (one) => one.charCodeAt(0)));
const toBytes = (text: string): string =>
  Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');

const env = defineCommand('env', async (args, context) => {
  const { flags, all, rest, wrong } = readOptions(
    args,
    'iu:0',
    { 'ignore-environment': 'i', unset: 'u', null: '0' },
    true,
  );
  if (wrong !== undefined) return wrongUse('env', wrong, 125);
  const first = rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [settings, words] = first === -1 ? [rest, []] : [rest.slice(0, first), rest.slice(first)];
  const variables = new Map(flags.has('i') ? [] : Object.entries(context.exportedEnv ?? {}));
  for (const [letter, name] of all) if (letter === 'u') variables.delete(name);
  for (const setting of settings) {
    const [name = '', value = ''] = setting.split(/=(.*)/s);
    variables.set(name, value);
  }
  const end = flags.has('0') ? '\0' : '\n';
  if (words.length === 0)
    return {
      ...said(''),
      stdoutKind: 'text',
      stdout: [...variables].map(([name, value]) => `${name}=${value}${end}`).join(''),
    };
  const set = [...variables].map(([name, value]) => `${name}=${quoted(value)} `).join('');
  const ran = await call(context, words, {
    before: set,
    stdin: context.stdin as unknown as string,
    isBare: flags.has('i') || all.length > 0,
  });
  if (ran.exitCode === 127 && ran.stderr.endsWith('command not found\n'))
    return said('', `env: ‘${words[0]}’: No such file or directory\n`, 127);
  return ran;
});

export const callerCommands: readonly Command[] = [xargs, env];
