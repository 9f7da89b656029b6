import { describe, expect, it } from 'vitest';
import { err, ok } from '../base/result.ts';
import { copyTree } from '../model/files/copy-tree.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import type { LibrarySkill } from '../model/library/types.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import type { PrivateWorkspaces } from '../platform/fs/private-workspace.ts';
import { createHandles } from '../platform/store/handles.ts';
import { createMemoryStorage } from '../platform/store/memory-store.ts';
import { createSettings } from '../platform/store/settings.ts';
import { createOrigins } from '../platform/store/trust.ts';
import { createFolderStore } from './folder-store.ts';

/** A handle that remembers whether a person allowed it. */
const fakeHandle = (name: string, permission: { state: PermissionState }) =>
  ({
    kind: 'directory',
    name,
    isSameEntry: (other: { name: string }) => Promise.resolve(other.name === name),
    queryPermission: () => Promise.resolve(permission.state),
    requestPermission: () => {
      permission.state = 'granted';
      return Promise.resolve('granted' as const);
    },
  }) as unknown as FileSystemDirectoryHandle;

const createPrivates = (): PrivateWorkspaces => {
  const trees = new Map<string, FileTree>();
  return {
    list: () => Promise.resolve([...trees.keys()]),
    open: (name) => {
      const tree = trees.get(name);
      return Promise.resolve(tree ? ok(tree) : err({ code: 'missing', message: `There is no ${name}.` }));
    },
    create: () => Promise.resolve(err({ code: 'failed', message: 'not here' })),
    rename: () => Promise.resolve(ok(undefined)),
    remove: (name) => {
      trees.delete(name);
      return Promise.resolve(ok(undefined));
    },
    copyIn: async (source, name) => {
      const tree = createMemoryTree({}, name);
      await copyTree(source, tree);
      trees.set(name, tree);
      return ok(tree);
    },
  };
};

const setup = (storage = createMemoryStorage(), privates: PrivateWorkspaces | 'none' = createPrivates()) => {
  const opened: string[] = [];
  let time = 0;
  const now = (): number => ++time;
  const permission = { state: 'prompt' as PermissionState };
  const disk = createMemoryTree({ 'skills/a/SKILL.md': 'A' }, 'work');
  const store = createFolderStore({
    files: {
      openFolder: ({ id }) => {
        opened.push(id);
        return Promise.resolve();
      },
    },
    demo: () => Promise.resolve(createMemoryTree({ 'skills/demo/SKILL.md': 'D' }, 'demo')),
    privates: () => Promise.resolve(privates === 'none' ? undefined : privates),
    inMemory: async (source) => {
      const tree = createMemoryTree({}, source.name);
      await copyTree(source, tree);
      return tree;
    },
    handles: createHandles({ storage, now, newId: () => `h${now()}` }),
    settings: createSettings(storage),
    origins: createOrigins({ storage, now }),
    pick: () => Promise.resolve(ok(fakeHandle('work', permission))),
    treeOf: () => disk,
  });
  return { store, opened, storage, privates, permission };
};

const text = async (tree: FileTree | undefined, path: string): Promise<string | undefined> => {
  const bytes = await tree?.read(path);
  return bytes && new TextDecoder().decode(bytes);
};

describe('the first folder', () => {
  it('is waited for: `started` ends with `start`, also when there is none', async () => {
    const { store } = setup();
    const order: string[] = [];
    const wait = async (): Promise<void> => {
      await store.started;
      order.push(`started with ${store.getState().current?.name}`);
    };
    const waiting = wait();
    order.push('asked');
    await store.start();
    await waiting;
    expect(order).toEqual(['asked', 'started with demo']);
    expect(store.getState().current?.name).toBe('demo');
  });
});

describe('folder store', () => {
  it('FO1: the first visit opens a copy of the demo, which keeps what was changed until it is reset', async () => {
    const { store, privates, storage } = setup();
    await store.start();
    expect(store.getState().current).toEqual({ id: 'private:demo', name: 'demo', kind: 'demo' });
    await store.tree()?.write('skills/demo/SKILL.md', new TextEncoder().encode('changed'));
    const again = setup(storage, privates);
    await again.store.start();
    expect(await text(again.store.tree(), 'skills/demo/SKILL.md')).toBe('changed');
    await again.store.resetDemo();
    expect(await text(again.store.tree(), 'skills/demo/SKILL.md')).toBe('D');
  });

  it('FO1: a demo that cannot be removed is not taken for a fresh one', async () => {
    const privates = createPrivates();
    const { store } = setup(undefined, {
      ...privates,
      remove: () => Promise.resolve(err({ code: 'failed', message: 'demo is in use by another tab.' })),
    });
    await store.start();
    await store.resetDemo();
    expect(store.getState().problem).toBe('demo is in use by another tab.');
  });

  it('FO2: a folder from disk is remembered; at the next visit it waits for one click', async () => {
    const { store, storage, privates } = setup();
    await store.openPicked();
    expect(store.getState().current).toMatchObject({ name: 'work', kind: 'disk' });
    expect(store.getState().recent.map(({ name }) => name)).toEqual(['work']);
    const again = setup(storage, privates);
    await again.store.start();
    expect(again.store.getState().current?.kind).toBe('demo');
    const { waiting } = again.store.getState();
    expect(waiting?.name).toBe('work');
    await again.store.openRecent(waiting?.id ?? '');
    expect(again.store.getState()).toMatchObject({ current: { name: 'work', kind: 'disk' }, waiting: undefined });
  });

  it('FO3: agent writes lie over the folder, which stays as it is', async () => {
    const { store } = setup();
    await store.openPicked();
    await store.pending()?.write('new.txt', new TextEncoder().encode('N'));
    expect(await text(store.pending(), 'new.txt')).toBe('N');
    expect(await text(store.tree(), 'new.txt')).toBeUndefined();
    expect(store.library().project?.tree).toBe(store.pending());
  });

  it('FO4: whatever was copied in from elsewhere is foreign, and stays so at the next visit', async () => {
    const { store, storage, privates } = setup();
    await store.openCopy(createMemoryTree({ 'x/SKILL.md': 'X' }, 'gift'), 'zip');
    const item = { path: 'x', layer: 'project' } as LibrarySkill;
    expect(store.isForeign(item)).toBe(true);
    const again = setup(storage, privates);
    await again.store.start();
    expect(again.store.getState().current?.name).toBe('gift');
    expect(again.store.isForeign(item)).toBe(true);
    expect(again.store.isForeign({ ...item, layer: 'user' })).toBe(false);
  });

  it('FO5: without private storage the demo lives in memory', async () => {
    const { store } = setup(createMemoryStorage(), 'none');
    await store.start();
    expect(await text(store.tree(), 'skills/demo/SKILL.md')).toBe('D');
  });

  it('FO6: a failure is told and leaves what was open', async () => {
    const { store } = setup();
    await store.start();
    await store.openPrivate('nowhere');
    expect(store.getState()).toMatchObject({ problem: 'There is no nowhere.', current: { kind: 'demo' } });
  });
});
