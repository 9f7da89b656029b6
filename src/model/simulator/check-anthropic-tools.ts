/** What the Messages API refuses in its tools. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { wrongTag } from './check-anthropic-content.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import { invalid, type SimError } from './sim-error.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const CHOICE_FIELDS = new Set(['type', 'name', 'disable_parallel_tool_use']);
const CHOICES = ['auto', 'any', 'tool', 'none'];

/** Those of the SDK's types. `cache_control` is checked by the cache model. */
const TOOL_FIELDS = new Set(
  (
    'type name description input_schema cache_control allowed_callers defer_loading eager_input_streaming input_examples ' +
    'strict'
  ).split(' '),
);

/** The provider's own tools, those of betas included. */
const OWN_TYPES = (
  'advisor_20260301 bash_20241022 bash_20250124 browser_toolset_20260801 code_execution_20250522 code_execution_20250825 ' +
  'code_execution_20260120 code_execution_20260521 computer_20241022 computer_20250124 computer_20251124 ' +
  'computer_toolset_20260801 mcp_toolset memory_20250818 text_editor_20241022 text_editor_20250124 text_editor_20250429 ' +
  'text_editor_20250728 tool_search_tool_bm25 tool_search_tool_bm25_20251119 tool_search_tool_regex ' +
  'tool_search_tool_regex_20251119 web_fetch_20250910 web_fetch_20260209 web_fetch_20260309 web_fetch_20260318 ' +
  'web_search_20250305 web_search_20260209 web_search_20260318'
).split(' ');

/** The names that the provider's tools must have. */
const OWN_NAMES: readonly (readonly [type: RegExp, name: string])[] = [
  [/^bash_/, 'bash'],
  [/^computer_\d/, 'computer'],
  [/^text_editor_202(?:41022|50124)$/, 'str_replace_editor'],
  [/^text_editor_20250(?:429|728)$/, 'str_replace_based_edit_tool'],
  [/^memory_/, 'memory'],
  [/^web_search_/, 'web_search'],
  [/^web_fetch_/, 'web_fetch'],
  [/^code_execution_/, 'code_execution'],
];
const WEB_FIELDS = new Set(
  (
    'type name max_uses allowed_domains blocked_domains user_location cache_control allowed_callers defer_loading strict ' +
    'citations max_content_tokens use_cache response_inclusion'
  ).split(' '),
);

const checkOwn = (tool: JsonObject, at: string): SimError | undefined => {
  const type = textOf(tool['type']);
  const name = OWN_NAMES.find(([pattern]) => pattern.test(type))?.[1];
  if (name !== undefined && tool['name'] !== name)
    return invalid(
      `${at}.${type}.name: ${tool['name'] === undefined ? 'Field required' : `Input should be '${name}'`}`,
    );
  const size = ['display_width_px', 'display_height_px'].find((key) => typeof tool[key] !== 'number');
  if (/^computer_\d/.test(type) && size !== undefined) return invalid(`${at}.${type}.${size}: Field required`);
  if (!/^web_(?:search|fetch)_/.test(type)) return undefined;
  const stranger = Object.keys(tool).find((key) => !WEB_FIELDS.has(key));
  if (stranger !== undefined) return invalid(`${at}.${type}.${stranger}: Extra inputs are not permitted`);
  const uses = tool['max_uses'];
  if (typeof uses === 'number' && uses <= 0) return invalid(`${at}.${type}.max_uses: Input should be greater than 0`);
  return listOf(tool['allowed_domains']).length > 0 && listOf(tool['blocked_domains']).length > 0
    ? invalid(`${at}.${type}: Only one of \`allowed_domains\` and \`blocked_domains\` can be set.`)
    : undefined;
};

/** A toolset stands for the tools of a server that the request names. */
const checkToolset = (tool: JsonObject, body: JsonObject, at: string): SimError | undefined => {
  if (tool['type'] !== 'mcp_toolset') return undefined;
  const name = tool['mcp_server_name'];
  if (typeof name !== 'string') return invalid(`${at}.mcp_toolset.mcp_server_name: Field required`);
  return listOf(body['mcp_servers']).some((server) => fieldsOf(server)['name'] === name)
    ? undefined
    : invalid(`${at}.mcp_toolset.mcp_server_name: MCP server '${name}' not found in mcp_servers`);
};

const checkTool = (tool: JsonObject, at: string): SimError | undefined => {
  if (tool['name'] === undefined) return invalid(`${at}.name: Field required`);
  if (!TOOL_NAME.test(textOf(tool['name'])))
    return invalid(`${at}.name: String should match pattern '${TOOL_NAME.source}'`);
  const schema = tool['input_schema'];
  if (schema === undefined) return invalid(`${at}.input_schema: Field required`);
  if (!isObject(schema)) return invalid(`${at}.input_schema: Input should be an object`);
  if (schema['type'] === undefined) return invalid(`${at}.input_schema.type: Field required`);
  if (schema['type'] !== 'object') return invalid(`${at}.input_schema.type: Input should be 'object'`);
  if (schema['properties'] !== undefined && !isObject(schema['properties']))
    return invalid(`${at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.`);
  if (['oneOf', 'allOf', 'anyOf'].some((key) => schema[key] !== undefined))
    return invalid(`${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
  const stranger = Object.keys(tool).find((key) => !TOOL_FIELDS.has(key));
  if (stranger !== undefined) return invalid(`${at}.${stranger}: Extra inputs are not permitted`);
  const odd = listOf(tool['input_examples']).findIndex((example) => !isObject(example));
  return odd === -1 ? undefined : invalid(`${at}.input_examples.${odd}: Input should be a valid dictionary`);
};

const checkChoice = (given: Json | undefined, body: JsonObject, names: ReadonlySet<string>): SimError | undefined => {
  if (given === undefined || given === null) return undefined;
  if (!isObject(given)) return invalid('tool_choice: Input should be an object');
  const { type, name } = given;
  if (!CHOICES.includes(textOf(type))) return wrongTag('tool_choice', type, CHOICES);
  const stranger = Object.keys(given).find(
    (key) =>
      !CHOICE_FIELDS.has(key) ||
      (key === 'name' && type !== 'tool') ||
      (key === 'disable_parallel_tool_use' && type === 'none'),
  );
  if (stranger !== undefined) return invalid(`tool_choice.${textOf(type)}.${stranger}: Extra inputs are not permitted`);
  if (names.size === 0) return invalid('tool_choice: tool_choice may only be specified while providing tools.');
  if (type === 'tool' && !names.has(textOf(name)))
    return invalid(`tool_choice: Tool '${textOf(name)}' not found in provided tools`);
  // An adaptive model thinks not at all when it has to call.
  const isThinking = fieldsOf(body['thinking'])['type'] === 'enabled';
  return isThinking && (type === 'any' || type === 'tool')
    ? invalid('Thinking may not be enabled when tool_choice forces tool use.')
    : undefined;
};

export const checkTools = (body: JsonObject): SimError | undefined => {
  if (body['tools'] !== undefined && !Array.isArray(body['tools']))
    return invalid('tools: Input should be a valid array');
  const tools = listOf(body['tools']).map(fieldsOf);
  if (tools.length > 0 && tools.every((tool) => tool['defer_loading'] === true))
    return invalid('At least one tool must have defer_loading=false. All tools cannot be deferred.');
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { type } = tool;
    const name = textOf(tool['name']);
    // A tool with another type is the provider's own.
    if (type !== undefined && type !== null && type !== 'custom') {
      if (!OWN_TYPES.includes(textOf(type))) return wrongTag(`tools.${index}`, type, ['custom', ...OWN_TYPES]);
      const wrong = checkOwn(tool, `tools.${index}`) ?? checkToolset(tool, body, `tools.${index}`);
      if (wrong) return wrong;
      names.add(name);
      continue;
    }
    const wrong = checkTool(tool, `tools.${index}.custom`);
    if (wrong) return wrong;
    if (names.has(name)) return invalid('tools: Tool names must be unique.');
    names.add(name);
  }
  return checkChoice(body['tool_choice'], body, names);
};
