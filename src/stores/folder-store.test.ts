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
import { createMemoryPrivates } from './testing/private-workspaces.ts';

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

/** A promise that the test ends. */
const gate = () => {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
};

const setup = (
  storage = createMemoryStorage(),
  privates: PrivateWorkspaces | 'none' = createMemoryPrivates(),
  openFiles: (folder: { readonly id: string }) => Promise<void> = () => Promise.resolve(),
  beforeSettings: Promise<void> = Promise.resolve(),
) => {
  const opened: string[] = [];
  let time = 0;
  const now = (): number => ++time;
  const permission = { state: 'prompt' as PermissionState };
  const disk = createMemoryTree({ 'skills/a/SKILL.md': 'A' }, 'work');
  const settings = createSettings(storage);
  const store = createFolderStore({
    files: {
      openFolder: ({ id }) => {
        opened.push(id);
        return openFiles({ id });
      },
    },
    demo: () => Promise.resolve(createMemoryTree({ 'skills/demo/SKILL.md': 'D' }, 'demo')),
    privates: () => Promise.resolve(privates === 'none' ? undefined : privates),
    inMemory: async (source) => {
      const tree = createMemoryTree({}, source.name);
      const { leftOut } = await copyTree(source, tree, { isForeign: true });
      return { tree, leftOut };
    },
    handles: createHandles({ storage, now, newId: () => `h${now()}` }),
    settings: {
      ...settings,
      get: async (key) => {
        await beforeSettings;
        return settings.get(key);
      },
    },
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
  it('is waited for: `started` ends with `start`, also when none exists', async () => {
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

  it('FO1: a demo that was changed outlives the loss of the database', async () => {
    const { store, privates } = setup();
    await store.start();
    await store.tree()?.write('skills/demo/SKILL.md', new TextEncoder().encode('changed'));
    const again = setup(createMemoryStorage(), privates);
    await again.store.start();
    expect(await text(again.store.tree(), 'skills/demo/SKILL.md')).toBe('changed');
  });

  it('FO1: a demo that cannot be removed is not taken for a fresh one', async () => {
    const privates = createMemoryPrivates();
    const { store } = setup(undefined, {
      ...privates,
      remove: () => Promise.resolve(err({ code: 'failed', message: 'demo is in use by another tab.' })),
    });
    await store.start();
    await store.resetDemo();
    expect(store.getState().problem).toEqual({ code: 'failed', message: 'demo is in use by another tab.' });
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

  it('FO4: whatever was copied in from outside is foreign, and stays so at the next visit', async () => {
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

  it('FO6: a failure is reported and leaves what was open', async () => {
    const { store } = setup();
    await store.start();
    await store.openPrivate('nowhere');
    expect(store.getState()).toMatchObject({
      problem: { code: 'missing', message: 'There is no nowhere.' },
      current: { kind: 'demo' },
    });
  });

  it('FO7: of two folders opened in a row the later one is open at the end, whichever is slower', async () => {
    const slow = gate();
    const privates = createMemoryPrivates();
    const { store, opened } = setup(undefined, {
      ...privates,
      open: async (name) => {
        if (name === 'slow') await slow.promise;
        return privates.open(name);
      },
    });
    await privates.copyIn(createMemoryTree({}), 'slow');
    await privates.copyIn(createMemoryTree({}), 'quick');
    const first = store.openPrivate('slow');
    await store.openPrivate('quick');
    slow.open();
    await first;
    expect(store.getState().current?.name).toBe('quick');
    expect(store.tree()?.name).toBe('quick');
    // The slow one never reached the files.
    expect(opened).toEqual(['private:quick']);
  });

  it('FO7: a folder whose files are being opened is followed by the later one, never the other way round', async () => {
    const slow = gate();
    const privates = createMemoryPrivates();
    const { store, opened } = setup(undefined, privates, ({ id }) =>
      id === 'private:slow' ? slow.promise : Promise.resolve(),
    );
    await privates.copyIn(createMemoryTree({}), 'slow');
    await privates.copyIn(createMemoryTree({}), 'quick');
    const names: (string | undefined)[] = [];
    store.subscribe(({ current }, before) => current !== before.current && names.push(current?.name));
    const first = store.openPrivate('slow');
    await expect.poll(() => opened).toEqual(['private:slow']);
    const second = store.openPrivate('quick');
    slow.open();
    await Promise.all([first, second]);
    expect([opened, names]).toEqual([
      ['private:slow', 'private:quick'],
      ['slow', 'quick'],
    ]);
    expect(store.getState()).toMatchObject({ current: { name: 'quick' }, work: undefined, problem: undefined });
  });

  it('FO7: the start gives way to a person who is quicker', async () => {
    const slow = gate();
    const privates = createMemoryPrivates();
    await privates.copyIn(createMemoryTree({}), 'mine');
    const { store, opened } = setup(undefined, privates, undefined, slow.promise);
    const starting = store.start();
    await store.openPrivate('mine');
    slow.open();
    await starting;
    expect(store.getState().current?.name).toBe('mine');
    expect(opened).toEqual(['private:mine']);
  });

  it('FO7: a slower folder that fails says nothing about the one that is open', async () => {
    const slow = gate();
    const privates = createMemoryPrivates();
    const { store } = setup(undefined, {
      ...privates,
      open: async (name) => {
        if (name === 'gone') await slow.promise;
        return privates.open(name);
      },
    });
    await privates.copyIn(createMemoryTree({}), 'quick');
    const first = store.openPrivate('gone');
    await store.openPrivate('quick');
    slow.open();
    await first;
    expect(store.getState()).toMatchObject({ current: { name: 'quick' }, problem: undefined });
  });

  it('FO8: what an agent wrote and nobody applied is there when the folder is opened again', async () => {
    const { store } = setup();
    await store.openDemo();
    await store.pending()?.write('new.txt', new TextEncoder().encode('N'));
    await store.openPicked();
    expect(store.pending()?.pending()).toEqual([]);
    await store.openDemo();
    expect(
      store
        .pending()
        ?.pending()
        .map(({ path }) => path),
    ).toEqual(['new.txt']);
    expect(await text(store.pending(), 'new.txt')).toBe('N');
    // A demo that is new has nothing to be applied to it.
    await store.resetDemo();
    expect(store.pending()?.pending()).toEqual([]);
  });

  it('FO9: a folder is opened again by its identity; one that is not remembered says so', async () => {
    const { store } = setup();
    await store.openPicked();
    const work = store.getState().current;
    await store.openCopy(createMemoryTree({}, 'gift'), 'zip');
    const gift = store.getState().current;
    await store.openDemo();
    const demo = store.getState().current;
    if (!work || !gift || !demo) throw new Error('not opened');
    for (const folder of [work, gift, demo]) {
      expect(await store.isKnown(folder)).toBe(true);
      await store.reopen(folder);
      expect(store.getState().current?.id).toBe(folder.id);
    }
    await store.forget(work.id);
    expect(await store.isKnown(work)).toBe(false);
    await store.reopen(work);
    expect(store.getState()).toMatchObject({
      problem: { code: 'forgotten', message: 'Lathe no longer remembers this folder. Open it again.' },
      current: { id: demo.id },
    });
    expect(await store.isKnown({ ...gift, name: 'other' })).toBe(false);
  });

  it('FO10: a cancel ends an opening, and what was open stays', async () => {
    const slow = gate();
    const privates = createMemoryPrivates();
    const { store, opened } = setup(undefined, {
      ...privates,
      copyIn: async (source, name, options) => {
        if (name === 'gift') await slow.promise;
        return privates.copyIn(source, name, options);
      },
    });
    await store.start();
    const copying = store.openCopy(createMemoryTree({ 'SKILL.md': 'X' }, 'gift'), 'zip');
    expect(store.getState().work?.label).toBe('Copying gift');
    store.cancel();
    expect(store.getState().work).toBeUndefined();
    await copying;
    slow.open();
    // The next copy waits until the canceled one has tidied up.
    await store.openCopy(createMemoryTree({ 'SKILL.md': 'Y' }, 'other'), 'zip');
    expect(store.getState()).toMatchObject({ current: { name: 'other' }, problem: undefined });
    expect(opened).toEqual(['private:demo', 'private:other']);
    expect(await privates.list()).toEqual(['demo', 'other']);
  });

  it('FO10: a canceled start opens nothing, ends the wait for it, and can be taken up again', async () => {
    const slow = gate();
    const { store, opened } = setup(undefined, undefined, undefined, slow.promise);
    const starting = store.start();
    store.cancel();
    await store.started;
    slow.open();
    await starting;
    expect([store.getState().current, opened]).toEqual([undefined, []]);
    await store.start();
    expect(store.getState().current?.name).toBe('demo');
  });

  it('FO10: a source that does not answer is not waited for', async () => {
    const { store } = setup(undefined, undefined, undefined, new Promise(() => {}));
    const opening = store.openDemo();
    store.cancel();
    await opening;
    expect(store.getState()).toMatchObject({ current: undefined, work: undefined, problem: undefined });
  });

  it.each(['private', 'none'] as const)('FO11: a copy says what was left out of it (storage: %s)', async (kind) => {
    const { store } = setup(undefined, kind === 'none' ? 'none' : createMemoryPrivates());
    const source = createMemoryTree({ 'a/SKILL.md': 'A', 'a/.git/config': 'x' }, 'gift');
    await store.openCopy(source, 'drop', [{ path: 'b/.git', reason: 'Refused before.' }]);
    expect(store.getState().leftOut.map(({ path }) => path)).toEqual(['b/.git', 'a/.git']);
    expect(await text(store.tree(), 'a/.git/config')).toBeUndefined();
    await store.openPicked();
    expect(store.getState().leftOut).toEqual([]);
  });
});
