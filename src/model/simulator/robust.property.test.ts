import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinBehaviour } from './behaviour/decide.ts';
import { ANTHROPIC, newSimulator, OPENAI, scenarioOf, textOf } from './testing/simulate.ts';

const INDEX = '## Available skills\n\n- a-b: Does it. Use when it rains.\n- é.(x: Odd. (metaskill: starlark)\n';
const PIECES = [
  'Revise the draft below.\n\nPrevious draft:\n',
  '## H',
  '----- diff -----\n',
  'Text:\n',
  'a-b',
  'x.md',
  'remember that ',
  'é.(x',
  '"',
  ': ',
  '\n\n',
  'each line starting with "- "',
];

describe('whatever comes', () => {
  it('SI37: the built-in behavior says something', () => {
    const message = fc
      .array(fc.oneof(fc.constantFrom(...PIECES), fc.string(), fc.string({ unit: 'grapheme' })))
      .map((parts) => parts.join(''));
    const tools = fc.subarray([
      'read_file',
      'skill_load',
      'skill',
      'write_file',
      'list_dir',
      'run_metaskill',
      'memory_add',
      'odd',
    ]);
    fc.assert(
      fc.property(message, tools, fc.boolean(), (text, names, hasIndex) => {
        const reply = builtinBehaviour({
          wire: 'anthropic-messages',
          model: 'claude-haiku-4-5',
          system: hasIndex ? INDEX : text,
          tools: names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
          messages: [{ role: 'user', content: [{ type: 'text', text }] }],
          toolChoice: 'auto',
          thinking: false,
        });
        expect(reply.text !== '' || reply.toolCalls.length > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('SI37: a body gets an answer or a refusal in the form of its wire', async () => {
    const part = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('user', 'assistant', 'text', 'tool_use', 'tool_result'),
      fc.record({
        type: fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking', 'image'),
        text: fc.jsonValue(),
        id: fc.jsonValue(),
        tool_use_id: fc.jsonValue(),
        input: fc.jsonValue(),
      }),
    );
    const message = fc.record({
      role: fc.oneof(fc.constantFrom('user', 'assistant', 'system', 'tool'), fc.jsonValue()),
      content: fc.oneof(fc.string(), fc.array(part), fc.jsonValue()),
      tool_calls: fc.jsonValue(),
    });
    const body = fc.record(
      {
        model: fc.oneof(fc.constantFrom('claude-haiku-4-5', 'gpt-6-sol'), fc.jsonValue()),
        max_tokens: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.jsonValue()),
        messages: fc.oneof(fc.array(message, { maxLength: 4 }), fc.jsonValue()),
        input: fc.oneof(fc.string(), fc.array(fc.oneof(message, part)), fc.jsonValue()),
        system: fc.oneof(fc.string(), fc.array(part), fc.jsonValue()),
        tools: fc.oneof(
          fc.array(fc.record({ name: fc.string(), type: fc.jsonValue(), input_schema: fc.jsonValue() })),
          fc.jsonValue(),
        ),
        tool_choice: fc.jsonValue(),
        thinking: fc.jsonValue(),
        stream: fc.boolean(),
        diagnostics: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const paths = fc.constantFrom('/v1/messages', '/v1/messages/count_tokens', '/v1/responses', '/v1/chat/completions');
    await fc.assert(
      fc.asyncProperty(paths, body, async (path, value) => {
        const simulator = newSimulator({
          scenario: scenarioOf('rules: [{when: {contains: never to be found}, reply: {text: x}}]'),
        });
        const headers = path.startsWith('/v1/messages') ? ANTHROPIC : OPENAI;
        const response = await simulator.handle({ method: 'POST', path, headers, body: JSON.stringify(value) });
        expect([200, 400, 404]).toContain(response.status);
        if (response.status !== 200) expect(textOf(response)).toMatch(/"error":/);
      }),
      { numRuns: 400 },
    );
  });
});
