import { describe, expect, it } from 'vitest';
import type { RecordedCall } from '../types.ts';
import type { Json } from '../../../base/json.ts';
import type { ProviderDiagnosis } from '../../provider/types.ts';
import { explainAll } from '../../traffic/explainer.ts';
import { explain } from './explain.ts';
import {
  assistant,
  chat,
  claude,
  gpt,
  GUIDE,
  later,
  marked,
  MINUTE,
  SECOND,
  T0,
  talk,
  text,
  tool,
  usage,
  user,
  W,
  type Body,
} from './testing/recorded.ts';

const STATIC = 2000;

const first = [user([marked('First question.')])];
const second = [user([text('First question.')]), assistant('Answer.'), user([marked('Second question.')])];
/** The conversation is lost, what comes before it is read. */
const change = (before: Body, after: Body, model = 'claude-sonnet-5-5') =>
  explain(
    claude({ ...talk(first), ...before }, { model, usage: usage(0, W) }),
    claude({ ...talk(second), ...after }, later({ model, usage: usage(STATIC, W - STATIC) })),
  );
const KEY = { prompt_cache_key: 'k' };
const developer = (value: string): Json => ({
  role: 'developer',
  content: [{ type: 'input_text', text: value, prompt_cache_breakpoint: { mode: 'explicit' } }],
});
const input = [developer(GUIDE), user('Hello')];

describe('cause 11, model-or-key-switch', () => {
  it.each([
    ['model', {}, { model: 'claude-opus-5-5' }, 'model'],
    ['key', { keyId: 'aaaa1111' }, { keyId: 'bbbb2222' }, 'key_id'],
    ['workspace', { response: { workspaceId: 'w1' } }, { response: { workspaceId: 'w2' } }, 'workspace'],
    [
      'model that answered (a fallback)',
      { response: { model: 'claude-sonnet-5-5' } },
      { response: { model: 'claude-haiku-5-5' } },
      'response.model',
    ],
    ['speed that usage tells', { response: { speed: 'standard' } }, { response: { speed: 'fast' } }, 'speed'],
  ])('EX11: another %s', (_, before, after, label) => {
    const verdict = explain(
      claude(talk(first), { ...before, usage: usage(0, W) }),
      claude(talk(second), later({ ...after, usage: usage(0, W) })),
    );
    expect(verdict).toMatchObject({ cause: 'model-or-key-switch', position: { label } });
    expect(verdict.tokensLost).toBeGreaterThan(2000);
  });

  it('EX11: speed as a parameter keeps the tools; OpenAI: model and service tier', () => {
    const tools = { tools: [tool('read_file', { cache_control: { type: 'ephemeral' } })] };
    const verdict = explain(
      claude({ ...talk(first), ...tools }, { usage: usage(0, W) }),
      claude({ ...talk(second), ...tools, speed: 'fast' }, later({ usage: usage(600, W - 600) })),
    );
    expect(verdict).toMatchObject({ cause: 'model-or-key-switch', position: { label: 'speed' }, partial: true });
    expect(explain(gpt({ ...KEY, input }), gpt({ ...KEY, input }, later({ model: 'gpt-6-luna' }))).cause).toBe(
      'model-or-key-switch',
    );
    expect(explain(gpt({ ...KEY, input }), gpt({ ...KEY, input, service_tier: 'flex' }, later()))).toMatchObject({
      cause: 'model-or-key-switch',
      position: { label: 'service_tier' },
    });
  });

  it('EX11 not: a dated id and its alias are one model, asked for or answering', () => {
    const [alias, dated] = ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'];
    const before = claude(talk(first), { model: alias, usage: usage(0, W), response: { model: alias } });
    for (const model of [alias, dated])
      expect(
        explainAll([
          before,
          claude(talk(second), later({ model, usage: usage(W, 300), response: { model: dated } })),
          claude(talk(second), { startedAt: T0 + 2 * MINUTE, model: alias, usage: usage(0, W) }),
        ]).map(({ cause }) => cause),
      ).toEqual(['chain-start', 'hit', 'provider-eviction']);
    expect(explain(before, claude(talk(second), later({ model: dated })))).toMatchObject({ cause: 'hit' });
    const unknown = { model: 'own-model-20250101' };
    expect(explain(claude(talk(first), { model: 'own-model' }), claude(talk(second), later(unknown))).cause).toBe(
      'model-or-key-switch',
    );
  });

  it('EX11 not: another model with another prompt is a start', () => {
    const other = claude(
      { system: [marked(`Title the chat. ${'x '.repeat(2000)}`)], messages: [user('Hm')] },
      { model: 'claude-haiku-5-5' },
    );
    expect(explain(other, claude(talk(first), later())).cause).toBe('chain-start');
  });

  it('EX11 not: back on the first model inside the TTL reads again', () => {
    const history = [
      claude(talk(first), { usage: usage(0, W) }),
      claude(talk(first), { startedAt: T0 + 30 * SECOND, model: 'claude-opus-5-5' }),
    ];
    expect(explain(history[1], claude(talk(second), later({ usage: usage(W, 300) })), { history }).cause).toBe('hit');
    expect(explain(history[1], claude(talk(second), later()), { history }).cause).toBe('hit');
  });
});

describe('cause 12, tier-parameter', () => {
  const image: Json = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
  it.each([
    ['tool_choice', {}, { tool_choice: { type: 'any' } }, 'tool_choice', 'claude-opus-5'],
    [
      'disable_parallel_tool_use',
      { tool_choice: { type: 'auto' } },
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      'disable_parallel_tool_use',
      'claude-opus-5',
    ],
    [
      'an image',
      {},
      { messages: [...second.slice(0, 2), user([image, marked('Look.')])] },
      'has_images',
      'claude-opus-5',
    ],
    ['web search', {}, { tools: [{ type: 'web_search_20260101', name: 'web_search' }] }, 'web_tools', 'claude-opus-5'],
    [
      'citations',
      {},
      {
        messages: [
          ...second.slice(0, 2),
          user([
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'x' },
              citations: { enabled: true },
            },
            marked('Cite.'),
          ]),
        ],
      },
      'citations',
      'claude-opus-5',
    ],
  ])('EX12: %s', (_, before, after, label, model) => {
    const verdict = change(before, after, model);
    expect(verdict).toMatchObject({
      cause: 'tier-parameter',
      position: { label },
      partial: true,
      tokensLost: W - STATIC,
    });
    expect(verdict.repair).not.toBe('');
  });

  it('EX12 not: the default is the same as nothing, and static breakpoints are not touched', () => {
    expect(explain(claude(talk(first)), claude(talk(second, { tool_choice: { type: 'auto' } }), later())).cause).toBe(
      'hit',
    );
    const plain = talk([user('One')]);
    expect(explain(claude(plain), claude({ ...plain, tool_choice: { type: 'none' } }, later())).cause).toBe('hit');
  });

  it('EX12 not: a system prompt that changes too is found first', () => {
    const verdict = change({}, { tool_choice: { type: 'none' }, system: [marked(`10:01 ${GUIDE}`)] });
    expect(verdict.cause).toBe('volatile-value-in-system');
  });
});

describe('cause 13, thinking-or-effort-changed', () => {
  it.each([
    ['thinking', {}, { thinking: { type: 'enabled', budget_tokens: 2000 } }, 'thinking'],
    [
      'its budget',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { thinking: { type: 'enabled', budget_tokens: 4000 } },
      'thinking',
    ],
    ['effort', {}, { output_config: { effort: 'low' } }, 'output_config.effort'],
    [
      'the output format',
      {},
      { output_config: { format: { type: 'json_schema', schema: {} } } },
      'output_config.format',
    ],
    ['betas', {}, { betas: ['context-1m'] }, 'betas'],
    ['context management', {}, { context_management: { edits: [] } }, 'context_management'],
  ])('EX13: %s', (_, before, after, label) => {
    expect(change(before, after)).toMatchObject({
      cause: 'thinking-or-effort-changed',
      position: { label },
      certainty: 'likely',
      partial: true,
    });
  });

  it('EX13: a beta that only the headers have', () => {
    const verdict = explain(claude(talk(first)), claude(talk(second), later({ betas: ['fast-2026'] })));
    expect(verdict).toMatchObject({ cause: 'thinking-or-effort-changed', position: { label: 'betas' } });
  });

  it.each([
    ['effort', { reasoning: { effort: 'high' } }, 'reasoning.effort'],
    ['format', { text: { format: { type: 'json_object' } } }, 'text.format'],
    ['verbosity', { text: { verbosity: 'low' } }, 'text.verbosity'],
  ])('EX13: OpenAI: %s', (_, after, label) => {
    expect(explain(gpt({ ...KEY, input }), gpt({ ...KEY, input, ...after }, later()))).toMatchObject({
      cause: 'thinking-or-effort-changed',
      position: { label },
    });
  });

  it('EX13: on some models tools and system prompt go too', () => {
    const plain = talk([user('One')]);
    const verdict = explain(
      claude(plain, { usage: usage(0, W) }),
      claude({ ...plain, thinking: { type: 'adaptive' } }, later({ usage: usage(0, W) })),
    );
    expect(verdict).toMatchObject({ cause: 'thinking-or-effort-changed', certainty: 'likely', partial: false });
  });

  it('EX13 not: effort at its default is the same as none', () => {
    expect(
      explain(claude(talk(first)), claude(talk(second, { output_config: { effort: 'high' } }), later())).cause,
    ).toBe('hit');
  });

  it('EX33: the provider cannot tell, which fits', () => {
    const diagnosis: ProviderDiagnosis = { state: 'unavailable', raw: null };
    const verdict = explain(
      claude(talk(first), { usage: usage(0, W) }),
      claude(talk(second, { output_config: { effort: 'low' } }), later({ usage: usage(STATIC, 600), diagnosis })),
    );
    expect(verdict.providerSaid).toContain('It agrees');
  });
});

describe('cause 19, openai-cache-key', () => {
  it.each([
    ['changed', { prompt_cache_key: 'a' }, { prompt_cache_key: 'b' }],
    ['missing now', { prompt_cache_key: 'a' }, {}],
  ])('EX19: the key is %s', (_, before, after) => {
    expect(explain(gpt({ ...before, input }), gpt({ ...after, input }, later()))).toMatchObject({
      cause: 'openai-cache-key',
      position: { label: 'prompt_cache_key' },
    });
  });

  it('EX19: no key at all, the same prefix, and nothing read', () => {
    const verdict = explain(
      gpt({ input }, { usage: usage(0, W, 20, '30m') }),
      gpt({ input }, later({ usage: usage(0, W, 20, '30m') })),
    );
    expect(verdict).toMatchObject({ cause: 'openai-cache-key', certainty: 'likely' });
  });

  it('EX19: more than fifteen requests a minute with one key', () => {
    const history = Array.from({ length: 18 }, (_, index) =>
      gpt({ ...KEY, input }, { startedAt: T0 + index * 2 * SECOND, usage: usage(0, W, 20, '30m') }),
    );
    const verdict = explain(
      history.at(-1),
      gpt({ ...KEY, input }, { startedAt: T0 + 40 * SECOND, usage: usage(0, W, 20, '30m') }),
      { history },
    );
    expect(verdict.cause).toBe('openai-cache-key');
    expect(verdict.evidence[0]).toContain('19 requests');
  });

  it('EX19: the implicit breakpoint falls on a question that is always new', () => {
    const body = (question: string): Body => ({ ...KEY, instructions: GUIDE, input: question });
    const verdict = explain(gpt(body('One?')), gpt(body('Two?'), later()));
    expect(verdict).toMatchObject({ cause: 'openai-cache-key', position: { label: 'input' } });
    expect(verdict.repair).toContain('developer message');
  });

  it('EX19 not: the same key', () => {
    expect(explain(gpt({ ...KEY, input }), gpt({ ...KEY, input }, later())).cause).toBe('hit');
  });

  it('EX19 not: the same with a marked developer message', () => {
    const body = (question: string): Body => ({ ...KEY, input: [developer(GUIDE), user(question)] });
    expect(explain(gpt(body('One?')), gpt(body('Two?'), later())).cause).toBe('chain-start');
  });
});

describe('models that match any prefix', () => {
  const old = (messages: Json[], extra = {}) => chat({ messages }, { provider: 'openai', model: 'gpt-4o', ...extra });
  const sys = (value: string): Json => ({ role: 'system', content: value });

  it('EX40: a hit needs no marker; steps of 128 tokens are not loss', () => {
    const verdict = explain(
      old([sys(GUIDE), user('A')], { usage: usage(0, 0, 1600) }),
      old([sys(GUIDE), user('A'), assistant('Yes.'), user('B')], later({ usage: usage(1408, 0, 220) })),
    );
    expect(verdict.cause).toBe('hit');
  });

  it('EX40: a clock at the front loses it', () => {
    const verdict = explain(
      old([sys(`10:00 ${GUIDE}`), user('A')], { usage: usage(0, 0, 1600) }),
      old([sys(`10:01 ${GUIDE}`), user('A')], later({ usage: usage(0, 0, 1600) })),
    );
    expect(verdict).toMatchObject({
      cause: 'volatile-value-in-system',
      position: { label: 'messages[0].content', offset: 4 },
    });
  });

  it('EX40: history that is edited loses what follows', () => {
    const one = [sys(GUIDE), user('A '.repeat(900)), assistant('B'), user('C')];
    const two = [sys(GUIDE), user(`Edited ${'A '.repeat(900)}`), assistant('B'), user('C'), assistant('D'), user('E')];
    const verdict = explain(old(one, { usage: usage(0, 0, 2600) }), old(two, later({ usage: usage(1408, 0, 1300) })));
    expect(verdict).toMatchObject({ cause: 'history-edited', partial: true });
  });

  it('EX40: another key routes elsewhere, and is not part of the match', () => {
    const keyed = (key: string, extra = {}) =>
      gpt({ prompt_cache_key: key, instructions: GUIDE, input: 'Hi' }, { model: 'gpt-5.1', ...extra });
    expect(explain(keyed('a'), keyed('b', later())).cause).toBe('hit');
    const used = { usage: usage(0, 0, 1600) };
    const verdict = explain(keyed('a', used), keyed('b', later(used)));
    expect(verdict).toMatchObject({
      cause: 'openai-cache-key',
      certainty: 'likely',
      position: { label: 'prompt_cache_key', before: 'a', after: 'b' },
    });
    expect(verdict.evidence[0]).toContain('a different machine');
  });

  it('EX40: in memory for minutes', () => {
    const verdict = explain(
      old([sys(GUIDE), user('A')], { usage: usage(0, 0, 1600) }),
      old([sys(GUIDE), user('A')], { startedAt: T0 + 40 * MINUTE, usage: usage(0, 0, 1600) }),
    );
    expect(verdict).toMatchObject({ cause: 'ttl-expired', certainty: 'likely' });
  });

  it('EX79: no words about breakpoints, which these requests do not have', () => {
    const used = { usage: usage(0, 0, 1600) };
    const other = later(used);
    const pairs: (readonly [RecordedCall, RecordedCall])[] = [
      [old([sys(`10:00 ${GUIDE}`), user('A')], used), old([sys(`10:01 ${GUIDE}`), user('A')], other)],
      [old([sys(`Plain. ${GUIDE}`), user('A')], used), old([sys(`Other. ${GUIDE}`), user('A')], other)],
      [old([sys(GUIDE), user('A')], used), old([user(GUIDE), user('A')], other)],
      [old([sys(GUIDE), user('A')], used), old([sys(GUIDE), user('A')], { startedAt: T0 + 40 * MINUTE, ...used })],
      [old([sys(GUIDE), user('A')], used), old([sys(GUIDE), user('A')], other)],
      [
        old([sys(`For the user Ada. ${GUIDE}`), user('A')], { ...used, sessionId: 'a' }),
        old([sys(`For the user Bob. ${GUIDE}`), user('B')], later({ ...used, sessionId: 'b' })),
      ],
      [
        old([sys(GUIDE), user('A '.repeat(900)), assistant('B'), user('C')], used),
        old([sys(GUIDE), user(`X ${'A '.repeat(900)}`), assistant('B'), user('C'), assistant('D'), user('E')], other),
      ],
    ];
    for (const [before, after] of pairs) {
      const { evidence, repair, kind } = explain(before, after);
      expect(['miss', 'start', 'waste']).toContain(kind);
      expect([...evidence, repair].join(' ')).not.toMatch(/breakpoint|marker|cache_control/i);
    }
  });
});
