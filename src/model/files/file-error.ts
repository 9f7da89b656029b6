/** What went wrong with a file, as a person should hear it. Adapters of `FileTree` reject with this where they know why. */
import { isAbort } from '../../base/errors.ts';

export type FileErrorCode = 'denied' | 'missing' | 'full' | 'busy' | 'exists' | 'read-only' | 'cancelled' | 'failed';

export class FileError extends Error {
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'FileError';
    this.code = code;
  }
}

export const isCancelled = (thrown: unknown): boolean =>
  (thrown instanceof FileError && thrown.code === 'cancelled') || isAbort(thrown);
