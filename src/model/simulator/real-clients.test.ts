import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelFacts } from '../provider/model-book.ts';
import { isServed } from './models.ts';
import { newSimulator, scenarioOf, sendTo, textOf } from './testing/simulate.ts';

const user = { role: 'user', content: 'a' };
const base = { model: 'claude-haiku-4-5', max_tokens: 10, messages: [user] };
const tool = { name: 't', input_schema: { type: 'object' } };
const call = { type: 'tool_use', id: 'toolu_1', name: 't', input: {} };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] };
const blank = { type: 'text', text: '\n\n' };
const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';

describe('what an answer leaves out', () => {
  it.each([false, true])('SI54: nothing is null that the real API leaves out, stream: %s', async (stream) => {
    const text = textOf(await sendTo(newSimulator(), MESSAGES, { ...base, stream }));
    expect(text).toContain('Yes.');
    expect(text).not.toMatch(/"(?:citations|container|diagnostics|server_tool_use)":/);
  });
});

describe('what is answered', () => {
  const ROWS: readonly [name: string, body: object][] = [
    [
      'adaptive thinking with a forced tool',
      {
        ...base,
        model: 'claude-opus-4-6',
        tools: [tool],
        tool_choice: { type: 'any' },
        thinking: { type: 'adaptive' },
      },
    ],
    ['an assistant first', { ...base, messages: [{ role: 'assistant', content: 'a' }, user] }],
    [
      'blank texts before a call',
      { ...base, tools: [tool], messages: [user, { role: 'assistant', content: [blank, call] }, result] },
    ],
    [
      'empty texts behind a call',
      {
        ...base,
        tools: [tool],
        messages: [user, { role: 'assistant', content: [call, { type: 'text', text: '' }] }, result],
      },
    ],
    [
      'two system messages in a row',
      {
        ...base,
        model: 'claude-opus-5',
        messages: [user, { role: 'system', content: 'b' }, { role: 'system', content: 'c' }],
      },
    ],
    ['compaction', { ...base, compaction: { type: 'auto' } }],
    ['fallbacks', { ...base, fallbacks: [{ model: 'claude-sonnet-4-6' }] }],
    ['context_management', { ...base, context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }],
    ['a model of before the book', { ...base, model: 'claude-sonnet-4-20250514' }],
  ];
  it.each(ROWS)('SI55: %s', async (_name, body) => {
    const response = await sendTo(newSimulator(), MESSAGES, body);
    expect(`${response.status} ${response.status === 200 ? '' : textOf(response)}`.trim()).toBe('200');
  });
});

describe('what is refused', () => {
  const sound = { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'a' } };
  const spoken = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [sound] }] };
  const chatCall = { id: 'c', type: 'function', function: { name: 't', arguments: '{}' } };
  const ROWS: readonly [name: string, path: string, body: object, status: number, words: string][] = [
    ['a misspelt Claude', MESSAGES, { ...base, model: 'claude-hiku-4-5' }, 404, 'not_found_error'],
    ['a misspelt version', MESSAGES, { ...base, model: 'claude-haiku-45' }, 404, 'model: claude-haiku-45'],
    ['a misspelt GPT', RESPONSES, { model: 'gpt-6-sool', input: 'a' }, 404, 'model_not_found'],
    [
      'a sound of a tool',
      MESSAGES,
      { ...base, tools: [tool], messages: [user, { role: 'assistant', content: [call] }, spoken] },
      400,
      "messages.2.content.0.tool_result.content.0: Input tag 'audio'",
    ],
    [
      'a sound of a function',
      RESPONSES,
      {
        model: 'gpt-6-sol',
        input: [
          { type: 'function_call', call_id: 'c', name: 't', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_audio' }] },
        ],
      },
      400,
      "Invalid value: 'input_audio'",
    ],
    [
      'a sound in a tool message',
      '/v1/chat/completions',
      {
        model: 'gpt-6-sol',
        messages: [
          user,
          { role: 'assistant', tool_calls: [chatCall] },
          { role: 'tool', tool_call_id: 'c', content: [{ type: 'input_audio' }] },
        ],
      },
      400,
      "Invalid value: 'input_audio'",
    ],
    ['an effort on Haiku 4.5', MESSAGES, { ...base, output_config: { effort: 'low' } }, 400, 'effort parameter'],
    [
      'xhigh on Opus 4.6',
      MESSAGES,
      { ...base, model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } },
      400,
      "effort level 'xhigh'. Supported levels: low, medium, high, max.",
    ],
    [
      'minimal on GPT-5.1',
      RESPONSES,
      { model: 'gpt-5.1', input: 'a', reasoning: { effort: 'minimal' } },
      400,
      "Supported values are: 'none', 'low', 'medium', 'high'.",
    ],
  ];
  it.each(ROWS)('SI56: %s', async (_name, path, body, status, words) => {
    const response = await sendTo(newSimulator(), path, body);
    expect(response.status).toBe(status);
    expect(textOf(response)).toContain(words);
  });

  it.each([
    [MESSAGES, base, { 'anthropic-version': '2026-10-21' }, 'authentication_error'],
    [RESPONSES, { model: 'gpt-6-sol', input: 'a' }, {}, "You didn't provide an API key"],
    [RESPONSES, { model: 'gpt-6-sol', input: 'a' }, { authorization: 'Bearer ' }, "You didn't provide an API key"],
  ])('SI56: %s without a key', async (path, body, headers, words) => {
    const response = await sendTo(newSimulator(), path, body, headers);
    expect(response.status).toBe(401);
    expect(textOf(response)).toContain(words);
  });
});

describe('thinking of a scenario', () => {
  it('SI4: with a budget an answer begins with thinking, also where the scenario says none, so that its call can go back', async () => {
    const scenario = scenarioOf(
      'rules: [{when: {last_role: user}, reply: {text: b, tool_calls: [{name: t, input: {}}]}}]',
    );
    const simulator = newSimulator({ scenario });
    const asked = { ...base, max_tokens: 2000, tools: [tool], thinking: { type: 'enabled', budget_tokens: 1024 } };
    const { content } = JSON.parse(textOf(await sendTo(simulator, MESSAGES, asked))) as {
      content: { type: string; id?: string }[];
    };
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: content[2]?.id, content: 'x' }] };
    const messages = [user, { role: 'assistant', content }, results];
    expect((await sendTo(simulator, MESSAGES, { ...asked, messages })).status).toBe(200);
  });
});

describe('models', () => {
  const names = (module: string, type: string): readonly string[] => {
    const types = readFileSync(new URL(`../../../node_modules/${module}`, import.meta.url), 'utf8');
    const [, union = ''] = new RegExp(`export type ${type} = ([^;]*);`).exec(types) ?? [];
    return [...union.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  };

  it('SI56: every model that the SDKs name is served, and the alias of a generation', () => {
    const openai = names('openai/resources/shared.d.ts', 'ChatModel');
    const claude = names('@anthropic-ai/sdk/resources/messages/messages.d.ts', 'Model');
    expect(Math.min(openai.length, claude.length)).toBeGreaterThan(20);
    const others = ['gpt-5.6', 'gpt-5.6-cyber', 'gpt-audio-mini-2025-12-15', 'computer-use-preview-2025-03-11'];
    expect([...openai, ...claude, ...others].filter((name) => !isServed(name, modelFacts(name)))).toEqual([]);
    const wrong = ['gpt-5.7', 'gpt-6.1-soll', 'gpt-5.6-pluto', 'gpt5.2', 'claude-opus-9', 'claude-haiku-4-5-lates'];
    expect(wrong.filter((name) => isServed(name, modelFacts(name)))).toEqual([]);
  });
});
