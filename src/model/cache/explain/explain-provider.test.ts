import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { explainAll } from '../../traffic/explainer.ts';
import { explain } from './explain.ts';
import {
  ask,
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
  usage,
  user,
  W,
  type Body,
} from './testing/recorded.ts';

const body = talk(ask);

describe('cause 15, gateway-effect', () => {
  it('EX15: markers above the floor, and both counters 0 twice', () => {
    const call = { provider: 'compatible', usage: usage(0, 0, W) };
    expect(explain(claude(body, call), claude(body, later(call)))).toMatchObject({ cause: 'gateway-effect' });
    const verdicts = explainAll([
      claude(body, { usage: usage(0, 0, W) }),
      claude(body, later({ usage: usage(0, 0, W) })),
    ]);
    expect(verdicts.map(({ cause }) => cause)).toEqual(['chain-start', 'gateway-effect']);
  });

  it('EX15: an hour was asked for and five minutes were written', () => {
    const hour: Body = { system: [marked(GUIDE, '1h')], messages: ask };
    const verdict = explain(
      claude(hour, { usage: usage(0, W) }),
      claude(hour, { startedAt: T0 + 20 * MINUTE, usage: usage(0, W) }),
    );
    expect(verdict.cause).toBe('gateway-effect');
    expect(verdict.evidence[0]).toContain('shows a 5m write');
  });

  it('EX15: OpenRouter changed the provider', () => {
    const route = (upstream: string) => ({ response: { upstream }, usage: usage(0, W) });
    const messages: Body = { messages: [{ role: 'system', content: [marked(GUIDE)] }, user('Hi')] };
    const verdict = explain(chat(messages, route('Anthropic')), chat(messages, later(route('Amazon Bedrock'))));
    expect(verdict.cause).toBe('gateway-effect');
    expect(verdict.evidence[0]).toContain('from Anthropic to Amazon Bedrock');
  });

  it('EX15: the same bytes are written again and again', () => {
    const calls = [0, 1, 2, 3].map((minute) => claude(body, { startedAt: T0 + minute * MINUTE, usage: usage(0, W) }));
    expect(explainAll(calls).map(({ cause }) => cause)).toEqual([
      'chain-start',
      'provider-eviction',
      'gateway-effect',
      'gateway-effect',
    ]);
  });

  it('EX15: the provider sees a change that the bytes do not have', () => {
    const diagnosis = { state: 'miss', reason: 'system_changed', raw: null } as const;
    const verdict = explain(
      claude(body, { usage: usage(0, W) }),
      claude(body, later({ usage: usage(0, W), diagnosis })),
    );
    expect(verdict.cause).toBe('gateway-effect');
  });

  it('EX15 not: the same route', () => {
    const route = { response: { upstream: 'Anthropic' }, usage: usage(W, 0) };
    const messages: Body = { messages: [{ role: 'system', content: [marked(GUIDE)] }, user('Hi')] };
    expect(explain(chat(messages, { ...route, usage: usage(0, W) }), chat(messages, later(route))).cause).toBe('hit');
  });
});

describe('cause 16, marker-fault', () => {
  const six = Array.from({ length: 6 }, (_, index) => marked(`${GUIDE.slice(0, 2000)} ${index}`));
  it.each([
    ['no marker', { system: GUIDE, messages: ask }, 'system'],
    ['five markers', { system: six.slice(0, 5), messages: ask }, 'system[4]'],
    ['5m before 1h', { system: [marked(GUIDE), marked('End.', '1h')], messages: ask }, 'system[1]'],
    ['an empty block', { system: [text(GUIDE), marked('')], messages: ask }, 'system[1]'],
    [
      'a thinking block',
      {
        system: GUIDE,
        messages: [
          user('Hi'),
          assistant([{ type: 'thinking', thinking: 'x', signature: 's', cache_control: { type: 'ephemeral' } }]),
          user('Go'),
        ],
      },
      'messages[1].content[0]',
    ],
    [
      'automatic beside four',
      { system: six.slice(0, 4), messages: ask, cache_control: { type: 'ephemeral' } },
      'cache_control',
    ],
    [
      'automatic with another TTL',
      { system: GUIDE, messages: [user([marked('Hi', '1h')])], cache_control: { type: 'ephemeral' } },
      'cache_control',
    ],
  ])('EX16: %s', (_, request, label) => {
    const verdict = explain(claude(body), claude(request, later()));
    expect(verdict).toMatchObject({ cause: 'marker-fault', position: { label } });
    const alone = explain(undefined, claude(request));
    // What is not marked at all costs nothing before there is a second request.
    expect(alone.cause).toBe(label === 'system' ? 'chain-start' : 'marker-fault');
    expect(alone.evidence.join(' ')).toContain(verdict.evidence[0]);
  });

  it('EX16: OpenAI: explicit mode without a breakpoint, and options on an older model', () => {
    const openai: Body = {
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'explicit' },
      input: [{ role: 'developer', content: GUIDE }, ...ask],
    };
    expect(explain(gpt(openai), gpt(openai, later())).cause).toBe('marker-fault');
    expect(
      explain(undefined, gpt({ ...openai, prompt_cache_options: { ttl: '30m' } }, { model: 'gpt-5.1' })).cause,
    ).toBe('marker-fault');
  });

  it('EX16: the marker after the last entry is gone', () => {
    const before = claude(talk([user([marked('Long question.')])]), { usage: usage(0, W) });
    const after = claude(
      talk([user([text('Long question.')]), assistant('Ok.'), user('More.')]),
      later({ usage: usage(2000, 0) }),
    );
    expect(explain(before, after)).toMatchObject({
      cause: 'marker-fault',
      partial: true,
      position: { label: 'messages[0].content[0]' },
    });
  });

  it('EX16: OpenAI: an entry where this request has no breakpoint', () => {
    const part = { type: 'input_text', text: GUIDE, prompt_cache_breakpoint: { mode: 'explicit' } };
    const start: Json[] = [{ role: 'developer', content: [part] }, user('One?')];
    const before: Body = { prompt_cache_key: 'k', input: start };
    const after: Body = {
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'explicit' },
      input: [...start, assistant('Yes.'), user('Two?')],
    };
    const expected = { cause: 'marker-fault', partial: true, position: { label: 'input[1].content' } };
    expect(explain(gpt(before), gpt(after, later()))).toMatchObject(expected);
    const verdict = explain(
      gpt(before, { usage: usage(0, W, 20, '30m') }),
      gpt(after, later({ usage: usage(2000, 0, 640) })),
    );
    expect(verdict).toMatchObject(expected);
    expect(verdict.repair).toContain('prompt_cache_breakpoint');
  });

  it('EX16 not: four markers in order', () => {
    const fine: Body = {
      system: [marked(GUIDE, '1h'), marked('A', '1h'), marked('B')],
      messages: [user([marked('C')])],
    };
    expect(explain(undefined, claude(fine)).cause).toBe('chain-start');
    expect(explain(claude(fine), claude(fine, later())).cause).toBe('hit');
  });
});

describe('cause 20, provider-eviction', () => {
  it('EX20: everything is equal and inside the TTL', () => {
    const verdict = explain(claude(body, { usage: usage(0, W) }), claude(body, later({ usage: usage(0, W) })));
    expect(verdict).toMatchObject({ cause: 'provider-eviction', certainty: 'likely', tokensLost: W });
  });

  it('EX20: only a shorter entry was left: partial; also with OpenAI', () => {
    const rolling = (messages: Json[]): Body => ({ ...talk(messages), cache_control: { type: 'ephemeral' } });
    const verdict = explain(
      claude(rolling([user('One')]), { usage: usage(0, 4000) }),
      claude(rolling([user('One'), assistant('Two'), user('Three')]), later({ usage: usage(2000, 2100) })),
    );
    expect(verdict).toMatchObject({ cause: 'provider-eviction', partial: true, tokensLost: 2000 });
    const openai: Body = { prompt_cache_key: 'k', input: [{ role: 'developer', content: GUIDE }, ...ask] };
    const used = { usage: usage(0, W, 20, '30m') };
    expect(explain(gpt(openai, used), gpt(openai, later(used))).cause).toBe('provider-eviction');
  });

  it('EX20 not: it was read', () => {
    expect(explain(claude(body, { usage: usage(0, W) }), claude(body, later({ usage: usage(W, 0) }))).cause).toBe(
      'hit',
    );
  });
});

describe('cause 21, usage-misread', () => {
  const dropped = (uncached: number) => ({ usage: { ...usage(0, 0, uncached), cacheReported: false } });
  it.each([21, 300])('EX21: %d input tokens, no counters, and a prompt that matches', (uncached) => {
    const verdict = explain(claude(body, dropped(uncached)), claude(body, later(dropped(uncached))));
    expect(verdict).toMatchObject({ cause: 'usage-misread', tokensLost: 0, costLost: 0, position: { label: 'usage' } });
  });

  it('EX21: OpenAI: a total that is smaller than its cached part', () => {
    const openai: Body = { prompt_cache_key: 'k', input: [{ role: 'developer', content: GUIDE }, ...ask] };
    const rawUsage = { input_tokens: 30, output_tokens: 1, input_tokens_details: { cached_tokens: 2000 } };
    const used = { usage: usage(2000, 0, 0), rawUsage };
    expect(explain(gpt(openai, { usage: usage(0, 2000, 30, '30m') }), gpt(openai, later(used))).cause).toBe(
      'usage-misread',
    );
  });

  it('EX21 not: counters that were recorded, a prompt that changed, a wire whose total holds everything', () => {
    expect(explain(claude(body, { usage: usage(0, W) }), claude(body, later({ usage: usage(W, 0, 21) }))).cause).toBe(
      'hit',
    );
    const changed: Body = { system: [marked(`10:01 ${GUIDE}`)], messages: ask };
    expect(
      explain(claude({ system: [marked(`10:00 ${GUIDE}`)], messages: ask }), claude(changed, later(dropped(21)))).cause,
    ).toBe('volatile-value-in-system');
    const messages: Body = { messages: [{ role: 'system', content: [marked(GUIDE)] }, user('Hi')] };
    expect(explain(chat(messages), chat(messages, later(dropped(2000)))).cause).toBe('hit');
  });
});

describe('hits, starts and the choice of the previous request', () => {
  it('EX50: the first request is a start', () => {
    expect(explain(undefined, claude(body))).toMatchObject({
      cause: 'chain-start',
      position: null,
      tokensLost: 0,
      repair: '',
    });
  });

  it('EX51: what another session left can be read; that it was not read is not a miss', () => {
    const other = claude(talk([user('Something else.')]), { sessionId: 'a', usage: usage(0, W) });
    for (const used of [usage(W, 0), usage(0, W)])
      expect(explain(other, claude(body, later({ sessionId: 'b', usage: used })))).toMatchObject({
        kind: 'start',
        cause: 'chain-start',
        tokensLost: 0,
      });
  });

  it('EX52: of interleaved conversations each is held against its own', () => {
    const rolling = (messages: Json[], at: number, used: [number, number]) =>
      claude(
        { ...talk(messages), cache_control: { type: 'ephemeral' } },
        { startedAt: T0 + at * SECOND, usage: usage(...used) },
      );
    const a = user('Conversation A.');
    const b = user('Conversation B.');
    const calls = [
      rolling([a], 0, [0, 2100]),
      rolling([b], 20, [2000, 100]),
      rolling([a, assistant('1'), user('more a')], 40, [2100, 50]),
      rolling([user('Conversation B, edited.'), assistant('2'), user('more b')], 60, [2000, 160]),
    ];
    const verdicts = explainAll(calls);
    expect(verdicts.map(({ cause }) => cause)).toEqual(['chain-start', 'chain-start', 'hit', 'history-edited']);
    expect(verdicts[3]?.comparedWith).toBe(calls[1]);
  });

  it('EX53: a failed call left nothing', () => {
    expect(explain(claude(body, { failed: true }), claude(body, later())).cause).toBe('chain-start');
  });

  it('EX54: verdicts come in the order of the recording, whatever its times', () => {
    const calls = [claude(body, later()), claude(body)];
    expect(explainAll(calls).map(({ cause }) => cause)).toEqual(['hit', 'chain-start']);
  });

  it('EX55: an unrelated request long ago is not a previous request', () => {
    const other = claude({ system: [marked('Other words entirely. '.repeat(300))], messages: [user('?')] });
    expect(explain(other, claude(body, { startedAt: T0 + 60 * MINUTE })).cause).toBe('chain-start');
  });

  it('EX56: history that the provider keeps cannot be compared; usage is all there is', () => {
    const first = gpt({ input: [{ role: 'developer', content: GUIDE }, ...ask] }, { response: { id: 'r1' } });
    const next = { previous_response_id: 'r1', input: 'More.' };
    expect(explain(first, gpt(next, later({ usage: usage(1900, 0) })))).toMatchObject({
      cause: 'hit',
      certainty: 'likely',
    });
    expect(explain(first, gpt(next, later({ usage: usage(0, 0, 1900) })))).toMatchObject({
      kind: 'unknown',
      cause: 'not-recorded',
      certainty: 'likely',
    });
  });
});
