import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { at, FIVE, holders, request, result, text, TOOLS, use } from './testing/requests.ts';
import { toWire } from './to-wire.ts';
import type { Block, CanonicalRequest, Ttl } from './types.ts';

const write = (more: Partial<CanonicalRequest> = {}) => toWire(request(more), 'anthropic-messages');
const thinking = (signature?: string): Block => ({
  type: 'thinking',
  text: 'Hm',
  wire: 'anthropic-messages',
  raw: { type: 'thinking', thinking: 'Hm', ...(signature !== undefined && { signature }) },
});
const MARK = { type: 'ephemeral' };

describe('the Anthropic wire', () => {
  it('PV1, PV6, PV10, PV11: writes this body, in this order', () => {
    expect(JSON.stringify(write().body)).toBe(
      JSON.stringify({
        model: 'claude-haiku-4-5',
        max_tokens: 4096,
        stream: true,
        tools: [
          { name: 'read_file', description: 'Reads.', input_schema: TOOLS[0].inputSchema },
          { name: 'grep_files', description: 'Finds.', input_schema: { type: 'object' }, cache_control: MARK },
        ],
        system: [
          { type: 'text', text: 'You are useful.', cache_control: MARK },
          { type: 'text', text: 'Today is Friday.' },
        ],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      }),
    );
    expect(write().path).toBe('/v1/messages');
  });

  it('PV6: writes nothing for what is not there', () => {
    const { body, places } = write({ tools: [], system: { stable: '', volatile: '' }, stream: false });
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages']);
    expect(places.stable).toBeUndefined();
    const late = write({ system: { stable: '', volatile: 'now' } });
    expect(late.body['system']).toEqual([{ type: 'text', text: 'now' }]);
    expect(at(late, late.places.volatile)).toBe('now');
  });

  it('PV1: a conversation that grows only grows at the end of its messages', () => {
    const first = request({ previousResponseId: null });
    const later: CanonicalRequest = {
      ...first,
      previousResponseId: 'msg_1',
      messages: [
        ...first.messages,
        { role: 'assistant', content: [text('Hi')] },
        { role: 'user', content: [text('Go on')] },
      ],
    };
    const [a, b] = [first, later].map((one) => JSON.stringify(toWire(one, 'anthropic-messages').body));
    const end = a?.indexOf('],"diagnostics"') ?? -1;
    expect(end).toBeGreaterThan(0);
    expect(a?.slice(0, end)).toBe(b?.slice(0, end));
    expect(a?.endsWith('"diagnostics":{"previous_message_id":null}}')).toBe(true);
    expect(b?.endsWith('"diagnostics":{"previous_message_id":"msg_1"}}')).toBe(true);
  });

  it('PV2, PV4: a place leads to its part, and results come first', () => {
    const wire = write({
      messages: [
        { role: 'user', content: [text('Hello')] },
        { role: 'assistant', content: [thinking('s'), text(''), use('t1', 'read_file', { path: 'a' })] },
        { role: 'user', content: [text('and'), result('t1', 'A')] },
      ],
    });
    expect(wire.places.tools.map((place) => (at(wire, place) as { name: string }).name)).toEqual([
      'read_file',
      'grep_files',
    ]);
    expect([at(wire, wire.places.stable), at(wire, wire.places.volatile)]).toEqual([
      'You are useful.',
      'Today is Friday.',
    ]);
    expect(wire.places.messages.map((message) => message.map((place) => at(wire, place)))).toEqual([
      [{ type: 'text', text: 'Hello' }],
      [
        { type: 'thinking', thinking: 'Hm', signature: 's' },
        undefined,
        { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a' } },
      ],
      [
        { type: 'text', text: 'and' },
        { type: 'tool_result', tool_use_id: 't1', content: 'A' },
      ],
    ]);
    expect(wire.places.messages[2]?.map((place) => place?.path.at(-1))).toEqual([1, 0]);
  });

  it('PV3: what another wire sent, or was cut off, stays out, and so does a message with nothing else', () => {
    const foreign: Block = { type: 'opaque', wire: 'openai-chat', raw: { x: 1 } };
    const own: Block = { type: 'opaque', wire: 'anthropic-messages', raw: { type: 'server_tool_use', id: 's' } };
    const wire = write({
      messages: [
        { role: 'assistant', content: [foreign, thinking()] },
        { role: 'assistant', content: [own, { ...thinking('s'), wire: 'openai-responses' } as Block] },
      ],
    });
    expect(wire.body['messages']).toEqual([{ role: 'assistant', content: [{ type: 'server_tool_use', id: 's' }] }]);
    expect(wire.places.messages).toEqual([
      [undefined, undefined],
      [{ path: ['messages', 0, 'content', 0] }, undefined],
    ]);
  });

  it('PV3: strings of spaces are refused, so they are left out, of the system too; a result becomes empty, thinking stays as it is', () => {
    const thought = thinking('s');
    const wire = write({
      system: { stable: ' \n', volatile: '\t' },
      messages: [
        { role: 'user', content: [text(' ')] },
        { role: 'assistant', content: [thought, text('\n\n'), use('t', 'x', {})] },
        { role: 'user', content: [result('t', ' '), text(' a ')] },
      ],
    });
    expect(wire.body).not.toHaveProperty('system');
    expect(wire.body['messages']).toEqual([
      {
        role: 'assistant',
        content: [(thought as { raw: Json }).raw, { type: 'tool_use', id: 't', name: 'x', input: {} }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: '' },
          { type: 'text', text: ' a ' },
        ],
      },
    ]);
    expect(wire.places).toMatchObject({ stable: undefined, volatile: undefined });
    expect(wire.places.messages[1]?.[1]).toBeUndefined();
  });

  it.each<[Json, Json]>([
    ['{"path": ', { INVALID_JSON: '{"path": ' }],
    [[1], { INVALID_JSON: '[1]' }],
    [{ a: 1 }, { a: 1 }],
  ])('PV5: the input %j goes back as %j', (input, written) => {
    const wire = write({ messages: [{ role: 'assistant', content: [use('t', 'x', input)] }] });
    expect(at(wire, wire.places.messages[0]?.[0])).toMatchObject({ input: written });
  });

  it.each(['', ' \n'])('PV7: a failure that says %j says that it does', (said) => {
    const wire = write({ messages: [{ role: 'user', content: [result('t', said, true), result('u', '')] }] });
    expect(wire.body['messages']).toMatchObject([
      {
        content: [
          { content: '(no output)', is_error: true },
          { tool_use_id: 'u', content: '' },
        ],
      },
    ]);
  });

  it('writes images and errors of tools', () => {
    const wire = write({
      messages: [
        { role: 'user', content: [result('t', 'no', true), { type: 'image', mediaType: 'image/png', data: 'AA==' }] },
      ],
    });
    expect(wire.body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: 'no', is_error: true },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        ],
      },
    ]);
  });
});

describe('markers', () => {
  const markers = (mode: CanonicalRequest['cache']['mode'], messages: CanonicalRequest['messages']) =>
    holders(write({ cache: { mode, ttl: FIVE }, messages }).body, 'cache_control');
  const person = { role: 'user', content: [text('a'), text('b')] } as const;

  it.each<[CanonicalRequest['cache']['mode'], string[]]>([
    ['static', ['/tools/1', '/system/0']],
    ['rolling', ['/tools/1', '/system/0', '/messages/0/content/1']],
    ['automatic', ['']],
    ['off', []],
  ])('PV10: %s marks %j', (mode, places) => {
    expect(markers(mode, [person])).toEqual(places);
  });

  it('PV10: rolling walks back over what cannot be marked, into earlier messages too', () => {
    const opaque: Block = { type: 'opaque', wire: 'anthropic-messages', raw: { type: 'new' } };
    const last = (messages: CanonicalRequest['messages']) => markers('rolling', messages)[2];
    expect(last([{ role: 'assistant', content: [text('x'), thinking('s'), opaque] }])).toBe('/messages/0/content/0');
    expect(last([person, { role: 'assistant', content: [thinking('s')] }])).toBe('/messages/0/content/1');
    expect(last([person, { role: 'user', content: [result('t', 'r')] }])).toBe('/messages/1/content/0');
    expect(last([{ role: 'assistant', content: [thinking('s')] }])).toBeUndefined();
  });

  type Row = [mode: 'static' | 'rolling' | 'automatic', plan: [Ttl, Ttl, Ttl], written: (Ttl | undefined)[]];
  it.each<Row>([
    ['static', ['5m', '5m', '5m'], [undefined, undefined]],
    ['static', ['1h', '1h', '5m'], ['1h', '1h']],
    ['static', ['1h', '5m', '5m'], ['1h', undefined]],
    ['static', ['5m', '1h', '5m'], ['1h', '1h']],
    // the marker of messages is not written, so it raises nothing
    ['static', ['5m', '5m', '1h'], [undefined, undefined]],
    ['rolling', ['5m', '5m', '1h'], ['1h', '1h', '1h']],
    ['rolling', ['1h', '5m', '5m'], ['1h', undefined, undefined]],
    ['automatic', ['5m', '5m', '1h'], ['1h']],
  ])('PV12: %s with %j is written as %j', (mode, [tools, system, messages], written) => {
    const { body } = write({ cache: { mode, ttl: { tools, system, messages } } });
    const found: unknown[] = [];
    JSON.stringify(body, (key, value: Json) => {
      if (key === 'cache_control') found.push((value as { ttl?: Ttl }).ttl);
      return value;
    });
    expect(found).toEqual(written);
  });
});

describe('markers that are not written', () => {
  const HOUR = { tools: '5m', system: '1h', messages: '1h' } as const;

  it('PV12: raise nothing', () => {
    const bare = write({ system: { stable: '', volatile: 'now' }, cache: { mode: 'static', ttl: HOUR } });
    expect((bare.body['tools'] as Json[])[1]).toMatchObject({ cache_control: MARK });
    expect((bare.body['tools'] as Json[])[1]).not.toHaveProperty('cache_control.ttl');
    const silent = write({ messages: [], cache: { mode: 'rolling', ttl: { ...HOUR, system: '5m' } } });
    expect(silent.body['system']).toEqual([
      { type: 'text', text: 'You are useful.', cache_control: MARK },
      {
        type: 'text',
        text: 'Today is Friday.',
      },
    ]);
  });
});

describe('parameters', () => {
  it('PV13: asks for a diagnosis only if told to, and only where there is one', () => {
    expect(write().body).not.toHaveProperty('diagnostics');
    expect(write({ previousResponseId: 'msg_1' }).body['diagnostics']).toEqual({ previous_message_id: 'msg_1' });
    expect(write({ model: 'other-model', previousResponseId: 'msg_1' }).body).not.toHaveProperty('diagnostics');
  });

  type Row = [model: string, thinking: CanonicalRequest['thinking'], max: number, written: Json | undefined];
  const ADAPTIVE = { type: 'adaptive', display: 'summarized' };
  it.each<Row>([
    ['claude-opus-5', undefined, 4096, undefined],
    ['claude-opus-5', { mode: 'off' }, 4096, { type: 'disabled' }],
    ['claude-opus-5-5', { mode: 'off' }, 4096, undefined],
    ['claude-sonnet-5-5', { mode: 'off' }, 4096, { type: 'between_tools' }],
    ['claude-opus-5', { mode: 'adaptive' }, 4096, ADAPTIVE],
    ['claude-opus-5-5', { mode: 'budget', tokens: 9000 }, 4096, ADAPTIVE],
    ['claude-haiku-4-5', { mode: 'budget', tokens: 2000 }, 4096, { type: 'enabled', budget_tokens: 2000 }],
    ['claude-haiku-4-5', { mode: 'budget', tokens: 5 }, 4096, { type: 'enabled', budget_tokens: 1024 }],
    ['claude-haiku-4-5', { mode: 'budget', tokens: 9000 }, 4096, { type: 'enabled', budget_tokens: 4095 }],
    ['claude-haiku-4-5', { mode: 'adaptive' }, 4096, { type: 'enabled', budget_tokens: 2048 }],
    ['claude-haiku-4-5', { mode: 'adaptive' }, 1024, undefined],
    ['claude-new-9', { mode: 'budget', tokens: 2000 }, 4096, { type: 'enabled', budget_tokens: 2000 }],
    ['claude-new-9', { mode: 'adaptive' }, 4096, ADAPTIVE],
  ])('PV14: %s with %j and %i tokens gets %j', (model, wanted, maxOutputTokens, written) => {
    const { body } = write({ model, maxOutputTokens, ...(wanted && { thinking: wanted }) });
    expect(body['thinking']).toEqual(written);
  });

  it.each([
    ['claude-opus-5', 'minimal', { effort: 'low' }],
    ['claude-opus-5', 'max', { effort: 'max' }],
    ['claude-opus-4-5', 'high', { effort: 'high' }],
    ['claude-haiku-4-5', 'high', undefined],
  ] as const)('PV15: %s with effort %s gets %j', (model, effort, written) => {
    expect(write({ model, effort }).body['output_config']).toEqual(written);
  });
});
