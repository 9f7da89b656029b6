import { describe, expect, it } from 'vitest';
import { describeScenario, SCENARIO_EXAMPLE } from './scenario-help.ts';
import { parseScenario } from './scenario.ts';
import { askFor, newSimulator, scenarioOf, sendTo } from './testing/simulate.ts';
import { FAULT_WORDS } from './faults.ts';

const say = (...said: readonly unknown[]) => ({
  model: 'claude-haiku-4-5',
  max_tokens: 2000,
  tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
  messages: said.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
});

const first = (text: string): string => {
  const parsed = parseScenario(text);
  return parsed.ok ? 'no mistake' : `${parsed.error[0]?.line}: ${parsed.error[0]?.message}`;
};

const MISTAKES: readonly [text: string, told: string][] = [
  ['', '1: the file: must be object'],
  ['rules: [', '1: not YAML'],
  ['rules: []', '1: rules: needs at least one rule'],
  ['rule: []', '1: rules: is missing (array)'],
  [
    'rules:\n  - reply: {text: a}\n  - reply:\n      txt: a',
    '4: rules[2].reply: unknown key “txt”. Allowed: text, thinking, tool_calls, stop, fault',
  ],
  [
    'rules:\n  - when: {containing: a}\n    reply: {text: a}',
    '2: rules[1].when: unknown key “containing”. Allowed: contains, matches',
  ],
  ['rules:\n  - when: {contains: a}', '2: rules[1].reply: is missing (object)'],
  ['rules:\n  - reply: {}', '2: rules[1].reply: needs one of text, tool_calls, thinking, stop, fault'],
  ['rules:\n  - reply:\n      fault: flood', '3: rules[1].reply.fault: is one of rate_limit, overloaded'],
  [
    'rules:\n  - when:\n      matches: "("\n    reply: {text: a}',
    '3: rules[1].when.matches: isn’t a valid regular expression',
  ],
  [
    'rules:\n  - when: {last_role: robot}\n    reply: {text: a}',
    '2: rules[1].when.last_role: is user (the user wrote) or tool (a tool responded)',
  ],
  ['rules:\n  - reply: {text: 5}', '2: rules[1].reply.text: must be string'],
  ['rules:\n  - reply: {text: a}\n    once: true\n    times: 2', '2: rules[1]: has once or times, not both'],
  ['rules:\n  - reply: {text: a}\n    times: 0', '3: rules[1].times'],
  ['rules:\n  - reply:\n      tool_calls: [{name: a, input: &a {x: *a}}]', '3: “*a” holds itself'],
  ['rules:\n  - reply:\n      text: *nobody', '3: there is no anchor “&nobody” before this'],
];

describe('a scenario file', () => {
  it.each(MISTAKES)('SI25: %j is reported as %j', (text, told) => {
    expect(first(text)).toContain(told);
  });

  it('SI25: all mistakes are reported, first line first', () => {
    const parsed = parseScenario('rules:\n  - reply: {text: 1}\n  - reply: {txt: a}\notherwise: maybe');
    expect(parsed.ok ? [] : parsed.error.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it('SI26: its help names every fault, and its example can be played', async () => {
    for (const word of FAULT_WORDS) expect(describeScenario()).toContain(word);
    const simulator = newSimulator({ scenario: scenarioOf(SCENARIO_EXAMPLE) });
    const asked = await askFor(simulator, '/v1/messages', {
      ...say('What WEATHER is it?'),
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    expect(asked.content).toMatchObject([
      { type: 'thinking', thinking: 'The tool knows.' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', name: 'get_weather', input: { location: 'Bergen' } },
    ]);
    const result = [{ type: 'tool_result', tool_use_id: asked.content[2]?.id, content: 'rain' }];
    const told = await askFor(simulator, '/v1/messages', say('What weather is it?', asked.content, result));
    expect(told.content).toMatchObject([{ type: 'text', text: 'It rains.' }]);
    expect((await sendTo(simulator, '/v1/messages', say('hello there'))).status).toBe(529);
    expect((await sendTo(simulator, '/v1/messages', say('hello there'))).status).toBe(200);
  });

  it('SI27: the first rule that fits replies; used up, it is skipped', async () => {
    const simulator = newSimulator({
      scenario: scenarioOf(
        'rules:\n  - {reply: {text: one}, once: true}\n  - {reply: {text: two}, times: 2}\n  - {reply: {text: rest}}',
      ),
    });
    const texts: (string | undefined)[] = [];
    for (let count = 0; count < 5; count++)
      texts.push((await askFor(simulator, '/v1/messages', say('a'))).content[0]?.text);
    expect(texts).toEqual(['one', 'two', 'two', 'rest', 'rest']);
  });

  it('SI27: a request that fails by another fault uses up no rule', async () => {
    const simulator = newSimulator({
      scenario: scenarioOf('rules:\n  - {reply: {text: one}, once: true}\notherwise: error'),
      faults: [{ kind: 'overloaded' }],
    });
    expect((await sendTo(simulator, '/v1/messages', say('a'))).status).toBe(529);
    expect((await askFor(simulator, '/v1/messages', say('a'))).content[0]?.text).toBe('one');
    expect((await askFor(simulator, '/v1/messages', say('a'))).error.message).toContain('no rule fits');
  });

  const CONDITIONS: readonly [when: string, fits: object, not: object][] = [
    ['contains: Rain', say('will it rain?'), say('sun')],
    ['matches: "^a+$"', say('aaa'), say('ab')],
    ['system_contains: pirate', { ...say('a'), system: 'a pirate' }, say('a pirate')],
    ['model: claude-opus-5-5', { ...say('a'), model: 'claude-opus-5-5' }, say('a')],
    ['turn: 2', say('a', 'b', 'c'), say('a')],
    [
      'last_role: user',
      say('a'),
      say(
        'a',
        [{ type: 'tool_use', id: 't', name: 'x', input: {} }],
        [{ type: 'tool_result', tool_use_id: 't', content: '' }],
      ),
    ],
    [
      'tool_result_of: x',
      say(
        'a',
        [{ type: 'tool_use', id: 't', name: 'x', input: {} }],
        [{ type: 'tool_result', tool_use_id: 't', content: '' }],
      ),
      say(
        'a',
        [{ type: 'tool_use', id: 't', name: 'y', input: {} }],
        [{ type: 'tool_result', tool_use_id: 't', content: '' }],
      ),
    ],
  ];
  it.each(CONDITIONS)('SI27: when %s', async (when, fits, not) => {
    const scenario = scenarioOf(`rules:\n  - when: {${when}}\n    reply: {text: "yes"}\notherwise: error`);
    expect((await sendTo(newSimulator({ scenario }), '/v1/messages', fits)).status).toBe(200);
    expect((await sendTo(newSimulator({ scenario }), '/v1/messages', not)).status).toBe(400);
  });

  it('SI27: when nth', async () => {
    const simulator = newSimulator({
      scenario: scenarioOf('rules:\n  - when: {nth: 2}\n    reply: {text: second}\n  - reply: {text: other}'),
    });
    const texts: (string | undefined)[] = [];
    for (let count = 0; count < 3; count++)
      texts.push((await askFor(simulator, '/v1/messages', say('a'))).content[0]?.text);
    expect(texts).toEqual(['other', 'second', 'other']);
  });
});
