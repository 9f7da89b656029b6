import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonNode, scanJson } from '../../base/json-scan.ts';
import { readRequest } from './read-request.ts';
import { commonLength, rescanJson } from '../../base/json-rescan.ts';
import { assistant, type Fields, marker, OPUS, request, text, tool, user } from './testing/calls.ts';

const labels = (body: Fields, wire?: Parameters<typeof request>[1]): readonly string[] =>
  request(body, wire).blocks.map((block) => block.label);
const texts = (body: Fields, wire?: Parameters<typeof request>[1]): readonly string[] =>
  request(body, wire).blocks.map((block) => block.text);

describe('the Messages wire', () => {
  it('CA1, CA5: blocks are in render order with labels and places, whatever the order of members', () => {
    const body = {
      messages: [user('hello', 'there'), { role: 'assistant', content: 'hi' }],
      system: [text('one'), text('two')],
      model: OPUS,
      tools: [tool('look'), tool('jump')],
    };
    expect(labels(body)).toEqual([
      'tools[0]',
      'tools[1]',
      'system[0]',
      'system[1]',
      'messages[0].content[0]',
      'messages[0].content[1]',
      'messages[1].content',
    ]);
    const written = JSON.stringify(body);
    const read = request(body);
    expect(written.slice(read.blocks[3]?.start, read.blocks[3]?.end)).toBe('{"type":"text","text":"two"}');
    expect(read.blocks.map((block) => block.tier)).toEqual([
      'tools',
      'tools',
      'system',
      'system',
      'messages',
      'messages',
      'messages',
    ]);
    expect(read.roles).toEqual(['user', 'assistant']);
  });

  it('CA1: a string is one text block, and the same as the list of it', () => {
    const short = texts({ model: OPUS, system: 's "quoted"', messages: [{ role: 'user', content: 'hi' }] });
    expect(short).toEqual(texts({ model: OPUS, system: [text('s "quoted"')], messages: [user('hi')] }));
  });

  const markedAt: readonly (readonly [string, string])[] = [
    ['at the end', '{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}'],
    ['at the start', '{"cache_control":{"type":"ephemeral","ttl":"1h"},"type":"text","text":"x"}'],
    ['in the middle', '{"type":"text","cache_control":null,"text":"x"}'],
    ['twice', '{"cache_control":null,"type":"text","text":"x","cache_control":{"type":"ephemeral"}}'],
  ];
  it.each(markedAt)('CA2: a marker %s leaves no trace in the text', (_where, block) => {
    const read = readRequest(`{"model":"m","messages":[{"role":"user","content":[${block}]}]}`, 'anthropic-messages');
    expect(read.ok && read.value.blocks.map((one) => one.text)).toEqual(['{"type":"text","text":"x"}']);
  });

  it('CA2: spaces stay, and a block of nothing but a marker is empty', () => {
    const read = readRequest(
      '{"model":"m","system":[{ "type": "text", "text": "x" , "cache_control": {"type":"ephemeral"} },{"cache_control":{"type":"ephemeral"}}]}',
      'anthropic-messages',
    );
    expect(read.ok && read.value.blocks.map((one) => one.text)).toEqual(['{ "type": "text", "text": "x" }', '{}']);
  });

  it('CA2: markers of blocks inside blocks go too and are not breakpoints; other things of that name stay', () => {
    const inner = { type: 'tool_result', tool_use_id: 'a', content: [text('x', marker())] };
    const schema = { type: 'object', properties: { cache_control: { type: 'string' } } };
    const call = { type: 'tool_use', id: 'a', name: 'look', input: { cache_control: 1 } };
    const read = request({
      model: OPUS,
      tools: [{ name: 'look', input_schema: schema }],
      messages: [assistant(call), user(inner)],
    });
    expect(read.blocks.map((block) => block.text)).toEqual([
      JSON.stringify({ name: 'look', input_schema: schema }),
      JSON.stringify(call),
      JSON.stringify({ ...inner, content: [text('x')] }),
    ]);
    expect(read.blocks.some((block) => block.marker)).toBe(false);
  });

  it('CA4: web tools are at the head of the system tier, deferred tools are marked as such', () => {
    const read = request({
      model: OPUS,
      tools: [{ type: 'web_search_20250305', name: 'web_search' }, tool('look'), tool('rare', { defer_loading: true })],
      system: 'be kind',
      messages: [],
    });
    expect(read.blocks.map(({ label, tier, kind }) => [label, tier, kind])).toEqual([
      ['tools[1]', 'tools', 'tool'],
      ['tools[2]', 'tools', 'tool'],
      ['tools[0]', 'system', 'web_search_20250305'],
      ['system', 'system', 'text'],
    ]);
    expect(read.blocks.map((block) => block.deferred)).toEqual([undefined, true, undefined, undefined]);
    expect(read.params.get('web_tools')).toBe('["web_search_20250305"]');
  });

  it('CA11: parameters are canonical, and null is not a value', () => {
    const { params } = request({
      model: OPUS,
      tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { format: { type: 'json_schema', schema: { b: 1, a: 2 } }, effort: 'low' },
      speed: null,
      messages: [user({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source: {} }] })],
    });
    expect(Object.fromEntries(params)).toEqual({
      tool_choice: '{"name":"look","type":"tool"}',
      disable_parallel_tool_use: 'true',
      thinking: '{"budget_tokens":2000,"type":"enabled"}',
      'output_config.effort': '"low"',
      'output_config.format': '{"schema":{"a":2,"b":1},"type":"json_schema"}',
      has_images: 'true',
    });
  });

  const bad: readonly (readonly [string, string])[] = [
    ['{"model":"m",\n"messages":[}', 'the body is not JSON: a JSON value was expected (line 2, column 13)'],
    ['[]', 'the body is not a JSON object'],
    ['{"messages":[]}', 'the body names no model: "model" is missing or not a string'],
  ];
  it.each(bad)('CA6: %s', (body, message) => {
    expect(readRequest(body, 'anthropic-messages')).toEqual({ ok: false, error: message });
  });

  it('CA6: odd shapes are read as far as they go', () => {
    const odd = {
      model: 'm',
      tools: {},
      system: 7,
      messages: [null, 3, { role: 'user', content: [{ type: 'new_kind' }, 5] }],
    };
    expect(request(odd).blocks.map(({ label, kind }) => [label, kind])).toEqual([
      ['messages[2].content[0]', 'new_kind'],
      ['messages[2].content[1]', 'unknown'],
    ]);
  });
});

describe('the Responses wire', () => {
  const wire = 'openai-responses';

  it('CA8: tools, instructions, input; leading developer messages are the system tier', () => {
    const read = request(
      {
        model: 'gpt-6-sol',
        input: [
          { role: 'developer', content: [{ type: 'input_text', text: 'stable' }] },
          { type: 'message', role: 'user', content: 'hi' },
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
          { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'look', arguments: '{}', status: 'completed' },
          { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'done' }] },
          { role: 'developer', content: 'late' },
        ],
        instructions: 'be kind',
        tools: [{ type: 'function', name: 'look' }],
      },
      wire,
    );
    expect(read.blocks.map(({ label, tier, kind }) => [label, tier, kind])).toEqual([
      ['tools[0]', 'tools', 'tool'],
      ['instructions', 'system', 'instructions'],
      ['input[0].content[0]', 'system', 'input_text'],
      ['input[1].content', 'messages', 'input_text'],
      ['input[2]', 'messages', 'reasoning'],
      ['input[3]', 'messages', 'function_call'],
      ['input[4]', 'messages', 'function_call_output'],
      ['input[4].output[0]', 'messages', 'input_text'],
      ['input[5].content', 'messages', 'input_text'],
    ]);
    expect(read.blocks[5]?.text).toBe('{"type":"function_call","call_id":"c","name":"look","arguments":"{}"}');
    expect(read.blocks[6]?.text).toBe('{"type":"function_call_output","call_id":"c"}');
  });

  it('CA8: a string is the message of a user', () => {
    expect(request({ model: 'm', input: 'hi' }, wire).blocks).toMatchObject([
      { label: 'input', role: 'user', text: '{"type":"input_text","text":"hi"}' },
    ]);
  });

  it('CA54: a breakpoint has its own TTL or that of the request, also when the request changes it', () => {
    const body = (ttl: string): Fields => ({
      model: 'gpt-6-sol',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
            { type: 'input_text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
          ],
        },
      ],
      prompt_cache_options: { ttl },
      prompt_cache_key: 'k',
    });
    const long = request(body('12h'), wire);
    expect(long.blocks.map((block) => block.marker?.ttl)).toEqual(['12h', '30m']);
    expect(long.cacheKey).toBe('k');
    expect(request(body('30m'), wire, long).blocks.map((block) => block.marker?.ttl)).toEqual(['30m', '30m']);
  });
});

describe('the Chat wire', () => {
  it('CA9, CA71: parts, calls and other members are blocks; markers of both families are read', () => {
    const read = request(
      {
        model: 'anthropic/claude-opus-5',
        tools: [{ type: 'function', function: { name: 'look' } }],
        messages: [
          { role: 'system', content: [text('stable', marker('1h')), text('volatile')] },
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'done' },
        ],
      },
      'openai-chat',
    );
    expect(read.blocks.map(({ label, tier, kind, role }) => [label, tier, kind, role])).toEqual([
      ['tools[0]', 'tools', 'tool', undefined],
      ['messages[0].content[0]', 'system', 'text', 'system'],
      ['messages[0].content[1]', 'system', 'text', 'system'],
      ['messages[1].content', 'messages', 'text', 'user'],
      ['messages[2].tool_calls[0]', 'messages', 'tool_call', 'assistant'],
      ['messages[3].tool_call_id', 'messages', 'tool_call_id', 'tool'],
      ['messages[3].content', 'messages', 'text', 'tool'],
    ]);
    expect(read.blocks[1]?.marker).toEqual({ ttl: '1h' });
    expect(read.blocks[5]?.text).toBe('"tool_call_id":"c"');
  });
});

describe('reading again', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const rebuilt = (body: string, before: string): JsonNode | undefined => {
    const root = scanJson(before);
    const again = root.ok ? rescanJson(body, { text: before, root: root.value }) : undefined;
    return again?.ok ? again.value : undefined;
  };

  it('CA7: how much two strings have in common', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (head, left, right) => {
        const one = head + left;
        const two = head + right;
        let common = 0;
        while (common < Math.min(one.length, two.length) && one[common] === two[common]) common++;
        expect(commonLength(one, two)).toBe(common);
      }),
    );
    const long = 'x'.repeat(200_000);
    expect(commonLength(`${long}ay`, `${long}az`)).toBe(200_001);
    expect(commonLength(long, long)).toBe(200_000);
  });

  it('CA7: any body scanned after any other gives what scanning it alone gives', () => {
    fc.assert(
      fc.property(fc.array(json), fc.array(json), fc.array(json), json, json, (shared, left, right, a, b) => {
        const one = JSON.stringify({ model: 'm', list: [...shared, ...left], after: a });
        const two = JSON.stringify({ model: 'm', list: [...shared, ...right], after: b });
        const alone = scanJson(two);
        expect(rebuilt(two, one)).toEqual(alone.ok && alone.value);
      }),
    );
  });

  it('CA7: a fault is reported at the same place', () => {
    const before = '{"model":"m","messages":[{"a":1},{"b":2}]}';
    const broken = '{"model":"m","messages":[{"a":1},{"b":2},{"c":}]}';
    const root = scanJson(before);
    expect(root.ok && rescanJson(broken, { text: before, root: root.value })).toEqual(scanJson(broken));
  });

  it('CA7: a longer conversation has the same blocks as the same objects, and the same reading', () => {
    const first: Fields = {
      model: OPUS,
      tools: [tool('look')],
      system: [text('s', marker())],
      messages: [user('one'), assistant('two')],
    };
    const second = { ...first, messages: [user('one'), assistant('two'), user('three')], stream: true };
    const before = request(first);
    const after = request(second, 'anthropic-messages', before);
    expect(after).toEqual(request(second));
    before.blocks.slice(0, 3).forEach((block, index) => expect(after.blocks[index]).toBe(block));
  });
});
