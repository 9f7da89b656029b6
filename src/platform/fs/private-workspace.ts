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
  /** A new one; where the name is taken, with a number behind it. */
  readonly create: (name: string) => Promise<Result<FileTree, PrivateProblem>>;
  readonly rename: (from: string, to: string) => Promise<Result<void, PrivateProblem>>;
  readonly remove: (name: string) => Promise<Result<void, PrivateProblem>>;
  /** A new one with all files of the tree. Nothing is left behind after a failure or a cancel. */
  readonly copyIn: (source: FileTree, name: string, options?: CopyIn) => Promise<Result<FileTree, PrivateProblem>>;
}

const FOLDER = 'workspaces';
const MAX_NAME = 80;

const problem = (code: PrivateProblem['code'], message: string): Result<never, PrivateProblem> =>
  err({ code, message });

const nameFault = (name: string): Result<never, PrivateProblem> | undefined => {
  const isGood =
    name !== '' && name.length <= MAX_NAME && !/[/\\]/.test(name) && isTreePath(name) && name.trim() === name;
  return isGood
    ? undefined
    : problem('name', `A workspace needs a name of 1 to ${MAX_NAME} characters without slashes or spaces at its ends.`);
};

/** What an adapter threw, as an answer; defects go on. */
const answer = (thrown: unknown): PrivateProblem => {
  if (!(thrown instanceof FileError)) throw thrown;
  const code =
    thrown.code === 'cancelled' || thrown.code === 'missing' || thrown.code === 'exists' ? thrown.code : 'failed';
  return { code, message: errorMessage(thrown) };
};

/** `top` is `navigator.storage.getDirectory()`. */
export const createPrivateWorkspaces = async (top: FileSystemDirectoryHandle): Promise<PrivateWorkspaces> => {
  const folder = await top.getDirectoryHandle(FOLDER, { create: true });
  const all = createHandleTree(folder);

  const list = async (): Promise<readonly string[]> =>
    ((await all.list('')) ?? [])
      .filter(({ kind }) => kind === 'folder')
      .map(({ name }) => name)
      .toSorted(compareCodePoints);

  const create = async (wanted: string): Promise<Result<FileTree, PrivateProblem>> => {
    const fault = nameFault(wanted);
    if (fault) return fault;
    const taken = new Set(await list());
    let name = wanted;
    for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
    return ok(createHandleTree(await folder.getDirectoryHandle(name, { create: true })));
  };

  const remove = async (name: string): Promise<Result<void, PrivateProblem>> => {
    const fault = nameFault(name);
    if (fault) return fault;
    try {
      return ok(await all.remove(name));
    } catch (thrown) {
      return err(answer(thrown));
    }
  };

  return {
    list,
    create,
    remove,
    open: async (name) => {
      const fault = nameFault(name);
      if (fault) return fault;
      if (!(await list()).includes(name)) return problem('missing', `There is no private workspace called ${name}.`);
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
    copyIn: async (source, name, { signal, onProgress, onLeftOut } = {}) => {
      const made = await create(name);
      if (!made.ok) return made;
      try {
        const { leftOut } = await copyTree(source, made.value, {
          ...(signal && { signal }),
          ...(onProgress && { onProgress }),
          skip: HEAVY_FOLDERS,
          isForeign: true,
          pause: createPause(),
        });
        onLeftOut?.(leftOut);
        return made;
      } catch (thrown) {
        const removed = await remove(made.value.name);
        const { code, message } = answer(thrown);
        return problem(
          code,
          removed.ok ? message : `${message} What was copied could not be removed: ${removed.error.message}`,
        );
      }
    },
  };
};
