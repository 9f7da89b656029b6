/** The tools of a Responses request: its own list, the lists that come as input items, and what namespaces hold. */
import type { Json, JsonObject } from '../../base/json.ts';
import type { ToolSpec } from '../provider/types.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';

export interface OfferedTool {
  readonly kind: 'function' | 'custom';
  readonly namespace?: string;
  readonly spec: ToolSpec;
}

/** What a custom tool takes is one string; a scenario writes it below this key. */
const CUSTOM_KEY = 'input';
const CUSTOM_SCHEMA: Json = {
  type: 'object',
  properties: { [CUSTOM_KEY]: { type: 'string' } },
  required: [CUSTOM_KEY],
};

const flatten = (tools: readonly Json[], namespace?: string): readonly OfferedTool[] =>
  tools.flatMap((item): readonly OfferedTool[] => {
    const tool = fieldsOf(item);
    // A namespace holds tools and no other namespace.
    if (tool['type'] === 'namespace')
      return namespace === undefined ? flatten(listOf(tool['tools']), textOf(tool['name'])) : [];
    const kind = tool['type'];
    if (kind !== 'function' && kind !== 'custom') return [];
    const name = textOf(tool['name']);
    const description = textOf(tool['description']);
    const inputSchema = kind === 'custom' ? CUSTOM_SCHEMA : (tool['parameters'] ?? {});
    return [{ kind, ...(namespace !== undefined && { namespace }), spec: { name, description, inputSchema } }];
  });

/** Every list of tools in the request: raw, with the path of each. */
export const toolLists = (body: JsonObject): readonly { readonly at: string; readonly tools: readonly Json[] }[] => [
  { at: 'tools', tools: listOf(body['tools']) },
  ...listOf(body['input']).flatMap((value, index) => {
    const item = fieldsOf(value);
    return item['type'] === 'additional_tools' ? [{ at: `input[${index}].tools`, tools: listOf(item['tools']) }] : [];
  }),
];

export const offeredTools = (body: JsonObject): readonly OfferedTool[] =>
  toolLists(body).flatMap(({ tools }) => flatten(tools));

/** The text that a custom tool gets for an input that was written as an object. */
export const customInput = (input: Json, json: string): string => {
  const given = fieldsOf(input)[CUSTOM_KEY];
  return typeof given === 'string' ? given : json;
};
