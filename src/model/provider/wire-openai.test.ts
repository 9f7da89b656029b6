import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { at, FIVE, holders, request, result, text, TOOLS, use } from './testing/requests.ts';
import { toWire } from './to-wire.ts';
import { WIRES, type Block, type CanonicalRequest, type Ttl } from './types.ts';

const conversation = [
  { role: 'user', content: [text('Hello')] },
  { role: 'assistant', content: [text('I look.'), use('c1', 'read_file', { path: 'a' }), use('c2', 'grep_files', {})] },
  { role: 'user', content: [text('also'), result('c1', 'A'), result('c2', 'B', true)] },
] as const;

describe('the Responses wire', () => {
  const write = (more: Partial<CanonicalRequest> = {}) =>
    toWire(request({ model: 'gpt-6-sol', ...more }), 'openai-responses');

  it('PV1, PV20, PV21, PV23, PV24, PV26: writes this body, in this order', () => {
    const wire = write({ messages: conversation, previousResponseId: 'resp_1' });
    expect(wire.path).toBe('/responses');
    expect(JSON.stringify(wire.body)).toBe(
      JSON.stringify({
        model: 'gpt-6-sol',
        max_output_tokens: 4096,
        stream: true,
        store: false,
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'key-1',
        tools: TOOLS.map(({ name, description, inputSchema }) => ({
          type: 'function',
          name,
          description,
          parameters: inputSchema,
          strict: false,
        })),
        input: [
          {
            type: 'message',
            role: 'developer',
            content: [
              { type: 'input_text', text: 'You are useful.', prompt_cache_breakpoint: { mode: 'explicit' } },
              { type: 'input_text', text: 'Today is Friday.' },
            ],
          },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
          { type: 'function_call', call_id: 'c1', name: 'read_file', arguments: '{"path":"a"}' },
          { type: 'function_call', call_id: 'c2', name: 'grep_files', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: 'A' },
          { type: 'function_call_output', call_id: 'c2', output: 'B' },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'also' }] },
        ],
        prompt_cache_options: { mode: 'explicit', comparison_response_id: 'resp_1' },
      }),
    );
    expect([at(wire, wire.places.stable), at(wire, wire.places.volatile)]).toEqual([
      'You are useful.',
      'Today is Friday.',
    ]);
    expect(at(wire, wire.places.messages[2]?.[0])).toEqual({ type: 'input_text', text: 'also' });
    expect(at(wire, wire.places.messages[1]?.[2])).toMatchObject({ call_id: 'c2' });
  });

  it.each<[CanonicalRequest['cache']['mode'], markers: number, options: Json | undefined]>([
    ['static', 1, { mode: 'explicit' }],
    ['rolling', 1, undefined],
    ['automatic', 0, undefined],
    ['off', 0, { mode: 'explicit' }],
  ])('PV21: %s has %i markers and the options %j', (mode, markers, options) => {
    const { body } = write({ cache: { mode, ttl: FIVE } });
    expect(holders(body, 'prompt_cache_breakpoint')).toHaveLength(markers);
    expect(body['prompt_cache_options']).toEqual(options);
  });

  it('PV21: a model without breakpoints is sent none of these fields', () => {
    const { body } = write({ model: 'gpt-5.4', previousResponseId: 'resp_1' });
    expect(holders(body, 'prompt_cache_breakpoint')).toEqual([]);
    expect(body).not.toHaveProperty('prompt_cache_options');
    expect(body['prompt_cache_key']).toBe('key-1');
  });

  type Row = [mode: 'static' | 'rolling', system: Ttl, messages: Ttl, own: Json, options: Json | undefined];
  it.each<Row>([
    ['static', '1h', '5m', { mode: 'explicit', ttl: '12h' }, { mode: 'explicit' }],
    ['static', '5m', '1h', { mode: 'explicit' }, { mode: 'explicit' }],
    ['rolling', '1h', '1h', { mode: 'explicit' }, { ttl: '12h' }],
    ['rolling', '5m', '1h', { mode: 'explicit', ttl: '30m' }, { ttl: '12h' }],
  ])('PV22: %s, system %s, messages %s: %j, %j', (mode, system, messages, own, options) => {
    const { body } = write({ cache: { mode, ttl: { tools: '5m', system, messages } } });
    expect(body['input']).toMatchObject([{ content: [{ prompt_cache_breakpoint: own }, {}] }, {}]);
    expect(body['prompt_cache_options']).toEqual(options);
  });

  it('PV23: there is nothing to compare with on the first call', () => {
    expect(write({ previousResponseId: null }).body['prompt_cache_options']).toEqual({ mode: 'explicit' });
  });

  it('PV3, PV24: an item that came goes back as it came, in its place', () => {
    const raw = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'xyz' };
    const thought: Block = { type: 'thinking', text: '', wire: 'openai-responses', raw };
    const { body } = write({
      messages: [{ role: 'assistant', content: [thought, use('c1', 'x', 'not json'), text('a'), text('b')] }],
    });
    expect((body['input'] as Json[]).slice(1)).toEqual([
      raw,
      // PV5
      { type: 'function_call', call_id: 'c1', name: 'x', arguments: 'not json' },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'output_text', text: 'b' },
        ],
      },
    ]);
  });

  it('PV24: an answer goes back as one message for each phase; other wires do not know them', () => {
    const said = (words: string, phase: string): Block => ({ type: 'text', text: words, phase });
    const content = [said('a', 'commentary'), said('b', 'commentary'), said('c', 'final_answer'), text('d')];
    const messages = [{ role: 'assistant', content }] as const;
    const wire = write({ messages });
    const parts = (...words: readonly string[]): Json => words.map((word) => ({ type: 'output_text', text: word }));
    expect((wire.body['input'] as Json[]).slice(1)).toEqual([
      { type: 'message', role: 'assistant', phase: 'commentary', content: parts('a', 'b') },
      { type: 'message', role: 'assistant', phase: 'final_answer', content: parts('c') },
      { type: 'message', role: 'assistant', content: parts('d') },
    ]);
    expect(wire.places.messages[0]?.map((place) => at(wire, place))).toEqual(parts('a', 'b', 'c', 'd'));
    for (const other of ['anthropic-messages', 'openai-chat'] as const)
      expect(holders(toWire(request({ messages }), other).body, 'phase')).toEqual([]);
  });

  it.each<[Partial<CanonicalRequest>, Json | undefined]>([
    [{}, undefined],
    [{ effort: 'high' }, { effort: 'high' }],
    [{ thinking: { mode: 'adaptive' } }, { summary: 'auto' }],
    [
      { thinking: { mode: 'adaptive' }, effort: 'minimal' },
      { effort: 'minimal', summary: 'auto' },
    ],
    [{ thinking: { mode: 'off' }, effort: 'high' }, { effort: 'none' }],
    [{ model: 'gpt-4o', effort: 'high' }, undefined],
    [{ model: 'o3', effort: 'high' }, { effort: 'high' }],
  ])('PV25: %j gives %j', (more, reasoning) => {
    expect(write(more).body['reasoning']).toEqual(reasoning);
  });

  it('PV24: a model that does not think is not asked for its thoughts; images are data URLs', () => {
    const { body } = write({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }] }],
    });
    expect(body).not.toHaveProperty('include');
    expect(body['input']).toMatchObject([{}, { content: [{ image_url: 'data:image/png;base64,AA==' }] }]);
  });
});

describe('the chat wire', () => {
  const write = (more: Partial<CanonicalRequest> = {}, provider: 'compatible' | 'openrouter' = 'compatible') =>
    toWire(request({ model: 'qwen3:8b', ...more }), 'openai-chat', { provider });

  it.each([
    ['qwen3:8b', 'max_tokens'],
    ['gpt-4o', 'max_tokens'],
    ['gpt-6-luna', 'max_completion_tokens'],
    ['o4-mini', 'max_completion_tokens'],
    ['openai/gpt-6-luna', 'max_tokens'],
  ])('PV88: %s gets its limit as %s', (model, field) => {
    const { body } = write({ model });
    expect(Object.keys(body).filter((key) => key.startsWith('max_'))).toEqual([field]);
  });

  it('PV1, PV30, PV31, PV33: writes this body for a server, in this order', () => {
    const wire = write({ messages: conversation, effort: 'low' });
    expect(wire.path).toBe('/chat/completions');
    expect(JSON.stringify(wire.body)).toBe(
      JSON.stringify({
        model: 'qwen3:8b',
        max_tokens: 4096,
        stream: true,
        stream_options: { include_usage: true },
        reasoning_effort: 'low',
        tools: TOOLS.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: { name, description, parameters: inputSchema },
        })),
        messages: [
          { role: 'system', content: 'You are useful.\n\nToday is Friday.' },
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: 'I look.',
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
              { id: 'c2', type: 'function', function: { name: 'grep_files', arguments: '{}' } },
            ],
          },
          { role: 'tool', content: 'A', tool_call_id: 'c1' },
          { role: 'tool', content: 'B', tool_call_id: 'c2' },
          { role: 'user', content: 'also' },
        ],
      }),
    );
    expect([at(wire, wire.places.stable), at(wire, wire.places.volatile)]).toEqual([
      'You are useful.',
      'Today is Friday.',
    ]);
    expect(wire.places.messages.map((message) => message.map((place) => at(wire, place)))).toEqual([
      ['Hello'],
      ['I look.', expect.objectContaining({ id: 'c1' }), expect.objectContaining({ id: 'c2' })],
      ['also', 'A', 'B'],
    ]);
  });

  it('PV31: parts, images, and calls without text', () => {
    const wire = write({
      messages: [
        { role: 'user', content: [text('a'), { type: 'image', mediaType: 'image/png', data: 'AA==' }] },
        { role: 'assistant', content: [use('c', 'x', '{"a')] },
        { role: 'assistant', content: [text('a'), text('b')] },
      ],
    });
    expect((wire.body['messages'] as Json[]).slice(1)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        // PV5
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'x', arguments: '{"INVALID_JSON":"{\\"a"}' } }],
      },
      { role: 'assistant', content: 'ab' },
    ]);
    expect(wire.places.messages[2]?.map((place) => at(wire, place))).toEqual(['a', 'b']);
  });

  it('PV31: an answer that was cut off while it thought has an empty text, because only beside calls there may be none', () => {
    const thought: Block = { type: 'thinking', text: 'Hm', wire: 'openai-chat', raw: { reasoning: 'Hm' } };
    const wire = write({ messages: [{ role: 'assistant', content: [thought] }] });
    expect((wire.body['messages'] as Json[])[1]).toEqual({ role: 'assistant', content: '', reasoning: 'Hm' });
    expect(at(wire, wire.places.messages[0]?.[0])).toBe('Hm');
  });

  it('PV3: only for Claude by OpenRouter a string of spaces is left out', () => {
    const messages = [
      { role: 'assistant', content: [text('\n\n'), use('c', 'x', {})] },
      { role: 'user', content: [result('c', ' ')] },
    ] as const;
    const system = { stable: ' ', volatile: '\n' };
    const cache = { mode: 'rolling', ttl: FIVE } as const;
    const claude = write({ model: 'anthropic/claude-haiku-4.5', messages, system, cache }, 'openrouter');
    expect(claude.body['messages']).toMatchObject([
      { role: 'assistant', content: null },
      { role: 'tool', content: '' },
    ]);
    expect(claude.places).toMatchObject({ stable: undefined, volatile: undefined });
    expect(holders(claude.body, 'cache_control')).toEqual(['/tools/1']);
    expect(write({ messages }).body['messages']).toMatchObject([{}, { content: '\n\n' }, { content: ' ' }]);
  });

  it('PV30: Claude by OpenRouter gets arrays with the same markers', () => {
    const wire = write(
      {
        model: 'anthropic/claude-haiku-4.5',
        cache: { mode: 'rolling', ttl: { tools: '5m', system: '1h', messages: '5m' } },
        messages: [...conversation, { role: 'user', content: [result('c3', '')] }],
        sessionId: 's-1',
      },
      'openrouter',
    );
    expect(holders(wire.body, 'cache_control')).toEqual(['/tools/1', '/messages/0/content/0', '/messages/5/content/0']);
    expect(wire.body).toMatchObject({
      session_id: 's-1',
      tools: [{}, { cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'system', content: [{ cache_control: { ttl: '1h' } }, { type: 'text', text: 'Today is Friday.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        { role: 'assistant', content: [{ text: 'I look.' }] },
        { role: 'tool', content: [{ text: 'A' }] },
        { role: 'tool', content: [{ text: 'B' }] },
        { role: 'user', content: [{ text: 'also', cache_control: { type: 'ephemeral' } }] },
        { role: 'tool', content: '' },
      ],
    });
    expect(wire.body).not.toHaveProperty('stream_options');
    expect(at(wire, wire.places.stable)).toBe('You are useful.');
    expect(at(wire, wire.places.volatile)).toBe('Today is Friday.');
    expect(at(wire, wire.places.messages[2]?.[1])).toEqual({ type: 'text', text: 'A' });
  });

  it('PV30: automatic is the top-level marker, and only there', () => {
    const cache = { mode: 'automatic', ttl: FIVE } as const;
    expect(holders(write({ model: 'anthropic/claude-opus-5', cache }, 'openrouter').body, 'cache_control')).toEqual([
      '',
    ]);
    expect(holders(write({ cache }).body, 'cache_control')).toEqual([]);
    expect(holders(write({ model: 'anthropic/claude-opus-5' }).body, 'cache_control')).toEqual([]);
  });

  it.each<[Partial<CanonicalRequest>, Json | undefined]>([
    [{}, undefined],
    [{ effort: 'high', thinking: { mode: 'adaptive' } }, { effort: 'high' }],
    [{ thinking: { mode: 'adaptive' } }, { enabled: true }],
    [{ thinking: { mode: 'budget', tokens: 2000 } }, { max_tokens: 2000 }],
    [{ thinking: { mode: 'off' }, effort: 'high' }, { enabled: false }],
  ])('PV32: OpenRouter with %j gets reasoning %j', (more, reasoning) => {
    expect(write(more, 'openrouter').body['reasoning']).toEqual(reasoning);
  });

  it('PV32: a key of the cache for OpenAI behind OpenRouter', () => {
    expect(write({ model: 'openai/gpt-6-sol' }, 'openrouter').body['prompt_cache_key']).toBe('key-1');
    expect(write({}, 'openrouter').body).not.toHaveProperty('prompt_cache_key');
  });

  it('PV34: thinking goes back in the fields in which it came', () => {
    const raw = { reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 's' }] };
    const wire = write(
      {
        messages: [
          { role: 'assistant', content: [{ type: 'thinking', text: 'Hm', wire: 'openai-chat', raw }, text('Hi')] },
        ],
      },
      'openrouter',
    );
    expect((wire.body['messages'] as Json[])[1]).toEqual({ role: 'assistant', content: 'Hi', ...raw });
    expect(at(wire, wire.places.messages[0]?.[0])).toEqual(raw.reasoning_details);
  });
});

describe('on every wire', () => {
  const block = fc.oneof(
    fc.string().map(text),
    fc.string().map((id) => use(id, 'x', { a: id })),
    fc.string().map((id) => result(id, id)),
    fc.constantFrom<Block>({ type: 'opaque', wire: 'openai-chat', raw: { extra: 1 } }),
  );
  const messages = fc.array(
    fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: fc.array(block) }),
  );

  it('PV1, PV2: appending messages keeps what was written, and every place leads to something', () => {
    fc.assert(
      fc.property(fc.constantFrom(...WIRES), messages, messages, (wire, before, more) => {
        const short = toWire(request({ messages: before }), wire);
        const long = toWire(request({ messages: [...before, ...more] }), wire);
        const key = wire === 'openai-responses' ? 'input' : 'messages';
        expect((long.body[key] as Json[]).slice(0, (short.body[key] as Json[]).length)).toEqual(short.body[key]);
        expect(Object.keys(long.body)).toEqual(Object.keys(short.body));
        for (const place of long.places.messages.flat()) if (place) expect(at(long, place)).not.toBeUndefined();
        before.forEach(({ content }, m) =>
          content.forEach((one, b) => {
            const found = at(long, long.places.messages[m]?.[b]);
            // PV3
            if (one.type === 'text' && (wire !== 'anthropic-messages' || one.text.trim() !== ''))
              expect(JSON.stringify(found ?? '')).toContain(JSON.stringify(one.text).slice(1, -1));
          }),
        );
      }),
    );
  });
});
