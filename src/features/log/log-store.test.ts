import { expect, it } from 'vitest';
import { createLogStore } from './log-store.ts';

it('LL1: lines are shown once per frame, and only the newest are held', () => {
  const frames: (() => void)[] = [];
  const store = createLogStore({ now: () => 7, nextFrame: (callback) => frames.push(callback) });
  store.log({ level: 'info', code: 'a', text: 'one' });
  store.log({ level: 'error', code: 'b', text: 'two' });
  expect([frames.length, store.getState().lines.length]).toEqual([1, 0]);
  frames.shift()?.();
  expect(store.getState().lines).toEqual([
    { id: 0, at: 7, level: 'info', code: 'a', text: 'one' },
    { id: 1, at: 7, level: 'error', code: 'b', text: 'two' },
  ]);
  for (let index = 0; index < 5000; index++) store.log({ level: 'debug', code: 'c', text: String(index) });
  frames.shift()?.();
  expect(store.getState()).toMatchObject({ dropped: 2 });
  expect(store.getState().lines).toHaveLength(5000);
  store.clear();
  expect(store.getState()).toEqual({ lines: [], dropped: 0 });
});
