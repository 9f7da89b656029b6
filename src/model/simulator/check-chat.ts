/** What the Chat wire refuses. Its words, as far as they are known. */
import { type JsonObject, isObject } from '../../base/json.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import { takesNewLimit } from '../provider/wire-parts.ts';
import { checkChatMessage } from './check-openai-content.ts';
import { checkEffort, checkModel, checkSampling, checkShared, speaksOfJson, VERBOSITIES } from './check-openai.ts';
import { checkChoice, checkFormat, checkTools, noTools } from './check-openai-tools.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import {
  checkBoolean,
  checkKeys,
  checkLength,
  checkNumber,
  checkWord,
  emptyArray,
  isSet,
  missing,
  tooMany,
  wrongType,
  wrongValue,
} from './openai-words.ts';
import { invalid, type SimError } from './sim-error.ts';

const CHAT_ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const MOST_CHOICES = 128;
const CHAT_FIELDS = new Set(
  (
    'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens ' +
    'metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop ' +
    'store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'
  ).split(' '),
);
const checkChatPairs = (messages: readonly JsonObject[]): SimError | undefined => {
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

/** Lists of this wire have an end. */
const MOST_TOOLS = 128;
const LONGEST_TOOL = 64;
const MOST_STOPS = 4;

const checkOwnTools = (body: JsonObject): SimError | undefined => {
  const tools = listOf(body['tools']);
  const empty = noTools(body);
  if (empty) return empty;
  if (tools.length > MOST_TOOLS) return tooMany('tools', MOST_TOOLS, tools.length);
  const alone = ['tool_choice', 'parallel_tool_calls'].find((name) => isSet(body[name]));
  if (tools.length === 0 && alone !== undefined)
    return invalid(`Invalid value for '${alone}': '${alone}' is only allowed when 'tools' are specified.`, {
      param: alone,
    });
  for (const [index, item] of tools.entries()) {
    const tool = fieldsOf(item);
    if (tool['type'] !== 'function' && tool['type'] !== 'custom') continue;
    const inner = tool[tool['type']];
    if (!isObject(inner)) return missing(`tools[${index}].${tool['type']}`);
    const wrong = checkLength(inner['name'], `tools[${index}].${tool['type']}.name`, LONGEST_TOOL);
    if (wrong) return wrong;
  }
  return undefined;
};

/** How tokens are drawn, and how many. */
const checkWords = (body: JsonObject): SimError | undefined => {
  const stops = listOf(body['stop']);
  if (stops.length > MOST_STOPS) return tooMany('stop', MOST_STOPS, stops.length);
  if (isSet(body['top_logprobs']) && body['logprobs'] !== true)
    return invalid("The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.", {
      param: 'top_logprobs',
    });
  for (const [token, bias] of Object.entries(fieldsOf(body['logit_bias']))) {
    if (!/^\d+$/.test(token))
      return invalid(`Invalid key in 'logit_bias': ${token}. You should only be submitting non-negative integers.`, {
        param: 'logit_bias',
      });
    const wrong = checkNumber(bias, `logit_bias.${token}`, 'decimal', -100, 100);
    if (wrong) return wrong;
  }
  return (
    checkNumber(body['max_tokens'], 'max_tokens', 'integer', 1) ??
    checkNumber(body['max_completion_tokens'], 'max_completion_tokens', 'integer', 1) ??
    checkNumber(body['presence_penalty'], 'presence_penalty', 'decimal', -2, 2) ??
    checkNumber(body['frequency_penalty'], 'frequency_penalty', 'decimal', -2, 2) ??
    checkNumber(body['seed'], 'seed', 'integer', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) ??
    checkBoolean(body['logprobs'], 'logprobs') ??
    checkKeys(body['stream_options'], 'stream_options', ['include_usage', 'include_obfuscation'])
  );
};

/** What OpenAI refuses; routers take more, and pass it on or drop it. */
const checkOwnChat = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const stranger = Object.keys(body).find((key) => !CHAT_FIELDS.has(key));
  if (stranger !== undefined) return invalid(`Unrecognized request argument supplied: ${stranger}`);
  if (isSet(body['max_tokens']) && takesNewLimit(facts.id))
    return invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    );
  if (isSet(body['max_tokens']) && isSet(body['max_completion_tokens']))
    return invalid("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
  if (isSet(body['response_format']) && !isObject(body['response_format']))
    return wrongType('response_format', body['response_format'], 'an object');
  const format = fieldsOf(body['response_format']);
  if (format['type'] === 'json_object' && !speaksOfJson(body['messages']))
    return invalid(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: 'messages' },
    );
  return (
    checkOwnTools(body) ??
    checkWords(body) ??
    checkSampling(body, facts, true) ??
    checkNumber(body['n'], 'n', 'integer', 1, MOST_CHOICES) ??
    checkWord(body['verbosity'], VERBOSITIES, 'verbosity') ??
    checkFormat(format, 'response_format', 'response_format.json_schema', fieldsOf(format['json_schema']))
  );
};

export const checkChat = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const model = checkModel(body, facts, 'openai-chat');
  if (model) return model;
  const list = body['messages'];
  if (!Array.isArray(list)) return missing('messages');
  if (list.length === 0) return emptyArray('messages');
  const messages = listOf(list).map(fieldsOf);
  for (const [index, message] of messages.entries()) {
    const { role } = message;
    if (!CHAT_ROLES.includes(textOf(role))) return wrongValue(role, CHAT_ROLES, `messages[${index}].role`);
    const wrong = checkChatMessage(message, index, facts.family === 'openai');
    if (wrong) return wrong;
  }
  return (
    (facts.family === 'openai' ? checkOwnChat(body, facts) : undefined) ??
    checkShared(body) ??
    checkTools(listOf(body['tools']), 'tools', facts.family === 'openai' ? 'chat' : 'any') ??
    checkChoice(body, listOf(body['tools']), 'chat') ??
    checkEffort(body['reasoning_effort'], 'reasoning_effort', facts) ??
    checkChatPairs(messages)
  );
};
