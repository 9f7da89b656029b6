/** The host's files as just-bash wants to see them. Nothing is kept here, so every program sees what the others wrote. */
import type { CpOptions, FileContent, FsStat, IFileSystem, MkdirOptions, RmOptions } from 'just-bash/browser';
import type { CallOut } from '../call-out.ts';
import { FileFault } from '../file-fault.ts';
import type { SeenEntry, SeenStat } from '../sandbox-files.ts';
import { normalPath } from './paths.ts';

type ReadOptions = Parameters<IFileSystem['readFile']>[1];
type ByteString = Awaited<ReturnType<NonNullable<IFileSystem['readFileBytes']>>>;

const encoder = new TextEncoder();

/** A byte per character, as just-bash keeps bytes. */
export const toByteText = (bytes: Uint8Array): string => {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join('');
};

export const fromByteText = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
};

const encodingOf = (options: ReadOptions): string =>
  (typeof options === 'string' ? options : options?.encoding) ?? 'utf8';

const bytesOf = (content: FileContent, options: ReadOptions): Uint8Array => {
  if (typeof content !== 'string') return content;
  const encoding = encodingOf(options);
  if (encoding === 'binary' || encoding === 'latin1' || encoding === 'ascii') return fromByteText(content);
  if (encoding === 'base64') return fromByteText(atob(content));
  if (encoding === 'hex') return Uint8Array.from(content.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return encoder.encode(content);
};

const textOf = (bytes: Uint8Array, options: ReadOptions): string => {
  const encoding = encodingOf(options);
  if (encoding === 'binary' || encoding === 'latin1' || encoding === 'ascii') return toByteText(bytes);
  if (encoding === 'base64') return btoa(toByteText(bytes));
  if (encoding === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
};

/** `root` is where it is mounted; just-bash leaves the mount's own path out. */
export const createRemoteFs = (root: string, callOut: CallOut): IFileSystem => {
  const full = (path: string): string => {
    const normal = normalPath(path);
    return normal === '/' ? root : `${root}${normal}`;
  };
  const list = (path: string) => callOut('list', full(path)) as Promise<readonly SeenEntry[]>;
  const read = (path: string) => callOut('read', full(path)) as Promise<Uint8Array>;
  const stat = async (path: string): Promise<FsStat> => {
    const { kind, size, mode, mtime } = (await callOut('stat', full(path))) as SeenStat;
    const isFile = kind === 'file';
    return { isFile, isDirectory: !isFile, isSymbolicLink: false, mode, size, mtime: new Date(mtime) };
  };
  const names = (entries: readonly SeenEntry[]): readonly SeenEntry[] =>
    entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const noLinks = (path: string): Promise<never> => Promise.reject(new FileFault('EPERM', 'symlink', full(path)));

  const copy = async (from: string, to: string, options: CpOptions | undefined): Promise<void> => {
    const { isFile, mode } = await stat(from);
    if (isFile) {
      await callOut('write', full(to), await read(from));
      if (mode !== 0o644) await callOut('setMode', full(to), mode);
      return;
    }
    if (options?.recursive !== true) throw new FileFault('EISDIR', 'cp', full(from));
    await callOut('makeFolder', full(to), true);
    for (const { name } of await list(from)) await copy(`${from}/${name}`, `${to}/${name}`, options);
  };

  return {
    readFile: async (path, options) => textOf(await read(path), options),
    readFileBuffer: read,
    readFileBytes: async (path) => toByteText(await read(path)) as unknown as ByteString,
    writeFile: async (path, content, options) => void (await callOut('write', full(path), bytesOf(content, options))),
    appendFile: async (path, content, options) => void (await callOut('append', full(path), bytesOf(content, options))),
    exists: async (path) => {
      try {
        await stat(path);
        return true;
      } catch {
        return false;
      }
    },
    stat,
    lstat: stat,
    mkdir: async (path, options?: MkdirOptions) =>
      void (await callOut('makeFolder', full(path), options?.recursive === true)),
    readdir: async (path) => names(await list(path)).map(({ name }) => name),
    readdirWithFileTypes: async (path) =>
      names(await list(path)).map(({ name, kind }) => ({
        name,
        isFile: kind === 'file',
        isDirectory: kind === 'folder',
        isSymbolicLink: false,
      })),
    rm: async (path, options?: RmOptions) => {
      try {
        await callOut('remove', full(path), options?.recursive === true);
      } catch (thrown) {
        const { code } = thrown as { readonly code?: string };
        if (options?.force !== true || (code !== 'ENOENT' && code !== 'ENOTDIR')) throw thrown;
      }
    },
    cp: copy,
    mv: async (from, to) => void (await callOut('move', full(from), full(to))),
    resolvePath: (base, path) => normalPath(path.startsWith('/') ? path : `${base}/${path}`),
    getAllPaths: () => [],
    chmod: async (path, mode) => void (await callOut('setMode', full(path), mode)),
    symlink: (_target, path) => noLinks(path),
    link: async (existing, path) => void (await callOut('write', full(path), await read(existing))),
    readlink: (path) => Promise.reject(new FileFault('EINVAL', 'readlink', full(path))),
    realpath: async (path) => {
      await stat(path);
      return normalPath(path);
    },
    utimes: async (path, _atime, mtime) => void (await callOut('setTime', full(path), mtime.getTime())),
  };
};
