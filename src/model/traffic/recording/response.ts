/** A recorded response, whatever form it has: the wire's object, its text, a stream of events, or our own short form. */
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import type { KnownResponse } from '../../cache/types.ts';
import type { Wire } from '../../provider/types.ts';
import { parseSse } from '../../provider/sse.ts';
import { mergeUsage } from '../../provider/usage.ts';

export interface RecordedResponse extends KnownResponse {
  readonly usage?: Json;
  readonly diagnostics?: Json;
  readonly failed?: boolean;
  /** A stream that broke off. */
  readonly partial?: boolean;
}

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Anthropic's usage tells the speed that served. */
export const speedOf = (usage: Json | undefined): string | undefined =>
  isObject(usage) ? text(usage['speed']) : undefined;

const chatContent = (raw: JsonObject): Json | undefined => {
  const choices = raw['choices'];
  const first = Array.isArray(choices) ? (choices as readonly Json[])[0] : undefined;
  return isObject(first) ? first['message'] : undefined;
};

const headerOf = (raw: JsonObject, name: string): string | undefined => {
  const { headers } = raw;
  return isObject(headers) ? text(headers[name]) : undefined;
};

const status = (raw: JsonObject): number => (typeof raw['status'] === 'number' ? raw['status'] : 200);

/** An error as an object, or in words. */
export const isError = (value: Json | undefined): boolean =>
  isObject(value) || (typeof value === 'string' && value !== '') || value === true;

const isFailure = (raw: JsonObject): boolean =>
  raw['type'] === 'error' ||
  (isError(raw['error']) && raw['id'] === undefined) ||
  raw['status'] === 'failed' ||
  status(raw) >= 400;

const defined = <T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const STREAM = /^(?:event|data):/m;

const fromObject = (raw: JsonObject, wire: Wire): RecordedResponse => {
  // Recorders like to wrap: `{status, headers, body}`.
  const inner = typeof raw['body'] === 'string' ? valueOr(parseJson(raw['body']), undefined) : raw['body'];
  if (inner === undefined && typeof raw['body'] === 'string' && STREAM.test(raw['body']))
    return { ...fromObject({ ...raw, body: null }, wire), ...fromStream(raw['body'], wire) };
  const message = isObject(inner) ? inner : raw;
  const usage = message['usage'] ?? undefined;
  const timings = message['timings'];
  return defined({
    id: text(message['id']),
    model: text(message['model']),
    content: message['content'] ?? message['output'] ?? chatContent(message),
    upstream: text(message['upstream']) ?? text(message['provider']),
    workspaceId:
      text(message['workspaceId']) ?? text(message['workspace_id']) ?? headerOf(raw, 'anthropic-workspace-id'),
    speed: text(message['speed']) ?? speedOf(usage),
    usage: isObject(usage) && isObject(timings) ? { ...usage, timings } : usage,
    diagnostics: message['diagnostics'] ?? message['prompt_cache_diagnostics'],
    failed: isFailure(raw) || isFailure(message) ? true : undefined,
  });
};

type Draft = Record<string, Json>;

/** A delta changes one member of the block that is being built. */
const DELTAS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
  input_json_delta: ['partial_json', 'input'],
};

const applyDelta = (block: Draft, delta: JsonObject): void => {
  const names = DELTAS[text(delta['type']) ?? ''];
  if (!names) return;
  const [from, to] = names;
  const piece = delta[from];
  const before = block[to];
  block[to] = `${typeof before === 'string' ? before : ''}${typeof piece === 'string' ? piece : ''}`;
};

const finished = (block: Draft): Json => {
  const { input } = block;
  return typeof input === 'string'
    ? { ...block, input: valueOr(parseJson(input === '' ? '{}' : input), input) }
    : block;
};

const fromAnthropicEvents = (events: readonly JsonObject[]): RecordedResponse => {
  let message: JsonObject = {};
  let usage: Json | undefined;
  let isWhole = false;
  const blocks = new Map<number, Draft>();
  for (const event of events) {
    const index = typeof event['index'] === 'number' ? event['index'] : -1;
    const block = blocks.get(index);
    if (isObject(event['message'])) {
      message = event['message'];
      ({ usage } = message);
    } else if (isObject(event['content_block'])) blocks.set(index, { ...event['content_block'] });
    else if (event['type'] === 'content_block_delta' && block && isObject(event['delta']))
      applyDelta(block, event['delta']);
    else if (event['type'] === 'message_delta') usage = mergeUsage(usage, event['usage']);
    else if (event['type'] === 'message_stop') isWhole = true;
  }
  return {
    ...fromObject(
      {
        ...message,
        content: [...blocks.values()].map(finished),
        ...(usage !== undefined && { usage }),
      },
      'anthropic-messages',
    ),
    ...(!isWhole && { partial: true }),
    // Nothing at all was answered.
    ...(events.every((event) => event['type'] === 'error') && { failed: true }),
  };
};

const fromResponsesEvents = (events: readonly JsonObject[]): RecordedResponse => {
  const last = events.findLast((event) => isObject(event['response']));
  const isWhole = last !== undefined && /^response\.(?:completed|incomplete)$/.test(text(last['type']) ?? '');
  const isRefused =
    events.some((event) => event['type'] === 'error') &&
    !events.some((event) => text(event['type'])?.startsWith('response.output_'));
  return {
    ...fromObject(isObject(last?.['response']) ? last['response'] : {}, 'openai-responses'),
    ...(!isWhole && { partial: true }),
    ...(isRefused && { failed: true }),
  };
};

/** Text, reasoning or a tool call; not the role alone. */
const saysAnything = (delta: JsonObject): boolean =>
  Object.entries(delta).some(([key, value]) => key !== 'role' && value !== null && value !== '');

const fromChatEvents = (events: readonly JsonObject[], isWhole: boolean): RecordedResponse => {
  let content = '';
  let isAnswered = false;
  const merged: Draft = {};
  for (const event of events) {
    for (const key of ['id', 'model', 'provider', 'usage', 'timings'])
      if (event[key] !== undefined && event[key] !== null) merged[key] = event[key];
    const choices = event['choices'];
    const first = Array.isArray(choices) ? (choices as readonly Json[])[0] : undefined;
    const delta = isObject(first) ? first['delta'] : undefined;
    if (!isObject(delta)) continue;
    isAnswered ||= saysAnything(delta);
    if (typeof delta['content'] === 'string') content += delta['content'];
  }
  return {
    ...fromObject({ ...merged, content: { role: 'assistant', content } }, 'openai-chat'),
    ...(!isWhole && { partial: true }),
    ...(!isAnswered && events.some((event) => isError(event['error'])) && { failed: true }),
  };
};

const fromStream = (source: string, wire: Wire): RecordedResponse => {
  const data = parseSse(source).map((event) => event.data);
  const events = data.map((line) => valueOr(parseJson(line), undefined)).filter(isObject);
  if (wire === 'anthropic-messages') return fromAnthropicEvents(events);
  return wire === 'openai-responses' ? fromResponsesEvents(events) : fromChatEvents(events, data.includes('[DONE]'));
};

export const readResponse = (raw: Json | undefined, wire: Wire): RecordedResponse => {
  if (isObject(raw)) return fromObject(raw, wire);
  if (typeof raw !== 'string' || raw.trim() === '') return {};
  const parsed = valueOr(parseJson(raw), undefined);
  return isObject(parsed) ? fromObject(parsed, wire) : fromStream(raw, wire);
};
