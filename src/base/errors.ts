/** What is thrown can be anything. Only these functions look into it. */

export const errorMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Without the excerpt of the source that parsers add below their message. */
export const errorLine = (thrown: unknown): string => errorMessage(thrown).split('\n', 1)[0] ?? '';

/** The name that tells one `DOMException` from another; empty for what is not an error. */
export const errorName = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '');

/** A signal stopped the work, or a person closed a dialog of the browser. */
export const isAbort = (thrown: unknown): boolean => errorName(thrown) === 'AbortError';
