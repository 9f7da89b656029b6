import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import {
  BlockList,
  errorOf,
  list,
  number,
  object,
  readResult,
  text,
  type ReadResult,
  type StreamReader,
} from './stream-parts.ts';
import type { Block, CallEvent, ProviderDiagnosis, StopReason } from './types.ts';
import { mergeUsage, usageFromWire } from './usage.ts';

const WIRE = 'anthropic-messages';

const STOPS: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'end_turn'],
  ['tool_use', 'tool_use'],
  ['max_tokens', 'max_tokens'],
  ['model_context_window_exceeded', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause_turn'],
]);

const anthropicDiagnosis = (raw: Json): ProviderDiagnosis => {
  if (raw === null) return { state: 'none', raw };
  const found = object(raw)['cache_miss_reason'];
  if (!isObject(found)) return { state: 'pending', raw };
  const reason = text(found['type']);
  const missedTokens = number(found['cache_missed_input_tokens']);
  const state = reason === 'previous_message_not_found' ? 'not_found' : reason === 'unavailable' ? reason : 'miss';
  return { state, ...(reason !== undefined && { reason }), ...(missedTokens !== undefined && { missedTokens }), raw };
};

const startOf = (raw: JsonObject): Block => {
  switch (raw['type']) {
    case 'text':
      return { type: 'text', text: text(raw['text']) ?? '' };
    case 'thinking':
      return { type: 'thinking', text: text(raw['thinking']) ?? '', wire: WIRE, raw };
    case 'redacted_thinking':
      return { type: 'thinking', text: '', wire: WIRE, raw };
    case 'tool_use':
      return { type: 'tool_use', id: text(raw['id']) ?? '', name: text(raw['name']) ?? '', input: raw['input'] ?? {} };
    default:
      return { type: 'opaque', wire: WIRE, raw };
  }
};

/** Strings grow, everything else is replaced. That is what all known deltas do, and the best guess for others. */
const grown = (raw: JsonObject, delta: JsonObject): JsonObject => {
  const next: { [key: string]: Json } = { ...raw };
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'type' || key === 'partial_json') continue;
    const before = next[key];
    next[key] = typeof value === 'string' && typeof before === 'string' ? before + value : value;
  }
  return next;
};

export const readAnthropicStream = (): StreamReader => {
  const blocks = new BlockList();
  /** The wire's own index of a block → ours, and its JSON so far. */
  const open = new Map<number, { at: number; raw: JsonObject; json: string }>();
  let usage: Json | undefined;
  let facts: Pick<ReadResult, 'responseId' | 'model' | 'diagnosis'> = {};
  let stopReason: StopReason | undefined;
  let error: ReadResult['error'];
  let fault: string | undefined;
  let isOver = false;

  const complain = (message: string): CallEvent[] => {
    fault ??= message;
    return [];
  };

  const tellUsage = (): CallEvent[] => {
    const told = usageFromWire(WIRE, usage);
    return told ? [{ type: 'usage', usage: { ...told, partial: stopReason === undefined } }] : [];
  };

  const startMessage = (message: JsonObject): CallEvent[] => {
    const responseId = text(message['id']);
    const model = text(message['model']);
    const diagnosis = message['diagnostics'];
    facts = {
      ...(responseId !== undefined && { responseId }),
      ...(model !== undefined && { model }),
      ...(diagnosis !== undefined && { diagnosis: anthropicDiagnosis(diagnosis) }),
    };
    usage = mergeUsage(usage, message['usage']);
    return tellUsage();
  };

  const startBlock = (event: JsonObject): CallEvent[] => {
    const index = number(event['index']);
    const raw = event['content_block'];
    if (index === undefined || !isObject(raw)) return complain('a block starts without an index or a content');
    open.set(index, { at: blocks.length, raw, json: '' });
    return [blocks.start(startOf(raw))];
  };

  const growBlock = (event: JsonObject): CallEvent[] => {
    const entry = open.get(number(event['index']) ?? -1);
    const delta = event['delta'];
    if (!entry || !isObject(delta)) return complain('a delta belongs to no block that is open');
    entry.raw = grown(entry.raw, delta);
    const block = blocks.at(entry.at);
    if (block?.type === 'thinking') blocks.replace(entry.at, { ...block, raw: entry.raw });
    const json = text(delta['partial_json']);
    if (json !== undefined) {
      entry.json += json;
      return block?.type === 'tool_use' ? blocks.grow(entry.at, 'tool_input', json) : [];
    }
    if (delta['type'] === 'text_delta') return blocks.grow(entry.at, 'text', text(delta['text']) ?? '');
    if (delta['type'] === 'thinking_delta') return blocks.grow(entry.at, 'thinking', text(delta['thinking']) ?? '');
    return [];
  };

  const finalBlock = (at: number, raw: JsonObject, json: string): Block | undefined => {
    const block = blocks.at(at);
    // A block that came whole has its input already.
    if (block?.type === 'tool_use') return json === '' ? { ...block, input: raw['input'] ?? {} } : undefined;
    if (block?.type !== 'opaque') return undefined;
    try {
      return { ...block, raw: json === '' ? raw : { ...raw, input: JSON.parse(json) as Json } };
    } catch {
      complain(`the input of a block of type ${text(raw['type']) ?? 'unknown'} isn’t JSON`);
      return { ...block, raw };
    }
  };

  const stopBlock = (event: JsonObject): CallEvent[] => {
    const index = number(event['index']) ?? -1;
    const entry = open.get(index);
    if (!entry) return complain('a block stops that is not open');
    open.delete(index);
    return blocks.stop(entry.at, finalBlock(entry.at, entry.raw, entry.json));
  };

  const growMessage = (event: JsonObject): CallEvent[] => {
    const reason = text(object(event['delta'])['stop_reason']);
    if (reason !== undefined) stopReason = STOPS.get(reason) ?? 'other';
    usage = mergeUsage(usage, event['usage']);
    return tellUsage();
  };

  const push = (given: unknown): readonly CallEvent[] => {
    const event = isObject(given) ? given : undefined;
    if (!event) return complain('an event isn’t an object');
    switch (event['type']) {
      case 'message_start':
        return startMessage(object(event['message']));
      case 'content_block_start':
        return startBlock(event);
      case 'content_block_delta':
        return growBlock(event);
      case 'content_block_stop':
        return stopBlock(event);
      case 'message_delta':
        return growMessage(event);
      case 'message_stop':
        isOver = true;
        return [];
      case 'error':
        error = errorOf(event['error']);
        return [];
      default:
        // New kinds of events may come at any time.
        return [];
    }
  };

  return {
    push,
    finish: () => {
      const isComplete = error === undefined && stopReason !== undefined && (isOver || open.size === 0);
      const told = usageFromWire(WIRE, usage);
      return readResult({ ...facts, content: blocks.blocks(), isComplete }, { usage: told, stopReason, error, fault });
    },
  };
};

/** A whole message, told as the events that it would have been. */
export const anthropicEvents = (message: JsonObject): readonly Json[] => [
  { type: 'message_start', message: { ...message, content: [] } },
  ...list(message['content']).flatMap((content_block, index): Json[] => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: message['stop_reason'] ?? null }, usage: message['usage'] ?? null },
  { type: 'message_stop' },
];
