/** `zip`, `unzip`. */
import { defineCommand } from 'just-bash/browser';
import { type GzipOptions, unzipSync, zipSync, type Zippable } from 'fflate';
import { errorMessage } from '../../../../base/errors.ts';
import { baseName } from '../../../../base/paths.ts';
import { gather, isWanted, kindOf, safeName, tryToUnpack } from './members.ts';
import { readOptions } from './options.ts';
import { bytes, joined, MOST_ENTRIES, MOST_UNPACKED, text, tooLarge } from './results.ts';

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

export const zip = defineCommand('zip', async (args, context) => {
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
    const { entries, errors } = await gather(fs, cwd, names);
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
      const safe = safeName(flags.has('j') ? baseName(name) : name);
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
    return text('', `zip error: ${errorMessage(thrown)}\n`, 2);
  }
});

export const unzip = defineCommand('unzip', async (args, context) => {
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
      const safe = safeName(flags.has('j') ? baseName(name) : name);
      if (safe === undefined) {
        if (!name.endsWith('/')) warnings.push(`warning:  skipped "${name}": it leads out of the folder\n`);
        continue;
      }
      if (flags.has('n') && (await kindOf(fs, `${base}/${safe}`)) !== undefined) continue;
      const why = await tryToUnpack(fs, `${base}/${safe}`, name.endsWith('/') ? 'folder' : 'file', 0o644, content);
      if (why !== undefined) {
        warnings.push(`warning:  skipped "${name}": ${why}\n`);
        continue;
      }
      lines.push(`  ${name.endsWith('/') ? '  creating' : ' inflating'}: ${safe}\n`);
    }
    return text(flags.has('q') ? '' : lines.join(''), warnings.join(''), warnings.length > 0 ? 1 : 0);
  } catch (thrown) {
    return text('', `unzip:  ${errorMessage(thrown)}\n`, 3);
  }
});
