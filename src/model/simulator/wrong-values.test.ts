/** Values that are nearly right. The real APIs refuse them, and a typo that passes here would fail there. */
import { describe, expect, it } from 'vitest';
import { ANTHROPIC, newSimulator, OPENAI, sendTo, textOf } from './testing/simulate.ts';

const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';
const CHAT = '/v1/chat/completions';
const user = { role: 'user', content: 'a' };
const claude = { model: 'claude-sonnet-4-6', max_tokens: 100, messages: [user] };
const gpt = { model: 'gpt-5.2', input: 'a' };
const chat = { model: 'gpt-5.2', messages: [user] };
const tool = { name: 't', input_schema: { type: 'object' } };
const image = (url: string) => ({ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] });

const file = (type: string, data: string) => ({
  role: 'user',
  content: [{ type: 'document', source: { type: 'base64', media_type: type, data } }],
});
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 't', input: {} }] };
const result = (more: object) => ({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'r', ...more });
const once = [user, use, { role: 'user', content: [result({})] }];
const called = (more: object, times = 1) => ({
  ...claude,
  messages: [user, use, { role: 'user', content: Array.from({ length: times }, () => result(more)) }],
});
const thinking = { ...claude, max_tokens: 3000, thinking: { type: 'enabled', budget_tokens: 1024 } };

const drawn = (properties: object) => ({
  type: 'json_schema',
  schema: { type: 'object', properties, additionalProperties: false },
});
const picture = (type: string, data: string) => ({
  role: 'user',
  content: [{ type: 'image', source: { type: 'base64', media_type: type, data } }],
});

describe('what is nearly right', () => {
  it.each([
    ['a model with a dot', { ...claude, model: 'claude-haiku-4.5' }, 404, 'model: claude-haiku-4.5'],
    ['a snapshot of no day', { ...claude, model: 'claude-haiku-4-5-20251301' }, 404, 'claude-haiku-4-5-20251301'],
    ['a name for the latest', { ...claude, model: 'claude-haiku-4-5-latest' }, 404, 'claude-haiku-4-5-latest'],
    [
      'a user of 600 characters',
      { ...claude, metadata: { user_id: 'u'.repeat(600) } },
      400,
      'metadata.user_id: String',
    ],
    [
      'thoughts of a model before 3.7',
      { ...thinking, model: 'claude-3-5-haiku-20241022' },
      400,
      'does not support thinking',
    ],
    [
      'a size in a schema',
      { ...claude, output_config: { format: drawn({ a: { type: 'string', minLength: 2 } }) } },
      400,
      "For 'string' type, property minLength not supported",
    ],
    [
      'a begun answer along a schema',
      {
        ...claude,
        model: 'claude-sonnet-4-5',
        messages: [user, { role: 'assistant', content: '{' }],
        output_config: { format: drawn({}) },
      },
      400,
      'prefill',
    ],
    [
      'a picture of another type',
      { ...claude, messages: [picture('image/jpeg', 'iVBORw0KGgoAAAANSUhEUg==')] },
      400,
      'messages.0.content.0.image.source.base64: The image was specified using the image/jpeg media type, but the image appears to be a image/png image',
    ],
    ['a tool choice as a word', { ...claude, tools: [tool], tool_choice: 'auto' }, 400, 'tool_choice: Input should be'],
    ['a field of another wire', { ...claude, tools: [{ ...tool, parameters: {} }] }, 400, 'tools.0.custom.parameters:'],
    [
      'a misspelled tool type',
      { ...claude, tools: [{ type: 'web_serch_20250305', name: 'web_search' }] },
      400,
      'tools.0:',
    ],
    ['a tool of no day', { ...claude, tools: [{ type: 'web_search_20990101', name: 'web_search' }] }, 400, 'tools.0:'],
    ['a misspelled effort', { ...claude, output_config: { efort: 'low' } }, 400, 'output_config.efort: Extra inputs'],
    ['a temperature in words', { ...claude, temperature: '1' }, 400, 'temperature: Input should be a valid number'],
    ['a negative top_k', { ...claude, top_k: -1 }, 400, 'top_k: Input should be greater than or equal to 0'],
    [
      'an address of a file',
      { ...claude, messages: [image('ftp://host/a.png')] },
      400,
      'Only HTTPS URLs are supported',
    ],
    [
      'an edit that does not exist',
      { ...claude, context_management: { edits: [{ type: 'clear_all' }] } },
      400,
      'clear_all',
    ],
    [
      'adaptive thinking on Haiku 4.5',
      { ...claude, model: 'claude-haiku-4-5', thinking: { type: 'adaptive' } },
      400,
      'adaptive thinking',
    ],
    [
      'an answer begun for Opus 4.6',
      { ...claude, model: 'claude-opus-4-6', messages: [user, { role: 'assistant', content: '{' }] },
      400,
      'prefill',
    ],
    ['a field of a message', { ...claude, messages: [{ ...user, name: 'Bob' }] }, 400, 'messages.0.name: Extra inputs'],
    ['a field of a call', { ...claude, messages: [user, { ...use, index: 0 }] }, 400, 'Extra inputs'],
    ['a field of a result', called({ name: 't' }), 400, 'tool_result.name: Extra inputs are not permitted'],
    ['a system prompt of nothing', { ...claude, system: [{ type: 'text', text: '' }] }, 400, 'must be non-empty'],
    ['metadata of another wire', { ...claude, metadata: { trace: 'a' } }, 400, 'metadata.trace: Extra inputs'],
    ['two results of one call', called({}, 2), 400, 'Found multiple `tool_result` blocks with id: toolu_1'],
    ['an id that was used before', { ...claude, messages: [...once, ...once] }, 400, 'ids must be unique'],
    ['a file that is no PDF', { ...claude, messages: [file('application/msword', 'AAAA')] }, 400, 'application/pdf'],
    ['a file without a byte', { ...claude, messages: [file('application/pdf', '')] }, 400, 'document cannot be empty'],
    ['data that is no base64', { ...claude, messages: [file('application/pdf', '!?')] }, 400, 'Invalid base64 data'],
    ['a temperature while it thinks', { ...thinking, temperature: 0.5 }, 400, '`temperature` may only be set to 1'],
    ['two ways to sample', { ...claude, model: 'claude-haiku-4-5', temperature: 0.5, top_p: 0.5 }, 400, 'cannot both'],
    ['a shell of another name', { ...claude, tools: [{ type: 'bash_20250124', name: 'sh' }] }, 400, "'bash'"],
    ['only tools for later', { ...claude, tools: [{ ...tool, defer_loading: true }] }, 400, 'defer_loading=false'],
    [
      'a schema of one or the other',
      { ...claude, tools: [{ name: 't', input_schema: { type: 'object', oneOf: [] } }] },
      400,
      'does not support oneOf, allOf, or anyOf at the top level',
    ],
    [
      'an answer with any keys',
      { ...claude, output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      400,
      "'additionalProperties' must be explicitly set to false",
    ],
  ] as const)('SI56: %s', async (_name, body, status, words) => {
    const response = await sendTo(newSimulator(), MESSAGES, body, { ...ANTHROPIC, 'anthropic-version': '2023-06-01' });
    expect(response.status).toBe(status);
    expect(textOf(response)).toContain(words);
  });

  it.each([
    ['a summary', RESPONSES, { ...gpt, reasoning: { summary: 'loud' } }, "Invalid value: 'loud'"],
    ['a retention', RESPONSES, { ...gpt, prompt_cache_retention: '1h' }, "Invalid value: '1h'"],
    [
      'sampling while it reasons',
      RESPONSES,
      { ...gpt, temperature: 0.5, reasoning: { effort: 'low' } },
      "Unsupported parameter: 'temperature'",
    ],
    ['a truncation', RESPONSES, { ...gpt, truncation: 'yes' }, "Invalid value: 'yes'"],
    ['a word for true', RESPONSES, { ...gpt, store: 'yes' }, "Invalid type for 'store'"],
    ['an inclusion', RESPONSES, { ...gpt, include: ['reasoning.encrypted'] }, 'param=include[0]'],
    [
      'two histories',
      RESPONSES,
      { ...gpt, conversation: 'conv_1', previous_response_id: 'resp_1' },
      'Mutually exclusive',
    ],
    ['the old name of a limit', CHAT, { ...chat, max_tokens: 100 }, "Use 'max_completion_tokens' instead."],
    [
      'an effort of a model that does not reason',
      RESPONSES,
      { ...gpt, model: 'gpt-4.1', reasoning: { effort: 'low' } },
      'reasoning.effort',
    ],
    ['a temperature of GPT-5', CHAT, { ...chat, model: 'gpt-5', temperature: 0 }, 'Only the default (1) value'],
  ] as const)('SI56: OpenAI, %s', async (_name, path, body, words) => {
    const response = await sendTo(newSimulator(), path, body, OPENAI);
    expect(response.status).toBe(400);
    const { error } = JSON.parse(textOf(response)) as { error: { message: string; param: string | null } };
    expect(`${error.message} param=${error.param ?? ''}`).toContain(words);
  });

  it('SI56: a key in the wrong place is none, and a version must exist', async () => {
    for (const headers of [{ authorization: 'Basic abc' }, { 'x-api-key': 'k' }])
      expect((await sendTo(newSimulator(), RESPONSES, gpt, headers)).status).toBe(401);
    const strange = { ...ANTHROPIC, 'anthropic-version': '2025-99-99' };
    const response = await sendTo(newSimulator(), MESSAGES, claude, strange);
    expect(response.status).toBe(400);
    expect(textOf(response)).toContain('is not a valid version');
  });

  it('SI55: between calls a model may think longer than one answer', async () => {
    const body = { ...claude, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 10_000 }, tools: [tool] };
    const betas = { ...ANTHROPIC, 'anthropic-beta': 'interleaved-thinking-2025-05-14' };
    expect((await sendTo(newSimulator(), MESSAGES, body, betas)).status).toBe(200);
    expect((await sendTo(newSimulator(), MESSAGES, body, ANTHROPIC)).status).toBe(400);
  });

  it('SI50: a format at the top, as the first beta had it, is a format', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const body = { ...claude, output_format: { type: 'json_schema', schema } };
    const { content } = JSON.parse(textOf(await sendTo(newSimulator(), MESSAGES, body))) as {
      content: { text: string }[];
    };
    expect(JSON.parse(content[0]?.text ?? '')).toEqual({ a: expect.any(String) });
  });

  it('SI55: what is right is not caught with it', async () => {
    const own = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'bash_20250124', name: 'bash' },
      { ...tool, type: 'custom', strict: true, defer_loading: true },
    ];
    const bodies = [
      { ...claude, model: 'claude-haiku-4-5-20251001' },
      { ...claude, model: 'claude-haiku-4-5', messages: [user, { role: 'assistant', content: '{' }] },
      { ...claude, tools: own, tool_choice: { type: 'auto' } },
      { ...claude, temperature: null, top_k: 5, tool_choice: null },
      { ...claude, messages: [image('https://host/a.png')] },
      { ...claude, messages: [file('application/pdf', 'JVBERi0xLjQK'), user], stream: null },
      { ...claude, output_config: { effort: 'low', task_budget: { type: 'tokens', total: 20_000 } } },
    ];
    for (const body of bodies)
      expect(
        textOf(await sendTo(newSimulator(), MESSAGES, body, { ...ANTHROPIC, 'anthropic-version': '2023-06-01' })),
      ).toContain('"stop_reason"');
    expect((await sendTo(newSimulator(), CHAT, { ...chat, model: 'gpt-4o', max_tokens: 100 }, OPENAI)).status).toBe(
      200,
    );
    expect((await sendTo(newSimulator(), CHAT, { ...chat, model: 'anthropic/claude-haiku-4.5' }, OPENAI)).status).toBe(
      200,
    );
  });
});
