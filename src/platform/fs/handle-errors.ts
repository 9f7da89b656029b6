/** What a browser's file functions throw, as sentences that say what to do next. */
import { errorName } from '../../base/errors.ts';
import { FileError } from '../../model/files/file-error.ts';

/** Nothing is there, or something of the other kind, or the name is none that a file could have. */
const MISSING = new Set(['NotFoundError', 'TypeMismatchError', 'TypeError']);

export const isMissing = (thrown: unknown): boolean => MISSING.has(errorName(thrown));

/** What is there, or nothing; other errors are the caller's to hear. */
export const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
};

const readDenied = (what: string): string =>
  `The browser no longer has permission to read ${what}. Open the folder again and allow it.`;
export const changeDenied = (what: string): string =>
  `The browser has no permission to change ${what}. Save again and allow it when asked.`;

export const toFileError = (thrown: unknown, path: string, doing: 'read' | 'change' = 'change'): Error => {
  if (thrown instanceof FileError) return thrown;
  const options = { cause: thrown };
  const what = path === '' ? 'The folder' : path;
  switch (errorName(thrown)) {
    case 'NotAllowedError':
    case 'SecurityError':
      return new FileError('denied', doing === 'read' ? readDenied(what) : changeDenied(what), options);
    case 'NotFoundError':
      return new FileError(
        'missing',
        `${what} no longer exists. Another program may have moved or deleted it.`,
        options,
      );
    case 'TypeMismatchError':
      return new FileError(
        'exists',
        `${what} can’t be written because a file is where a folder should be, or the reverse.`,
        options,
      );
    case 'QuotaExceededError':
      return new FileError(
        'full',
        `There is no room left to write ${what}. Free some space, then try again; your text is still here.`,
        options,
      );
    case 'NoModificationAllowedError':
    case 'InvalidStateError':
      return new FileError(
        'busy',
        `${what} is in use by another program or tab. Close it there, then try again.`,
        options,
      );
    case 'InvalidModificationError':
      return new FileError('failed', `${what} can’t be changed this way.`, options);
    case 'AbortError':
      return new FileError('cancelled', `The browser’s file check stopped the write to ${what}. Try again.`, options);
    case 'TypeError':
      return new FileError('failed', `${what} isn’t a file name that the browser allows.`, options);
    default:
      return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
};
