/** What the OpenAI wires refuse in the parts of a message and in the items of an input. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { STRANGE_TYPE } from './faults.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import {
  checkLength,
  checkPattern,
  checkText,
  checkWord,
  emptyArray,
  isSet,
  missing,
  unknownParameter,
  wrongType,
  wrongValue,
} from './openai-words.ts';
import { invalid, type SimError } from './sim-error.ts';

const CHAT_PARTS = ['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file'];
/** What a tool says has no sound. */
const TOOL_PARTS = CHAT_PARTS.filter((type) => !type.includes('audio'));
const INPUT_PARTS = ['input_text', 'input_image', 'input_file'];
const OUTPUT_PARTS = ['output_text', 'refusal'];

/** Those of the SDK's types. */
export const ITEM_TYPES = (
  'message additional_tools apply_patch_call apply_patch_call_output code_interpreter_call compaction compaction_trigger ' +
  'computer_call computer_call_output configuration_update custom_tool_call custom_tool_call_output file_search_call ' +
  'function_call function_call_output image_generation_call item_reference local_shell_call local_shell_call_output ' +
  'mcp_approval_request mcp_approval_response mcp_call mcp_list_tools program program_output reasoning shell_call ' +
  'shell_call_output tool_search_call tool_search_output web_search_call'
).split(' ');

const DETAILS = ['low', 'high', 'auto', 'original'];
const PICTURE = /^(?:https?:|data:image\/)/i;

const checkAddress = (value: Json | undefined, where: string): SimError | undefined =>
  checkText(value, where) ??
  (PICTURE.test(textOf(value))
    ? undefined
    : invalid(`Invalid '${where}'. Expected a valid URL, but got a value with an invalid format.`, {
        param: where,
        code: 'invalid_value',
      }));

/** Images, sound, and files say where they are. */
const checkFilePart = (part: JsonObject, where: string): SimError | undefined => {
  switch (part['type']) {
    case 'input_image':
      return (
        checkWord(part['detail'], DETAILS, `${where}.detail`) ??
        (isSet(part['file_id']) ? undefined : checkAddress(part['image_url'] ?? undefined, `${where}.image_url`))
      );
    case 'input_file':
      return ['file_id', 'file_data', 'file_url'].some((key) => isSet(part[key]))
        ? undefined
        : missing(`${where}.file_data`);
    case 'image_url': {
      const { image_url: image } = part;
      if (image === undefined) return missing(`${where}.image_url`);
      if (!isObject(image)) return wrongType(`${where}.image_url`, image, 'an object');
      return (
        checkWord(image['detail'], DETAILS, `${where}.image_url.detail`) ??
        checkAddress(image['url'], `${where}.image_url.url`)
      );
    }
    case 'input_audio': {
      const audio = fieldsOf(part['input_audio']);
      return (
        checkText(audio['data'], `${where}.input_audio.data`) ??
        checkText(audio['format'], `${where}.input_audio.format`) ??
        checkWord(audio['format'], ['wav', 'mp3'], `${where}.input_audio.format`)
      );
    }
    case 'file':
      return isObject(part['file']) ? undefined : missing(`${where}.file`);
    default:
      return undefined;
  }
};

/** Content is a string, or a list of parts of these types. */
const checkParts = (content: Json | undefined, at: string, allowed: readonly string[]): SimError | undefined => {
  if (content === undefined || content === null || typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return wrongType(at, content, 'one of a string or array of objects');
  for (const [index, part] of listOf(content).entries()) {
    const where = `${at}[${index}]`;
    if (!isObject(part)) return wrongType(where, part, 'an object');
    if (typeof part['type'] !== 'string') return missing(`${where}.type`);
    if (!allowed.includes(part['type']) && part['type'] !== STRANGE_TYPE)
      return wrongValue(part['type'], allowed, where);
    if (/^(?:input_|output_)?text$/.test(part['type']) && typeof part['text'] !== 'string')
      return missing(`${where}.text`);
    const wrong = checkFilePart(part, where);
    if (wrong) return wrong;
    if (allowed === OUTPUT_PARTS && part['prompt_cache_breakpoint'] !== undefined)
      return unknownParameter(`${where}.prompt_cache_breakpoint`);
  }
  return undefined;
};

/** A message of the Responses API; what the model said is made of other parts. */
export const checkInputMessage = (item: JsonObject, at: string): SimError | undefined => {
  if (item['content'] === undefined) return missing(`${at}.content`);
  if (item['content'] === null) return wrongType(`${at}.content`, null, 'one of a string or array of objects');
  return checkParts(item['content'], `${at}.content`, item['role'] === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS);
};

/** What a tool says: a text or a list. */
export const checkOutput = (item: JsonObject, at: string): SimError | undefined =>
  item['output'] === undefined ? missing(`${at}.output`) : checkParts(item['output'], `${at}.output`, INPUT_PARTS);

const STATUSES = ['in_progress', 'completed', 'incomplete'];
/** How the ids of items begin. */
const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  reasoning: 'rs',
};
const LONGEST_ID = 64;

/** What the client sends back of what the model made. */
export const checkMade = (item: JsonObject, type: string, at: string): SimError | undefined => {
  const { id } = item;
  const prefix = PREFIXES[type];
  if (prefix !== undefined && typeof id === 'string' && !id.startsWith(prefix))
    return invalid(`Invalid '${at}.id': '${id}'. Expected an ID that begins with '${prefix}'.`, {
      param: `${at}.id`,
      code: 'invalid_value',
    });
  if (type !== 'function_call' && type !== 'custom_tool_call') return undefined;
  const given = type === 'function_call' ? 'arguments' : 'input';
  return (
    checkText(item['name'], `${at}.name`) ??
    checkText(item[given], `${at}.${given}`) ??
    checkLength(item['call_id'], `${at}.call_id`, LONGEST_ID) ??
    checkWord(item['status'], STATUSES, `${at}.status`)
  );
};

const SPEAKER = /^[^\s<|\\/>]+$/;

/** What a router lets pass. */
const checkOwnMessage = (message: JsonObject, at: string): SimError | undefined => {
  const { role, name, content, tool_calls: calls } = message;
  if (role === 'function' && name === undefined) return missing(`${at}.name`);
  if (Array.isArray(calls) && calls.length === 0) return emptyArray(`${at}.tool_calls`);
  if (Array.isArray(content) && content.length === 0) return emptyArray(`${at}.content`);
  if (role !== 'user' && listOf(content).some((part) => fieldsOf(part)['type'] === 'image_url'))
    return invalid(
      `Invalid '${at}'. Image URLs are only allowed for messages with role 'user', but this message with role '${textOf(role)}' contains an image URL.`,
      { param: at, code: 'invalid_value' },
    );
  return typeof name === 'string' ? checkPattern(name, SPEAKER, `${at}.name`) : undefined;
};

/** A call without words may leave its content out; everybody else has to say something. */
export const checkChatMessage = (message: JsonObject, index: number, isOwn: boolean): SimError | undefined => {
  const { content, role } = message;
  const at = `messages[${index}]`;
  const isCall = ['tool_calls', 'function_call', 'refusal', 'audio'].some(
    (key) => isObject(message[key]) || listOf(message[key]).length > 0 || textOf(message[key]) !== '',
  );
  if ((content === undefined || content === null) && !(role === 'assistant' && isCall))
    return invalid(`Invalid value for 'content': expected a string, got null.`, {
      param: `messages.[${index}].content`,
    });
  const wrong = isOwn ? checkOwnMessage(message, at) : undefined;
  if (wrong) return wrong;
  for (const [place, item] of listOf(message['tool_calls']).entries()) {
    const call = fieldsOf(fieldsOf(item)['function']);
    const given = call['arguments'];
    const where = `${at}.tool_calls[${place}].function.arguments`;
    if (fieldsOf(item)['type'] === 'function' && typeof given !== 'string')
      return given === undefined ? missing(where) : wrongType(where, given, 'a string');
  }
  if (role === 'tool' && typeof message['tool_call_id'] !== 'string') return missing(`${at}.tool_call_id`);
  return checkParts(content, `${at}.content`, role === 'tool' ? TOOL_PARTS : CHAT_PARTS);
};
