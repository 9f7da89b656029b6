import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { explain } from './explain.ts';
import {
  ask,
  assistant,
  chat,
  claude,
  gpt,
  GUIDE,
  judge,
  later,
  marked,
  predict,
  system,
  talk,
  text,
  tool,
  usage,
  user,
  W,
  type Body,
} from './testing/recorded.ts';

const long = 'A long message that fills the conversation with words. '.repeat(60);
const first = [user(long)];
const second = [user(long), assistant(long), user('Go on.')];

describe('kinds', () => {
  it('EX70: each of the five', () => {
    const body = talk(ask);
    expect(explain(undefined, claude(body, { usage: usage(0, W) })).kind).toBe('start');
    expect(judge(body, body, W).kind).toBe('hit');
    expect(judge(body, body, 0).kind).toBe('miss');
    expect(judge({ ...body, system: GUIDE }, { ...body, system: GUIDE }).kind).toBe('waste');
    expect(predict(body, body).kind).toBe('unknown');
  });

  it('EX71: too short or not marked: nothing was left, so nothing was missed', () => {
    const short: Body = { system: [marked('You are brief. '.repeat(20))], messages: ask };
    const used = { usage: usage(0, 0, 150) };
    expect(explain(claude(short, used), claude(short, later(used)))).toMatchObject({
      kind: 'waste',
      cause: 'below-floor',
    });
    const bare: Body = { system: GUIDE, messages: ask };
    expect(explain(claude(bare, used), claude(bare, later(used)))).toMatchObject({
      kind: 'waste',
      cause: 'marker-fault',
    });
  });

  it('EX81: passes of server tools are not evictions', () => {
    const body = talk(ask);
    const searched: Json = [
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] },
      text('Found.'),
    ];
    // Two passes over 3,000 tokens each: the first wrote them, the second read them.
    const before = claude(body, { usage: usage(3000, 3000), response: { content: searched } });
    const after = (read: number, written: number) => claude(body, later({ usage: usage(read, written) }));
    expect(explain(before, after(3000, 40))).toMatchObject({ kind: 'hit' });
    expect(explain(before, after(0, 3000))).toMatchObject({ kind: 'miss' });
    // As told: one pass of 3,000, one of 3,400.
    const pass = (read: number, written: number) => ({
      kind: 'message',
      uncached: 2,
      read,
      writes: { '5m': written },
      output: 5,
    });
    const told = { ...usage(3000, 3400), passes: [pass(0, 3000), pass(3000, 400)] };
    expect(explain(claude(body, { usage: told }), after(3400, 40))).toMatchObject({ kind: 'hit' });
    expect(explain(claude(body, { usage: told }), after(1500, 1900))).toMatchObject({ kind: 'miss', tokensLost: 1900 });
    // The request itself is judged by its first pass, which found nothing.
    const late = claude(body, later({ usage: told }));
    expect(explain(claude(body, { usage: usage(0, 3000) }), late)).toMatchObject({ kind: 'miss', partial: false });
    // An advisor is another model: what it was sent is in the bill, and nothing of it in the cache.
    const advised = { ...told, passes: [...told.passes, { ...pass(0, 900), kind: 'advisor_message' }] };
    expect(explain(claude(body, { usage: advised }), after(3400, 40))).toMatchObject({ kind: 'hit' });
  });

  it('EX81: tools that OpenAI runs itself are passes too, and no more than the prompt could have been read', () => {
    const input = [{ role: 'user', content: GUIDE }];
    const found: Json = [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'tides' } },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
    ];
    const counts = (prompt: number, read: number) => ({ ...usage(read, 0, prompt - read), writes: {} });
    const before = gpt({ input }, { model: 'gpt-5.2', usage: counts(3_000, 0), response: { content: found } });
    const after = (read: number) =>
      gpt(
        { input: [...input, ...(found as Json[]), { role: 'user', content: 'Thanks.' }] },
        later({ model: 'gpt-5.2', usage: counts(1_600, read) }),
      );
    // Two passes over about 1,500 tokens each.
    expect(explain(before, after(1_408))).toMatchObject({ kind: 'hit' });
    const missed = explain(before, after(0));
    expect(missed).toMatchObject({ kind: 'miss' });
    expect(missed.tokensLost).toBeLessThanOrEqual(1_600);
  });

  it('EX85: a request that read what there was to read is a hit, whatever changed', () => {
    const body: Body = { messages: [user(GUIDE)] };
    const more: Body = { messages: [user(GUIDE), assistant('Done.'), user('And now?')] };
    const verdict = explain(
      chat(body, { provider: 'anthropic', model: 'claude-haiku-4-5', usage: usage(0, 0, 1_500) }),
      chat(more, later({ provider: 'compatible', model: 'some-model', usage: usage(1_520, 0, 0) })),
    );
    expect(verdict).toMatchObject({ kind: 'hit', tokensLost: 0, costLost: 0 });
  });

  it('EX86: a small difference says nothing where nobody knows how the provider caches', () => {
    const body = (times: number): Body => ({ messages: [user(GUIDE.repeat(times))] });
    const more = (times: number): Body => ({
      messages: [user(GUIDE.repeat(times)), assistant('Done.'), user('And now?')],
    });
    const judged = (times: number, model: string, read: number) =>
      explain(
        chat(body(times), { model, usage: usage(0, 0, 1_500 * times) }),
        chat(more(times), later({ model, usage: usage(read, 0, 1_520 * times - read) })),
      );
    expect(judged(1, 'grok-of-tomorrow', 192)).toMatchObject({ kind: 'hit', cause: 'hit', certainty: 'likely' });
    expect(judged(1, 'grok-of-tomorrow', 0)).toMatchObject({ kind: 'hit', repair: '' });
    expect(judged(6, 'grok-of-tomorrow', 0)).toMatchObject({ kind: 'miss' });
    // What changed in the request is named all the same.
    const changed = explain(
      chat(body(1), { model: 'grok-of-tomorrow', usage: usage(0, 0, 1_500) }),
      chat(
        { ...more(1), tools: [{ type: 'function', function: { name: 'look' } }] },
        later({ model: 'grok-of-tomorrow', usage: usage(0, 0, 1_600) }),
      ),
    );
    expect(changed).toMatchObject({ kind: 'miss', cause: 'tools-changed' });
  });

  it('EX80: too short to be cached, a request misses nothing of another conversation', () => {
    const short = claude(
      { system: [marked('You are brief.')], messages: [user('Hi')] },
      later({ usage: usage(0, 0, 9) }),
    );
    const other = claude(talk(ask), { usage: usage(0, W) });
    expect(explain(other, short)).toMatchObject({ kind: 'start', cause: 'chain-start' });
  });

  it('EX75: no usage is not zero usage', () => {
    const body = talk(ask);
    const before = claude(body, { usage: usage(0, W) });
    const none = explain(before, claude(body, later()));
    expect(none).toMatchObject({ kind: 'unknown', cause: 'hit', certainty: 'likely', usageSays: null });
    expect(none.evidence.join(' ')).toContain('The provider reported no usage');
    const silent = { ...usage(0, 0, 3000), cacheReported: false };
    const verdict = explain(before, claude(body, later({ usage: silent })));
    expect(verdict.kind).toBe('unknown');
    expect(verdict.evidence.join(' ')).toContain('no cache counters');
    expect(verdict.evidence.join(' ')).not.toContain('were read');
    expect(explain(before, claude(body, later({ failed: true }))).kind).toBe('unknown');
  });

  it('EX72: after a compaction', () => {
    const rolling = (messages: Json[]): Body => ({ ...talk(messages), cache_control: { type: 'ephemeral' } });
    const before = rolling([user('One.'), assistant('Two.'), user('Three.'), assistant('Four.'), user('Five.')]);
    const after = rolling([user('Summary of the earlier conversation: they talked.'), assistant('Ok.')]);
    expect(judge(before, after, 2000)).toMatchObject({ kind: 'start', cause: 'compaction', tokensLost: 0 });
    const question = rolling([user('Give me a summary of this file.')]);
    expect(judge(before, question, 2000)).toMatchObject({ kind: 'start', cause: 'chain-start' });
  });

  it('EX78: what rests on a body that was put together says so and is at most likely', () => {
    const known = 'reconstructed' as const;
    const before = claude(system(`10:00 ${GUIDE}`), { usage: usage(0, W), known });
    const verdict = explain(before, claude(system(`10:01 ${GUIDE}`), later({ usage: usage(0, W), known })));
    expect(verdict).toMatchObject({ kind: 'miss', certainty: 'likely' });
    expect(verdict.evidence.join(' ')).toContain('rebuilt');
    const absent = explain(before, claude('', later({ usage: usage(0, W), known: 'absent' })));
    expect(absent).toMatchObject({ kind: 'unknown', cause: 'not-recorded' });
  });
});

describe('a conversation that is not cached', () => {
  // Prompts of 2,600 and 3,400 tokens behind a prefix of 1,500 that is cached.
  const before = claude(talk(first), { usage: usage(0, 1500, 1100) });
  const after = claude(talk(second), later({ usage: usage(1500, 0, 1900) }));

  it('EX73: names the tokens, the price and the switch', () => {
    const verdict = explain(before, after);
    expect(verdict).toMatchObject({ kind: 'waste', cause: 'conversation-not-cached', tokensLost: 1100 });
    // Sonnet 5.5: input 2, read 0.10, write 2.50 dollars a million.
    const paid = 1500 * 0.1 + 1900 * 2;
    const would = 2600 * 0.1 + 800 * 2.5;
    expect(verdict.costLost).toBeCloseTo((paid - would) / 1e6, 10);
    expect(verdict.repair).toContain('rolling');
    expect(verdict.position?.label).toBe('messages[2].content');
  });

  it('EX73 not: a breakpoint in the conversation, too few tokens, a write that costs more, a prompt that changed', () => {
    const rolling = (messages: Json[]): Body => ({ ...talk(messages), cache_control: { type: 'ephemeral' } });
    expect(
      explain(
        claude(rolling(first), { usage: usage(0, 2600) }),
        claude(rolling(second), later({ usage: usage(2600, 800) })),
      ).cause,
    ).toBe('hit');
    const few = claude(talk(ask), { usage: usage(0, 1500, 20) });
    const more = [...ask, assistant('Yes.'), user('More.')];
    expect(explain(few, claude(talk(more), later({ usage: usage(1500, 0, 40) }))).cause).toBe('hit');
    // 200 tokens would have been read, and 9,000 written for more than they cost now.
    const small = claude(talk(first), { usage: usage(0, 1500, 900) });
    expect(explain(small, claude(talk(second), later({ usage: usage(1500, 0, 9900) }))).cause).toBe('hit');
    const other = claude(talk(second, { tool_choice: { type: 'none' } }), later({ usage: usage(1500, 0, 1900) }));
    expect(explain(before, other).cause).toBe('hit');
  });
});

describe('two conversations that should begin alike', () => {
  const tools = [tool('read'), tool('write')];
  const head = (line: string): Body => ({ tools, system: [marked(`${GUIDE}\n${line}`)] });
  const pair = (before: Body, after: Body, more = {}) =>
    explain(
      claude({ ...before, messages: [user('One question.')] }, { usage: usage(0, W), sessionId: 'a' }),
      claude({ ...after, messages: [user('Another one.')] }, later({ usage: usage(0, W), sessionId: 'b', ...more })),
    );

  it('EX74: the difference is named, and likely', () => {
    const verdict = pair(head('Skills: pdf.'), head('Skills: pdf, docx.'));
    expect(verdict).toMatchObject({ kind: 'miss', cause: 'shared-prefix-differs', certainty: 'likely' });
    expect(verdict.position).toMatchObject({ label: 'system[0]', path: 'text' });
  });

  it.each([
    ['other tools', { ...head('x'), tools: [tool('read')] }, {}],
    ['another system prompt', { tools, system: [marked(`You are another agent. ${long}`)] }, {}],
    ['something was read', head('y'), { usage: usage(600, 2000) }],
    ['long ago', head('y'), { startedAt: Date.UTC(2026, 10, 15, 11) }],
    ['another model', head('y'), { model: 'claude-opus-5-5' }],
  ])('EX74 not: %s', (_, after, more) => {
    expect(pair(head('x'), after, more)).toMatchObject({ kind: 'start', cause: 'chain-start' });
  });

  it('EX74 not: what both share is the same, and still was not read', () => {
    const same = { ...head('x'), messages: [user([text('Hm.')])] };
    expect(pair(head('x'), same)).toMatchObject({ kind: 'start', cause: 'chain-start' });
  });
});
