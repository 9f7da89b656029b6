/** Responses of the Responses API, whole and streamed: fields and order as its SDK knows them. */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Answer } from './answer.ts';
import { sealReasoning } from './check-responses.ts';
import { fieldsOf, textOf } from './json-read.ts';
import type { Continued } from './response-memory.ts';
import { customInput, offeredTools } from './responses-tools.ts';
import { itemPrefix, serverItem } from './server-tools.ts';
import { streamed, textDeltas, whole, type StreamEvent, type Streamed } from './stream.ts';
import type { FaultKind } from './types.ts';
import { responsesUsage, type SimUsage } from './usage.ts';

export interface ResponsesParts {
  readonly id: string;
  /** The request, of which a response repeats much. */
  readonly body: JsonObject;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly answer: Answer;
  readonly usage: SimUsage;
  readonly diagnostics: Json | undefined;
  /** What was said, as `responsesItems` made it. */
  readonly items: readonly Item[];
  /** The response that this one continues from. */
  readonly from: Continued;
  readonly fault: FaultKind | undefined;
}

type Item = { readonly id: string; readonly type: string; readonly [key: string]: Json };

export const responsesItems = (
  answer: Answer,
  body: JsonObject,
  itemId: (prefix: string) => string,
  fault: FaultKind | undefined,
): readonly Item[] => {
  const offered = offeredTools(body);
  const summaryWanted = typeof fieldsOf(body['reasoning'])['summary'] === 'string';
  const items = answer.blocks.map((block): Item => {
    switch (block.type) {
      case 'thinking': {
        const id = itemId('rs');
        const summary = summaryWanted ? block.text : '';
        return {
          id,
          type: 'reasoning',
          summary: summary === '' ? [] : [{ type: 'summary_text', text: summary }],
          encrypted_content: sealReasoning(id, summary),
          status: 'completed',
        };
      }
      case 'text':
        return {
          id: itemId('msg'),
          type: 'message',
          status: answer.stop === 'max_tokens' ? 'incomplete' : 'completed',
          role: 'assistant',
          content:
            answer.stop === 'refusal'
              ? [{ type: 'refusal', refusal: block.text }]
              : [{ type: 'output_text', annotations: [], logprobs: [], text: block.text }],
        };
      case 'server_tool': {
        const item = serverItem(block.name, block.input);
        return { id: itemId(itemPrefix(item.type)), ...item };
      }
      case 'tool_use': {
        const tool = offered.find(({ spec }) => spec.name === block.name);
        const called = {
          status: 'completed',
          call_id: block.id,
          name: block.name,
          ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
        };
        return tool?.kind === 'custom'
          ? { id: itemId('ctc'), type: 'custom_tool_call', input: customInput(block.input, block.json), ...called }
          : { id: itemId('fc'), type: 'function_call', arguments: block.json, ...called };
      }
    }
  });
  return fault === 'unknown_block' ? [{ id: itemId('holo'), type: 'hologram', shape: 'sphere' }, ...items] : items;
};

const envelope = (parts: ResponsesParts, status: string, output: readonly Item[], isDone: boolean): object => {
  const { id, body, model, created, answer, usage, diagnostics, from } = parts;
  const options = fieldsOf(body['prompt_cache_options']);
  return {
    id,
    object: 'response',
    created_at: created,
    status,
    // A response in the background is done when it is asked for.
    background: body['background'] === true,
    completed_at: isDone ? created : null,
    error: null,
    incomplete_details:
      status === 'incomplete' ? { reason: answer.stop === 'refusal' ? 'content_filter' : 'max_output_tokens' } : null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: null,
    model,
    output,
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: from.previous ?? null,
    ...(from.conversation !== undefined && { conversation: { id: from.conversation } }),
    ...(isDone && diagnostics !== undefined && { prompt_cache_diagnostics: diagnostics }),
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    ...(body['prompt_cache_options'] !== undefined && {
      prompt_cache_options: { mode: options['mode'] ?? 'implicit', ttl: options['ttl'] ?? '30m' },
    }),
    reasoning: body['reasoning'] ?? { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: body['store'] ?? true,
    temperature: 1,
    text: body['text'] ?? { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: isDone ? responsesUsage(usage) : null,
    user: null,
    metadata: body['metadata'] ?? {},
  };
};

const finalStatus = ({ stop }: Answer): string => (stop === 'max_tokens' ? 'incomplete' : 'completed');

/** A response when all of it is there. */
export const wholeResponse = (parts: ResponsesParts): object =>
  envelope(parts, finalStatus(parts.answer), parts.items, true);

export const responsesMessage = (parts: ResponsesParts): Streamed =>
  whole(
    wholeResponse(parts),
    parts.answer.blocks.flatMap((block) => textDeltas('json' in block ? block.json : block.text)).length,
    parts.fault,
  );

interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

type Emit = (type: string, data: object) => void;

const streamMessage = (item: Item, place: Place, emit: Emit): void => {
  const [part] = item['content'] as readonly [JsonObject];
  const isRefusal = part['type'] === 'refusal';
  const text = textOf(isRefusal ? part['refusal'] : part['text']);
  const at = { ...place, content_index: 0 };
  const empty = isRefusal ? { ...part, refusal: '' } : { ...part, text: '' };
  emit('response.content_part.added', { ...at, part: empty });
  for (const delta of textDeltas(text))
    emit(isRefusal ? 'response.refusal.delta' : 'response.output_text.delta', {
      ...at,
      delta,
      ...(!isRefusal && { logprobs: [] }),
    });
  if (isRefusal) emit('response.refusal.done', { ...at, refusal: text });
  else emit('response.output_text.done', { ...at, text, logprobs: [] });
  emit('response.content_part.done', { ...at, part });
};

const streamCustomCall = (item: Item, place: Place, emit: Emit): void => {
  const input = textOf(item['input']);
  for (const delta of textDeltas(input)) emit('response.custom_tool_call_input.delta', { ...place, delta });
  emit('response.custom_tool_call_input.done', { ...place, input });
};

const streamCall = (item: Item, place: Place, emit: Emit): void => {
  const json = textOf(item['arguments']);
  for (const delta of textDeltas(json)) emit('response.function_call_arguments.delta', { ...place, delta });
  emit('response.function_call_arguments.done', { ...place, arguments: json });
};

const streamReasoning = (item: Item, place: Place, emit: Emit): void => {
  const [part] = item['summary'] as readonly JsonObject[];
  if (!part) return;
  const text = textOf(part['text']);
  const at = { ...place, summary_index: 0 };
  emit('response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } });
  for (const delta of textDeltas(text)) emit('response.reasoning_summary_text.delta', { ...at, delta });
  emit('response.reasoning_summary_text.done', { ...at, text });
  emit('response.reasoning_summary_part.done', { ...at, part });
};

const SERVER_STEPS: Readonly<Record<string, string>> = {
  web_search_call: 'searching',
  file_search_call: 'searching',
  code_interpreter_call: 'interpreting',
};

const streamServerCall = (item: Item, place: Place, emit: Emit): void => {
  for (const step of ['in_progress', SERVER_STEPS[item.type], 'completed'])
    emit(`response.${item.type}.${step}`, place);
};

/** As it is announced, before anything of it has come. */
const startOf = (item: Item): Item => {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'reasoning':
      return { ...item, status: 'in_progress', summary: [], encrypted_content: '' };
    case 'web_search_call':
    case 'file_search_call':
    case 'code_interpreter_call':
      return { ...item, status: 'in_progress' };
    default:
      return item;
  }
};

export const responsesStream = (parts: ResponsesParts): Streamed => {
  const { answer, fault, items } = parts;
  const events: StreamEvent[] = [];
  const emit: Emit = (type, data) =>
    void events.push({ event: type, data: { type, sequence_number: events.length, ...data } });
  const started = envelope(parts, 'in_progress', [], false);
  emit('response.created', { response: started });
  emit('response.in_progress', { response: started });
  for (const [index, item] of items.entries()) {
    const place = { item_id: item.id, output_index: index };
    emit('response.output_item.added', { output_index: index, item: startOf(item) });
    if (item.type === 'message') streamMessage(item, place, emit);
    else if (item.type === 'function_call') streamCall(item, place, emit);
    else if (item.type === 'custom_tool_call') streamCustomCall(item, place, emit);
    else if (item.type === 'reasoning') streamReasoning(item, place, emit);
    else if (SERVER_STEPS[item.type]) streamServerCall(item, place, emit);
    emit('response.output_item.done', { output_index: index, item });
  }
  const status = finalStatus(answer);
  emit(`response.${status}`, { response: envelope(parts, status, items, true) });
  return streamed(events, fault, {
    event: 'error',
    data: {
      type: 'error',
      sequence_number: Math.floor(events.length / 2),
      code: 'server_error',
      message: 'The server had an error while processing your request.',
      param: null,
    },
  });
};
