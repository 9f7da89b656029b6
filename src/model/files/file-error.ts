/** What went wrong with a file, as a person should hear it. Adapters of `FileTree` reject with this where they know why. */

export type FileErrorCode = 'denied' | 'missing' | 'full' | 'busy' | 'exists' | 'read-only' | 'cancelled' | 'failed';

export class FileError extends Error {
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'FileError';
    this.code = code;
  }
}

/** The sentence of an error, whatever it is. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const isCancelled = (thrown: unknown): boolean =>
  (thrown instanceof FileError && thrown.code === 'cancelled') ||
  (thrown instanceof Error && thrown.name === 'AbortError');
