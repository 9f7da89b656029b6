import { describe, expect, it } from 'vitest';
import { createRequestReading } from './read-request.ts';
import { createRecentTexts } from '../../base/json-rescan.ts';
import type { CacheBlock } from './types.ts';

const WIRE = 'anthropic-messages';

/** What an agent has said so far, as its client sends it. */
const body = (agent: string, turns: number): string =>
  JSON.stringify({
    model: 'claude-opus-4-6',
    system: [{ type: 'text', text: 'All agents share this system prompt.' }],
    messages: Array.from({ length: turns }, (_, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${agent}, turn ${turn}: ${'words '.repeat(40)}` }],
    })),
  });

const blocksOf = (read: ReturnType<ReturnType<typeof createRequestReading>>): readonly CacheBlock[] =>
  read.ok ? read.value.blocks : [];

describe('conversations side by side', () => {
  it('TF19: each takes over the blocks of its own previous request', () => {
    const read = createRequestReading();
    const agents = ['Ada', 'Bea', 'Cai', 'Dov'];
    const first = agents.map((agent) => blocksOf(read(body(agent, 9), WIRE)));
    for (const [index, agent] of agents.entries()) {
      const next = blocksOf(read(body(agent, 11), WIRE));
      expect(next).toHaveLength(12);
      const before = first[index] ?? [];
      // The last message ends with another character now: a comma follows it.
      expect(before.slice(0, -1).every((block, at) => block === next[at])).toBe(true);
    }
  });

  it('TF19: an edited beginning is read again', () => {
    const read = createRequestReading();
    blocksOf(read(body('Ada', 9), WIRE));
    const edited = body('Ada', 9).replace('Ada, turn 2', 'Ada, turn two');
    expect(blocksOf(read(edited, WIRE)).map(({ text }) => text)).toEqual(
      blocksOf(createRequestReading()(edited, WIRE)).map(({ text }) => text),
    );
  });

  it('TF19: what is of no more use is dropped', () => {
    const dropped: number[] = [];
    const recent = createRecentTexts<number>((value) => dropped.push(value));
    const text = (agent: string, length: number): string => agent.repeat(length);
    for (const [value, agent] of ['a', 'b', 'c', 'd'].entries()) recent.add(text(agent, 100), value);
    recent.add(text('b', 120), 4);
    expect(dropped).toEqual([1]);
    recent.add(text('e', 100), 5);
    expect(dropped).toEqual([1, 0]);
    expect(recent.likest(text('b', 140))).toBe(4);
  });
});
