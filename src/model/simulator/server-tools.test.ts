import { describe, expect, it } from 'vitest';
import { newSimulator as withScenario, scenarioOf, sendTo, textOf } from './testing/simulate.ts';

/** None of its rules fits, so the built-in behavior answers. */
const newSimulator = (options: Parameters<typeof withScenario>[0] = {}) =>
  withScenario({ scenario: scenarioOf('rules: [{when: {nth: 999}, reply: {text: Yes.}}]'), ...options });

const SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };
const ask = (text: string, rest: object = {}) => ({
  model: 'claude-haiku-4-5',
  max_tokens: 500,
  messages: [{ role: 'user', content: text }],
  ...rest,
});

describe('tools that the provider runs', () => {
  it('SI57: a search is answered with its results and an iteration for each pass', async () => {
    const body = ask('Search the web for tidal turbines', { tools: [SEARCH] });
    const message = JSON.parse(textOf(await sendTo(newSimulator(), '/v1/messages', body)));
    expect(message.stop_reason).toBe('end_turn');
    expect(message.content.map(({ type }: { type: string }) => type)).toEqual([
      'server_tool_use',
      'web_search_tool_result',
      'text',
    ]);
    const [use, result] = message.content;
    expect(use.id).toMatch(/^srvtoolu_/);
    expect(use.input).toEqual({ query: 'tidal turbines' });
    expect(result.tool_use_id).toBe(use.id);
    expect(result.content[0].type).toBe('web_search_result');
    const { usage } = message;
    expect(usage.server_tool_use.web_search_requests).toBe(1);
    expect(usage.iterations).toHaveLength(2);
    for (const key of ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'])
      expect(usage[key]).toBe(usage.iterations[0][key] + usage.iterations[1][key]);
    expect(usage.iterations[1].input_tokens).toBeGreaterThan(usage.iterations[0].input_tokens);
  });

  it('SI57: streamed, the result is a block of its own, and the conversation continues', async () => {
    const simulator = newSimulator();
    const body = ask('Search the web for tidal turbines', { tools: [SEARCH] });
    const text = textOf(await sendTo(simulator, '/v1/messages', { ...body, stream: true }));
    expect(text).toContain('"content_block":{"tool_use_id"');
    expect(text).toContain('"web_search_requests":1');
    const { content } = JSON.parse(textOf(await sendTo(simulator, '/v1/messages', body)));
    const next = await sendTo(simulator, '/v1/messages', {
      ...body,
      messages: [...body.messages, { role: 'assistant', content }, { role: 'user', content: 'Thanks' }],
    });
    expect(next.status).toBe(200);
  });

  it('SI57: forced, and beside tools of the client', async () => {
    const body = ask('Anything', { tools: [SEARCH], tool_choice: { type: 'tool', name: 'web_search' } });
    expect(textOf(await sendTo(newSimulator(), '/v1/messages', body))).not.toContain('"type":"tool_use"');
    const both = ask('Search the web for tidal turbines', {
      tools: [SEARCH, { name: 'search_web', description: 'Search the web', input_schema: { type: 'object' } }],
    });
    expect(textOf(await sendTo(newSimulator(), '/v1/messages', both))).toContain('server_tool_use');
  });

  it.each([false, true])("SI57: OpenAI's search is an item of the response, stream: %s", async (stream) => {
    const text = textOf(
      await sendTo(newSimulator(), '/v1/responses', {
        model: 'gpt-5.2',
        input: 'Search the web for tidal turbines',
        tools: [{ type: 'web_search' }],
        stream,
      }),
    );
    expect(text).toContain('"type":"web_search_call"');
    expect(text).toContain('output_text');
    if (stream) expect(text).toContain('response.web_search_call.completed');
  });
});

describe('signatures of other servers', () => {
  const thought = { type: 'thinking', thinking: '<REDACTED>', signature: 'Eabc' };
  const body = ask('Hello', {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [thought, { type: 'text', text: 'Hello.' }] },
      { role: 'user', content: 'Thanks' },
    ],
  });
  const reasoning = {
    model: 'gpt-5.2',
    input: [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
      { role: 'user', content: 'Hello' },
    ],
  };

  it('SI58: are accepted with the option, and refused without', async () => {
    const open = () => newSimulator({ foreignSignatures: true });
    expect((await sendTo(newSimulator(), '/v1/messages', body)).status).toBe(400);
    expect((await sendTo(open(), '/v1/messages', body)).status).toBe(200);
    expect((await sendTo(newSimulator(), '/v1/responses', reasoning)).status).toBe(400);
    expect((await sendTo(open(), '/v1/responses', reasoning)).status).toBe(200);
  });
});
