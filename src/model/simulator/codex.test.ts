import { describe, expect, it } from 'vitest';
import { newSimulator, OPENAI, scenarioOf, sendTo, textOf } from './testing/simulate.ts';

interface Item {
  readonly type: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly input?: string;
  readonly arguments?: string;
  readonly content?: readonly { readonly text: string }[];
}
interface Said {
  readonly id: string;
  readonly previous_response_id: string | null;
  readonly output: readonly Item[];
  readonly usage: { readonly input_tokens: number; readonly input_tokens_details: { readonly cached_tokens: number } };
  readonly error?: { readonly code: string; readonly message: string };
}

const PATH = '/v1/responses';

/** What Codex 0.169 sends for a newer model: no `tools`, and the lists in an item of the input. */
const ADDITIONAL = {
  type: 'additional_tools',
  id: 'at_1',
  role: 'developer',
  tools: [
    {
      type: 'namespace',
      name: 'functions',
      description: '',
      tools: [
        { type: 'custom', name: 'exec', description: 'Run JavaScript', format: { type: 'text' } },
        { type: 'function', name: 'wait', description: 'Waits', parameters: { type: 'object', properties: {} } },
      ],
    },
  ],
};
const codex = (...input: readonly object[]): object => ({
  model: 'gpt-6-sol',
  store: false,
  client_metadata: { thread_id: 't-1' },
  input: [ADDITIONAL, ...input],
});
const user = (text: string): object => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

const ask = async (simulator: ReturnType<typeof newSimulator>, body: object, headers = OPENAI): Promise<Said> =>
  JSON.parse(textOf(await sendTo(simulator, PATH, body, headers))) as Said;

describe('requests of Codex', () => {
  it('SI52: takes client_metadata', async () => {
    const told = await ask(newSimulator(), codex(user('Hello')));
    expect(told.output[0]?.content?.[0]?.text).toBe('Yes.');
  });

  it('SI52: calls a custom tool of an additional list with its text, and reads its output', async () => {
    const simulator = newSimulator({
      scenario: scenarioOf(
        'rules:\n  - when: {tool_result_of: exec}\n    reply: {text: Done.}\n  - reply: {tool_calls: [{name: exec, input: {input: "text(1)"}}]}',
      ),
    });
    const told = await ask(simulator, codex(user('Go')));
    const [call] = told.output;
    expect(call).toMatchObject({
      type: 'custom_tool_call',
      name: 'exec',
      namespace: 'functions',
      input: 'text(1)',
    });
    const { call_id: id } = call as unknown as { readonly call_id: string };
    const after = await ask(
      simulator,
      codex(user('Go'), call as object, { type: 'custom_tool_call_output', call_id: id, output: '1' }),
    );
    expect(after.output[0]?.content?.[0]?.text).toBe('Done.');
  });

  it('SI52: streams the text of a custom tool', async () => {
    const simulator = newSimulator({
      scenario: scenarioOf('rules: [{reply: {tool_calls: [{name: exec, input: {input: "text(1)"}}]}}]'),
    });
    const events = textOf(await sendTo(simulator, PATH, { ...codex(user('Go')), stream: true }));
    const order = [...events.matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    expect(order).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('SI52: calls a function of a namespace by its name', async () => {
    const simulator = newSimulator({ scenario: scenarioOf('rules: [{reply: {tool_calls: [{name: wait}]}}]') });
    const told = await ask(simulator, codex(user('Go')));
    expect(told.output).toMatchObject([
      { type: 'function_call', name: 'wait', namespace: 'functions', arguments: '{}' },
    ]);
  });

  it('SI52: the output of a custom tool needs its call', async () => {
    const told = await ask(
      newSimulator(),
      codex(user('Go'), { type: 'custom_tool_call_output', call_id: 'c', output: '1' }),
    );
    expect(told.error?.message).toBe('No tool call found for custom tool call output with call_id c.');
  });
});

describe('previous_response_id', () => {
  const first = { model: 'gpt-6-sol', instructions: 'Be brief.', input: 'My name is Ada.' };

  it('SI53: the earlier input and output come before the new input', async () => {
    const whole = newSimulator();
    const one = await ask(whole, first);
    const two = await ask(whole, { model: 'gpt-6-sol', input: 'Who am I?', previous_response_id: one.id });
    expect(two.previous_response_id).toBe(one.id);
    const spelled = await ask(newSimulator(), {
      model: 'gpt-6-sol',
      input: [{ role: 'user', content: first.input }, ...one.output, { role: 'user', content: 'Who am I?' }],
    });
    expect(two.usage.input_tokens).toBe(spelled.usage.input_tokens);
  });

  it('SI53: a chain of responses is whole', async () => {
    const simulator = newSimulator({
      scenario: scenarioOf('rules:\n  - when: {turn: 3}\n    reply: {text: third}\n  - reply: {text: other}'),
    });
    let previous: string | null = null;
    let last = '';
    for (const input of ['a', 'b', 'c']) {
      const told: Said = await ask(simulator, {
        model: 'gpt-6-sol',
        input,
        ...(previous !== null && { previous_response_id: previous }),
      });
      previous = told.id;
      last = told.output[0]?.content?.[0]?.text ?? '';
    }
    expect(last).toBe('third');
  });

  it('SI53: the prompt that is continued is read from the cache', async () => {
    const simulator = newSimulator();
    const long = { ...first, instructions: 'word '.repeat(4000) };
    const one = await ask(simulator, long);
    const two = await ask(simulator, { ...long, input: 'Who am I?', previous_response_id: one.id });
    expect(two.usage.input_tokens_details.cached_tokens).toBeGreaterThanOrEqual(1024);
  });

  it('SI53: a call is answered by its output alone', async () => {
    const simulator = newSimulator({
      scenario: scenarioOf(
        'rules:\n  - when: {tool_result_of: now}\n    reply: {text: Noon.}\n  - reply: {tool_calls: [{name: now}]}',
      ),
    });
    const tools = [{ type: 'function', name: 'now', parameters: { type: 'object', properties: {} } }];
    const one = await ask(simulator, { ...first, tools });
    const [call] = one.output as unknown as readonly { readonly call_id: string }[];
    const two = await ask(simulator, {
      model: 'gpt-6-sol',
      tools,
      previous_response_id: one.id,
      input: [{ type: 'function_call_output', call_id: call?.call_id, output: '12:00' }],
    });
    expect(two.output[0]?.content?.[0]?.text).toBe('Noon.');
  });

  it.each([
    ['of another key', {}, { authorization: 'Bearer key-2' }],
    ['that was not stored', { store: false }, OPENAI],
  ])('SI53: a response %s is not found', async (_name, extra, headers) => {
    const simulator = newSimulator();
    const one = await ask(simulator, { ...first, ...extra });
    const two = await ask(simulator, { ...first, previous_response_id: one.id }, headers);
    expect(two.error?.code).toBe('previous_response_not_found');
  });

  it('SI53: the oldest of more than 500 is forgotten, and what continues from it is not', async () => {
    const simulator = newSimulator();
    const one = await ask(simulator, first);
    const two = await ask(simulator, { ...first, previous_response_id: one.id });
    for (let count = 0; count < 499; count++) await ask(simulator, { model: 'gpt-6-sol', input: 'a' });
    expect((await ask(simulator, { ...first, previous_response_id: one.id })).error?.code).toBe(
      'previous_response_not_found',
    );
    const three = await ask(simulator, { ...first, previous_response_id: two.id });
    expect(three.usage.input_tokens).toBeGreaterThan(two.usage.input_tokens);
  });
});
