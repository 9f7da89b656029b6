import { randomBytes } from 'node:crypto';
import {
  close as closeFile,
  constants,
  fstat as statFile,
  lstatSync,
  open as openFile,
  read as readFile,
  realpathSync,
  watch as watchFolder,
  type Dirent,
  type Stats,
} from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { assertTreePath, type FileTree, type TreeEntry } from '../../model/files/file-tree.ts';

/** No such file, or none that a path could name; links that lead round in a circle lead nowhere. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']);

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && MISSING.has(String(error.code));

/** What is there, or nothing; other errors (no permission, say) are the caller's to hear. */
const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Nobody keeps files so deep, and each level is looked at again for every level below it. */
const MOST_LISTED = 128;

const isTooDeep = (path: string): boolean => path.length > MOST_LISTED * 2 && path.split('/').length > MOST_LISTED;

/** Immediately: finding out takes microseconds, a trip through the thread pool takes longer. */
const ifThereSync = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const realPath = (path: string): string | undefined => ifThereSync(() => realpathSync.native(path));
/** Of the file or the link itself. */
const statOf = (path: string): Stats | undefined => ifThereSync(() => lstatSync(path));

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** A file that is being written: never shown, never reported as a change. */
const DRAFT = /^\..+\.[0-9a-f]{12}\.lathe-tmp$/;
/** The process comes first, so that its leftovers can be told from what another one is writing now. */
const draftName = (name: string): string =>
  `.${name}.${process.pid.toString(16).padStart(8, '0')}${randomBytes(2).toString('hex')}.lathe-tmp`;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, and is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Drafts of a file that a killed process left behind. */
const removeLeftovers = async (target: string): Promise<void> => {
  const folder = dirname(target);
  const start = `.${basename(target)}.`;
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    if (!name.startsWith(start) || !DRAFT.test(name) || name.length !== start.length + '123456789012.lathe-tmp'.length)
      continue;
    if (!isRunning(Number.parseInt(name.slice(start.length, start.length + 8), 16)))
      await rm(join(folder, name), { force: true });
  }
};

/** A pipe must not be waited for, so it is opened without blocking and then left alone. */
const readRegularFile = async (path: string, limit: number): Promise<Uint8Array | undefined> => {
  const handle = await ifThere(open(path, NO_WAITING));
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > limit) return undefined;
    // One read for what the size promises; where that was wrong, on to the end.
    const content = new Uint8Array(stats.size);
    const { bytesRead } = await handle.read(content);
    if (bytesRead === stats.size && stats.size > 0) return content;
    const rest = await handle.readFile();
    const whole = new Uint8Array(bytesRead + rest.length);
    whole.set(content.subarray(0, bytesRead));
    whole.set(rest, bytesRead);
    return whole;
  } finally {
    await handle.close();
  }
};

const NO_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const NO_LINK = NO_WAITING | (constants.O_NOFOLLOW ?? 0);

/** Of a file that a listing names, and that is no link. With callbacks: file handles and their promises take half of the time. */
const readListedFile = (path: string, limit: number): Promise<Uint8Array | undefined> =>
  new Promise((found, failed) => {
    openFile(path, NO_LINK, (fault, file) => {
      if (fault) return isMissing(fault) ? found(undefined) : failed(fault);
      const end = (error: Error | null, content?: Uint8Array): void =>
        closeFile(file, (atClose) => ((error ?? atClose) ? failed(error ?? atClose) : found(content)));
      return statFile(file, (noStat, stats) => {
        if (noStat || !stats.isFile() || stats.size > limit) return end(noStat);
        const content = new Uint8Array(stats.size);
        return readFile(file, content, 0, stats.size, null, (atRead, count) => {
          if (atRead) return end(atRead);
          // Shorter or longer than its size said: read as any other.
          if (count !== stats.size || count === 0) return closeFile(file, () => found(readRegularFile(path, limit)));
          return end(null, content);
        });
      });
    });
  });

/** All or nothing: anyone who reads meanwhile sees the old file or the new one. */
const replaceFile = async (target: string, content: Uint8Array, mode: number | undefined): Promise<void> => {
  const draft = join(dirname(target), draftName(basename(target)));
  try {
    await removeLeftovers(target);
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(content);
      if (mode !== undefined) await handle.chmod(mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

/** A folder on disk. Links may lead anywhere inside it and nowhere else. */
export const createNodeTree = (folder: string): FileTree => {
  const root = resolve(folder);
  let knownRoot: string | undefined;
  /** Nothing as long as there is no such folder. */
  const realRoot = (): string | undefined => (knownRoot ??= realPath(root));

  /** The path on disk. Refuses what would leave the root by its spelling. */
  const onDisk = (path: string): string => {
    assertTreePath(path);
    const full = path === '' ? root : join(root, path);
    // Windows knows more separators than we do.
    if (!isInside(root, full)) throw new Error(`${path} is outside ${root}`);
    return full;
  };

  const isInsideRoot = (real: string): boolean => {
    const top = realRoot();
    return top !== undefined && isInside(top, real);
  };

  /** Where the path leads; nothing if nothing is there, or if a link on the way leaves the root. */
  const follow = (path: string): string | undefined => {
    const real = realPath(onDisk(path));
    return real !== undefined && isInsideRoot(real) ? real : undefined;
  };

  /** The folder of something that exists, without its links. They may not leave the root. */
  const realParent = (path: string): string => {
    const parent = realPath(dirname(onDisk(path)));
    if (parent === undefined || !isInsideRoot(parent)) {
      throw new Error(`${path} is reached through a link that leaves ${root}`);
    }
    return parent;
  };

  /** The folder of a file that may not exist yet, made if need be, without its links. They may not leave the root. */
  const makeParent = async (path: string): Promise<string> => {
    const parent = dirname(onDisk(path));
    // What is to be made does not exist, so only what exists can be a link.
    let existing = parent;
    while (statOf(existing) === undefined && existing !== root) existing = dirname(existing);
    if (existing === root) await mkdir(root, { recursive: true });
    const real = realPath(existing);
    if (real === undefined || !isInsideRoot(real))
      throw new Error(`${path} is reached through a link that leaves ${root}`);
    const wanted = join(real, relative(existing, parent));
    await mkdir(wanted, { recursive: true });
    return wanted;
  };

  /** Drafts, devices, pipes and links that lead nowhere are not there. */
  const describe = async (path: string, entry: Dirent): Promise<TreeEntry | undefined> => {
    const { name } = entry;
    if (entry.isFile()) return DRAFT.test(name) ? undefined : { name, kind: 'file' };
    if (entry.isDirectory()) return { name, kind: 'folder' };
    if (!entry.isSymbolicLink()) return undefined;
    const real = realPath(join(path, name));
    const target = real === undefined ? undefined : await ifThere(stat(real));
    if (real === undefined || !target || !(target.isDirectory() || target.isFile())) return undefined;
    const kind = target.isDirectory() ? 'folder' : 'file';
    if (!isInsideRoot(real)) return { name, kind, escapes: true };
    return {
      name,
      kind,
      target: relative(realRoot() ?? root, real)
        .split(sep)
        .join('/'),
    };
  };

  const isPlain = (entry: Dirent): boolean => entry.isDirectory() || (entry.isFile() && !entry.name.endsWith('tmp'));

  const listAt = async (real: string | undefined): Promise<readonly TreeEntry[] | undefined> => {
    const entries = real === undefined ? undefined : await ifThere(readdir(real, { withFileTypes: true }));
    if (real === undefined || !entries) return undefined;
    // Links are rare: do not pay for a promise per entry.
    if (entries.every(isPlain)) {
      return entries.map((entry) => ({ name: entry.name, kind: entry.isFile() ? 'file' : 'folder' }) as const);
    }
    const described = await Promise.all(entries.map((entry) => describe(real, entry)));
    return described.filter((entry) => entry !== undefined);
  };

  return {
    name: basename(root),
    list: async (path) => (isTooDeep(path) ? undefined : listAt(follow(path))),
    listAndRead: async (path, names, limit = Infinity) => {
      const real = isTooDeep(path) ? undefined : follow(path);
      const entries = await listAt(real);
      if (real === undefined || !entries) return undefined;
      const contents = new Map<string, Uint8Array>();
      const wanted = entries.filter(
        ({ name, kind, target, escapes }) => names.has(name) && kind === 'file' && !target && !escapes,
      );
      await Promise.all(
        wanted.map(async ({ name }) => {
          const content = await readListedFile(join(real, name), limit);
          if (content) contents.set(name, content);
        }),
      );
      return { entries, contents };
    },
    size: async (path) => {
      const real = follow(path);
      const found = real === undefined ? undefined : await ifThere(stat(real));
      return found?.isFile() === true ? found.size : undefined;
    },
    stat: async (path) => {
      const real = follow(path);
      const found = real === undefined ? undefined : await ifThere(stat(real));
      return found?.isFile() === true ? { size: found.size, modifiedAt: found.mtimeMs } : undefined;
    },
    read: async (path, limit = Infinity) => {
      const real = follow(path);
      return real === undefined ? undefined : readRegularFile(real, limit);
    },
    write: async (path, content) => {
      const full = onDisk(path);
      if (path === '') throw new Error(`${root} is a folder`);
      const parent = await makeParent(path);
      // Through a link: the file that it points to is replaced, if it is inside. One that points nowhere gives way.
      const isThere = realPath(full) !== undefined;
      const target = isThere ? follow(path) : join(parent, basename(full));
      if (target === undefined) throw new Error(`${path} is a link that leaves ${root}`);
      await replaceFile(target, content, statOf(target)?.mode);
    },
    rename: async (from, to) => {
      const [source, target] = [onDisk(from), onDisk(to)];
      const [sourceStats, targetStats] = [statOf(source), statOf(target)];
      if (!sourceStats) throw new Error(`there is no ${from}`);
      if (from === to && from !== '') return;
      if (from === '' || to.startsWith(`${from}/`)) throw new Error(`${from || root} cannot be moved into itself`);
      // Where case does not count, `skill.md` and `SKILL.md` are one file, and giving it the other name is fine.
      const isSame = from.toLowerCase() === to.toLowerCase() && sourceStats.ino === targetStats?.ino;
      if (targetStats && !isSame) throw new Error(`${to} exists already`);
      const sourceParent = realParent(from);
      const parent = await makeParent(to);
      await rename(join(sourceParent, basename(source)), join(parent, basename(target)));
    },
    remove: async (path) => {
      const full = onDisk(path);
      if (path === '') throw new Error(`${root} itself cannot be removed`);
      if (!statOf(full)) throw new Error(`there is no ${path}`);
      // A link goes by itself, and so do links inside a folder.
      await rm(join(realParent(path), basename(full)), { recursive: true });
    },
    watch: (listener) => {
      const watcher = watchFolder(root, { recursive: true }, (_event, name) => {
        if (name !== null && !DRAFT.test(basename(name))) listener(name.split(sep).join('/'));
      });
      // A folder that vanishes while it is watched is not a reason to fall over.
      watcher.on('error', () => watcher.close());
      return { [Symbol.dispose]: () => watcher.close() };
    },
  };
};
