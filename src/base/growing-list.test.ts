import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGrowingList, sharedItems } from './growing-list.ts';

const sums = (list: readonly { readonly value: number }[]): readonly number[] => {
  let sum = 0;
  return list.map(({ value }, index) => (sum += value * (index + 1)));
};

it('gives what a list alone would give, whatever list came before', () => {
  const item = fc.record({ value: fc.integer({ min: -9, max: 9 }) });
  const step = fc.record({ from: fc.nat(5), keep: fc.nat(8), more: fc.array(item, { maxLength: 6 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const grow = createGrowingList<{ readonly value: number }, number>(
        ({ value }, index, before = 0) => before + value * (index + 1),
      );
      const lists: (readonly { readonly value: number }[])[] = [[]];
      for (const { from, keep, more } of steps) {
        const list = [...(lists[from % lists.length] ?? []).slice(0, keep), ...more];
        lists.push(list);
        expect(grow(list)).toEqual(sums(list));
      }
    }),
    { numRuns: 100 },
  );
});

it('works on what is new alone, also in a list that grew in place and beside other lists', () => {
  const seen: string[] = [];
  const grow = createGrowingList<string, string>((item) => {
    seen.push(item);
    return item.toUpperCase();
  });
  const list = ['a', 'b', 'c'];
  grow(list);
  grow(['x', 'y']);
  list.push('d');
  expect(grow(list)).toEqual(['A', 'B', 'C', 'D']);
  expect(grow(['x', 'y', 'z'])).toEqual(['X', 'Y', 'Z']);
  expect(seen.join('')).toBe('abcxydz');
});

it('counts the items that two lists begin with', () => {
  expect(sharedItems([1, 2, 3], [1, 2, 4, 5])).toBe(2);
  expect(sharedItems([], [1])).toBe(0);
});
