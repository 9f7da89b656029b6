/** A cassette of VCR (Python, Ruby, Go), as YAML or JSON: recorded HTTP exchanges, of which those with a model are calls. */
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { err, ok, type Result, valueOr } from '../../../base/result.ts';
import type { RecordedCall } from '../../cache/types.ts';
import type { Call } from '../call.ts';
import { bytesOfBase64 } from '../../../base/base64.ts';
import { callOfExchange, type HeaderOf } from '../recording/exchange.ts';
import { textOfBytes } from '../recording/packed-text.ts';
import type { Recording, RecordingFault } from '../recording/types.ts';
import { endpointOf } from '../recording/wire-of.ts';
import { cassetteChunks, type Chunk } from './cassette-yaml.ts';

const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const headersOf = (message: JsonObject): HeaderOf => {
  const entries = Object.entries(object(message['headers']));
  return (name) => {
    const value = entries.find(([key]) => key.toLowerCase() === name)?.[1];
    return text(Array.isArray(value) ? (value as readonly Json[])[0] : value);
  };
};

const NOT_TEXT = Symbol('compressed');

const textOf = (bytes: Uint8Array): string | typeof NOT_TEXT => textOfBytes(bytes) ?? NOT_TEXT;

/** Of a request or an answer: its text or its object; undefined where none exists. */
const bodyOf = (message: JsonObject): Json | undefined | typeof NOT_TEXT => {
  if (message['parsed_body'] !== undefined) return message['parsed_body'];
  const body: unknown = message['body'];
  const holder = isObject(body) && !(body instanceof Uint8Array) ? body : undefined;
  const inner: unknown = holder ? holder['string'] : body;
  if (inner instanceof Uint8Array) return textOf(inner);
  const base64 = text(holder?.['base64_string']);
  if (base64 !== undefined) return textOf(bytesOfBase64(base64));
  return (inner as Json | null) ?? undefined;
};

/**
 * Recorders sort keys; programs write the type first. That way a string in place of a list and a list with that text, which
 * providers take for the same, are the same here.
 */
const typeFirst = (_key: string, value: unknown): unknown =>
  isObject(value) && 'type' in value ? { type: value['type'], ...value } : value;

const SORTED =
  'The recording has this body as an object with sorted keys, so Lathe can’t see the original key order and spacing.';
const COMPRESSED =
  'The recorded response has a compression that Lathe can’t read, so its usage is unknown. Record it decoded (decode_compressed_response).';

const timeOf = (value: string | undefined): number | undefined => {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isFinite(time) ? time : undefined;
};

const statusOf = (response: JsonObject): number | undefined => {
  const status = response['status'];
  const code = isObject(status) ? status['code'] : (status ?? response['code']);
  return typeof code === 'number' ? code : undefined;
};

/** Undefined for what is not a call of a model. */
const callOfInteraction = (value: Json): Result<RecordedCall | undefined, string> => {
  const interaction = object(value);
  const request = object(interaction['request']);
  const response = object(interaction['response']);
  const url = text(request['uri']) ?? text(request['url']);
  if (url === undefined) return err('this is not an interaction: it has no request with an address.');
  const endpoint = endpointOf(url);
  if (!endpoint || (text(request['method']) ?? 'POST').toUpperCase() !== 'POST') return ok(undefined);
  const sent = bodyOf(request);
  if (sent === undefined || sent === NOT_TEXT || sent === '')
    return endpoint.provider === 'compatible' ? ok(undefined) : err('the request has no body that can be read.');
  const asked = typeof sent === 'string' ? valueOr(parseJson(sent), undefined) : sent;
  const model = isObject(asked) ? text(asked['model']) : undefined;
  if (model === undefined)
    return endpoint.provider === 'compatible' ? ok(undefined) : err('the request body is not JSON with a model.');
  const answer = bodyOf(response);
  const responseHeader = headersOf(response);
  const at = timeOf(text(interaction['recorded_at'])) ?? timeOf(responseHeader('date'));
  return ok(
    callOfExchange({
      endpoint,
      model,
      body: typeof sent === 'string' ? sent : JSON.stringify(sent, typeFirst),
      requestHeader: headersOf(request),
      responseHeader,
      answer: answer === NOT_TEXT ? undefined : answer,
      status: statusOf(response),
      // Cassettes are played one call after the other, and their clock ticks in seconds.
      times: at === undefined ? { startedAt: 0, isTimeless: true } : { startedAt: at, firstByteAt: at },
      notes: [...(typeof sent === 'string' ? [] : [SORTED]), ...(answer === NOT_TEXT ? [COMPRESSED] : [])],
    }),
  );
};

/** Without times only the order is known. Calls that are this far apart are neither parallel nor too many a minute. */
const STEP_MS = 5_000;

/** Times of some calls beside others without would put them out of order: then none exist. */
const inOrder = (calls: readonly RecordedCall[]): readonly RecordedCall[] =>
  calls.every(({ isTimeless }) => !isTimeless)
    ? calls
    : calls.map((call, index) => ({
        ...call,
        startedAt: index * STEP_MS,
        firstByteAt: index * STEP_MS,
        isTimeless: true,
      }));

const readChunks = (chunks: readonly Chunk[], file: string): Recording => {
  const found: RecordedCall[] = [];
  const lines: number[] = [];
  const faults: RecordingFault[] = [];
  for (const { line, value } of chunks) {
    const read = value();
    const call = read.ok ? callOfInteraction(read.value) : read;
    if (!call.ok) faults.push({ line, message: call.error });
    else if (call.value) {
      found.push(call.value);
      lines.push(line);
    }
  }
  // A cassette is a run of its own, whatever others say the same.
  const calls = inOrder(found).map((call, index): Call =>
    Object.assign(call, { sessionId: file, source: { file, line: lines[index] ?? 1 } }),
  );
  return { calls, faults };
};

export const readYamlCassette = (source: string, file: string): Recording => readChunks(cassetteChunks(source), file);

/** The interactions of a cassette that was written as JSON; undefined where it is none. */
export const jsonInteractions = (value: Json | undefined): readonly Json[] | undefined => {
  const list = isObject(value) ? (value['interactions'] ?? value['http_interactions']) : undefined;
  return Array.isArray(list) ? (list as readonly Json[]) : undefined;
};

export const readJsonCassette = (interactions: readonly Json[], file: string): Recording =>
  readChunks(
    interactions.map((value, index) => ({ line: index + 1, value: () => ok(value) })),
    file,
  );
