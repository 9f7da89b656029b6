import { describe, expect, it } from 'vitest';
import { newSimulator, OPENAI, sendTo, textOf } from './testing/simulate.ts';

const user = { role: 'user', content: 'a' };

const ROWS: readonly [name: string, path: string, body: unknown, status: number, message: string][] = [
  ['wrong JSON', '/v1/responses', '{', 400, 'could not parse the JSON body'],
  ['no model', '/v1/responses', { input: 'a' }, 400, 'you must provide a model parameter'],
  ['Claude', '/v1/responses', { model: 'claude-haiku-4-5', input: 'a' }, 404, 'does not exist'],
  [
    'a parameter that does not exist',
    '/v1/responses',
    { model: 'gpt-6-sol', input: 'a', foo: 1 },
    400,
    "Unknown parameter: 'foo'.",
  ],
  [
    'too little output',
    '/v1/responses',
    { model: 'gpt-6-sol', input: 'a', max_output_tokens: 5 },
    400,
    'Expected a value >= 16, but got 5 instead.',
  ],
  [
    'an effort that does not exist',
    '/v1/responses',
    { model: 'gpt-6-sol', input: 'a', reasoning: { effort: 'ultra' } },
    400,
    "Invalid value: 'ultra'.",
  ],
  [
    'an input of another type',
    '/v1/responses',
    { model: 'gpt-6-sol', input: 5 },
    400,
    "Invalid type for 'input': expected one of a string or array of input items, but got an integer instead.",
  ],
  [
    'a forced call without tools',
    '/v1/responses',
    { model: 'gpt-6-sol', input: 'a', tool_choice: 'required' },
    400,
    "'tool_choice' is only allowed when 'tools' are specified",
  ],
  [
    'a forced call without tools',
    '/v1/chat/completions',
    { model: 'gpt-6-sol', messages: [user], tool_choice: 'required' },
    400,
    "'tool_choice' is only allowed when 'tools' are specified",
  ],
  ['no input', '/v1/responses', { model: 'gpt-6-sol' }, 400, "Missing required parameter: 'input'."],
  [
    'a wrong role',
    '/v1/responses',
    { model: 'gpt-6-sol', input: [{ role: 'tool', content: 'a' }] },
    400,
    "Invalid value: 'tool'",
  ],
  [
    'a call without output',
    '/v1/responses',
    { model: 'gpt-6-sol', input: [{ type: 'function_call', call_id: 'c', name: 't', arguments: '{}' }] },
    400,
    'No tool output found for function call c.',
  ],
  [
    'an earlier response',
    '/v1/responses',
    { model: 'gpt-6-sol', input: 'a', previous_response_id: 'resp_1' },
    400,
    "Previous response with id 'resp_1' not found.",
  ],
  [
    'breakpoints before 5.6',
    '/v1/responses',
    { model: 'gpt-5.1', input: 'a', prompt_cache_options: { mode: 'explicit' } },
    400,
    'prompt_cache_options',
  ],
  ['no messages', '/v1/chat/completions', { model: 'gpt-6-sol' }, 400, "Missing required parameter: 'messages'."],
  [
    'a wrong schema',
    '/v1/chat/completions',
    {
      model: 'gpt-6-sol',
      messages: [user],
      tools: [{ type: 'function', function: { name: 't', parameters: { type: 'array' } } }],
    },
    400,
    "Invalid schema for function 't'",
  ],
  [
    'a result without its call',
    '/v1/chat/completions',
    { model: 'gpt-6-sol', messages: [{ role: 'tool', tool_call_id: 'c', content: '' }] },
    400,
    "must be a response to a preceeding message with 'tool_calls'",
  ],
];

const said = (...content: unknown[]): object => ({ input: content });
const part = (role: string, content: unknown): object => ({ role, content: [content] });
const strict = (parameters: object): object => ({
  tools: [{ type: 'function', name: 't', strict: true, parameters }],
});
const called = (given: unknown): object => ({
  messages: [
    user,
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 't', arguments: given } }] },
    { role: 'tool', tool_call_id: 'c', content: 'x' },
  ],
});

/** Beside a body that is taken. */
const RESPONSES: readonly [name: string, extra: object, message: string][] = [
  ['a part of Chat', said(part('user', { type: 'text', text: 'a' })), "Invalid value: 'text'."],
  [
    'a part of a user from the model',
    said(user, part('assistant', { type: 'input_text', text: 'a' }), user),
    "Invalid value: 'input_text'. Supported values are: 'output_text', 'refusal'.",
  ],
  ['a part of the model from a user', said(part('user', { type: 'output_text', text: 'a' })), "'output_text'"],
  ['a text without one', said(part('user', { type: 'input_text' })), "'input[0].content[0].text'"],
  [
    'a breakpoint on what the model said',
    said(user, part('assistant', { type: 'output_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } })),
    "Unknown parameter: 'input[1].content[0].prompt_cache_breakpoint'.",
  ],
  ['an item of no type that there is', said({ type: 'nonsense' }), "Invalid value: 'nonsense'."],
  ['a message without content', said({ role: 'user' }), "Missing required parameter: 'input[0].content'."],
  ['a call without an id', said({ type: 'function_call', name: 't', arguments: '{}' }), "'input[0].call_id'"],
  ['a temperature of 3', { temperature: 3 }, 'Expected a value <= 2, but got 3 instead.'],
  ['a negative top_p', { top_p: -1 }, 'Expected a value >= 0, but got -1 instead.'],
  ['a verbosity that does not exist', { text: { verbosity: 'x' } }, "Supported values are: 'low', 'medium', 'high'."],
  ['a tier that does not exist', { service_tier: 'x' }, "Invalid value: 'x'."],
  ['a stream as text', { stream: 'yes' }, "Invalid type for 'stream': expected a boolean, but got a string instead."],
  ['metadata that is no text', { metadata: { a: 5 } }, "Invalid type for 'metadata.a'"],
  ['a tool of no type that there is', { tools: [{ type: 'zzz' }] }, "Invalid value: 'zzz'."],
  ['a tool without a type', { tools: [{ name: 't' }] }, "Missing required parameter: 'tools[0].type'."],
  ['a choice that does not exist', { tool_choice: 'maybe' }, "Invalid value: 'maybe'."],
  [
    'a choice of another tool',
    { tools: [{ type: 'function', name: 't' }], tool_choice: { type: 'function', name: 'z' } },
    "Tool choice 'function' not found in 'tools' parameter.",
  ],
  [
    'a strict schema that takes other keys',
    strict({ type: 'object', properties: {} }),
    "Invalid schema for function 't': In context=(), 'additionalProperties' is required to be supplied and to be false.",
  ],
  [
    'a strict schema with a key that may be left out',
    strict({ type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false }),
    "Missing 'a'.",
  ],
  ['a format without a name', { text: { format: { type: 'json_schema', schema: {} } } }, "'text.format.name'"],
  ['a format without a schema', { text: { format: { type: 'json_schema', name: 'n' } } }, "'text.format.schema'"],
  ['JSON that nobody speaks of', { text: { format: { type: 'json_object' } } }, "must contain the word 'json'"],
];

const CHAT: readonly [name: string, extra: object, message: string][] = [
  [
    'a user without content',
    { messages: [{ role: 'user' }] },
    "Invalid value for 'content': expected a string, got null.",
  ],
  [
    'an answer of nothing',
    { messages: [user, { role: 'assistant', content: null }, user] },
    "Invalid value for 'content'",
  ],
  [
    'a part of Responses',
    { messages: [part('user', { type: 'input_text', text: 'a' })] },
    "Invalid value: 'input_text'.",
  ],
  ['arguments as an object', called({}), 'expected a string, but got an object instead.'],
  ['a parameter that does not exist', { foo: 1 }, 'Unrecognized request argument supplied: foo'],
  [
    'options of a stream without one',
    { stream_options: { include_usage: true } },
    "only allowed when 'stream' is enabled",
  ],
  ['no tools in a list', { tools: [] }, "Invalid 'tools': empty array."],
  ['no choice at all', { n: 0 }, "Invalid 'n': integer below minimum value."],
  ['JSON that nobody speaks of', { response_format: { type: 'json_object' } }, "must contain the word 'json'"],
  [
    'a format without a name',
    { response_format: { type: 'json_schema', json_schema: { schema: {} } } },
    "'response_format.json_schema.name'",
  ],
];

describe('what the OpenAI wires refuse', () => {
  it.each(RESPONSES)('SI7: %s on Responses', async (_name, extra, message) => {
    const body = { model: 'gpt-6-sol', input: 'a', ...extra };
    const response = await sendTo(newSimulator(), '/v1/responses', body, OPENAI);
    expect([response.status, textOf(response)]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each(CHAT)('SI7: %s on Chat', async (_name, extra, message) => {
    const body = { model: 'gpt-6-sol', messages: [user], ...extra };
    const response = await sendTo(newSimulator(), '/v1/chat/completions', body, OPENAI);
    expect([response.status, textOf(response)]).toEqual([400, expect.stringContaining(message)]);
  });

  it('SI7: a router takes parameters that OpenAI does not have', async () => {
    const body = { model: 'anthropic/claude-sonnet-4.5', messages: [user], usage: { include: true }, tools: [] };
    expect((await sendTo(newSimulator(), '/v1/chat/completions', body, OPENAI)).status).toBe(200);
  });

  it.each(ROWS)('SI7: %s on %s', async (_name, path, body, status, message) => {
    const response = await sendTo(newSimulator(), path, body, OPENAI);
    expect(response.status).toBe(status);
    expect(JSON.parse(textOf(response))).toEqual({
      error: {
        message: expect.stringContaining(message),
        type: 'invalid_request_error',
        param: expect.toSatisfy((value) => value === null || typeof value === 'string'),
        code: expect.toSatisfy((value) => value === null || typeof value === 'string'),
      },
    });
    expect(response.headers['x-request-id']).toMatch(/^req_/);
  });
});
