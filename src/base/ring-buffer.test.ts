import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRingBuffer } from './ring-buffer.ts';

describe('a ring buffer', () => {
  it('is the end of an array', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.array(fc.nat(9), { maxLength: 40 }), (capacity, items) => {
        const buffer = createRingBuffer<number>(capacity);
        items.forEach(buffer.push);
        const kept = items.slice(-capacity);
        expect([...buffer]).toEqual(kept);
        expect(buffer.length).toBe(kept.length);
        expect(buffer.dropped).toBe(items.length - kept.length);
        for (let index = -1; index <= capacity; index++)
          expect(buffer.at(index)).toBe(index < 0 ? undefined : kept[index]);
      }),
    );
  });

  it('starts over', () => {
    const buffer = createRingBuffer<number>(2);
    [1, 2, 3].forEach(buffer.push);
    buffer.clear();
    buffer.push(4);
    expect([[...buffer], buffer.dropped]).toEqual([[4], 0]);
  });

  it('needs room', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN]) expect(() => createRingBuffer(capacity)).toThrow('at least one');
  });
});
