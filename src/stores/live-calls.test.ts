import { expect, it } from 'vitest';
import type { StreamNews } from '../model/session/core.ts';
import { applyNews } from './live-calls.ts';
import type { LiveCall } from './session-types.ts';

const at = { turnId: 't', requestId: 'r' } as const;
const stream = (news: readonly StreamNews[]): LiveCall['blocks'] =>
  news.reduce<readonly LiveCall[]>(applyNews, [])[0]?.blocks ?? [];

it('SU17: a short answer is kept whole while it streams', () => {
  const blocks = stream([
    { type: 'call', ...at },
    { type: 'delta', ...at, index: 0, kind: 'text', text: 'Hello' },
    { type: 'delta', ...at, index: 0, kind: 'text', text: ' there' },
  ]);
  expect(blocks).toEqual([{ kind: 'text', text: 'Hello there' }]);
});

it('SU17: of an answer of 2 MB only the end is kept, from a new line on, and the rest is counted', () => {
  const line = `${'x'.repeat(99)}\n`;
  const deltas = Array.from({ length: 20_000 }, () => ({
    type: 'delta' as const,
    ...at,
    index: 0,
    kind: 'text' as const,
    text: line,
  }));
  const [block] = stream([{ type: 'call', ...at }, ...deltas]);
  expect(block?.text.length).toBeLessThanOrEqual(40_000);
  expect((block?.before ?? 0) + (block?.text.length ?? 0)).toBe(2_000_000);
  expect(block?.text.startsWith('x'.repeat(99))).toBe(true);
});

it('SU17: a block that ends whole is cut like one that streamed', () => {
  const [block] = stream([
    { type: 'call', ...at },
    { type: 'block', ...at, index: 0, block: { type: 'text', text: 'y'.repeat(1_000_000) } },
  ]);
  expect(block?.text.length).toBeLessThanOrEqual(40_000);
  expect(block?.before).toBe(1_000_000 - (block?.text.length ?? 0));
});
