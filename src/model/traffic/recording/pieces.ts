/** Files that are a part of a call: a request, an answer, or the list that joins them. They become calls when all files are there. */
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { SharedValues } from '../shared-values.ts';

export type Piece =
  | { readonly kind: 'request'; readonly text: () => string; readonly body: JsonObject }
  | { readonly kind: 'answer'; readonly message: JsonObject }
  /** A file that was made for an answer and has none. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'index'; readonly line: number; readonly entry: JsonObject }
  | { readonly kind: 'trace'; readonly line: number; readonly event: JsonObject }
  /** Beside a trace: something that is named in it. */
  | { readonly kind: 'payload'; readonly text: () => string; readonly value: JsonObject };

/** Where a file of several pieces was opened. */
export interface PlacedPiece {
  readonly file: string;
  /** When the file was written last, if anybody knows. */
  readonly modifiedAt?: number;
  readonly piece: Piece;
}

export const isIndexEntry = (value: Json | undefined): value is JsonObject =>
  isObject(value) && ('request_file' in value || 'response_file' in value) && 'timestamp' in value;

export const isTraceEvent = (value: Json | undefined): value is JsonObject =>
  isObject(value) && 'schema_version' in value && 'wall_time_unix_ms' in value && isObject(value['payload']);

const kindOf = (value: JsonObject): 'request' | 'payload' | 'answer' | undefined => {
  if ('started_at' in value || 'body' in value) return undefined;
  const isAsked = typeof value['model'] === 'string' && !('usage' in value);
  if ('not_recorded' in value || (isAsked && Array.isArray(value['messages']))) return 'request';
  if (isAsked && 'input' in value) return 'payload';
  if (value['type'] === 'message' && value['role'] === 'assistant') return 'answer';
  return 'output_items' in value && 'token_usage' in value ? 'payload' : undefined;
};

export const isPiece = (value: Json | undefined): boolean => isObject(value) && kindOf(value) !== undefined;

/** A document that is a piece; undefined: it is something else. What it repeats of others is kept once. */
export const pieceOf = (text: string, value: Json | undefined, shared: SharedValues): Piece | undefined => {
  const kind = isObject(value) ? kindOf(value) : undefined;
  if (!isObject(value) || kind === undefined) return undefined;
  const kept = shared.keep(value, text);
  if (kind === 'answer') return { kind, message: kept.value };
  return kind === 'request' ? { kind, text: kept.text, body: kept.value } : { kind, ...kept };
};

/** By its name alone, because nothing else of it is there. */
export const isEmptyAnswer = (file: string): boolean => file.endsWith('.response.json');
