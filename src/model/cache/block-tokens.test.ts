import { describe, expect, it } from 'vitest';
import { modelFacts } from '../provider/model-book.ts';
import { blockTexts, blockTokens, createBlockCounter, toolPromptTokens } from './block-tokens.ts';
import { assistant, type Fields, HAIKU, OPUS, request, text, thinking, tool, toolUse, user } from './testing/calls.ts';

const one = (block: Fields): string | undefined => blockTexts(request({ model: OPUS, messages: [user(block)] }))[0];

describe('what is counted', () => {
  const rows: readonly (readonly [Fields, string])[] = [
    [text('a "b"\n'), 'a "b"\n'],
    [thinking('hm'), 'hm'],
    [{ type: 'tool_use', id: 'x', name: 'look', input: { a: 1 } }, 'look {"a":1}'],
    [{ type: 'tool_result', tool_use_id: 'x', content: 'done' }, 'done'],
    [
      { type: 'tool_result', tool_use_id: 'x', content: [text('a'), { type: 'image', source: { data: 'AAAA' } }] },
      'a\n',
    ],
    [{ type: 'image', source: { type: 'base64', data: 'AAAA' } }, ''],
    [{ type: 'document', title: 't', source: { type: 'text', data: 'd' } }, 't\n\nd'],
    [{ type: 'document', source: { type: 'base64', data: 'AAAA' } }, ''],
    [{ type: 'new_kind', a: 1 }, '{"type":"new_kind","a":1}'],
  ];
  it.each(rows)('CA14: %j', (block, expected) => {
    expect(one(block)).toBe(expected);
  });

  it('CA14: tools as they are, instructions, calls and results of OpenAI', () => {
    expect(blockTexts(request({ model: OPUS, tools: [tool('a')] }))).toEqual([JSON.stringify(tool('a'))]);
    const input = [
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'r' },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'why' }], encrypted_content: 'zz' },
    ];
    expect(blockTexts(request({ model: 'gpt-6-sol', instructions: 'i "x"', input }, 'openai-responses'))).toEqual([
      'i "x"',
      'f {}',
      'r',
      'why',
    ]);
    const messages = [
      {
        role: 'assistant',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'r' },
    ];
    expect(blockTexts(request({ model: 'm', messages }, 'openai-chat'))).toEqual(['hm', 'f {}', '', 'r']);
  });
});

describe('how many', () => {
  it('CA15: rounded up per block, images beside', () => {
    const read = request({ model: HAIKU, messages: [user('a', { type: 'image', source: {} }, 'b')] });
    expect(blockTokens(read, [100, 0, 1], modelFacts(HAIKU))).toEqual([105, 1600, 2]);
  });

  it('CA16: hidden tokens of tools', () => {
    const facts = modelFacts(HAIKU);
    const body = { model: HAIKU, tools: [tool('a')] };
    expect(toolPromptTokens(request(body), facts)).toBe(496);
    const forced = request({ ...body, tool_choice: { type: 'any' }, messages: [user('one'), assistant('two')] });
    expect(toolPromptTokens(forced, facts)).toBe(496);
    expect(blockTokens(forced, [0, 0, 0], facts)).toEqual([0, 588 - 496, 0]);
    expect(toolPromptTokens(request({ model: HAIKU }), facts)).toBe(0);
    expect(
      toolPromptTokens(request({ model: 'claude-opus-5-5', tools: [tool('a')] }), modelFacts('claude-opus-5-5')),
    ).toBe(290);
    const gpt = { model: 'gpt-6-sol', tools: [{ type: 'function', name: 'a' }] };
    expect(toolPromptTokens(request(gpt, 'openai-responses'), modelFacts('gpt-6-sol'))).toBe(0);
  });

  it('CA15: a block is counted once', async () => {
    const asked: string[] = [];
    const count = createBlockCounter({
      count: (texts) => {
        asked.push(...texts);
        return Promise.resolve(texts.map((value) => value.length));
      },
    });
    const messages = [user('one'), assistant(toolUse('a'))];
    const first = request({ model: OPUS, messages });
    const second = request({ model: OPUS, messages: [...messages, user('three')] }, 'anthropic-messages', first);
    const facts = { ...modelFacts(OPUS), tokenFactor: 1 };
    expect(await count(first, facts)).toEqual([3, 7]);
    expect(await count(second, facts)).toEqual([3, 7, 5]);
    // The last item of the first body was scanned again, because its end is where the bodies part.
    expect(asked.filter((value) => value === 'one')).toHaveLength(1);
  });
});
