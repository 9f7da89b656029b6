import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import type { Usage } from '../../provider/types.ts';
import type { RecordedCall } from '../types.ts';
import { explainAll } from '../../traffic/explainer.ts';
import { explain } from './explain.ts';
import {
  ask,
  assistant,
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

describe('cause 7, below-floor', () => {
  const short: Body = { system: [marked('You are brief. '.repeat(20))], messages: ask };
  it('EX7: a prefix of some eighty tokens', () => {
    const verdict = explain(
      claude(short, { usage: usage(0, 0, 150) }),
      claude(short, later({ usage: usage(0, 0, 150) })),
    );
    expect(verdict).toMatchObject({ cause: 'below-floor', position: { label: 'system[0]' }, certainty: 'sure' });
    expect(verdict.evidence[0]).toMatch(/The cache floor of \S+ is 512,/);
  });

  it('EX7: the measured run: 2,817 tokens on Haiku 4.5; the first request is a start that says so', () => {
    const model = 'claude-haiku-4-5';
    for (const used of [{ usage: usage(0, 0, 2817) }, {}]) {
      const first = claude(body, { model, ...used });
      const verdict = explain(undefined, first);
      expect(verdict).toMatchObject({ cause: 'chain-start', tokensLost: 0 });
      expect(verdict.evidence.join(' ')).toMatch(/The cache floor of \S+ is 4,096,/);
      expect(explain(first, claude(body, later({ model, ...used }))).cause).toBe('below-floor');
    }
  });

  it('EX7: a floor that others measured counts where usage shows nothing', () => {
    const call = { model: 'claude-sonnet-4-6', usage: usage(0, 0, 1500) };
    expect(explain(claude(body, call), claude(body, later(call)))).toMatchObject({
      cause: 'below-floor',
      certainty: 'likely',
    });
  });

  it('EX7: OpenAI below 1,024; and a request before that was too short to write', () => {
    const small: Body = { prompt_cache_key: 'k', input: [{ role: 'developer', content: 'Be brief.' }, user('Hi')] };
    expect(explain(gpt(small), gpt(small, later())).cause).toBe('below-floor');
    const grown: Body = {
      system: [marked('You are brief. '.repeat(20))],
      messages: [user('x'), assistant('y'), user([marked(GUIDE)])],
    };
    const verdict = explain(
      claude(
        { system: [marked('You are brief. '.repeat(20))], messages: [user([marked('x')])] },
        { usage: usage(0, 0, 150) },
      ),
      claude(grown, later({ usage: usage(0, W) })),
    );
    expect(verdict).toMatchObject({ cause: 'below-floor', certainty: 'likely' });
    expect(verdict.evidence[0]).toContain('The prefix of the previous request');
  });

  it('EX7 not: above the floor', () => {
    expect(explain(undefined, claude(body, { model: 'claude-haiku-4-5', usage: usage(0, 4957, 332) })).cause).toBe(
      'chain-start',
    );
    expect(explain(claude(body), claude(body, later())).cause).toBe('hit');
  });
});

describe('cause 8, ttl-expired', () => {
  it('EX8: six minutes on five, with the time of the answer in it', () => {
    const before = claude(body, { usage: usage(0, W), endedAt: T0 + 40 * SECOND });
    const verdict = explain(before, claude(body, { startedAt: T0 + 6 * MINUTE, usage: usage(0, W) }));
    expect(verdict).toMatchObject({ cause: 'ttl-expired', position: { label: 'system[0]' }, tokensLost: W });
    expect(verdict.evidence[0]).toContain('6 min');
    expect(verdict.evidence[1]).toContain('40 s');
    expect(verdict.repair).toContain('1h');
  });

  it('EX8: an hour and a minute on one hour; thirty-one minutes with OpenAI', () => {
    const hour: Body = { system: [marked(GUIDE, '1h')], messages: ask };
    expect(explain(claude(hour), claude(hour, { startedAt: T0 + 61 * MINUTE })).cause).toBe('ttl-expired');
    const openai: Body = { prompt_cache_key: 'k', input: [{ role: 'developer', content: GUIDE }, ...ask] };
    expect(explain(gpt(openai), gpt(openai, { startedAt: T0 + 31 * MINUTE })).cause).toBe('ttl-expired');
  });

  it('EX8: a conversation that expired while its prefix was kept alive: partial', () => {
    const rolling = (messages: Json[]): Body => ({ ...talk(messages), cache_control: { type: 'ephemeral' } });
    const calls = [
      claude(rolling([user('Long question. '.repeat(100))]), { usage: usage(0, 3000) }),
      claude(rolling([user('Another one.')]), { startedAt: T0 + 4 * MINUTE, usage: usage(2000, 40) }),
      claude(rolling([user('Long question. '.repeat(100)), assistant('Ok.'), user('More.')]), {
        startedAt: T0 + 7 * MINUTE,
        usage: usage(2000, 1100),
      }),
    ];
    expect(explainAll(calls).map(({ cause }) => cause)).toEqual(['chain-start', 'chain-start', 'ttl-expired']);
    expect(explainAll(calls)[2]).toMatchObject({ partial: true, tokensLost: 1000 });
  });

  it('EX8: a read does not raise the TTL of an entry', () => {
    const hour: Body = { system: [marked(GUIDE, '1h')], messages: ask };
    const calls = (used: readonly Usage[]) =>
      (
        [
          [body, 0],
          [hour, 1],
          [hour, 8],
        ] as const
      ).map(([sent, minute], index) =>
        claude(sent, { startedAt: T0 + minute * MINUTE, ...(used[index] && { usage: used[index] }) }),
      );
    for (const used of [[], [usage(0, W), usage(W, 0), usage(0, W, 20, '1h')]]) {
      const verdicts = explainAll(calls(used));
      expect(verdicts.map(({ cause }) => cause)).toEqual(['chain-start', 'hit', 'ttl-expired']);
      expect(verdicts[2]?.evidence.join(' ')).toContain('It lasts 5m');
      expect(verdicts[2]?.repair).toContain('starting with the first request');
    }
    const rewritten = [usage(0, W), usage(0, W, 20, '1h'), usage(W, 0)];
    expect(explainAll(calls(rewritten)).at(-1)?.cause).toBe('hit');
  });

  it('EX8: a TTL that was lowered does not shorten an entry that is read', () => {
    const hour: Body = { system: [marked(GUIDE, '1h')], messages: ask };
    const calls = [hour, body, body].map((sent, index) =>
      claude(sent, { startedAt: T0 + index * 50 * MINUTE, usage: usage(index === 0 ? 0 : W, index === 0 ? W : 30) }),
    );
    const last = claude(body, { startedAt: T0 + 120 * MINUTE });
    expect(explainAll([...calls, last]).map(({ cause }) => cause)).toEqual(['chain-start', 'hit', 'hit', 'hit']);
  });

  it('EX8 not: exactly five minutes, a request in between, twenty minutes on one hour', () => {
    expect(explain(claude(body), claude(body, { startedAt: T0 + 5 * MINUTE })).cause).toBe('hit');
    const calls = [
      claude(body),
      claude(body, { startedAt: T0 + 4 * MINUTE }),
      claude(body, { startedAt: T0 + 8 * MINUTE }),
    ];
    expect(explainAll(calls).map(({ cause }) => cause)).toEqual(['chain-start', 'hit', 'hit']);
    const hour: Body = { system: [marked(GUIDE, '1h')], messages: ask };
    expect(explain(claude(hour), claude(hour, { startedAt: T0 + 20 * MINUTE })).cause).toBe('hit');
  });
});

describe('cause 9, lookback-overflow', () => {
  const start = [user([marked('Start.')])];
  const turns = (count: number): Json[] =>
    Array.from({ length: count }, (_, index) => [assistant(`Answer ${index}.`), user(`Question ${index}.`)]).flat();
  const grown = (count: number): Json[] => [
    user([text('Start.')]),
    ...turns(count),
    assistant('Last.'),
    user([marked('End.')]),
  ];
  const pair = (count: number, used?: boolean) =>
    explain(
      claude(talk(start), used ? { usage: usage(0, W) } : {}),
      claude(talk(grown(count)), later(used ? { usage: usage(2000, 1200) } : {})),
    );

  it.each([10, 15])('EX9: %d turns at the same time', (count) => {
    const verdict = pair(count);
    expect(verdict).toMatchObject({ cause: 'lookback-overflow', position: { label: 'messages[0].content[0]' } });
    expect(verdict.evidence[0]).toContain(`is ${count * 2 + 2} positions later`);
    expect(pair(count, true)).toMatchObject({ cause: 'lookback-overflow', partial: true, tokensLost: 600 });
  });

  it('EX9: the worked example: an entry at 15, a breakpoint at 35', () => {
    const blocks = (count: number, marks: readonly number[]): Json[] =>
      Array.from({ length: count }, (_, index) =>
        marks.includes(index) ? marked(`${GUIDE.slice(0, 900)} ${index}`) : text(`${GUIDE.slice(0, 900)} ${index}`),
      );
    const before = claude({ messages: [user(blocks(16, [10, 15]))] });
    const after = (marks: readonly number[]) => claude({ messages: [user(blocks(36, marks))] }, later());
    expect(explain(before, after([35])).cause).toBe('lookback-overflow');
    expect(explain(before, after([15, 35])).cause).toBe('hit');
    expect(explain(before, after([34])).cause).toBe('hit');
  });

  it('EX9 not: nine turns, or many tool calls, which count as one', () => {
    expect(pair(8).cause).toBe('hit');
    const calls = Array.from({ length: 15 }, (_, index): Json => ({
      type: 'tool_use',
      id: `t${index}`,
      name: 'read',
      input: {},
    }));
    const results = Array.from({ length: 15 }, (_, index): Json => ({
      type: 'tool_result',
      tool_use_id: `t${index}`,
      content: 'ok',
      ...(index === 14 && { cache_control: { type: 'ephemeral' } }),
    }));
    const after = claude(talk([user([text('Start.')]), assistant(calls), user(results)]), later());
    expect(explain(claude(talk(start)), after).cause).toBe('hit');
  });
});

describe('cause 10, parallel-requests', () => {
  it('EX10: the second starts before the first is answered', () => {
    const before = claude(body, { firstByteAt: T0 + 3 * SECOND, usage: usage(0, W) });
    const verdict = explain(before, claude(body, { startedAt: T0 + SECOND, usage: usage(0, W) }));
    expect(verdict).toMatchObject({ cause: 'parallel-requests', certainty: 'sure', tokensLost: W });
    expect(verdict.evidence).toContain('Both wrote the prefix.');
  });

  it('EX10: a fan-out of three, of which nobody recorded the first byte; also with OpenAI', () => {
    const bare = (call: RecordedCall): RecordedCall => {
      const { firstByteAt: _first, endedAt: _ended, ...rest } = call;
      return rest;
    };
    const calls = [0, 5, 9].map((ms) => bare(claude(body, { startedAt: T0 + ms, usage: usage(0, W) })));
    expect(explainAll(calls).map(({ cause }) => cause)).toEqual([
      'chain-start',
      'parallel-requests',
      'parallel-requests',
    ]);
    expect(explainAll(calls)[1]?.certainty).toBe('likely');
    const openai: Body = { prompt_cache_key: 'k', input: [{ role: 'developer', content: GUIDE }, ...ask] };
    const first = gpt(openai, { firstByteAt: T0 + 2 * SECOND });
    expect(explain(first, gpt(openai, { startedAt: T0 + SECOND })).cause).toBe('parallel-requests');
  });

  it('EX10 not: after the first byte, though before the end', () => {
    const before = claude(body, { firstByteAt: T0 + SECOND, endedAt: T0 + 30 * SECOND });
    expect(explain(before, claude(body, { startedAt: T0 + 2 * SECOND })).cause).toBe('hit');
  });

  it('EX10 not: an older entry was there to read', () => {
    const calls = [
      claude(body),
      claude(body, { startedAt: T0 + MINUTE }),
      claude(body, { startedAt: T0 + MINUTE + 10 }),
    ];
    expect(explainAll(calls).map(({ cause }) => cause)).toEqual(['chain-start', 'hit', 'hit']);
  });
});
