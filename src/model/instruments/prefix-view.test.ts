import { describe, expect, it } from 'vitest';
import type { Payload } from '../event/types.ts';
import type { Usage } from '../provider/types.ts';
import type { BodySegment } from './body-segments.ts';
import { prefixView } from './prefix-view.ts';
import { originShares, placeLabels, stripGroups } from './strip-layout.ts';

const MODEL = 'claude-haiku-4-5';

/** A segment of that many estimated tokens. */
const segment = (id: string, tokens: number, more: Partial<BodySegment> = {}): BodySegment => ({
  kind: 'tool',
  id,
  title: id,
  label: id,
  block: 0,
  text: 'abcd'.repeat(tokens),
  estimate: tokens,
  isVolatile: false,
  isPadding: false,
  start: 0,
  end: 0,
  byteStart: 0,
  byteEnd: 0,
  shown: { start: 0, end: 0, isString: false },
  ...more,
});

const PLAN = [
  segment('tools', 1000, { block: 0, ttl: '1h' }),
  segment('persona', 500, { kind: 'persona', block: 1 }),
  segment('body', 3500, { kind: 'preloaded', isPadding: true, block: 1, ttl: '5m' }),
  segment('memory', 1000, { kind: 'memory', isVolatile: true, block: 2 }),
  segment('message', 4000, { kind: 'message', isVolatile: true, block: 3 }),
];

const usage = (read: number, written: number, uncached: number): Usage => ({
  read,
  uncached,
  writes: { '5m': written },
  output: 10,
  cacheReported: true,
  partial: false,
});

const prediction = (more: Partial<Payload<'cache.predicted'>> = {}): Payload<'cache.predicted'> => ({
  request_id: 'r',
  uncached: 5000,
  read: 0,
  writes: { '5m': 5000 },
  floor: 4096,
  uncertain: false,
  breakpoints: [],
  faults: [],
  ...more,
});

describe('the strip', () => {
  it('PX1: widths are shares of the estimate where nothing was counted', () => {
    const view = prefixView({ segments: PLAN, model: MODEL });
    expect(view.total).toBe(10_000);
    expect(view.segments.map(({ from, to }) => [from, to])).toEqual([
      [0, 0.1],
      [0.1, 0.15],
      [0.15, 0.5],
      [0.5, 0.6],
      [0.6, 1],
    ]);
    expect(view.unit).toBe('estimate');
    expect(view.measure).toContain('Estimated');
  });

  it('PX1: counted tokens decide where there are any', () => {
    const sizes = { hidden: 0, tokens: [500, 500, 1000, 1000, 1000] };
    const view = prefixView({ segments: PLAN, model: MODEL, sizes });
    expect(view.segments[1]).toMatchObject({ from: 0.125, to: 0.25, counted: 500, estimate: 500 });
    expect(view.unit).toBe('tokens');
    // The factor of Haiku 4.5.
    expect(view.measure).toContain('1.05');
  });

  it('PX2: what the provider adds for tools is a segment of its own, before all others', () => {
    const sizes = { hidden: 496, tokens: [1000, 500, 3500, 1000, 4000] };
    const view = prefixView({ segments: PLAN, model: MODEL, sizes });
    expect(view.segments[0]).toMatchObject({ kind: 'hidden', counted: 496, from: 0, to: 496 / 10_496 });
    expect(view.segments[1]?.from).toBe(496 / 10_496);
    expect([view.total, view.before, view.behind]).toEqual([10_496, 5496, 5000]);
  });

  it('PX3: floor, MIN and MAX are where the tokens reach them', () => {
    const { marks } = prefixView({ segments: PLAN, model: MODEL, padding: 'spec' });
    const limits = marks.filter(({ kind }) => kind !== 'breakpoint');
    expect(limits.map(({ label }) => label)).toEqual(['floor 4,096', 'MIN 4,500', 'MAX 5,500']);
    for (const [index, at] of [0.4096, 0.45, 0.55].entries()) expect(limits[index]?.at).toBeCloseTo(at);
  });

  it('PX3: all numbers are those of the axis', () => {
    // Twice as many tokens as estimated ones: the estimate reaches 4,500 at token 9,000.
    const sizes = { hidden: 500, tokens: PLAN.map(({ estimate }) => estimate * 2) };
    const { marks } = prefixView({ segments: PLAN, model: MODEL, padding: 'spec', sizes });
    const limits = marks.filter(({ kind }) => kind !== 'breakpoint');
    expect(limits.map(({ label }) => label)).toEqual(['floor 4,096', 'MIN 9,500', 'MAX 11,500']);
    for (const [index, tokens] of [4096, 9500, 11_500].entries())
      expect(limits[index]?.at).toBeCloseTo(tokens / 20_500);
    expect(limits[1]?.about).toContain('4,500 by the estimate');
  });

  it('PX3: a limit that is never reached has no mark', () => {
    const { marks } = prefixView({ segments: PLAN.slice(0, 2), model: MODEL, padding: 'spec' });
    expect(marks.map(({ kind }) => kind)).toEqual(['breakpoint']);
  });

  it('PX4: breakpoints are at the end of their blocks, with their TTL', () => {
    const { marks, before, behind } = prefixView({ segments: PLAN, model: MODEL });
    expect(marks.filter(({ kind }) => kind === 'breakpoint')).toMatchObject([
      { at: 0.1, label: 'tools', ttl: '1h' },
      { at: 0.5, label: 'stable system', ttl: '5m' },
    ]);
    expect([before, behind]).toEqual([5000, 5000]);
  });

  it('PX4: those of the provider come from the prediction', () => {
    const point = {
      label: 'message',
      tokens: 10_000,
      ttl: '5m',
      origin: 'automatic',
      outcome: 'written',
      reason: 'New.',
    };
    const { marks } = prefixView({ segments: PLAN, model: MODEL, predicted: prediction({ breakpoints: [point] }) });
    expect(marks.at(-2)).toMatchObject({ kind: 'breakpoint', at: 1, label: 'messages' });
    expect(marks.at(-2)?.about).toContain('New.');
  });

  it('PX5: the lane is what was reported, and snaps to the end of a segment', () => {
    const view = prefixView({ segments: PLAN, model: MODEL, usage: usage(5100, 0, 4900), predicted: prediction() });
    expect(view.lane).toEqual({
      origin: 'actual',
      read: 0.5,
      written: 0,
      tokens: { read: 5100, written: 0, uncached: 4900 },
    });
  });

  it('PX5: an entry ends at a breakpoint, though the end of another segment is nearer', () => {
    const short = [
      ...PLAN.slice(0, 3),
      segment('environment', 150, { kind: 'environment', isVolatile: true, block: 2 }),
      segment('memory', 850, { kind: 'memory', isVolatile: true, block: 2 }),
      segment('message', 4000, { kind: 'message', isVolatile: true, block: 3, ttl: '5m' }),
    ];
    // 0.515 is where the environment ends, 0.5 the breakpoint.
    const { lane } = prefixView({ segments: short, model: MODEL, usage: usage(5150, 4840, 10) });
    expect(lane).toMatchObject({ read: 0.5, written: 0.5 });
  });

  it('PX5: what was read and written begins with the hidden tokens for tools', () => {
    // Claude Haiku 4.5 adds 496 tokens to a request with tools.
    const tools = PLAN.map((item) => (item.id === 'tools' ? { ...item, label: 'tools[0]' } : item));
    const view = prefixView({ segments: tools, model: MODEL, usage: usage(1496, 4000, 5000) });
    expect(view.segments[0]?.kind).toBe('hidden');
    expect(view.lane?.read).toBeCloseTo(1496 / 10_496);
    expect(view.lane?.written).toBeCloseTo(4000 / 10_496);
  });

  it('PX5: a short write behind a long read is still seen', () => {
    const long = [
      ...PLAN.slice(0, 3),
      segment('one', 4900, { kind: 'message', isVolatile: true, block: 2 }),
      segment('two', 100, { kind: 'message', isVolatile: true, block: 3, ttl: '5m' }),
    ];
    const { lane } = prefixView({ segments: long, model: MODEL, usage: usage(9960, 40, 0) });
    expect(lane?.read).toBe(0.99);
    expect(lane?.written).toBeCloseTo(0.01);
  });

  it('PX5: before the answer it is what is predicted', () => {
    expect(prefixView({ segments: PLAN, model: MODEL, predicted: prediction() }).lane).toMatchObject({
      origin: 'predicted',
      read: 0,
      written: 0.5,
    });
  });

  it('PX5: a provider that says nothing of its cache gives no lane', () => {
    const silent = { ...usage(0, 0, 100), cacheReported: false };
    expect(prefixView({ segments: PLAN, model: MODEL, usage: silent }).lane).toBeUndefined();
  });

  it('PX6: the note says why it is padded', () => {
    const view = prefixView({ segments: PLAN, model: MODEL, padding: 'spec' });
    expect(view.padding).toBe(3500);
    // 5,000 without the body of 3,500 and its mark of 12 characters in the index.
    expect(view.note).toBe(
      'padded because the natural prefix is 1,497 tokens by the estimate and this model caches from 4,096',
    );
    expect(prefixView({ segments: PLAN, model: MODEL }).note).toBeUndefined();
  });

  it('PX6: what a tool has beyond whole estimated tokens is not lost', () => {
    const tools = ['a', 'b', 'c', 'd'].map((id) => segment(id, 10, { text: 'on the wire', codePoints: 43 }));
    const view = prefixView({ segments: tools, model: MODEL, padding: 'spec' });
    expect(view.note).toContain('the natural prefix is 43 tokens by the estimate');
  });

  it('PX7: without messages the rest fills the strip', () => {
    const view = prefixView({ segments: PLAN, model: MODEL, usage: usage(5000, 0, 5000), withoutMessages: true });
    expect(view.total).toBe(6000);
    expect(view.segments).toHaveLength(4);
    expect(view.segments.at(-1)?.to).toBe(1);
    expect(view.lane?.read).toBeCloseTo(5 / 6);
    expect(view.behind).toBe(5000);
  });

  it('PX1: a request of nothing has no widths that are not numbers', () => {
    const view = prefixView({ segments: [], model: MODEL, padding: 'off' });
    expect(view).toMatchObject({ total: 0, before: 0, behind: 0, marks: [] });
  });
});

describe('labels and groups', () => {
  it('PX8: labels move to another row before they cover each other, and stay inside', () => {
    const places = placeLabels(
      [
        { at: 0, text: 'aaaaaaaaaa' },
        { at: 0.05, text: 'bbbbbbbbbb' },
        { at: 1, text: 'cccccccccc' },
      ],
      400,
    );
    expect(places.map(({ row }) => row)).toEqual([0, 1, 0]);
    for (const { left, width } of places) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(400);
    }
  });

  it('PX9: neighbours of one origin are one group, preloaded skills keep their names', () => {
    const { segments } = prefixView({
      segments: [
        segment('a', 10),
        segment('b', 10),
        segment('tide', 10, { kind: 'preloaded' }),
        segment('wind', 10, { kind: 'preloaded' }),
        segment('m1', 10, { kind: 'message' }),
        segment('m2', 10, { kind: 'message' }),
      ],
      model: MODEL,
    });
    expect(stripGroups(segments).map(({ label }) => label)).toEqual(['tools 2', 'tide', 'wind', 'messages 2']);
    expect(originShares(segments).map(({ origin, segments: count, tokens }) => [origin, count, tokens])).toEqual([
      ['tools', 2, 20],
      ['preloaded', 2, 20],
      ['message', 2, 20],
    ]);
  });
});
