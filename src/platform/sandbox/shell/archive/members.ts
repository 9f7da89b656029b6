/** Files on their way into an archive, and out of it. */
import type { IFileSystem } from 'just-bash/browser';
import { errorMessage } from '../../../../base/errors.ts';
import { dirName } from '../../../../base/paths.ts';
import type { TarEntry } from '../../../../model/files/tar-format.ts';
import { MOST_ENTRIES, MOST_UNPACKED, tooLarge } from './results.ts';

export const kindOf = async (fs: IFileSystem, path: string): Promise<'file' | 'folder' | undefined> => {
  try {
    return (await fs.stat(path)).isDirectory ? 'folder' : 'file';
  } catch {
    return undefined;
  }
};

/** What an archive may name: below the folder that it is unpacked into. */
export const safeName = (name: string): string | undefined => {
  const steps = name
    .replace(/^\/+/, '')
    .split('/')
    .filter((step) => step !== '' && step !== '.');
  return steps.length === 0 || steps.includes('..') || name.includes('\0') ? undefined : steps.join('/');
};

export const gather = async (
  fs: IFileSystem,
  base: string,
  names: readonly string[],
): Promise<{ readonly entries: TarEntry[]; readonly errors: string[] }> => {
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

export const isWanted = (name: string, wanted: readonly string[]): boolean =>
  wanted.length === 0 ||
  wanted.some(
    (one) => name.replace(/\/$/, '') === one.replace(/\/$/, '') || name.startsWith(`${one.replace(/\/$/, '')}/`),
  );

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
  await fs.mkdir(dirName(path), { recursive: true });
  await fs.writeFile(path, content);
  if ((mode & 0o111) !== 0) await fs.chmod(path, mode);
};

/** Why one member cannot be written, which keeps no other out; nothing if it was. */
export const tryToUnpack = async (...given: Parameters<typeof unpackOne>): Promise<string | undefined> => {
  try {
    await unpackOne(...given);
    return undefined;
  } catch (thrown) {
    const words = errorMessage(thrown);
    return /^E[A-Z]+: ([^,]+)/.exec(words)?.[1] ?? words;
  }
};
