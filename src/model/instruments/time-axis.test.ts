import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlaps, panned, spanAt, type TimeRange, timeLanes, timeTicks, wholeRange, zoomed } from './time-axis.ts';
import type { LatheEvent } from '../event/types.ts';
import type { WaterfallRow } from './waterfall-view.ts';

const row = (key: string, startedAt: number, endedAt: number, more: Partial<WaterfallRow> = {}): WaterfallRow =>
  ({
    key,
    number: key,
    startedAt,
    endedAt,
    depth: 0,
    status: 'completed',
    chain: undefined,
    kind: 'hit',
    ...more,
  }) as WaterfallRow;

const event = (type: string, at: number, payload: object): LatheEvent =>
  ({ type, timestamp: at * 1000, payload }) as unknown as LatheEvent;

describe('time axis', () => {
  it('TAX1: conversations are lanes, and what overlaps in one is below', () => {
    const sub = { id: 'b', kind: 'sub-agent' } as const;
    const rows = [row('1', 0, 10), row('2', 5, 20), row('3', 10, 12), row('4', 3, 4, { chain: sub })];
    const lanes = timeLanes({ rows, now: 20 });
    expect(lanes.map(({ name, levels }) => [name, levels])).toEqual([
      ['main', 2],
      ['sub-agent', 1],
    ]);
    expect(lanes[0]?.spans.map(({ key, level }) => [key, level])).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 0],
    ]);
  });

  it('TAX2: tools are apart from waiting for a person, and what runs still reaches to now', () => {
    const events = [
      event('tool.called', 10, { tool_use_id: 'a', tool_name: 'read' }),
      event('tool.completed', 14, { tool_use_id: 'a' }),
      event('tool.called', 20, { tool_use_id: 'b', tool_name: 'run_command' }),
      event('tool.confirmation_requested', 21, { tool_use_id: 'b', tool_name: 'run_command' }),
    ];
    const lanes = timeLanes({ rows: [row('1', 0, 9)], events, now: 30 });
    expect(lanes.map(({ name, spans }) => [name, spans.map(({ from, to }) => [from, to])])).toEqual([
      ['main', [[0, 9]]],
      [
        'tools',
        [
          [10, 14],
          [20, 30],
        ],
      ],
      ['waiting', [[21, 30]]],
    ]);
  });

  it('TAX3: zoom and pan stay inside the whole, and the moment under the pointer stays where it is', () => {
    const whole: TimeRange = { from: 0, to: 100_000 };
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 100_000, noNaN: true }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        (at, factor, by) => {
          const near = zoomed(whole, whole, at, factor);
          const moved = panned(near, whole, by);
          for (const { from, to } of [near, moved]) {
            expect(from).toBeGreaterThanOrEqual(-1e-6);
            expect(to).toBeLessThanOrEqual(100_000 + 1e-6);
            expect(to).toBeGreaterThan(from);
          }
        },
      ),
    );
    const near = zoomed(whole, whole, 25_000, 2);
    expect((25_000 - near.from) / (near.to - near.from)).toBeCloseTo(0.25, 9);
    expect(timeTicks({ from: 950, to: 4100 }, 4)).toEqual({ step: 1000, at: [1000, 2000, 3000, 4000] });
    expect(wholeRange([])).toEqual({ from: 0, to: 1000 });
  });

  it('TAX4: a span is found where it is drawn, and a range has what touches it', () => {
    const [lane] = timeLanes({ rows: [row('1', 0, 10), row('2', 5, 20)], now: 20 });
    expect(lane && spanAt(lane, 7, 1, 0)?.key).toBe('2');
    expect(lane && spanAt(lane, 12, 0, 1)).toBeUndefined();
    expect([
      overlaps({ from: 0, to: 5 }, { from: 5, to: 9 }),
      overlaps({ from: 0, to: 4 }, { from: 5, to: 9 }),
    ]).toEqual([true, false]);
  });
});
