/** Reads JSON that others wrote, without believing in any of it. */
import { parseJson as anyJson } from '../../base/parse-json.ts';
import type { Json } from '../provider/types.ts';

export type JsonFields = { readonly [key: string]: Json };

export const isFields = (value: Json | undefined): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: Json | undefined): JsonFields => (isFields(value) ? value : {});

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The text of content that is a string or a list of parts. */
export const contentText = (value: Json | undefined): string =>
  typeof value === 'string'
    ? value
    : listOf(value)
        .map((part) => textOf(fieldsOf(part)['text']))
        .filter((text) => text !== '')
        .join('\n');

/** Its value; undefined if it is not JSON. */
export const parseJson = (text: string): Json | undefined => anyJson(text) as Json | undefined;
