import { describe, expect, it } from 'vitest';
import {
  assistant,
  callOf,
  createDriver,
  type Fields,
  HAIKU,
  marker,
  MINUTE,
  OPUS,
  text,
  thinking,
  tool,
  toolResult,
  toolUse,
  user,
} from './testing/calls.ts';

const m5 = marker();
const m1 = marker('1h');
const usage = (read: number, uncached: number, writes: Fields = {}) => ({ read, uncached, writes });

/** 30 blocks of 100 tokens in messages of their own, with markers on some (counted from 1). */
const numbered = (count: number, marked: readonly number[], ttl = m5): Fields => ({
  messages: Array.from({ length: count }, (_, index) =>
    user(text(`block ${index + 1}@100`, marked.includes(index + 1) ? ttl : {})),
  ),
});

describe('writing and floors', () => {
  it('CA20: one entry per breakpoint, at its position only', () => {
    const { turn, model } = createDriver();
    const told = turn(numbered(12, [6, 10]));
    expect(told.usage).toEqual(usage(0, 200, { '5m': 1000 }));
    expect(model.entries(2).map(({ tokens, label }) => [tokens, label])).toEqual([
      [600, 'messages[5].content[0]'],
      [1000, 'messages[9].content[0]'],
    ]);
    // A prefix that ends between them was never written.
    expect(turn(numbered(8, [8]), { at: 2 }).usage.read).toBe(600);
    expect(turn(numbered(5, [5]), { at: 3 }).usage.read).toBe(0);
  });

  it('CA20: without a marker nothing is cached', () => {
    const { turn } = createDriver();
    turn(numbered(12, []));
    expect(turn(numbered(12, []), { at: 2 })).toMatchObject({ usage: usage(0, 1200), breakpoints: [], hit: undefined });
  });

  const floors: readonly (readonly [string, number])[] = [
    ['claude-opus-5-5', 512],
    ['claude-opus-4-8', 1024],
    ['claude-opus-4-7', 2048],
    ['claude-opus-4-6', 4096],
    ['claude-haiku-4-5-20251001', 4096],
  ];
  it.each(floors)('CA21: %s writes from %i tokens on, counted over tools and system', (model, floor) => {
    const body = (tokens: number): Fields => ({
      model,
      tools: [tool('a@300')],
      system: [text(`s@${tokens - 300}`, m5)],
    });
    const under = createDriver().turn(body(floor - 1));
    expect(under.usage).toEqual(usage(0, floor - 1));
    expect(under.breakpoints).toMatchObject([{ outcome: 'below-floor', tokens: floor - 1 }]);
    expect(under.faults).toEqual([]);
    expect(createDriver().turn(body(floor)).usage).toEqual(usage(0, 0, { '5m': floor }));
  });

  it('CA32: an unknown floor is assumed and told', () => {
    const { turn } = createDriver();
    const body = { model: 'claude-fable-5-2', system: [text('s@600', m5)] };
    expect(turn(body)).toMatchObject({ usage: usage(0, 0, { '5m': 600 }), floor: undefined, uncertain: true });
    expect(turn(body).note).toContain('512');
    expect(turn({ ...body, system: [text('s@5000', m5)] }).uncertain).toBe(false);
  });

  it('CA33: estimates near the floor are uncertain', () => {
    const body = (tokens: number): Fields => ({ system: [text(`s@${tokens}`, m5)] });
    const uncertain = (tokens: number, estimated: boolean): boolean =>
      createDriver().turn(body(tokens), { estimated }).uncertain;
    expect([400, 436, 512, 588, 600].map((tokens) => uncertain(tokens, true))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(uncertain(512, false)).toBe(false);
  });

  it('CA16: the hidden tokens of tools are part of the prefix', () => {
    const { model } = createDriver();
    const { toolPromptTokens: _hidden, ...call } = callOf({ tools: [tool('a@100', m5)], messages: [user('q@50')] });
    expect(model.predict(call)).toMatchObject({ promptTokens: 100 + 50 + 286, breakpoints: [{ tokens: 386 }] });
  });

  it('CA38: what was observed to be gone is not found', () => {
    const { turn, model } = createDriver();
    const body = { system: [text('A@1000', marker()), text('B@1000', marker())], messages: [user('Hi')] };
    turn(body);
    const again = callOf(body, { at: MINUTE });
    expect(model.predict(again).usage.read).toBe(2000);
    expect(model.predict({ ...again, mostRead: 1500 }).usage).toEqual({
      read: 1000,
      uncached: 10,
      writes: { '5m': 1000 },
    });
  });

  it('CA37: max_tokens 0 writes', () => {
    const { turn } = createDriver();
    const body = { system: [text('s@600', m5)], max_tokens: 0 };
    expect(turn(body).usage).toEqual(usage(0, 0, { '5m': 600 }));
    expect(turn({ ...body, max_tokens: 10 }, { at: 5 }).usage).toEqual(usage(600, 0));
  });

  it('CA20: the marker on a set of tools is after it', () => {
    const tools = [tool('a@600'), { type: 'browser_toolset_20260801', note: '@900', ...m5 }];
    expect(createDriver().turn({ tools }).usage).toEqual(usage(0, 0, { '5m': 1500 }));
  });
});

describe('looking back', () => {
  it('CA22: writes at 10 and 15; a breakpoint at 35 misses 15, one more at 15 finds it', () => {
    const { turn } = createDriver();
    expect(turn(numbered(15, [10, 15])).usage).toEqual(usage(0, 0, { '5m': 1500 }));
    const missed = turn(numbered(35, [35]), { at: 10 });
    expect(missed.usage).toEqual(usage(0, 0, { '5m': 3500 }));
    const { turn: again } = createDriver();
    again(numbered(15, [10, 15]));
    expect(again(numbered(35, [15, 35]), { at: 10 }).usage).toEqual(usage(1500, 0, { '5m': 2000 }));
  });

  it('CA22: the 20th position is the last that is looked at', () => {
    const { turn } = createDriver();
    turn(numbered(15, [15]));
    const found = turn(numbered(34, [34]), { at: 10 });
    expect(found.usage.read).toBe(1500);
    expect(found.breakpoints[0]?.reason).toContain('19 positions back, at messages[14].content[0]');
  });

  const conversation = (steps: number, perStep: number, last: Fields): Fields => ({
    messages: [
      user(text('q@1000', steps === 0 ? last : {})),
      ...Array.from({ length: steps }, (_, step) => [
        assistant(...Array.from({ length: perStep }, (__, index) => toolUse(`t${step}-${index}`))),
        user(
          ...Array.from({ length: perStep }, (__, index) =>
            toolResult(`t${step}-${index}`, step === steps - 1 && index === perStep - 1 ? last : {}),
          ),
        ),
      ]).flat(),
    ],
  });
  it('CA23: runs of tool calls and of results count once', () => {
    // 9 steps of 5 calls and 5 results are 90 blocks but 18 positions.
    const { turn } = createDriver();
    turn(conversation(0, 5, m5));
    expect(turn(conversation(9, 5, m5), { at: 5 }).usage.read).toBe(1000);
    // 10 steps are 20 positions after the entry.
    const { turn: far } = createDriver();
    far(conversation(0, 1, m5));
    expect(far(conversation(10, 1, m5), { at: 5 }).usage.read).toBe(0);
  });

  it('CA22: every breakpoint has a window of its own, across tiers', () => {
    const { turn } = createDriver();
    const head = { tools: [tool('a@600', m5)] };
    turn({ ...head, ...numbered(1, []) });
    expect(turn({ ...head, ...numbered(30, [30]) }, { at: 5 }).usage).toEqual(usage(600, 0, { '5m': 3000 }));
    expect(turn({ tools: [tool('a@600')], ...numbered(3, [3]) }, { at: 9 }).usage.read).toBe(600);
  });
});

describe('the split of usage', () => {
  const body = (tail: string, ...markers: readonly Fields[]): Fields => ({
    tools: [tool('t@1000', markers[0])],
    system: [text('s@2000', markers[1])],
    messages: [user(text('m@3000', markers[2])), user(`${tail}@40`)],
  });
  const rows: readonly (readonly [string, readonly Fields[], Fields])[] = [
    ['all 5m', [m5, m5, m5], usage(0, 40, { '5m': 6000 })],
    ['all 1h', [m1, m1, m1], usage(0, 40, { '1h': 6000 })],
    ['1h then 5m', [m1, m5, m5], usage(0, 40, { '1h': 1000, '5m': 5000 })],
    ['1h, 1h, 5m', [m1, m1, m5], usage(0, 40, { '1h': 3000, '5m': 3000 })],
    ['only the system', [{}, m1, {}], usage(0, 3040, { '1h': 3000 })],
  ];
  it.each(rows)('CA24: %s', (_what, markers, expected) => {
    expect(createDriver().turn(body('x', ...markers)).usage).toEqual(expected);
  });

  it('CA24: a hit between them moves A', () => {
    const { turn } = createDriver();
    turn(body('x', m1, {}, {}));
    const told = turn(body('y', m1, m1, m5), { at: 5 });
    expect(told.usage).toEqual(usage(1000, 40, { '1h': 2000, '5m': 3000 }));
    expect(told.breakpoints.map(({ outcome }) => outcome)).toEqual(['read', 'written', 'written']);
    const all = turn(body('z', m1, m1, m5), { at: 9 });
    expect(all.usage).toEqual(usage(6000, 40));
    expect(all.breakpoints.map(({ outcome }) => outcome)).toEqual(['covered', 'covered', 'read']);
  });
});

describe('time', () => {
  const body = (ttl: Fields): Fields => ({ system: [text('s@1000', ttl)], messages: [user('q')] });

  it('CA25: five minutes from the start of the request, generation included', () => {
    const at = (start: number): number => {
      const { turn } = createDriver();
      turn(body(m5), { at: 0, firstByteAt: 4 * MINUTE });
      return turn(body(m5), { at: start }).usage.read;
    };
    expect(at(5 * MINUTE)).toBe(1000);
    expect(at(5 * MINUTE + 1)).toBe(0);
  });

  it('CA25: one hour', () => {
    const { turn } = createDriver();
    turn(body(m1));
    expect(turn(body(m1), { at: 60 * MINUTE }).usage.read).toBe(1000);
    expect(turn(body(m1), { at: 121 * MINUTE }).usage.read).toBe(0);
  });

  it('CA25: every use starts the clock again', () => {
    const { turn } = createDriver();
    for (let at = 0; at <= 20; at += 4)
      expect(turn(body(m5), { at: at * MINUTE }).usage.read).toBe(at === 0 ? 0 : 1000);
  });

  it('CA25: readable only once the response has begun', () => {
    const { turn, model } = createDriver();
    const first = model.send(callOf(body(m5), { at: 0 }));
    expect(turn(body(m5), { at: 500, firstByteAt: 9000 }).usage).toEqual(usage(0, 10, { '5m': 1000 }));
    first.answered(1000);
    expect(model.predict(callOf(body(m5), { at: 999 })).usage.read).toBe(0);
    expect(model.predict(callOf(body(m5), { at: 1000 })).usage.read).toBe(1000);
    expect(model.entries(1000)).toHaveLength(1);
    expect(model.entries(9000)).toHaveLength(1);
  });

  const grown: Fields = {
    system: [text('s@1000', m5)],
    messages: [user('q@1000'), assistant('a@10'), user(text('r@10', m5))],
  };
  it('CA26: refreshes only the entry that is read, if assumed', () => {
    const { turn } = createDriver({ assumptions: { refreshesShorter: false } });
    turn(grown);
    turn(grown, { at: 4 * MINUTE });
    expect(turn(grown, { at: 8 * MINUTE }).usage.read).toBe(2020);
    expect(turn(body(m5), { at: 8 * MINUTE + 1 }).usage.read).toBe(0);
  });

  it('CA26: refreshes the shorter entries that a read covers', () => {
    const { turn } = createDriver();
    turn(grown);
    turn(grown, { at: 4 * MINUTE });
    expect(turn(body(m5), { at: 8 * MINUTE }).usage.read).toBe(1000);
  });

  it('CA26: a read keeps the TTL that was written', () => {
    const { turn } = createDriver();
    turn(body(m1));
    turn(body(m5), { at: 10 * MINUTE });
    expect(turn(body(m5), { at: 69 * MINUTE }).usage.read).toBe(1000);
  });

  it('CA31: what fails writes and refreshes nothing', () => {
    const { turn, model } = createDriver();
    model.send(callOf(body(m5), { at: 0 })).failed();
    expect(model.entries(1)).toEqual([]);
    expect(turn(body(m5), { at: 1 }).usage.read).toBe(0);
    const late = model.send(callOf(body(m5), { at: 4 * MINUTE }));
    expect(model.predict(callOf(body(m5), { at: 6 * MINUTE })).usage.read).toBe(1000);
    late.failed();
    late.answered(5 * MINUTE);
    expect(model.predict(callOf(body(m5), { at: 6 * MINUTE })).usage.read).toBe(0);
  });
});

describe('automatic markers and server tools', () => {
  const results = { type: 'web_search_tool_result', tool_use_id: 'a', content: [] };

  it('CA28: on the last block that can have one', () => {
    const { turn } = createDriver();
    const messages = [user('q@600'), assistant('a@10', thinking('t@20'))];
    expect(turn({ messages, ...m1 })).toMatchObject({
      usage: usage(0, 20, { '1h': 610 }),
      breakpoints: [{ origin: 'automatic', label: 'messages[1].content[0]' }],
    });
    expect(turn({ messages: [...messages, user('r@10')], ...m1 }, { at: 5 }).usage).toEqual(
      usage(610, 0, { '1h': 30 }),
    );
  });

  it('CA28: idle where there is one already', () => {
    const told = createDriver().turn({ messages: [user(text('q@600', m5))], ...m5 });
    expect(told.breakpoints).toMatchObject([{ origin: 'explicit' }]);
  });

  it('CA29: five minutes after the last result of a server tool', () => {
    const messages = [user('q@600'), assistant(results, 'a@50'), user('r@50')];
    const told = createDriver().turn({ system: [text('s@1000', m1)], messages });
    expect(told.usage).toEqual(usage(0, 100, { '1h': 1000, '5m': 610 }));
    expect(told.breakpoints).toMatchObject([{ origin: 'explicit' }, { origin: 'server-tool', ttl: '5m' }]);
    expect(createDriver().turn({ messages }).breakpoints).toEqual([]);
  });
});

describe('thinking that is forgotten', () => {
  const first = [user('q@4000'), assistant(thinking('t@200'), toolUse('a@90'))];
  const step = [...first, user({ ...toolResult('a'), content: 'r@10', ...m5 })];

  it('CA30: costs the messages on models of the last turn, and is not counted', () => {
    const { turn } = createDriver();
    expect(turn({ model: HAIKU, messages: step }).usage).toEqual(usage(0, 0, { '5m': 4300 }));
    const spoken = [...first, user(toolResult('a')), assistant('ok'), user(text('next@10', m5))];
    const told = turn({ model: HAIKU, messages: spoken }, { at: 5 });
    expect(told.usage.read).toBe(0);
    expect(told.promptTokens).toBe(4000 + 90 + 10 + 10 + 10);
  });

  it('CA30: costs nothing on others', () => {
    const { turn } = createDriver();
    turn({ messages: step });
    const spoken = [...step, assistant('ok'), user(text('next@10', m5))];
    expect(turn({ messages: spoken }, { at: 5 }).usage.read).toBe(4300);
  });
});

describe('who shares what', () => {
  const body: Fields = { system: [text('s@2000', m5)], messages: [user('q')] };

  it('CA27: not other scopes, not other models; a dated id is its alias', () => {
    const { turn } = createDriver();
    turn({ ...body, model: 'claude-sonnet-4-5' });
    expect(turn({ ...body, model: 'claude-sonnet-4-5' }, { at: 5, scope: 'other' }).usage.read).toBe(0);
    expect(turn({ ...body, model: OPUS }, { at: 6 }).usage.read).toBe(0);
    expect(turn({ ...body, model: 'claude-sonnet-4-5-20250929' }, { at: 7 }).usage.read).toBe(2000);
  });

  it('CA71: Claude on the Chat wire', () => {
    const { turn } = createDriver({}, 'openai-chat');
    const chat = (...more: readonly Fields[]): Fields => ({
      model: 'anthropic/claude-opus-5',
      messages: [{ role: 'system', content: [text('s@1000', m5)] }, { role: 'user', content: 'q@40' }, ...more],
    });
    expect(turn(chat()).usage).toEqual(usage(0, 40, { '5m': 1000 }));
    expect(turn(chat({ role: 'assistant', content: 'a@10' }), { at: 5 }).usage).toEqual(usage(1000, 50));
  });

  it('CA31: a refused request leaves nothing', () => {
    const { turn, model } = createDriver();
    const told = turn({ ...body, temperature: 1 });
    expect(told).toMatchObject({ usage: usage(0, 2010), faults: [{ rule: 'sampling', status: 400 }] });
    expect(model.entries(5)).toEqual([]);
    expect(createDriver({ apiVersion: '2023-06-01' }).turn({ ...body, temperature: 1 }).faults).toEqual([]);
  });
});

describe('calibrated', () => {
  it('CA34: observed floors, and small prefixes that miss now and then', () => {
    const body = (tokens: number): Fields => ({ model: 'claude-sonnet-4-6', system: [text(`s@${tokens}`, m5)] });
    expect(createDriver().turn(body(1500)).usage.writes).toEqual({ '5m': 1500 });
    const calibrated = createDriver({ mode: 'calibrated' });
    expect(calibrated.turn(body(1500))).toMatchObject({ usage: usage(0, 1500), floor: 2048 });
    const hits = (tokens: number): number => {
      calibrated.turn(body(tokens));
      const reads = Array.from({ length: 200 }, (_, index) =>
        calibrated.model.predict(callOf(body(tokens), { at: 100 + index })).usage.read > 0 ? 1 : 0,
      );
      return reads.reduce<number>((sum, one) => sum + one, 0);
    };
    expect(hits(5000)).toBe(200);
    const some = hits(2500);
    expect(some).toBeGreaterThan(120);
    expect(some).toBeLessThan(200);
    expect(hits(2500)).toBe(some);
  });
});
