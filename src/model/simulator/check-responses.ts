/** What the Responses wire refuses before it looks at its cache. Its words, as far as they are known. */
import { type JsonObject, isObject } from '../../base/json.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import { checkInputMessage, checkMade, checkOutput, ITEM_TYPES } from './check-openai-content.ts';
import { checkEffort, checkModel, checkSampling, checkShared, speaksOfJson, VERBOSITIES } from './check-openai.ts';
import { checkChoice, checkFormat, checkTools } from './check-openai-tools.ts';
import { STRANGE_TYPE } from './faults.ts';
import { signThinking } from './ids.ts';
import { contentText, fieldsOf, listOf, textOf } from './json-read.ts';
import {
  checkBoolean,
  checkKeys,
  checkNumber,
  checkWord,
  emptyArray,
  isSet,
  missing,
  unknownParameter,
  wrongType,
  wrongValue,
} from './openai-words.ts';
import { toolLists } from './responses-tools.ts';
import { invalid, type SimError } from './sim-error.ts';

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
const LEAST_OUTPUT = 16;
const REASONING_FIELDS = ['context', 'effort', 'generate_summary', 'mode', 'summary'];
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
    const made = checkMade(item, textOf(type), `input[${index}]`);
    if (made) return made;
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
    const wrong = checkTools(tools, at, 'responses');
    if (wrong) return wrong;
  }
  return checkChoice(
    body,
    lists.flatMap(({ tools }) => tools),
    'responses',
  );
};

/** Asked before the earlier response is looked up. */
export const checkHistory = (body: JsonObject): SimError | undefined =>
  isSet(body['conversation']) && isSet(body['previous_response_id'])
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
  const { instructions } = body;
  if (isSet(instructions) && typeof instructions !== 'string')
    return wrongType('instructions', instructions, 'a string');
  const options =
    checkKeys(body['reasoning'], 'reasoning', REASONING_FIELDS) ??
    checkKeys(body['text'], 'text', ['format', 'verbosity']) ??
    checkKeys(body['stream_options'], 'stream_options', ['include_obfuscation']) ??
    checkBoolean(body['background'], 'background') ??
    checkNumber(body['max_tool_calls'], 'max_tool_calls', 'integer', 1) ??
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
  if (body['background'] === true && body['store'] === false)
    return invalid("Background mode requires 'store' to be true.", { param: 'background' });
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
