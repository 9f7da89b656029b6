/**
 * Workspaces that only this browser has (OPFS): for browsers that cannot open folders in place, and for what came by link or
 * archive. Each is a folder below `workspaces`, and called like it.
 */
import { errorMessage } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import { copyTree, type CopyProgress } from '../../model/files/copy-tree.ts';
import { FileError } from '../../model/files/file-error.ts';
import { HEAVY_FOLDERS } from '../../model/files/walk-tree.ts';
import { isTreePath, type FileTree } from '../../model/files/file-tree.ts';
import type { LeftOut } from '../../model/files/write-rules.ts';
import { createHandleTree } from './handle-tree.ts';
import { createPause } from './pause.ts';

export interface PrivateProblem {
  readonly code: 'name' | 'exists' | 'missing' | 'cancelled' | 'failed';
  readonly message: string;
}

export interface CopyIn {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
  /** What of the source may not be written. */
  readonly onLeftOut?: (leftOut: readonly LeftOut[]) => void;
}

export interface PrivateWorkspaces {
  readonly list: () => Promise<readonly string[]>;
  readonly open: (name: string) => Promise<Result<FileTree, PrivateProblem>>;
  /** A new one; where the name is taken, with a number after it. */
  readonly create: (name: string) => Promise<Result<FileTree, PrivateProblem>>;
  readonly rename: (from: string, to: string) => Promise<Result<void, PrivateProblem>>;
  readonly remove: (name: string) => Promise<Result<void, PrivateProblem>>;
  /** A new one with all files of the tree. Nothing is left behind after a failure or a cancel. */
  readonly copyIn: (source: FileTree, name: string, options?: CopyIn) => Promise<Result<FileTree, PrivateProblem>>;
}

const FOLDER = 'workspaces';
/**
 * Beside the workspaces: one empty file per workspace that is half there, because Lathe is copying into it or removing it. The mark is not in
 * the database, which may be lost while the workspace, and everything the user wrote there, is whole.
 */
const HALF = 'half-workspaces';
const MAX_NAME = 80;

const problem = (code: PrivateProblem['code'], message: string): Result<never, PrivateProblem> =>
  err({ code, message });

const missing = (name: string): Result<never, PrivateProblem> =>
  problem('missing', `No private workspace is called ${name}.`);

const nameFault = (name: string): Result<never, PrivateProblem> | undefined => {
  const isGood =
    name !== '' && name.length <= MAX_NAME && !/[/\\]/.test(name) && isTreePath(name) && name.trim() === name;
  return isGood
    ? undefined
    : problem('name', `A workspace needs a name of 1 to ${MAX_NAME} characters without slashes or spaces at its ends.`);
};

/** What an adapter threw, as an answer; defects continue. */
const answer = (thrown: unknown): PrivateProblem => {
  if (!(thrown instanceof FileError)) throw thrown;
  const code =
    thrown.code === 'cancelled' || thrown.code === 'missing' || thrown.code === 'exists' ? thrown.code : 'failed';
  return { code, message: errorMessage(thrown) };
};

/** `top` is `navigator.storage.getDirectory()`. */
export const createPrivateWorkspaces = async (top: FileSystemDirectoryHandle): Promise<PrivateWorkspaces> => {
  const folder = await top.getDirectoryHandle(FOLDER, { create: true });
  const marks = createHandleTree(await top.getDirectoryHandle(HALF, { create: true }));
  const all = createHandleTree(folder);

  const mark = (name: string): Promise<void> => marks.write(name, new Uint8Array());
  const unmark = async (name: string): Promise<void> => {
    if (await isHalf(name)) await marks.remove(name);
  };
  const isHalf = async (name: string): Promise<boolean> => (await marks.size(name)) !== undefined;

  const folders = async (): Promise<readonly string[]> =>
    ((await all.list('')) ?? [])
      .filter(({ kind }) => kind === 'folder')
      .map(({ name }) => name)
      .toSorted(compareCodePoints);

  const list = async (): Promise<readonly string[]> => {
    const half = new Set(((await marks.list('')) ?? []).map(({ name }) => name));
    return (await folders()).filter((name) => !half.has(name));
  };

  const freeName = async (wanted: string): Promise<string> => {
    const taken = new Set(await folders());
    let name = wanted;
    for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
    return name;
  };
  const make = async (name: string): Promise<FileTree> =>
    createHandleTree(await folder.getDirectoryHandle(name, { create: true }));

  const remove = async (name: string): Promise<Result<void, PrivateProblem>> => {
    const fault = nameFault(name);
    if (fault) return fault;
    try {
      if (!(await folders()).includes(name)) {
        await unmark(name);
        return missing(name);
      }
      // A page that dies in between leaves a workspace with some of its files: it must not look whole.
      await mark(name);
      await all.remove(name);
      return ok(await unmark(name));
    } catch (thrown) {
      return err(answer(thrown));
    }
  };

  return {
    list,
    remove,
    create: async (wanted) => nameFault(wanted) ?? ok(await make(await freeName(wanted))),
    open: async (name) => {
      const fault = nameFault(name);
      if (fault) return fault;
      if (await isHalf(name)) await remove(name);
      if (!(await list()).includes(name)) return missing(name);
      return ok(createHandleTree(await folder.getDirectoryHandle(name)));
    },
    rename: async (from, to) => {
      const fault = nameFault(from) ?? nameFault(to);
      if (fault) return fault;
      try {
        return ok(await all.rename(from, to));
      } catch (thrown) {
        return err(answer(thrown));
      }
    },
    copyIn: async (source, wanted, { signal, onProgress, onLeftOut } = {}) => {
      const fault = nameFault(wanted);
      if (fault) return fault;
      const name = await freeName(wanted);
      await mark(name);
      try {
        const made = await make(name);
        const { leftOut } = await copyTree(source, made, {
          ...(signal && { signal }),
          ...(onProgress && { onProgress }),
          skip: HEAVY_FOLDERS,
          isForeign: true,
          pause: createPause(),
        });
        await unmark(name);
        onLeftOut?.(leftOut);
        return ok(made);
      } catch (thrown) {
        const removed = await remove(name);
        const { code, message } = answer(thrown);
        return problem(
          code,
          removed.ok ? message : `${message} Lathe can’t remove the copied files: ${removed.error.message}`,
        );
      }
    },
  };
};
