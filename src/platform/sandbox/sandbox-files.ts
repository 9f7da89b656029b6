/**
 * The files that programs see: the opened folder with its pending writes at `/workspace`, and a scratch folder at `/tmp`.
 * There is nothing else. A tree knows no empty folders, modes or times of pending files; they are kept here, for as long
 * as the sandbox lives.
 */
import { baseName, dirName } from '../../base/paths.ts';
import { isBelow, isTreePath, statOf, type FileTree } from '../../model/files/file-tree.ts';
import { isGitFolder, pathFault } from '../../model/files/write-rules.ts';
import { FileFault } from './file-fault.ts';

export const WORKSPACE = '/workspace';
const SCRATCH = '/tmp';

/** Who wants to write. What git keeps in `.git` may run on the user's machine later, so only git itself writes there. */
export type Writer = 'program' | 'git';

export interface SeenEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export interface SeenStat {
  readonly kind: 'file' | 'folder';
  readonly size: number;
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export interface SnapshotFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

export interface Snapshot {
  readonly files: readonly SnapshotFile[];
  readonly folders: readonly string[];
  /** Not copied, because of the limits. */
  readonly left: number;
}

/** Paths are absolute and normal. What fails throws a `FileFault`. */
export interface SandboxFiles {
  readonly list: (path: string) => Promise<readonly SeenEntry[]>;
  readonly stat: (path: string) => Promise<SeenStat>;
  readonly read: (path: string) => Promise<Uint8Array>;
  /** In one answer; undefined for what is not a readable file. */
  readonly readMany: (paths: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /** All files below, with their sizes, in one answer. */
  readonly walk: (path: string) => Promise<readonly { readonly path: string; readonly size: number }[]>;
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
  readonly append: (path: string, bytes: Uint8Array) => Promise<void>;
  readonly makeFolder: (path: string, recursive: boolean) => Promise<void>;
  readonly remove: (path: string, recursive: boolean) => Promise<void>;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly setMode: (path: string, mode: number) => Promise<void>;
  /** Below a folder, the modes that were set here; of all others nothing is known. */
  readonly setModes: (path: string) => Promise<readonly (readonly [path: string, mode: number])[]>;
  readonly setTime: (path: string, mtime: number) => Promise<void>;
  readonly snapshot: (limits: { readonly files: number; readonly bytes: number }) => Promise<Snapshot>;
}

/** What a worker may ask for by name. */
export const FILE_CALLS = [
  'list',
  'stat',
  'read',
  'readMany',
  'walk',
  'write',
  'append',
  'makeFolder',
  'remove',
  'move',
  'setMode',
  'setModes',
  'setTime',
] as const satisfies readonly (keyof SandboxFiles)[];

export interface FilesDeps {
  readonly workspace: FileTree;
  readonly scratch: FileTree;
  /** Stands at `.git` of the workspace instead of what is there. */
  readonly repository?: FileTree | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Place {
  readonly tree: FileTree;
  /** In the tree. */
  readonly path: string;
}

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
/** Bytes of all scratch files. */
const MOST_SCRATCH = 256 * 1024 * 1024;
/** One file of the workspace. */
const MOST_FILE = 64 * 1024 * 1024;
/** Walked into by no program that wants everything. */
const HEAVY: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

export const createSandboxFiles = (deps: FilesDeps): ((writer: Writer) => SandboxFiles) => {
  const { workspace, scratch, repository, now } = deps;
  const began = now();
  /** Made, and perhaps empty. */
  const made = new Set<string>();
  /** Removed, though the tree below still lists them. */
  const gone = new Set<string>();
  const modes = new Map<string, number>();
  const times = new Map<string, number>();

  const placeOf = (path: string, action: string): Place | undefined => {
    if (path.includes('\0')) throw new FileFault('EINVAL', action, path.replaceAll('\0', '\\0'));
    const inside = (root: string): string | undefined =>
      path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
    const below = inside(WORKSPACE);
    if (below !== undefined && isTreePath(below)) {
      if (repository && (below === '.git' || isBelow('.git', below))) return { tree: repository, path: below.slice(5) };
      return { tree: workspace, path: below };
    }
    const temporary = inside(SCRATCH);
    return temporary !== undefined && isTreePath(temporary) ? { tree: scratch, path: temporary } : undefined;
  };

  const rawList = async (path: string): Promise<SeenEntry[] | undefined> => {
    const place = placeOf(path, 'scandir');
    if (!place)
      return path === '/' ? [WORKSPACE, SCRATCH].map((root) => ({ name: root.slice(1), kind: 'folder' })) : undefined;
    const entries = await place.tree.list(place.path);
    if (!entries && !made.has(path) && place.path !== '') return undefined;
    const seen = new Map<string, SeenEntry>((entries ?? []).map(({ name, kind }) => [name, { name, kind }]));
    for (const folder of made) {
      if (parentOf(folder) !== path) continue;
      const name = baseName(folder);
      if (!seen.has(name)) seen.set(name, { name, kind: 'folder' });
    }
    if (repository && path === WORKSPACE) seen.set('.git', { name: '.git', kind: 'folder' });
    return [...seen.values()];
  };

  const parentOf = (path: string): string => dirName(path) || '/';

  const hasFiles = async (path: string): Promise<boolean> => {
    for (const { name, kind } of (await rawList(path)) ?? []) {
      const child = `${path}/${name}`;
      if (kind === 'file' || made.has(child) || (await hasFiles(child))) return true;
    }
    return false;
  };

  /** A folder that was removed comes back with the first file in it. */
  const isGone = async (path: string): Promise<boolean> => {
    if (!gone.has(path)) return false;
    if (!(await hasFiles(path))) return true;
    gone.delete(path);
    return false;
  };

  const listSeen = async (path: string): Promise<SeenEntry[] | undefined> => {
    for (let at = path; at !== '/' && at !== ''; at = parentOf(at)) if (await isGone(at)) return undefined;
    const entries = await rawList(path);
    if (!entries) return undefined;
    const seen: SeenEntry[] = [];
    for (const entry of entries)
      if (entry.kind === 'file' || !(await isGone(`${path === '/' ? '' : path}/${entry.name}`))) seen.push(entry);
    return seen;
  };

  const sizeOf = async (path: string): Promise<number | undefined> => {
    const place = placeOf(path, 'stat');
    return place && place.path !== '' ? place.tree.size(place.path) : undefined;
  };

  const kindOf = async (path: string): Promise<SeenStat['kind'] | undefined> => {
    if ((await sizeOf(path)) !== undefined) return 'file';
    return (await listSeen(path)) === undefined ? undefined : 'folder';
  };

  /** Why there is nothing at a path: because a part of it is a file, or for no reason. */
  const missing = async (action: string, path: string): Promise<FileFault> => {
    for (let at = parentOf(path); at !== '/'; at = parentOf(at))
      if ((await sizeOf(at)) !== undefined) return new FileFault('ENOTDIR', action, path);
    return new FileFault('ENOENT', action, path);
  };

  const stat = async (path: string): Promise<SeenStat> => {
    const place = placeOf(path, 'stat');
    const found = place && place.path !== '' ? await statOf(place.tree, place.path) : undefined;
    if (found) {
      const { size, modifiedAt } = found;
      return { kind: 'file', size, mode: modes.get(path) ?? FILE_MODE, mtime: times.get(path) ?? modifiedAt ?? began };
    }
    if ((await listSeen(path)) === undefined) throw await missing('stat', path);
    return { kind: 'folder', size: 4096, mode: modes.get(path) ?? FOLDER_MODE, mtime: times.get(path) ?? began };
  };

  const read = async (path: string): Promise<Uint8Array> => {
    const place = placeOf(path, 'open');
    const bytes = place && place.path !== '' ? await place.tree.read(place.path) : undefined;
    if (bytes) return bytes;
    if ((await listSeen(path)) !== undefined) throw new FileFault('EISDIR', 'read', path);
    const parent = (await listSeen(parentOf(path))) ?? [];
    // Listed and not to be read: a link that leads out of the folder.
    if (parent.some(({ name }) => name === baseName(path))) throw new FileFault('EACCES', 'open', path);
    throw await missing('open', path);
  };

  const walk = async (path: string, enter: (name: string) => boolean): Promise<{ path: string; size: number }[]> => {
    const found: { path: string; size: number }[] = [];
    for (const { name, kind } of (await listSeen(path)) ?? []) {
      const child = `${path}/${name}`;
      if (kind === 'folder') {
        if (enter(name)) found.push(...(await walk(child, enter)));
        continue;
      }
      const size = await sizeOf(child);
      if (size !== undefined) found.push({ path: child, size });
    }
    return found;
  };

  /** Whether something may be written here, or removed. */
  const writable = (writer: Writer, action: string, path: string): Place => {
    const place = placeOf(path, action);
    if (!place || place.path === '') throw new FileFault('EACCES', action, path);
    const steps = path.split('/').slice(1);
    if (writer !== 'git' && steps.some(isGitFolder)) throw new FileFault('EACCES', action, path);
    if (place.tree !== scratch && pathFault(place.path) !== undefined) throw new FileFault('EINVAL', action, path);
    return place;
  };

  const assertParent = async (action: string, path: string): Promise<void> => {
    if ((await kindOf(parentOf(path))) !== 'folder') throw await missing(action, path);
  };

  const touched = (path: string): void => {
    times.set(path, now());
    for (let at = parentOf(path); at.length > WORKSPACE.length || isBelow(SCRATCH, at); at = parentOf(at))
      gone.delete(at);
  };

  const put = async (place: Place, path: string, bytes: Uint8Array): Promise<void> => {
    if (place.tree === scratch) {
      let used = bytes.length;
      for (const file of await walk(SCRATCH, () => true)) if (file.path !== path) used += file.size;
      if (used > MOST_SCRATCH) throw new FileFault('EFBIG', 'write', path);
    } else if (bytes.length > MOST_FILE) throw new FileFault('EFBIG', 'write', path);
    await place.tree.write(place.path, bytes);
    touched(path);
  };

  const write =
    (writer: Writer) =>
    async (path: string, bytes: Uint8Array): Promise<void> => {
      const place = writable(writer, 'open', path);
      if ((await listSeen(path)) !== undefined) throw new FileFault('EISDIR', 'open', path);
      // Git writes whole trees of small files into folders that it has just made.
      if (writer !== 'git') await assertParent('open', path);
      await put(place, path, bytes);
    };

  const removeFile = async (place: Place, path: string): Promise<void> => {
    await place.tree.remove(place.path);
    // The folder stays, also when this was the last file in it.
    const parent = parentOf(path);
    if (!gone.has(parent)) made.add(parent);
    modes.delete(path);
    times.delete(path);
  };

  const removeFolder = async (writer: Writer, path: string, recursive: boolean): Promise<void> => {
    const entries = (await listSeen(path)) ?? [];
    if (entries.length > 0 && !recursive) throw new FileFault('ENOTEMPTY', 'rmdir', path);
    for (const { name, kind } of entries) {
      const child = `${path}/${name}`;
      if (kind === 'folder') await removeFolder(writer, child, true);
      else await removeFile(writable(writer, 'unlink', child), child);
    }
    writable(writer, 'rmdir', path);
    made.delete(path);
    gone.add(path);
  };

  const remove =
    (writer: Writer) =>
    async (path: string, recursive: boolean): Promise<void> => {
      const place = writable(writer, 'unlink', path);
      const kind = await kindOf(path);
      if (kind === undefined) throw await missing('unlink', path);
      if (kind === 'file') await removeFile(place, path);
      else await removeFolder(writer, path, recursive);
    };

  const makeFolder =
    (writer: Writer) =>
    async (path: string, recursive: boolean): Promise<void> => {
      const kind = await kindOf(path);
      if (kind === 'folder' && recursive) return;
      if (kind !== undefined) throw new FileFault('EEXIST', 'mkdir', path);
      writable(writer, 'mkdir', path);
      if (recursive && (await kindOf(parentOf(path))) === undefined) await makeFolder(writer)(parentOf(path), true);
      await assertParent('mkdir', path);
      gone.delete(path);
      made.add(path);
      times.set(path, now());
    };

  const move =
    (writer: Writer) =>
    async (from: string, to: string): Promise<void> => {
      const kind = await kindOf(from);
      if (kind === undefined) throw await missing('rename', from);
      if (from === to) return;
      if (isBelow(from, to)) throw new FileFault('EINVAL', 'rename', from);
      writable(writer, 'rename', from);
      writable(writer, 'rename', to);
      await assertParent('rename', to);
      const target = await kindOf(to);
      if (kind === 'file') {
        if (target === 'folder') throw new FileFault('EISDIR', 'rename', to);
        await put(writable(writer, 'rename', to), to, await read(from));
        await removeFile(writable(writer, 'rename', from), from);
        return;
      }
      if (target === 'file') throw new FileFault('ENOTDIR', 'rename', to);
      if (target === undefined) await makeFolder(writer)(to, false);
      else if (((await listSeen(to)) ?? []).length > 0) throw new FileFault('ENOTEMPTY', 'rename', to);
      for (const { name } of (await listSeen(from)) ?? []) await move(writer)(`${from}/${name}`, `${to}/${name}`);
      await removeFolder(writer, from, false);
    };

  const existing = async (action: string, path: string): Promise<void> => {
    if ((await kindOf(path)) === undefined) throw await missing(action, path);
  };

  const snapshot: SandboxFiles['snapshot'] = async (limits) => {
    const files: SnapshotFile[] = [];
    const folders: string[] = [];
    let [bytes, left] = [0, 0];
    for (const root of [WORKSPACE, SCRATCH]) {
      for (const { path, size } of await walk(root, (name) => !HEAVY.has(name))) {
        if (files.length >= limits.files || bytes + size > limits.bytes) {
          left++;
          continue;
        }
        const content = await placeOf(path, 'open')?.tree.read(path.slice(root.length + 1));
        if (!content) continue;
        bytes += content.length;
        files.push({ path, bytes: content, mode: modes.get(path) ?? FILE_MODE });
      }
    }
    for (const folder of made) if ((await kindOf(folder)) === 'folder') folders.push(folder);
    return { files, folders, left };
  };

  return (writer) => ({
    list: async (path) => {
      const entries = await listSeen(path);
      if (entries) return entries;
      throw (await sizeOf(path)) === undefined
        ? await missing('scandir', path)
        : new FileFault('ENOTDIR', 'scandir', path);
    },
    stat,
    read,
    readMany: (paths) =>
      Promise.all(
        paths.map(async (path) => {
          const place = placeOf(path, 'open');
          return place && place.path !== '' ? place.tree.read(place.path) : undefined;
        }),
      ),
    walk: (path) => walk(path, () => true),
    write: write(writer),
    append: async (path, bytes) => {
      const before = (await kindOf(path)) === 'file' ? await read(path) : new Uint8Array();
      const after = new Uint8Array(before.length + bytes.length);
      after.set(before);
      after.set(bytes, before.length);
      await write(writer)(path, after);
    },
    makeFolder: makeFolder(writer),
    remove: remove(writer),
    move: move(writer),
    setMode: async (path, mode) => {
      await existing('chmod', path);
      modes.set(path, mode & 0o7777);
    },
    setModes: (path) => Promise.resolve([...modes].filter(([one]) => one.startsWith(`${path}/`))),
    setTime: async (path, mtime) => {
      await existing('utime', path);
      times.set(path, mtime);
    },
    snapshot,
  });
};
