import { describe, expect, it } from 'vitest';
import type { Call } from '../traffic/call.ts';
import { adviceFor } from './advice.ts';
import { type BreakpointAxis, breakpointAxis, placementsOf, withOneMore } from './axis.ts';
import { movables } from './move.ts';
import { answerWhatIf, repairOf } from './answer.ts';
import { bestBreakpoints } from './planner.ts';
import { savingsOf, unavailable } from './switches.ts';
import { BASE, play, prepared, type Script } from './testing/agent.ts';
import type { Placement, Policy } from './types.ts';
import { forecastUsd, stepsUnder, whatIf } from './whatif.ts';

const SCRIPT: Script = {
  words: 900,
  turns: [
    { pauseMs: 0, words: 300 },
    { pauseMs: 60_000, words: 200 },
    { pauseMs: 400_000, words: 200 },
  ],
  subAgents: [2, 2, 1],
  firstByteMs: 800,
};
/** Short pauses and many sub-agents: nothing ever expires. */
const BUSY: Script = { ...SCRIPT, turns: SCRIPT.turns.map((turn) => ({ ...turn, pauseMs: 20_000 })) };
const NO_AXIS: BreakpointAxis = { key: '', total: 0, stops: [], breakpoints: [], most: 4 };
const base = await prepared(await play(SCRIPT, { ...BASE, mode: 'static', value: 'line', subAgents: 'together' }));

describe('a policy', () => {
  it('WIF1, WIF12, WIF13: nothing of a bill is copied: a forged bill of one request does not become its forecast', async () => {
    const calls = await play({ ...SCRIPT, subAgents: [] }, BASE);
    const [, second] = calls;
    const forged = calls.map((call): Call =>
      call === second && call.usage
        ? {
            ...call,
            usage: { ...call.usage, read: 0, writes: { '5m': call.usage.read + (call.usage.writes['5m'] ?? 0) } },
          }
        : call,
    );
    const honest = await whatIf(await prepared(calls), {});
    const result = await whatIf(await prepared(forged), {});
    // The loss is taken as a fact, and the range has the forecast without it.
    expect(result.notes.join(' ')).toContain('1 request read less than the bodies explain');
    const other = await whatIf(await prepared(forged), { ttl: '5m' });
    expect(other.range?.low).toBeCloseTo(honest.forecast.usd ?? -1, 6);
  });

  it('WIF14: switches are a set: the order in which they are turned on means nothing', async () => {
    const one: Policy = { ttl: '1h', move: ['system[0]'], tools: 'sorted', subAgents: 'apart', breakpoints: 'rolling' };
    const other = Object.fromEntries(Object.entries(one).toReversed()) as Policy;
    expect(await whatIf(base, other)).toEqual(await whatIf(base, one));
    const [moot] = await savingsOf(base, { ttl: '1h', breakpoints: 'off' });
    expect(moot).toMatchObject({ name: 'ttl', usd: 0, moot: 'Without breakpoints nothing has a TTL.' });
  });

  it('WIF15: the saving of a switch is given the others, and one that makes no sense here says why', async () => {
    const policy: Policy = { breakpoints: 'rolling', move: ['system[0]'] };
    const savings = await savingsOf(base, policy);
    const [all, alone] = [await forecastUsd(base, policy), await forecastUsd(base, { breakpoints: 'rolling' })];
    expect(savings.find(({ name }) => name === 'move')?.usd).toBeCloseTo((alone ?? 0) - (all ?? 0), 9);
    const single = await prepared(await play({ ...SCRIPT, subAgents: [] }, BASE));
    expect(unavailable(single, 'subAgents')).toContain('no two sub-agents');
    expect(unavailable(base, 'subAgents')).toBeUndefined();
  });

  it('WIF5: an hour for everything is dearer where nothing expires, and saves where pauses are long', async () => {
    const busy = await prepared(await play(BUSY, BASE));
    const [plain, long] = [await forecastUsd(busy, {}), await forecastUsd(busy, { ttl: '1h' })];
    expect(long ?? 0).toBeGreaterThan((plain ?? 0) * 1.05);
    const slow = await prepared(
      await play(
        { ...SCRIPT, subAgents: [], turns: Array.from({ length: 6 }, () => ({ pauseMs: 600_000, words: 30 })) },
        BASE,
      ),
    );
    expect((await forecastUsd(slow, { ttl: '1h' })) ?? 1).toBeLessThan((await forecastUsd(slow, {})) ?? 0);
  });

  it('WIF8: names the values that could move, with what they said', () => {
    expect(movables(base.steps)).toEqual([
      { label: 'system[0]', before: 'Serial number 0.', after: 'Serial number 2.' },
    ]);
  });

  it('WIF3: a request without a body keeps its numbers, one without usage is unknown', async () => {
    const [first, second, ...rest] = await play({ ...SCRIPT, subAgents: [] }, BASE);
    if (!first || !second) throw new Error('no calls');
    const { usage: _usage, ...silent } = second;
    const result = await whatIf(await prepared([{ ...first, known: 'absent', body: '' }, silent, ...rest]), {
      ttl: '1h',
    });
    expect(result.requests[0]).toMatchObject({ isKept: true, forecast: result.requests[0]?.recorded });
    expect(result.requests[1]).toMatchObject({ recorded: undefined, forecast: undefined });
    expect([result.recorded.usd, result.recorded.unknown, result.range]).toEqual([undefined, 1, undefined]);
  });

  it('WIF6, WIF7: other wires keep their markers, and tools keep theirs after the last one', async () => {
    const steps = await stepsUnder(base, { tools: 'frozen' });
    for (const { items } of steps) {
      const tools = items.filter(({ block }) => block.tier === 'tools');
      expect(tools.map(({ block }) => block.marker !== undefined)).toEqual([false, false, true]);
    }
    const calls = (await play({ ...SCRIPT, subAgents: [] }, BASE)).map((call): Call =>
      Object.assign({}, call, {
        wire: 'openai-responses',
        model: 'gpt-6-sol',
        body: JSON.stringify({ model: 'gpt-6-sol', input: 'Hi' }),
      }),
    );
    const other = await prepared(calls);
    expect(await stepsUnder(other, { ttl: '1h', breakpoints: 'rolling' })).toEqual(other.steps);
    expect(unavailable(other, 'ttl')).toContain('sets its own breakpoints');
  });
});

describe('the planner', () => {
  const PLACES = ['tools', 'system', 'last', 'system[0]', 'messages[0].content[0]', 'messages[2].content[0]'];
  const one = (at: string, ttl: '5m' | '1h'): Placement => ({ at, ttl });
  const all = PLACES.flatMap((at) => [one(at, '5m'), one(at, '1h')]);

  it('WIF16: is at least as good as any set of up to two, tried by brute force, and as any single change', async () => {
    const small = await prepared(await play({ ...SCRIPT, words: 700, subAgents: [] }, { ...BASE, mode: 'static' }));
    const plan = await bestBreakpoints(small);
    const best = (await forecastUsd(small, { breakpoints: plan?.breakpoints ?? [] })) ?? Infinity;
    const sets = [[], ...all.map((place) => [place]), ...all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b]))];
    for (const set of sets)
      expect(best).toBeLessThanOrEqual(((await forecastUsd(small, { breakpoints: set })) ?? 0) + 1e-9);
    const recorded = [{ at: 'tools' }, { at: 'system' }];
    for (const place of all)
      expect(best).toBeLessThanOrEqual(((await forecastUsd(small, { breakpoints: [...recorded, place] })) ?? 0) + 1e-9);
    expect(plan?.breakpoints.length).toBeLessThanOrEqual(4);
    expect((await whatIf(small, { breakpoints: plan?.breakpoints ?? [] })).faults).toEqual([]);
    expect(plan?.saves).toBeCloseTo(((await forecastUsd(small, {})) ?? 0) - best, 9);
  });

  it('WIF17: proposes nothing where the recorded ones are as good', async () => {
    const small = await prepared(await play({ ...SCRIPT, words: 700, subAgents: [] }, { ...BASE, mode: 'static' }));
    const plan = await bestBreakpoints(small);
    const again = await bestBreakpoints(small, { breakpoints: plan?.breakpoints ?? [] });
    expect(again).toMatchObject({ isRecorded: true, saves: 0 });
  });
});

describe('an answer', () => {
  it('WIF19: offers each position of a switch with its saving, and a cause leads to the switch that repairs it', async () => {
    const repair = repairOf('volatile-value-in-system', 'system[0]');
    expect(repair).toEqual({ move: ['system[0]'] });
    const answer = await answerWhatIf(base, repair ?? {});
    const offer = answer.offers.find(({ name }) => name === 'move');
    const [off, on] = [await forecastUsd(base, {}), await forecastUsd(base, repair ?? {})];
    expect(offer).toMatchObject({ isOn: true, change: repair });
    expect(offer?.saves).toBeCloseTo((off ?? 0) - (on ?? 0), 9);
    expect(answer.models).toContain('claude-haiku-4-5');
    expect(repairOf('provider-eviction', '')).toBeUndefined();
  });
});

describe('the token axis', () => {
  it('WIF20: breakpoints lie where the forecast has them, and asking for them where they are changes nothing', async () => {
    for (const mode of ['static', 'rolling', 'automatic'] as const) {
      const recorded = await prepared(await play({ ...SCRIPT, subAgents: [] }, { ...BASE, mode }));
      const [axis, same] = [await breakpointAxis(recorded, {}, '3'), await whatIf(recorded, {})];
      const row = same.requests[2];
      expect(axis?.breakpoints.map(({ stop }) => axis.stops[stop]?.tokens)).toEqual(
        row?.breakpoints.map(({ tokens }) => tokens),
      );
      expect(axis?.total).toBe(
        (row?.forecast?.read ?? 0) + (row?.forecast?.written ?? 0) + (row?.forecast?.uncached ?? 0),
      );
      const again = await whatIf(recorded, { breakpoints: placementsOf(axis ?? NO_AXIS, axis?.breakpoints ?? []) });
      expect(again.requests.map(({ forecast }) => forecast)).toEqual(same.requests.map(({ forecast }) => forecast));
    }
  });

  it('WIF20: a place is told from the recording, whatever was dragged before', async () => {
    const recorded = await prepared(await play({ ...SCRIPT, subAgents: [] }, { ...BASE, mode: 'static' }));
    const axis = (await breakpointAxis(recorded, {}, '3')) ?? NO_AXIS;
    expect(axis.stops.map(({ at }) => at)).toEqual([
      'tools',
      'system',
      'messages[0].content[0]',
      'messages[0].content[1]',
      'last-5',
      'last-4',
      'last-3',
      'last-2',
      'last-1',
      'last',
    ]);
    const more = withOneMore(axis) ?? [];
    const policy = { breakpoints: placementsOf(axis, more) };
    expect(policy.breakpoints.map(({ at }) => at)).toEqual(['tools', 'system', 'last']);
    const moved = (await breakpointAxis(recorded, policy, '3')) ?? NO_AXIS;
    expect(moved.stops).toEqual(axis.stops);
    expect(moved.breakpoints).toEqual(more);
    const full = { ...moved, breakpoints: [0, 1, 2, 3].map((stop) => ({ stop, ttl: '5m' as const })) };
    expect(withOneMore(full)).toBeUndefined();
    expect(
      placementsOf(moved, [
        { stop: 1, ttl: '5m' },
        { stop: 1, ttl: '1h' },
      ]),
    ).toEqual([{ at: 'system', ttl: '5m' }]);
  });

  it('WIF20: a rebuilt body has no axis, and neither has a provider that sets its own breakpoints', async () => {
    const calls = await play({ ...SCRIPT, subAgents: [] }, BASE);
    const rebuilt = await prepared(calls.map((call): Call => Object.assign({}, call, { known: 'reconstructed' })));
    expect(await breakpointAxis(rebuilt, {}, '1')).toBeUndefined();
    expect(await breakpointAxis(base, {}, 'no such request')).toBeUndefined();
  });

  it('WIF14, WIF21: padding is offered below the floor, and a TTL means nothing where each breakpoint has one', async () => {
    const short = await prepared(
      await play({ ...SCRIPT, words: 100, subAgents: [] }, { ...BASE, model: 'claude-haiku-4-5', mode: 'static' }),
    );
    const { offers } = await answerWhatIf(short, {});
    expect(offers.find(({ name }) => name === 'padding')).toMatchObject({ change: { padding: { tokens: 4_096 } } });
    const long = await prepared(await play({ ...SCRIPT, words: 2_500, subAgents: [] }, { ...BASE, mode: 'static' }));
    expect((await answerWhatIf(long, {})).offers.some(({ name }) => name === 'padding')).toBe(false);
    const [moot] = await savingsOf(long, { ttl: '1h', breakpoints: [{ at: 'system', ttl: '5m' }] });
    expect(moot).toMatchObject({ name: 'ttl', usd: 0, moot: 'Each breakpoint has a TTL of its own.' });
  });
});

describe('what to paste', () => {
  const of = (name: string | undefined) => ({
    ...base,
    calls: base.calls.map(({ key, call, step }) => ({
      key,
      step,
      call: Object.assign({}, call, name !== undefined && { harness: { name } }),
    })),
  });
  it('WIF18: for the harness that was recognized, and lines of the request for any other', () => {
    expect(adviceFor(of('claude-code'), { ttl: '1h' })[0]?.paste).toBe('"env": { "ENABLE_PROMPT_CACHING_1H": "1" }');
    expect(adviceFor(of('claude-code'), { breakpoints: 'rolling' })[0]?.about).toContain('No setting changes them');
    expect(adviceFor(of('codex'), { model: 'gpt-6-luna' })[0]?.paste).toBe('model = "gpt-6-luna"');
    expect(adviceFor(of(undefined), { breakpoints: [{ at: 'last', ttl: '1h' }] })).toEqual([
      {
        about: 'Add to the last content block of the last message.',
        paste: '"cache_control":{"type":"ephemeral","ttl":"1h"}',
      },
    ]);
  });
});
