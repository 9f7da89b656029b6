import { expect, it } from 'vitest';
import type { BrowserRecording } from '../platform/worker/recording-browser.ts';
import { createRecordingsStore } from './recordings-store.ts';

const setup = () => {
  const ended: string[] = [];
  const waiting: ((thrown?: Error) => void)[] = [];
  const store = createRecordingsStore({
    open: (file) =>
      new Promise<BrowserRecording>((resolve, reject) => {
        waiting.push((thrown) => {
          if (thrown) reject(thrown);
          else
            resolve({
              calls: [],
              faults: [],
              segments: () => Promise.resolve(undefined),
              [Symbol.dispose]: () => void ended.push(file.name),
            });
        });
      }),
  });
  const open = async (name: string, thrown?: Error): Promise<void> => {
    const opening = store.open(new File(['x'], name));
    waiting.pop()?.(thrown);
    await opening;
  };
  return { store, open, ended, waiting };
};

it('brings what was opened to the front, and keeps the others', async () => {
  const { store, open } = setup();
  await open('a.har');
  await open('b.har');
  expect(store.getState().recordings.map(({ name }) => name)).toEqual(['a.har', 'b.har']);
  expect(store.getState().shown?.name).toBe('b.har');
  store.choose('r1');
  store.show(store.getState().recordings[0]?.id);
  expect(store.getState()).toMatchObject({ shown: { name: 'a.har' }, chosen: undefined });
  store.show(undefined);
  expect(store.getState().shown).toBeUndefined();
});

it('ends the worker of a recording that is closed, and shows the session again', async () => {
  const { store, open, ended } = setup();
  await open('a.har');
  store.close(store.getState().shown?.id ?? '');
  expect(ended).toEqual(['a.har']);
  expect(store.getState()).toMatchObject({ recordings: [], shown: undefined });
});

it('says why a file could not be opened, and nothing of one that was canceled', async () => {
  const { store, open, waiting } = setup();
  await open('a.har', new Error('no JSON'));
  expect(store.getState()).toMatchObject({ problem: 'Can’t read a.har: no JSON.', progress: undefined });
  const opening = store.open(new File(['x'], 'b.har'));
  expect(store.getState().progress).toMatchObject({ name: 'b.har', step: 'reading' });
  store.cancel();
  waiting.pop()?.();
  await opening;
  expect(store.getState()).toMatchObject({ recordings: [], progress: undefined, problem: undefined });
});
