/** The sentences of OpenAI's wires about a parameter, as far as they are known. */
import { type Json, isObject } from '../../base/json.ts';
import { textOf } from './json-read.ts';
import { invalid, type SimError } from './sim-error.ts';

export const missing = (param: string): SimError =>
  invalid(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });

export const unknownParameter = (param: string): SimError =>
  invalid(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });

export const wrongValue = (value: Json | undefined, allowed: readonly string[], param: string): SimError =>
  invalid(`Invalid value: '${textOf(value)}'. Supported values are: ${allowed.map((one) => `'${one}'`).join(', ')}.`, {
    param,
    code: 'invalid_value',
  });

export const emptyArray = (param: string): SimError =>
  invalid(`Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`, {
    param,
    code: 'empty_array',
  });

const kindOf = (value: Json): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'number' && Number.isInteger(value) ? 'an integer' : `a ${typeof value}`;
};

export const wrongType = (param: string, value: Json, wanted: string): SimError =>
  invalid(`Invalid type for '${param}': expected ${wanted}, but got ${kindOf(value)} instead.`, {
    param,
    code: 'invalid_type',
  });

const outOfBounds = (param: string, value: number, kind: string, side: 'above' | 'below', bound: number): SimError =>
  invalid(
    `Invalid '${param}': ${kind} ${side} ${side === 'above' ? 'maximum' : 'minimum'} value. ` +
      `Expected a value ${side === 'above' ? '<=' : '>='} ${bound}, but got ${value} instead.`,
    { param, code: `${kind}_${side}_${side === 'above' ? 'max' : 'min'}_value` },
  );

export const isSet = (value: Json | undefined): value is Exclude<Json, null> => value !== undefined && value !== null;

/** A number, if it is given, within its bounds. */
export const checkNumber = (
  value: Json | undefined,
  param: string,
  kind: 'integer' | 'decimal',
  least: number,
  most = Number.POSITIVE_INFINITY,
): SimError | undefined => {
  if (!isSet(value)) return undefined;
  if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value)))
    return wrongType(param, value, kind === 'integer' ? 'an integer' : 'a decimal');
  if (value < least) return outOfBounds(param, value, kind, 'below', least);
  return value > most ? outOfBounds(param, value, kind, 'above', most) : undefined;
};

/** One of some words, if it is given. */
export const checkWord = (value: Json | undefined, allowed: readonly string[], param: string): SimError | undefined =>
  isSet(value) && !allowed.includes(textOf(value)) ? wrongValue(value, allowed, param) : undefined;

export const checkBoolean = (value: Json | undefined, param: string): SimError | undefined =>
  isSet(value) && typeof value !== 'boolean' ? wrongType(param, value, 'a boolean') : undefined;

export const unsupported = (param: string): SimError =>
  invalid(`Unsupported parameter: '${param}' is not supported with this model.`, {
    param,
    code: 'unsupported_parameter',
  });

/** Of a list. */
export const tooMany = (param: string, most: number, found: number): SimError =>
  invalid(
    `Invalid '${param}': array too long. Expected an array with maximum length ${most}, but got an array with length ${found} instead.`,
    { param, code: 'array_above_max_length' },
  );

/** A string, if it is given, that is not too long. */
export const checkLength = (value: Json | undefined, param: string, most: number): SimError | undefined => {
  if (!isSet(value)) return undefined;
  if (typeof value !== 'string') return wrongType(param, value, 'a string');
  return value.length <= most
    ? undefined
    : invalid(
        `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${value.length} instead.`,
        { param, code: 'string_above_max_length' },
      );
};

export const checkPattern = (value: string, pattern: RegExp, param: string): SimError | undefined =>
  pattern.test(value)
    ? undefined
    : invalid(
        `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
        { param, code: 'invalid_value' },
      );

/** A string that has to be there. */
export const checkText = (value: Json | undefined, param: string): SimError | undefined => {
  if (value === undefined) return missing(param);
  return typeof value === 'string' ? undefined : wrongType(param, value, 'a string');
};

/** Fields that nobody knows, in an object that may be absent. */
export const checkKeys = (value: Json | undefined, param: string, known: readonly string[]): SimError | undefined => {
  if (!isSet(value)) return undefined;
  if (!isObject(value)) return wrongType(param, value, 'an object');
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  return stranger === undefined ? undefined : unknownParameter(`${param}.${stranger}`);
};
