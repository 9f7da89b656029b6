import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { explain } from './explain.ts';
import {
  ask,
  assistant,
  chat,
  claude,
  developer,
  gpt,
  GUIDE,
  judge,
  later,
  marked,
  openai,
  predict,
  system,
  T0,
  talk,
  text,
  tool,
  usage,
  user,
  W,
  type Body,
} from './testing/recorded.ts';

describe('cause 1, volatile-value-in-system', () => {
  it.each([
    ['ISO date', '2026-11-14', '2026-11-15', true],
    ['ISO date and time', '2026-11-15T10:00:00Z', '2026-11-15T10:01:00Z', true],
    ['time', '10:00', '10:01', false],
    ['date', 'November 14, 2026', 'November 15, 2026', true],
    ['Unix time', String(T0 / 1000), String(T0 / 1000 + 60), true],
    ['UUID', '8d1f9a52-0c3b-4a7e-9d55-0f6f2a1b3c4d', '1b7e2c90-77aa-4d02-8a31-5e9c0d6b2f18', false],
    ['session, request or trace id', 'session_a8Kd93', 'session_Zz71Qw', false],
    ['hex id', '9f86d081884c7d65', 'e3b0c44298fc1c14', false],
  ])('EX1: names a %s', (kind, before, after, isNow) => {
    const verdict = judge(system(`Now: ${before}.\n${GUIDE}`), system(`Now: ${after}.\n${GUIDE}`));
    expect(verdict.cause).toBe('volatile-value-in-system');
    expect(verdict.position?.label).toBe('system[0]');
    expect(verdict.position?.path).toBe('text');
    const offset = before.split('').findIndex((char, index) => char !== after[index]);
    expect(verdict.position?.offset).toBe('Now: '.length + offset);
    expect(verdict.evidence[0]).toContain(`${kind}, “${before}” then “${after}”`);
    expect(verdict.evidence[0]?.includes('This is the request time')).toBe(isNow);
  });

  it('EX1: names a value that came or went as a whole', () => {
    const clock = 'Now 10:01:00. ';
    const came = judge(system(GUIDE), system(clock + GUIDE));
    expect(came).toMatchObject({ cause: 'volatile-value-in-system', position: { label: 'system[0]', offset: 0 } });
    expect(came.evidence[0]).toContain('a time, “10:01:00” (new)');
    const went = judge(system(clock + GUIDE), system(GUIDE));
    expect(went.cause).toBe('volatile-value-in-system');
    expect(went.evidence[0]).toContain('a time, “10:01:00” (removed)');
  });

  it('EX1: on a model that matches any prefix a clock in front is no matter of breakpoints', () => {
    const body = (clock: string): Body => ({
      tools: [{ type: 'function', name: 'list', parameters: { type: 'object' } }],
      input: [
        { role: 'developer', content: clock + GUIDE },
        { role: 'user', content: 'List the files.' },
      ],
    });
    const old = { model: 'gpt-5', usage: usage(0, 0, W) };
    for (const clock of ['2026-11-15 ', 'Be brief. ']) {
      const verdict = explain(gpt(body(''), old), gpt(body(clock), later(old)));
      expect(verdict.cause).not.toBe('breakpoint-on-unique-block');
      expect(verdict.repair).not.toContain('cache_control');
    }
    expect(explain(gpt(body(''), old), gpt(body('2026-11-15 '), later(old))).cause).toBe('volatile-value-in-system');
  });

  it('EX51: a marked list of tools that is too short to be written is not what should have been read', () => {
    const body = (clock: string): Body => ({
      cache_control: { type: 'ephemeral' },
      tools: [tool('read', { cache_control: { type: 'ephemeral' } })],
      system: `Now: ${clock}.\n${GUIDE}`,
      messages: ask,
    });
    expect(judge(body('10:00'), body('10:01'))).toMatchObject({
      cause: 'volatile-value-in-system',
      position: { label: 'system' },
    });
  });

  it('EX1: git status in the system prompt of one conversation', () => {
    const one = { system: [marked(`${GUIDE}\ngit status: clean`)], messages: ask };
    const two = {
      system: [marked(`${GUIDE}\ngit status: M src/a.ts`)],
      messages: [...ask, assistant('Two files.'), user('And now?')],
    };
    const verdict = judge(one, two);
    expect(verdict.cause).toBe('volatile-value-in-system');
    expect(verdict.evidence[0]).toContain('git status');
    expect(verdict.position?.offset).toBe(`${GUIDE}\ngit status: `.length);
  });

  it('EX1: OpenAI: in a developer message, and in instructions', () => {
    expect(
      openai(developer(`Today is 2026-11-14. ${GUIDE}`), developer(`Today is 2026-11-15. ${GUIDE}`)),
    ).toMatchObject({
      cause: 'volatile-value-in-system',
      position: { label: 'input[0].content[0]', path: 'text', offset: 'Today is 2026-11-1'.length },
    });
    const body = (date: string): Body => ({ instructions: `Today is ${date}. ${GUIDE}`, input: 'Hello' });
    expect(openai(body('2026-11-14'), body('2026-11-15'))).toMatchObject({
      cause: 'volatile-value-in-system',
      position: { label: 'instructions' },
    });
  });

  it('EX1: a system prompt as a string is a block too', () => {
    const body = (time: string): Body => ({
      system: `${time} ${GUIDE}`,
      cache_control: { type: 'ephemeral' },
      messages: ask,
    });
    const verdict = judge(body('10:00:00'), body('10:01:00'));
    expect(verdict).toMatchObject({ cause: 'volatile-value-in-system', position: { label: 'system', offset: 4 } });
  });

  it('EX1 not: a clock after the last breakpoint costs nothing', () => {
    const body = (time: string): Body => ({ system: [marked(GUIDE), text(`Now: ${time}`)], messages: ask });
    expect(judge(body('10:00'), body('10:01'), W).cause).toBe('hit');
    expect(predict(body('10:00'), body('10:01')).cause).toBe('hit');
  });

  it('EX1: the same clock before a marked conversation loses the conversation: a partial miss', () => {
    const body = (time: string, messages: Json[]): Body => ({
      system: [marked(GUIDE), text(`Now: ${time}`)],
      messages,
    });
    const verdict = explain(
      claude(body('10:00', [user([marked('First question.')])]), { usage: usage(0, 2000) }),
      claude(
        body('10:01', [user([text('First question.')]), assistant('Answer.'), user([marked('Second.')])]),
        later({ usage: usage(1800, 300) }),
      ),
    );
    expect(verdict).toMatchObject({ cause: 'volatile-value-in-system', partial: true, tokensLost: 200 });
    expect(verdict.position?.label).toBe('system[1]');
  });
});

describe('cause 2, tool-order', () => {
  const tools = ['read_file', 'write_file', 'grep'].map((name) => tool(name));
  const [a, b, c] = tools as [Json, Json, Json];
  const withTools = (list: Json[]): Body => ({ ...talk(ask), tools: list });

  it.each([
    ['two change places', [a, b, c], [a, c, b], 'tools[1]', 'grep'],
    ['all of them move', [a, b, c], [c, a, b], 'tools[0]', 'grep'],
  ])('EX2: %s', (_, before, after, label, name) => {
    const verdict = judge(withTools(before), withTools(after));
    expect(verdict).toMatchObject({ cause: 'tool-order', position: { label } });
    expect(verdict.evidence[0]).toContain(name);
  });

  it('EX2: OpenAI', () => {
    const fn = (name: string): Json => ({ type: 'function', name, parameters: { type: 'object' } });
    const verdict = openai(
      { ...developer(GUIDE), tools: [fn('x'), fn('y')] },
      { ...developer(GUIDE), tools: [fn('y'), fn('x')] },
    );
    expect(verdict).toMatchObject({ cause: 'tool-order', position: { label: 'tools[0]' } });
  });

  it('EX2 not: the same order', () => {
    expect(judge(withTools([a, b]), withTools([a, b]), W).cause).toBe('hit');
  });
});

describe('cause 3, tools-changed', () => {
  const [a, b] = [tool('read_file'), tool('write_file')];
  const withTools = (list: Json[]): Body => ({ ...talk(ask), tools: list });

  it.each([
    ['added', [a], [a, b], 'tools[1]', 'Added: “write_file”.', 'send “write_file” starting with the first request'],
    ['removed', [a, b], [b], 'tools[0]', 'Removed: “read_file”.', 'keep “read_file” in the list'],
    ['removed at the end', [a, b], [a], 'tools[1]', 'Removed: “write_file”.', 'keep “write_file” in the list'],
    [
      'edited',
      [a],
      [tool('read_file', { description: 'Does read_file well.' })],
      'tools[0]',
      '“read_file” was edited in description',
      'definition of “read_file”',
    ],
  ] as const)('EX3: a tool is %s', (_, before, after, label, evidence, repair) => {
    const verdict = judge(withTools([...before]), withTools([...after]));
    expect(verdict.cause).toBe('tools-changed');
    expect(verdict.position?.label).toBe(label);
    expect(verdict.evidence.join(' ')).toContain(evidence);
    expect(verdict.repair.toLowerCase()).toContain(repair.toLowerCase());
  });

  it('EX3: another set of MCP tools, in any order', () => {
    const verdict = judge(withTools([a, tool('mcp_github')]), withTools([tool('mcp_jira'), a]));
    expect(verdict.cause).toBe('tools-changed');
    expect(verdict.evidence.slice(0, 2)).toEqual(['Added: “mcp_jira”.', 'Removed: “mcp_github”.']);
  });

  it('EX3: tools that were edited and moved need both repairs', () => {
    const edited = tool('read_file', { description: 'Does read_file well.' });
    const verdict = judge(withTools([a, b]), withTools([b, edited]));
    expect(verdict.evidence.slice(0, 2).join(' ')).toMatch(/“read_file” was edited .*a different order/);
    expect(verdict.repair).toContain('send the tools in their old order');
    expect(judge(withTools([a, b]), withTools([edited, b])).repair).not.toContain('order');
  });

  it('EX3: OpenAI', () => {
    const fn = (name: string, description: string): Json => ({ type: 'function', name, description });
    const verdict = openai(
      { ...developer(GUIDE), tools: [fn('x', 'one')] },
      { ...developer(GUIDE), tools: [fn('x', 'two')] },
    );
    expect(verdict).toMatchObject({
      cause: 'tools-changed',
      position: { label: 'tools[0]', path: 'description', offset: 0 },
    });
  });

  it('EX3 not: a deferred tool is not part of the prefix', () => {
    expect(predict(withTools([a]), withTools([a, tool('rare', { defer_loading: true })])).cause).toBe('hit');
  });
});

describe('cause 4, json-reserialised', () => {
  const schema = '{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","maximum":1000}}}';
  const body = (inputSchema: string): string =>
    `{"model":"claude-sonnet-5-5","max_tokens":10,"tools":[{"name":"read","description":"Reads.","input_schema":${inputSchema}}],"system":[${JSON.stringify(marked(GUIDE))}],"messages":[{"role":"user","content":"Hi"}]}`;
  const pair = (before: string, after: string) =>
    explain(claude(before, { usage: usage(0, W) }), claude(after, later({ usage: usage(0, W) })));

  it.each([
    [
      'key order',
      schema
        .replace('"type":"string"', '"type":"string"')
        .replace('{"path":{"type":"string"},"limit"', '{"path":{"type":"string"},"limit"'),
      '{"properties":{"path":{"type":"string"},"limit":{"type":"integer","maximum":1000}},"type":"object"}',
    ],
    ['a number', schema, schema.replace('1000', '1e3')],
    ['spaces', schema, schema.replaceAll(':', ': ')],
  ])('EX4: %s in a schema', (_, before, after) => {
    expect(pair(body(before), body(after))).toMatchObject({
      cause: 'json-reserialised',
      position: { label: 'tools[0]' },
    });
  });

  it('EX4: keys of a tool call in history, and an escape in a string', () => {
    const history = (input: string): string =>
      `{"model":"claude-sonnet-5-5","max_tokens":10,"system":${JSON.stringify(GUIDE)},"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"read","input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok","cache_control":{"type":"ephemeral"}}]}]}`;
    expect(pair(history('{"a":1,"b":2}'), history('{"b":2,"a":1}'))).toMatchObject({
      cause: 'json-reserialised',
      position: { label: 'messages[1].content[0]' },
    });
    const escaped = (word: string): string =>
      JSON.stringify({ model: 'claude-sonnet-5-5', ...system(`X ${GUIDE}`) }).replace('X ', `${word} `);
    expect(pair(escaped('café'), escaped('caf\\u00e9'))).toMatchObject({
      cause: 'json-reserialised',
      position: { label: 'system[0]' },
    });
  });

  it('EX4: the arguments of a call on OpenAI’s wires are JSON in a string', () => {
    const item = (call: string): Body => ({ type: 'function_call', call_id: 'c', name: 'f', arguments: call });
    const input = (call: string, more: readonly Json[] = []): Body => ({
      input: [
        ...((developer(GUIDE)['input'] ?? []) as Json[]),
        item(call),
        { type: 'function_call_output', call_id: 'c', output: 'ok' },
        ...more,
      ],
    });
    const next = [{ role: 'user', content: 'And now?' }];
    expect(openai(input('{"a":1,"b":2}'), input('{"b": 2, "a": 1}', next))).toMatchObject({
      cause: 'json-reserialised',
      position: { label: 'input[2]', path: 'arguments', offset: 2 },
    });
    expect(openai(input('{"a":1}'), input('{"a":2}', next)).cause).toBe('history-edited');
    const chatBody = (call: string, more: readonly Json[] = []): Body => ({
      messages: [
        { role: 'system', content: [marked(GUIDE)] },
        user('Go.'),
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: call } }] },
        { role: 'tool', tool_call_id: 'c', content: [marked('ok')] },
        ...more,
      ],
    });
    expect(explain(chat(chatBody('{"a":1,"b":2}')), chat(chatBody('{"b":2,"a":1}', next), later()))).toMatchObject({
      cause: 'json-reserialised',
      position: { label: 'messages[2].tool_calls[0]', path: 'function.arguments' },
    });
  });

  it('EX4 not: another value is an edit', () => {
    expect(pair(body(schema), body(schema.replace('1000', '2000'))).cause).toBe('tools-changed');
  });
});

describe('cause 5, history-edited', () => {
  const rolling = (messages: Json[]): Body => ({
    system: [marked(GUIDE)],
    messages,
    cache_control: { type: 'ephemeral' },
  });
  const u1 = user('First question, with some detail.');
  const a1 = assistant('First answer.');
  const u2 = user('Second question.');
  const a2 = assistant('Second answer.');
  const u3 = user('Third question.');

  it.each([
    [
      'changed',
      [u1, a1, u2],
      [user('First question, without detail.'), a1, u2, a2, u3],
      'messages[0].content',
      'changed after it was sent',
    ],
    [
      'a sliding window',
      [u1, a1, u2, a2, u3],
      [u2, a2, u3, assistant('Third.'), user('Fourth.')],
      'messages[0].content',
      'sliding window',
    ],
    [
      'truncated in the middle',
      [u1, a1, u2, a2, u3],
      [u1, u2, a2, u3, assistant('Third.'), user('Fourth.')],
      'messages[1].content',
      'one block was removed',
    ],
    [
      'inserted',
      [u1, a1, u2],
      [u1, assistant('Note.'), user('Ok.'), a1, u2, a2, u3],
      'messages[1].content',
      '2 blocks were inserted',
    ],
  ])('EX5: %s', (_, before, after, label, evidence) => {
    const verdict = explain(
      claude(rolling(before), { usage: usage(0, 2400) }),
      claude(rolling(after), later({ usage: usage(2000, 500) })),
    );
    expect(verdict.cause).toBe('history-edited');
    expect(verdict.position?.label).toBe(label);
    expect(verdict.evidence.join(' ').toLowerCase()).toContain(evidence.toLowerCase());
    expect(verdict).toMatchObject({ partial: true, tokensLost: 400 });
  });

  it('EX5: a tool result is cleared', () => {
    const result = (content: string): Json => user([{ type: 'tool_result', tool_use_id: 't', content }]);
    const call = assistant([{ type: 'tool_use', id: 't', name: 'read', input: {} }]);
    const verdict = judge(
      rolling([u1, call, result('A long file. '.repeat(50))]),
      rolling([u1, call, result('[cleared]'), a2, u3]),
      1800,
    );
    expect(verdict).toMatchObject({ cause: 'history-edited', position: { label: 'messages[2].content[0]' } });
    expect(verdict.evidence[0]).toContain('cleared or cut');
  });

  it('EX5: the answer to the first request shows that the conversation continues', () => {
    const verdict = explain(
      claude(rolling([u1]), {
        usage: usage(0, 2400),
        response: { content: [{ type: 'text', text: 'First answer.' }] },
      }),
      claude(rolling([user('Another beginning.'), a1, u2]), later({ usage: usage(2000, 500) })),
    );
    expect(verdict).toMatchObject({ cause: 'history-edited', position: { label: 'messages[0].content' } });
  });

  it('EX5: OpenAI', () => {
    const body = (messages: Json[]): Body => ({ input: [{ role: 'developer', content: GUIDE }, ...messages] });
    const verdict = openai(body([u1]), body([user('First question.'), a1, u1, a2, u3]));
    expect(verdict).toMatchObject({ cause: 'history-edited', position: { label: 'input[1].content' } });
  });

  it('EX5 not: appending, and editing what no breakpoint covers', () => {
    expect(judge(rolling([u1]), rolling([u1, a1, u2]), W).cause).toBe('hit');
    expect(predict(talk([u1, a1, u2]), talk([user('Edited.'), a1, u2, a2, u3])).cause).toBe('hit');
  });
});

describe('cause 6, breakpoint-on-unique-block', () => {
  it.each([
    [
      'the question is marked',
      (question: string): Body => ({ system: GUIDE, messages: [user([marked(question)])] }),
      'messages[0].content[0]',
      'system',
    ],
    [
      'the automatic marker falls on it',
      (question: string): Body => ({ system: GUIDE, messages: [user(question)], cache_control: { type: 'ephemeral' } }),
      'messages[0].content',
      'system',
    ],
    [
      'examples come first',
      (question: string): Body => ({ messages: [user(GUIDE), assistant('Ok.'), user([marked(question)])] }),
      'messages[2].content[0]',
      'messages[1].content',
    ],
  ])('EX6: %s', (_, body, label, stable) => {
    const verdict = judge(body('What is a lathe?'), body('Who invented the mill?'));
    // Another question is another conversation: nothing was missed, and what it wrote nobody can read.
    expect(verdict).toMatchObject({ kind: 'waste', cause: 'breakpoint-on-unique-block', position: { label } });
    expect(verdict.repair).toContain(stable);
    expect(verdict.tokensLost).toBeGreaterThan(1500);
    expect(verdict.evidence).toContain('Both requests wrote and neither read.');
  });

  it('EX6: a reminder at the end of every turn carries the marker', () => {
    const reminder = (count: number) => marked(`<system-reminder>${count} files are open.</system-reminder>`);
    const verdict = judge(
      { system: GUIDE, messages: [user([text('One.'), reminder(1)])] },
      { system: GUIDE, messages: [user([text('One.')]), assistant('Ok.'), user([text('Two.'), reminder(2)])] },
    );
    expect(verdict.cause).toBe('breakpoint-on-unique-block');
  });

  it('EX6: also where the reminder is a message of its own, and not where the message was changed in its place', () => {
    const state = (page: string) => user([marked(`<state>${page}</state>`)]);
    const task = user(`The task. ${GUIDE}`);
    const first = { messages: [task, state('start page')] };
    const answer = assistant('I click the button.');
    const moved = { messages: [task, answer, user('Done.'), state('result page')] };
    expect(judge(first, moved, 0).cause).toBe('breakpoint-on-unique-block');
    const edited = { messages: [task, state('starting page'), answer, state('result page')] };
    expect(judge(first, edited, 0).cause).toBe('history-edited');
  });

  it('EX6 not: the stable part has a marker of its own', () => {
    const body = (question: string): Body => ({ system: [marked(GUIDE)], messages: [user([marked(question)])] });
    expect(judge(body('One?'), body('Two?'), W).cause).toBe('chain-start');
    expect(predict(body('One?'), body('Two?')).cause).toBe('chain-start');
  });
});
