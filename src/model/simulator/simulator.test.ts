import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import {
  ANTHROPIC,
  askFor,
  newSimulator,
  OPENAI,
  scenarioOf,
  sendTo,
  START_MS,
  textOf,
  type Told,
} from './testing/simulate.ts';
import type { Simulator } from './types.ts';

const MESSAGES = '/v1/messages';
const HAIKU = 'claude-haiku-5-5';
const MINUTE = 60_000;

/** 4,000 characters are 1,000 tokens of the test's tokenizer, times 1.35. */
const LONG = 'abcd'.repeat(1000);
const PREFIX = 1350;

const marked = (text: string, ttl?: string): object => ({
  type: 'text',
  text,
  cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) },
});

const turn = (system: string, ...said: readonly string[]) => ({
  model: HAIKU,
  max_tokens: 100,
  system: [marked(system)],
  messages: said.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
});

const usageOf = async (simulator: Simulator, body: object, headers = ANTHROPIC as Record<string, string>) => {
  const { usage } = await askFor(simulator, MESSAGES, body, headers);
  return [usage.cache_read_input_tokens, usage.cache_creation_input_tokens, usage.input_tokens];
};

describe('the cache of the simulator', () => {
  it('SI12: is written on the first turn and read on the second', async () => {
    const simulator = newSimulator();
    expect(await usageOf(simulator, turn(LONG, 'abcd'))).toEqual([0, PREFIX, 2]);
    expect(await usageOf(simulator, turn(LONG, 'abcd', 'Yes.', 'abcd'))).toEqual([PREFIX, 0, 6]);
    expect(simulator.entries()).toMatchObject([{ tokens: PREFIX, reads: 1 }]);
  });

  it('SI12: below the floor nothing is written', async () => {
    const simulator = newSimulator();
    expect(await usageOf(simulator, turn('abcd'.repeat(100), 'abcd'))).toEqual([0, 0, 137]);
    expect(simulator.entries()).toEqual([]);
  });

  it('SI12: another key, another model and another text miss', async () => {
    const simulator = newSimulator();
    await usageOf(simulator, turn(LONG, 'abcd'));
    expect(await usageOf(simulator, turn(LONG, 'abcd'), { ...ANTHROPIC, authorization: 'Bearer key-2' })).toEqual([
      0,
      PREFIX,
      2,
    ]);
    expect(await usageOf(simulator, { ...turn(LONG, 'abcd'), model: 'claude-opus-5-5' })).toEqual([0, PREFIX, 2]);
    expect(await usageOf(simulator, turn(`x${LONG}`, 'abcd'))).toEqual([0, PREFIX + 2, 2]);
    expect(
      await usageOf(simulator, turn(LONG, 'abcd'), { 'anthropic-version': '2026-10-21', 'x-api-key': 'key-1' }),
    ).toEqual([PREFIX, 0, 2]);
  });

  it('SI13: its clock can be moved, and an entry expires five minutes after its last use', async () => {
    const simulator = newSimulator();
    await usageOf(simulator, turn(LONG, 'abcd'));
    simulator.advance(4 * MINUTE);
    expect(await usageOf(simulator, turn(LONG, 'abcd'))).toEqual([PREFIX, 0, 2]);
    simulator.advance(4 * MINUTE);
    expect(await usageOf(simulator, turn(LONG, 'abcd'))).toEqual([PREFIX, 0, 2]);
    simulator.advance(5 * MINUTE + 1);
    expect(simulator.entries()).toEqual([]);
    expect(await usageOf(simulator, turn(LONG, 'abcd'))).toEqual([0, PREFIX, 2]);
    expect(simulator.now()).toBe(START_MS + 13 * MINUTE + 1);
    simulator.advance(-MINUTE);
    expect(simulator.now()).toBe(START_MS + 13 * MINUTE + 1);
  });

  it('SI13: a TTL of an hour is billed as one', async () => {
    const simulator = newSimulator();
    const body = { ...turn(LONG, 'abcd'), system: [marked(LONG, '1h')] };
    const { usage } = await askFor(simulator, MESSAGES, body);
    expect(usage.cache_creation).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: PREFIX });
    simulator.advance(59 * MINUTE);
    expect(await usageOf(simulator, body)).toEqual([PREFIX, 0, 2]);
  });

  it('SI14: what a request writes can be read only after its first byte has left', async () => {
    const simulator = newSimulator();
    const request = { method: 'POST', path: MESSAGES, headers: ANTHROPIC, body: JSON.stringify(turn(LONG, 'abcd')) };
    const first = await simulator.handle(request);
    const second = await simulator.handle(request);
    expect(
      [first, second].map((response) => (JSON.parse(textOf(response)) as Told).usage.cache_creation_input_tokens),
    ).toEqual([PREFIX, PREFIX]);
    expect(simulator.entries()).toEqual([]);
    first.begun();
    expect(await usageOf(simulator, turn(LONG, 'abcd'))).toEqual([PREFIX, 0, 2]);
  });

  it('SI14: a request that fails writes nothing', async () => {
    const simulator = newSimulator({ faults: [{ kind: 'overloaded' }] });
    await sendTo(simulator, MESSAGES, turn(LONG, 'abcd'));
    expect(await usageOf(simulator, turn(LONG, 'abcd'))).toEqual([0, PREFIX, 2]);
  });

  it('SI15: a stream tells usage at its start, and again with the output at its end', async () => {
    const simulator = newSimulator();
    const events = textOf(await sendTo(simulator, MESSAGES, { ...turn(LONG, 'abcd'), stream: true }))
      .split('\n\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text.split('\ndata: ')[1] ?? '') as Told);
    expect(events[0]?.message.usage).toMatchObject({
      input_tokens: 2,
      cache_creation_input_tokens: PREFIX,
      cache_creation: { ephemeral_5m_input_tokens: PREFIX, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: null,
    });
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual(['message_start', 'content_block_start', 'ping']);
    // "Yes." is one token of the tokenizer: ceil(1.35).
    expect(events.at(-2)?.usage).toEqual({
      input_tokens: 2,
      cache_creation_input_tokens: PREFIX,
      cache_read_input_tokens: 0,
      output_tokens: 2,
      output_tokens_details: { thinking_tokens: 0 },
    });
  });

  it('SI16: hidden tokens of tools are part of the prompt, and count_tokens agrees', async () => {
    const simulator = newSimulator();
    const tool = { name: 't', description: 'd', input_schema: { type: 'object' } };
    const body = { model: 'claude-haiku-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'abcd' }] };
    const without = await askFor(simulator, MESSAGES, body);
    const { usage } = await askFor(simulator, MESSAGES, { ...body, tools: [tool] });
    // Its JSON has 63 characters: 16 tokens × 1.05 are 17; 496 are the hidden ones of this model.
    expect(JSON.stringify(tool)).toHaveLength(63);
    expect(usage.input_tokens - without.usage.input_tokens).toBe(17 + 496);
    const { max_tokens: _most, ...counted } = { ...body, tools: [tool] };
    expect(await askFor(simulator, '/v1/messages/count_tokens', counted)).toEqual({ input_tokens: usage.input_tokens });
  });

  it('SI12: OpenAI reads at its breakpoints, and counts cached tokens into the input', async () => {
    const simulator = newSimulator();
    const body = (...said: readonly string[]) => ({
      model: 'gpt-6-sol',
      prompt_cache_key: 'k',
      input: [
        {
          role: 'developer',
          content: [{ type: 'input_text', text: 'abcd'.repeat(1500), prompt_cache_breakpoint: { mode: 'explicit' } }],
        },
        ...said.map((content) => ({ role: 'user', content })),
      ],
    });
    const first = await askFor(simulator, '/v1/responses', body('abcd'));
    expect(first.usage).toMatchObject({ input_tokens: 1501, input_tokens_details: { cached_tokens: 0 } });
    expect(first.usage.input_tokens_details.cache_write_tokens).toBeGreaterThanOrEqual(1500);
    const second = await askFor(simulator, '/v1/responses', body('efgh'));
    expect(second.usage.input_tokens_details.cached_tokens).toBe(1500);
  });
});

describe('what the providers say about their caches', () => {
  const diagnosed = async (simulator: Simulator, previous: string | null, body: object): Promise<Told> =>
    askFor(simulator, MESSAGES, { ...body, diagnostics: { previous_message_id: previous } });

  it('SI17: nothing unless asked, nothing on the first turn, nothing when nothing changed', async () => {
    const simulator = newSimulator();
    expect((await askFor(simulator, MESSAGES, turn(LONG, 'a'))).diagnostics).toBeUndefined();
    const first = await diagnosed(simulator, null, turn(LONG, 'a'));
    expect(first.diagnostics).toBeUndefined();
    expect((await diagnosed(simulator, first.id, turn(LONG, 'a', 'Yes.', 'b'))).diagnostics).toBeUndefined();
  });

  const tool = (name: string): object => ({ name, description: 'd', input_schema: { type: 'object' } });
  const base = { ...turn(LONG, 'a'), tools: [tool('t')] };
  const changes: readonly [reason: string, body: object][] = [
    ['model_changed', { ...base, model: 'claude-opus-5-5', system: [marked('other')] }],
    ['tools_changed', { ...base, tools: [tool('u')], system: [marked('other')] }],
    ['tools_changed', { ...base, tools: [tool('t'), tool('u')] }],
    ['system_changed', { ...base, system: [marked(`${LONG}.`)] }],
    ['messages_changed', { ...base, messages: [{ role: 'user', content: 'b' }] }],
    ['unavailable', { ...base, tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
  ];
  it.each(changes)('SI17: %s is the earliest divergence', async (reason, body) => {
    const simulator = newSimulator();
    const first = await diagnosed(simulator, null, base);
    const { diagnostics } = await diagnosed(simulator, first.id, body);
    expect(diagnostics?.cache_miss_reason.type).toBe(reason);
    if (reason !== 'unavailable') expect(diagnostics?.cache_miss_reason.cache_missed_input_tokens).toBeGreaterThan(0);
  });

  it('SI17: an unknown or forgotten message is not found', async () => {
    const simulator = newSimulator();
    const first = await diagnosed(simulator, null, base);
    const missing = { cache_miss_reason: { type: 'previous_message_not_found' } };
    expect((await diagnosed(simulator, 'msg_none', base)).diagnostics).toEqual(missing);
    simulator.advance(2 * 60 * MINUTE);
    expect((await diagnosed(simulator, first.id, base)).diagnostics).toEqual(missing);
  });

  it('SI18: OpenAI names what changed since the response that is compared', async () => {
    const simulator = newSimulator();
    const body = (extra: object, compared?: string) => ({
      model: 'gpt-6-sol',
      prompt_cache_key: 'k',
      input: [{ role: 'user', content: `${'abcd'.repeat(1500)} json` }],
      ...extra,
      ...(compared !== undefined && { prompt_cache_options: { comparison_response_id: compared } }),
    });
    const ask = (extra: object, compared?: string): Promise<Told> =>
      askFor(simulator, '/v1/responses', body(extra, compared));
    const first = await ask({});
    expect(first.prompt_cache_diagnostics).toBeUndefined();
    expect((await ask({}, first.id)).prompt_cache_diagnostics).toEqual({ type: 'cache_hit' });
    expect((await ask({}, 'resp_none')).prompt_cache_diagnostics).toEqual({ type: 'comparison_response_not_found' });
    const reasonFor = async (extra: object): Promise<string> =>
      (await ask(extra, first.id)).prompt_cache_diagnostics.reason;
    expect(await reasonFor({ model: 'gpt-6-luna' })).toBe('model_changed');
    expect(await reasonFor({ prompt_cache_key: 'other' })).toBe('prompt_cache_key_changed');
    expect(await reasonFor({ tools: [{ type: 'function', name: 't', parameters: { type: 'object' } }] })).toBe(
      'tools_changed',
    );
    expect(await reasonFor({ reasoning: { effort: 'low' } })).toBe('reasoning_effort_changed');
    expect(await reasonFor({ text: { verbosity: 'low' } })).toBe('verbosity_changed');
    expect(await reasonFor({ text: { format: { type: 'json_object' } } })).toBe('text_format_changed');
    expect(await reasonFor({ input: [{ role: 'user', content: 'other' }] })).toBe('input_changed');
  });
});

describe('calls side by side', () => {
  const scenario = scenarioOf('rules: [{reply: {tool_calls: [{name: a, input: {}}, {name: b, input: {}}]}}]');
  const schema = { type: 'object' };
  const messages = [{ role: 'user', content: 'Go' }];
  const chat = ['a', 'b'].map((name) => ({ type: 'function', function: { name, parameters: schema } }));
  const own = ['a', 'b'].map((name) => ({ type: 'function', name, parameters: schema }));
  const claude = ['a', 'b'].map((name) => ({ name, input_schema: schema }));

  it.each([
    [
      '/v1/messages',
      { model: 'claude-haiku-4-5', max_tokens: 99, messages, tools: claude },
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    ],
    ['/v1/responses', { model: 'gpt-6-sol', input: 'Go', tools: own }, { parallel_tool_calls: false }],
    ['/v1/chat/completions', { model: 'gpt-6-sol', messages, tools: chat }, { parallel_tool_calls: false }],
  ])('SI3: on %s only one is made where they are turned off', async (path, body, off) => {
    const count = async (extra: object): Promise<number> =>
      [...textOf(await sendTo(newSimulator({ scenario }), path, { ...body, ...extra })).matchAll(/"name":"[ab]"/g)]
        .length;
    const both = await count({});
    expect(await count(off)).toBe(both - 1);
  });
});

describe('the same script', () => {
  const script = async (simulator: Simulator): Promise<string> => {
    const tool = { name: 'get_weather', description: 'weather', input_schema: { type: 'object' } };
    const chat = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'weather?' }], stream: true };
    const responses = [
      await sendTo(simulator, MESSAGES, {
        ...turn(LONG, 'the weather'),
        tools: [tool],
        thinking: { type: 'adaptive' },
        stream: true,
      }),
      await sendTo(simulator, MESSAGES, turn(LONG, 'again')),
      await sendTo(simulator, MESSAGES, { model: HAIKU }),
      await sendTo(simulator, '/v1/responses', { model: 'gpt-6-sol', input: 'hello', stream: true }),
      await sendTo(simulator, '/v1/chat/completions', chat),
      await simulator.handle({ method: 'GET', path: '/v1/models', headers: ANTHROPIC, body: '' }),
    ];
    return JSON.stringify(responses.map(({ status, headers, chunks }) => ({ status, headers, chunks })));
  };
  /** No rule fits, so the built-in behavior speaks. */
  const builtin = () =>
    newSimulator({ scenario: scenarioOf('rules: [{when: {contains: nothing of the kind}, reply: {text: x}}]') });

  it('SI19: gives the same bytes', async () => {
    expect(await script(builtin())).toBe(await script(builtin()));
  });

  it('SI19: gives the same bytes again after a reset', async () => {
    const simulator = builtin();
    const first = await script(simulator);
    simulator.advance(MINUTE);
    expect(await script(simulator)).not.toBe(first);
    simulator.reset();
    expect(await script(simulator)).toBe(first);
  });

  it('SI19: another seed gives other ids', async () => {
    const id = async (idSeed: string): Promise<string> =>
      (await askFor(newSimulator({ idSeed }), MESSAGES, turn('a', 'b'))).id;
    expect(await id('a')).not.toBe(await id('b'));
  });
});

describe('the log', () => {
  it('SI40: has one line per request and never a key', async () => {
    const { log, lines } = collectLog();
    const simulator = newSimulator({ log });
    const headers = { ...ANTHROPIC, authorization: 'Bearer sk-ant-secret', 'x-api-key': 'sk-ant-secret' };
    const ok = await sendTo(simulator, MESSAGES, turn(LONG, 'abcd'), headers);
    await sendTo(simulator, MESSAGES, { model: HAIKU }, headers);
    expect(lines.map(({ text }) => text)).toEqual([
      `POST /v1/messages 200 ${HAIKU} read 0 write ${PREFIX} input 2 output 2`,
      'POST /v1/messages 400 max_tokens: Field required',
    ]);
    expect(JSON.stringify([lines, ok.headers, simulator.entries()])).not.toContain('secret');
  });
});

describe('faults', () => {
  it('SI9: can be asked for with a header', async () => {
    const simulator = newSimulator();
    const body = turn('a', 'b');
    const limited = await sendTo(simulator, MESSAGES, body, { ...ANTHROPIC, 'x-lathe-fault': '429; retry_after=7' });
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '7']);
    const wrong = await sendTo(simulator, MESSAGES, body, { ...ANTHROPIC, 'x-lathe-fault': 'flood' });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong)).toContain('“flood” isn’t a fault. Faults: rate_limit, overloaded');
  });

  it('SI9: slow tokens take their time, a hang never ends', async () => {
    const simulator = newSimulator({ faults: [undefined, { kind: 'slow' }, { kind: 'hang' }] });
    const body = { ...turn('a', 'b'), stream: true };
    const time = ({ chunks }: Awaited<ReturnType<typeof sendTo>>): number =>
      chunks.reduce((sum, { afterMs }) => sum + afterMs, 0);
    expect(time(await sendTo(simulator, MESSAGES, body)) * 5).toBeLessThan(
      time(await sendTo(simulator, MESSAGES, body)),
    );
    expect(await sendTo(simulator, MESSAGES, body)).toMatchObject({ chunks: [], end: 'hang' });
  });

  it('SI9: on the OpenAI wires too', async () => {
    const simulator = newSimulator();
    for (const [path, body] of [
      ['/v1/responses', { model: 'gpt-6-sol', input: 'a' }],
      ['/v1/chat/completions', { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'a' }] }],
    ] as const) {
      const withFault = (fault: string, stream = true) =>
        sendTo(simulator, path, { ...body, stream }, { ...OPENAI, 'x-lathe-fault': fault });
      expect((await withFault('rate_limit')).status).toBe(429);
      expect((await withFault('529')).status).toBe(503);
      expect(await withFault('cut')).toMatchObject({ end: 'cut' });
      expect(textOf(await withFault('unknown_block'))).toContain('hologram');
      expect(textOf(await withFault('stream_error'))).toContain('"server_error"');
      const truncated = textOf(await withFault('truncated_json', false));
      expect(() => JSON.parse(truncated) as unknown).toThrow();
    }
  });
});
