/**
 * A folder as the agent sees it: what is on disk, with the agent's own writes over it. Nothing reaches the disk until a
 * person applies it (D22).
 */
import { createEmitter } from '../../base/emitter.ts';
import { errorMessage } from '../../base/errors.ts';
import { joinPath } from '../../base/paths.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import { assertTreePath, isBelow, parentPath, type FileTree, type TreeEntry } from '../files/file-tree.ts';

export interface PendingChange {
  readonly path: string;
  /** On disk when it was first changed; nothing if there was no file. */
  readonly before: Uint8Array | undefined;
  /** Nothing (`null`): the file is to go. */
  readonly after: Uint8Array | null;
}

export type ApplyFault =
  /** Nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly message: string }
  | { readonly kind: 'failed'; readonly path: string; readonly applied: readonly string[]; readonly message: string };

export interface PendingTree extends FileTree {
  /** Refuses what is not a file. */
  readonly remove: (path: string) => Promise<void>;
  /**
   * Reads, changes and writes a file with nothing in between, in the order of the calls. Gives what `change` says beside the
   * new content; what it throws is thrown on, and nothing is changed.
   */
  readonly update: <T>(
    path: string,
    change: (before: Uint8Array | undefined) => { readonly after: Uint8Array; readonly value: T },
  ) => Promise<T>;
  /** Sorted by path. */
  readonly pending: () => readonly PendingChange[];
  /** All, or these. `overwrite`: also where the file on disk has changed since. Gives the paths that were written. */
  readonly apply: (
    paths?: readonly string[],
    options?: { readonly overwrite?: boolean },
  ) => Promise<Result<readonly string[], ApplyFault>>;
  readonly discard: (paths?: readonly string[]) => Promise<readonly string[]>;
  /** Called whenever `pending` has changed. */
  readonly subscribe: (listener: () => void) => Disposable;
}

export interface PendingOptions {
  /** Deletes a file of the tree below; absent where it cannot. */
  readonly remove?: (path: string) => Promise<void>;
  /** What was pending when the same folder was left. */
  readonly changes?: readonly PendingChange[];
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && a.length === b.length && a.every((byte, index) => byte === b[index]));

const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
const conflictText = (paths: readonly string[]): string =>
  `${paths.join(', ')} changed on disk since the agent read ${paths.length === 1 ? 'it' : 'them'}. Nothing was written. ` +
  'Compare, then apply again to overwrite, or discard the pending change.';

/** Objects of git before what refers to them: a repository that is written half must not point at nothing. */
const inSafeOrder = (changes: readonly PendingChange[]): readonly PendingChange[] => {
  const isGitObject = ({ path }: PendingChange): boolean => /(?:^|\/)\.git\/objects\//.test(path);
  return [...changes.filter(isGitObject), ...changes.filter((change) => !isGitObject(change))];
};

export const createPendingTree = (tree: FileTree, options: PendingOptions = {}): PendingTree => {
  const changes = new Map(options.changes?.map((change) => [change.path, change]));
  const listeners = createEmitter<undefined>();
  const watchers = createEmitter<string>();
  let last: Promise<unknown> = Promise.resolve();

  /** One change at a time, in the order in which they were asked for. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const turn = last.then(act, act);
    // A failure is the caller's; the next in line does not care.
    last = turn.catch(() => {});
    return turn;
  };

  const told = (paths: readonly string[]): void => {
    if (paths.length === 0) return;
    listeners.emit(undefined);
    for (const path of paths) watchers.emit(path);
  };

  const read = async (path: string, limit = Infinity): Promise<Uint8Array | undefined> => {
    assertTreePath(path);
    const change = changes.get(path);
    if (!change) return tree.read(path, limit);
    return change.after && change.after.length <= limit ? copy(change.after) : undefined;
  };

  const size = async (path: string): Promise<number | undefined> => {
    assertTreePath(path);
    const change = changes.get(path);
    return change ? change.after?.length : tree.size(path);
  };

  const list = async (path: string): Promise<readonly TreeEntry[] | undefined> => {
    assertTreePath(path);
    const below = await tree.list(path);
    const entries = new Map<string, TreeEntry>();
    for (const entry of below ?? [])
      if (changes.get(joinPath(path, entry.name))?.after !== null) entries.set(entry.name, entry);
    let isKnown = below !== undefined;
    for (const change of changes.values()) {
      if (change.after === null || !isBelow(path, change.path)) continue;
      isKnown = true;
      const rest = path === '' ? change.path : change.path.slice(path.length + 1);
      const name = rest.split('/', 1)[0] ?? rest;
      if (!entries.has(name)) entries.set(name, { name, kind: rest === name ? 'file' : 'folder' });
    }
    return isKnown ? [...entries.values()] : undefined;
  };

  /** As on disk: a file cannot be where a folder is, nor below a file. */
  const assertFree = async (path: string): Promise<void> => {
    assertTreePath(path);
    if (path === '' || (await list(path)) !== undefined) throw new Error(`${path === '' ? 'this' : path} is a folder`);
    for (let at = parentPath(path); at !== undefined && at !== ''; at = parentPath(at))
      if ((await size(at)) !== undefined) throw new Error(`${at} is a file`);
  };

  const set = async (path: string, after: Uint8Array | null): Promise<void> => {
    const known = changes.get(path);
    const before = known ? known.before : await tree.read(path);
    if (isSame(before, after ?? undefined)) changes.delete(path);
    else changes.set(path, { path, before, after: after && copy(after) });
  };

  const write = async (path: string, content: Uint8Array): Promise<void> => {
    await assertFree(path);
    await set(path, content);
  };

  const filesBelow = async (folder: string): Promise<string[]> => {
    const found: string[] = [];
    for (const entry of (await list(folder)) ?? []) {
      const path = joinPath(folder, entry.name);
      if (entry.kind === 'folder') found.push(...(await filesBelow(path)));
      else found.push(path);
    }
    return found;
  };

  const rename = async (from: string, to: string): Promise<readonly string[]> => {
    assertTreePath(from);
    const isFile = (await size(from)) !== undefined;
    if (from === to && (isFile || (from !== '' && (await list(from)) !== undefined))) return [];
    if (from === '' || isBelow(from, to)) throw new Error(`${from || tree.name} cannot be moved into itself`);
    const moved = isFile ? [from] : await filesBelow(from);
    if (moved.length === 0) throw new Error(`there is no ${from}`);
    await assertFree(to);
    if ((await size(to)) !== undefined) throw new Error(`${to} exists already`);
    const touched: string[] = [];
    for (const path of moved) {
      const content = await read(path);
      if (!content) throw new Error(`${path} cannot be read`);
      const target = joinPath(to, path.slice(from.length + 1));
      await set(target, content);
      await set(path, null);
      touched.push(path, target);
    }
    return touched;
  };

  const chosen = (paths: readonly string[] | undefined): PendingChange[] =>
    [...changes.values()]
      .filter(({ path }) => paths === undefined || paths.includes(path))
      .toSorted((a, b) => compareCodePoints(a.path, b.path));

  const apply = async (
    paths: readonly string[] | undefined,
    overwrite: boolean,
  ): Promise<Result<readonly string[], ApplyFault>> => {
    const wanted = inSafeOrder(chosen(paths));
    const isUnchanged = await Promise.all(
      wanted.map(async ({ path, before }) => isSame(await tree.read(path), before)),
    );
    const conflicts = wanted.filter((_, index) => isUnchanged[index] !== true).map(({ path }) => path);
    if (conflicts.length > 0 && !overwrite)
      return err({ kind: 'conflict', paths: conflicts, message: conflictText(conflicts) });
    const applied: string[] = [];
    for (const { path, after } of wanted) {
      try {
        if (after) await tree.write(path, after);
        else if (options.remove) await options.remove(path);
        else
          throw new Error(
            'Lathe can’t delete files in this folder. Delete it yourself, then discard the pending change',
          );
      } catch (thrown) {
        told(applied);
        return err({ kind: 'failed', path, applied, message: `${path}: ${errorMessage(thrown)}` });
      }
      changes.delete(path);
      applied.push(path);
    }
    told(applied);
    return ok(applied);
  };

  return {
    name: tree.name,
    list,
    size,
    read,
    write: (path, content) =>
      inTurn(async () => {
        await write(path, content);
        told([path]);
      }),
    remove: (path) =>
      inTurn(async () => {
        if ((await size(path)) === undefined) throw new Error(`there is no file ${path}`);
        await set(path, null);
        told([path]);
      }),
    rename: (from, to) => inTurn(async () => told(await rename(from, to))),
    update: (path, change) =>
      inTurn(async () => {
        const { after, value } = change(await read(path));
        await write(path, after);
        told([path]);
        return value;
      }),
    pending: () => chosen(undefined),
    apply: (paths, { overwrite = false } = {}) => inTurn(() => apply(paths, overwrite)),
    discard: (paths) =>
      inTurn(async () => {
        const dropped = chosen(paths).map(({ path }) => path);
        for (const path of dropped) changes.delete(path);
        told(dropped);
        return dropped;
      }),
    subscribe: listeners.subscribe,
    ...(tree.watch && {
      watch: (listener: (path: string) => void) => {
        const disk = tree.watch?.(listener);
        const own = watchers.subscribe(listener);
        return {
          [Symbol.dispose]: () => {
            disk?.[Symbol.dispose]();
            own[Symbol.dispose]();
          },
        };
      },
    }),
  };
};
