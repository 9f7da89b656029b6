/** What can go wrong with a file, by the names that programs know. They cross the worker boundary as plain data. */

export type FaultCode =
  | 'ENOENT'
  | 'ENOTDIR'
  | 'EISDIR'
  | 'EEXIST'
  | 'ENOTEMPTY'
  | 'EACCES'
  | 'EPERM'
  | 'EINVAL'
  | 'EFBIG';

const WORDS: Readonly<Record<FaultCode, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EISDIR: 'illegal operation on a directory',
  EEXIST: 'file already exists',
  ENOTEMPTY: 'directory not empty',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EINVAL: 'invalid argument',
  EFBIG: 'file too large',
};

/** Looks like an error of Node's file system, because the libraries that see it read `code` and the words. */
export class FileFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, action: string, path: string) {
    super(`${code}: ${WORDS[code]}, ${action} '${path}'`);
    this.name = 'FileFault';
    this.code = code;
  }
}
