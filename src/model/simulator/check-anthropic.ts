/** What the Messages API refuses before it looks at its cache. Its words, as far as they are known. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import { checkMessages, oneOf, wrongTag } from './check-anthropic-content.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import { invalid, unknownModel, type SimError } from './sim-error.ts';

const FIELDS = new Set(
  (
    'model max_tokens messages system tools tool_choice stream stop_sequences thinking metadata service_tier ' +
    'cache_control diagnostics output_config container inference_geo speed context_management mcp_servers betas compaction ' +
    'fallbacks fallback_credit_token user_profile_id ' +
    // Refused by the API version, and named there.
    'temperature top_p top_k'
  ).split(' '),
);
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const LEAST_THINKING = 1024;
const CHOICES = ['auto', 'any', 'tool', 'none'];
const THINKING = ['enabled', 'disabled', 'between_tools', 'adaptive'];
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  service_tier: ['auto', 'standard_only'],
  speed: ['standard', 'fast'],
};
/** A count has no answer, so it takes nothing that is about one. */
const ANSWER_FIELDS = new Set(['max_tokens', 'stream', 'stop_sequences', 'metadata', 'temperature', 'top_p', 'top_k']);

/** The SDK knows this one, and goes on without a thread if it is told to. */
const UNTHREADED: SimError = {
  ...invalid('thread: the simulator keeps no conversations.'),
  details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
};

const isWhole = (value: Json | undefined): value is number => typeof value === 'number' && Number.isInteger(value);

const checkLimits = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
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
  return most > 0 && budget >= most
    ? invalid('`max_tokens` must be greater than `thinking.budget_tokens`.')
    : undefined;
};

const checkTools = (body: JsonObject): SimError | undefined => {
  if (body['tools'] !== undefined && !Array.isArray(body['tools']))
    return invalid('tools: Input should be a valid array');
  const names = new Set<string>();
  for (const [index, item] of listOf(body['tools']).entries()) {
    const tool = fieldsOf(item);
    const name = textOf(tool['name']);
    // A tool with another type is the provider's own.
    if (tool['type'] !== undefined && tool['type'] !== 'custom') {
      names.add(name);
      continue;
    }
    const at = `tools.${index}.custom`;
    if (tool['name'] === undefined) return invalid(`${at}.name: Field required`);
    if (!TOOL_NAME.test(name)) return invalid(`${at}.name: String should match pattern '${TOOL_NAME.source}'`);
    const schema = tool['input_schema'];
    if (schema === undefined) return invalid(`${at}.input_schema: Field required`);
    if (!isObject(schema)) return invalid(`${at}.input_schema: Input should be an object`);
    if (schema['type'] === undefined) return invalid(`${at}.input_schema.type: Field required`);
    if (schema['type'] !== 'object') return invalid(`${at}.input_schema.type: Input should be 'object'`);
    if (schema['properties'] !== undefined && !isObject(schema['properties']))
      return invalid(`${at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.`);
    if (names.has(name)) return invalid('tools: Tool names must be unique.');
    names.add(name);
  }
  const choice = fieldsOf(body['tool_choice']);
  const type = choice['type'];
  if (type === undefined) return undefined;
  if (!CHOICES.includes(textOf(type))) return wrongTag('tool_choice', type, CHOICES);
  if (names.size === 0) return invalid('tool_choice: tool_choice may only be specified while providing tools.');
  if (type === 'tool' && !names.has(textOf(choice['name'])))
    return invalid(`tool_choice: Tool '${textOf(choice['name'])}' not found in provided tools`);
  // An adaptive model thinks not at all when it has to call.
  const isThinking = fieldsOf(body['thinking'])['type'] === 'enabled';
  return isThinking && (type === 'any' || type === 'tool')
    ? invalid('Thinking may not be enabled when tool_choice forces tool use.')
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

const checkChoices = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const thinking = body['thinking'];
  if (isObject(thinking) && !THINKING.includes(textOf(thinking['type'])))
    return wrongTag('thinking', thinking['type'], THINKING);
  const { effort, format } = fieldsOf(body['output_config']);
  const form = fieldsOf(format);
  if (isObject(format) && form['type'] !== 'json_schema')
    return invalid("output_config.format.type: Input should be 'json_schema'");
  if (isObject(format) && !isObject(form['schema'])) return invalid('output_config.format.schema: Field required');
  const wrongEffort = checkEffort(effort, facts);
  if (wrongEffort) return wrongEffort;
  for (const [name, allowed] of Object.entries(WORDS)) {
    const word = body[name];
    if (word !== undefined && word !== null && !allowed.includes(textOf(word)))
      return invalid(`${name}: Input should be ${oneOf(allowed)}`);
  }
  return undefined;
};

/** What has one type, wherever it is given. */
const checkTypes = (body: JsonObject): SimError | undefined => {
  const { stream } = body;
  if (stream !== undefined && typeof stream !== 'boolean') return invalid('stream: Input should be a valid boolean');
  const texts = [
    ['metadata.user_id', fieldsOf(body['metadata'])['user_id']],
    ['diagnostics.previous_message_id', fieldsOf(body['diagnostics'])['previous_message_id']],
  ] as const;
  const wrong = texts.find(([, value]) => value !== undefined && value !== null && typeof value !== 'string');
  return wrong && invalid(`${wrong[0]}: Input should be a valid string`);
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

/** Older versions of the API take them, within their bounds. */
const checkSampling = (body: JsonObject): SimError | undefined => {
  for (const name of ['temperature', 'top_p']) {
    const value = body[name];
    if (typeof value !== 'number') continue;
    if (value > 1) return invalid(`${name}: Input should be less than or equal to 1`);
    if (value < 0) return invalid(`${name}: Input should be greater than or equal to 0`);
  }
  return undefined;
};

const checkSystem = ({ system }: JsonObject): SimError | undefined => {
  if (system === undefined || typeof system === 'string') return undefined;
  if (!Array.isArray(system)) return invalid('system: Input should be a valid array');
  for (const [index, item] of listOf(system).entries()) {
    const block = fieldsOf(item);
    if (block['type'] !== 'text') return invalid(`system.${index}.type: Input should be 'text'`);
    if (typeof block['text'] !== 'string') return invalid(`system.${index}.text: Field required`);
  }
  return undefined;
};

/** The first thing that is wrong. `counting`: for `/count_tokens`, which needs no `max_tokens`. */
export const checkAnthropic = (body: JsonObject, facts: ModelFacts, counting: boolean): SimError | undefined => {
  if (body['model'] === undefined) return invalid('model: Field required');
  if (typeof body['model'] !== 'string') return invalid('model: Input should be a valid string');
  if (facts.family !== 'anthropic') return unknownModel('anthropic-messages', body['model']);
  if (body['thread'] !== undefined) return UNTHREADED;
  const stranger = Object.keys(body).find((key) => !FIELDS.has(key) || (counting && ANSWER_FIELDS.has(key)));
  if (stranger !== undefined) return invalid(`${stranger}: Extra inputs are not permitted`);
  return (
    (counting ? undefined : checkLimits(body, facts)) ??
    checkTypes(body) ??
    checkChoices(body, facts) ??
    checkStops(body) ??
    checkSampling(body) ??
    checkTools(body) ??
    checkSystem(body) ??
    checkMessages(body)
  );
};
