import { describe, expect, it } from 'vitest';
import { workspaceSkill } from '../../model/workspace/testing/skills.ts';
import { createWorkspaceStore, type OpenedWorkspace, type WorkspaceDeps } from './workspace-store.ts';

const opened = (name: string): OpenedWorkspace => ({
  name,
  workingFolder: '',
  skills: [workspaceSkill('skills/a')],
  context: [],
});

/** Timers run when the test says so. */
const storeOf = (load: WorkspaceDeps['load']) => {
  const timers = new Map<number, () => void>();
  let last = 0;
  const store = createWorkspaceStore({
    load,
    after: (_ms, work) => {
      const timer = ++last;
      timers.set(timer, work);
      return () => void timers.delete(timer);
    },
  });
  return Object.assign(store, {
    runTimers: () => {
      for (const work of timers.values()) work();
      timers.clear();
    },
  });
};

describe('the workspace', () => {
  it('opens', async () => {
    const store = storeOf(() => Promise.resolve(opened('demo')));
    expect(store.getState()).toEqual({ status: 'loading' });
    await store.open();
    expect(store.getState()).toMatchObject({ status: 'ready', workspace: { name: 'demo' } });
  });

  it('keeps the reason when a folder cannot be opened, and can try again', async () => {
    let isBroken = true;
    const store = storeOf(() => (isBroken ? Promise.reject(new Error('no network')) : Promise.resolve(opened('demo'))));
    await store.open();
    expect(store.getState()).toEqual({ status: 'failed', reason: 'no network' });
    isBroken = false;
    await store.open();
    expect(store.getState()).toMatchObject({ status: 'ready' });
  });

  it('tells how far it is, and can be cancelled', async () => {
    const seen: unknown[] = [];
    let finish = (_workspace: OpenedWorkspace) => {};
    const store = storeOf(({ onProgress, signal }) => {
      onProgress({ done: 3 });
      onProgress({ done: 4, total: 10 });
      signal.addEventListener('abort', () => onProgress({ done: 5 }));
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    store.subscribe((state) => seen.push(state));
    const opening = store.open();
    store.cancel();
    finish(opened('late'));
    await opening;
    expect(seen).toEqual([
      { status: 'loading' },
      { status: 'loading', progress: { done: 3 } },
      { status: 'loading', progress: { done: 4, total: 10 } },
      { status: 'cancelled' },
    ]);
    store.cancel();
    expect(store.getState()).toEqual({ status: 'cancelled' });
  });

  it('opening again takes the place of the first', async () => {
    const names = ['first', 'second'];
    const waiting: (() => void)[] = [];
    const store = storeOf(() => {
      const name = names.shift() ?? '';
      return new Promise((resolve) => {
        waiting.push(() => resolve(opened(name)));
      });
    });
    const both = [store.open(), store.open()];
    waiting[1]?.();
    waiting[0]?.();
    await Promise.all(both);
    expect(store.getState()).toMatchObject({ workspace: { name: 'second' } });
  });

  it('WO1: many changes are one reading; what was shown stays until it is done', async () => {
    let readings = 0;
    const store = storeOf(() => Promise.resolve(opened(`reading ${++readings}`)));
    await store.open();
    for (let change = 0; change < 3; change++) store.reloadSoon();
    const shown: string[] = [];
    const isRead = new Promise<void>((resolve) => {
      store.subscribe((state) => {
        shown.push(state.status);
        resolve();
      });
    });
    store.runTimers();
    await isRead;
    expect(shown).toEqual(['ready']);
    expect(store.getState()).toMatchObject({ workspace: { name: 'reading 2' } });
  });

  it('WO2: what is found out later changes the skills and nothing else', async () => {
    const store = storeOf(() => Promise.resolve(opened('demo')));
    store.amend([]);
    expect(store.getState().status).toBe('loading');
    await store.open();
    store.amend([]);
    expect(store.getState()).toEqual({ status: 'ready', workspace: { ...opened('demo'), skills: [] } });
  });
});
