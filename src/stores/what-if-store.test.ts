import { expect, it } from 'vitest';
import type { WhatIfAnswer } from '../model/whatif/answer.ts';
import type { Policy } from '../model/whatif/types.ts';
import type { BrowserRecording } from '../platform/worker/recording-browser.ts';
import { createRecordingsStore } from './recordings-store.ts';
import { createWhatIfStore } from './what-if-store.ts';

const tokens = (read: number) => ({ read, written: 0, uncached: 100 - read, output: 1, usd: 1 });

const setup = async () => {
  const asked: Policy[] = [];
  const axes: (readonly [policy: Policy, key: string])[] = [];
  const recording = {
    calls: [],
    faults: [],
    segments: () => Promise.resolve(undefined),
    update: () => Promise.resolve({ calls: [], faults: [] }),
    whatIf: (policy: Policy) => {
      asked.push(policy);
      const isLong = policy.ttl === '1h';
      return Promise.resolve({
        result: { requests: [{ key: 'recorded-1', recorded: tokens(0), forecast: tokens(isLong ? 50 : 0) }] },
      } as unknown as WhatIfAnswer);
    },
    plan: () => Promise.resolve({ breakpoints: [{ at: 'last' }], saves: 1, isRecorded: false }),
    axis: (policy: Policy, key: string) => {
      axes.push([policy, key]);
      return Promise.resolve({ key, total: 100, stops: [], breakpoints: [], most: 4 });
    },
    skills: () =>
      Promise.resolve([
        {
          name: 'pdf',
          requests: 2,
          listingTokens: 9,
          tokens: 18,
          rent: { usd: 1, known: 1, unknown: 0 },
          loads: 0,
          files: [],
        },
      ]),
    repairs: () => Promise.resolve(new Map()),
    report: () => Promise.resolve('<!doctype html>'),
    [Symbol.dispose]: () => undefined,
  } satisfies BrowserRecording;
  const recordings = createRecordingsStore({ open: () => Promise.resolve(recording) });
  const store = createWhatIfStore({
    recordings,
    open: () => Promise.resolve(recording),
    sessions: { journal: () => undefined, state: () => undefined },
  });
  await recordings.open(new File(['x'], 'a.jsonl'));
  return { store, asked, axes, recordings };
};

it('turns rows whose forecast differs, and undoes every step', async () => {
  const { store, asked } = await setup();
  await store.open();
  expect(store.getState()).toMatchObject({ policy: {}, canUndo: false });
  expect(store.getState().ghosts.size).toBe(0);
  await store.turn({ ttl: '1h' });
  expect(store.getState().ghosts.get('recorded-1')).toEqual({ read: 50, written: 0, uncached: 50 });
  await store.turn({ tools: 'sorted' });
  await store.turn({ ttl: undefined });
  expect(asked.at(-1)).toEqual({ tools: 'sorted' });
  for (const policy of [{ ttl: '1h', tools: 'sorted' }, { ttl: '1h' }, {}]) {
    await store.undo();
    expect(store.getState().policy).toEqual(policy);
  }
  expect(store.getState()).toMatchObject({ canUndo: false });
});

it('turns on the best breakpoints, and starts again with another recording in front', async () => {
  const { store, recordings } = await setup();
  await store.findBest();
  expect(store.getState()).toMatchObject({
    policy: { breakpoints: [{ at: 'last' }] },
    plan: { saves: 1 },
    canUndo: true,
  });
  recordings.show(undefined);
  expect(store.getState()).toMatchObject({ policy: {}, plan: undefined, answer: undefined });
  await store.open();
  expect(store.getState().problem).toContain('No requests yet');
});

it('shows the breakpoints of the row that is looked at, under the policy, and what skills cost until another recording comes', async () => {
  const { store, axes, recordings } = await setup();
  await store.look('recorded-1');
  expect(axes).toEqual([]);
  await store.open();
  expect(store.getState().axis).toMatchObject({ key: 'recorded-1' });
  await store.turn({ breakpoints: [{ at: 'last' }] });
  await store.look('recorded-2');
  expect(axes).toEqual([
    [{}, 'recorded-1'],
    [{ breakpoints: [{ at: 'last' }] }, 'recorded-1'],
    [{ breakpoints: [{ at: 'last' }] }, 'recorded-2'],
  ]);
  expect(store.getState().axis).toMatchObject({ key: 'recorded-2' });
  await store.rent(2);
  store.reset();
  expect(store.getState()).toMatchObject({ axis: undefined, skills: [{ name: 'pdf' }] });
  recordings.show(undefined);
  expect(store.getState().skills).toBeUndefined();
});
