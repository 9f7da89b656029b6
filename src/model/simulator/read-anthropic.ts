/** A body of the Messages API as the simulated model reads it. Only called for a body that was checked. */
import { createGrowingList } from '../../base/growing-list.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Block, Message } from '../provider/types.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import { contentText, fieldsOf, listOf, textOf } from './json-read.ts';
import { serverToolOf, serverToolsOf } from './server-tools.ts';
import type { SimConversation } from './types.ts';

const WIRE = 'anthropic-messages';

const readBlock = (value: Json): Block => {
  const fields = fieldsOf(value);
  switch (fields['type']) {
    case 'text':
      return { type: 'text', text: textOf(fields['text']) };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: textOf(fields['id']),
        name: textOf(fields['name']),
        input: fields['input'] ?? {},
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        toolUseId: textOf(fields['tool_use_id']),
        text: contentText(fields['content']),
        isError: fields['is_error'] === true,
      };
    case 'thinking':
      return { type: 'thinking', text: textOf(fields['thinking']), wire: WIRE, raw: value };
    default:
      return { type: 'opaque', wire: WIRE, raw: value };
  }
};

const readContent = (value: Json | undefined): readonly Block[] =>
  typeof value === 'string' ? [{ type: 'text', text: value }] : listOf(value).map(readBlock);

const readChoice = (value: Json | undefined): SimConversation['toolChoice'] => {
  const choice = fieldsOf(value);
  if (choice['type'] === 'tool') return { name: textOf(choice['name']) };
  return choice['type'] === 'any' || choice['type'] === 'none' ? choice['type'] : 'auto';
};

/** Whether this request asks for thinking, or the model does it anyway. */
const wantsThinking = (body: JsonObject, facts: ModelFacts): boolean => {
  const type = fieldsOf(body['thinking'])['type'];
  if (type === undefined) return facts.thinking === 'always';
  if (type === 'between_tools') {
    const last = fieldsOf(listOf(body['messages']).at(-1));
    return listOf(last['content']).some((block) => fieldsOf(block)['type'] === 'tool_result');
  }
  return type !== 'disabled';
};

/** A string is one more instruction: a system message in mid-conversation. */
const readMessages = createGrowingList<Json, Message | string>((item) => {
  const { role, content } = fieldsOf(item);
  if (role === 'system') return contentText(content);
  return { role: role === 'assistant' ? 'assistant' : 'user', content: readContent(content) };
});
const countInstructions = createGrowingList<Message | string, number>(
  (item, _, before = 0) => before + (typeof item === 'string' ? 1 : 0),
);

export const readAnthropicConversation = (body: JsonObject, facts: ModelFacts): SimConversation => {
  const all = readMessages(listOf(body['messages']));
  const isPlain = (countInstructions(all).at(-1) ?? 0) === 0;
  const messages = isPlain
    ? (all as readonly Message[])
    : all.filter((item): item is Message => typeof item !== 'string');
  const instructions = isPlain ? [] : all.filter((item) => typeof item === 'string');
  const system = [contentText(body['system']), ...instructions].join('\n\n');
  const format = fieldsOf(fieldsOf(body['output_config'])['format'] ?? body['output_format']);
  return {
    wire: WIRE,
    model: textOf(body['model']),
    system,
    tools: listOf(body['tools'])
      .filter((item) => serverToolOf(item) === undefined)
      .map((item) => {
        const tool = fieldsOf(item);
        return {
          name: textOf(tool['name']),
          description: textOf(tool['description']),
          inputSchema: tool['input_schema'] ?? {},
        };
      }),
    serverTools: serverToolsOf(body['tools']),
    messages,
    toolChoice: readChoice(body['tool_choice']),
    oneCall: fieldsOf(body['tool_choice'])['disable_parallel_tool_use'] === true,
    thinking: wantsThinking(body, facts),
    ...(fieldsOf(body['thinking'])['type'] === 'enabled' && { mustThink: true }),
    ...(format['type'] === 'json_schema' && { format: { schema: format['schema'] } }),
  };
};
