/** What the OpenAI wires refuse about tools, schemas and the form of an answer. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import { emptyArray, missing, wrongValue } from './openai-words.ts';
import { invalid, type SimError } from './sim-error.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;

/** Those of the SDK's types. */
const TOOL_TYPES = (
  'function file_search computer computer_use_preview web_search web_search_2025_08_26 mcp code_interpreter ' +
  'programmatic_tool_calling image_generation local_shell shell custom namespace tool_search web_search_preview ' +
  'web_search_preview_2025_03_11 apply_patch'
).split(' ');
const CHOICES = ['none', 'auto', 'required'];
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

const checkFunction = (tool: JsonObject, where: string): SimError | undefined => {
  const inner = fieldsOf(tool['function'] ?? tool);
  const at = isObject(tool['function']) ? `${where}.function` : where;
  if (typeof inner['name'] !== 'string') return missing(`${at}.name`);
  const { name } = inner;
  if (!TOOL_NAME.test(name))
    return invalid(
      `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '${TOOL_NAME.source}'.`,
      { param: `${at}.name`, code: 'invalid_value' },
    );
  const schema = inner['parameters'];
  if (schema === undefined || schema === null) return undefined;
  const type = fieldsOf(schema)['type'];
  const fault =
    type === 'object'
      ? inner['strict'] === true
        ? strictFault(fieldsOf(schema))
        : undefined
      : `schema must be a JSON Schema of 'type: "object"', got 'type: "${typeof type === 'string' ? type : 'None'}"'.`;
  return fault === undefined
    ? undefined
    : invalid(`Invalid schema for function '${name}': ${fault}`, {
        param: `${at}.parameters`,
        code: 'invalid_function_parameters',
      });
};

/** `at`: where the list is in the request. */
export const checkTools = (tools: readonly Json[], at = 'tools'): SimError | undefined => {
  for (const [index, item] of tools.entries()) {
    const tool = fieldsOf(item);
    const where = `${at}[${index}]`;
    if (tool['type'] === undefined) return missing(`${where}.type`);
    if (!TOOL_TYPES.includes(textOf(tool['type']))) return wrongValue(tool['type'], TOOL_TYPES, `${where}.type`);
    const wrong = tool['type'] === 'function' ? checkFunction(tool, where) : undefined;
    if (wrong) return wrong;
  }
  return undefined;
};

const nameOf = (value: Json | undefined): string => {
  const fields = fieldsOf(value);
  return textOf(fields['name']) || textOf(fieldsOf(fields['function'])['name']);
};

export const checkChoice = (body: JsonObject, tools: readonly Json[]): SimError | undefined => {
  const choice = body['tool_choice'];
  if (choice === undefined || choice === null) return undefined;
  if (typeof choice === 'string' && !CHOICES.includes(choice)) return wrongValue(choice, CHOICES, 'tool_choice');
  if ((choice === 'required' || isObject(choice)) && tools.length === 0)
    return invalid("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", {
      param: 'tool_choice',
    });
  const isNamed = isObject(choice) && choice['type'] === 'function';
  return isNamed && !tools.some((tool) => nameOf(tool) === nameOf(choice))
    ? invalid("Tool choice 'function' not found in 'tools' parameter.", { param: 'tool_choice' })
    : undefined;
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
