/** The host's files as isomorphic-git wants to see them. */
import type { CallOut } from '../call-out.ts';
import { FileFault } from '../file-fault.ts';
import type { SeenEntry, SeenStat } from '../sandbox-files.ts';
import { normalPath } from '../shell/paths.ts';

type Encoding = 'utf8' | { readonly encoding?: 'utf8' } | undefined;

const encoder = new TextEncoder();

const statOf = ({ kind, size, mode, mtime }: SeenStat) => ({
  type: kind === 'file' ? 'file' : 'dir',
  mode: kind === 'file' ? 0o100000 | mode : 0o040000,
  size,
  ino: 0,
  dev: 0,
  uid: 0,
  gid: 0,
  mtimeMs: mtime,
  ctimeMs: mtime,
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'folder',
  isSymbolicLink: () => false,
});

export const createGitFs = (callOut: CallOut) => {
  const stat = async (path: string) => statOf((await callOut('stat', normalPath(path))) as SeenStat);
  return {
    promises: {
      readFile: async (path: string, options?: Encoding) => {
        const bytes = (await callOut('read', normalPath(path))) as Uint8Array;
        const encoding = typeof options === 'string' ? options : options?.encoding;
        return encoding === 'utf8' ? new TextDecoder().decode(bytes) : bytes;
      },
      writeFile: async (path: string, content: string | Uint8Array) =>
        void (await callOut(
          'write',
          normalPath(path),
          typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content),
        )),
      unlink: async (path: string) => void (await callOut('remove', normalPath(path), false)),
      readdir: async (path: string) =>
        ((await callOut('list', normalPath(path))) as readonly SeenEntry[]).map(({ name }) => name).toSorted(),
      mkdir: async (path: string) => void (await callOut('makeFolder', normalPath(path), false)),
      rmdir: async (path: string) => void (await callOut('remove', normalPath(path), false)),
      stat,
      lstat: stat,
      readlink: (path: string) => Promise.reject(new FileFault('EINVAL', 'readlink', path)),
      symlink: (_target: string, path: string) => Promise.reject(new FileFault('EPERM', 'symlink', path)),
      chmod: async (path: string, mode: number) => void (await callOut('setMode', normalPath(path), mode)),
    },
  };
};
