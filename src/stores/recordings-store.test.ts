import { expect, it } from 'vitest';
import type { BrowserRecording } from '../platform/worker/recording-browser.ts';
import { createRecordingsStore } from './recordings-store.ts';

const setup = () => {
  const ended: string[] = [];
  const waiting: ((thrown?: Error) => void)[] = [];
  const store = createRecordingsStore({
    open: ([first]) =>
      new Promise<BrowserRecording>((resolve, reject) => {
        waiting.push((thrown) => {
          if (thrown) reject(thrown);
          else
            resolve({
              calls: [],
              faults: [],
              segments: () => Promise.resolve(undefined),
              update: (files) => Promise.resolve({ calls: [], faults: files.map(({ name }) => name) }),
              whatIf: () => Promise.reject(new Error('not asked')),
              plan: () => Promise.resolve(undefined),
              axis: () => Promise.resolve(undefined),
              skills: () => Promise.resolve([]),
              repairs: () => Promise.resolve(new Map()),
              report: () => Promise.resolve(''),
              [Symbol.dispose]: () => void ended.push(first?.name ?? ''),
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

it('TF18: a recording that grows keeps its place, and opening another one does not end it', async () => {
  const { store, open, ended } = setup();
  await open('a.jsonl');
  const id = store.getState().shown?.id ?? '';
  await open('b.jsonl');
  expect(ended).toEqual([]);
  await store.update(id, [{ name: 'new.jsonl', file: new File(['x'], 'new.jsonl') }]);
  expect(store.getState().recordings[0]?.faults).toEqual(['new.jsonl']);
  expect(store.getState().shown?.name).toBe('b.jsonl');
  store.show(id);
  store.choose('r1');
  await store.update(id, []);
  expect(store.getState()).toMatchObject({ shown: { id, faults: [] }, chosen: 'r1' });
});

it('TF13: opens what was dropped as one recording: several files, or a folder by its name', async () => {
  const { store, waiting } = setup();
  const named = (...names: readonly string[]) =>
    Promise.resolve(names.map((name) => ({ name, file: new File(['x'], name) })));
  const drop = async (files: ReturnType<typeof named>): Promise<string | undefined> => {
    const opening = store.openDropped(files);
    await files.catch(() => undefined);
    await Promise.resolve();
    waiting.pop()?.();
    await opening;
    return store.getState().shown?.name;
  };
  expect(await drop(named('a.har'))).toBe('a.har');
  expect(await drop(named('a.har', 'b.jsonl', 'c.jsonl'))).toBe('a.har and 2 more files');
  expect(await drop(named('project/s1.jsonl', 'project/s1/subagents/a.jsonl'))).toBe('project');
  expect(await drop(named())).toBe('project');
  await drop(Promise.reject(new Error('it is gone')));
  expect(store.getState().problem).toBe('Can’t read the dropped files: it is gone.');
});
