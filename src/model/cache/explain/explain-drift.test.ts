import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { explain } from './explain.ts';
import {
  ask,
  assistant,
  chat,
  claude,
  developer,
  GUIDE,
  gpt,
  judge,
  later,
  marked,
  MINUTE,
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

describe('cause 14, thinking-blocks-changed', () => {
  const thinking = (value: string): Json => ({ type: 'thinking', thinking: value, signature: `sig-${value}` });
  const call: Json = { type: 'tool_use', id: 't', name: 'read', input: {} };
  const result = user([{ type: 'tool_result', tool_use_id: 't', content: 'ok', cache_control: { type: 'ephemeral' } }]);
  const done = user([{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]);
  const body = (content: Json[], more: Json[] = []): Body => ({
    system: [marked(GUIDE)],
    messages: [user('Go.'), assistant(content), more.length === 0 ? result : done, ...more],
  });
  const next = [assistant('Done.'), user([marked('Again.')])];

  it.each([
    ['dropped', [call]],
    ['changed', [thinking('Hm!'), call]],
  ])('EX14: a thinking block of history is %s', (_, content) => {
    const verdict = judge(body([thinking('Hm.'), call]), body(content, next), 1900);
    expect(verdict).toMatchObject({ cause: 'thinking-blocks-changed', partial: true });
    expect(verdict.position?.label).toBe('messages[1].content[0]');
  });

  it('EX14: thinking of the answer does not come back', () => {
    const before = claude(talk([user([marked('Go.')])]), {
      usage: usage(0, W),
      response: { content: [thinking('Hm.'), call] },
    });
    const after = claude(talk([user([text('Go.')]), assistant([call]), result]), later({ usage: usage(1900, 700) }));
    expect(explain(before, after)).toMatchObject({ cause: 'thinking-blocks-changed', certainty: 'likely' });
  });

  it('EX14 not: where any prefix matches, what is before the answer does not need its thinking', () => {
    const question = { role: 'user', content: `${GUIDE}\nGo.` };
    const answer: Json = { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'abc' };
    const first = gpt(
      { model: 'gpt-5.1', input: [question] },
      { model: 'gpt-5.1', usage: usage(0, 0, 2600), response: { content: [answer] } },
    );
    const second = gpt(
      {
        model: 'gpt-5.1',
        input: [question, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Again.' }],
      },
      later({ model: 'gpt-5.1', usage: usage(0, 0, 2700) }),
    );
    expect(explain(first, second)).toMatchObject({ kind: 'miss', cause: 'openai-cache-key', certainty: 'likely' });
  });

  it('EX14: a model that forgets thinking when the user speaks', () => {
    const model = 'claude-sonnet-4-5';
    const first = claude(body([thinking('Hm.'), call]), { model, usage: usage(0, W) });
    const second = body([thinking('Hm.'), call], next);
    expect(explain(first, claude(second, later({ model, usage: usage(1900, 700) })))).toMatchObject({
      cause: 'thinking-blocks-changed',
      position: { label: 'messages[1].content[0]' },
    });
  });

  it('EX14 not: newer models keep it, and a tool result is not a speech', () => {
    const second = body([thinking('Hm.'), call], next);
    expect(judge(body([thinking('Hm.'), call]), second, W).cause).toBe('hit');
    expect(predict(body([thinking('Hm.'), call]), second).cause).toBe('hit');
    const goesOn = body([thinking('Hm.'), call], [assistant([thinking('Two.'), call]), result]);
    expect(
      explain(
        claude(body([thinking('Hm.'), call]), { model: 'claude-sonnet-4-5' }),
        claude(goesOn, later({ model: 'claude-sonnet-4-5' })),
      ).cause,
    ).toBe('hit');
  });
});

describe('cause 17, per-user-data-first', () => {
  it.each([
    ['a name', 'You help Alice Smith.', 'You help Bob Jones.'],
    ['a profile', 'User profile: plan gold, city Oslo.', 'User profile: plan free, city Lima.'],
    ['a user id', 'user_id: 550e8400-e29b-41d4-a716-446655440000', 'user_id: 7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ])('EX17: %s leads the system prompt of two sessions', (_, before, after) => {
    const verdict = explain(
      claude({ system: [marked(`${before}\n${GUIDE}`)], messages: [user('Hello')] }, { usage: usage(0, W) }),
      claude(
        { system: [marked(`${after}\n${GUIDE}`)], messages: [user('Good morning')] },
        later({ usage: usage(0, W) }),
      ),
    );
    expect(verdict.cause).toBe('per-user-data-first');
    expect(verdict.position?.label).toBe('system[0]');
  });

  it('EX17: never sure, whatever tells two sessions apart', () => {
    const call = (word: string, more = {}) =>
      claude(system(`${word} first.\n${GUIDE}`), { usage: usage(0, W), ...more });
    const verdict = explain(call('Read'), call('Think', later()));
    const likely = { cause: 'per-user-data-first', certainty: 'likely' };
    expect(verdict).toMatchObject(likely);
    expect(explain(call('Read', { sessionId: 'a' }), call('Think', later({ sessionId: 'b' })))).toMatchObject(likely);
    expect(explain(call('User Ann'), call('User Bob', later()))).toMatchObject(likely);
    const other = claude({ ...talk([user('Hm?')]), system: [marked(`Think first.\n${GUIDE}`)] }, later());
    expect(explain(call('Read'), other)).toMatchObject(likely);
  });

  it('EX17: in the first message, before a document that all share; also with OpenAI', () => {
    const body = (name: string): Body => ({ messages: [user([text(`I am ${name}.`), marked(GUIDE)])] });
    expect(judge(body('Alice'), body('Bob'))).toMatchObject({
      cause: 'per-user-data-first',
      position: { label: 'messages[0].content[0]' },
    });
    expect(openai(developer(`Customer: Alice\n${GUIDE}`), developer(`Customer: Bob\n${GUIDE}`)).cause).toBe(
      'per-user-data-first',
    );
  });

  it.each([
    ['a counter', 'Calls left: 10. The user is polite.', 'Calls left: 9. The user is polite.', 'a number'],
    ['the time of day', 'It is morning, dear user.', 'It is afternoon, dear user.', 'a time of day'],
  ])('EX17 not: %s in front of words about a user', (_, before, after, named) => {
    const verdict = explain(
      claude({ system: [marked(`${before}\n${GUIDE}`)], messages: [user('Hello')] }, { usage: usage(0, W) }),
      claude({ system: [marked(`${after}\n${GUIDE}`)], messages: [user('Bye')] }, later({ usage: usage(0, W) })),
    );
    expect(verdict).toMatchObject({ kind: 'miss', cause: 'shared-prefix-differs', certainty: 'likely' });
    expect(verdict.evidence.join(' ')).toContain(named);
  });

  it('EX17 not: the data of one user after the shared part', () => {
    const body = (name: string): Body => ({
      system: [marked(GUIDE), text(`User: ${name}`)],
      messages: [user(`I am ${name}`)],
    });
    expect(judge(body('Alice'), body('Bob'), W).cause).toBe('chain-start');
  });

  it('EX17 not: the same place in one conversation is a system prompt that changes', () => {
    const body = (name: string, messages: Json[]): Body => ({
      system: [marked(`You help ${name}.\n${GUIDE}`)],
      messages,
    });
    const one = [user('Hello')];
    expect(judge(body('Alice', one), body('Bob', [...one, assistant('Hi.'), user('Go.')])).cause).toBe(
      'volatile-value-in-system',
    );
  });
});

describe('cause 18, whitespace-drift', () => {
  it.each([
    ['CRLF', GUIDE, GUIDE.replaceAll('\n', '\r\n'), 'CRLF or LF'],
    ['a space at the end', GUIDE, `${GUIDE} `, 'trailing spaces'],
    ['NFC against NFD', `Café.\n${GUIDE}`, `Cafe\u0301.\n${GUIDE}`, 'Unicode form'],
    ['spaces at line ends', GUIDE, GUIDE.replaceAll('\n', '  \n'), 'trailing spaces'],
  ])('EX18: %s', (_, before, after, what) => {
    const verdict = judge(system(before), system(after));
    expect(verdict).toMatchObject({ cause: 'whitespace-drift', position: { label: 'system[0]' } });
    expect(verdict.evidence[0]).toContain(what);
  });

  it('EX18: in a tool, in history, and with OpenAI', () => {
    const withTool = (description: string): Body => ({ ...talk(ask), tools: [tool('a', { description })] });
    expect(judge(withTool('Reads a file.'), withTool('Reads a file. '))).toMatchObject({
      cause: 'whitespace-drift',
      position: { label: 'tools[0]' },
    });
    const body = (first: string, more: Json[]): Body => ({
      ...talk([user(first), ...more]),
      cache_control: { type: 'ephemeral' },
    });
    expect(judge(body('One\ntwo', []), body('One\r\ntwo', [assistant('Ok.'), user('Go.')]), 1900)).toMatchObject({
      cause: 'whitespace-drift',
      position: { label: 'messages[0].content', offset: 3 },
    });
    expect(openai(developer(GUIDE), developer(`${GUIDE}\n`)).cause).toBe('whitespace-drift');
  });

  it('EX18 not: a word is not white space', () => {
    expect(judge(system(`${GUIDE}\nBe brief.`), system(`${GUIDE}\nBe very brief.`)).cause).toBe(
      'volatile-value-in-system',
    );
  });
});

describe('causes 2 and 3 in web search and web fetch', () => {
  const search = (uses: number): Json => ({ type: 'web_search_20250305', name: 'web_search', max_uses: uses });
  const fetch: Json = { type: 'web_fetch_20250910', name: 'web_fetch' };
  const withTools = (list: Json[]): Body => ({ ...talk(ask), tools: [tool('read_file'), ...list] });

  it('EX3: one of them is edited', () => {
    const verdict = judge(withTools([search(5)]), withTools([search(8)]));
    expect(verdict).toMatchObject({ cause: 'tools-changed', position: { label: 'tools[1]' } });
    expect(verdict.evidence.join(' ')).toContain('“web_search” was edited');
    expect(verdict.evidence.join(' ')).toContain('keeps the other tools');
  });

  it('EX2: they change places', () => {
    expect(judge(withTools([search(5), fetch]), withTools([fetch, search(5)]))).toMatchObject({
      cause: 'tool-order',
      position: { label: 'tools[1]' },
    });
  });
});

describe('the shape of a verdict', () => {
  it('EX30: money: what was written or uncached instead of read', () => {
    const verdict = judge(system(`10:00 ${GUIDE}`), system(`10:01 ${GUIDE}`));
    expect(verdict.tokensLost).toBe(W);
    expect(verdict.costLost).toBeCloseTo((W * (2.5 - 0.1)) / 1e6, 10);
    const unknown = explain(
      claude(system(`10:00 ${GUIDE}`), { model: 'claude-fable-5-2' }),
      claude(system(`10:01 ${GUIDE}`), later({ model: 'claude-fable-5-2' })),
    );
    expect(unknown.tokensLost).toBeGreaterThan(0);
    expect(unknown.costLost).toBeUndefined();
  });

  it('EX31: works without usage and without a diagnosis', () => {
    const verdict = predict(system(`10:00 ${GUIDE}`), system(`10:01 ${GUIDE}`));
    expect(verdict).toMatchObject({ cause: 'volatile-value-in-system', usageSays: null, providerSaid: null });
    expect(verdict.tokensLost).toBeGreaterThan(1500);
  });

  it('EX32: usage that shows a full read wins over a difference', () => {
    expect(judge(system(`10:00 ${GUIDE}`), system(`10:01 ${GUIDE}`), W).cause).toBe('hit');
  });

  it.each([
    ['messages_changed', 'The change comes late'],
    ['tools_changed', 'still read another request’s entry'],
  ])('EX33: beside a hit, %s is about the request that the provider was asked about', (reason, expected) => {
    const diagnosis = { state: 'miss', reason, missedTokens: 100, raw: null } as const;
    const verdict = explain(claude(system(GUIDE)), claude(system(GUIDE), later({ diagnosis })));
    expect(verdict.cause).toBe('hit');
    expect(verdict.providerSaid).toContain(expected);
  });

  it.each([
    ['system_changed', 'It agrees.'],
    ['tools_changed', 'It disagrees'],
  ])('EX33: the provider says %s', (reason, expected) => {
    const diagnosis = { state: 'miss', reason, missedTokens: 100, raw: null } as const;
    const verdict = explain(claude(system(`10:00 ${GUIDE}`)), claude(system(`10:01 ${GUIDE}`), later({ diagnosis })));
    expect(verdict.cause).toBe('volatile-value-in-system');
    expect(verdict.providerSaid).toContain(expected);
    expect(verdict.evidence).toContain(verdict.providerSaid);
  });

  it('EX34: a body that cannot be read is a fault of the request', () => {
    const verdict = explain(undefined, claude('{"model":"claude-sonnet-5-5",'));
    expect(verdict.cause).toBe('marker-fault');
    expect(verdict.evidence[0]).toContain('not JSON');
    expect(explain(claude('nonsense'), claude(talk(ask))).cause).toBe('chain-start');
  });

  it.each([null, 5, 'look'])('EX34: a tool that is %s has no name, and is compared all the same', (odd) => {
    expect(judge({ ...talk(ask), tools: [odd] }, { ...talk(ask), tools: [tool('look')] })).toMatchObject({
      cause: 'tools-changed',
      position: { label: 'tools[0]' },
    });
    expect(judge({ ...talk(ask), tools: [7] }, { ...talk(ask), tools: [odd] }).evidence.join(' ')).toContain(
      'tools[0]',
    );
  });

  it('EX34: reasoning as a member of a message is not a block of its own, and is compared all the same', () => {
    const first = [{ role: 'system', content: [marked(GUIDE)] }, user('Go.')];
    const next = [...first, { role: 'assistant', content: 'Done.', reasoning_content: 'Other.' }, user('More.')];
    const content = [{ type: 'thinking', thinking: 'Hm.', signature: 's' }];
    const verdict = explain(
      chat({ messages: first }, { usage: usage(0, W), response: { content } }),
      chat({ messages: next }, later({ usage: usage(0, W) })),
    );
    expect(verdict.cause).toBe('thinking-blocks-changed');
  });

  it('EX35: a marker that moves is not a difference', () => {
    expect(
      judge(
        { system: [text(GUIDE), marked('End.')], messages: ask },
        { system: [marked(GUIDE), marked('End.')], messages: ask },
        W,
      ).cause,
    ).toBe('hit');
  });

  it('EX36: a gap longer than the TTL does not hide a difference', () => {
    const verdict = explain(
      claude(system(`10:00 ${GUIDE}`), { usage: usage(0, W) }),
      claude(system(`10:20 ${GUIDE}`), { startedAt: T0 + 20 * MINUTE, usage: usage(0, W) }),
    );
    expect(verdict.cause).toBe('volatile-value-in-system');
  });
});
