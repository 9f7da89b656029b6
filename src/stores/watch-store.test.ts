import { describe, expect, it } from 'vitest';
import { err, ok } from '../base/result.ts';
import type { RememberedFolder } from '../platform/store/handles.ts';
import { createRecordingsStore } from './recordings-store.ts';
import { createWatchStore, type Watch } from './watch-store.ts';

const folder = (id: string): RememberedFolder => ({
  id,
  role: 'watched',
  name: `${id}-folder`,
  handle: {} as FileSystemDirectoryHandle,
  usedAt: 1,
});
const file = (name: string) => ({ name, file: new File(['x'], name) });

const setup = (known: readonly RememberedFolder[] = [], choose?: () => Promise<readonly File[]>) => {
  const looks: Parameters<Watch>[0][] = [];
  const forgotten: string[] = [];
  let allowed = true;
  let broken = 0;
  const recordings = createRecordingsStore({
    open: (files) =>
      Promise.resolve({
        calls: [],
        faults: files.map(({ name }) => name),
        segments: () => Promise.resolve(undefined),
        whatIf: () => Promise.reject(new Error('not asked')),
        plan: () => Promise.resolve(undefined),
        axis: () => Promise.resolve(undefined),
        skills: () => Promise.resolve([]),
        repairs: () => Promise.resolve(new Map()),
        report: () => Promise.resolve(''),
        update: (now) =>
          broken-- > 0
            ? Promise.reject(new Error('written meanwhile'))
            : Promise.resolve({ calls: [], faults: now.map(({ name }) => name) }),
        [Symbol.dispose]: () => {},
      }),
  });
  let picked: 'folder' | 'cancelled' | 'unsupported' = 'folder';
  const store = createWatchStore({
    handles: {
      list: () => Promise.resolve(known),
      remember: () => Promise.resolve(folder('new')),
      forget: (id) => Promise.resolve(void forgotten.push(id)),
      regrant: () => Promise.resolve(allowed),
    },
    pick: () =>
      Promise.resolve(
        picked === 'folder' ? ok({} as FileSystemDirectoryHandle) : err({ code: picked, message: 'Not here.' }),
      ),
    ...(choose && { choose }),
    watch: () => (options) => {
      looks.push(options);
      return Promise.resolve();
    },
    recordings,
  });
  return {
    store,
    recordings,
    looks,
    forgotten,
    refuse: () => (allowed = false),
    breakOff: (times: number) => (broken = times),
    choose: (what: typeof picked) => (picked = what),
    source: () => store.getState().sources[0],
  };
};

describe('watched folders', () => {
  it('WCH1: a folder that was chosen fills a recording, which grows and stays in front', async () => {
    const { store, recordings, looks, source } = setup();
    await store.pick();
    expect(source()).toMatchObject({ name: 'new-folder', status: 'watching' });
    await looks[0]?.onFiles([]);
    expect(recordings.getState().shown).toMatchObject({ id: source()?.recording, name: 'new-folder', calls: [] });
    await looks[0]?.onFiles([file('a.jsonl')]);
    expect(recordings.getState().recordings.map(({ faults }) => faults)).toEqual([['a.jsonl']]);
  });

  it('WCH2: a folder of an earlier visit sleeps until one click, which may be refused', async () => {
    const { store, looks, source, refuse } = setup([folder('old')]);
    await store.forget('nobody');
    expect(source()).toEqual({ id: 'old', name: 'old-folder', status: 'asleep' });
    await store.resume('old');
    expect([source()?.status, looks.length]).toEqual(['watching', 1]);
    store.pause('old');
    expect([source()?.status, looks[0]?.signal.aborted]).toEqual(['asleep', true]);
    refuse();
    await store.resume('old');
    expect(source()).toMatchObject({ status: 'failed', problem: expect.stringContaining('Allow it') as string });
  });

  it('WCH3: a file that is written while it is read is read again, and what stays wrong ends the watching', async () => {
    const { store, looks, source, breakOff } = setup();
    await store.pick();
    await looks[0]?.onFiles([]);
    breakOff(1);
    expect(await looks[0]?.onFiles([file('a')])).toBe(false);
    expect(await looks[0]?.onFiles([file('a')])).toBe(true);
    breakOff(9);
    for (let count = 0; count < 4; count++) await looks[0]?.onFiles([file('a')]);
    await expect(looks[0]?.onFiles([file('a')])).rejects.toThrow('written meanwhile');
    looks[0]?.onFault(new Error('written meanwhile'));
    expect(source()).toMatchObject({ status: 'failed', problem: 'written meanwhile' });
  });

  it('WCH4: closing the recording pauses, forgetting removes, and a picker that was canceled says nothing', async () => {
    const { store, recordings, looks, source, forgotten, choose } = setup();
    await store.pick();
    await looks[0]?.onFiles([]);
    recordings.close(source()?.recording ?? '');
    await looks[0]?.onFiles([file('a')]);
    expect(source()?.status).toBe('asleep');
    await store.forget('new');
    expect([store.getState().sources, forgotten]).toEqual([[], ['new']]);
    choose('cancelled');
    await store.pick();
    expect(store.getState().problem).toBeUndefined();
    choose('unsupported');
    await store.pick();
    expect(store.getState().problem).toBe('Not here.');
  });

  it('WCH5: reads a chosen folder once where the browser can’t watch it, and says so', async () => {
    let files: readonly File[] = [];
    const { store, recordings, looks } = setup([], () => Promise.resolve(files));
    await store.pick();
    expect([store.getState().problem, recordings.getState().recordings]).toEqual([undefined, []]);
    files = ['a.jsonl', 'b.jsonl'].map((name) =>
      Object.defineProperty(new File(['x'], name), 'webkitRelativePath', { value: `bodies/${name}` }),
    );
    await store.pick();
    expect(store.getState().problem).toMatch(/read this one once/);
    expect(recordings.getState().recordings.map(({ name }) => name)).toEqual(['bodies']);
    expect(looks).toEqual([]);
  });
});
