import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSharedLists } from './shared-lists.ts';

const items = Array.from({ length: 30 }, (_, id) => ({ id }));

describe('lists that begin alike', () => {
  it('gives every list back, whatever was kept before and after it', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 29 }), { maxLength: 12 }), { maxLength: 8 }), (plans) => {
        const lists = createSharedLists<{ id: number }>();
        let list: readonly { id: number }[] = [];
        const kept = plans.map((plan, at) => {
          // Every second one continues from the previous one, some of them after a cut.
          const start = at % 3 === 0 ? [] : list.slice(0, at % 3 === 1 ? list.length : Math.ceil(list.length * 0.7));
          list = [...start, ...plan.flatMap((id) => items[id] ?? [])];
          return { list, again: lists.keep(list) };
        });
        for (const one of kept) expect(one.again()).toEqual(one.list);
      }),
    );
  });

  it('keeps a list that grows for a long time', () => {
    const lists = createSharedLists<{ id: number }>();
    const grown = Array.from({ length: 3000 }, (_, id) => ({ id }));
    const kept = grown.map((_, at) => lists.keep(grown.slice(0, at + 1)));
    expect(kept[1500]?.()).toEqual(grown.slice(0, 1501));
    expect(kept[2999]?.()).toEqual(grown);
  });
});
