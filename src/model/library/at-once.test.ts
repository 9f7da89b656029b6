import { describe, expect, it } from 'vitest';
import { mapAtOnce } from './at-once.ts';

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 1);
  });

describe('mapAtOnce', () => {
  it('keeps the order and the limit', async () => {
    let running = 0;
    let most = 0;
    const results = await mapAtOnce([5, 1, 4, 2, 3, 0], 3, async (value) => {
      most = Math.max(most, ++running);
      for (let step = 0; step < value; step++) await pause();
      running--;
      return value * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30, 0]);
    expect(most).toBe(3);
    expect(await mapAtOnce([], 3, pause)).toEqual([]);
  });

  it('stops after the first failure', async () => {
    const started: number[] = [];
    const items = Array.from({ length: 50 }, (_, index) => index);
    const work = async (value: number): Promise<void> => {
      started.push(value);
      await pause();
      if (value === 3) throw new Error('no');
    };
    await expect(mapAtOnce(items, 2, work)).rejects.toThrow('no');
    await pause();
    await pause();
    expect(started.length).toBeLessThan(8);
  });

  it('starts nothing once the signal is aborted', async () => {
    const controller = new AbortController();
    const started: number[] = [];
    const work = async (value: number): Promise<void> => {
      started.push(value);
      if (value === 2) controller.abort(new Error('enough'));
      await pause();
    };
    await expect(mapAtOnce([0, 1, 2, 3, 4], 1, work, controller.signal)).rejects.toThrow('enough');
    expect(started).toEqual([0, 1, 2]);
  });
});
