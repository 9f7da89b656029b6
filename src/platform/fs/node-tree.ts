import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, watch as watchFolder, type Dirent } from 'node:fs';
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { FileTree, TreeEntry } from '../../model/library/file-tree.ts';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR');

/** What is there, or nothing; other errors (no permission, say) are the caller's to hear. */
const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** A folder on disk. Links may lead anywhere inside it and nowhere else. */
export const createNodeTree = (folder: string): FileTree => {
  const root = resolve(folder);
  const realRoot = existsSync(root) ? realpathSync(root) : root;

  /** The path on disk. Refuses what would leave the root by its spelling. */
  const onDisk = (path: string): string => {
    const full = path === '' ? root : join(root, path);
    if (path.includes('\0') || !isInside(root, full)) throw new Error(`${path} lies outside ${root}`);
    return full;
  };

  /** The same, for a file that is read: a link on the way may not leave the root either. */
  const readable = async (path: string): Promise<string | undefined> => {
    const real = await ifThere(realpath(onDisk(path)));
    return real !== undefined && isInside(realRoot, real) ? real : undefined;
  };

  const describe = async (path: string, entry: Dirent): Promise<TreeEntry | undefined> => {
    if (entry.isFile()) return { name: entry.name, kind: 'file' };
    if (entry.isDirectory()) return { name: entry.name, kind: 'folder' };
    if (!entry.isSymbolicLink()) return undefined;
    const full = join(onDisk(path), entry.name);
    const [real, target] = await Promise.all([ifThere(realpath(full)), ifThere(stat(full))]);
    if (real === undefined || !target) return undefined;
    const kind = target.isDirectory() ? 'folder' : 'file';
    if (!isInside(realRoot, real)) return { name: entry.name, kind, escapes: true };
    return { name: entry.name, kind, target: relative(realRoot, real).split(sep).join('/') };
  };

  return {
    name: basename(root),
    list: async (path) => {
      const entries = await ifThere(readdir(onDisk(path), { withFileTypes: true }));
      if (!entries) return undefined;
      // Links are rare: do not pay for a promise per entry.
      if (entries.every((entry) => entry.isFile() || entry.isDirectory())) {
        return entries.map((entry) => ({ name: entry.name, kind: entry.isFile() ? 'file' : 'folder' }) as const);
      }
      const described = await Promise.all(entries.map((entry) => describe(path, entry)));
      return described.filter((entry) => entry !== undefined);
    },
    size: async (path) => {
      const found = await ifThere(stat(onDisk(path)));
      return found?.isFile() === true ? found.size : undefined;
    },
    read: async (path) => {
      const real = await readable(path);
      return real === undefined ? undefined : ifThere(readFile(real));
    },
    write: async (path, content) => {
      const full = onDisk(path);
      await mkdir(dirname(full), { recursive: true });
      // Through a link: the file it points to is what is replaced, if it is inside.
      const target = existsSync(full) ? await readable(path) : full;
      if (target === undefined) throw new Error(`${path} is a link that leaves ${root}`);
      const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
      try {
        const handle = await open(draft, 'wx', existsSync(target) ? (await stat(target)).mode : 0o666);
        try {
          await handle.writeFile(content);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(draft, target);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    rename: async (from, to) => {
      const [source, target] = [onDisk(from), onDisk(to)];
      // On a file system that ignores case, `skill.md` and `SKILL.md` are one file, and renaming it is fine.
      const isSameFile = existsSync(target) && existsSync(source) && realpathSync.native(source) === realpathSync.native(target);
      if (existsSync(target) && !isSameFile) throw new Error(`${to} exists already`);
      await mkdir(dirname(target), { recursive: true });
      await rename(source, target);
    },
    watch: (listener) => {
      const watcher = watchFolder(root, { recursive: true }, (_event, name) => {
        if (name !== null) listener(name.split(sep).join('/'));
      });
      return { [Symbol.dispose]: () => watcher.close() };
    },
  };
};
