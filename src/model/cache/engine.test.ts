import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  callOf,
  createDriver,
  type Fields,
  HAIKU,
  marker,
  MINUTE,
  text,
  tool,
  user,
} from './testing/calls.ts';
import type { Prediction } from './types.ts';

const m5 = marker();
const sum = ({ usage }: Prediction): number =>
  usage.read + usage.uncached + Object.values(usage.writes).reduce((total, tokens) => total + (tokens ?? 0), 0);

describe('runs that were measured on the live API', () => {
  /** Tools below the floor, the stable prompt up to `prefix`, and a conversation after it. */
  const body = (prefix: number, ...messages: readonly Fields[]): Fields => ({
    model: HAIKU,
    tools: [tool('t@1000', m5)],
    system: [text(`s@${prefix - 1000}`, m5)],
    messages,
  });

  it('CA21: a prompt of 2,817 tokens writes and reads nothing', () => {
    const { turn } = createDriver();
    expect(turn(body(2800, user('q@17'))).usage).toEqual({ read: 0, writes: {}, uncached: 2817 });
    const next = body(2800, user('q@17'), assistant('a@9'), user('r@10'));
    expect(turn(next, { at: 5000 }).usage).toEqual({ read: 0, writes: {}, uncached: 2836 });
  });

  it('CA20, CA22: a prefix of 4,957 is written on turn 1 and read on turn 2', () => {
    const { turn } = createDriver();
    expect(turn(body(4957, user('q@332'))).usage).toEqual({ read: 0, writes: { '5m': 4957 }, uncached: 332 });
    const rolling = body(4957, user(text('q@330', m5)), assistant('a@9'), user('r@12'));
    expect(turn(rolling, { at: 5000 }).usage).toEqual({ read: 4957, writes: { '5m': 330 }, uncached: 21 });
  });

  it('CA20, CA22: so is one of 5,167', () => {
    const { turn } = createDriver();
    expect(turn(body(5167, user('q'))).usage.writes).toEqual({ '5m': 5167 });
    expect(turn(body(5167, user('q'), assistant('a'), user('r')), { at: 5000 }).usage).toMatchObject({
      read: 5167,
      writes: {},
    });
  });
});

describe('the last call', () => {
  const body = (model: string, ttl = m5): Fields => ({ model, system: [text('s@9000', ttl)], messages: [user('q')] });
  it('CA36: of the same model and scope, while it can matter', () => {
    const { model, turn } = createDriver();
    const first = callOf(body(HAIKU));
    expect(model.previous(first)).toBeUndefined();
    model.send(first);
    expect(model.previous(callOf(body(HAIKU), { at: 5 * MINUTE }))).toBe(first);
    expect(model.previous(callOf(body(HAIKU), { at: 5 * MINUTE + 1 }))).toBeUndefined();
    expect(model.previous(callOf(body(HAIKU), { scope: 'other' }))).toBeUndefined();
    expect(model.previous(callOf(body('claude-opus-5')))).toBeUndefined();
    turn(body(HAIKU, marker('1h')), { at: 1 });
    expect(model.previous(callOf(body(HAIKU), { at: 59 * MINUTE }))?.startedAt).toBe(1);
    model.send(callOf(body(HAIKU), { at: 2 })).failed();
    expect(model.previous(callOf(body(HAIKU), { at: 3 }))?.startedAt).toBe(1);
    model.clear();
    expect(model.previous(callOf(body(HAIKU), { at: 3 }))).toBeUndefined();
    expect(model.entries(3)).toEqual([]);
  });

  it('CA25: entries that expired long ago do not pile up', () => {
    const { model, turn } = createDriver();
    for (let index = 0; index < 600; index++)
      turn({ system: [text(`s${index}@1000`, m5)] }, { at: index * 10 * MINUTE });
    expect(model.entries(599 * 10 * MINUTE + 1)).toHaveLength(1);
  });
});

describe('properties', () => {
  const tokens = fc.integer({ min: 0, max: 1500 });
  const mark = fc.constantFrom({}, {}, m5);
  const messages = fc.array(fc.tuple(tokens, mark, fc.boolean()), { maxLength: 12 }).map((blocks) => {
    let left = 3;
    return blocks.map(([count, marked, isUser], index) => {
      const extra = left > 0 ? marked : {};
      if (extra !== marked || 'cache_control' in marked) left--;
      return (isUser ? user : assistant)(text(`${index}@${count}`, extra));
    });
  });
  const bodies = fc.record({
    model: fc.constantFrom('claude-opus-5', HAIKU, 'claude-opus-4-8'),
    tools: fc.constantFrom([], [tool('a@700')]),
    system: fc.constantFrom('s@600', [text('s@900', m5)]),
    messages,
  });
  const turns = fc.array(
    fc.record({ body: bodies, after: fc.integer({ min: 0, max: 8 * MINUTE }), scope: fc.constantFrom('a', 'b') }),
    { maxLength: 8 },
  );

  it('CA24, CA35: usage adds up to the prompt, and predicting changes nothing', () => {
    fc.assert(
      fc.property(turns, (all) => {
        const { model } = createDriver();
        let at = 0;
        for (const { body, after, scope } of all) {
          at += after;
          const call = callOf(body, { at, scope });
          const told = model.predict(call);
          expect(model.predict(call)).toEqual(told);
          expect(sum(told)).toBe(told.promptTokens);
          const sent = model.send(call);
          expect(sent.prediction).toEqual(told);
          sent.answered(at + 1);
        }
      }),
    );
  });

  it('CA22, CA25: a turn more reads at least what the previous one wrote, inside the TTL', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 5 * MINUTE }), (body, after) => {
        const { turn } = createDriver();
        const told = turn(body);
        const longer = { ...body, messages: [...body.messages, assistant('more'), user('and')] };
        const wrote = told.usage.read + (told.usage.writes['5m'] ?? 0);
        expect(turn(longer, { at: after }).usage.read).toBeGreaterThanOrEqual(wrote);
      }),
    );
  });

  it('CA27: an entry is never hit from another scope or model', () => {
    fc.assert(
      fc.property(turns, (all) => {
        const { model } = createDriver();
        let at = 0;
        for (const { body, scope } of all) {
          const call = callOf(body, { at: (at += 10), scope });
          const sent = model.send(call);
          sent.answered(at + 1);
          const { hit } = sent.prediction;
          if (hit) expect([hit.scope, hit.model]).toEqual([scope, body.model]);
        }
      }),
    );
  });
});
