/** The official SDK of Anthropic against the simulator, unmodified. */
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../model/simulator/simulator.ts';
import { parseScenario, type Scenario } from '../../model/simulator/scenario.ts';
import { connect, TRANSPORTS, type Connected } from './testing/simulated-transport.ts';

const MODEL = 'claude-sonnet-5-5';
const WEATHER = {
  name: 'get_weather',
  description: 'Tells the weather of a place.',
  input_schema: { type: 'object' as const, properties: { location: { type: 'string' } }, required: ['location'] },
};

const scenario = (text: string): Scenario => {
  const parsed = parseScenario(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

const hello = { model: MODEL, max_tokens: 500, messages: [{ role: 'user' as const, content: 'Hello' }] };

describe.each(TRANSPORTS)('the Anthropic SDK over %s', (transport) => {
  let connected: Connected | undefined;
  const open = async (options: Partial<SimulatorOptions> = {}, maxRetries = 0): Promise<Connected> =>
    (connected = await connect(transport, options, maxRetries));
  afterEach(async () => {
    await connected?.close();
    connected = undefined;
  });

  it('SI1: gets a whole message', async () => {
    const { anthropic } = await open({ scenario: scenario('rules: [{reply: {text: It rains.}}]') });
    const message = await anthropic.messages.create(hello);
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [{ type: 'text', text: 'It rains.' }],
      stop_reason: 'end_turn',
      // Four characters are a token here, times the model's 1.35: "Hello" is 2, "It rains." is 3.
      usage: { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
    expect(message.id).toMatch(/^msg_01[1-9A-Za-z]{22}$/);
  });

  it('SI50: an answer of a schema is JSON that fits it, also beside tools', async () => {
    const { anthropic } = await open({ scenario: scenario('rules: [{reply: {text: It rains.}}]') });
    const schema = {
      type: 'object' as const,
      properties: { answer: { type: 'string' }, sure: { type: 'boolean' } },
      required: ['answer', 'sure'],
      additionalProperties: false,
    };
    const output_config = { format: { type: 'json_schema' as const, schema } };
    const message = await anthropic.messages.parse({ ...hello, output_config });
    expect(message.parsed_output).toEqual({ answer: 'It rains.', sure: true });
    const call = await anthropic.messages.create({
      ...hello,
      messages: [{ role: 'user', content: 'What is the weather in Bergen?' }],
      tools: [WEATHER],
      tool_choice: { type: 'none' },
      output_config,
    });
    expect(call.content[0]).toMatchObject({ type: 'text', text: '{"answer":"It rains.","sure":true}' });
  });

  it('SI2: gets the same message as a stream, in the real order', async () => {
    const { anthropic } = await open({ scenario: scenario('rules: [{reply: {text: It rains in Bergen today.}}]') });
    const types: string[] = [];
    const stream = anthropic.messages.stream(hello).on('streamEvent', (event) => types.push(event.type));
    const message = await stream.finalMessage();
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'It rains in Bergen today.' }],
      stop_reason: 'end_turn',
    });
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(message.usage.cache_creation).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 });
  });

  it('SI3: calls a tool, and answers its result', async () => {
    const { anthropic } = await open();
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'What is the weather in Bergen?' }];
    const first = await anthropic.messages.stream({ ...hello, tools: [WEATHER], messages }).finalMessage();
    expect(first.stop_reason).toBe('tool_use');
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(call).toMatchObject({ name: 'get_weather', input: { location: 'Bergen' } });
    messages.push(
      { role: 'assistant', content: first.content as Anthropic.ContentBlockParam[] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: '7 degrees, rain' }] },
    );
    const second = await anthropic.messages.create({ ...hello, tools: [WEATHER], messages });
    expect(second).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'get_weather says: 7 degrees, rain' }] });
  });

  it('SI15: usage tells the speed that was asked for', async () => {
    const { anthropic } = await open();
    expect((await anthropic.messages.create(hello)).usage.speed).toBe('standard');
    expect((await anthropic.messages.create({ ...hello, speed: 'fast' })).usage.speed).toBe('fast');
    expect((await anthropic.messages.stream({ ...hello, speed: 'fast' }).finalMessage()).usage.speed).toBe('fast');
  });

  it('SI3: a tool that must be called is called without a word', async () => {
    const { anthropic } = await open();
    const ask = { ...hello, model: 'claude-haiku-4-5', tools: [WEATHER] };
    const message = await anthropic.messages.create({ ...ask, tool_choice: { type: 'tool', name: 'get_weather' } });
    expect(message.content.map(({ type }) => type)).toEqual(['tool_use']);
  });

  it('SI4: thinks when asked, and takes back only what it thought', async () => {
    const { anthropic } = await open({
      scenario: scenario('rules: [{reply: {thinking: It is near the sea., text: It rains.}}]'),
    });
    const ask = { ...hello, thinking: { type: 'adaptive' as const } };
    const first = await anthropic.messages.stream(ask).finalMessage();
    expect(first.content).toMatchObject([
      { type: 'thinking', thinking: 'It is near the sea.' },
      { type: 'text', text: 'It rains.' },
    ]);
    expect(first.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0);
    const again = (content: Anthropic.ContentBlockParam[]) =>
      anthropic.messages.create({
        ...ask,
        messages: [...ask.messages, { role: 'assistant', content }, { role: 'user', content: 'Sure?' }],
      });
    const kept = first.content as Anthropic.ContentBlockParam[];
    expect((await again(kept)).stop_reason).toBe('end_turn');
    const [thought, ...rest] = kept;
    const changed = [{ ...thought, thinking: 'No.' } as Anthropic.ThinkingBlockParam, ...rest];
    await expect(again(changed)).rejects.toThrow('messages.1.content.0: Invalid `signature` in `thinking` block');
  });

  it('SI5: counts tokens as it bills them', async () => {
    const { anthropic } = await open();
    const asked = {
      model: MODEL,
      messages: [{ role: 'user' as const, content: 'Hello there, simulator' }],
      tools: [WEATHER],
    };
    const counted = await anthropic.messages.countTokens(asked);
    const { usage } = await anthropic.messages.create({ ...asked, max_tokens: 100 });
    expect(counted.input_tokens).toBe(usage.input_tokens);
  });

  it('SI6: lists models', async () => {
    const { anthropic } = await open();
    const ids: string[] = [];
    for await (const model of anthropic.models.list()) ids.push(model.id);
    expect(ids).toContain('claude-haiku-4-5');
    expect(await anthropic.models.retrieve('claude-haiku-4-5')).toMatchObject({
      type: 'model',
      max_input_tokens: 200_000,
    });
    await expect(anthropic.models.retrieve('gpt-6-sol')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('SI7: errors are the classes of the SDK, with ids', async () => {
    const { anthropic } = await open();
    const failure = await anthropic.messages.create({ ...hello, messages: [] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Anthropic.BadRequestError);
    expect(failure).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringContaining('at least one message'),
    });
    expect((failure as InstanceType<typeof Anthropic.APIError>).requestID).toMatch(/^req_01/);
    expect((failure as { workspaceID?: string }).workspaceID).toMatch(/^wrkspc_sim_/);
    await expect(anthropic.messages.create({ ...hello, model: 'claud' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
  });

  it('SI8: the SDK retries what may be retried', async () => {
    const retried = await open(
      {
        faults: [
          { kind: 'rate_limit', retryAfter: 0 },
          { kind: 'overloaded', retryAfter: 0 },
        ],
      },
      2,
    );
    expect((await retried.anthropic.messages.create(hello)).stop_reason).toBe('end_turn');
  });

  it('SI8: 429, 529 and 500 come as their classes', async () => {
    const { anthropic } = await open({
      faults: [{ kind: 'rate_limit' }, { kind: 'overloaded' }, { kind: 'server_error' }],
    });
    const limited = await anthropic.messages.create(hello).catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect((limited as InstanceType<typeof Anthropic.APIError>).headers?.get('retry-after')).toBe('1');
    await expect(anthropic.messages.create(hello)).rejects.toMatchObject({ status: 529, type: 'overloaded_error' });
    await expect(anthropic.messages.create(hello)).rejects.toBeInstanceOf(Anthropic.InternalServerError);
  });

  it('SI9: streams break as they are told to', async () => {
    const text = 'rules: [{reply: {text: One two three four five six seven eight nine ten eleven twelve.}}]';
    const { anthropic } = await open({
      scenario: scenario(text),
      faults: [
        { kind: 'cut' },
        { kind: 'stream_error' },
        { kind: 'malformed_sse' },
        { kind: 'truncated_json' },
        { kind: 'unknown_block' },
      ],
    });
    const failOf = async (): Promise<{ message: string; text: string }> => {
      const stream = anthropic.messages.stream(hello);
      let seen = '';
      stream.on('text', (delta) => (seen += delta));
      const error = await stream.finalMessage().then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
      return { message: error?.message ?? 'none', text: seen };
    };
    const cut = await failOf();
    expect(cut.message).not.toBe('none');
    expect(cut.text).toContain('One two');
    expect((await failOf()).message).toContain('Overloaded');
    expect((await failOf()).message).not.toBe('none');
    // The SDK drops an event that does not end.
    expect((await failOf()).message).toContain('stream ended without producing a Message');
    const strange = await anthropic.messages.create(hello);
    expect(strange.content[0]).toMatchObject({ type: 'hologram' });
  });

  it('SI9: a provider that never answers can be aborted', async () => {
    const controller = new AbortController();
    let hasCalled = false;
    // The simulator looks at its clock when a request arrives.
    const clock = {
      now: () => {
        if (hasCalled) controller.abort();
        return 0;
      },
    };
    const { anthropic } = await open({ faults: [{ kind: 'hang' }], clock });
    hasCalled = true;
    const call = anthropic.messages.create(hello, { signal: controller.signal });
    await expect(call).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
  });

  it('SI9: refuses, and breaks the input of a tool', async () => {
    const { anthropic } = await open({ faults: [{ kind: 'refusal' }, { kind: 'malformed_tool_input' }] });
    expect(await anthropic.messages.create(hello)).toMatchObject({
      stop_reason: 'refusal',
      stop_details: { type: 'refusal' },
    });
    const raw = await anthropic.messages.create({ ...hello, tools: [WEATHER], stream: true });
    let json = '';
    for await (const event of raw)
      if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta')
        json += event.delta.partial_json;
    expect(() => JSON.parse(json) as unknown).toThrow(SyntaxError);
  });

  it('SI10: a stream can be left', async () => {
    const { anthropic } = await open({
      scenario: scenario('rules: [{reply: {text: One two three four five six seven}}]'),
    });
    const stream = anthropic.messages.stream(hello);
    stream.on('text', () => stream.abort());
    await expect(stream.done()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
  });

  it('SI11: max_tokens and stop sequences end an answer', async () => {
    const { anthropic } = await open({ scenario: scenario('rules: [{reply: {text: abcdefgh STOP ijkl}}]') });
    const cut = await anthropic.messages.create({ ...hello, max_tokens: 2 });
    // 4 characters are ceil(1 × 1.35) = 2 tokens; 5 would be 3.
    expect(cut).toMatchObject({ stop_reason: 'max_tokens', content: [{ text: 'abcd' }], usage: { output_tokens: 2 } });
    const stopped = await anthropic.messages.create({ ...hello, stop_sequences: ['STOP'] });
    expect(stopped).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'STOP',
      content: [{ text: 'abcdefgh ' }],
    });
    expect(await anthropic.messages.create({ ...hello, max_tokens: 0 })).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 0 },
    });
  });
});
