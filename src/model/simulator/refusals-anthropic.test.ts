import { describe, expect, it } from 'vitest';
import { ANTHROPIC, newSimulator, sendTo, textOf } from './testing/simulate.ts';

const user = { role: 'user', content: 'a' };
const base = { model: 'claude-haiku-4-5', max_tokens: 10, messages: [user] };
const tool = { name: 't', input_schema: { type: 'object' } };
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 't', input: {} }] };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] };
const failed = (content: unknown): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content, is_error: true }],
});
const marked = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } };
const without = (key: string): object => Object.fromEntries(Object.entries(base).filter(([name]) => name !== key));

/** Status, type and a part of the message. */
const ROWS: readonly [name: string, body: unknown, status: number, type: string, message: string][] = [
  ['wrong JSON', '{"model":', 400, 'invalid_request_error', 'not valid JSON'],
  ['an array', '[]', 400, 'invalid_request_error', 'not valid JSON'],
  ['no model', without('model'), 400, 'invalid_request_error', 'model: Field required'],
  ['an unknown model', { ...base, model: 'claud-3' }, 404, 'not_found_error', 'model: claud-3'],
  ['no max_tokens', without('max_tokens'), 400, 'invalid_request_error', 'max_tokens: Field required'],
  [
    'max_tokens as text',
    { ...base, max_tokens: '10' },
    400,
    'invalid_request_error',
    'max_tokens: Input should be a valid integer',
  ],
  ['too many max_tokens', { ...base, max_tokens: 64_001 }, 400, 'invalid_request_error', '64001 > 64000'],
  ['no messages', without('messages'), 400, 'invalid_request_error', 'messages: Field required'],
  ['empty messages', { ...base, messages: [] }, 400, 'invalid_request_error', 'at least one message is required'],
  [
    'a wrong role',
    { ...base, messages: [{ role: 'tool', content: 'a' }] },
    400,
    'invalid_request_error',
    'messages.0.role',
  ],
  [
    'empty content',
    { ...base, messages: [{ role: 'user', content: '' }] },
    400,
    'invalid_request_error',
    'messages.0: user messages must have non-empty content',
  ],
  [
    'an error without a word',
    { ...base, tools: [tool], messages: [user, use, failed('')] },
    400,
    'invalid_request_error',
    'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true',
  ],
  [
    'an error without blocks',
    { ...base, tools: [tool], messages: [user, use, failed([])] },
    400,
    'invalid_request_error',
    'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true',
  ],
  [
    'an error without content',
    { ...base, tools: [tool], messages: [user, use, failed(undefined)] },
    400,
    'invalid_request_error',
    'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true',
  ],
  [
    'an answer without a word that is not the last',
    { ...base, messages: [user, { role: 'assistant', content: '' }, user] },
    400,
    'invalid_request_error',
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
  ],
  [
    'an answer without blocks that is not the last',
    { ...base, messages: [user, { role: 'assistant', content: [] }, user] },
    400,
    'invalid_request_error',
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
  ],
  [
    'an empty text block',
    { ...base, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    400,
    'invalid_request_error',
    'text content blocks must be non-empty',
  ],
  [
    'a field that does not exist',
    { ...base, colour: 'red' },
    400,
    'invalid_request_error',
    'colour: Extra inputs are not permitted',
  ],
  [
    'a tool without a schema',
    { ...base, tools: [{ name: 't' }] },
    400,
    'invalid_request_error',
    'tools.0.custom.input_schema: Field required',
  ],
  [
    'a schema that is no object',
    { ...base, tools: [{ name: 't', input_schema: { type: 'string' } }] },
    400,
    'invalid_request_error',
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ],
  [
    'a tool name with a space',
    { ...base, tools: [{ ...tool, name: 'a b' }] },
    400,
    'invalid_request_error',
    'tools.0.custom.name: String should match pattern',
  ],
  [
    'two tools of one name',
    { ...base, tools: [tool, tool] },
    400,
    'invalid_request_error',
    'Tool names must be unique',
  ],
  ['a choice without tools', { ...base, tool_choice: { type: 'auto' } }, 400, 'invalid_request_error', 'tool_choice'],
  [
    'a choice of a tool that is not there',
    { ...base, tools: [tool], tool_choice: { type: 'tool', name: 'u' } },
    400,
    'invalid_request_error',
    "Tool 'u' not found",
  ],
  [
    'a call without its result',
    { ...base, messages: [user, use, user] },
    400,
    'invalid_request_error',
    '`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
  ],
  [
    'a call at the end',
    { ...base, messages: [user, use] },
    400,
    'invalid_request_error',
    '`tool_use` ids were found without `tool_result` blocks',
  ],
  [
    'a result without its call',
    { ...base, messages: [user, { role: 'assistant', content: 'a' }, result] },
    400,
    'invalid_request_error',
    'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1',
  ],
  ['a result at the start', { ...base, messages: [result] }, 400, 'invalid_request_error', 'unexpected `tool_use_id`'],
  [
    'a thinking budget that is too small',
    { ...base, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 100 } },
    400,
    'invalid_request_error',
    'greater than or equal to 1024',
  ],
  [
    'a thinking budget above max_tokens',
    { ...base, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    400,
    'invalid_request_error',
    '`max_tokens` must be greater than',
  ],
  [
    'a call without the thinking before it',
    {
      ...base,
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [tool],
      messages: [user, use, result],
    },
    400,
    'invalid_request_error',
    'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
  ],
  [
    'five markers',
    { ...base, system: [marked, marked, marked, marked, marked] },
    400,
    'invalid_request_error',
    'A maximum of 4 blocks with cache_control may be provided',
  ],
  [
    'a text of spaces',
    { ...base, messages: [{ role: 'user', content: [{ type: 'text', text: ' \n' }] }] },
    400,
    'invalid_request_error',
    'text content blocks must contain non-whitespace text',
  ],
  [
    'a block that does not exist',
    { ...base, messages: [{ role: 'user', content: [{ type: 'foo' }] }] },
    400,
    'invalid_request_error',
    "messages.0.content.0: Input tag 'foo' found using 'type' does not match any of the expected tags",
  ],
  [
    'a field of a text that does not exist',
    { ...base, messages: [{ role: 'user', content: [{ type: 'text', text: 'a', bar: 1 }] }] },
    400,
    'invalid_request_error',
    'messages.0.content.0.text.bar: Extra inputs are not permitted',
  ],
  [
    'an image of a type that no model reads',
    {
      ...base,
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'a' } }] },
      ],
    },
    400,
    'invalid_request_error',
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ],
  [
    'a result behind other words',
    {
      ...base,
      tools: [tool],
      messages: [user, use, { role: 'user', content: [{ type: 'text', text: 'a' }, ...result.content] }],
    },
    400,
    'invalid_request_error',
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
  ],
  [
    'a choice that does not exist',
    { ...base, tools: [tool], tool_choice: { type: 'always' } },
    400,
    'invalid_request_error',
    "tool_choice: Input tag 'always' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
  ],
  [
    'thinking with a tool that must be called',
    {
      ...base,
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [tool],
      tool_choice: { type: 'any' },
    },
    400,
    'invalid_request_error',
    'Thinking may not be enabled when tool_choice forces tool use.',
  ],
  [
    'thinking with an answer that is begun',
    {
      ...base,
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [user, { role: 'assistant', content: 'a' }],
    },
    400,
    'invalid_request_error',
    'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`',
  ],
  [
    'an answer that is begun and ends in a space',
    { ...base, messages: [user, { role: 'assistant', content: 'a ' }] },
    400,
    'invalid_request_error',
    'final assistant content cannot end with trailing whitespace',
  ],
  [
    'a kind of thinking that does not exist',
    { ...base, thinking: { type: 'on' } },
    400,
    'invalid_request_error',
    "thinking: Input tag 'on' found",
  ],
  [
    'an effort that does not exist',
    { ...base, output_config: { effort: 'ultra' } },
    400,
    'invalid_request_error',
    "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
  ],
  [
    'a service tier that does not exist',
    { ...base, service_tier: 'gold' },
    400,
    'invalid_request_error',
    "service_tier: Input should be 'auto' or 'standard_only'",
  ],
  [
    'a stop sequence of spaces',
    { ...base, stop_sequences: [' '] },
    400,
    'invalid_request_error',
    'stop_sequences: each stop sequence must contain non-whitespace',
  ],
  ['temperature', { ...base, temperature: 0 }, 400, 'invalid_request_error', 'temperature'],
  [
    'a prompt that is too long',
    { ...base, messages: [{ role: 'user', content: 'abcd'.repeat(200_000) }] },
    400,
    'invalid_request_error',
    'prompt is too long: 210000 tokens > 200000 maximum',
  ],
];

const asked = (block: object): object => ({ messages: [{ role: 'user', content: [block] }] });
const usedWith = (block: object): object => ({
  tools: [tool],
  messages: [user, { role: 'assistant', content: [{ type: 'tool_use', ...block }] }, result],
});

/** Beside a body that is taken. */
const TYPES: readonly [name: string, extra: object, message: string][] = [
  ['a stream as text', { stream: 'yes' }, 'stream: Input should be a valid boolean'],
  ['a speed that does not exist', { speed: 'warp' }, "speed: Input should be 'standard' or 'fast'"],
  ['a user that is no text', { metadata: { user_id: 5 } }, 'metadata.user_id: Input should be a valid string'],
  [
    'a message id that is no text',
    { diagnostics: { previous_message_id: 5 } },
    'diagnostics.previous_message_id: Input should be a valid string',
  ],
  [
    'another format',
    { output_config: { format: { type: 'xml' } } },
    "output_config.format.type: Input should be 'json_schema'",
  ],
  [
    'a format without a schema',
    { output_config: { format: { type: 'json_schema' } } },
    'output_config.format.schema: Field required',
  ],
  [
    'an image without data',
    asked({ type: 'image', source: { type: 'base64', media_type: 'image/png' } }),
    'base64.data: Field required',
  ],
  ['a document without a source', asked({ type: 'document' }), 'document.source: Field required'],
  [
    'thinking of a user',
    asked({ type: 'thinking', thinking: 'a', signature: 'b' }),
    'can only be in `assistant` messages',
  ],
  ['a call without an id', usedWith({ name: 't', input: {} }), 'tool_use.id: Field required'],
  [
    'a call with an odd id',
    usedWith({ id: 'a b', name: 't', input: {} }),
    "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  ['a result without an id', asked({ type: 'tool_result', content: 'x' }), 'tool_result.tool_use_id: Field required'],
  [
    'a result that is a number',
    {
      tools: [tool],
      messages: [user, use, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 5 }] }],
    },
    'tool_result.content: Input should be a valid string or array',
  ],
];

describe('types that the Messages API checks', () => {
  it.each(TYPES)('SI7: %s', async (_name, extra, message) => {
    const response = await sendTo(newSimulator(), '/v1/messages', { ...base, ...extra }, ANTHROPIC);
    expect([response.status, JSON.parse(textOf(response)).error.message]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });

  it('SI7: a thread is refused in the words that let the SDK continue without one', async () => {
    const response = await sendTo(newSimulator(), '/v1/messages', { ...base, thread: { type: 'create' } }, ANTHROPIC);
    expect(response.status).toBe(400);
    expect(JSON.parse(textOf(response)).error.details).toEqual({
      error_code: 'thread_unsupported_request',
      unsupported: ['thread'],
    });
  });
});

describe('what the Messages API refuses', () => {
  it.each(ROWS)('SI7: %s', async (_name, body, status, type, message) => {
    const response = await sendTo(newSimulator(), '/v1/messages', body);
    expect(response.status).toBe(status);
    expect(JSON.parse(textOf(response))).toEqual({
      type: 'error',
      error: { type, message: expect.stringContaining(message) },
      request_id: response.headers['request-id'],
    });
  });

  it('SI7: no version header, a wrong method, a wrong path', async () => {
    const simulator = newSimulator();
    expect(textOf(await sendTo(simulator, '/v1/messages', base, { 'x-api-key': 'k' }))).toContain(
      'anthropic-version: header is required',
    );
    expect((await simulator.handle({ method: 'GET', path: '/v1/messages', headers: ANTHROPIC, body: '' })).status).toBe(
      405,
    );
    expect((await sendTo(simulator, '/v1/completions', base)).status).toBe(404);
  });

  it('SI7: results may come in several messages, because messages of one role in a row are one turn', async () => {
    const call = (id: string): object => ({ type: 'tool_use', id, name: 't', input: {} });
    const answer = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
    const messages = [
      user,
      { role: 'assistant', content: [call('toolu_1'), call('toolu_2')] },
      { role: 'user', content: [answer('toolu_1')] },
      { role: 'user', content: [answer('toolu_2'), { type: 'text', text: 'b' }] },
    ];
    expect((await sendTo(newSimulator(), '/v1/messages', { ...base, tools: [tool], messages })).status).toBe(200);
  });

  it('SI7: a count takes nothing that is about an answer', async () => {
    const response = await sendTo(newSimulator(), '/v1/messages/count_tokens', base);
    expect(response.status).toBe(400);
    expect(textOf(response)).toContain('max_tokens: Extra inputs are not permitted');
    expect((await sendTo(newSimulator(), '/v1/messages/count_tokens', without('max_tokens'))).status).toBe(200);
  });

  it('SI7: the older version takes a temperature from 0 to 1 only', async () => {
    const older = { ...ANTHROPIC, 'anthropic-version': '2023-06-01' };
    const response = await sendTo(newSimulator(), '/v1/messages', { ...base, temperature: 2 }, older);
    expect(response.status).toBe(400);
    expect(textOf(response)).toContain('temperature: Input should be less than or equal to 1');
  });

  it('SI6: Anthropic’s list comes in pages', async () => {
    const simulator = newSimulator();
    const list = async (query: string): Promise<{ data: { id: string }[]; has_more: boolean; last_id: string }> =>
      JSON.parse(
        textOf(await simulator.handle({ method: 'GET', path: `/v1/models${query}`, headers: ANTHROPIC, body: '' })),
      ) as { data: { id: string }[]; has_more: boolean; last_id: string };
    const all = await list('?limit=1000');
    expect(all.has_more).toBe(false);
    const ids: string[] = [];
    let page = await list('?limit=4');
    for (;;) {
      ids.push(...page.data.map(({ id }) => id));
      if (!page.has_more) break;
      page = await list(`?limit=4&after_id=${page.last_id}`);
    }
    expect(ids).toEqual(all.data.map(({ id }) => id));
    const back = await list(`?limit=2&before_id=${ids[3]}`);
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect(back.has_more).toBe(true);
    expect((await list('?limit=0')).data).toBeUndefined();
    expect((await simulator.handle({ method: 'GET', path: '/v1/models/%', headers: ANTHROPIC, body: '' })).status).toBe(
      404,
    );
  });

  it('SI7: the older version takes a temperature', async () => {
    expect(
      (
        await sendTo(
          newSimulator(),
          '/v1/messages',
          { ...base, temperature: 0 },
          { ...ANTHROPIC, 'anthropic-version': '2023-06-01' },
        )
      ).status,
    ).toBe(200);
  });

  it('SI7: what is right is taken: calls with results, a string as system, a message of an assistant that is empty', async () => {
    const messages = [user, use, result, { role: 'assistant', content: 'a' }, user];
    const empty = { role: 'assistant', content: '' };
    const silent = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '' }] };
    for (const taken of [messages, [...messages, empty], [user, use, silent], [user, use, failed('no')]]) {
      const body = { ...base, tools: [tool], system: 's', messages: taken };
      expect((await sendTo(newSimulator(), '/v1/messages', body)).status).toBe(200);
    }
  });
});
