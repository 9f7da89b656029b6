/** JSON that others wrote: its values, read without believing in any of them. */
import { err, ok, type Result } from './result.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** With keys: neither null nor a list. For what was read as JSON (or YAML without its own types), which the compiler cannot see. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The error is the engine's sentence. It may quote the text: keep it from logs where that holds a secret. */
export const parseJson = (text: string): Result<Json, string> => {
  try {
    return ok(JSON.parse(text) as Json);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return err(thrown.message);
    throw thrown;
  }
};
