/** Fields of a body that a server may refuse and that a request can do without. */
import type { JsonObject } from '../../base/json.ts';

/** Without these a request would ask for something else, or for nothing. */
const NEEDED: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'instructions',
  'system',
  'tools',
  'tool_choice',
  'stream',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
]);

const names = (said: string, field: string): boolean =>
  new RegExp(`(?<![\\w-])${field.replace(/\W/g, '\\$&')}(?![\\w-])`).test(said);

/** Those that the answer to a refused request names. */
export const refusedFields = (body: JsonObject, said: string): readonly string[] =>
  Object.keys(body).filter((field) => !NEEDED.has(field) && names(said, field));

export const withoutFields = (body: JsonObject, fields: ReadonlySet<string>): JsonObject =>
  fields.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([field]) => !fields.has(field)));
