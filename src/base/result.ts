/** For failures that are expected. Whatever is thrown is a defect. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** Where the reason does not matter. */
export const valueOr = <T, F>(result: Result<T, unknown>, fallback: F): T | F => (result.ok ? result.value : fallback);
