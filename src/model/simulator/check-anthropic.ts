/** What the Messages API refuses before it looks at its cache. Its words, as far as they are known. */
import type { ModelFacts } from '../provider/model-book.ts';
import type { Json } from '../provider/types.ts';
import { fieldsOf, isFields, listOf, textOf, type JsonFields } from './json-read.ts';
import { signThinking } from './ids.ts';
import { invalid, unknownModel, type SimError } from './sim-error.ts';

const FIELDS = new Set(
  (
    'model max_tokens messages system tools tool_choice stream stop_sequences thinking metadata service_tier ' +
    'cache_control diagnostics output_config container inference_geo speed context_management mcp_servers betas ' +
    // Refused by the API version, and named there.
    'temperature top_p top_k'
  ).split(' '),
);
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const LEAST_THINKING = 1024;

const isWhole = (value: Json | undefined): value is number => typeof value === 'number' && Number.isInteger(value);

const checkLimits = (body: JsonFields, facts: ModelFacts): SimError | undefined => {
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

const checkTools = (body: JsonFields): SimError | undefined => {
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
    if (!isFields(schema)) return invalid(`${at}.input_schema: Input should be an object`);
    if (schema['type'] === undefined) return invalid(`${at}.input_schema.type: Field required`);
    if (schema['type'] !== 'object') return invalid(`${at}.input_schema.type: Input should be 'object'`);
    if (schema['properties'] !== undefined && !isFields(schema['properties']))
      return invalid(`${at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.`);
    if (names.has(name)) return invalid('tools: Tool names must be unique.');
    names.add(name);
  }
  const choice = fieldsOf(body['tool_choice']);
  if (choice['type'] === undefined) return undefined;
  if (names.size === 0) return invalid('tool_choice: tool_choice may only be specified while providing tools.');
  if (choice['type'] === 'tool' && !names.has(textOf(choice['name'])))
    return invalid(`tool_choice: Tool '${textOf(choice['name'])}' not found in provided tools`);
  return undefined;
};

const idsOf = (content: readonly Json[], type: string, key: string): readonly string[] =>
  content
    .map(fieldsOf)
    .filter((block) => block['type'] === type)
    .map((block) => textOf(block[key]));

const checkThinking = (content: readonly Json[], at: string): SimError | undefined => {
  for (const [index, item] of content.entries()) {
    const block = fieldsOf(item);
    if (block['type'] !== 'thinking') continue;
    if (typeof block['signature'] !== 'string')
      return invalid(`${at}.content.${index}.thinking.signature: Field required`);
    if (block['signature'] !== signThinking(textOf(block['thinking'])))
      return invalid(`${at}.content.${index}: Invalid \`signature\` in \`thinking\` block`);
  }
  return undefined;
};

const checkContent = (message: JsonFields, index: number): SimError | undefined => {
  const content = message['content'];
  const role = textOf(message['role']);
  if (content === undefined) return invalid(`messages.${index}.content: Field required`);
  if (content === '' || (Array.isArray(content) && content.length === 0))
    return role === 'assistant'
      ? undefined
      : invalid(`messages.${index}: ${role} messages must have non-empty content`);
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return invalid(`messages.${index}.content: Input should be a valid array`);
  for (const [at, item] of listOf(content).entries()) {
    const block = fieldsOf(item);
    const where = `messages.${index}.content.${at}`;
    if (typeof block['type'] !== 'string') return invalid(`${where}: Input should have a \`type\``);
    if (block['type'] === 'text' && typeof block['text'] !== 'string') return invalid(`${where}.text: Field required`);
    if (block['type'] === 'text' && block['text'] === '')
      return invalid('messages: text content blocks must be non-empty');
    if (block['type'] === 'tool_use' && role !== 'assistant')
      return invalid(`${where}: \`tool_use\` blocks can only be in \`assistant\` messages`);
    if (block['type'] === 'tool_use' && !isFields(block['input']))
      return invalid(`${where}.tool_use.input: Input should be an object`);
    if (block['type'] === 'tool_result' && role !== 'user')
      return invalid(`${where}: \`tool_result\` blocks can only be in \`user\` messages`);
  }
  return role === 'assistant' ? checkThinking(listOf(content), `messages.${index}`) : undefined;
};

const checkPairs = (all: readonly JsonFields[]): SimError | undefined => {
  // A system message may stand between a call and its result.
  const turns = all.map((message, index) => ({ message, index })).filter(({ message }) => message['role'] !== 'system');
  for (const [turn, { message, index }] of turns.entries()) {
    const used = idsOf(listOf(message['content']), 'tool_use', 'id');
    if (new Set(used).size < used.length) return invalid(`messages.${index}: \`tool_use\` ids must be unique`);
    const answered = idsOf(listOf(turns[turn + 1]?.message['content']), 'tool_result', 'tool_use_id');
    const open = used.filter((id) => !answered.includes(id));
    if (open.length > 0)
      return invalid(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. ` +
          'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      );
    const before = idsOf(listOf(turns[turn - 1]?.message['content']), 'tool_use', 'id');
    for (const [at, item] of listOf(message['content']).entries()) {
      const block = fieldsOf(item);
      const id = textOf(block['tool_use_id']);
      if (block['type'] === 'tool_result' && !before.includes(id))
        return invalid(
          `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
            'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
        );
    }
  }
  return undefined;
};

/** With a thinking budget a call to tools goes back with the thinking before it. */
const checkLeading = (messages: readonly JsonFields[], body: JsonFields): SimError | undefined => {
  if (fieldsOf(body['thinking'])['type'] !== 'enabled') return undefined;
  const index = messages.findLastIndex((message) => message['role'] === 'assistant');
  const content = listOf(messages[index]?.['content']).map(fieldsOf);
  const [first] = content;
  if (!content.some((block) => block['type'] === 'tool_use') || first === undefined) return undefined;
  if (index < messages.length - 2) return undefined;
  return first['type'] === 'thinking' || first['type'] === 'redacted_thinking'
    ? undefined
    : invalid(
        `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(first['type'])}\`. ` +
          'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
      );
};

const checkMessages = (body: JsonFields): SimError | undefined => {
  const list = body['messages'];
  if (list === undefined) return invalid('messages: Field required');
  if (!Array.isArray(list)) return invalid('messages: Input should be a valid array');
  if (list.length === 0) return invalid('messages: at least one message is required');
  const messages = listOf(list).map(fieldsOf);
  for (const [index, message] of messages.entries()) {
    const role = message['role'];
    if (role === undefined) return invalid(`messages.${index}.role: Field required`);
    if (role !== 'user' && role !== 'assistant' && role !== 'system')
      return invalid(`messages.${index}.role: Input should be 'user', 'assistant' or 'system'`);
    const fault = checkContent(message, index);
    if (fault) return fault;
  }
  if (messages[0]?.['role'] === 'assistant') return invalid('messages: first message must use the "user" role');
  return checkPairs(messages) ?? checkLeading(messages, body);
};

const checkSystem = ({ system }: JsonFields): SimError | undefined => {
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
export const checkAnthropic = (body: JsonFields, facts: ModelFacts, counting: boolean): SimError | undefined => {
  if (body['model'] === undefined) return invalid('model: Field required');
  if (typeof body['model'] !== 'string') return invalid('model: Input should be a valid string');
  if (facts.family !== 'anthropic') return unknownModel('anthropic-messages', body['model']);
  const stranger = Object.keys(body).find((key) => !FIELDS.has(key));
  if (stranger !== undefined) return invalid(`${stranger}: Extra inputs are not permitted`);
  return (
    (counting ? undefined : checkLimits(body, facts)) ?? checkTools(body) ?? checkSystem(body) ?? checkMessages(body)
  );
};
