/** Bodies of the two OpenAI wires as the simulated model reads them. Only called for bodies that were checked. */
import type { Json, JsonObject } from '../../base/json.ts';
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import type { Block, Message, ToolSpec } from '../provider/types.ts';
import { contentText, fieldsOf, listOf, textOf } from './json-read.ts';
import { isAllowed, readChoice } from './read-choice.ts';
import { offeredTools } from './responses-tools.ts';
import { serverToolsOf } from './server-tools.ts';
import type { SimConversation } from './types.ts';

const SYSTEM_ROLES = new Set(['system', 'developer']);

/** Blocks of one speaker in a row are one message. */
const append = (messages: Message[], role: Message['role'], content: readonly Block[]): void => {
  const last = messages.at(-1);
  if (last?.role === role) messages[messages.length - 1] = { role, content: [...last.content, ...content] };
  else messages.push({ role, content });
};

const text = (value: Json | undefined): readonly Block[] => {
  const words = contentText(value);
  return words === '' ? [] : [{ type: 'text', text: words }];
};

const call = (id: Json | undefined, name: Json | undefined, given: Json | undefined): Block => ({
  type: 'tool_use',
  id: textOf(id),
  name: textOf(name),
  input: valueOr(parseJson(textOf(given)), textOf(given)),
});

const customCall = (item: JsonObject): Block => ({
  type: 'tool_use',
  id: textOf(item['call_id']),
  name: textOf(item['name']),
  input: { input: textOf(item['input']) },
});

const result = (id: Json | undefined, output: Json | undefined): Block => {
  const words = contentText(output);
  // These wires cannot mark a result as an error; the words have to say it.
  return { type: 'tool_result', toolUseId: textOf(id), text: words, isError: /^error\b/i.test(words) };
};

const readTools = (value: Json | undefined): readonly ToolSpec[] =>
  listOf(value).flatMap((item) => {
    const tool = fieldsOf(item);
    const inner = fieldsOf(tool['function'] ?? tool);
    if (tool['type'] !== 'function') return [];
    return [
      {
        name: textOf(inner['name']),
        description: textOf(inner['description']),
        inputSchema: inner['parameters'] ?? {},
      },
    ];
  });

const wantsReasoning = (effort: Json | undefined, facts: ModelFacts): boolean =>
  effort === undefined || effort === null ? facts.thinking === 'always' : effort !== 'none' && effort !== 'minimal';

/** Chat has the schema one level deeper than Responses. */
const readFormat = (value: Json | undefined): Pick<SimConversation, 'format'> => {
  const format = fieldsOf(value);
  if (format['type'] === 'json_object') return { format: { schema: undefined } };
  if (format['type'] !== 'json_schema') return {};
  return { format: { schema: fieldsOf(format['json_schema'] ?? format)['schema'] } };
};

export const readChatConversation = (body: JsonObject, facts: ModelFacts): SimConversation => {
  const messages: Message[] = [];
  const system: string[] = [];
  for (const item of listOf(body['messages'])) {
    const message = fieldsOf(item);
    const role = textOf(message['role']);
    if (SYSTEM_ROLES.has(role)) system.push(contentText(message['content']));
    else if (role === 'tool') append(messages, 'user', [result(message['tool_call_id'], message['content'])]);
    else if (role === 'assistant')
      append(messages, 'assistant', [
        ...text(message['content']),
        ...listOf(message['tool_calls']).map((one) => {
          const made = fieldsOf(one);
          const inner = fieldsOf(made['function']);
          return call(made['id'], inner['name'], inner['arguments']);
        }),
      ]);
    else append(messages, 'user', text(message['content']));
  }
  return {
    wire: 'openai-chat',
    model: textOf(body['model']),
    system: system.join('\n\n'),
    tools: readTools(body['tools']).filter(({ name }) => isAllowed(body['tool_choice'], name)),
    messages,
    toolChoice: readChoice(body['tool_choice']),
    oneCall: body['parallel_tool_calls'] === false,
    thinking: wantsReasoning(body['reasoning_effort'], facts),
    ...readFormat(body['response_format']),
  };
};

export const readResponsesConversation = (body: JsonObject, facts: ModelFacts): SimConversation => {
  const messages: Message[] = [];
  const system = [contentText(body['instructions'])];
  const input = body['input'];
  const items: readonly Json[] = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
  for (const value of items) {
    const item = fieldsOf(value);
    const role = textOf(item['role']);
    switch (item['type'] ?? 'message') {
      case 'message':
        if (SYSTEM_ROLES.has(role)) system.push(contentText(item['content']));
        else append(messages, role === 'assistant' ? 'assistant' : 'user', text(item['content']));
        break;
      case 'function_call':
        append(messages, 'assistant', [call(item['call_id'], item['name'], item['arguments'])]);
        break;
      case 'custom_tool_call':
        append(messages, 'assistant', [customCall(item)]);
        break;
      case 'additional_tools':
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        append(messages, 'user', [result(item['call_id'], item['output'])]);
        break;
      default:
        append(messages, 'assistant', [{ type: 'opaque', wire: 'openai-responses', raw: value }]);
    }
  }
  return {
    wire: 'openai-responses',
    model: textOf(body['model']),
    system: system.filter((part) => part !== '').join('\n\n'),
    tools: offeredTools(body)
      .map(({ spec }) => spec)
      .filter(({ name }) => isAllowed(body['tool_choice'], name)),
    serverTools: serverToolsOf(body['tools']),
    messages,
    toolChoice: readChoice(body['tool_choice']),
    oneCall: body['parallel_tool_calls'] === false,
    thinking: wantsReasoning(fieldsOf(body['reasoning'])['effort'], facts),
    ...readFormat(fieldsOf(body['text'])['format']),
  };
};
