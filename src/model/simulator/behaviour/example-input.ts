/** An input that a tool's schema accepts, filled from a message where that is possible. */
import { fieldsOf, isFields, listOf, textOf } from '../json-read.ts';
import type { Json } from '../../provider/types.ts';

const firstNumber = (message: string): number | undefined => {
  const [found] = /\d+/.exec(message) ?? [];
  return found === undefined ? undefined : Number(found);
};

/** What is quoted, else what stands behind a preposition with a capital letter, else the message. */
const phrase = (message: string): string => {
  const [, quoted] = /["“']([^"”']{1,200})["”']/.exec(message) ?? [];
  const [, place] = /\b(?:in|for|of|about|at|on|to|from)\s+((?:\p{Lu}[\p{L}\d-]*\s?){1,4})/u.exec(message) ?? [];
  return quoted ?? place?.trim() ?? message.trim();
};

const DAY = /\b\d{4}-\d{2}-\d{2}\b/;
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?/;

/** What a message says about an argument that is an id, a day, a time or an address; else its phrase. */
const textFor = (key: string, format: string, message: string): string => {
  if (format === 'date') return DAY.exec(message)?.[0] ?? '2026-01-31';
  if (format === 'date-time') return TIME.exec(message)?.[0] ?? `${DAY.exec(message)?.[0] ?? '2026-01-31'}T09:00:00Z`;
  const [id] = (/(?:^|_)ids?$/.test(key) && /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]+\b/i.exec(message)) || [];
  const [address] = (/^(?:to|from|cc|address|email)$/.test(key) && /[\w.+-]+@[\w.-]+\w/.exec(message)) || [];
  return id ?? address ?? (phrase(message) || 'example');
};

const valueFor = (schema: Json | undefined, message: string, depth: number, key = ''): Json => {
  const fields = fieldsOf(schema);
  if (fields['default'] !== undefined) return fields['default'];
  if (fields['const'] !== undefined) return fields['const'];
  const options = listOf(fields['enum']);
  if (options.length > 0)
    return (
      options.find((option) => typeof option === 'string' && message.toLowerCase().includes(option.toLowerCase())) ??
      options[0] ??
      null
    );
  const type = Array.isArray(fields['type']) ? listOf(fields['type'])[0] : fields['type'];
  switch (type) {
    case 'object':
      return depth > 8 ? {} : objectFor(fields, message, depth + 1);
    case 'array':
      return depth > 8 ? [] : [valueFor(fields['items'], message, depth + 1, key)];
    case 'integer':
    case 'number':
      return firstNumber(message) ?? (typeof fields['minimum'] === 'number' ? fields['minimum'] : 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textFor(key, textOf(fields['format']), message);
  }
};

const objectFor = (
  schema: { readonly [key: string]: Json },
  message: string,
  depth: number,
  needed: readonly string[] = [],
): Json => {
  const properties = fieldsOf(schema['properties']);
  const required = new Set([...listOf(schema['required']).map(textOf), ...needed]);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => required.has(key))
      .map(([key, value]) => [key, valueFor(value, message, depth, key)]),
  );
};

/** `needed`: keys that must be there beside the required ones. */
export const exampleInput = (schema: Json, message: string, needed: readonly string[] = []): Json =>
  isFields(schema) ? objectFor(schema, message, 0, needed) : {};
