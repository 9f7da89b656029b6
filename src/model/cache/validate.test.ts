import { describe, expect, it } from 'vitest';
import { modelFacts } from '../provider/model-book.ts';
import type { Wire } from '../provider/types.ts';
import { assistant, type Fields, marker, OPUS, request, text, thinking, tool, user } from './testing/calls.ts';
import { validateRequest } from './validate.ts';

const faults = (body: Fields, options: { wire?: Wire; model?: string; apiVersion?: string } = {}) => {
  const { wire, model = OPUS, apiVersion } = options;
  const read = request({ model, ...body }, wire);
  return validateRequest(read, modelFacts(model), apiVersion === undefined ? {} : { apiVersion });
};
const rules = (...args: Parameters<typeof faults>): readonly string[] => faults(...args).map(({ rule }) => rule);

const m5 = marker();
const m1 = marker('1h');
const texts = (...markers: readonly Fields[]): readonly Fields[] => markers.map((one) => text('x', one));

describe('markers', () => {
  const rows: readonly (readonly [string, Fields, readonly string[]])[] = [
    ['CA42: four are allowed', { system: texts(m5, m5, m5, m5) }, []],
    ['CA42: five are not', { tools: [tool('a', m5)], system: texts(m5, m5, m5, m5) }, ['max-markers']],
    [
      'CA43: the automatic one takes a slot',
      { system: texts(m5, m5, m5, m5), messages: [user('q')], ...m5 },
      ['automatic-slot'],
    ],
    ['CA43: three and the automatic one', { system: texts(m5, m5, m5), messages: [user('q')], ...m5 }, []],
    ['CA43: the same TTL where it lands', { messages: [user(text('q', m5))], ...m5 }, []],
    [
      'CA43: four, one of them where it lands',
      { system: texts(m5, m5, m5), messages: [user(text('q', m5))], ...m5 },
      [],
    ],
    ['CA43: another TTL where it lands', { messages: [user(text('q', m1))], ...m5 }, ['automatic-ttl']],
    ['CA44: 1h before 5m', { system: texts(m1, m5) }, []],
    ['CA44: 1h behind 5m', { system: texts(m5, m1) }, ['ttl-order']],
    ['CA44: tools come before the system', { system: texts(m1), tools: [tool('a', m5)] }, ['ttl-order']],
    ['CA44: automatic 1h behind 5m', { system: texts(m5), messages: [user('q')], ...m1 }, ['ttl-order']],
    ['CA41: on thinking', { messages: [user('q'), assistant({ ...thinking('t'), ...m5 }, 'a')] }, ['marker-thinking']],
    ['CA41: on an empty text', { messages: [user(text('', m5), 'q')] }, ['marker-empty']],
    ['CA41: on an empty system text', { system: [text('', m5)] }, ['marker-empty']],
    [
      'CA28: the automatic one passes over them',
      { messages: [user('q'), assistant('a', thinking('t'), '')], ...m5 },
      [],
    ],
    ['CA40: another type', { system: [text('x', { cache_control: { type: 'forever' } })] }, ['marker-type']],
    ['CA40: another TTL', { system: texts(marker('2h')) }, ['marker-ttl']],
    ['CA40: null is none', { system: [text('x', { cache_control: null })], cache_control: null }, []],
    ['CA40: automatic with another TTL', { messages: [user('q')], ...marker('30m') }, ['marker-ttl']],
  ];
  it.each(rows)('%s', (_what, body, expected) => {
    expect(rules(body)).toEqual(expected);
  });

  it('CA41, CA42, CA44: messages name the path', () => {
    expect(faults({ system: texts(m5, m5, m5, m5, m5) })).toEqual([
      {
        rule: 'max-markers',
        status: 400,
        message: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
      },
    ]);
    expect(faults({ messages: [user('q', text('', m5))] })[0]?.message).toMatch(/^messages\.0\.content\.1\./);
    expect(faults({ system: texts(m5, m1) })[0]?.message).toMatch(/^system\.1\.cache_control\.ttl: a ttl='1h' /);
  });
});

describe('what goes with what', () => {
  const rows: readonly (readonly [string, Fields, readonly string[], string?])[] = [
    ['CA45: alone', { max_tokens: 0 }, []],
    ['CA45: stream', { max_tokens: 0, stream: true }, ['prewarm']],
    ['CA45: no stream', { max_tokens: 0, stream: false }, []],
    ['CA45: thinking', { max_tokens: 0, thinking: { type: 'enabled', budget_tokens: 1024 } }, ['prewarm']],
    ['CA45: format', { max_tokens: 0, output_config: { format: {} } }, ['prewarm']],
    ['CA45: any', { max_tokens: 0, tool_choice: { type: 'any' } }, ['prewarm']],
    ['CA45: tool', { max_tokens: 0, tool_choice: { type: 'tool', name: 'a' } }, ['prewarm']],
    ['CA45: auto', { max_tokens: 0, tool_choice: { type: 'auto' } }, []],
    ['CA45: all with output', { max_tokens: 1, stream: true, tool_choice: { type: 'any' } }, []],
    ['CA46: sampling', { temperature: 1, top_p: 0.5, top_k: 3 }, ['sampling', 'sampling', 'sampling']],
    [
      'CA46: a document of the assistant',
      { messages: [user('q'), assistant({ type: 'document', source: {} })] },
      ['assistant-document'],
    ],
    ['CA46: citations on user text', { messages: [user(text('q', { citations: [] }))] }, ['user-citations']],
    [
      'CA46: a document of the user',
      { messages: [user({ type: 'document', source: {}, citations: { enabled: true } })] },
      [],
    ],
    ['CA47: forced tools', { tool_choice: { type: 'any' } }, ['forced-tools'], 'claude-opus-5-5'],
    ['CA47: thinking that is always on', { thinking: { type: 'disabled' } }, ['thinking-always-on'], 'claude-opus-5-5'],
    ['CA47: thinking between tools', { thinking: { type: 'between_tools' } }, [], 'claude-sonnet-5-5'],
    ['CA47: no thinking', { thinking: { type: 'disabled' } }, ['thinking-always-on'], 'claude-sonnet-5-5'],
    ['CA47: no thinking elsewhere', { thinking: { type: 'disabled' } }, []],
  ];
  const full = rows.map(([what, body, expected, model = OPUS]) => [what, body, expected, model] as const);
  it.each(full)('%s', (_what, body, expected, model) => {
    expect(rules(body, { model })).toEqual(expected);
  });

  it('CA46: the older version takes them', () => {
    expect(rules({ temperature: 1 }, { apiVersion: '2023-06-01' })).toEqual([]);
  });
});

describe('system messages', () => {
  const s = { role: 'system', content: 'now' };
  const rows: readonly (readonly [string, readonly Fields[], readonly string[], string?])[] = [
    ['last', [user('q'), s], []],
    ['before the assistant', [user('q'), s, assistant('a'), user('q')], []],
    ['first', [s, user('q')], ['system-role-first']],
    ['behind the assistant', [user('q'), assistant('a'), s], ['system-role-place']],
    ['before a user', [user('q'), s, user('q')], ['system-role-place']],
    ['two in a row', [user('q'), s, s], []],
    ['on a model without', [user('q'), s], ['system-role-model'], 'claude-sonnet-5'],
    ['on a model of which it is not known', [user('q'), s], [], 'claude-haiku-5-5'],
    ['on a model that nobody knows', [user('q'), s], [], 'claude-new-9'],
  ];
  const full = rows.map(([what, messages, expected, model = OPUS]) => [what, messages, expected, model] as const);
  it.each(full)('CA48: %s', (_what, messages, expected, model) => {
    expect(rules({ messages }, { model })).toEqual(expected);
  });
});

describe('OpenAI', () => {
  const marked = {
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'q', prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ],
  };
  const rows: readonly (readonly [string, Fields, string, Wire, readonly string[]])[] = [
    [
      'options before 5.6',
      { prompt_cache_options: { mode: 'explicit' } },
      'gpt-5.1',
      'openai-responses',
      ['options-unsupported'],
    ],
    ['a breakpoint before 5.6', marked, 'gpt-4o', 'openai-responses', ['breakpoint-unsupported']],
    [
      'both since 5.6',
      { ...marked, prompt_cache_options: { mode: 'explicit', ttl: '12h' } },
      'gpt-5.6-sol',
      'openai-responses',
      [],
    ],
    ['another TTL', { prompt_cache_options: { ttl: '1h' } }, 'gpt-6-sol', 'openai-responses', ['options-ttl']],
    ['12h on Chat', { prompt_cache_options: { ttl: '12h' } }, 'gpt-6-sol', 'openai-chat', ['options-ttl']],
    ['another mode', { prompt_cache_options: { mode: 'auto' } }, 'gpt-6-sol', 'openai-responses', ['options-mode']],
    [
      'another TTL of a breakpoint',
      {
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'q', prompt_cache_breakpoint: { ttl: '5m' } }] }],
      },
      'gpt-6-sol',
      'openai-responses',
      ['breakpoint-ttl'],
    ],
    [
      'many breakpoints',
      { input: [...marked.input, ...marked.input, ...marked.input, ...marked.input, ...marked.input] },
      'gpt-6-sol',
      'openai-responses',
      [],
    ],
  ];
  it.each(rows)('CA49: %s', (_what, body, model, wire, expected) => {
    expect(rules(body, { model, wire })).toEqual(expected);
  });

  it('CA70, CA71: Claude on Chat has the rules of its markers; an unknown model has none', () => {
    const messages = [{ role: 'user', content: texts(m5, m5, m5, m5, m5) }];
    expect(rules({ messages, temperature: 1 }, { model: 'anthropic/claude-opus-5', wire: 'openai-chat' })).toEqual([
      'max-markers',
    ]);
    expect(rules({ messages }, { model: 'llama-3', wire: 'openai-chat' })).toEqual([]);
  });
});
