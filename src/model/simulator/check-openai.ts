/** What the OpenAI wires refuse before they look at their cache. Their words, as far as they are known. */
import type { ModelFacts } from '../provider/model-book.ts';
import type { Json, Wire } from '../provider/types.ts';
import { signThinking } from './ids.ts';
import { contentText, fieldsOf, isFields, listOf, textOf, type JsonFields } from './json-read.ts';
import { invalid, unknownModel, type SimError } from './sim-error.ts';

const CHAT_ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const INPUT_ROLES = ['assistant', 'system', 'developer', 'user'];
const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;

/** As the SDK has them, those of a count included. */
const RESPONSES_FIELDS = new Set(
  (
    'access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls metadata model ' +
    'moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention ' +
    'reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs ' +
    'top_p truncation user personality'
  ).split(' '),
);
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const LEAST_OUTPUT = 16;

const missing = (param: string): SimError =>
  invalid(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });

const wrongValue = (value: Json | undefined, allowed: readonly string[], param: string): SimError =>
  invalid(`Invalid value: '${textOf(value)}'. Supported values are: ${allowed.map((one) => `'${one}'`).join(', ')}.`, {
    param,
    code: 'invalid_value',
  });

const kindOf = (value: Json): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'number' && Number.isInteger(value) ? 'an integer' : `a ${typeof value}`;
};

const wrongType = (param: string, value: Json, wanted: string): SimError =>
  invalid(`Invalid type for '${param}': expected ${wanted}, but got ${kindOf(value)} instead.`, {
    param,
    code: 'invalid_type',
  });

const checkChoice = (body: JsonFields): SimError | undefined => {
  const choice = body['tool_choice'];
  const needsTools = choice === 'required' || isFields(choice);
  return needsTools && listOf(body['tools']).length === 0
    ? invalid("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", {
        param: 'tool_choice',
      })
    : undefined;
};

/** `param` is where the wire has the effort. */
const checkEffort = (effort: Json | undefined, param: string): SimError | undefined =>
  effort === undefined || effort === null || EFFORTS.includes(textOf(effort))
    ? undefined
    : wrongValue(effort, EFFORTS, param);

const checkOutput = (body: JsonFields): SimError | undefined => {
  const most = body['max_output_tokens'];
  if (most === undefined || most === null) return undefined;
  if (typeof most !== 'number' || !Number.isInteger(most)) return wrongType('max_output_tokens', most, 'an integer');
  return most < LEAST_OUTPUT
    ? invalid(
        `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${LEAST_OUTPUT}, but got ${most} instead.`,
        { param: 'max_output_tokens', code: 'integer_below_min_value' },
      )
    : undefined;
};

const checkTools = (body: JsonFields): SimError | undefined => {
  for (const [index, item] of listOf(body['tools']).entries()) {
    const tool = fieldsOf(item);
    if (tool['type'] !== 'function') continue;
    const isNested = isFields(tool['function']);
    const inner = fieldsOf(tool['function'] ?? tool);
    const at = isNested ? `tools[${index}].function` : `tools[${index}]`;
    if (typeof inner['name'] !== 'string') return missing(`${at}.name`);
    const name = inner['name'];
    if (!TOOL_NAME.test(name))
      return invalid(
        `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '${TOOL_NAME.source}'.`,
        {
          param: `${at}.name`,
          code: 'invalid_value',
        },
      );
    const schema = inner['parameters'];
    if (schema === undefined || schema === null) continue;
    const type = fieldsOf(schema)['type'];
    if (type !== 'object')
      return invalid(
        `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${typeof type === 'string' ? type : 'None'}"'.`,
        { param: `${at}.parameters`, code: 'invalid_function_parameters' },
      );
  }
  return undefined;
};

/** Content is a text, or a list of parts that are objects with a type. */
const checkContent = (content: Json | undefined, at: string): SimError | undefined => {
  if (content === undefined || content === null || typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return wrongType(at, content, 'one of a string or array of objects');
  for (const [index, part] of listOf(content).entries()) {
    if (!isFields(part)) return wrongType(`${at}[${index}]`, part, 'an object');
    if (typeof part['type'] !== 'string') return missing(`${at}[${index}].type`);
  }
  return undefined;
};

const checkModel = (body: JsonFields, facts: ModelFacts, wire: Wire): SimError | undefined => {
  if (typeof body['model'] !== 'string') return invalid('you must provide a model parameter');
  // A router serves Claude on the chat wire.
  const isServed = facts.family === 'openai' || (facts.family === 'anthropic' && wire === 'openai-chat');
  return isServed ? undefined : unknownModel(wire, body['model']);
};

const checkChatPairs = (messages: readonly JsonFields[]): SimError | undefined => {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = textOf(message['tool_call_id']);
      if (!open.includes(id))
        return invalid(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          { param: `messages.[${index}].role` },
        );
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0) break;
    open = listOf(message['tool_calls']).map((one) => textOf(fieldsOf(one)['id']));
  }
  return open.length === 0
    ? undefined
    : invalid(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
          `The following tool_call_ids did not have response messages: ${open.join(', ')}`,
        { param: 'messages' },
      );
};

export const checkChat = (body: JsonFields, facts: ModelFacts): SimError | undefined => {
  const model = checkModel(body, facts, 'openai-chat');
  if (model) return model;
  const list = body['messages'];
  if (!Array.isArray(list)) return missing('messages');
  if (list.length === 0)
    return invalid(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      { param: 'messages', code: 'empty_array' },
    );
  const messages = listOf(list).map(fieldsOf);
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    if (!CHAT_ROLES.includes(textOf(role))) return wrongValue(role, CHAT_ROLES, `messages[${index}].role`);
    const wrong = checkContent(content, `messages[${index}].content`);
    if (wrong) return wrong;
  }
  return (
    checkTools(body) ??
    checkChoice(body) ??
    checkEffort(body['reasoning_effort'], 'reasoning_effort') ??
    checkChatPairs(messages)
  );
};

/** What a reasoning item carries instead of its text. It covers the summary, so that a changed item is found. */
export const sealReasoning = (id: string, summary: string): string => signThinking(`${id}\n${summary}`);

const checkItems = (items: readonly JsonFields[]): SimError | undefined => {
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const [index, item] of items.entries()) {
    const type = item['type'] ?? 'message';
    const id = textOf(item['call_id']);
    if (type === 'message' && !INPUT_ROLES.includes(textOf(item['role'])))
      return wrongValue(item['role'], INPUT_ROLES, `input[${index}].role`);
    const wrong = type === 'message' ? checkContent(item['content'], `input[${index}].content`) : undefined;
    if (wrong) return wrong;
    if (type === 'function_call') called.add(id);
    if (type === 'function_call_output') {
      if (!called.has(id))
        return invalid(`No tool call found for function call output with call_id ${id}.`, { param: 'input' });
      answered.add(id);
    }
    const sealed = item['encrypted_content'];
    if (type === 'reasoning' && typeof sealed === 'string') {
      const itemId = textOf(item['id']);
      if (sealed !== sealReasoning(itemId, contentText(item['summary'])))
        return invalid(`The encrypted content for item ${itemId} could not be verified.`, {
          code: 'invalid_encrypted_content',
        });
    }
  }
  const open = [...called].find((id) => !answered.has(id));
  return open === undefined
    ? undefined
    : invalid(`No tool output found for function call ${open}.`, { param: 'input' });
};

export const checkResponses = (body: JsonFields, facts: ModelFacts): SimError | undefined => {
  const model = checkModel(body, facts, 'openai-responses');
  if (model) return model;
  const previous = body['previous_response_id'];
  if (typeof previous === 'string')
    return invalid(`Previous response with id '${previous}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    });
  const stranger = Object.keys(body).find((key) => !RESPONSES_FIELDS.has(key));
  if (stranger !== undefined)
    return invalid(`Unknown parameter: '${stranger}'.`, { param: stranger, code: 'unknown_parameter' });
  const options =
    checkOutput(body) ??
    checkEffort(fieldsOf(body['reasoning'])['effort'], 'reasoning.effort') ??
    checkTools(body) ??
    checkChoice(body);
  if (options) return options;
  const { input } = body;
  if (typeof input === 'string') return undefined;
  if (input === undefined || input === null) return missing('input');
  if (!Array.isArray(input)) return wrongType('input', input, 'one of a string or array of input items');
  if (input.length === 0)
    return invalid(
      "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      { param: 'input', code: 'empty_array' },
    );
  return checkItems(listOf(input).map(fieldsOf));
};
