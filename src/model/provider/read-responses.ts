import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import {
  BlockList,
  errorOf,
  list,
  number,
  object,
  readResult,
  text,
  toolInput,
  type ReadResult,
  type StreamReader,
} from './stream-parts.ts';
import type { Block, CallEvent, ProviderDiagnosis, StopReason, Usage } from './types.ts';
import { usageFromWire } from './usage.ts';

const WIRE = 'openai-responses';

const DIAGNOSES: ReadonlyMap<unknown, ProviderDiagnosis['state']> = new Map([
  ['cache_hit', 'hit'],
  ['cache_miss', 'miss'],
  ['comparison_response_not_found', 'not_found'],
  ['unavailable', 'unavailable'],
]);

const responsesDiagnosis = (raw: JsonObject): ProviderDiagnosis => {
  const reason = text(raw['reason']);
  const missedTokens = number(raw['cache_missed_tokens']);
  return {
    state: DIAGNOSES.get(raw['type']) ?? 'unavailable',
    ...(reason !== undefined && { reason }),
    ...(missedTokens !== undefined && { missedTokens }),
    raw,
  };
};

const thinkingText = (item: JsonObject): string =>
  [...list(item['summary']), ...list(item['content'])]
    .map((part) => text(object(part)['text']) ?? '')
    .filter((part) => part !== '')
    .join('\n\n');

/** What an item is when it is whole; a message has blocks of its own, one for each part. */
const blockOf = (item: JsonObject): Block => {
  if (item['type'] === 'function_call') {
    return {
      type: 'tool_use',
      id: text(item['call_id']) ?? text(item['id']) ?? '',
      name: text(item['name']) ?? '',
      ...toolInput(text(item['arguments']) ?? ''),
    };
  }
  if (item['type'] === 'reasoning') return { type: 'thinking', text: thinkingText(item), wire: WIRE, raw: item };
  return { type: 'opaque', wire: WIRE, raw: item };
};

const TERMINAL = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed']);
const TEXT_DELTAS = new Set<unknown>(['response.output_text.delta', 'response.refusal.delta']);
const THINKING_DELTAS = new Set<unknown>(['response.reasoning_summary_text.delta', 'response.reasoning_text.delta']);

export const readResponsesStream = (): StreamReader => {
  const blocks = new BlockList();
  /** `output_index` of an item that is no message, or `output_index:content_index` of a part → our index. */
  const indexes = new Map<string, number>();
  /** `output_index` of a message → what goes with every string of it. */
  const messages = new Map<number, { readonly phase?: string }>();
  /** The last part of a summary that grew: a new one starts a new paragraph. */
  const paragraphs = new Map<number, number>();
  let facts: Pick<ReadResult, 'responseId' | 'model' | 'diagnosis'> = {};
  let usage: Usage | undefined;
  let stopReason: StopReason | undefined;
  let error: ReadResult['error'];
  let fault: string | undefined;
  let refuses = false;

  const complain = (message: string): CallEvent[] => {
    fault ??= message;
    return [];
  };

  const startItem = (output: number, item: JsonObject): CallEvent[] => {
    if (item['type'] === 'message') {
      const phase = text(item['phase']) ?? messages.get(output)?.phase;
      messages.set(output, phase === undefined ? {} : { phase });
      return [];
    }
    const key = String(output);
    if (indexes.has(key)) return [];
    indexes.set(key, blocks.length);
    const block = blockOf(item);
    return [
      blocks.start(block.type === 'tool_use' ? { type: 'tool_use', id: block.id, name: block.name, input: {} } : block),
    ];
  };

  const startPart = (output: number, part: number): { at: number; events: CallEvent[] } => {
    const key = `${output}:${part}`;
    const known = indexes.get(key);
    if (known !== undefined) return { at: known, events: [] };
    const at = blocks.length;
    indexes.set(key, at);
    return { at, events: [blocks.start({ type: 'text', text: '', ...messages.get(output) })] };
  };

  const growPart = (event: JsonObject, output: number): CallEvent[] => {
    if (event['type'] === 'response.refusal.delta') refuses = true;
    const { at, events } = startPart(output, number(event['content_index']) ?? 0);
    return [...events, ...blocks.grow(at, 'text', text(event['delta']) ?? '')];
  };

  const growItem = (event: JsonObject, output: number, kind: 'thinking' | 'tool_input'): CallEvent[] => {
    const at = indexes.get(String(output));
    if (at === undefined) return complain('a delta belongs to no item that is open');
    const paragraph = number(event['summary_index']) ?? 0;
    const isNew = kind === 'thinking' && (paragraphs.get(output) ?? paragraph) !== paragraph;
    paragraphs.set(output, paragraph);
    return blocks.grow(at, kind, (isNew ? '\n\n' : '') + (text(event['delta']) ?? ''));
  };

  const partOf = (raw: Json, message: { readonly phase?: string } = {}): Block => {
    const body = object(raw);
    if (body['type'] === 'refusal') refuses = true;
    const whole = text(body['text']) ?? text(body['refusal']);
    if (whole !== undefined) return { type: 'text', text: whole, ...message };
    return { type: 'opaque', wire: WIRE, raw: { type: 'message', role: 'assistant', ...message, content: [raw] } };
  };

  const stopMessage = (output: number, item: JsonObject): CallEvent[] => {
    const all: CallEvent[] = [];
    for (const [part, raw] of list(item['content']).entries()) {
      const { at, events } = startPart(output, part);
      all.push(...events, ...blocks.stop(at, partOf(raw, messages.get(output))));
    }
    return all;
  };

  const stopItem = (output: number, item: JsonObject): CallEvent[] => {
    const started = startItem(output, item);
    if (messages.has(output)) return stopMessage(output, item);
    const at = indexes.get(String(output));
    return at === undefined ? started : [...started, ...blocks.stop(at, blockOf(item))];
  };

  const learn = (response: JsonObject): void => {
    const responseId = text(response['id']);
    const model = text(response['model']);
    const diagnosis = response['prompt_cache_diagnostics'];
    facts = {
      ...facts,
      ...(responseId !== undefined && { responseId }),
      ...(model !== undefined && { model }),
      ...(isObject(diagnosis) && { diagnosis: responsesDiagnosis(diagnosis) }),
    };
  };

  const stopOf = (type: unknown, response: JsonObject): StopReason => {
    if (type === 'response.incomplete') {
      const reason = object(response['incomplete_details'])['reason'];
      return reason === 'max_output_tokens' ? 'max_tokens' : reason === 'content_filter' ? 'refusal' : 'other';
    }
    if (blocks.blocks().some((block) => block.type === 'tool_use')) return 'tool_use';
    return refuses ? 'refusal' : 'end_turn';
  };

  const finishResponse = (type: unknown, response: JsonObject): CallEvent[] => {
    learn(response);
    usage = usageFromWire(WIRE, response['usage']) ?? usage;
    if (type === 'response.failed') error = errorOf(response['error']);
    else stopReason = stopOf(type, response);
    return usage ? [{ type: 'usage', usage }] : [];
  };

  const push = (given: unknown): readonly CallEvent[] => {
    const event = isObject(given) ? given : undefined;
    if (!event) return complain('an event isn’t an object');
    const { type } = event;
    const response = object(event['response']);
    if (TERMINAL.has(type)) return finishResponse(type, response);
    if (type === 'response.created' || type === 'response.in_progress') {
      learn(response);
      return [];
    }
    if (type === 'error') {
      error = errorOf(event['error'] ?? event);
      return [];
    }
    const output = number(event['output_index']);
    if (output === undefined) return [];
    const item = object(event['item']);
    if (type === 'response.output_item.added') return startItem(output, item);
    if (type === 'response.output_item.done') return stopItem(output, item);
    if (TEXT_DELTAS.has(type)) return growPart(event, output);
    if (THINKING_DELTAS.has(type)) return growItem(event, output, 'thinking');
    if (type === 'response.function_call_arguments.delta') return growItem(event, output, 'tool_input');
    return [];
  };

  return {
    push,
    finish: () => {
      const isComplete = error === undefined && stopReason !== undefined;
      return readResult({ ...facts, content: blocks.blocks(), isComplete }, { usage, stopReason, error, fault });
    },
  };
};

/** A whole response, told as the events that it would have been. */
export const responsesEvents = (response: JsonObject): readonly Json[] => {
  const status = response['status'];
  const end = status === 'incomplete' || status === 'failed' ? status : 'completed';
  return [
    ...list(response['output']).map((item, output_index): Json => ({
      type: 'response.output_item.done',
      output_index,
      item,
    })),
    { type: `response.${end}`, response },
  ];
};
