/** What the OpenAI wires refuse before they look at their cache. Their words, as far as they are known. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import type { Wire } from '../provider/types.ts';
import { takesNewLimit } from '../provider/wire-parts.ts';
import { checkChatMessage, checkInputMessage, checkOutput, ITEM_TYPES } from './check-openai-content.ts';
import { checkChoice, checkFormat, checkTools, noTools } from './check-openai-tools.ts';
import { STRANGE_TYPE } from './faults.ts';
import { signThinking } from './ids.ts';
import { contentText, fieldsOf, listOf, textOf } from './json-read.ts';
import {
  checkBoolean,
  checkNumber,
  checkWord,
  emptyArray,
  missing,
  unknownParameter,
  wrongType,
  wrongValue,
} from './openai-words.ts';
import { toolLists } from './responses-tools.ts';
import { invalid, unknownModel, type SimError } from './sim-error.ts';

const CHAT_ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const INPUT_ROLES = ['assistant', 'system', 'developer', 'user'];

/** As the SDK has them, those of a count included. */
const RESPONSES_FIELDS = new Set(
  (
    'access_programs background client_metadata context_management conversation image include input instructions max_output_tokens max_tool_calls metadata model ' +
    'moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention ' +
    'reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs ' +
    'top_p truncation user personality'
  ).split(' '),
);
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const LEAST_OUTPUT = 16;
const MOST_CHOICES = 128;

/** The levels that the generations before 5.6 do not have, newest first. */
const LACKING: readonly (readonly [models: RegExp, levels: readonly string[]])[] = [
  [/^gpt-5\.[2-5]\b/, ['minimal', 'max']],
  [/^gpt-5\.1-codex-max\b/, ['minimal', 'max']],
  [/^gpt-5\.1\b/, ['minimal', 'xhigh', 'max']],
  [/^gpt-5\b/, ['none', 'xhigh', 'max']],
  [/^o\d/, ['none', 'minimal', 'xhigh', 'max']],
];

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null;

/** The generations before reasoning. */
const WITHOUT_REASONING = /^(?:gpt-3|gpt-4|chatgpt-)/;

/** `param` is where the wire has the effort. */
const checkEffort = (effort: Json | undefined, param: string, { id }: ModelFacts): SimError | undefined => {
  if (isGiven(effort) && WITHOUT_REASONING.test(id))
    return invalid(`Unsupported parameter: '${param}' is not supported with this model.`, {
      param,
      code: 'unsupported_parameter',
    });
  const lacking = LACKING.find(([models]) => models.test(id))?.[1] ?? [];
  if (!lacking.includes(textOf(effort))) return checkWord(effort, EFFORTS, param);
  const known = EFFORTS.filter((level) => !lacking.includes(level)).map((level) => `'${level}'`);
  return invalid(
    `Unsupported value: '${textOf(effort)}' is not supported with the '${id}' model. Supported values are: ${known.join(', ')}.`,
    { param, code: 'unsupported_value' },
  );
};

const CHAT_FIELDS = new Set(
  (
    'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens ' +
    'metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop ' +
    'store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'
  ).split(' '),
);
const SERVICE_TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];
const VERBOSITIES = ['low', 'medium', 'high'];
const SUMMARIES = ['auto', 'concise', 'detailed'];
const INCLUDABLE = (
  'file_search_call.results web_search_call.results web_search_call.action.sources message.input_image.image_url ' +
  'computer_call_output.output.image_url code_interpreter_call.outputs reasoning.encrypted_content message.output_text.logprobs'
).split(' ');
const checkInclude = ({ include }: JsonObject): SimError | undefined => {
  const wrong = listOf(include).findIndex((one) => !INCLUDABLE.includes(textOf(one)));
  return wrong === -1 ? undefined : wrongValue(listOf(include)[wrong], INCLUDABLE, `include[${wrong}]`);
};

/** Prompts are made and kept on the provider's site. */
const checkPrompt = ({ prompt }: JsonObject): SimError | undefined =>
  isObject(prompt)
    ? { ...invalid(`Prompt with id '${textOf(prompt['id'])}' not found.`, { param: 'prompt' }), status: 404 }
    : undefined;

const checkMetadata = ({ metadata }: JsonObject): SimError | undefined => {
  const wrong = Object.entries(fieldsOf(metadata)).find(([, value]) => typeof value !== 'string');
  return wrong && wrongType(`metadata.${wrong[0]}`, wrong[1], 'a string');
};

/** What both wires have under the same names. */
const checkShared = (body: JsonObject): SimError | undefined =>
  checkBoolean(body['stream'], 'stream') ??
  checkBoolean(body['store'], 'store') ??
  checkNumber(body['temperature'], 'temperature', 'decimal', 0, 2) ??
  checkNumber(body['top_p'], 'top_p', 'decimal', 0, 1) ??
  checkWord(body['service_tier'], SERVICE_TIERS, 'service_tier') ??
  checkMetadata(body);

/** A model that may say any JSON has to be told to in words. */
const speaksOfJson = (value: Json | undefined): boolean => /json/i.test(JSON.stringify(value ?? ''));

const checkModel = (body: JsonObject, facts: ModelFacts, wire: Wire): SimError | undefined => {
  if (typeof body['model'] !== 'string') return invalid('you must provide a model parameter');
  // A router serves Claude on the chat wire.
  const isServed = facts.family === 'openai' || (facts.family === 'anthropic' && wire === 'openai-chat');
  return isServed ? undefined : unknownModel(wire, body['model']);
};

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

/** The first generations that reason take no sampling; later ones do where they do not reason. */
const WITHOUT_SAMPLING = /^(?:gpt-5(?![.\d])(?!.*chat)|o\d)/;

const checkSampling = (body: JsonObject, { id }: ModelFacts, isChat: boolean): SimError | undefined => {
  if (!WITHOUT_SAMPLING.test(id)) return undefined;
  const param = ['temperature', 'top_p'].find((name) => typeof body[name] === 'number' && body[name] !== 1);
  if (param === undefined) return undefined;
  return isChat
    ? invalid(
        `Unsupported value: '${param}' does not support ${JSON.stringify(body[param])} with this model. Only the default (1) value is supported.`,
        { param, code: 'unsupported_value' },
      )
    : invalid(`Unsupported parameter: '${param}' is not supported with this model.`, { param });
};

/** What OpenAI refuses; routers take more, and pass it on or drop it. */
const checkOwnChat = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const stranger = Object.keys(body).find((key) => !CHAT_FIELDS.has(key));
  if (stranger !== undefined) return invalid(`Unrecognized request argument supplied: ${stranger}`);
  if (isGiven(body['max_tokens']) && takesNewLimit(facts.id))
    return invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    );
  if (isObject(body['stream_options']) && body['stream'] !== true)
    return invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: 'stream_options',
    });
  const format = fieldsOf(body['response_format']);
  if (format['type'] === 'json_object' && !speaksOfJson(body['messages']))
    return invalid(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: 'messages' },
    );
  return (
    noTools(body) ??
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
    const wrong = checkChatMessage(message, index);
    if (wrong) return wrong;
  }
  return (
    (facts.family === 'openai' ? checkOwnChat(body, facts) : undefined) ??
    checkShared(body) ??
    checkTools(listOf(body['tools'])) ??
    checkChoice(body, listOf(body['tools'])) ??
    checkEffort(body['reasoning_effort'], 'reasoning_effort', facts) ??
    checkChatPairs(messages)
  );
};

/** What a reasoning item carries instead of its text. It covers the summary, so that a changed item is found. */
export const sealReasoning = (id: string, summary: string): string => signThinking(`${id}\n${summary}`);

/** What the client runs, and what it then says. */
const CALL_ITEMS: ReadonlyMap<string, { readonly words: string; readonly isOutput: boolean }> = new Map([
  ['function_call', { words: 'function call', isOutput: false }],
  ['function_call_output', { words: 'function call', isOutput: true }],
  ['custom_tool_call', { words: 'custom tool call', isOutput: false }],
  ['custom_tool_call_output', { words: 'custom tool call', isOutput: true }],
]);

const checkItems = (items: readonly JsonObject[]): SimError | undefined => {
  const called = new Map<string, string>();
  const answered = new Set<string>();
  for (const [index, item] of items.entries()) {
    const type = item['type'] ?? 'message';
    const id = textOf(item['call_id']);
    if (type === 'message' && !INPUT_ROLES.includes(textOf(item['role'])))
      return wrongValue(item['role'], INPUT_ROLES, `input[${index}].role`);
    const wrong = type === 'message' ? checkInputMessage(item, `input[${index}]`) : undefined;
    if (wrong) return wrong;
    if (!ITEM_TYPES.includes(textOf(type)) && type !== STRANGE_TYPE)
      return wrongValue(type, ITEM_TYPES, `input[${index}].type`);
    const kind = CALL_ITEMS.get(textOf(type));
    if (kind && id === '') return missing(`input[${index}].call_id`);
    if (kind?.isOutput === false) called.set(id, kind.words);
    if (kind?.isOutput === true) {
      if (called.get(id) !== kind.words)
        return invalid(`No tool call found for ${kind.words} output with call_id ${id}.`, { param: 'input' });
      answered.add(id);
      const odd = checkOutput(item, `input[${index}]`);
      if (odd) return odd;
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
  const open = [...called].find(([id]) => !answered.has(id));
  return open && invalid(`No tool output found for ${open[1]} ${open[0]}.`, { param: 'input' });
};

/** Tools may be in the list of the request, and in items of its input. */
const checkOffered = (body: JsonObject): SimError | undefined => {
  const lists = toolLists(body);
  for (const { at, tools } of lists) {
    const wrong = checkTools(tools, at);
    if (wrong) return wrong;
  }
  return checkChoice(
    body,
    lists.flatMap(({ tools }) => tools),
  );
};

/** Asked before the earlier response is looked up. */
export const checkHistory = (body: JsonObject): SimError | undefined =>
  isGiven(body['conversation']) && isGiven(body['previous_response_id'])
    ? invalid(
        "Mutually exclusive parameters. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
        { code: 'mutually_exclusive_parameters' },
      )
    : undefined;

export const checkResponses = (body: JsonObject, facts: ModelFacts): SimError | undefined => {
  const model = checkModel(body, facts, 'openai-responses');
  if (model) return model;
  const stranger = Object.keys(body).find((key) => !RESPONSES_FIELDS.has(key));
  if (stranger !== undefined) return unknownParameter(stranger);
  const text = fieldsOf(body['text']);
  const format = fieldsOf(text['format']);
  const options =
    checkNumber(body['max_output_tokens'], 'max_output_tokens', 'integer', LEAST_OUTPUT) ??
    checkEffort(fieldsOf(body['reasoning'])['effort'], 'reasoning.effort', facts) ??
    checkWord(fieldsOf(body['reasoning'])['summary'], SUMMARIES, 'reasoning.summary') ??
    checkWord(body['truncation'], ['auto', 'disabled'], 'truncation') ??
    checkInclude(body) ??
    checkPrompt(body) ??
    checkSampling(body, facts, false) ??
    checkWord(text['verbosity'], VERBOSITIES, 'text.verbosity') ??
    checkFormat(format, 'text.format', 'text.format', format) ??
    checkShared(body) ??
    checkOffered(body);
  if (options) return options;
  const { input } = body;
  if (format['type'] === 'json_object' && !speaksOfJson([input ?? '', body['instructions'] ?? '']))
    return invalid(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      { param: 'input' },
    );
  if (typeof input === 'string') return undefined;
  if (input === undefined || input === null) return missing('input');
  if (!Array.isArray(input)) return wrongType('input', input, 'one of a string or array of input items');
  if (input.length === 0) return emptyArray('input');
  return checkItems(listOf(input).map(fieldsOf));
};
