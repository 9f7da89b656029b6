/** What the Messages API refuses before it looks at its cache. Its words, as far as they are known. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import { checkMessages, oneOf, TEXT_FIELDS, wrongTag } from './check-anthropic-content.ts';
import { checkTools } from './check-anthropic-tools.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import { invalid, unknownModel, type SimError } from './sim-error.ts';

const FIELDS = new Set(
  (
    'model max_tokens messages system tools tool_choice stream stop_sequences thinking metadata service_tier ' +
    'cache_control diagnostics output_config container inference_geo speed context_management mcp_servers betas compaction ' +
    'fallbacks fallback_credit_token user_profile_id workspace_id billing_policy output_format ' +
    // Refused by the API version, and named there.
    'temperature top_p top_k'
  ).split(' '),
);
const LEAST_THINKING = 1024;
/** Each kind of thinking, and what it takes beside its type. */
const THINKING: Readonly<Record<string, readonly string[]>> = {
  enabled: ['budget_tokens', 'display'],
  disabled: [],
  between_tools: [],
  adaptive: ['display'],
};
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const OUTPUT_FIELDS = new Set(['effort', 'format', 'task_budget']);
const EDITS = ['clear_tool_uses_20250919', 'clear_thinking_20251015', 'compact_20260112'];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  service_tier: ['auto', 'standard_only'],
  speed: ['standard', 'fast'],
};
/** A count has no answer, so it takes nothing that is about one. */
const ANSWER_FIELDS = new Set(['max_tokens', 'stream', 'stop_sequences', 'metadata', 'temperature', 'top_p', 'top_k']);

/** The SDK knows this one, and continues without a thread if it is told to. */
const UNTHREADED: SimError = {
  ...invalid('thread: the simulator keeps no conversations.'),
  details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
};

const isWhole = (value: Json | undefined): value is number => typeof value === 'number' && Number.isInteger(value);

/** What a request is besides its body. */
export interface AskedOf {
  /** `/count_tokens`, which needs no `max_tokens`. */
  readonly counting: boolean;
  readonly betas: readonly string[];
}

/** With it one budget covers all thoughts of a turn, between its calls too. */
const INTERLEAVED = 'interleaved-thinking-2025-05-14';

const checkLimits = (body: JsonObject, facts: ModelFacts, betas: readonly string[]): SimError | undefined => {
  const most = body['max_tokens'];
  if (most === undefined) return invalid('max_tokens: Field required');
  if (!isWhole(most)) return invalid('max_tokens: Input should be a valid integer');
  if (most < 0) return invalid('max_tokens: Input should be greater than or equal to 0');
  if (facts.maxOutputTokens !== undefined && most > facts.maxOutputTokens)
    return invalid(
      `max_tokens: ${most} > ${facts.maxOutputTokens}, which is the maximum allowed number of output tokens for ${facts.id}`,
    );
  const thinking = fieldsOf(body['thinking']);
  if (thinking['type'] !== 'enabled') return undefined;
  const budget = thinking['budget_tokens'];
  if (!isWhole(budget)) return invalid('thinking.enabled.budget_tokens: Field required');
  if (budget < LEAST_THINKING)
    return invalid(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${LEAST_THINKING}`);
  return most > 0 && budget >= most && !betas.includes(INTERLEAVED)
    ? invalid('`max_tokens` must be greater than `thinking.budget_tokens`.')
    : undefined;
};

/** `xhigh` came with Opus 4.7 and `max` with 4.6; a model without a default effort that is known takes none. */
const checkEffort = (effort: Json | undefined, facts: ModelFacts): SimError | undefined => {
  if (effort === undefined || effort === null) return undefined;
  if (!EFFORTS.includes(textOf(effort))) return invalid(`output_config.effort: Input should be ${oneOf(EFFORTS)}`);
  if (facts.thinking === 'budget' && facts.defaultEffort === undefined)
    return invalid('This model does not support the effort parameter.');
  const lacks =
    (effort === 'xhigh' && /^claude-(?:opus-4-[56]|sonnet-4-6)$/.test(facts.id)) ||
    (effort === 'max' && facts.id === 'claude-opus-4-5');
  if (!lacks) return undefined;
  const known = EFFORTS.filter((level) => level !== 'xhigh' && (level !== 'max' || facts.id !== 'claude-opus-4-5'));
  return invalid(
    `This model does not support effort level '${textOf(effort)}'. Supported levels: ${known.join(', ')}.`,
  );
};

/** Answers have the keys of their schema, and no others: that has to be said, at every level. */
const isOpenObject = (value: Json | undefined): boolean => {
  const schema = fieldsOf(value);
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false) return true;
  const parts = [schema['items'], ...Object.values(fieldsOf(schema['properties'])), ...listOf(schema['anyOf'])];
  return parts.some((part) => isObject(part) && isOpenObject(part));
};

/** Answers are drawn along their schema, which knows no sizes. */
const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

const unsupportedIn = (value: Json | undefined): string | undefined => {
  const schema = fieldsOf(value);
  const type = textOf(schema['type']);
  const own = UNSUPPORTED[type]?.filter((name) => schema[name] !== undefined) ?? [];
  if (own.length > 0)
    return `For '${type}' type, propert${own.length > 1 ? 'ies' : 'y'} ${own.join(', ')} not supported`;
  const parts = [schema['items'], ...Object.values(fieldsOf(schema['properties'])), ...listOf(schema['anyOf'])];
  for (const part of parts) {
    const found = isObject(part) ? unsupportedIn(part) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};

/** From these on a model weighs for itself how long it thinks, and how it draws its words. */
const WITHOUT_BUDGET = /^claude-(?:opus-4-[7-9]|[a-z]+-[5-9])/;

/** It came with 3.7. */
const WITHOUT_THINKING = /^claude-3-(?!7)/;

const checkThinking = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const { thinking } = body;
  if (thinking === undefined || thinking === null) return undefined;
  const fields = fieldsOf(thinking);
  const type = textOf(fields['type']);
  const known = THINKING[type];
  if (!known) return wrongTag('thinking', fields['type'], Object.keys(THINKING));
  const stranger = Object.keys(fields).find((key) => key !== 'type' && !known.includes(key));
  if (stranger !== undefined) return invalid(`thinking.${type}.${stranger}: Extra inputs are not permitted`);
  if (type === 'enabled' && WITHOUT_THINKING.test(facts.id)) return invalid(`'${facts.id}' does not support thinking.`);
  if (type === 'adaptive' && facts.thinking === 'budget')
    return invalid('adaptive thinking is not supported on this model');
  return type === 'enabled' && WITHOUT_BUDGET.test(facts.id)
    ? invalid(
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      )
    : undefined;
};

/** Where a request may be answered came with 4.6. */
const WITHOUT_GEO = /^claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8})?$)/;

const checkChoices = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const wrongThinking = checkThinking(body, facts);
  if (wrongThinking) return wrongThinking;
  const geo = body['inference_geo'];
  if (geo !== undefined && geo !== null && WITHOUT_GEO.test(facts.id))
    return invalid('inference_geo is not supported for this model.');
  const output = fieldsOf(body['output_config']);
  const stranger = Object.keys(output).find((key) => !OUTPUT_FIELDS.has(key));
  if (stranger !== undefined) return invalid(`output_config.${stranger}: Extra inputs are not permitted`);
  const { effort } = output;
  // The first beta had the format at the top.
  const format = output['format'] ?? body['output_format'];
  const form = fieldsOf(format);
  if (isObject(format) && form['type'] !== 'json_schema')
    return invalid("output_config.format.type: Input should be 'json_schema'");
  if (isObject(format) && !isObject(form['schema'])) return invalid('output_config.format.schema: Field required');
  if (isOpenObject(form['schema']))
    return invalid(
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    );
  const unsupported = unsupportedIn(form['schema']);
  if (unsupported !== undefined) return invalid(`output_config.format.schema: ${unsupported}`);
  const wrongEffort = checkEffort(effort, facts);
  if (wrongEffort) return wrongEffort;
  for (const [name, allowed] of Object.entries(WORDS)) {
    const word = body[name];
    if (word !== undefined && word !== null && !allowed.includes(textOf(word)))
      return invalid(`${name}: Input should be ${oneOf(allowed)}`);
  }
  return undefined;
};

const LONGEST_USER = 512;

/** What has one type, wherever it is given. */
const checkTypes = (body: JsonObject): SimError | undefined => {
  const { stream } = body;
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    return invalid('stream: Input should be a valid boolean');
  const texts = [
    ['metadata.user_id', fieldsOf(body['metadata'])['user_id']],
    ['diagnostics.previous_message_id', fieldsOf(body['diagnostics'])['previous_message_id']],
  ] as const;
  const wrong = texts.find(([, value]) => value !== undefined && value !== null && typeof value !== 'string');
  if (wrong) return invalid(`${wrong[0]}: Input should be a valid string`);
  const user = textOf(fieldsOf(body['metadata'])['user_id']);
  if (user.length > LONGEST_USER)
    return invalid(`metadata.user_id: String should have at most ${LONGEST_USER} characters`);
  const stranger = Object.keys(fieldsOf(body['metadata'])).find((key) => key !== 'user_id');
  return stranger === undefined ? undefined : invalid(`metadata.${stranger}: Extra inputs are not permitted`);
};

const checkStops = (body: JsonObject): SimError | undefined => {
  const stops = body['stop_sequences'];
  if (stops === undefined || stops === null) return undefined;
  if (!Array.isArray(stops)) return invalid('stop_sequences: Input should be a valid array');
  const strange = stops.findIndex((stop) => typeof stop !== 'string');
  if (strange !== -1) return invalid(`stop_sequences.${strange}: Input should be a valid string`);
  return stops.some((stop) => textOf(stop).trim() === '')
    ? invalid('stop_sequences: each stop sequence must contain non-whitespace')
    : undefined;
};

/** From these on, a model takes one of them only. */
const ONE_SAMPLING = /^claude-(?:opus-4-[1-9]|sonnet-4-[5-9]|haiku-4-[5-9]|[a-z]+-[5-9])/;

/** While it thinks. */
const LEAST_TOP_P = 0.95;

/** Older versions of the API take them, within their bounds. */
const checkSampling = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  for (const name of ['temperature', 'top_p', 'top_k']) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') return invalid(`${name}: Input should be a valid number`);
    if (value > 1 && name !== 'top_k') return invalid(`${name}: Input should be less than or equal to 1`);
    if (value < 0) return invalid(`${name}: Input should be greater than or equal to 0`);
    if (name === 'top_k' && !isWhole(value)) return invalid('top_k: Input should be a valid integer');
  }
  const { temperature, top_p: topP } = body;
  const isThinking = ['enabled', 'adaptive'].includes(textOf(fieldsOf(body['thinking'])['type']));
  if (isThinking && typeof temperature === 'number' && temperature !== 1)
    return invalid('`temperature` may only be set to 1 when thinking is enabled.');
  if (isThinking && typeof body['top_k'] === 'number')
    return invalid('`top_k` must be unset when thinking is enabled.');
  if (isThinking && typeof topP === 'number' && topP < LEAST_TOP_P)
    return invalid('`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.');
  const own = ['temperature', 'top_p', 'top_k'].find((name) => typeof body[name] === 'number' && body[name] !== 1);
  if (own !== undefined && WITHOUT_BUDGET.test(facts.id)) return invalid(`\`${own}\` is deprecated for this model.`);
  return typeof temperature === 'number' && typeof topP === 'number' && ONE_SAMPLING.test(facts.id)
    ? invalid('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
    : undefined;
};

const checkSystem = ({ system }: JsonObject): SimError | undefined => {
  if (system === undefined || typeof system === 'string') return undefined;
  if (!Array.isArray(system)) return invalid('system: Input should be a valid array');
  for (const [index, item] of listOf(system).entries()) {
    const block = fieldsOf(item);
    if (block['type'] !== 'text') return invalid(`system.${index}.type: Input should be 'text'`);
    if (typeof block['text'] !== 'string') return invalid(`system.${index}.text: Field required`);
    if (block['text'] === '') return invalid('system: text content blocks must be non-empty');
    const stranger = Object.keys(block).find((key) => !TEXT_FIELDS.has(key));
    if (stranger !== undefined) return invalid(`system.${index}.${stranger}: Extra inputs are not permitted`);
  }
  return undefined;
};

/** From 4.6 on an answer is not begun for the model. A turn of the provider's own tools may still continue. */
const WITHOUT_PREFILL = /^claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-[5-9])/;

const checkPrefill = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const { role, content } = fieldsOf(listOf(body['messages']).at(-1));
  const { format } = fieldsOf(body['output_config']);
  const isDrawn = isObject(format) || isObject(body['output_format']);
  if (role !== 'assistant' || !(isDrawn || WITHOUT_PREFILL.test(facts.id))) return undefined;
  const blocks = listOf(content).map((block) => textOf(fieldsOf(block)['type']));
  const isPrefill =
    typeof content === 'string' ? content !== '' : blocks.length > 0 && blocks.every((type) => type === 'text');
  if (isPrefill && !WITHOUT_PREFILL.test(facts.id))
    return invalid('output_config.format: assistant message prefill is not supported with structured outputs.');
  return isPrefill
    ? invalid('This model does not support assistant message prefill. The conversation must end with a user message.')
    : undefined;
};

const checkEdits = (body: JsonObject): SimError | undefined => {
  for (const [index, item] of listOf(fieldsOf(body['context_management'])['edits']).entries()) {
    const { type } = fieldsOf(item);
    if (!EDITS.includes(textOf(type))) return wrongTag(`context_management.edits.${index}`, type, EDITS);
  }
  return undefined;
};

/** The first thing that is wrong. */
export const checkAnthropic = (
  body: JsonObject,
  facts: ModelFacts,
  { counting, betas }: AskedOf,
): SimError | undefined => {
  if (body['model'] === undefined) return invalid('model: Field required');
  if (body['model'] === '') return invalid('model: String should have at least 1 character');
  if (typeof body['model'] !== 'string') return invalid('model: Input should be a valid string');
  if (facts.family !== 'anthropic') return unknownModel('anthropic-messages', body['model']);
  if (body['thread'] !== undefined) return UNTHREADED;
  const stranger = Object.keys(body).find((key) => !FIELDS.has(key) || (counting && ANSWER_FIELDS.has(key)));
  if (stranger !== undefined) return invalid(`${stranger}: Extra inputs are not permitted`);
  return (
    (counting ? undefined : checkLimits(body, facts, betas)) ??
    checkTypes(body) ??
    checkChoices(body, facts) ??
    checkStops(body) ??
    checkSampling(body, facts) ??
    checkEdits(body) ??
    checkTools(body) ??
    checkSystem(body) ??
    checkMessages(body) ??
    checkPrefill(body, facts)
  );
};
