import { expect, it } from 'vitest';
import { mapBounded } from './bounded.ts';

it('answers in the order of the items, with no more under way than allowed', async () => {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const answers = mapBounded([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    running--;
    return item * 10;
  });
  // The last one that was started ends first.
  while (ends.length > 0) {
    ends.pop()?.();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(await answers).toEqual([10, 20, 30, 40, 50]);
  expect(most).toBe(2);
});

it('starts nothing new after a failure', async () => {
  const started: number[] = [];
  const answers = mapBounded([1, 2, 3, 4], 1, (item) => {
    started.push(item);
    return item === 2 ? Promise.reject(new Error('no')) : Promise.resolve(item);
  });
  await expect(answers).rejects.toThrow('no');
  expect(started).toEqual([1, 2]);
});
