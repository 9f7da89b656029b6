/** Shapes that the real APIs refuse: fields that are missing, too long, too many, or of another wire, and what stands beside them and is right. */
import { describe, expect, it } from 'vitest';
import { newSimulator, OPENAI, sendTo, textOf } from './testing/simulate.ts';

const simulator = newSimulator();
const user = (content: unknown) => ({ role: 'user', content });
const OLD = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
const pixel = 'data:image/png;base64,iVBORw0KGgo=';

const claude = (more: object) => ({ model: 'claude-haiku-4-5', max_tokens: 2000, messages: [user('a')], ...more });
const budget = { type: 'enabled', budget_tokens: 1024 };
const schema = { type: 'object', properties: { q: { type: 'string' } } };
const own = (more: object = {}) => ({ name: 't', input_schema: schema, ...more });
const search = (more: object) => claude({ tools: [{ type: 'web_search_20250305', name: 'web_search', ...more }] });
const found = { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'a' }] };
const paper = (media: string) => ({ type: 'document', source: { type: 'text', media_type: media, data: 'a' } });
const remote = { mcp_servers: [{ type: 'url', url: 'https://host/mcp', name: 's' }] };

const MESSAGES: readonly [name: string, body: object, words: string | undefined][] = [
  ['a paper in HTML', claude({ messages: [user([paper('text/html')])] }), "Input should be 'text/plain'"],
  ['a paper', claude({ messages: [user([paper('text/plain')])] }), undefined],
  [
    'a find without a title',
    claude({ messages: [user([{ ...found, title: undefined }])] }),
    'search_result.title: Field required',
  ],
  ['a find', claude({ messages: [user([found])] }), undefined],
  ['a narrow choice of words in thought', claude({ thinking: budget, top_p: 0.5 }), '`top_p` must be'],
  ['a wide one', claude({ thinking: budget, top_p: 0.96 }), undefined],
  [
    'a budget for a model that needs none',
    claude({ model: 'claude-opus-4-6', thinking: { type: 'adaptive', budget_tokens: 1024 } }),
    'thinking.adaptive.budget_tokens: Extra inputs are not permitted',
  ],
  [
    'a budget for a model that takes none',
    claude({ model: 'claude-opus-4-7', thinking: budget }),
    'is not supported for this model. Use',
  ],
  ['a budget of Opus 4.6', claude({ model: 'claude-opus-4-6', thinking: budget }), undefined],
  [
    'a temperature of Opus 4.7',
    claude({ model: 'claude-opus-4-7', temperature: 0.5 }),
    '`temperature` is deprecated for this model.',
  ],
  ['a temperature of 1', claude({ model: 'claude-sonnet-5', temperature: 1 }), undefined],
  ['a place for Haiku 4.5', claude({ inference_geo: 'us' }), 'inference_geo is not supported'],
  ['a place for Opus 4.6', claude({ model: 'claude-opus-4-6', inference_geo: 'us' }), undefined],
  ['an example in words', claude({ tools: [own({ input_examples: ['x'] })] }), 'input_examples.0: Input should be'],
  ['an example', claude({ tools: [own({ input_examples: [{ q: 'x' }] })] }), undefined],
  [
    'no tools, and one at most',
    claude({ tools: [own()], tool_choice: { type: 'none', disable_parallel_tool_use: true } }),
    'tool_choice.none.disable_parallel_tool_use: Extra inputs',
  ],
  ['a search that may not search', search({ max_uses: 0 }), 'max_uses: Input should be greater than 0'],
  ['a search', search({ max_uses: 1 }), undefined],
  [
    'a toolset of no server',
    claude({ ...remote, tools: [{ type: 'mcp_toolset', mcp_server_name: 'z' }] }),
    "MCP server 'z' not found",
  ],
  ['a toolset', claude({ ...remote, tools: [{ type: 'mcp_toolset', mcp_server_name: 's' }] }), undefined],
];

const gpt = (more: object) => ({ model: 'gpt-5.2', input: 'a', ...more });
const input = (...items: object[]) => gpt({ input: [user('a'), ...items] });
const call = (more: object = {}) => ({ type: 'function_call', call_id: 'c', name: 't', arguments: '{}', ...more });
const output = (more: object = {}) => ({ type: 'function_call_output', call_id: 'c', output: 'r', ...more });
const flat = { type: 'function', name: 't', parameters: schema };
const nested = { type: 'function', function: { name: 't', parameters: schema } };
const hosted = (tool: object) => gpt({ tools: [tool] });
const image = (more: object) => input(user([{ type: 'input_image', ...more }]));
const allowed = (name: string) => ({ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name }] });

const RESPONSES: readonly [name: string, body: object, words: string | undefined][] = [
  ['a tool of Chat', hosted(nested), "Missing required parameter: 'tools[0].name'."],
  ['a tool with a long name', hosted({ ...flat, name: 'a'.repeat(129) }), 'string too long'],
  [
    'a list of anything',
    hosted({ ...flat, parameters: { type: 'object', properties: { x: { type: 'array' } } } }),
    "In context=('properties', 'x'), array schema missing items.",
  ],
  [
    'a format with a space in its name',
    gpt({ text: { format: { type: 'json_schema', name: 'a b', schema } } }),
    'does not match pattern',
  ],
  ['a way of thinking that is none', gpt({ reasoning: { budget: 5 } }), "Unknown parameter: 'reasoning.budget'."],
  ['a way of thinking', gpt({ reasoning: { effort: 'low', summary: 'auto' } }), undefined],
  [
    '17 pairs',
    gpt({ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) }),
    'too many properties',
  ],
  ['a long value', gpt({ metadata: { a: 'x'.repeat(513) } }), 'maximum length 512'],
  ['a long name of a value', gpt({ metadata: { ['x'.repeat(65)]: 'a' } }), 'maximum length 64'],
  ['a value as long as can be', gpt({ metadata: { a: 'x'.repeat(512) } }), undefined],
  ['a choice of Chat', gpt({ tools: [flat], tool_choice: nested }), "'tool_choice.name'"],
  [
    'leave for a tool that is not there',
    gpt({ tools: [flat], tool_choice: allowed('z') }),
    "Tool choice 'function' not found",
  ],
  ['leave for a tool', gpt({ tools: [flat], tool_choice: allowed('t') }), undefined],
  ['an output of nothing', input(call(), output({ output: undefined })), "'input[2].output'"],
  ['a call without arguments', input(call({ arguments: undefined }), output()), "'input[1].arguments'"],
  ['arguments as an object', input(call({ arguments: {} }), output()), 'expected a string, but got an object'],
  ['a call of nothing', input(call({ name: undefined }), output()), "'input[1].name'"],
  ['an id of Chat', input(call({ id: 'call_a' }), output()), "Expected an ID that begins with 'fc'."],
  ['an id', input(call({ id: 'fc_a', status: 'completed' }), output()), undefined],
  ['a state that is none', input(call({ status: 'done' }), output()), "Invalid value: 'done'."],
  ['a long key of a cache', gpt({ prompt_cache_key: 'k'.repeat(65) }), 'maximum length 64'],
  ['a key of a cache', gpt({ prompt_cache_key: 'k'.repeat(64) }), undefined],
  ['instructions in a list', gpt({ instructions: ['a'] }), "Invalid type for 'instructions'"],
  [
    'an option of Chat for a stream',
    gpt({ stream: true, stream_options: { include_usage: true } }),
    "Unknown parameter: 'stream_options.include_usage'.",
  ],
  ['a server without an address', hosted({ type: 'mcp', server_label: 's' }), "'tools[0].server_url'"],
  ['a server without a name', hosted({ type: 'mcp', server_url: 'https://host' }), "'tools[0].server_label'"],
  ['code that runs nowhere', hosted({ type: 'code_interpreter' }), "'tools[0].container'"],
  ['code', hosted({ type: 'code_interpreter', container: { type: 'auto' } }), undefined],
  ['files of no store', hosted({ type: 'file_search' }), "'tools[0].vector_store_ids'"],
  ['a tiny search', hosted({ type: 'web_search', search_context_size: 'tiny' }), "Invalid value: 'tiny'."],
  [
    'a grammar that nobody reads',
    hosted({ type: 'custom', name: 's', format: { type: 'grammar', syntax: 'ebnf', definition: 'a' } }),
    "Invalid value: 'ebnf'.",
  ],
  [
    'a grammar',
    hosted({ type: 'custom', name: 's', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } }),
    undefined,
  ],
  ['a message of null', input(user(null)), "Invalid type for 'input[1].content'"],
  ['a picture of nothing', image({}), "'input[1].content[0].image_url'"],
  ['a picture in words', image({ image_url: 'a cat' }), 'Expected a valid URL'],
  ['a picture in other detail', image({ image_url: pixel, detail: 'huge' }), "Invalid value: 'huge'."],
  ['a picture', image({ image_url: pixel, detail: 'low' }), undefined],
  ['a file of nothing', input(user([{ type: 'input_file', filename: 'a' }])), "'input[1].content[0].file_data'"],
  ['21 chances', gpt({ top_logprobs: 21 }), 'Expected a value <= 20'],
  ['calls side by side in words', gpt({ tools: [flat], parallel_tool_calls: 'no' }), 'expected a boolean'],
  ['an answer later that is kept nowhere', gpt({ background: true, store: false }), "requires 'store'"],
];

const chat = (more: object) => ({ model: 'gpt-4o', messages: [user('a')], ...more });
const reasons = (more: object) => chat({ model: 'gpt-5', ...more });
const said = (...messages: object[]) => chat({ messages: [user('a'), ...messages] });
const sight = (image_url: unknown) => [{ type: 'image_url', image_url }];
const named = (name: string) => ({ type: 'function', function: { name, parameters: schema } });

const CHAT: readonly [name: string, body: object, words: string | undefined][] = [
  ['a picture as a text', said(user(sight(pixel))), 'expected an object, but got a string'],
  ['a picture in other detail', said(user(sight({ url: pixel, detail: 'max' }))), "Invalid value: 'max'."],
  ['a picture', said(user(sight({ url: pixel, detail: 'low' }))), undefined],
  [
    'a picture for the system',
    said({ role: 'system', content: sight({ url: pixel }) }),
    "only allowed for messages with role 'user', but this message with role 'system'",
  ],
  [
    'no calls',
    said({ role: 'assistant', content: 'b', tool_calls: [] }, user('c')),
    "Invalid 'messages[1].tool_calls'",
  ],
  ['a function without a name', said({ role: 'function', content: 'b' }), "'messages[1].name'"],
  ['parts of nothing', said(user([])), "Invalid 'messages[1].content': empty array."],
  ['a name of two words', said({ ...user('b'), name: 'Bob B' }), "Invalid 'messages[1].name'"],
  ['a name', said({ ...user('b'), name: 'bob' }), undefined],
  ['a format as a word', chat({ response_format: 'json_object' }), "Invalid type for 'response_format'"],
  ['chances that nobody asked for', chat({ top_logprobs: 3 }), "only allowed when 'logprobs' is enabled"],
  ['21 chances', chat({ logprobs: true, top_logprobs: 21 }), 'Expected a value <= 20'],
  ['chances of GPT-5', reasons({ logprobs: true }), "Unsupported parameter: 'logprobs'"],
  ['an end of GPT-5', reasons({ stop: ['a'] }), "Unsupported parameter: 'stop'"],
  ['a penalty of GPT-5', reasons({ presence_penalty: 1 }), "Unsupported parameter: 'presence_penalty'"],
  ['five ends', chat({ stop: ['a', 'b', 'c', 'd', 'e'] }), 'maximum length 4'],
  ['four ends', chat({ stop: ['a', 'b', 'c', 'd'] }), undefined],
  ['an answer of nothing', chat({ max_completion_tokens: 0 }), 'Expected a value >= 1'],
  ['two limits', chat({ max_tokens: 5, max_completion_tokens: 5 }), 'at the same time'],
  ['a bias beyond the end', chat({ logit_bias: { 5: -101 } }), 'Expected a value >= -100'],
  ['a bias of a word', chat({ logit_bias: { word: 1 } }), "Invalid key in 'logit_bias'"],
  ['a penalty of 3', chat({ presence_penalty: 3 }), 'Expected a value <= 2'],
  ['a seed in words', chat({ seed: 'a' }), "Invalid type for 'seed'"],
  ['a tool with a long name', chat({ tools: [named('a'.repeat(65))] }), 'maximum length 64'],
  ['a tool of Responses', chat({ tools: [flat] }), "Missing required parameter: 'tools[0].function'."],
  ['129 tools', chat({ tools: Array.from({ length: 129 }, (_, index) => named(`t${index}`)) }), 'maximum length 128'],
  ['a choice of nothing', chat({ tool_choice: 'auto' }), "'tool_choice' is only allowed when 'tools' are specified"],
  ['calls side by side of nothing', chat({ parallel_tool_calls: false }), "'parallel_tool_calls' is only allowed"],
  [
    'sound of another kind',
    said(user([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }])),
    "Invalid value: 'ogg'.",
  ],
];

describe('shapes that are nearly right', () => {
  it.each(MESSAGES)('SI56: Anthropic, %s', async (_name, body, words) => {
    const response = await sendTo(simulator, '/v1/messages', body, OLD);
    expect([response.status, textOf(response)]).toEqual([
      words === undefined ? 200 : 400,
      expect.stringContaining(words ?? ''),
    ]);
  });

  it.each(RESPONSES)('SI56: Responses, %s', async (_name, body, words) => {
    const response = await sendTo(simulator, '/v1/responses', body, OPENAI);
    expect([response.status, textOf(response)]).toEqual([
      words === undefined ? 200 : 400,
      expect.stringContaining(words ?? ''),
    ]);
  });

  it.each(CHAT)('SI56: Chat, %s', async (_name, body, words) => {
    const response = await sendTo(simulator, '/v1/chat/completions', body, OPENAI);
    expect([response.status, textOf(response)]).toEqual([
      words === undefined ? 200 : 400,
      expect.stringContaining(words ?? ''),
    ]);
  });

  it('SI3: only the tools that are allowed are called', async () => {
    const tools = [flat, { ...flat, name: 'other' }];
    const choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'other' }] };
    const response = await sendTo(simulator, '/v1/responses', gpt({ tools, tool_choice: choice }), OPENAI);
    expect(JSON.parse(textOf(response))).toMatchObject({ output: [{ type: 'function_call', name: 'other' }] });
  });
});
