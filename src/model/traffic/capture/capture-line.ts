/**
 * What `lathe capture` writes: a first line about the recording, then a line per request (REC1). Of headers only what tells
 * conversations apart is kept; the key is its fingerprint, and where a string repeats it, a stand-in.
 */
import { isObject, type Json, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { plural } from '../../../base/text.ts';
import { findKeys } from '../../masking/find.ts';
import { standInFor } from '../../masking/stand-in.ts';
import { keyId } from '../../provider/keys.ts';
import { claudeSession } from '../claude-code/request-ids.ts';
import { endpointOf } from '../recording/wire-of.ts';

/** By lower-case name. */
type Headers = Readonly<Record<string, string | undefined>>;

export interface CapturedExchange {
  readonly method: string;
  /** Where it went. */
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  /** As text; undefined: it could not be decoded, or was too large to keep. */
  readonly body: string | undefined;
  readonly answer: string | undefined;
  readonly status: number | undefined;
  readonly startedAt: number;
  readonly firstByteAt: number | undefined;
  readonly endedAt: number;
  /** Who ended it before its end. */
  readonly cut: 'client' | 'provider' | 'capture' | undefined;
  /** What went wrong, in words. */
  readonly problem: string | undefined;
}

/** Whether a request asks a model; everything else passes through and is not recorded. */
export const isModelRequest = (method: string, url: string): boolean =>
  method === 'POST' && endpointOf(url) !== undefined;

const KEY_HEADERS = ['x-api-key', 'authorization', 'api-key', 'x-goog-api-key', 'proxy-authorization'];
const LEAST_KEY = 8;

const keysOf = (headers: Headers): readonly string[] =>
  KEY_HEADERS.flatMap((name) => headers[name] ?? [])
    .concat((headers['cookie'] ?? '').split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1)))
    .map((value) => value.replace(/^(?:Bearer|Basic)\s+/i, ''))
    .filter((value) => value.length >= LEAST_KEY);

/** Of equal length, so that positions and sizes stay. A body may hold keys of others, such as those of tool servers. */
const withoutKeys = (text: string, keys: readonly string[]): string => {
  const own = keys.reduce((clean, key) => clean.replaceAll(key, standInFor('key', key)), text);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, kind } of findKeys(own)) {
    parts.push(own.slice(at, start), standInFor(kind, own.slice(start, end)));
    at = end;
  }
  return at === 0 ? own : parts.join('') + own.slice(at);
};

const sessionOf = (headers: Headers, body: Json | undefined): string | undefined => {
  const named = headers['x-claude-code-session-id'] ?? headers['session_id'] ?? headers['session-id'];
  if (named !== undefined) return named;
  return isObject(body) ? claudeSession(body) : undefined;
};

/** A line without its line end. Nothing: there is no request that could be explained. */
export const captureLine = (exchange: CapturedExchange): string | undefined => {
  const { requestHeaders, responseHeaders, status, startedAt, firstByteAt, endedAt, cut, problem } = exchange;
  const endpoint = endpointOf(exchange.url);
  if (!endpoint || exchange.body === undefined || exchange.body === '') return undefined;
  const keys = keysOf(requestHeaders);
  const body = withoutKeys(exchange.body, keys);
  const parsed = valueOr(parseJson(body), undefined);
  const session = sessionOf(requestHeaders, parsed);
  const betas = requestHeaders['anthropic-beta'];
  const agent = requestHeaders['x-claude-code-agent-id'];
  const workspace = responseHeaders['anthropic-workspace-id'];
  const [key] = keys;
  return JSON.stringify({
    provider: endpoint.provider,
    wire: endpoint.wire,
    ...(isObject(parsed) && typeof parsed['model'] === 'string' && { model: parsed['model'] }),
    path: endpoint.path,
    started_at: startedAt,
    ...(firstByteAt !== undefined && { first_byte_at: firstByteAt }),
    ended_at: endedAt,
    ...(status !== undefined && { status }),
    ...(session !== undefined && { session_id: session }),
    ...(agent !== undefined && { agent_id: agent }),
    ...(key !== undefined && { key_id: keyId(key) }),
    ...(betas !== undefined && { betas }),
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(cut !== undefined && { cut }),
    ...(problem !== undefined && { error: withoutKeys(problem, keys) }),
    body,
    ...(exchange.answer !== undefined && exchange.answer !== '' && { response: withoutKeys(exchange.answer, keys) }),
  });
};

export interface CaptureState {
  readonly startedAt: number;
  readonly target: string;
  /** Why nothing is written any more, and after how many requests. */
  readonly stopped?: { readonly at: number; readonly requests: number; readonly why: string };
}

/** The first line is written again in its place when a disk is full, so it always has this length. */
const HEADER_CHARACTERS = 512;
const MOST_WHY = 160;

export const captureHeader = ({ startedAt, target, stopped }: CaptureState): string => {
  const told = {
    lathe: 'capture',
    version: 1,
    started_at: new Date(startedAt).toISOString(),
    target: target.slice(0, 120).replace(/[^\x20-\x7E]/g, '?'),
    ...(stopped && {
      stopped: {
        at: new Date(stopped.at).toISOString(),
        requests: stopped.requests,
        why: stopped.why.slice(0, MOST_WHY).replace(/[^\x20-\x7E]/g, '?'),
      },
    }),
  };
  return JSON.stringify(told)
    .padEnd(HEADER_CHARACTERS - 1, ' ')
    .slice(0, HEADER_CHARACTERS - 1);
};

export const isCaptureHeader = (value: Json | undefined): boolean => isObject(value) && value['lathe'] === 'capture';

/** What the first line says of requests that are missing at the end. */
export const captureFault = (value: Json): string | undefined => {
  const stopped = isObject(value) && isObject(value['stopped']) ? value['stopped'] : undefined;
  if (!stopped) return undefined;
  const why = typeof stopped['why'] === 'string' ? stopped['why'] : 'it could not be written';
  const at = typeof stopped['at'] === 'string' ? stopped['at'] : 'an unknown time';
  return `the recording stopped at ${at} after ${plural(Number(stopped['requests']), 'request')}: ${why}. Later requests reached the provider and aren't recorded.`;
};
