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

describe('what the OpenAI wires refuse', () => {
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
