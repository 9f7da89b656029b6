/** What the OpenAI wires refuse in the parts of a message and in the items of an input. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { STRANGE_TYPE } from './faults.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import { missing, unknownParameter, wrongType, wrongValue } from './openai-words.ts';
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

/** Content is a text, or a list of parts of these types. */
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
    if (allowed === OUTPUT_PARTS && part['prompt_cache_breakpoint'] !== undefined)
      return unknownParameter(`${where}.prompt_cache_breakpoint`);
  }
  return undefined;
};

/** A message of the Responses API; what the model said is made of other parts. */
export const checkInputMessage = (item: JsonObject, at: string): SimError | undefined => {
  if (item['content'] === undefined) return missing(`${at}.content`);
  return checkParts(item['content'], `${at}.content`, item['role'] === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS);
};

/** What a tool says, where it is a list. */
export const checkOutput = (item: JsonObject, at: string): SimError | undefined =>
  checkParts(item['output'], `${at}.output`, INPUT_PARTS);

/** A call without words may leave its content out; everybody else has to say something. */
export const checkChatMessage = (message: JsonObject, index: number): SimError | undefined => {
  const { content, role } = message;
  const at = `messages[${index}]`;
  const isCall = ['tool_calls', 'function_call', 'refusal', 'audio'].some(
    (key) => isObject(message[key]) || listOf(message[key]).length > 0 || textOf(message[key]) !== '',
  );
  if ((content === undefined || content === null) && !(role === 'assistant' && isCall))
    return invalid(`Invalid value for 'content': expected a string, got null.`, {
      param: `messages.[${index}].content`,
    });
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
