/** Makes a repository of a list of commits. */
import './buffer-global.ts';
import { commit, init, updateIndex, writeBlob, writeTree } from 'isomorphic-git';
import type { RepositoryPlan } from '../../../model/sandbox/demo-history.ts';
import type { CallOut } from '../call-out.ts';
import { createGitFs } from './git-fs.ts';

interface Folder {
  readonly blobs: Map<string, string>;
  readonly folders: Map<string, Folder>;
}

const emptyFolder = (): Folder => ({ blobs: new Map(), folders: new Map() });

const put = (top: Folder, path: string, oid: string): void => {
  const steps = path.split('/');
  const name = steps.pop() ?? '';
  let at = top;
  for (const step of steps) {
    const next = at.folders.get(step) ?? emptyFolder();
    at.folders.set(step, next);
    at = next;
  }
  at.blobs.set(name, oid);
};

export const buildRepository = async (callOut: CallOut, dir: string, plan: RepositoryPlan): Promise<void> => {
  const base = { fs: createGitFs(callOut), dir, gitdir: `${dir}/.git`, cache: {} };
  await init({ ...base, defaultBranch: plan.branch });
  const top = emptyFolder();
  const staged = new Map<string, string>();
  const write = async ({ blobs, folders }: Folder): Promise<string> => {
    const tree = [...blobs].map(([path, oid]) => ({ mode: '100644', path, oid, type: 'blob' as const }));
    const below = [];
    for (const [path, folder] of folders)
      below.push({ mode: '040000', path, oid: await write(folder), type: 'tree' as const });
    return writeTree({ ...base, tree: [...tree, ...below] });
  };
  for (const { message, author, files } of plan.commits) {
    for (const [path, content] of files) {
      const oid = await writeBlob({ ...base, blob: content });
      put(top, path, oid);
      staged.set(path, oid);
    }
    const tree = await write(top);
    await commit({ ...base, message: `${message}\n`, author: { ...author }, committer: { ...author }, tree });
  }
  for (const [filepath, oid] of staged) await updateIndex({ ...base, filepath, oid, mode: 0o100644, add: true });
};
