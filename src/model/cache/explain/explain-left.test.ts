import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { explain } from './explain.ts';
import {
  assistant,
  chat,
  claude,
  gpt,
  GUIDE,
  MINUTE,
  later,
  T0,
  marked,
  talk,
  text,
  usage,
  user,
  W,
  type Body,
} from './testing/recorded.ts';

const hello: Body = { messages: [user('Hello.')] };
const more: Body = { messages: [user('Hello.'), assistant('Hi there.'), user('And now?')] };
const NOTHING = { kind: 'hit', tokensLost: 0, costLost: 0, repair: '' };

describe('what was never left cannot be missed', () => {
  it('EX83: a prompt below the floor without a marker has nothing avoidable', () => {
    const verdict = explain(claude(hello, { usage: usage(0, 0, 12) }), claude(more, later({ usage: usage(0, 0, 30) })));
    expect(verdict).toMatchObject({ ...NOTHING, cause: 'marker-fault' });
    expect(verdict.evidence.join(' ')).toContain('Nothing avoidable');
  });

  it('EX83: a prompt above the floor without a marker is waste', () => {
    const long: Body = { system: GUIDE, ...hello };
    const verdict = explain(
      claude(long, { usage: usage(0, 0, 1600) }),
      claude({ ...long, ...more }, later({ usage: usage(0, 0, 1620) })),
    );
    expect(verdict).toMatchObject({ kind: 'waste', cause: 'marker-fault' });
    expect(verdict.tokensLost).toBeGreaterThan(1000);
  });

  it.each(['gpt-4o', 'gpt-5.6', 'some-local-model'])('EX83, EX79: %s sent a few tokens again', (model) => {
    const call = (body: Body, extra = {}) => gpt({ input: body['messages'] ?? [] }, { model, ...extra });
    const verdict = explain(call(hello, { usage: usage(0, 0, 12) }), call(more, later({ usage: usage(0, 0, 30) })));
    expect(verdict).toMatchObject({ ...NOTHING, cause: 'below-floor' });
    expect([verdict.repair, ...verdict.evidence].join(' ')).not.toMatch(/breakpoint|marker|\bmark\b|cache_control/);
  });

  it('EX83: another served model loses nothing of a prompt that is too short', () => {
    const call = (body: Body, served: string, extra = {}) =>
      chat(body, { model: 'deployment', response: { model: served }, ...extra });
    expect(
      explain(
        call(hello, 'gpt-35-turbo', { usage: usage(0, 0, 12) }),
        call(more, 'gpt-4.1-mini', later({ usage: usage(0, 0, 30) })),
      ),
    ).toMatchObject({ ...NOTHING, cause: 'below-floor' });
  });

  it('EX83: what is new in a request is not what both begin with, however little of it can be counted', () => {
    const input = [{ role: 'user', content: 'Roll the dice.' }];
    const hidden = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA'.repeat(900) };
    const counts = (prompt: number) => ({ ...usage(0, 0, prompt), writes: {} });
    const model = 'gpt-5-nano';
    expect(
      explain(
        gpt({ input }, { model, usage: counts(71) }),
        gpt({ input: [...input, hidden, { role: 'user', content: 'Again.' }] }, later({ model, usage: counts(1_464) })),
      ),
    ).toMatchObject({ ...NOTHING, cause: 'below-floor' });
  });

  it('EX83: an older entry of the conversation can still be missed', () => {
    const first = claude(talk([user('Hello.')]), { usage: usage(0, W) });
    const unmarked = claude({ system: GUIDE, ...hello }, { ...later(), usage: usage(0, 0, W) });
    const third = claude(talk([user('Hello.'), assistant('Hi there.'), user('And now?')]), {
      startedAt: T0 + 2 * MINUTE,
      usage: usage(0, W),
    });
    expect(explain(unmarked, third, { history: [first, unmarked] }).kind).toBe('miss');
  });

  it('EX83: markers that never arrive are waste', () => {
    const verdict = explain(
      claude(talk([user('Hello.')]), { usage: usage(0, 0, W) }),
      claude(talk([user('Hello.'), assistant('Hi there.'), user('And now?')]), later({ usage: usage(0, 0, W + 20) })),
    );
    expect(verdict).toMatchObject({ kind: 'waste', cause: 'gateway-effect' });
  });

  it('EX83: of another conversation only what both begin with could have been read', () => {
    const input = (system: string, ...rest: readonly Json[]): Body => ({ instructions: system, input: [...rest] });
    const ask = { role: 'user', content: 'Hello.' };
    const counts = (prompt: number) => ({ ...usage(0, 0, prompt), writes: {} });
    const model = 'gpt-4o';
    const other = gpt(input('You plan.', ask, { role: 'user', content: GUIDE }), { model, usage: counts(1_700) });
    const first = gpt(input('You plan.', ask), later({ model, usage: counts(300) }));
    const next = gpt(input('You plan.', ask, assistant('Hi there.'), { role: 'user', content: GUIDE }), {
      model,
      startedAt: T0 + 2 * MINUTE,
      usage: counts(1_720),
    });
    expect(explain(first, next, { history: [other, first], relation: 'continues' })).toMatchObject(NOTHING);
  });

  it.each(['gpt-4o-mini', 'some-local-model'])(
    'EX71, EX83: two short prompts for %s share nothing to lose',
    (model) => {
      const call = (name: string, extra = {}) =>
        chat(
          {
            messages: [
              { role: 'system', content: `You are agent ${name}. Say one word and nothing else.` },
              user('Hi.'),
            ],
          },
          { model, usage: { ...usage(0, 0, 519), writes: {} }, ...extra },
        );
      const first = call('A');
      const verdict = explain(undefined, call('B', later()), { history: [first], relation: 'beside' });
      expect(verdict).toMatchObject({ kind: 'start', cause: 'chain-start' });
    },
  );

  it('EX86: without times, too, a cache that nobody publishes is not blamed', () => {
    const call = (body: Body, read: number, prompt: number, extra = {}) =>
      chat(body, { model: 'grok-4', isTimeless: true, usage: { ...usage(read, 0, prompt), writes: {} }, ...extra });
    const system = { role: 'system', content: GUIDE.slice(0, 1_500) };
    const ask = (...messages: readonly Json[]): Body => ({ messages: [system, ...messages] });
    const verdict = explain(
      call(ask(user('Hello.')), 153, 288),
      call(ask(user('Hello.'), assistant('Hi there.'), user('And now?')), 153, 373, later()),
    );
    expect(verdict).toMatchObject({ kind: 'hit' });
  });

  it('EX84: nothing is known of a rebuilt request after one without usage', () => {
    const known = 'reconstructed' as const;
    const verdict = explain(
      claude(talk([user('Hello.')]), { known }),
      claude(talk([user('Hello.'), assistant('Hi there.'), user('And now?')]), later({ known, usage: usage(0, W) })),
    );
    expect(verdict).toMatchObject({ kind: 'unknown', cause: 'not-recorded' });
  });

  it('CC3: of a rebuilt request the pause is told, whatever else may be different', () => {
    const known = 'reconstructed' as const;
    const verdict = explain(
      claude(talk([user('Hello.')]), { known, usage: usage(0, W) }),
      claude(
        { ...talk([user('Hello.'), assistant('Hi there.'), user('And now?')]), system: [marked(`Other. ${GUIDE}`)] },
        { known, startedAt: T0 + 60 * MINUTE, usage: usage(0, W) },
      ),
    );
    expect(verdict).toMatchObject({ kind: 'miss', cause: 'ttl-expired' });
  });

  it('EX84: a rebuilt request without usage is not called too short', () => {
    const known = 'reconstructed' as const;
    const marks = (body: Body): Body => ({ ...body, cache_control: { type: 'ephemeral' } });
    expect(explain(claude(marks(hello), { known }), claude(marks(more), later({ known })))).toMatchObject({
      kind: 'unknown',
      cause: 'hit',
    });
  });

  it('EX71: data of one user in the first message is waste, in the system prompt a miss', () => {
    const body = (name: string): Body => ({
      messages: [user([text(`I am the user ${name}.`), marked(GUIDE), text('List the files.')])],
    });
    const alike = (name: string): Body => ({
      ...talk([user('List the files.')]),
      system: [marked(`User: ${name}\n${GUIDE}`)],
    });
    const two = (make: (name: string) => Body) =>
      explain(claude(make('Alice'), { usage: usage(0, W) }), claude(make('Bob'), later({ usage: usage(0, W) })));
    expect(two(body)).toMatchObject({ cause: 'per-user-data-first', kind: 'waste', certainty: 'likely' });
    expect(two(alike)).toMatchObject({ cause: 'per-user-data-first', kind: 'miss', certainty: 'likely' });
  });
});
