/** `gzip`, `gunzip`, `zcat`. */
import { defineCommand, type Command } from 'just-bash/browser';
import { Gunzip, gzipSync, type GzipOptions } from 'fflate';
import { errorMessage } from '../../../../base/errors.ts';
import { fromByteText } from '../remote-fs.ts';
import { kindOf } from './members.ts';
import { readOptions } from './options.ts';
import { ArchiveFault, bytes, joined, MOST_UNPACKED, text, tooLarge } from './results.ts';

export const isGzip = (packed: Uint8Array): boolean => packed[0] === 0x1f && packed[1] === 0x8b;

/** Input that is unpacked in one go: even if it is as dense as can be, its content fits beside the rest. */
const SLICE = 16 * 1024;

/** All members of a file, one after the other. What the headers promise is not believed. */
export const gunzip = (packed: Uint8Array): Uint8Array => {
  if (!isGzip(packed)) throw new ArchiveFault('not in gzip format');
  if (packed.length < 18) throw new ArchiveFault('unexpected end of file');
  const parts: Uint8Array[] = [];
  let [size, begun] = [0, 0];
  const stream = new Gunzip((part) => {
    size += part.length;
    if (size > MOST_UNPACKED) tooLarge();
    parts.push(part);
  });
  stream.onmember = () => {
    begun = size;
  };
  try {
    for (let at = 0; at < packed.length; at += SLICE)
      stream.push(packed.subarray(at, at + SLICE), at + SLICE >= packed.length);
  } catch (thrown) {
    if (thrown instanceof ArchiveFault) throw thrown;
    throw new ArchiveFault(
      /unexpected EOF/i.test(errorMessage(thrown)) ? 'unexpected end of file' : 'invalid compressed data',
    );
  }
  // The last four bytes say how long the last member is; a file that was cut says something else.
  const told = new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true);
  if (told !== size - begun) throw new ArchiveFault('unexpected end of file');
  return joined(parts);
};

export const gzip = (content: Uint8Array, level: number): Uint8Array =>
  gzipSync(content, { level: level as NonNullable<GzipOptions['level']>, mtime: 0 });

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

export const gzipCommand = (name: 'gzip' | 'gunzip' | 'zcat'): Command =>
  defineCommand(name, async (args, context) => {
    const { fs, cwd } = context;
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
        const path = fs.resolvePath(cwd, given);
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
        fail(errorMessage(thrown));
      }
    }
    return bytes(joined(out), stderr, exitCode);
  });
