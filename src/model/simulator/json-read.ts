/** Reads JSON that others wrote, without believing in any of it. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';

export const fieldsOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

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
