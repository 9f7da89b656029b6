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

  it('CA15: an image costs its pixels, where its data tells them', () => {
    const word = (value: number): readonly number[] => [value >> 8, value & 255];
    const reversed = (value: number): readonly number[] => [value & 255, value >> 8];
    const bytes = (...parts: readonly (string | number | readonly number[])[]): readonly number[] =>
      parts.flatMap((part) => (typeof part === 'string' ? Array.from(Buffer.from(part, 'latin1')) : part));
    const png = (w: number, h: number) =>
      bytes('\x89PNG\r\n\x1a\n', 0, 0, 0, 13, 'IHDR', 0, 0, word(w), 0, 0, word(h), 8, 6, 0, 0, 0);
    // A segment of 20 bytes comes before the one with the size.
    const jpeg = (w: number, h: number) =>
      bytes('\xff\xd8\xff\xe0', word(20), '.'.repeat(18), '\xff\xc2', word(17), 8, word(h), word(w), 3, 1, 0x22, 0);
    const gif = (w: number, h: number) => bytes('GIF89a', reversed(w), reversed(h), 0);
    const webp = (w: number, h: number) =>
      bytes('RIFF', 1, 0, 0, 0, 'WEBPVP8 ', 1, 0, 0, 0, 0, 0, 0, '\x9d\x01\x2a', reversed(w), reversed(h));
    const image = (data: readonly number[]): Fields => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/x', data: Buffer.from(data).toString('base64') },
    });
    const tokens = (...blocks: readonly Fields[]): readonly number[] => {
      const read = request({ model: HAIKU, messages: [user(...blocks)] });
      return blockTokens(
        read,
        read.blocks.map(() => 0),
        modelFacts(HAIKU),
      );
    };
    // 128 × 128 ÷ 750 = 21.8; 1,000 × 750 ÷ 750; 3,136 × 1,568 is seen at 1,568 × 784.
    expect(tokens(image(png(128, 128)), image(jpeg(1_000, 750)), image(gif(750, 2)), image(webp(150, 50)))).toEqual([
      22, 1_000, 2, 10,
    ]);
    expect(tokens(image(png(3_136, 1_568)), image(png(1_568, 1_568)))).toEqual([1_600, 1_600]);
    expect(tokens(image(png(3_136, 784)))).toEqual([820]);
    const nested = { type: 'tool_result', tool_use_id: 'x', content: [image(png(128, 128)), image(png(150, 50))] };
    expect(tokens(nested, { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } })).toEqual([
      32, 1_600,
    ]);
    expect(tokens(image(png(0, 5)), image(bytes('\x89PNG\r\n\x1a\n')))).toEqual([1_600, 1_600]);
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
