/** Loads executors from the opened folder; each is verified, every time (L1). */
import { HEAVY_FOLDERS, walkTree } from '../files/walk-tree.ts';
import { compareCodePoints } from '../../base/text.ts';
import { joinPath, type FileTree } from '../library/file-tree.ts';
import type { Manifest } from '../signing/manifest.ts';
import type { Files } from '../signing/digest.ts';
import type { TrustedKey, VerifySignature } from '../signing/types.ts';
import { verifyExecutor } from '../signing/verify.ts';
import { EXECUTORS_FOLDER } from './folders.ts';

export interface ReadyExecutor {
  readonly state: 'ready';
  readonly skill: string;
  readonly name: string;
  readonly manifest: Manifest;
  readonly files: Files;
  readonly signedBy: string;
}

export interface DisabledExecutor {
  readonly state: 'disabled';
  readonly skill: string;
  readonly name: string;
  readonly reason: string;
}

export type LoadedExecutor = ReadyExecutor | DisabledExecutor;

export interface LoadDeps {
  readonly tree: FileTree;
  readonly trusted: readonly TrustedKey[];
  readonly verify: VerifySignature;
}

const readAll = async (tree: FileTree, folder: string): Promise<Files> => {
  const { files } = await walkTree(tree, folder, { skip: HEAVY_FOLDERS, maxFiles: 5000 });
  const contents = new Map<string, Uint8Array>();
  for (const path of files) {
    const content = await tree.read(path);
    if (content) contents.set(folder === '' ? path : path.slice(folder.length + 1), content);
  }
  return contents;
};

/** The executors of one skill: `folder` holds `source/` and one folder for each. */
export const loadSkillExecutors = async (
  { tree, trusted, verify }: LoadDeps,
  folder: string,
  skill: string,
): Promise<readonly LoadedExecutor[]> => {
  const files = await readAll(tree, folder);
  const names = [
    ...new Set(
      [...files.keys()].flatMap((path) =>
        path.includes('/') && !path.startsWith('source/') ? [path.slice(0, path.indexOf('/'))] : [],
      ),
    ),
  ];
  const loaded: LoadedExecutor[] = [];
  for (const name of names.toSorted(compareCodePoints)) {
    const verified = await verifyExecutor({ files, trusted, verify }, name);
    loaded.push(
      verified.ok
        ? { state: 'ready', skill, name, ...verified.value }
        : { state: 'disabled', skill, name, reason: verified.error },
    );
  }
  return loaded;
};

export const loadExecutors = async (deps: LoadDeps, root = EXECUTORS_FOLDER): Promise<readonly LoadedExecutor[]> => {
  const entries = (await deps.tree.list(root)) ?? [];
  const loaded: LoadedExecutor[] = [];
  const taken = new Set<string>();
  for (const entry of entries
    .filter(({ kind, escapes }) => kind === 'folder' && escapes !== true)
    .toSorted((a, b) => compareCodePoints(a.name, b.name))) {
    for (const executor of await loadSkillExecutors(deps, joinPath(root, entry.name), entry.name)) {
      const isTaken = executor.state === 'ready' && taken.has(executor.name);
      loaded.push(
        isTaken
          ? {
              state: 'disabled',
              skill: executor.skill,
              name: executor.name,
              reason: 'another skill has an executor of this name',
            }
          : executor,
      );
      if (executor.state === 'ready') taken.add(executor.name);
    }
  }
  return loaded;
};
