/** A form for the input of a metaskill, made from what its SKILL.md says about its input keys. */
import { isObject, type Json, parseJson } from '../../base/json.ts';
import { err, ok, type Result, valueOr } from '../../base/result.ts';
import { documentedInputKeys } from '../starlark/input-keys.ts';

export type FieldType = 'text' | 'number' | 'boolean' | 'json';

export interface FormField {
  readonly name: string;
  readonly type: FieldType;
  readonly isOptional: boolean;
  /** What the skill says about it. */
  readonly about: string;
  /** As it is in the field: of the example in the skill's text, or empty. */
  readonly example: string;
}

export interface RunForm {
  /** `unknown`: nothing is documented, so only raw JSON can be given. */
  readonly state: 'fields' | 'none' | 'unknown';
  readonly fields: readonly FormField[];
}

export type FormValues = Readonly<Record<string, string>>;

export interface FieldFault {
  readonly name: string;
  readonly message: string;
}

const typeOfValue = (value: Json): FieldType => {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'text' : 'json';
};

/** From what comes after `default`. */
const typeOfDefault = (about: string): FieldType | undefined => {
  const [, literal] = /\bdefaults?(?: to| is)?[ :]*`([^`]*)`/i.exec(about) ?? [];
  if (literal === undefined) return undefined;
  if (/^-?\d+(?:\.\d+)?$/.test(literal)) return 'number';
  if (/^(?:true|false)$/i.test(literal)) return 'boolean';
  return /^[[{]/.test(literal) ? 'json' : 'text';
};

const WORDS: readonly (readonly [RegExp, FieldType])[] = [
  [/\b(?:list|array|object|dict|mapping)\b/i, 'json'],
  [/\b(?:number|integer|how many|count)\b/i, 'number'],
  [/\b(?:boolean|true or false|whether)\b/i, 'boolean'],
];

const guessType = (about: string, example: Json | undefined): FieldType =>
  (example === undefined ? undefined : typeOfValue(example)) ??
  typeOfDefault(about) ??
  WORDS.find(([pattern]) => pattern.test(about))?.[1] ??
  'text';

/** The first JSON object in a fence after the keys. */
const exampleIn = (body: string, from: number): { readonly [key: string]: Json } => {
  const [, text] = /^[ \t]*(?:```|~~~)(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*(?:```|~~~)/m.exec(body.slice(from)) ?? [];
  if (text === undefined) return {};
  const value = valueOr(parseJson(text), undefined);
  return isObject(value) ? value : {};
};

const aboutKey = (body: string, end: number, next: number): string =>
  body
    .slice(end, next)
    .split(/\n[ \t]*\n/)[0]
    ?.replace(/^[`*_)\s|]*[:–—-]?\s*/, '')
    .replace(/(?<![\s|])[\s|]+$/, '')
    .replace(/\n[ \t]*(?:(?:[-*+]|\d+[.)]|\|)[ \t]*)?[`*_]*$/, '')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ') ?? '';

const asText = (value: Json | undefined, type: FieldType): string => {
  if (value === undefined) return '';
  return type === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
};

export const runForm = (body: string): RunForm => {
  const { state, keys, insertAt } = documentedInputKeys(body);
  if (state === 'none') return { state: 'none', fields: [] };
  if (keys.length === 0) return { state: 'unknown', fields: [] };
  const example = exampleIn(body, insertAt);
  const fields = keys.map(({ name, range, optional }, index): FormField => {
    const about = aboutKey(body, range.end, keys[index + 1]?.range.start ?? insertAt);
    const type = guessType(about, example[name]);
    return { name, type, isOptional: optional, about, example: asText(example[name], type) };
  });
  return { state: 'fields', fields };
};

export const exampleValues = ({ fields }: RunForm): FormValues =>
  Object.fromEntries(fields.map(({ name, example }) => [name, example]));

const valueOf = ({ name, type }: FormField, text: string): Result<Json, FieldFault> => {
  if (type === 'text') return ok(text);
  if (type === 'number') {
    const value = Number(text);
    return Number.isFinite(value) ? ok(value) : err({ name, message: 'Enter a number.' });
  }
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? ok(text === 'true') : err({ name, message: 'Enter true or false.' });
  const value = parseJson(text);
  return value.ok
    ? value
    : err({ name, message: 'Enter JSON: a list like ["a", "b"], an object, text in quotes, or a number.' });
};

/** What the form says as an input; an empty optional field is left out. */
export const inputOfForm = (form: RunForm, values: FormValues): Result<Json, readonly FieldFault[]> => {
  const input: Record<string, Json> = {};
  const faults: FieldFault[] = [];
  for (const field of form.fields) {
    const text = values[field.name] ?? '';
    if (text.trim() === '') {
      if (!field.isOptional) faults.push({ name: field.name, message: 'This key is required.' });
      continue;
    }
    const value = valueOf(field, field.type === 'text' ? text : text.trim());
    if (value.ok) input[field.name] = value.value;
    else faults.push(value.error);
  }
  return faults.length > 0 ? err(faults) : ok(input);
};

/** An input as the form would hold it; nothing where it has keys that the form lacks, or is not an object. */
export const valuesOfInput = (form: RunForm, input: Json | undefined): FormValues | undefined => {
  if (!isObject(input) || Object.keys(input).some((key) => !form.fields.some(({ name }) => name === key)))
    return undefined;
  return Object.fromEntries(form.fields.map(({ name, type }) => [name, asText(input[name], type)]));
};

/** A limit of a run: nothing for the host's own. Whole numbers that are too small or too large are clamped by the host, which says so (D29). */
export const readLimit = (text: string): number | undefined | 'fault' => {
  const plain = text.trim();
  if (plain === '') return undefined;
  return /^-?\d+$/.test(plain) ? Number(plain) : 'fault';
};
