/** The official SDK of OpenAI against the simulator, unmodified: both wires. */
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../model/simulator/simulator.ts';
import { parseScenario, type Scenario } from '../../model/simulator/scenario.ts';
import { connect, TRANSPORTS, type Connected } from './testing/simulated-transport.ts';

const MODEL = 'gpt-6-sol';
const PARAMETERS = { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] };

const scenario = (text: string): Scenario => {
  const parsed = parseScenario(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

const RAINS = scenario('rules: [{reply: {thinking: It is near the sea., text: It rains in Bergen today.}}]');

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1, maximum: 5 },
    sky: { enum: ['sun', 'rain'] },
    note: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/note' }] },
    answer: { type: 'string' },
  },
  required: ['city', 'days', 'sky', 'note', 'answer'],
  additionalProperties: false,
  $defs: {
    note: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  },
};
const FORECAST = {
  city: 'Bergen',
  days: 5,
  sky: 'rain',
  note: { text: 'It rains in Bergen today.' },
  answer: 'It rains in Bergen today.',
};
const ASK = 'Will it rain in Bergen on the next 14 days? As json.';

describe.each(TRANSPORTS)('the OpenAI SDK over %s', (transport) => {
  let connected: Connected | undefined;
  const open = async (options: Partial<SimulatorOptions> = {}, maxRetries = 0): Promise<Connected> =>
    (connected = await connect(transport, options, maxRetries));
  afterEach(async () => {
    await connected?.close();
    connected = undefined;
  });

  describe('responses', () => {
    const hello = { model: MODEL, input: 'Hello' };

    it('SI1: gets a whole response', async () => {
      const { openai } = await open({ scenario: RAINS });
      const response = await openai.responses.create(hello);
      expect(response).toMatchObject({
        object: 'response',
        status: 'completed',
        model: MODEL,
        output_text: 'It rains in Bergen today.',
      });
      // 5 and 25 characters, four to a token.
      expect(response.usage).toMatchObject({ input_tokens: 2, output_tokens: 7, total_tokens: 9 });
    });

    it('SI50: an answer of a schema is JSON that fits it; without one it is any object', async () => {
      const { openai } = await open({ scenario: RAINS });
      const format = { type: 'json_schema', name: 'forecast', strict: true, schema: SCHEMA } as const;
      const parsed = await openai.responses.parse({ model: MODEL, input: ASK, text: { format } });
      expect(parsed.output_parsed).toEqual(FORECAST);
      const any = await openai.responses.create({
        model: MODEL,
        input: ASK,
        text: { format: { type: 'json_object' } },
      });
      expect(JSON.parse(any.output_text)).toEqual({ answer: 'It rains in Bergen today.' });
    });

    it('SI2: gets a stream with sequence numbers, in the real order', async () => {
      const { openai } = await open({ scenario: RAINS });
      const stream = await openai.responses.create({ ...hello, stream: true });
      const types: string[] = [];
      const numbers: number[] = [];
      for await (const event of stream) {
        if (types.at(-1) !== event.type) types.push(event.type);
        numbers.push(event.sequence_number);
      }
      expect(types).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ]);
      expect(numbers).toEqual(numbers.map((_number, index) => index));
    });

    it('SI2: the stream helper makes the same response of it', async () => {
      const { openai } = await open({ scenario: RAINS });
      const final = await openai.responses.stream(hello).finalResponse();
      expect(final.output_text).toBe('It rains in Bergen today.');
    });

    it('SI3: calls a function, and answers its output', async () => {
      const { openai } = await open();
      const tools = [
        {
          type: 'function' as const,
          name: 'get_weather',
          description: 'Tells the weather of a place.',
          parameters: PARAMETERS,
          strict: false,
        },
      ];
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'What is the weather in Bergen?' }];
      const first = await openai.responses.stream({ model: MODEL, input, tools }).finalResponse();
      const call = first.output.find((item) => item.type === 'function_call');
      expect(call).toMatchObject({ name: 'get_weather', arguments: '{"location":"Bergen"}' });
      input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]), {
        type: 'function_call_output',
        call_id: call?.call_id ?? '',
        output: '7 degrees, rain',
      });
      expect((await openai.responses.create({ model: MODEL, input, tools })).output_text).toBe(
        'get_weather says: 7 degrees, rain',
      );
    });

    it('SI4: reasons when asked, and takes back only what it reasoned', async () => {
      const { openai } = await open({ scenario: RAINS });
      const asked = { ...hello, reasoning: { effort: 'high' as const, summary: 'auto' as const } };
      const { output } = await openai.responses.stream(asked).finalResponse();
      const [item] = output;
      expect(item).toMatchObject({ type: 'reasoning', summary: [{ text: 'It is near the sea.' }] });
      const again = (items: OpenAI.Responses.ResponseInput) =>
        openai.responses.create({
          ...asked,
          input: [{ role: 'user', content: 'Hello' }, ...items, { role: 'user', content: 'Sure?' }],
        });
      const kept = output as OpenAI.Responses.ResponseInput;
      expect((await again(kept)).status).toBe('completed');
      const [, ...rest] = kept;
      const other = {
        ...item,
        summary: [{ type: 'summary_text', text: 'No.' }],
      } as OpenAI.Responses.ResponseReasoningItem;
      const changed = [other, ...rest];
      await expect(again(changed)).rejects.toMatchObject({ status: 400, code: 'invalid_encrypted_content' });
    });

    it('SI5: counts tokens as it bills them', async () => {
      const { openai } = await open();
      const counted = await openai.responses.inputTokens.count({ ...hello });
      expect(counted).toEqual({
        object: 'response.input_tokens',
        input_tokens: (await openai.responses.create(hello)).usage?.input_tokens,
      });
    });

    it('SI11: max_output_tokens makes it incomplete', async () => {
      const { openai } = await open({ scenario: scenario(`rules: [{reply: {text: ${'rain '.repeat(40)}}}]`) });
      const response = await openai.responses.create({ ...hello, max_output_tokens: 16 });
      expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
      expect(response.output_text).toMatch(/^rain( rain)* ?$/);
      expect(response.usage?.output_tokens).toBe(16);
    });

    it('SI7: errors are the classes of the SDK', async () => {
      const { openai } = await open();
      await expect(openai.responses.create({ ...hello, model: 'gtp' })).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
      });
      await expect(openai.responses.create({ ...hello, input: [] })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
      const orphan = [{ type: 'function_call_output' as const, call_id: 'call_x', output: '' }];
      await expect(openai.responses.create({ ...hello, input: orphan })).rejects.toThrow(
        'No tool call found for function call output with call_id call_x.',
      );
    });

    it('SI9: an error in mid-stream and a cut are reported', async () => {
      const { openai } = await open({ scenario: RAINS, faults: [{ kind: 'stream_error' }, { kind: 'cut' }] });
      await expect(openai.responses.stream(hello).finalResponse()).rejects.toThrow();
      await expect(openai.responses.stream(hello).finalResponse()).rejects.toThrow();
    });
  });

  describe('chat completions', () => {
    const hello = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hello' }] };
    const tools = [
      {
        type: 'function' as const,
        function: { name: 'get_weather', description: 'Tells the weather of a place.', parameters: PARAMETERS },
      },
    ];

    it('SI50: an answer of a schema is JSON that fits it, streamed too; several choices say the same', async () => {
      const { openai } = await open({ scenario: RAINS });
      const schema = { type: 'json_schema' as const, json_schema: { name: 'forecast', strict: true, schema: SCHEMA } };
      const asked = { model: MODEL, messages: [{ role: 'user' as const, content: ASK }], response_format: schema };
      const parsed = await openai.chat.completions.parse({ ...asked, n: 2 });
      expect(parsed.choices.map(({ index, message }) => [index, message.parsed])).toEqual([
        [0, FORECAST],
        [1, FORECAST],
      ]);
      const streamed = await openai.chat.completions.stream(asked).finalChatCompletion();
      expect(streamed.choices[0]?.message.parsed).toEqual(FORECAST);
    });

    it('SI1: gets a whole completion', async () => {
      const { openai } = await open({ scenario: RAINS });
      expect(await openai.chat.completions.create(hello)).toMatchObject({
        object: 'chat.completion',
        choices: [{ message: { role: 'assistant', content: 'It rains in Bergen today.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 2, completion_tokens: 7, total_tokens: 9 },
      });
    });

    it('SI2: gets chunks, and usage in the last one when asked', async () => {
      const { openai } = await open({ scenario: RAINS });
      const stream = await openai.chat.completions.create({
        ...hello,
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks: OpenAI.ChatCompletionChunk[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('It rains in Bergen today.');
      expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 7 } });
      const plain = await openai.chat.completions.create({ ...hello, stream: true });
      for await (const chunk of plain) expect(chunk.usage).toBeUndefined();
    });

    it('SI3: calls a function in a stream, and answers its result', async () => {
      const { openai } = await open();
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        { role: 'user', content: 'What is the weather in Bergen?' },
      ];
      const first = await openai.chat.completions.stream({ model: MODEL, messages, tools }).finalChatCompletion();
      const message = first.choices[0]?.message;
      const call = message?.tool_calls?.[0];
      expect(call).toMatchObject({
        type: 'function',
        function: { name: 'get_weather', arguments: '{"location":"Bergen"}' },
      });
      messages.push(message as OpenAI.ChatCompletionMessageParam, {
        role: 'tool',
        tool_call_id: call?.id ?? '',
        content: 'Rain',
      });
      const second = await openai.chat.completions.create({ model: MODEL, messages, tools });
      expect(second.choices[0]?.message.content).toBe('get_weather says: Rain');
    });

    it('SI7: a call without its result is refused', async () => {
      const { openai } = await open();
      const call = { id: 'call_1', type: 'function' as const, function: { name: 'get_weather', arguments: '{}' } };
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        ...hello.messages,
        { role: 'assistant', tool_calls: [call] },
        { role: 'user', content: 'Well?' },
      ];
      await expect(openai.chat.completions.create({ ...hello, messages })).rejects.toThrow(
        'did not have response messages: call_1',
      );
      await expect(openai.chat.completions.create({ ...hello, messages: [] })).rejects.toMatchObject({
        code: 'empty_array',
      });
    });

    it('SI8: the SDK retries what may be retried', async () => {
      const { openai } = await open(
        {
          faults: [
            { kind: 'rate_limit', retryAfter: 0 },
            { kind: 'overloaded', retryAfter: 0 },
          ],
        },
        2,
      );
      expect((await openai.chat.completions.create(hello)).object).toBe('chat.completion');
    });

    it('SI8: 429 and 503 come as their classes', async () => {
      const { openai } = await open({ faults: [{ kind: 'rate_limit' }, { kind: 'overloaded' }] });
      await expect(openai.chat.completions.create(hello)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
      await expect(openai.chat.completions.create(hello)).rejects.toMatchObject({ status: 503 });
    });

    it('SI6: lists models, and a router serves Claude', async () => {
      const { openai } = await open();
      const ids: string[] = [];
      for await (const model of openai.models.list()) ids.push(model.id);
      expect(ids).toContain('gpt-6-sol');
      expect(ids).not.toContain('claude-haiku-4-5');
      const routed = await openai.chat.completions.create({ ...hello, model: 'anthropic/claude-haiku-4-5' });
      expect(routed.model).toBe('anthropic/claude-haiku-4-5');
    });
  });
});
