/** `tar`, plain and with gzip. */
import { defineCommand } from 'just-bash/browser';
import { errorMessage } from '../../../../base/errors.ts';
import { readTar, writeTar } from '../../../../model/files/tar-format.ts';
import { fromByteText } from '../remote-fs.ts';
import { gunzip, gzip, isGzip } from './gzip.ts';
import { gather, isWanted, kindOf, safeName, tryToUnpack } from './members.ts';
import { readOptions } from './options.ts';
import { bytes, joined, MOST_ENTRIES, text, type Ran } from './results.ts';

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

export const tar = defineCommand('tar', async (args, context) => {
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
      const { entries, errors } = await gather(fs, base, rest);
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
      const why = await tryToUnpack(fs, `${base}/${safe}`, kind, mode, content);
      if (why !== undefined) notes.push(`tar: ${name}: Cannot open: ${why}\n`);
    }
    return ending(flags.has('v') ? chosen.map(({ name }) => `${name}\n`).join('') : '', notes);
  } catch (thrown) {
    return fail(errorMessage(thrown));
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
