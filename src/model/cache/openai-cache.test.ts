import { describe, expect, it } from 'vitest';
import type { Wire } from '../provider/types.ts';
import { callOf, createDriver, type Driver, type Fields, GPT, MINUTE, OLD_GPT } from './testing/calls.ts';
import type { CacheModelOptions } from './engine.ts';

const WIRE: Wire = 'openai-responses';
const usage = (read: number, uncached: number, writes: Fields = {}) => ({ read, uncached, writes });
const mark = (ttl?: string): Fields => ({
  prompt_cache_breakpoint: { mode: 'explicit', ...(ttl !== undefined && { ttl }) },
});
const part = (text: string, extra: Fields = {}): Fields => ({ type: 'input_text', text, ...extra });
const says = (role: string, ...content: readonly (Fields | string)[]): Fields => ({
  role,
  content: content.map((one) => (typeof one === 'string' ? part(one) : one)),
});
const answer = (text: string): Fields => ({ role: 'assistant', content: [{ type: 'output_text', text }] });

const drive = (model: string, options?: CacheModelOptions, wire: Wire = WIRE): Driver['turn'] => {
  const { turn } = createDriver(options, wire);
  return (body, more) => turn({ model, prompt_cache_key: 'k', ...body }, more);
};
const explicit: Fields = { prompt_cache_options: { mode: 'explicit' } };

describe('OpenAI since 5.6', () => {
  it('CA51, CA52: the implicit breakpoint is on the latest user or tool message, and the next turn finds it', () => {
    const turn = drive(GPT);
    const input = [says('developer', 's@2000'), says('user', 'q@100')];
    expect(turn({ input })).toMatchObject({
      usage: usage(0, 0, { '30m': 2100 }),
      breakpoints: [{ origin: 'implicit', label: 'input[1].content[0]', outcome: 'written' }],
    });
    const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"n":"@50"}' };
    const output = { type: 'function_call_output', call_id: 'c', output: 'r@30' };
    expect(turn({ input: [...input, call, output] }, { at: 5 }).usage).toEqual(usage(2100, 0, { '30m': 80 }));
    const more = [...input, call, output, answer('a@20'), says('user', 'n@10')];
    expect(turn({ input: more }, { at: 9 }).usage).toEqual(usage(2180, 0, { '30m': 30 }));
  });

  it('CA50: a prefix that ends at no breakpoint is not found', () => {
    const turn = drive(GPT);
    turn({ input: [says('developer', 's@2000'), says('user', 'one@100')] });
    const other = { input: [says('developer', 's@2000'), says('user', 'two@100')] };
    expect(turn(other, { at: 5 }).usage).toEqual(usage(0, 0, { '30m': 2100 }));
    const marked = (question: string): Fields => ({
      input: [says('developer', part('s@2000', mark())), says('user', question)],
    });
    turn(marked('three@100'), { at: 6 });
    expect(turn(marked('four@100'), { at: 9 }).usage).toEqual(usage(2000, 0, { '30m': 100 }));
  });

  const five = says('user', ...['a', 'b', 'c', 'd', 'e'].map((name) => part(`${name}@2000`, mark())), 'tail@5');
  it('CA51: implicit writes three explicit ones beside its own', () => {
    const told = drive(GPT)({ input: [five] });
    expect(told.breakpoints.map(({ origin, outcome, tokens }) => [origin, outcome, tokens])).toEqual([
      ['explicit', 'not-written', 2000],
      ['explicit', 'not-written', 4000],
      ['explicit', 'written', 6000],
      ['explicit', 'written', 8000],
      ['explicit', 'written', 10000],
      ['implicit', 'written', 10005],
    ]);
  });

  it('CA51: explicit writes four', () => {
    const told = drive(GPT)({ input: [five], ...explicit });
    expect(told.breakpoints.map(({ outcome }) => outcome)).toEqual([
      'not-written',
      'written',
      'written',
      'written',
      'written',
    ]);
    expect(told.usage).toEqual(usage(0, 5, { '30m': 10_000 }));
  });

  it('CA51: explicit without any caches nothing', () => {
    const turn = drive(GPT);
    const body = { input: [says('user', 'q@3000')], ...explicit };
    turn(body);
    expect(turn(body, { at: 5 })).toMatchObject({ usage: usage(0, 3000), breakpoints: [] });
  });

  it('CA50: distance in blocks does not matter', () => {
    const turn = drive(GPT);
    const head = says('developer', part('s@2000', mark()));
    turn({ input: [head, says('user', 'q')], ...explicit });
    const long = {
      input: [head, ...Array.from({ length: 60 }, (_, index) => says('user', `${index}@1`))],
      ...explicit,
    };
    expect(turn(long, { at: 5 }).usage.read).toBe(2000);
  });

  it('CA52: the latest 80 breakpoints are looked at', () => {
    const body = (count: number): Fields => ({
      input: [
        says('developer', part('s@2000', mark())),
        ...Array.from({ length: count }, (_, index) => says('user', part(`${index}@1`, mark()))),
      ],
      ...explicit,
    });
    const read = (count: number): number => {
      const turn = drive(GPT);
      turn(body(0));
      return turn(body(count), { at: 5 }).usage.read;
    };
    expect(read(79)).toBe(2000);
    expect(read(80)).toBe(0);
  });

  it('CA53: from 1,024 tokens on, not rounded', () => {
    const body = (tokens: number): Fields => ({ input: [says('user', `q@${tokens}`)] });
    expect(drive(GPT)(body(1023)).usage).toEqual(usage(0, 1023));
    const turn = drive(GPT);
    expect(turn(body(1025)).usage).toEqual(usage(0, 0, { '30m': 1025 }));
    expect(turn(body(1025), { at: 5 }).usage).toEqual(usage(1025, 0));
    expect(drive(GPT)(body(1000), { estimated: true }).uncertain).toBe(true);
  });

  it('CA54: 30 minutes or 12 hours, refreshed on reuse', () => {
    const body = (ttl: string): Fields => ({ input: [says('user', 'q@2000')], prompt_cache_options: { ttl } });
    const turn = drive(GPT);
    turn(body('30m'));
    expect(turn(body('30m'), { at: 30 * MINUTE }).usage.read).toBe(2000);
    expect(turn(body('30m'), { at: 60 * MINUTE }).usage.read).toBe(2000);
    expect(turn(body('30m'), { at: 91 * MINUTE }).usage.read).toBe(0);
    const long = drive(GPT);
    expect(long(body('12h')).usage).toEqual(usage(0, 0, { '12h': 2000 }));
    expect(long(body('12h'), { at: 719 * MINUTE }).usage.read).toBe(2000);
  });

  it('CA54: writes are counted by the TTL of the breakpoint that ends them', () => {
    const input = [says('developer', part('s@2000', mark('12h'))), says('user', 'q@300')];
    expect(drive(GPT)({ input }).usage).toEqual(usage(0, 0, { '12h': 2000, '30m': 300 }));
  });

  it('CA55: the key is part of the match', () => {
    const turn = drive(GPT);
    const input = [says('user', 'q@2000')];
    turn({ input });
    expect(turn({ input, prompt_cache_key: 'other' }, { at: 5 }).usage.read).toBe(0);
    expect(turn({ input, prompt_cache_key: null }, { at: 6 }).usage.read).toBe(0);
    expect(turn({ input, prompt_cache_key: null }, { at: 7 })).toMatchObject({
      usage: usage(2000, 0),
      uncertain: true,
    });
    expect(turn({ input }, { at: 8 })).toMatchObject({ usage: usage(2000, 0), uncertain: false });
  });

  it('CA56: what cannot be marked is not, and cache_control means nothing', () => {
    const input = [
      says('user', part('q@2000', { cache_control: { type: 'ephemeral' } })),
      { role: 'assistant', content: [{ type: 'output_text', text: 'a@100', ...mark() }] },
    ];
    expect(drive(GPT)({ input, instructions: 'i@50', ...explicit })).toMatchObject({
      usage: usage(0, 2150),
      breakpoints: [],
    });
  });

  it('CA57: what the provider keeps cannot be predicted', () => {
    const told = drive(GPT)({ input: [says('user', 'q@2000')], previous_response_id: 'resp_1' });
    expect(told).toMatchObject({ usage: usage(0, 2000), uncertain: true });
    expect(told.note).toContain('previous_response_id');
  });

  it('CA58: a prewarm writes', () => {
    const turn = drive(GPT);
    const input = [says('user', 'q@2000')];
    expect(turn({ input, prompt_cache_options: { prewarm: true } }).usage).toEqual(usage(0, 0, { '30m': 2000 }));
    expect(turn({ input }, { at: 5 }).usage).toEqual(usage(2000, 0));
  });

  it('CA9, CA51: the Chat wire', () => {
    const turn = drive(GPT, {}, 'openai-chat');
    const messages = [
      { role: 'system', content: [{ type: 'text', text: 's@1500', ...mark() }] },
      { role: 'user', content: 'q@100' },
    ];
    expect(turn({ messages }).usage).toEqual(usage(0, 0, { '30m': 1600 }));
    const other = [messages[0] as Fields, { role: 'user', content: 'other@100' }];
    expect(turn({ messages: other }, { at: 5 }).usage).toEqual(usage(1500, 0, { '30m': 100 }));
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f' } }],
    };
    const grown = [...messages, call, { role: 'tool', tool_call_id: 'c', content: 'r@30' }];
    expect(turn({ messages: grown }, { at: 9 }).usage.read).toBe(1600);
  });
});

describe('OpenAI before 5.6', () => {
  const input = (...texts: readonly string[]): Fields => ({ input: texts.map((text) => says('user', text)) });

  it('CA60: the longest prefix in steps of 128, and no writes', () => {
    const turn = drive(OLD_GPT);
    expect(turn(input('a@1000', 'b@500')).usage).toEqual(usage(0, 1500));
    // 1,500 is 11 steps and a bit.
    expect(turn(input('a@1000', 'b@500', 'c@700'), { at: 5 }).usage).toEqual(usage(1408, 792));
    expect(turn(input('a@1000', 'b@500', 'c@700'), { at: 6 }).usage).toEqual(usage(2176, 24));
  });

  it('CA60: at least 1,024', () => {
    const turn = drive(OLD_GPT);
    turn(input('a@1000', 'b@10', 'c@500'));
    expect(turn(input('a@1000', 'b@10', 'x@500'), { at: 5 }).usage.read).toBe(0);
    turn(input('a@1000', 'b@23'), { at: 6 });
    expect(turn(input('a@1000', 'b@23'), { at: 7 }).usage.read).toBe(0);
    turn(input('a@1000', 'b@24'), { at: 8 });
    expect(turn(input('a@1000', 'b@24'), { at: 9 }).usage.read).toBe(1024);
  });

  it('CA60: inside a block by characters, and uncertain', () => {
    const turn = drive(OLD_GPT);
    const block = (end: string): Fields => input(`@4096 ${'x'.repeat(5_000)}${end.repeat(5_000)}`);
    turn(block('y'));
    const told = turn(block('z'), { at: 5 });
    expect(told.uncertain).toBe(true);
    expect(told.usage.read).toBe(2048);
  });

  it('CA60: several conversations live side by side', () => {
    const turn = drive(OLD_GPT);
    turn(input('a@2000', 'b@500'));
    turn(input('p@3000', 'q@500'), { at: 2 });
    expect(turn(input('a@2000', 'b@500', 'c@10'), { at: 5 }).usage.read).toBe(2432);
    expect(turn(input('p@3000', 'q@500', 'r@10'), { at: 6 }).usage.read).toBe(3456);
  });

  it('CA61: in memory for ten idle minutes at most, sure for five; an hour in all', () => {
    const body = { ...input('a@2000'), prompt_cache_retention: 'in_memory' };
    const turn = drive(OLD_GPT);
    turn(body);
    expect(turn(body, { at: 5 * MINUTE })).toMatchObject({ usage: { read: 1920 }, uncertain: false });
    expect(turn(body, { at: 14 * MINUTE })).toMatchObject({ usage: { read: 1920 }, uncertain: true });
    expect(turn(body, { at: 25 * MINUTE }).usage.read).toBe(0);
  });

  it('CA61: 24 hours if asked for, or by default where data is kept', () => {
    const read = (retention: Fields, options: CacheModelOptions, at: number): number => {
      const turn = drive(OLD_GPT, options);
      turn({ ...input('a@2000'), ...retention });
      return turn({ ...input('a@2000'), ...retention }, { at }).usage.read;
    };
    const none = { assumptions: { zeroDataRetention: true } };
    expect(read({ prompt_cache_retention: '24h' }, none, 1440 * MINUTE)).toBe(1920);
    expect(read({ prompt_cache_retention: '24h' }, none, 1441 * MINUTE)).toBe(0);
    expect(read({}, {}, 600 * MINUTE)).toBe(1920);
    expect(read({}, none, 11 * MINUTE)).toBe(0);
  });

  it('CA62: another key is no other cache', () => {
    const turn = drive(OLD_GPT);
    turn(input('a@2000'));
    expect(turn({ ...input('a@2000'), prompt_cache_key: 'other' }, { at: 5 }).usage.read).toBe(1920);
  });
});

describe('others', () => {
  it('CA70: nothing is predicted for a model of which nothing is known', () => {
    const { model } = createDriver();
    const body = { model: 'llama-3', messages: [{ role: 'user', content: 'q@2000' }] };
    const told = model.predict(callOf(body, { wire: 'openai-chat' }));
    expect(told).toMatchObject({ usage: usage(0, 2000), uncertain: true, floor: undefined });
    expect(told.note).toContain('llama-3');
  });
});
