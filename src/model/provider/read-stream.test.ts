import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { fromMessage } from './read-stream.ts';
import type { ReadResult } from './stream-parts.ts';
import { read } from './testing/read.ts';
import {
  ANTHROPIC_BLOCKS,
  ANTHROPIC_MESSAGE,
  ANTHROPIC_STREAM,
  anthropicEnd,
  anthropicStart,
  CHAT_MESSAGE,
  CHAT_STREAM,
  RESPONSE,
  RESPONSES_STREAM,
} from './testing/streams.ts';
import { WIRES, type Block, type Wire } from './types.ts';

const SIGNED = { type: 'thinking', thinking: 'Let me see.', signature: 'EqQB' };
const EXPECTED: Record<Wire, { events: readonly Json[]; whole: Json; result: ReadResult }> = {
  'anthropic-messages': {
    events: ANTHROPIC_STREAM,
    whole: ANTHROPIC_MESSAGE,
    result: {
      responseId: 'msg_01',
      model: 'claude-haiku-4-5-20251001',
      content: [
        { type: 'thinking', text: 'Let me see.', wire: 'anthropic-messages', raw: SIGNED },
        { type: 'text', text: 'I read.' },
        { type: 'tool_use', id: 'toolu_01', name: 'read_file', input: { path: 'a.md' } },
      ],
      usage: {
        uncached: 12,
        read: 4000,
        writes: { '5m': 100, '1h': 200 },
        output: 50,
        reasoning: 20,
        cacheReported: true,
        partial: false,
      },
      stopReason: 'tool_use',
      isComplete: true,
    },
  },
  'openai-responses': {
    events: RESPONSES_STREAM,
    whole: RESPONSE,
    result: {
      responseId: 'resp_1',
      model: 'gpt-6-sol',
      diagnosis: {
        state: 'miss',
        reason: 'tools_changed',
        missedTokens: 900,
        raw: { type: 'cache_miss', reason: 'tools_changed', cache_missed_tokens: 900 },
      },
      content: [
        { type: 'thinking', text: 'First.\n\nSecond.', wire: 'openai-responses', raw: RESPONSE.output[0] },
        { type: 'text', text: 'I read.' },
        { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a.md' } },
      ],
      usage: {
        uncached: 500,
        read: 3000,
        writes: { '30m': 1500 },
        output: 60,
        reasoning: 40,
        cacheReported: true,
        partial: false,
      },
      stopReason: 'tool_use',
      isComplete: true,
    },
  },
  'openai-chat': {
    events: CHAT_STREAM,
    whole: CHAT_MESSAGE,
    result: {
      responseId: 'gen-1',
      model: 'anthropic/claude-haiku-4.5',
      upstream: 'Anthropic',
      content: [
        {
          type: 'thinking',
          text: 'Let me.',
          wire: 'openai-chat',
          raw: { reasoning_details: [{ type: 'reasoning.text', text: 'Let me.', index: 0, signature: 'Eq' }] },
        },
        { type: 'text', text: 'I read.' },
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a.md' } },
        { type: 'tool_use', id: 'c2', name: 'list_dir', input: {} },
      ],
      usage: {
        uncached: 100,
        read: 700,
        writes: { unknown: 200 },
        output: 30,
        reasoning: 10,
        cacheReported: true,
        partial: false,
        charged: 0.0015,
      },
      stopReason: 'tool_use',
      isComplete: true,
    },
  },
};

describe.each(WIRES)('%s', (wire) => {
  const { events, whole, result } = EXPECTED[wire];

  it('PV40, PV44: reads a stream with thinking, text and a tool', () => {
    const { told, ...got } = read(wire, events);
    expect(got).toEqual(result);
    const joined = new Map<number, string>();
    for (const event of told) {
      if (event.type === 'delta') joined.set(event.index, (joined.get(event.index) ?? '') + event.text);
    }
    const texts = result.content
      .map((block) => (block.type === 'tool_use' ? JSON.stringify(block.input) : block))
      .map((block) => (typeof block === 'string' ? block : 'text' in block ? block.text : ''));
    expect([...joined.values()].map((piece) => piece.replaceAll('": "', '":"'))).toEqual(texts);
    expect(told.filter(({ type }) => type === 'block_start')).toHaveLength(result.content.length);
    expect(told.flatMap((event) => (event.type === 'block_stop' ? [event.block] : []))).toEqual(result.content);
    expect(told.at(-1)).toEqual({ type: 'usage', usage: result.usage });
  });

  it('PV41: reads a response in one piece as the same', () => {
    expect(fromMessage(wire, whole)).toEqual(result);
  });

  it('PV48: cut anywhere, it has what came, is not complete, and says that its usage is partial', () => {
    for (let length = 0; length < events.length; length++) {
      const { told: _, ...got } = read(wire, events.slice(0, length));
      if (got.isComplete) continue;
      expect(got.usage?.partial ?? true).toBe(true);
      expect(got.content.length).toBeLessThanOrEqual(result.content.length);
      got.content.forEach((block, index) => expect(block.type).toBe(result.content[index]?.type));
    }
    expect(read(wire, events.slice(0, -2)).isComplete).toBe(false);
  });

  it('PV40, PV42, PV49: nothing makes it throw, unknown events change nothing', () => {
    const strange: readonly unknown[] = [{ type: 'brand_new', x: 1 }, { type: 'ping' }, {}];
    expect(
      read(
        wire,
        events.flatMap((event) => [...strange, event]),
      ),
    ).toMatchObject(result);
    for (const bad of [null, 'x', 3, [], undefined]) {
      expect(read(wire, [...events, bad]).fault).toBe('an event isn’t an object');
    }
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom(...events))), (mix) => {
        expect(() => read(wire, mix)).not.toThrow();
        expect(() => fromMessage(wire, mix[0])).not.toThrow();
      }),
    );
  });

  it('PV49: what is not a response is a fault, an error body an error', () => {
    expect(fromMessage(wire, 'Bad gateway')).toMatchObject({ isComplete: false, fault: 'an event isn’t an object' });
    expect(fromMessage(wire, { hello: 1 })).toMatchObject({ isComplete: false, fault: expect.any(String) as string });
    expect(fromMessage(wire, { error: { type: 'x_error', message: 'No.' } })).toMatchObject({
      isComplete: false,
      error: { type: 'x_error', message: 'No.' },
    });
  });
});

const block = (raw: Json, deltas: readonly Json[] = [], isClosed = true): readonly Json[] => [
  anthropicStart(),
  { type: 'content_block_start', index: 0, content_block: raw },
  ...deltas.map((delta): Json => ({ type: 'content_block_delta', index: 0, delta })),
  ...(isClosed ? [{ type: 'content_block_stop', index: 0 }, ...anthropicEnd('end_turn')] : []),
];
const anthropic = (events: readonly unknown[]) => read('anthropic-messages', events);

describe('the Anthropic reader', () => {
  const json = (partial_json: string): Json => ({ type: 'input_json_delta', partial_json });
  const TOOL = { type: 'tool_use', id: 't', name: 'x', input: {} };

  it.each<[string[], Partial<Block>]>([
    [[], { input: {} }],
    [['{"a": 1, "a'], { input: '{"a": 1, "a', malformed: 'character 10: a string does not end' }],
    [['{"a":1}', ' x'], { input: '{"a":1} x', malformed: 'character 9: unexpected text after the JSON value' }],
    [['[1]'], { input: [1] }],
  ])('PV43: the pieces %j are read as %j', (pieces, expected) => {
    expect(anthropic(block(TOOL, pieces.map(json))).content[0]).toEqual({
      type: 'tool_use',
      id: 't',
      name: 'x',
      ...expected,
    });
  });

  it('PV43: a call that never ended is kept', () => {
    expect(anthropic(block(TOOL, [json('{"path": "a')], false)).content).toEqual([
      { type: 'tool_use', id: 't', name: 'x', input: '{"path": "a', malformed: 'the response ended inside the input' },
    ]);
  });

  it('PV42: unknown blocks keep all that came for them', () => {
    const server = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    expect(anthropic(block(server, [json('{"query":'), json('"x"}')])).content).toEqual([
      { type: 'opaque', wire: 'anthropic-messages', raw: { ...server, input: { query: 'x' } } },
    ]);
    expect(
      anthropic(
        block({ type: 'poem', lines: 'Ro', n: 1 }, [
          { type: 'poem_delta', lines: 'ses' },
          { type: 'n_delta', n: 2 },
        ]),
      ).content,
    ).toEqual([{ type: 'opaque', wire: 'anthropic-messages', raw: { type: 'poem', lines: 'Roses', n: 2 } }]);
    expect(anthropic(block(server, [json('{"q')])).fault).toBe(
      'the input of a block of type server_tool_use isn’t JSON',
    );
    expect(anthropic(block({ type: 'poem' }, [], false)).content).toEqual([]);
  });

  it('PV44: hidden thinking is thinking', () => {
    const raw = { type: 'redacted_thinking', data: 'abc' };
    expect(anthropic(block(raw)).content).toEqual([{ type: 'thinking', text: '', wire: 'anthropic-messages', raw }]);
  });

  it('PV42: citations of a string are skipped', () => {
    const events = block({ type: 'text', text: '' }, [
      { type: 'text_delta', text: 'a' },
      { type: 'citations_delta', citation: { type: 'char_location' } },
    ]);
    expect(anthropic(events)).toMatchObject({ content: [{ type: 'text', text: 'a' }], isComplete: true });
  });

  it.each([
    ['end_turn', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['stop_sequence', 'stop_sequence'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause_turn'],
    ['brand_new', 'other'],
  ])('PV45: %s is %s', (reason, expected) => {
    expect(anthropic([anthropicStart(), ...anthropicEnd(reason)]).stopReason).toBe(expected);
  });

  it.each<[Json, object | undefined]>([
    [null, { state: 'none' }],
    [{ cache_miss_reason: null }, { state: 'pending' }],
    [
      { cache_miss_reason: { type: 'system_changed', cache_missed_input_tokens: 9 } },
      { state: 'miss', reason: 'system_changed', missedTokens: 9 },
    ],
    [{ cache_miss_reason: { type: 'previous_message_not_found' } }, { state: 'not_found' }],
    [{ cache_miss_reason: { type: 'unavailable' } }, { state: 'unavailable' }],
    [{ cache_miss_reason: { type: 'brand_new' } }, { state: 'miss', reason: 'brand_new' }],
  ])('PV46: the diagnosis %j', (diagnostics, expected) => {
    expect(anthropic([anthropicStart({ diagnostics })]).diagnosis).toMatchObject({ ...expected, raw: diagnostics });
    expect(anthropic([anthropicStart()]).diagnosis).toBeUndefined();
  });

  it('PV47: an error in the middle leaves what came', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(anthropic([anthropicStart(), ...ANTHROPIC_BLOCKS.slice(0, 10), error])).toMatchObject({
      content: [{ type: 'thinking' }, { type: 'text', text: 'I read.' }],
      usage: { read: 4000, output: 1, partial: true },
      error: { type: 'overloaded_error', message: 'Overloaded' },
      isComplete: false,
    });
  });

  it.each<[Json]>([
    [{ type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'x' } }],
    [{ type: 'content_block_stop', index: 7 }],
    [{ type: 'content_block_start', index: 0 }],
  ])('PV49: %j is a fault', (event) => {
    expect(anthropic([anthropicStart(), event]).fault).toMatch(/block/);
  });
});

describe('the Responses reader', () => {
  const done = (item: Json): Json => ({ type: 'response.output_item.done', output_index: 0, item });
  const end = (more: object = {}, type = 'completed'): Json => ({
    type: `response.${type}`,
    response: { id: 'r', ...more } as Json,
  });
  const message = (content: Json): Json => ({ type: 'message', role: 'assistant', content });
  const responses = (events: readonly Json[]) => read('openai-responses', events);

  it.each<[Json[], string]>([
    [[done(message([{ type: 'output_text', text: 'x' }])), end()], 'end_turn'],
    [[done(message([{ type: 'refusal', refusal: 'No' }])), end()], 'refusal'],
    [[end({ incomplete_details: { reason: 'max_output_tokens' } }, 'incomplete')], 'max_tokens'],
    [[end({ incomplete_details: { reason: 'content_filter' } }, 'incomplete')], 'refusal'],
    [[end({ incomplete_details: { reason: 'new' } }, 'incomplete')], 'other'],
  ])('PV45: %j stops with %s', (events, reason) => {
    expect(responses(events)).toMatchObject({ stopReason: reason, isComplete: true });
  });

  it.each([
    ['cache_hit', 'hit'],
    ['comparison_response_not_found', 'not_found'],
    ['unavailable', 'unavailable'],
    ['brand_new', 'unavailable'],
  ])('PV46: the diagnosis %s is %s', (type, state) => {
    expect(responses([end({ prompt_cache_diagnostics: { type } })]).diagnosis?.state).toBe(state);
  });

  it('PV42: items and parts that are new are opaque', () => {
    const item = { type: 'hologram', id: 'h' };
    const part = { type: 'smell', data: 1 };
    expect(responses([done(item), end()]).content).toEqual([{ type: 'opaque', wire: 'openai-responses', raw: item }]);
    expect(responses([done(message([part])), end()]).content).toEqual([
      {
        type: 'opaque',
        wire: 'openai-responses',
        raw: { type: 'message', role: 'assistant', content: [part] },
      },
    ]);
  });

  it('PV24: a string has the phase of its message, in a stream and in one piece', () => {
    const item = (phase: Json, words: string): Json => ({
      ...(message([{ type: 'output_text', text: words }]) as object),
      phase,
    });
    const output = [item('commentary', 'I look.'), item('final_answer', 'Done.'), item(null, 'x')];
    const content = [
      { type: 'text', text: 'I look.', phase: 'commentary' },
      { type: 'text', text: 'Done.', phase: 'final_answer' },
      { type: 'text', text: 'x' },
    ];
    expect(fromMessage('openai-responses', { output }).content).toEqual(content);
    const added = { type: 'response.output_item.added', output_index: 0, item: item('commentary', '') };
    const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'I lo' };
    expect(responses([added, delta]).content).toEqual([{ type: 'text', text: 'I lo', phase: 'commentary' }]);
    const part = { type: 'smell', data: 1 };
    expect(
      responses([done({ type: 'message', role: 'assistant', phase: 'commentary', content: [part] })]).content,
    ).toMatchObject([{ type: 'opaque', raw: { phase: 'commentary', content: [part] } }]);
  });

  it('PV47: a failure is an error, as event and as status', () => {
    const error = { code: 'server_error', message: 'Oh' };
    const expected = { error: { type: 'server_error', message: 'Oh' }, isComplete: false };
    expect(responses([end({ error }, 'failed')])).toMatchObject(expected);
    expect(responses([{ type: 'error', ...error, param: null }])).toMatchObject(expected);
  });

  it('PV49: arguments for no call are a fault', () => {
    expect(
      responses([{ type: 'response.function_call_arguments.delta', output_index: 3, delta: '{' }]).fault,
    ).toBeDefined();
  });
});
