/**
 * `gzip`, `gunzip`, `zcat`, `tar`, `zip`, `unzip` over fflate, because just-bash's own need Node. What an archive says is not
 * believed: unpacking stops at the limits, whatever the headers promise.
 */
import { defineCommand, type Command, type IFileSystem, type ResolvedCommandContext } from 'just-bash/browser';
import { gunzipSync, gzipSync, type GzipOptions, unzipSync, zipSync, type Zippable } from 'fflate';
import { readTar, writeTar, type TarEntry } from '../../../model/sandbox/tar-format.ts';
import { fromByteText, toByteText } from './remote-fs.ts';

/** Bytes that one archive may become. */
const MOST_UNPACKED = 128 * 1024 * 1024;
const MOST_ENTRIES = 10_000;

interface Ran {
  readonly stdout: string;
  readonly stdoutKind: 'text' | 'bytes';
  readonly stderr: string;
  readonly exitCode: number;
}

const text = (stdout: string, stderr = '', exitCode = 0): Ran => ({ stdout, stdoutKind: 'text', stderr, exitCode });
const bytes = (stdout: Uint8Array, stderr = '', exitCode = 0): Ran => ({
  stdout: toByteText(stdout),
  stdoutKind: 'bytes',
  stderr,
  exitCode,
});

class ArchiveFault extends Error {}
const tooLarge = (): never => {
  throw new ArchiveFault(`unpacks to more than ${MOST_UNPACKED / 1024 / 1024} MB; not done`);
};
const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const isGzip = (packed: Uint8Array): boolean => packed[0] === 0x1f && packed[1] === 0x8b;

/** The size that an archive promises is all the room it gets, so a wrong promise is an error and not a flood. */
const gunzip = (packed: Uint8Array): Uint8Array => {
  if (!isGzip(packed)) throw new ArchiveFault('not in gzip format');
  if (packed.length < 18) throw new ArchiveFault('unexpected end of file');
  const size = new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true);
  // Deflate cannot do better than about 1,032 to one: more is a cut file, or a lie.
  if (size > packed.length * 1040) throw new ArchiveFault('unexpected end of file');
  if (size > MOST_UNPACKED) tooLarge();
  try {
    const unpacked = gunzipSync(packed, { out: new Uint8Array(size) });
    if (unpacked.length === size) return unpacked;
  } catch (thrown) {
    throw new ArchiveFault(
      /unexpected EOF/i.test(wordsOf(thrown)) ? 'unexpected end of file' : 'invalid compressed data',
    );
  }
  throw new ArchiveFault('unexpected end of file');
};

const gzip = (content: Uint8Array, level: number): Uint8Array =>
  gzipSync(content, { level: level as NonNullable<GzipOptions['level']>, mtime: 0 });

const absolute = ({ fs, cwd }: ResolvedCommandContext, path: string): string => fs.resolvePath(cwd, path);

const kindOf = async (fs: IFileSystem, path: string): Promise<'file' | 'folder' | undefined> => {
  try {
    return (await fs.stat(path)).isDirectory ? 'folder' : 'file';
  } catch {
    return undefined;
  }
};

interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
  readonly unknown: string | undefined;
}

/** Short options in bundles, a few long ones; `takes` are those with a value. */
const readOptions = (
  args: readonly string[],
  known: string,
  takes = '',
  long: Readonly<Record<string, string>> = {},
): Options => {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const rest: string[] = [];
  let isOver = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (isOver || word === '-' || !word.startsWith('-')) {
      rest.push(word);
    } else if (word === '--') isOver = true;
    else if (word.startsWith('--')) {
      const [name = '', value] = word.slice(2).split(/=(.*)/s);
      const letter = long[name];
      if (letter === undefined) return { flags, values, rest, unknown: word };
      if (takes.includes(letter)) values.set(letter, value ?? args[++at] ?? '');
      else flags.add(letter);
    } else {
      for (let letter = 1; letter < word.length; letter++) {
        const option = word[letter] ?? '';
        if (takes.includes(option)) {
          const value = word.slice(letter + 1);
          values.set(option, value === '' ? (args[++at] ?? '') : value);
          break;
        }
        if (!known.includes(option)) return { flags, values, rest, unknown: `-${option}` };
        flags.add(option);
      }
    }
  }
  return { flags, values, rest, unknown: undefined };
};

const GZIP_LONG = {
  stdout: 'c',
  'to-stdout': 'c',
  decompress: 'd',
  uncompress: 'd',
  force: 'f',
  keep: 'k',
  list: 'l',
  test: 't',
  fast: '1',
  best: '9',
} as const;

const gzipCommand = (name: 'gzip' | 'gunzip' | 'zcat'): Command =>
  defineCommand(name, async (args, context) => {
    const { fs } = context;
    const { flags, rest, unknown } = readOptions(args, 'cdfklqtvn123456789', '', GZIP_LONG);
    if (unknown !== undefined) return text('', `${name}: unsupported option ${unknown}\n`, 1);
    const unpacks = name !== 'gzip' || flags.has('d') || flags.has('t');
    const toStdout = name === 'zcat' || flags.has('c');
    const level = Number([...flags].find((flag) => /[1-9]/.test(flag)) ?? 6);
    const out: Uint8Array[] = [];
    let stderr = '';
    let exitCode = 0;
    for (const given of rest.length === 0 ? ['-'] : rest) {
      const fail = (why: string): void => {
        stderr += `${name}: ${given === '-' ? 'stdin' : given}: ${why}\n`;
        exitCode = 1;
      };
      try {
        if (given === '-') {
          const input = fromByteText(context.stdin as unknown as string);
          out.push(unpacks ? gunzip(input) : gzip(input, level));
          continue;
        }
        const path = absolute(context, given);
        const kind = await kindOf(fs, path);
        if (kind === undefined) {
          fail('No such file or directory');
          continue;
        }
        if (kind === 'folder') {
          stderr += `${name}: ${given} is a directory -- ignored\n`;
          exitCode = 2;
          continue;
        }
        const content = await fs.readFileBuffer(path);
        if (!unpacks && given.endsWith('.gz') && !toStdout && !flags.has('f')) {
          stderr += `${name}: ${given} already has .gz suffix -- unchanged\n`;
          exitCode = 2;
          continue;
        }
        const made = unpacks ? gunzip(content) : gzip(content, level);
        if (flags.has('t')) continue;
        if (toStdout) {
          out.push(made);
          continue;
        }
        if (unpacks && !/\.(?:gz|tgz)$/.test(given)) {
          stderr += `${name}: ${given}: unknown suffix -- ignored\n`;
          exitCode = 2;
          continue;
        }
        const target = unpacks ? path.replace(/\.tgz$/, '.tar').replace(/\.gz$/, '') : `${path}.gz`;
        if (!flags.has('f') && (await kindOf(fs, target)) !== undefined) {
          stderr += `${name}: ${unpacks ? given.replace(/\.gz$/, '') : `${given}.gz`} already exists; not overwritten\n`;
          exitCode = 2;
          continue;
        }
        await fs.writeFile(target, made);
        if (!flags.has('k')) await fs.rm(path);
      } catch (thrown) {
        fail(wordsOf(thrown));
      }
    }
    return bytes(joined(out), stderr, exitCode);
  });

/** What an archive may name: below the folder that it is unpacked into. */
const safeName = (name: string): string | undefined => {
  const steps = name
    .replace(/^\/+/, '')
    .split('/')
    .filter((step) => step !== '' && step !== '.');
  return steps.length === 0 || steps.includes('..') || name.includes('\0') ? undefined : steps.join('/');
};

const gather = async (
  context: ResolvedCommandContext,
  base: string,
  names: readonly string[],
): Promise<{ readonly entries: TarEntry[]; readonly errors: string[] }> => {
  const { fs } = context;
  const entries: TarEntry[] = [];
  const errors: string[] = [];
  let size = 0;
  const visit = async (name: string): Promise<void> => {
    const path = fs.resolvePath(base, name);
    const kind = await kindOf(fs, path);
    if (kind === undefined) {
      errors.push(`${name}: Cannot stat: No such file or directory`);
      return;
    }
    const { mode, mtime } = await fs.stat(path);
    const seconds = Math.floor(mtime.getTime() / 1000);
    if (kind === 'folder') {
      entries.push({
        name: name.endsWith('/') ? name : `${name}/`,
        kind,
        mode,
        mtime: seconds,
        content: new Uint8Array(),
      });
      for (const child of await fs.readdir(path)) await visit(`${name.replace(/\/$/, '')}/${child}`);
      return;
    }
    const content = await fs.readFileBuffer(path);
    size += content.length;
    if (size > MOST_UNPACKED || entries.length >= MOST_ENTRIES) tooLarge();
    entries.push({ name, kind, mode, mtime: seconds, content });
  };
  for (const name of names) await visit(name);
  return { entries, errors };
};

const isWanted = (name: string, wanted: readonly string[]): boolean =>
  wanted.length === 0 ||
  wanted.some(
    (one) => name.replace(/\/$/, '') === one.replace(/\/$/, '') || name.startsWith(`${one.replace(/\/$/, '')}/`),
  );

const TAR_LONG = {
  create: 'c',
  extract: 'x',
  get: 'x',
  list: 't',
  file: 'f',
  gzip: 'z',
  verbose: 'v',
  directory: 'C',
  'to-stdout': 'O',
  exclude: 'X',
} as const;

const tar = defineCommand('tar', async (args, context) => {
  const { fs, cwd } = context;
  // The old way: `tar czf …`, letters without a dash.
  const first = args[0] ?? '';
  const words = first !== '' && !first.startsWith('-') ? oldStyle(args) : args;
  const { flags, values, rest, unknown } = readOptions(words, 'cxtzvOpk', 'fCX', TAR_LONG);
  if (unknown !== undefined) return text('', `tar: unsupported option ${unknown}\n`, 64);
  const modes = ['c', 'x', 't'].filter((flag) => flags.has(flag));
  if (modes.length !== 1)
    return text('', "tar: You must specify one of the '-ctx' options\nTry 'tar --help' for more information.\n", 2);
  const base = fs.resolvePath(cwd, values.get('C') ?? '.');
  const file = values.get('f') ?? '-';
  const archivePath = file === '-' ? undefined : fs.resolvePath(cwd, file);
  const fail = (why: string): Ran => text('', `tar: ${why}\ntar: Error is not recoverable: exiting now\n`, 2);
  try {
    if (flags.has('c')) {
      if (rest.length === 0)
        return text(
          '',
          "tar: Cowardly refusing to create an empty archive\nTry 'tar --help' for more information.\n",
          2,
        );
      const { entries, errors } = await gather(context, base, rest);
      const excluded = values.get('X');
      const kept = excluded === undefined ? entries : entries.filter(({ name }) => !name.split('/').includes(excluded));
      const plain = writeTar(kept.map((entry) => ({ ...entry, name: entry.name.replace(/^\/+/, '') })));
      const packed = flags.has('z') ? gzip(plain, 6) : plain;
      const stderr =
        errors.map((line) => `tar: ${line}\n`).join('') +
        (errors.length > 0 ? 'tar: Exiting with failure status due to previous errors\n' : '');
      const listing = flags.has('v') ? kept.map(({ name }) => `${name}\n`).join('') : '';
      if (archivePath === undefined) return bytes(packed, listing + stderr, errors.length > 0 ? 2 : 0);
      await fs.writeFile(archivePath, packed);
      return text(listing, stderr, errors.length > 0 ? 2 : 0);
    }
    if (archivePath !== undefined && (await kindOf(fs, archivePath)) === undefined)
      return fail(`${file}: Cannot open: No such file or directory`);
    const raw =
      archivePath === undefined
        ? fromByteText(context.stdin as unknown as string)
        : await fs.readFileBuffer(archivePath);
    const archive = readTar(isGzip(raw) ? gunzip(raw) : raw, MOST_ENTRIES);
    if (!archive.ok) return fail(archive.error);
    const chosen = archive.value.entries.filter(({ name }) => isWanted(name, rest));
    const missing = rest.filter((one) => !archive.value.entries.some(({ name }) => isWanted(name, [one])));
    const notes = missing.map((one) => `tar: ${one}: Not found in archive\n`);
    if (flags.has('t')) return ending(chosen.map(({ name }) => `${name}\n`).join(''), notes);
    if (flags.has('O'))
      return bytes(joined(chosen.map(({ content }) => content)), notes.join(''), notes.length > 0 ? 2 : 0);
    for (const { name, kind, mode, content } of chosen) {
      const safe = safeName(name);
      if (safe === undefined) {
        if (name.split('/').includes('..')) notes.push(`tar: ${name}: Member name contains '..'\n`);
        continue;
      }
      await unpackOne(fs, `${base}/${safe}`, kind, mode, content);
    }
    return ending(flags.has('v') ? chosen.map(({ name }) => `${name}\n`).join('') : '', notes);
  } catch (thrown) {
    return fail(wordsOf(thrown));
  }
});

const oldStyle = ([letters = '', ...rest]: readonly string[]): string[] => {
  const words: string[] = [];
  for (const letter of letters) words.push(`-${letter}`, ...('fCX'.includes(letter) ? rest.splice(0, 1) : []));
  return [...words, ...rest];
};

const ending = (stdout: string, notes: readonly string[]): Ran =>
  notes.length === 0
    ? text(stdout)
    : text(stdout, `${notes.join('')}tar: Exiting with failure status due to previous errors\n`, 2);

const unpackOne = async (
  fs: IFileSystem,
  path: string,
  kind: 'file' | 'folder',
  mode: number,
  content: Uint8Array,
): Promise<void> => {
  if (kind === 'folder') {
    await fs.mkdir(path, { recursive: true });
    return;
  }
  await fs.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  await fs.writeFile(path, content);
  if ((mode & 0o111) !== 0) await fs.chmod(path, mode);
};

const unzipAll = (packed: Uint8Array): Map<string, Uint8Array> => {
  let [size, count] = [0, 0];
  const files = unzipSync(packed, {
    filter: ({ originalSize }) => {
      size += originalSize;
      if (size > MOST_UNPACKED || ++count > MOST_ENTRIES) tooLarge();
      return true;
    },
  });
  return new Map(Object.entries(files));
};

const zip = defineCommand('zip', async (args, context) => {
  const { fs, cwd } = context;
  const { flags, rest, unknown } = readOptions(args, 'rqj0123456789', '', {
    'recurse-paths': 'r',
    quiet: 'q',
    'junk-paths': 'j',
  });
  const [given, ...names] = rest;
  if (unknown !== undefined)
    return text('', `zip error: Invalid command arguments (unsupported option ${unknown})\n`, 16);
  if (given === undefined || names.length === 0) return text('', 'zip error: Nothing to do!\n', 12);
  const target = fs.resolvePath(cwd, /\.[^/]*$/.test(given) ? given : `${given}.zip`);
  try {
    const { entries, errors } = await gather(context, cwd, names);
    const chosen = entries.filter(
      ({ name }) => flags.has('r') || names.some((one) => one.replace(/\/$/, '') === name.replace(/\/$/, '')),
    );
    const before =
      (await kindOf(fs, target)) === 'file' ? unzipAll(await fs.readFileBuffer(target)) : new Map<string, Uint8Array>();
    const level = Number([...flags].find((flag) => /\d/.test(flag)) ?? 6) as NonNullable<GzipOptions['level']>;
    const files: Zippable = Object.create(null) as Zippable;
    const add = (name: string, content: Uint8Array, mtime: number): void => {
      files[name] = [content, { level, mtime: Math.max(mtime, 315_619_200) * 1000 }];
    };
    for (const [name, content] of before) add(name, content, 0);
    const lines: string[] = [];
    for (const { name, kind, content, mtime } of chosen) {
      const safe = safeName(flags.has('j') ? name.slice(name.lastIndexOf('/') + 1) : name);
      if (safe === undefined || (flags.has('j') && kind === 'folder')) continue;
      const stored = kind === 'folder' ? `${safe}/` : safe;
      lines.push(`  ${before.has(stored) ? 'updating' : 'adding'}: ${stored}\n`);
      add(stored, content, mtime);
    }
    if (lines.length === 0)
      return text(
        '',
        `${errors.map((line) => `\tzip warning: ${line}\n`).join('')}zip error: Nothing to do! (${given})\n`,
        12,
      );
    await fs.writeFile(target, zipSync(files));
    return text(flags.has('q') ? '' : lines.join(''), errors.map((line) => `zip warning: ${line}\n`).join(''));
  } catch (thrown) {
    return text('', `zip error: ${wordsOf(thrown)}\n`, 2);
  }
});

const unzip = defineCommand('unzip', async (args, context) => {
  const { fs, cwd } = context;
  const { flags, values, rest, unknown } = readOptions(args, 'lpqojn', 'd');
  const [given, ...wanted] = rest;
  if (unknown !== undefined || given === undefined)
    return text('', 'usage: unzip [-lpqojn] file[.zip] [list] [-d exdir]\n', 10);
  const named = fs.resolvePath(cwd, given);
  const path = (await kindOf(fs, named)) === 'file' ? named : `${named}.zip`;
  if ((await kindOf(fs, path)) !== 'file')
    return text('', `unzip:  cannot find or open ${given}, ${given}.zip or ${given}.ZIP.\n`, 9);
  try {
    const files = [...unzipAll(await fs.readFileBuffer(path))].filter(([name]) => isWanted(name, wanted));
    if (files.length === 0) return text('', `caution: filename not matched:  ${wanted.join(' ') || given}\n`, 11);
    if (flags.has('l'))
      return text(files.map(([name, content]) => `${String(content.length).padStart(9)}  ${name}\n`).join(''));
    if (flags.has('p')) return bytes(joined(files.map(([, content]) => content)));
    const base = fs.resolvePath(cwd, values.get('d') ?? '.');
    const lines: string[] = [];
    const warnings: string[] = [];
    for (const [name, content] of files) {
      const safe = safeName(flags.has('j') ? name.slice(name.lastIndexOf('/') + 1) : name);
      if (safe === undefined) {
        if (!name.endsWith('/')) warnings.push(`warning:  skipped "${name}": it leads out of the folder\n`);
        continue;
      }
      if (flags.has('n') && (await kindOf(fs, `${base}/${safe}`)) !== undefined) continue;
      await unpackOne(fs, `${base}/${safe}`, name.endsWith('/') ? 'folder' : 'file', 0o644, content);
      lines.push(`  ${name.endsWith('/') ? '  creating' : ' inflating'}: ${safe}\n`);
    }
    return text(flags.has('q') ? '' : lines.join(''), warnings.join(''), warnings.length > 0 ? 1 : 0);
  } catch (thrown) {
    return text('', `unzip:  ${wordsOf(thrown)}\n`, 3);
  }
});

export const archiveCommands: readonly Command[] = [
  gzipCommand('gzip'),
  gzipCommand('gunzip'),
  gzipCommand('zcat'),
  tar,
  zip,
  unzip,
];
