/** What the OpenAI wires refuse about tools, schemas and the form of an answer. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import {
  checkLength,
  checkPattern,
  checkText,
  checkWord,
  emptyArray,
  isSet,
  missing,
  wrongValue,
} from './openai-words.ts';
import { allowedTools, chosenName } from './read-choice.ts';
import { invalid, type SimError } from './sim-error.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;

/** Those of the SDK's types. */
const TOOL_TYPES = (
  'function file_search computer computer_use_preview web_search web_search_2025_08_26 mcp code_interpreter ' +
  'programmatic_tool_calling image_generation local_shell shell custom namespace tool_search web_search_preview ' +
  'web_search_preview_2025_03_11 apply_patch'
).split(' ');
const LONGEST_TOOL = 128;
/** Chat has a function one level deeper. A router takes either form. */
type ToolWire = 'chat' | 'responses' | 'any';
const CHOICES = ['none', 'auto', 'required'];
const LONGEST_FORMAT = 64;
const FORMATS = ['text', 'json_object', 'json_schema'];

/** A strict schema names every key as required and takes no others, at every level. */
const strictFault = (schema: JsonObject, path: readonly string[] = []): string | undefined => {
  const context = `In context=(${path.map((step) => `'${step}'`).join(', ')})`;
  const properties = fieldsOf(schema['properties']);
  if (schema['type'] === 'object') {
    if (schema['additionalProperties'] !== false)
      return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
    const required = new Set(listOf(schema['required']).map(textOf));
    const left = Object.keys(properties).find((key) => !required.has(key));
    if (left !== undefined)
      return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${left}'.`;
  }
  for (const [key, value] of Object.entries(properties)) {
    const fault = strictFault(fieldsOf(value), [...path, 'properties', key]);
    if (fault !== undefined) return fault;
  }
  return isObject(schema['items']) ? strictFault(schema['items'], [...path, 'items']) : undefined;
};

/** A list has to say what is in it, strict or not. */
const openArray = (schema: JsonObject, path: readonly string[] = []): string | undefined => {
  const { type } = schema;
  if ((type === 'array' || listOf(type).includes('array')) && schema['items'] === undefined)
    return `In context=(${path.map((step) => `'${step}'`).join(', ')}), array schema missing items.`;
  const parts: readonly (readonly [Json | undefined, readonly string[]])[] = [
    ...Object.entries(fieldsOf(schema['properties'])).map(([key, value]) => [value, ['properties', key]] as const),
    [schema['items'], ['items']],
    ...listOf(schema['anyOf']).map((value, index) => [value, ['anyOf', `${index}`]] as const),
  ];
  for (const [value, steps] of parts) {
    const fault = isObject(value) ? openArray(value, [...path, ...steps]) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const checkFunction = (tool: JsonObject, where: string, wire: ToolWire): SimError | undefined => {
  const isNested = isObject(tool['function']) && wire !== 'responses';
  const inner = isNested ? fieldsOf(tool['function']) : tool;
  const at = isNested ? `${where}.function` : where;
  if (typeof inner['name'] !== 'string') return missing(`${at}.name`);
  const { name } = inner;
  const misnamed = checkPattern(name, TOOL_NAME, `${at}.name`) ?? checkLength(name, `${at}.name`, LONGEST_TOOL);
  if (misnamed) return misnamed;
  const schema = inner['parameters'];
  if (schema === undefined || schema === null) return undefined;
  const type = fieldsOf(schema)['type'];
  const fault =
    type === 'object'
      ? inner['strict'] === true
        ? (strictFault(fieldsOf(schema)) ?? openArray(fieldsOf(schema)))
        : openArray(fieldsOf(schema))
      : `schema must be a JSON Schema of 'type: "object"', got 'type: "${typeof type === 'string' ? type : 'None'}"'.`;
  return fault === undefined
    ? undefined
    : invalid(`Invalid schema for function '${name}': ${fault}`, {
        param: `${at}.parameters`,
        code: 'invalid_function_parameters',
      });
};

/** What a tool of the Responses API cannot do without. */
const NEEDED: Readonly<Record<string, string>> = {
  custom: 'name',
  mcp: 'server_label',
  code_interpreter: 'container',
  file_search: 'vector_store_ids',
};
const SERVERS = ['server_url', 'connector_id', 'tunnel_id'];

const checkHosted = (tool: JsonObject, where: string): SimError | undefined => {
  const type = textOf(tool['type']);
  const needed = NEEDED[type];
  if (needed !== undefined && !isSet(tool[needed])) return missing(`${where}.${needed}`);
  if (type === 'mcp' && !SERVERS.some((key) => isSet(tool[key]))) return missing(`${where}.server_url`);
  if (type.startsWith('web_search'))
    return checkWord(tool['search_context_size'], ['low', 'medium', 'high'], `${where}.search_context_size`);
  if (type !== 'custom') return undefined;
  const format = fieldsOf(tool['format']);
  return (
    checkPattern(textOf(tool['name']), TOOL_NAME, `${where}.name`) ??
    checkWord(format['type'], ['text', 'grammar'], `${where}.format.type`) ??
    (format['type'] === 'grammar'
      ? (checkText(format['syntax'], `${where}.format.syntax`) ??
        checkWord(format['syntax'], ['lark', 'regex'], `${where}.format.syntax`) ??
        checkText(format['definition'], `${where}.format.definition`))
      : undefined)
  );
};

/** `at`: where the list is in the request. */
export const checkTools = (tools: readonly Json[], at: string, wire: ToolWire): SimError | undefined => {
  for (const [index, item] of tools.entries()) {
    const tool = fieldsOf(item);
    const where = `${at}[${index}]`;
    if (tool['type'] === undefined) return missing(`${where}.type`);
    if (!TOOL_TYPES.includes(textOf(tool['type']))) return wrongValue(tool['type'], TOOL_TYPES, `${where}.type`);
    const wrong =
      tool['type'] === 'function'
        ? checkFunction(tool, where, wire)
        : wire === 'responses'
          ? checkHosted(tool, where)
          : undefined;
    if (wrong) return wrong;
  }
  return undefined;
};

/** `tools`: all that there are; a namespace holds some. */
export const checkChoice = (body: JsonObject, lists: readonly Json[], wire: ToolWire): SimError | undefined => {
  const tools = lists.flatMap((tool) => [tool, ...listOf(fieldsOf(tool)['tools'])]);
  const choice = body['tool_choice'];
  if (choice === undefined || choice === null) return undefined;
  if (typeof choice === 'string' && !CHOICES.includes(choice)) return wrongValue(choice, CHOICES, 'tool_choice');
  if ((choice === 'required' || isObject(choice)) && tools.length === 0)
    return invalid("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", {
      param: 'tool_choice',
    });
  if (!isObject(choice)) return undefined;
  const type = textOf(choice['type']);
  const named = type === 'allowed_tools' ? allowedTools(choice) : [choice];
  if (type === 'allowed_tools' && named.length === 0) return missing('tool_choice.tools');
  for (const item of named) {
    const kind = textOf(fieldsOf(item)['type']);
    if (kind !== 'function' && kind !== 'custom') continue;
    if (chosenName(item) === '' || (wire === 'responses' && fieldsOf(item)['name'] === undefined))
      return missing(wire === 'chat' ? `tool_choice.${kind}` : 'tool_choice.name');
    if (!tools.some((tool) => chosenName(tool) === chosenName(item)))
      return invalid(`Tool choice '${kind}' not found in 'tools' parameter.`, { param: 'tool_choice' });
  }
  return undefined;
};

/** `at`: where the wire has the format; `schemaAt`: where it has name and schema. */
export const checkFormat = (
  value: Json | undefined,
  at: string,
  schemaAt: string,
  inner: JsonObject,
): SimError | undefined => {
  const format = fieldsOf(value);
  if (format['type'] === undefined) return undefined;
  if (!FORMATS.includes(textOf(format['type']))) return wrongValue(format['type'], FORMATS, `${at}.type`);
  if (format['type'] !== 'json_schema') return undefined;
  if (typeof inner['name'] !== 'string') return missing(`${schemaAt}.name`);
  const misnamed =
    checkPattern(inner['name'], TOOL_NAME, `${schemaAt}.name`) ??
    checkLength(inner['name'], `${schemaAt}.name`, LONGEST_FORMAT);
  if (misnamed) return misnamed;
  if (!isObject(inner['schema'])) return missing(`${schemaAt}.schema`);
  const fault = inner['strict'] === true ? strictFault(inner['schema']) : undefined;
  return fault === undefined
    ? undefined
    : invalid(`Invalid schema for response_format '${inner['name']}': ${fault}`, {
        param: at,
        code: 'invalid_json_schema',
      });
};

export const noTools = ({ tools }: JsonObject): SimError | undefined =>
  Array.isArray(tools) && tools.length === 0 ? emptyArray('tools') : undefined;
