/** A value that a schema accepts, filled from a message where that is possible: the input of a tool, or an answer in JSON. */
import { type Json, isObject } from '../../../base/json.ts';
import { fieldsOf, listOf, textOf } from '../json-read.ts';

const firstNumber = (message: string): number | undefined => {
  const [found] = /\d+/.exec(message) ?? [];
  return found === undefined ? undefined : Number(found);
};

/** What is quoted, else what comes after a preposition with a capital letter, else the message. */
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

interface Source {
  readonly message: string;
  /** What the model has to say, for keys that ask for it. */
  readonly answer?: string | undefined;
  /** For references into the schema itself. */
  readonly root: Json;
}

type Fields = ReturnType<typeof fieldsOf>;

const MOST_DEPTH = 8;
const SAYS = /^(?:answer|reply|response|message|text|content|summary|result|output|explanation|reason(?:ing)?)$/i;

/** `#/$defs/name`; anything else is not followed. */
const referred = (reference: string, root: Json): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce<Json>((value, step) => fieldsOf(value)[step] ?? {}, root);

/** A schema in place of a reference, of alternatives (the first that is more than null), or of several at the same time. */
const plainSchema = (schema: Json | undefined, root: Json, depth: number): Fields => {
  const fields = fieldsOf(schema);
  if (depth > MOST_DEPTH) return fields;
  if (typeof fields['$ref'] === 'string') return plainSchema(referred(fields['$ref'], root), root, depth + 1);
  const any = listOf(fields['anyOf'] ?? fields['oneOf']);
  const wanted = any.find((option) => fieldsOf(option)['type'] !== 'null') ?? any[0];
  if (wanted !== undefined) return plainSchema(wanted, root, depth + 1);
  const [first] = listOf(fields['allOf']);
  return first === undefined ? fields : { ...fields, ...plainSchema(first, root, depth + 1) };
};

const inBounds = (value: number, { minimum, maximum }: Fields): number =>
  Math.min(
    Math.max(value, typeof minimum === 'number' ? minimum : value),
    typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY,
  );

const valueFor = (schema: Json | undefined, source: Source, depth: number, key = ''): Json => {
  const fields = plainSchema(schema, source.root, 0);
  const { message } = source;
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
      return depth > MOST_DEPTH ? {} : objectFor(fields, source, depth + 1);
    case 'array':
      return depth > MOST_DEPTH ? [] : [valueFor(fields['items'], source, depth + 1, key)];
    case 'integer':
    case 'number':
      return inBounds(firstNumber(message) ?? 1, fields);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return source.answer !== undefined && SAYS.test(key)
        ? source.answer
        : textFor(key, textOf(fields['format']), message);
  }
};

const objectFor = (
  schema: { readonly [key: string]: Json },
  source: Source,
  depth: number,
  needed: readonly string[] = [],
): Json => {
  const properties = fieldsOf(schema['properties']);
  const required = new Set([...listOf(schema['required']).map(textOf), ...needed]);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => required.has(key))
      .map(([key, value]) => [key, valueFor(value, source, depth, key)]),
  );
};

/** `needed`: keys that must be there beside the required ones. */
export const exampleInput = (schema: Json, message: string, needed: readonly string[] = []): Json =>
  isObject(schema) ? objectFor(schema, { message, root: schema }, 0, needed) : {};

/** An answer of a schema; `answer` is what the model would have said. */
export const exampleAnswer = (schema: Json, message: string, answer: string): Json =>
  valueFor(schema, { message, answer, root: schema }, 0);
