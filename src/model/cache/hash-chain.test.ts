import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelFacts } from '../provider/model-book.ts';
import { chainHashes, createHashMemo, renderedBlocks, tierParams } from './hash-chain.ts';
import {
  assistant,
  type Fields,
  HAIKU,
  marker,
  OPUS,
  request,
  text,
  thinking,
  tool,
  toolResult,
  toolUse,
  user,
} from './testing/calls.ts';

const facts = modelFacts(OPUS);
const BASE: Fields = { model: OPUS, tools: [tool('look'), tool('jump')], system: 's', messages: [user('hi')] };
const hashes = (body: Fields, betas?: readonly string[]): readonly string[] =>
  chainHashes(request({ ...BASE, ...body }), facts, betas ? { betas } : {}).hashes;
/** How many tiers of the base are left. */
const kept = (body: Fields, from: Fields = {}, betas?: readonly string[]): readonly string[] => {
  const before = hashes(from);
  const after = new Set(hashes(body, betas));
  return [
    ...(after.has(before[1] ?? '') ? ['tools'] : []),
    ...(after.has(before[2] ?? '') ? ['system'] : []),
    ...(after.has(before[3] ?? '') ? ['messages'] : []),
  ];
};

describe('what a change costs', () => {
  const image = user({ type: 'image', source: { type: 'base64', data: 'AA', media_type: 'image/png' } });
  const schema = { name: 'look', description: 'does look', input_schema: { properties: {}, type: 'object' } };
  const format = { output_config: { format: { type: 'json_schema', schema: {} } } };
  const document = { type: 'document', source: { type: 'text', data: 'd' } };
  const rows: readonly (readonly [string, readonly string[], Fields, Fields?])[] = [
    ['a tool more', [], { tools: [tool('look'), tool('jump'), tool('new')] }],
    ['a tool less', [], { tools: [tool('look')] }],
    ['tools in another order', [], { tools: [tool('jump'), tool('look')] }],
    ['a tool edited', [], { tools: [tool('look'), tool('jump', { description: 'x' })] }],
    ['keys of a schema in another order', [], { tools: [schema, tool('jump')] }],
    ['speed', ['tools'], { speed: 'fast' }],
    [
      'web search on',
      ['tools'],
      { tools: [tool('look'), tool('jump'), { type: 'web_search_20250305', name: 'web_search' }] },
    ],
    [
      'web fetch on',
      ['tools'],
      { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }, tool('look'), tool('jump')] },
    ],
    [
      'citations on',
      ['tools'],
      { messages: [user({ ...document, citations: { enabled: true } })] },
      { messages: [user({ ...document, citations: { enabled: false } })] },
    ],
    ['system text', ['tools'], { system: 't' }],
    ['tool_choice', ['tools', 'system'], { tool_choice: { type: 'any' } }],
    ['tool_choice none', ['tools', 'system'], { tool_choice: { type: 'none' } }],
    [
      'disable_parallel_tool_use',
      ['tools', 'system'],
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    ],
    ['an image behind everything', ['tools', 'system'], { messages: [user('hi'), assistant('x'), image] }],
    ['an image taken away', ['tools', 'system'], { messages: [user('hi')] }, { messages: [user('hi'), image] }],
    ['thinking on', ['tools', 'system'], { thinking: { type: 'adaptive' } }],
    [
      'budget of thinking',
      ['tools', 'system'],
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { thinking: { type: 'enabled', budget_tokens: 3000 } },
    ],
    ['effort', ['tools', 'system'], { output_config: { effort: 'low' } }],
    ['output format', ['tools', 'system'], format],
    ['task budget', ['tools', 'system'], { output_config: { task_budget: { total: 1 } } }],
    ['context management', ['tools', 'system'], { context_management: { edits: [] } }],
    ['an earlier message edited', ['tools', 'system'], { messages: [user('ho'), assistant('x')] }],
    ['a message removed', ['tools', 'system'], { messages: [assistant('x')] }],
    ['a message inserted', ['tools', 'system'], { messages: [user('new'), user('hi')] }],
    ['a role flipped', ['tools', 'system'], { messages: [assistant('hi')] }],
    ['a message more', ['tools', 'system', 'messages'], { messages: [user('hi'), assistant('x')] }],
    [
      'a system message behind',
      ['tools', 'system', 'messages'],
      { messages: [user('hi'), { role: 'system', content: 'x' }] },
    ],
    [
      'a deferred tool',
      ['tools', 'system', 'messages'],
      { tools: [tool('look'), tool('rare', { defer_loading: true }), tool('jump')] },
    ],
    ['max_tokens and stream', ['tools', 'system', 'messages'], { max_tokens: 5, stream: true }],
  ];
  const full = rows.map(([change, left, body, from = {}]) => [change, left, body, from] as const);
  it.each(full)('CA11: %s keeps %j', (_change, left, body, from) => {
    expect(kept(body, from)).toEqual(left);
  });

  it('CA11: betas, wherever they are written and in whatever order', () => {
    expect(kept({}, {}, ['a-1'])).toEqual(['tools', 'system']);
    expect(hashes({}, ['b', 'a'])).toEqual(hashes({ betas: ['a', 'b'] }));
  });

  it('CA11: a salt of the system counts for messages where there is no system', () => {
    const none = { system: [] };
    expect(hashes({ ...none, speed: 'fast' }).at(-1)).not.toBe(hashes(none).at(-1));
  });

  const same: readonly (readonly [string, Fields])[] = [
    ['a marker moved', { tools: [tool('look', marker('1h')), tool('jump')], messages: [user(text('hi', marker()))] }],
    ['an automatic marker', marker()],
    ['the default effort', { output_config: { effort: 'high' } }],
    ['tool_choice auto', { tool_choice: { type: 'auto' } }],
    ['parallel tools', { tool_choice: { type: 'auto', disable_parallel_tool_use: false } }],
    ['speed standard', { speed: 'standard' }],
    ['a string as a list', { system: [text('s')], messages: [{ role: 'user', content: 'hi' }] }],
  ];
  it.each(same)('CA2, CA12: %s changes nothing', (_change, body) => {
    expect(hashes(body)).toEqual(hashes({}));
  });

  it('CA12: display of thinking does not count; thinking off is the default of models with a budget', () => {
    const shown = hashes({ thinking: { type: 'adaptive', display: 'omitted' } });
    expect(shown).toEqual(hashes({ thinking: { type: 'adaptive' } }));
    const off = tierParams(request({ ...BASE, thinking: { type: 'disabled' } }), modelFacts(HAIKU));
    expect(off.every((param) => param.value === '')).toBe(true);
  });

  it('CA3: messages of one role in a row are one turn', () => {
    expect(hashes({ messages: [user('a'), user('b')] })).toEqual(hashes({ messages: [user('a', 'b')] }));
  });

  it('CA10: equal up to the first difference and nowhere behind it', () => {
    const block = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), fc.array(block, { maxLength: 6 }), (left, right) => {
        const one = hashes({ messages: [user(...left)] }).slice(3);
        const two = hashes({ messages: [user(...right)] }).slice(3);
        let common = 0;
        while (common < Math.min(left.length, right.length) && left[common] === right[common]) common++;
        one.forEach((hash, index) => expect(hash === two[index]).toBe(index < common));
      }),
    );
  });
});

describe('thinking that is forgotten', () => {
  const haiku = modelFacts(HAIKU);
  const turn = [user('q'), assistant(thinking('t'), toolUse('a')), user(toolResult('a'))];
  const kinds = (messages: readonly Fields[], which = haiku): readonly string[] => {
    const read = request({ model: HAIKU, messages });
    return renderedBlocks(read, which).map((index) => read.blocks[index]?.kind ?? '');
  };

  it('CA30: stays while only results of tools come', () => {
    expect(kinds(turn)).toContain('thinking');
  });

  it('CA30: goes when a person speaks, also beside a result', () => {
    expect(kinds([...turn, assistant('a'), user('next')])).not.toContain('thinking');
    expect(kinds([user('q'), assistant(thinking('t'), toolUse('a')), user(toolResult('a'), 'and?')])).not.toContain(
      'thinking',
    );
  });

  it('CA30: only thinking of earlier turns goes', () => {
    const later = [
      ...turn,
      assistant('a'),
      user('next'),
      assistant(thinking('new'), toolUse('b')),
      user(toolResult('b')),
    ];
    expect(kinds(later).filter((kind) => kind === 'thinking')).toHaveLength(1);
  });

  it('CA30: other models keep all', () => {
    expect(kinds([...turn, assistant('a'), user('next')], facts)).toContain('thinking');
  });
});

describe('the memo', () => {
  it('CA13: appending hashes only what is new, with or without the previous request at hand', () => {
    const memo = createHashMemo();
    const messages: Fields[] = [];
    for (let turn = 0; turn < 20; turn++) {
      messages.push(user(`turn ${turn}`), assistant(`answer ${turn}`));
      const read = request({ ...BASE, messages });
      expect(chainHashes(read, facts, { memo })).toEqual(chainHashes(read, facts));
    }
    expect(memo.hashed()).toBe(3 + 40);
  });
});

describe('OpenAI', () => {
  const gpt = modelFacts('gpt-6-sol');
  const body: Fields = { model: 'gpt-6-sol', tools: [{ type: 'function', name: 'look' }], input: 'hi' };
  const chain = (more: Fields, which = gpt): readonly string[] =>
    chainHashes(request({ ...body, ...more }, 'openai-responses'), which).hashes;

  const lost: readonly (readonly [string, Fields])[] = [
    ['text_format', { text: { format: { type: 'json_object' } } }],
    ['reasoning_effort', { reasoning: { effort: 'low' } }],
    ['verbosity', { text: { verbosity: 'low' } }],
    ['service_tier', { service_tier: 'flex' }],
    ['tools', { tools: [] }],
  ];
  it.each(lost)('CA11: a change of %s loses everything', (_name, more) => {
    const before = new Set(chain({}));
    expect(chain(more).some((hash) => before.has(hash))).toBe(false);
  });

  const free: readonly (readonly [string, Fields])[] = [
    ['tool_choice', { tool_choice: 'required' }],
    ['the default format', { text: { format: { type: 'text' }, verbosity: 'medium' } }],
    ['the default tier', { service_tier: 'auto' }],
  ];
  it.each(free)('CA12: %s costs nothing', (_name, more) => {
    expect(chain(more)).toEqual(chain({}));
  });

  it('CA11: before 5.6 only the format counts', () => {
    const old = modelFacts('gpt-5.1');
    expect(chain({ reasoning: { effort: 'low' } }, old)).toEqual(chain({}, old));
    expect(chain({ text: { format: { type: 'json_object' } } }, old)).not.toEqual(chain({}, old));
  });
});
