/**
 * The part of JSON Schema (draft 7) that tools may use, and a validator whose messages a model can correct itself with:
 * `place: what it must be, got what it is`, `$` for the whole input.
 */
import { type Json, isObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { codePointLength, nounFor, takeCodePoints } from '../../base/text.ts';
import { sortedJson } from './canonical-json.ts';

type Schema = { readonly [key: string]: Json };

const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const;
type TypeName = (typeof TYPES)[number];

/** Only say something to people, or to the model. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'format', '$schema', '$id', '$comment'];
const CHECKS = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];
const KNOWN: ReadonlySet<string> = new Set([...ANNOTATIONS, ...CHECKS]);

const isCount = (value: Json): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isTypeName = (value: Json): boolean => TYPES.some((type) => type === value);
const isRegex = (value: Json): boolean => {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** What the value of a keyword must be. */
const SHAPES: Readonly<Record<string, readonly [needs: string, test: (value: Json) => boolean]>> = {
  type: [
    'a type or a list of types',
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value)),
  ],
  enum: ['a list', (value) => Array.isArray(value) && value.length > 0],
  properties: ['an object', isObject],
  required: ['a list of names', (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')],
  additionalProperties: ['true or false', (value) => typeof value === 'boolean'],
  items: ['one schema', isObject],
  minItems: ['a count', isCount],
  maxItems: ['a count', isCount],
  uniqueItems: ['true or false', (value) => typeof value === 'boolean'],
  minLength: ['a count', isCount],
  maxLength: ['a count', isCount],
  pattern: ['a regular expression', isRegex],
  minimum: ['a number', (value) => typeof value === 'number'],
  maximum: ['a number', (value) => typeof value === 'number'],
  exclusiveMinimum: ['a number', (value) => typeof value === 'number'],
  exclusiveMaximum: ['a number', (value) => typeof value === 'number'],
  multipleOf: ['a number above 0', (value) => typeof value === 'number' && value > 0],
};

/** Why a schema cannot be used, as `place: reason`; nothing if it can. A keyword that is not checked is refused, never ignored. */
export const schemaFaults = (schema: Json, place = '$'): readonly string[] => {
  if (!isObject(schema)) return [`${place}: a schema must be an object`];
  const faults: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KNOWN.has(keyword)) faults.push(`${place}: the keyword ${JSON.stringify(keyword)} is not supported`);
    const shape = SHAPES[keyword];
    if (shape && !shape[1](value)) faults.push(`${place}: ${keyword} must be ${shape[0]}`);
  }
  if (isObject(schema['properties']))
    for (const [key, inner] of Object.entries(schema['properties']))
      faults.push(...schemaFaults(inner, `${place}.${key}`));
  if (isObject(schema['items'])) faults.push(...schemaFaults(schema['items'], `${place}[]`));
  return faults;
};

const NOUNS: Readonly<Record<TypeName, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

const isOfType = (value: Json, type: Json): boolean => {
  switch (type as TypeName) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
};

const list = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** The number as the schema writes it. */
const counted = (count: Json, noun: string): string => `${JSON.stringify(count)} ${nounFor(Number(count), noun)}`;

/** `between 1 and 50`, `of at least 1 character`, … */
const bounds = (schema: Schema): string => {
  const { minimum: least, maximum: most, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const parts: string[] = [];
  if (least !== undefined && most !== undefined)
    parts.push(`between ${JSON.stringify(least)} and ${JSON.stringify(most)}`);
  else if (least !== undefined) parts.push(`of at least ${JSON.stringify(least)}`);
  else if (most !== undefined) parts.push(`of at most ${JSON.stringify(most)}`);
  if (above !== undefined) parts.push(`above ${JSON.stringify(above)}`);
  if (below !== undefined) parts.push(`below ${JSON.stringify(below)}`);
  if (multipleOf !== undefined) parts.push(`that is a multiple of ${JSON.stringify(multipleOf)}`);
  for (const [min, max, noun] of [
    ['minLength', 'maxLength', 'character'],
    ['minItems', 'maxItems', 'item'],
  ] as const) {
    const [low, high] = [schema[min], schema[max]];
    if (low !== undefined && high !== undefined) parts.push(`of ${JSON.stringify(low)} to ${counted(high, noun)}`);
    else if (low !== undefined) parts.push(`of at least ${counted(low, noun)}`);
    else if (high !== undefined) parts.push(`of at most ${counted(high, noun)}`);
  }
  if (schema['uniqueItems'] === true) parts.push('without repeated items');
  if (schema['pattern'] !== undefined) parts.push(`that matches ${schema['pattern'] as string}`);
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`;
};

/** What a value must be, as a whole: one sentence says all that a retry needs. */
const expectation = (schema: Schema): string => {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) {
    const options = (schema['enum'] as readonly Json[]).map((item) => JSON.stringify(item));
    return options.length === 1 ? list(options, 'or') : `one of ${list(options, 'or')}`;
  }
  const { type } = schema;
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]) as readonly TypeName[];
  const noun =
    types.length === 0
      ? 'a value'
      : list(
          types.map((name) => NOUNS[name]),
          'or',
        );
  return `${noun}${bounds(schema)}`;
};

const SHOWN = 60;

const got = (value: Json): string => {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${counted(value.length, 'item')}`;
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value);
  if (typeof value !== 'string' || codePointLength(text) <= SHOWN) return text;
  return `${takeCodePoints(text, SHOWN)}…" (${codePointLength(value)} characters)`;
};

const isEqual = (a: Json, b: Json): boolean => sortedJson(a) === sortedJson(b);

const isMultiple = (value: number, of: number): boolean => {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < 1e-9;
};

const fitsNumber = (value: number, schema: Schema): boolean =>
  !(value < (schema['minimum'] as number)) &&
  !(value > (schema['maximum'] as number)) &&
  !(value <= (schema['exclusiveMinimum'] as number)) &&
  !(value >= (schema['exclusiveMaximum'] as number)) &&
  (schema['multipleOf'] === undefined || isMultiple(value, schema['multipleOf'] as number));

const fitsString = (value: string, schema: Schema): boolean => {
  const length = codePointLength(value);
  return (
    !(length < (schema['minLength'] as number)) &&
    !(length > (schema['maxLength'] as number)) &&
    (schema['pattern'] === undefined || new RegExp(schema['pattern'] as string, 'u').test(value))
  );
};

const fitsArray = (value: readonly Json[], schema: Schema): boolean =>
  !(value.length < (schema['minItems'] as number)) &&
  !(value.length > (schema['maxItems'] as number)) &&
  (schema['uniqueItems'] !== true || new Set(value.map(sortedJson)).size === value.length);

const fits = (value: Json, schema: Schema): boolean => {
  const { type } = schema;
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).some((name) => isOfType(value, name as Json)))
    return false;
  if (schema['const'] !== undefined && !isEqual(value, schema['const'])) return false;
  if (Array.isArray(schema['enum']) && !schema['enum'].some((item) => isEqual(value, item as Json))) return false;
  if (typeof value === 'number') return fitsNumber(value, schema);
  if (typeof value === 'string') return fitsString(value, schema);
  return !Array.isArray(value) || fitsArray(value as readonly Json[], schema);
};

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
const below = (place: string, key: string): string => {
  const step = PLAIN_KEY.test(key) ? key : JSON.stringify(key);
  return place === '$' ? step : `${place}.${step}`;
};

export interface InputFault {
  /** For the model: `place: message`, with what was given. */
  readonly text: string;
  /** For the journal: without anything of the input. */
  readonly bare: string;
}

const objectFaults = (value: { readonly [key: string]: Json }, schema: Schema, place: string): InputFault[] => {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const known = Object.keys(properties);
  const faults: InputFault[] = [];
  for (const key of (schema['required'] ?? []) as readonly string[]) {
    if (Object.hasOwn(value, key)) continue;
    const inner = properties[key];
    const needs = isObject(inner) ? ` and must be ${expectation(inner)}` : '';
    const text = `${below(place, key)}: is required${needs}`;
    faults.push({ text, bare: text });
  }
  for (const [key, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) faults.push(...validateInput(properties[key] as Json, item, below(place, key)));
    else if (schema['additionalProperties'] === false) {
      const meant = nearest(
        key,
        known.filter((name) => !Object.hasOwn(value, name)),
      );
      const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
      const allowed = known.length === 0 ? 'no keys are allowed' : `allowed: ${known.join(', ')}`;
      faults.push({
        text: `${place}: unknown key ${JSON.stringify(key)}${hint === '' ? '; ' : `${hint} `}${allowed}`,
        bare: `${place}: unknown key; ${allowed}`,
      });
    }
  }
  return faults;
};

/** Where `value` differs from the schema, which has no faults itself. */
export const validateInput = (schema: Json, value: Json, place = '$'): readonly InputFault[] => {
  if (!isObject(schema)) return [];
  if (!fits(value, schema)) {
    const bare = `${place}: must be ${expectation(schema)}`;
    return [{ text: `${bare}, got ${got(value)}`, bare }];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isObject(items)) return [];
    return (value as readonly Json[]).flatMap((item, index) =>
      validateInput(items, item, `${place === '$' ? '' : place}[${index}]`),
    );
  }
  return isObject(value) ? objectFaults(value, schema, place) : [];
};
